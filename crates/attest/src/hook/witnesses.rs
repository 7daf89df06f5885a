//! What others saw of files, and did to them, while an agent was at work: their transcripts, and what they found when
//! they began.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};

use attest_claim::Named;
use attest_host::AgentTranscript;
use attest_shell::undoes::{Command, Undoing};
use attest_snapshot::{Budget, Fingerprint, RepoPath, Snapshot, TooMuch, WorkTree};
use attest_state::{Agent, Store, beside, load_baseline};
use attest_transcript::{Deed, Did, Outcome, Session, Whose};
use attest_verdict::{Gone, Removal, Sought, Was, Who};
use jiff::Timestamp;

use super::alike::is_same;
use super::context::{Context, HookError};
use super::heard::{Asked, Said};
use super::reading::{is_earlier, reading};
use super::transcript::Transcript;

/// How often a command is gone through to be read, and to be asked of one file; and what a question costs beside that.
const READ: usize = 64;
const ASKED: usize = 4;
const QUESTION: usize = 64;
/// Others whose transcripts are read, and whose starts are looked at.
const MOST_READ: usize = 8;

/// Everybody who is known to have been at work.
pub(super) struct Witnesses {
    all: Vec<Witness>,
    /// What others found when they began, the newest first.
    starts: Vec<(Who, i64, WorkTree)>,
    /// Whether there is any other subagent.
    pub(super) has_others: bool,
    /// Whether it is known that nobody else did anything to files.
    pub(super) is_alone: bool,
    /// Whether it is known all that the main agent was asked and did, and what all others did.
    pub(super) are_all_heard: bool,
    /// About what it costs to ask all of their prompts and reports about one file, in bytes.
    asking: usize,
    /// What may be gone through of that and of their commands, and why some was not.
    budget: Budget,
    pub(super) cut: OnceCell<TooMuch>,
    /// Whether a command of the agent itself names a patch.
    keeps_a_patch: OnceCell<bool>,
}

/// One of them, with what it was asked, did, and said in the end.
struct Witness {
    who: Who,
    asked: Vec<Asked>,
    deeds: Vec<Done>,
    said: Option<Said>,
    /// Whether the person has run a command in the session.
    has_person_run: bool,
}

/// What was done and when, and the command once it was read.
struct Done {
    deed: Deed,
    at: Option<Timestamp>,
    command: OnceCell<Command>,
}

impl Witnesses {
    /// Asks all that can be asked about the repository with these work trees, of which the first is the agent's.
    pub(super) fn of(
        transcript: &Transcript<'_>,
        store: &Store,
        agent: &Agent,
        trees: &[PathBuf],
    ) -> Self {
        let context = transcript.context;
        let mut found = Self {
            all: Vec::new(),
            starts: Vec::new(),
            has_others: false,
            is_alone: true,
            are_all_heard: true,
            asking: 0,
            budget: context.limits.budget.clone(),
            cut: OnceCell::new(),
            keeps_a_patch: OnceCell::new(),
        };
        if let Some(own) = transcript.as_it_is() {
            found.add(Who::Itself, &own, i64::MIN);
        }
        found.hear_main(context, agent);
        let others = beside(store, agent, trees).unwrap_or_else(|error| {
            context.shrug("OTHERS_UNKNOWN", &error);
            found.is_alone = false;
            found.are_all_heard = false;
            Vec::new()
        });
        found.has_others = !others.is_empty();
        found.is_alone &= others.is_empty();
        found.are_all_heard &= others.len() <= MOST_READ;
        for other in others.into_iter().take(MOST_READ) {
            let who = Who::Agent(other.agent);
            if other.harness == context.harness.name()
                && let Some(path) = &other.transcript
            {
                found.are_all_heard &= found.hear(context, who.clone(), path, agent.started_at);
            } else {
                found.are_all_heard = false;
            }
            if other.started_at < agent.started_at {
                continue;
            }
            match load_baseline(store, other.id) {
                Ok(Some(Snapshot::Readable(tree))) if Some(&tree.root) == trees.first() => {
                    found.starts.push((who, other.started_at, tree));
                }
                Ok(_) => {}
                Err(error) => {
                    let error = HookError::from(error);
                    context.shrug(error.code(), &error);
                }
            }
        }
        found
    }

    /// The main agent of the session, if this is a subagent of it.
    fn hear_main(&mut self, context: &Context, agent: &Agent) {
        if context.turn.is_some() {
            return;
        }
        let own = match &context.payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            _ => None,
        };
        let main = context.payload.transcript_path.as_ref();
        let Some(main) = main.filter(|main| Some(*main) != own) else {
            self.is_alone = false;
            self.are_all_heard = false;
            return;
        };
        let is_heard = self.hear(context, Who::Main, main, agent.started_at);
        self.is_alone &= is_heard;
        self.are_all_heard &= is_heard;
        let did = self.all.iter().filter(|it| it.who == Who::Main);
        let mut did = did.flat_map(|it| &it.deeds);
        self.is_alone &= !did.any(|done| matches!(done.deed.did, Did::Ran(_) | Did::Removed(_)));
    }

    /// Reads what a transcript says that was done since a moment, and whether that is all.
    fn hear(&mut self, context: &Context, who: Who, path: &Path, since: i64) -> bool {
        let forms = context.harness.profile().transcripts;
        match Session::read(path, forms, &reading(context), &mut |_| Whose::Own) {
            Ok(session) => {
                self.add(who, &session, since);
                session.is_whole()
            }
            Err(error) => {
                context.shrug("LEDGER_UNREADABLE", &error);
                false
            }
        }
    }

    fn add(&mut self, who: Who, session: &Session, since: i64) {
        let deeds = session.deeds().into_iter();
        let deeds = deeds.filter(|deed| !is_before(deed.at.as_deref(), since));
        let deeds = deeds.map(|deed| Done {
            at: deed.at.as_deref().and_then(|at| at.parse().ok()),
            deed,
            command: OnceCell::new(),
        });
        let asked = session.prompts.iter().filter(|prompt| {
            // A subagent may have been asked before, and do it now.
            who != Who::Main || !is_before(prompt.at.as_deref(), since)
        });
        let asked = asked.map(|prompt| Asked::of(&prompt.text));
        let asked: Vec<_> = asked.collect();
        let last = session.final_messages().next_back();
        let texts = asked.iter().map(Asked::len);
        let texts = texts.chain(last.iter().map(|said| said.text.len()));
        self.asking = texts.fold(self.asking, |sum, bytes| {
            sum.saturating_add(QUESTION).saturating_add(bytes)
        });
        self.all.push(Witness {
            asked,
            deeds: deeds.collect(),
            said: last.map(|said| Said::of(&said.text)),
            has_person_run: session.has_person_run(),
            who,
        });
    }

    /// Whether somebody was asked to take back what was done to a file, or for anything with it and took it back by its
    /// name, did it for the person, says so, or went on with the file: then nobody has to be told.
    pub(super) fn answer_for(&self, sought: Sought<'_>) -> bool {
        // Of what is not gone through any more somebody may have said so.
        if !self.may_ask() {
            return true;
        }
        let name = sought.name;
        let since = sought.since();
        let is_main = |witness: &Witness| witness.who == Who::Main;
        let is_answered = |witness: &Witness| {
            is_main(witness) && (witness.has_person_run || !witness.asked.is_empty())
                || witness.asked.iter().any(|it| it.may_take_back(name))
                || !is_main(witness) && witness.said.iter().any(|it| it.answers_for(name))
        };
        self.all.iter().any(|witness| {
            let mut deeds = witness.deeds.iter().filter(|done| is_behind(done, since));
            let is_asked = || witness.asked.iter().any(|it| it.names(name));
            is_answered(witness)
                || deeds.any(|done| match &done.deed.did {
                    Did::Wrote { path, .. } => is_same(path, name),
                    Did::Ran(text) => match self.undoing(done, text, name) {
                        Undoing::Named { to: Some(_), .. } => true,
                        Undoing::Named { .. } | Undoing::Wide => {
                            is_main(witness) || Named::of(text).has(name) && is_asked()
                        }
                        Undoing::Nothing | Undoing::Unknown => false,
                    },
                    Did::Removed(path) => is_main(witness) && is_same(path, name),
                    Did::Showed(_) | Did::Unknown => false,
                })
        })
    }

    /// What a command did to a file. It is not known of more of them than can be gone through.
    fn undoing(&self, done: &Done, text: &str, name: &str) -> Undoing {
        let command = self.read(done, text);
        command.map_or(Undoing::Unknown, |command| command.undoing(name))
    }

    /// A command, if it may be gone through once more.
    fn read<'d>(&self, done: &'d Done, text: &str) -> Option<&'d Command> {
        let is_read = done.command.get().is_some();
        let may_read = self.may_read(text.len() * if is_read { ASKED } else { READ });
        may_read.then(|| done.command.get_or_init(|| Command::of(text)))
    }

    /// Whether what all were asked and say in the end may be asked about one more file.
    fn may_ask(&self) -> bool {
        self.may_read(self.asking.saturating_mul(ASKED))
    }

    fn may_read(&self, bytes: usize) -> bool {
        let taken = self.budget.take(QUESTION + bytes);
        taken.map_err(|why| *self.cut.get_or_init(|| why)).is_ok()
    }

    /// The last content that the agent itself gave the file as a whole.
    pub(super) fn content(&self, name: &str) -> Option<&str> {
        self.own()
            .rev()
            .find_map(|Done { deed, .. }| match &deed.did {
                Did::Wrote {
                    path,
                    content: Some(content),
                } if deed.result == Outcome::Ok && is_same(path, name) => Some(content.as_str()),
                _ => None,
            })
    }

    /// Whether a call of the agent itself, behind the one that wrote the file, may have moved or removed it.
    pub(super) fn may_be_own(&self, sought: Sought<'_>) -> bool {
        let since = sought.since();
        self.own().any(|done| {
            is_behind(done, since)
                && match &done.deed.did {
                    Did::Ran(text) => self.undoing(done, text, sought.name) != Undoing::Nothing,
                    Did::Removed(_) | Did::Unknown => true,
                    Did::Wrote { .. } | Did::Showed(_) => false,
                }
        })
    }

    /// The last command of the agent itself behind the one that wrote the file that puts it back, as a commit has it,
    /// unless others were at work, or it was asked to.
    pub(super) fn putting_back(&self, sought: Sought<'_>) -> Option<Gone> {
        let keeps_a_patch = || self.own().any(keeps_a_patch);
        let is_asked = |witness: &Witness| {
            let mut asked = witness.asked.iter();
            witness.who == Who::Itself && asked.any(|it| it.may_take_back(sought.name))
        };
        if !self.is_alone
            || *self.keeps_a_patch.get_or_init(keeps_a_patch)
            || !self.may_ask()
            || self.all.iter().any(is_asked)
        {
            return None;
        }
        let since = sought.since();
        let puts_back = |done: &&Done| match &done.deed.did {
            Did::Ran(text) => {
                is_behind(done, since)
                    && done.deed.result == Outcome::Ok
                    && self
                        .read(done, text)
                        .is_some_and(|it| it.puts_back(sought.name))
            }
            _ => false,
        };
        let done = self.own().rev().find(puts_back)?;
        Some(gone(&Who::Itself, &done.deed))
    }

    /// Whether a command of anybody was not understood that may have done anything to the file: a build may have.
    pub(super) fn may_be_unread(&self, sought: Sought<'_>) -> bool {
        let since = sought.since();
        let mut deeds = self.all.iter().flat_map(|it| &it.deeds);
        deeds.any(|done| match &done.deed.did {
            Did::Ran(text) => {
                is_behind(done, since) && self.undoing(done, text, sought.name) == Undoing::Unknown
            }
            _ => false,
        })
    }

    fn own(&self) -> impl DoubleEndedIterator<Item = &Done> {
        let own = self.all.iter().filter(|it| it.who == Who::Itself);
        own.flat_map(|it| &it.deeds)
    }

    /// How it is known that the file was there, other than by what the agent wrote.
    pub(super) fn met(&self, name: &str) -> Option<Was> {
        let recorded = self.starts.iter().find(|(_, _, tree)| {
            let path = RepoPath::from_git(name.trim_start_matches("./").as_bytes());
            let file = path.and_then(|path| tree.files.get(&path));
            file.is_some_and(|file| file.fingerprint != Fingerprint::Deleted)
        });
        if let Some((who, at, _)) = recorded {
            let at = Timestamp::from_nanosecond(i128::from(*at)).ok();
            return Some(Was::Recorded {
                who: who.clone(),
                at: at.map(|at| at.to_string()),
            });
        }
        self.all.iter().find_map(|witness| {
            let mut deeds = witness.deeds.iter().rev();
            let Done { deed, .. } = deeds.find(|done| {
                done.deed.result == Outcome::Ok
                    && match &done.deed.did {
                        Did::Wrote { path, .. } => {
                            witness.who != Who::Itself && is_same(path, name)
                        }
                        Did::Showed(path) | Did::Removed(path) => is_same(path, name),
                        Did::Ran(text) => matches!(
                            self.undoing(done, text, name),
                            Undoing::Named { needs_it: true, .. }
                        ),
                        Did::Unknown => false,
                    }
            })?;
            Some(Was::Met {
                what: what(deed),
                who: witness.who.clone(),
                at: deed.at.clone(),
            })
        })
    }

    /// Whether a call of somebody else may have taken the file away. One that was not gone through may have.
    pub(super) fn may_be_of_others(&self, name: &str) -> bool {
        let others = self.all.iter().filter(|it| it.who != Who::Itself);
        let mut deeds = others.flat_map(|it| &it.deeds);
        let is_taken = deeds.any(|done| match &done.deed.did {
            Did::Ran(text) => matches!(
                self.undoing(done, text, name),
                Undoing::Named { .. } | Undoing::Wide
            ),
            Did::Removed(path) => is_same(path, name),
            _ => false,
        });
        is_taken || self.cut.get().is_some()
    }

    /// What may have removed the file, of those who named it or, if nobody did, took away what they did not name; and
    /// where it went, as the command says it.
    pub(super) fn removal(&self, sought: Sought<'_>) -> Option<Removal> {
        let all = self.all.iter().flat_map(|witness| {
            let deeds = witness.deeds.iter();
            deeds.map(move |done| (&witness.who, done))
        });
        let since = sought.since();
        let removals = all.filter_map(|(who, done)| {
            if !is_behind(done, since) {
                return None;
            }
            let deed = &done.deed;
            let (is_named, to) = match &deed.did {
                Did::Ran(text) => match self.undoing(done, text, sought.name) {
                    Undoing::Named { to, .. } => (true, to),
                    Undoing::Wide => (false, None),
                    Undoing::Nothing | Undoing::Unknown => return None,
                },
                Did::Removed(path) if is_same(path, sought.name) => (true, None),
                _ => return None,
            };
            let rank = (is_named, deed.result != Outcome::Error, done.at);
            Some((rank, who, deed, to))
        });
        let (_, who, deed, to) = removals.max_by_key(|(rank, ..)| *rank)?;
        let by = gone(who, deed);
        Some(Removal { by, to })
    }
}

fn gone(who: &Who, deed: &Deed) -> Gone {
    Gone {
        what: what(deed),
        who: who.clone(),
        at: deed.at.clone(),
    }
}

/// Whether a command names a patch, which may have what a file no longer has.
fn keeps_a_patch(done: &Done) -> bool {
    matches!(&done.deed.did, Did::Ran(text) if text.contains(".patch") || text.contains(".diff"))
}

/// What a call is called: by its command, or its tool.
fn what(deed: &Deed) -> String {
    match &deed.did {
        Did::Ran(command) => command.clone(),
        _ => deed.tool.clone(),
    }
}

/// Whether a call may have been answered after this moment.
fn is_behind(done: &Done, since: Option<Timestamp>) -> bool {
    done.at.zip(since).is_none_or(|(at, since)| at >= since)
}

/// Whether it was certainly answered before this moment, in nanoseconds since the epoch.
fn is_before(at: Option<&str>, moment: i64) -> bool {
    at.is_some_and(|at| is_earlier(at, moment))
}
