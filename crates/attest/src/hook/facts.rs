//! The facts that a stop is judged by, each fetched when the judge asks for it. Nothing is printed here, and nothing
//! recorded.

use std::cell::{OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use attest_checklist::{Sought, are_nowhere};
use attest_claim::{Wanted, done_when};
use attest_snapshot::{Change, Comparison, Doubt, Now, PathEvidence, RepoPath, Snapshot, WorkTree};
use attest_state::{
    Agent, Looked, Store, has_subagent_at_work, history, load_baseline, others_at_work,
};
use attest_transcript::Session;
use attest_verdict::{
    Beside, Earlier, EvidenceSource, Facts, Purpose, Report, RepositorySource, Search, SentBack,
    Side, Since, Tools, TranscriptSource, Unseen,
};

use super::context::{Context, HookError};
use super::held::LastRead;
use super::reading::question_deadline;
use super::report::sent_back_at;
use super::search::FileSearch;
use super::shown::ShownTranscript;
use super::side::side;
use super::transcript::{Transcript, only_reads};
use super::witnesses::Witnesses;
use super::{background, criteria, earlier, undone, whole};
use attest_base::log::{Level, chain};

/// What is known of an agent that stops, as far as it was asked for.
pub(super) struct StopFacts<'a> {
    context: &'a Context,
    store: &'a Store,
    agent: &'a Agent,
    transcript: Transcript<'a>,
    start: OnceCell<Option<Snapshot>>,
    /// The work tree at this stop.
    now: OnceCell<Now>,
    /// Why the start could not be compared, which is not tried again.
    unreadable: OnceCell<String>,
    others: OnceCell<Option<u32>>,
    looked: RefCell<Vec<Looked>>,
}

impl<'a> StopFacts<'a> {
    pub(super) fn of(
        context: &'a Context,
        store: &'a Store,
        agent: &'a Agent,
        report: &'a Report,
    ) -> Self {
        let own_checks = || criteria::own_checks(context, store, agent);
        let transcript = Transcript::new(context, report, own_checks);
        transcript.began_at(agent.started_at);
        if let Some(at) = agent.resumed_at {
            transcript.was_resumed(at);
        }
        if context.payload.stop_hook_active
            && let Some(at) = sent_back_at(context, store, agent)
        {
            transcript.was_sent_back(at);
        }
        Self {
            context,
            store,
            agent,
            transcript,
            start: OnceCell::new(),
            now: OnceCell::new(),
            unreadable: OnceCell::new(),
            others: OnceCell::new(),
            looked: RefCell::new(Vec::new()),
        }
    }

    /// What was found of the work of others that is not to be looked at again.
    pub(super) fn looked(self) -> Vec<Looked> {
        self.looked.into_inner()
    }

    fn start(&self) -> Result<&WorkTree, Unseen> {
        if self.start.get().is_none() {
            let start = load_baseline(self.store, self.agent.id);
            let start = start.map_err(|error| self.failed(&error.into()))?;
            self.start.get_or_init(|| start);
        }
        match self.start.get() {
            None | Some(None) => Err(Unseen::NoStart),
            Some(Some(Snapshot::Unreadable(why))) => Err(Unseen::Unreadable(why.to_string())),
            Some(Some(Snapshot::Readable(start))) => Ok(start),
        }
    }

    /// The agent's own start, compared.
    fn own(&self) -> Result<SinceStart<'_>, Unseen> {
        if let Some(why) = self.unreadable.get() {
            return Err(Unseen::Unreadable(why.clone()));
        }
        let since = self.compared(self.start()?);
        if let Err(Unseen::Unreadable(why)) = &since {
            self.unreadable.get_or_init(|| why.clone());
        }
        since
    }

    fn compared<'s>(&'s self, start: &'s WorkTree) -> Result<SinceStart<'s>, Unseen> {
        let context = self.context;
        let cwd = context.cwd().map_err(|error| self.failed(&error))?;
        let comparison = Comparison::once(&self.now, start, &cwd, &context.limits);
        let comparison = comparison.map_err(|why| Unseen::Unreadable(why.to_string()))?;
        Ok(SinceStart {
            facts: self,
            comparison,
            has_calls: false,
            witnesses: OnceCell::new(),
            last_read: LastRead::default(),
        })
    }

    fn failed(&self, error: &HookError) -> Unseen {
        self.context.log.error(error.code(), error);
        Unseen::Failed(chain(error))
    }

    /// How a path is reported if there is no work tree to name it from: from the agent's folder.
    fn name(&self, text: &str) -> String {
        let cwd = self.context.payload.cwd.as_deref();
        let inside = cwd.and_then(|cwd| Path::new(text).strip_prefix(cwd).ok());
        inside.and_then(Path::to_str).unwrap_or(text).to_owned()
    }
}

impl Facts for StopFacts<'_> {
    fn sent_back(&self) -> Option<SentBack> {
        let context = self.context;
        // Most agents never were.
        if self.agent.block_count == 0 || !self.hears_sentences() {
            return None;
        }
        let sent = history::sent_back(self.store, &context.key).map_err(HookError::from);
        sent.unwrap_or_else(|error| {
            context.shrug(error.code(), &error);
            None
        })
    }

    fn since_start(&self) -> Result<Box<dyn Since + '_>, Unseen> {
        self.transcript.begin_in(self.start()?);
        Ok(Box::new(self.own()?))
    }

    fn since_earlier(
        &self,
        wants_more: &mut dyn FnMut(Earlier, &mut dyn Since) -> bool,
    ) -> Result<bool, Unseen> {
        let mut ask = |whose, start: &WorkTree| match self.compared(start) {
            Ok(mut since) => wants_more(whose, &mut since),
            // One that cannot be compared says nothing of the next.
            Err(_) => true,
        };
        earlier::each_start(&self.transcript, self.store, self.agent, &mut ask)
            .map_err(|error| self.failed(&error))
    }

    fn tools(&self) -> Option<Tools> {
        // Rarely wanted.
        let since = OnceCell::new();
        let is_unseen = |path: &str| {
            let since = since.get_or_init(|| self.own().ok()).as_ref();
            since.is_some_and(|since| shows_nothing(&since.comparison.evidence_for(path)))
        };
        let name = |text: &str| self.name(text);
        self.transcript.tools(Purpose::default(), name, is_unseen)
    }

    fn whole_session(&self) -> Option<Rc<Session>> {
        self.transcript
            .settled()
            .filter(|_| self.transcript.has_all())
    }

    fn wanted(&self) -> Vec<Wanted> {
        let session = self.transcript.as_it_is();
        let session = session.filter(|_| self.context.turn.is_none());
        let prompt = session.as_ref().and_then(|it| it.first_prompt());
        prompt.map_or_else(Vec::new, done_when)
    }

    fn has_one_prompt(&self) -> bool {
        let session = self.transcript.as_it_is();
        let has_one = session.is_some_and(|session| session.has_one_prompt());
        if !has_one {
            let why = "the agent was told more than its prompt, or its transcript could not be read whole";
            self.context.log.write(Level::Info, "PROMPT_NOT_HELD", why);
        }
        has_one
    }

    fn only_reads(&self, session: &Session) -> bool {
        only_reads(self.context, session)
    }

    fn hears_sentences(&self) -> bool {
        self.context.config.deliverables
    }

    fn running(&self) -> Vec<String> {
        background::running(&self.transcript)
    }

    fn left_running(&self) -> Vec<String> {
        background::left(&self.transcript)
    }

    fn others_at_work(&self) -> Option<u32> {
        *self.others.get_or_init(|| {
            let others = others_at_work(self.store, self.agent);
            others
                .inspect_err(|error| self.context.shrug("OTHERS_UNKNOWN", error))
                .ok()
        })
    }

    fn has_subagent_at_work(&self) -> bool {
        let Some(turn) = &self.context.turn else {
            return false;
        };
        // If that cannot be told, it counts as if it had.
        has_subagent_at_work(self.store, turn).unwrap_or_else(|error| {
            self.context.shrug("OTHERS_UNKNOWN", &error);
            true
        })
    }

    fn beside(&self) -> Vec<Beside> {
        let work = undone::find(&self.transcript, self.store, self.agent, &self.now);
        let work = work.unwrap_or_else(|error| {
            self.context.shrug(error.code(), &error);
            undone::Found::default()
        });
        self.looked.borrow_mut().extend(work.looked);
        let mut beside = whole::find_gaps(&self.transcript);
        beside.extend(work.told.into_iter().map(Beside::Undone));
        beside
    }
}

/// A start, compared with what there is now.
struct SinceStart<'a> {
    facts: &'a StopFacts<'a>,
    comparison: Comparison<'a>,
    /// Whether the places that the agent's calls name are in it.
    has_calls: bool,
    witnesses: OnceCell<Witnesses>,
    last_read: LastRead,
}

impl Since for SinceStart<'_> {
    fn root(&self) -> &Path {
        &self.comparison.start().root
    }

    fn paths(&self) -> &dyn EvidenceSource {
        &self.comparison
    }

    fn repository(&self) -> &dyn RepositorySource {
        &self.comparison
    }

    fn changes(&self) -> Vec<(RepoPath, Change)> {
        self.comparison.delta().changes()
    }

    fn sides(&self) -> (PathBuf, [Side; 2]) {
        let start = self.comparison.start();
        let sides = [side(start), side(self.comparison.stop())];
        (start.common_dir.clone(), sides)
    }

    fn has_left_out(&self) -> bool {
        self.comparison.has_left_out()
    }

    fn add_calls(&mut self) {
        // What is not written when the time to wait is over is waited for no second time.
        if std::mem::replace(&mut self.has_calls, true) {
            return;
        }
        let mentions = self.facts.transcript.mentions(self.comparison.start());
        self.comparison.add_mentions(&mentions);
    }

    fn transcript(
        &self,
        is_open: &dyn Fn(&dyn TranscriptSource) -> bool,
    ) -> Box<dyn TranscriptSource + '_> {
        let (transcript, tree) = (&self.facts.transcript, self.comparison.start());
        let so_far = |session: &Rc<Session>| ShownTranscript::so_far(transcript, tree, session);
        let session = transcript.calls(|session| is_open(&so_far(session)));
        Box::new(ShownTranscript::at_last(transcript, tree, session))
    }

    fn search(&self) -> Box<dyn Search + '_> {
        let StopFacts {
            store,
            agent,
            transcript,
            ..
        } = self.facts;
        let (comparison, witnesses) = (&self.comparison, &self.witnesses);
        Box::new(FileSearch::new(
            (store, agent),
            transcript,
            comparison,
            witnesses,
        ))
    }

    fn tools(&self, purpose: Purpose) -> Option<Tools> {
        let name = |text: &str| self.comparison.name(text);
        let is_unseen = |text: &str| shows_nothing(&self.comparison.evidence_for(text));
        self.facts.transcript.tools(purpose, name, is_unseen)
    }

    fn lacks(&self, place: &Path, text: &str) -> bool {
        self.last_read
            .lacks(self.facts.context, self.root(), place, text)
    }

    fn are_nowhere(&self, wanted: &[&Wanted]) -> Vec<bool> {
        let name = |wanted: &&Wanted| self.comparison.name(&wanted.path);
        let names: Vec<_> = wanted.iter().map(name).collect();
        let sought = wanted.iter().zip(&names).map(|(wanted, path)| Sought {
            path,
            contains: wanted.contains.as_deref(),
        });
        let sought: Vec<_> = sought.collect();
        let until = question_deadline(self.facts.context);
        are_nowhere(self.root(), &sought, Some(until))
    }
}

/// Whether a path that is not on the disk is not among what changed either. A name that leads
/// elsewhere, and a place that could not be looked at, speak for the agent.
fn shows_nothing(seen: &PathEvidence) -> bool {
    matches!(
        seen,
        PathEvidence::Absent(_)
            | PathEvidence::Inconclusive(Doubt::Outside | Doubt::Ignored | Doubt::Unlisted)
    )
}
