//! The agent's own transcript, read if a stop has something to ask of it, and once.

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attest_claim::{Assertion, Claim};
use attest_host::AgentTranscript;
use attest_snapshot::{Doubt, Mention, Searched};
use attest_transcript::{
    Call, Detail, OwnChecks, Place, ReadLimits, ToolCalls, TranscriptError, Written,
    may_run_commands, offers_no_writer, read_tool_calls,
};
use attest_verdict::{Account, Tools, Verdict};
use jiff::Timestamp;

use super::context::Context;
use crate::env::at_home;
use crate::log::Level;

/// How long lines that are still to be written are waited for.
const WAIT: Duration = Duration::from_millis(300);
/// The most that a reading may cost which may speak for the agent. It is enough for some hundred megabytes.
const READING: Duration = Duration::from_secs(1);
/// The most that all readings may cost together which only judge what is claimed beside files, with what is waited for.
const QUESTIONS: Duration = Duration::from_millis(450);

/// The transcript of the agent whose report this is.
pub(super) struct Transcript<'a> {
    pub(super) context: &'a Context,
    pub(super) message: &'a str,
    pub(super) claim: &'a Claim,
    /// What the person calls checks, if the claim says that some passed.
    own_checks: OwnChecks,
    /// The tool calls, once they were read; `None` if they could not be.
    tool_calls: OnceCell<Option<ToolCalls>>,
    /// Why one that is there could not be read.
    unread: OnceCell<String>,
}

impl<'a> Transcript<'a> {
    pub(super) fn new(
        context: &'a Context,
        message: &'a str,
        claim: &'a Claim,
        own_checks: impl FnOnce() -> OwnChecks,
    ) -> Self {
        let own_checks = if says_that_checks_passed(claim) {
            own_checks()
        } else {
            OwnChecks::default()
        };
        Self {
            context,
            message,
            claim,
            own_checks,
            tool_calls: OnceCell::new(),
            unread: OnceCell::new(),
        }
    }

    /// The places at which the agent's tools wrote, or may have written, where something speaks against it. Those of
    /// earlier turns are among them: they speak for the agent only. What is not read by the deadline leaves a doubt.
    pub(super) fn mentions(&self, root: &Path, deadline: Instant) -> Searched<Vec<Mention>> {
        let wants_more = |tool_calls: &ToolCalls| !self.is_settled(tool_calls);
        let detail = if says_that_checks_passed(self.claim) {
            Detail::PlacesAndCommands(&self.own_checks)
        } else {
            Detail::Places
        };
        let Some(tool_calls) = self.tool_calls(detail, deadline, wants_more) else {
            return match self.unread.get() {
                Some(why) => Searched::stopped(Vec::new(), Doubt::UnknownPlace(why.clone())),
                None => Searched::default(),
            };
        };
        tool_calls.written().map(|written| {
            let mut mentions = Vec::new();
            for written in written {
                let all = |path: &str| self.absolute(path, root);
                match written {
                    Written::File(path) => mentions.extend(all(path).map(Mention::Written)),
                    Written::Elsewhere(path) => mentions.push(Mention::Elsewhere(path.to_owned())),
                    Written::Place(Place::Exact(path)) => {
                        mentions.extend(all(path).map(Mention::Written));
                    }
                    Written::Place(Place::Around(path)) => {
                        mentions.extend(all(path).map(Mention::Around));
                    }
                    Written::Place(Place::Moved { from, to }) => {
                        let pairs = all(from).zip(all(to));
                        mentions.extend(pairs.map(|(from, to)| Mention::Moved { from, to }));
                    }
                }
            }
            mentions
        })
    }

    /// The first of the calls that belongs to the turn, if it is the main agent whose turn ends.
    pub(super) fn first_of_turn(&self, tool_calls: &ToolCalls) -> Option<usize> {
        let began = self.context.turn.as_ref()?.agent.started_at;
        let mut calls = tool_calls.calls.iter();
        let first = calls.position(|call| !is_before(call, began));
        Some(first.unwrap_or(tool_calls.calls.len()))
    }

    /// Whether the agent can run commands: its transcript offers it a shell, or names no tool that it has.
    pub(super) fn has_shell(&self) -> bool {
        let agent_type = self.context.payload.agent_type.as_deref();
        if agent_type.is_some_and(|agent_type| self.context.harness.only_reads(agent_type)) {
            return false;
        }
        let AgentTranscript::Named(path) = &self.context.payload.agent_transcript else {
            return false;
        };
        let forms = self.context.harness.transcripts();
        may_run_commands(path, forms, question_deadline(self.context)).unwrap_or_else(|error| {
            self.context.shrug("LEDGER_UNREADABLE", &error);
            false
        })
    }

    /// Where a path that a tool was given may be. The agent may have begun in another folder of the work tree at
    /// `root` than the one that the host names in the end, or in that of another one.
    fn absolute(&self, path: &str, root: &Path) -> std::vec::IntoIter<PathBuf> {
        let path = at_home(path.into(), self.context.config.home.as_deref());
        let cwd = self.context.payload.cwd.as_deref().unwrap_or(root);
        let above = cwd.ancestors().skip(1);
        let between = above.take_while(|folder| folder.starts_with(root) && *folder != root);
        let bases = std::iter::once(cwd)
            .chain(between)
            .chain((cwd != root).then_some(root));
        bases
            .map(|base| base.join(&path))
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// What the tools did, with all that has to be known of the paths that they name. `name` is how a path is
    /// reported; `is_unseen` says of one that is not on the disk that it is not among what changed either.
    ///
    /// The transcript is read only if there is something to explain or warnings are wanted, and waited
    /// for only if what it holds so far speaks against the agent.
    pub(super) fn into_tools(
        self,
        verdict: Option<&Verdict>,
        name: impl Fn(&str) -> String,
        is_unseen: impl Fn(&str) -> bool,
    ) -> Option<Tools> {
        let has = |any: fn(&Verdict) -> bool| verdict.is_some_and(any);
        let explains = has(|verdict| verdict.unchanged().next().is_some());
        let accuses = has(|verdict| verdict.contradictions().next().is_some());
        let warns = self.context.config.deliverables;
        if explains || warns {
            self.tool_calls(
                Detail::Files,
                reading_deadline(self.context),
                |tool_calls| {
                    let account = self.account(tool_calls);
                    // Whether a file that is missing is among what changed is asked in the end, and once.
                    let lost = || account.lost(|path| is_missing(self.context, path));
                    let speaks_against =
                        || accuses || warns && !account.check(&name, &lost()).is_empty();
                    !self.is_settled(tool_calls) && speaks_against()
                },
            );
        }
        let Self {
            context,
            message,
            claim,
            tool_calls,
            ..
        } = self;
        let mut tool_calls = tool_calls.into_inner().flatten()?;
        if let Some(turn) = &context.turn {
            let is_before = |call: &Call| is_before(call, turn.agent.started_at);
            tool_calls.calls.retain(|call| !is_before(call));
        }
        let account = Account {
            message,
            claim,
            tool_calls: &tool_calls,
            may_write: true,
        };
        let may_write = !(warns && account.wrote_nothing() && only_reads(context));
        let lost = account.lost(|path| warns && is_missing(context, path) && is_unseen(path));
        let calls = tool_calls
            .calls
            .iter()
            .filter_map(|call| call.path.as_deref());
        let calls = calls.filter(|path| explains || lost.contains(*path));
        let claimed = account.files().filter(|_| !lost.is_empty());
        let names = calls
            .chain(claimed)
            .map(|text| (text.to_owned(), name(text)))
            .collect();
        Some(Tools {
            names,
            lost,
            warns,
            may_write,
            tool_calls,
        })
    }

    /// The calls. While not all are there, they are waited for as long as those that are leave a question open.
    pub(super) fn calls(&self, is_open: impl Fn(&ToolCalls) -> bool) -> Option<&ToolCalls> {
        let detail = if says_that_checks_passed(self.claim) {
            Detail::Commands(&self.own_checks)
        } else {
            Detail::Files
        };
        let warns = self.context.config.deliverables;
        self.tool_calls(detail, question_deadline(self.context), |tool_calls| {
            let account = self.account(tool_calls);
            let lost = || account.lost(|path| is_missing(self.context, path));
            let advises = || warns && !account.check(str::to_owned, &lost()).is_empty();
            !self.is_settled(tool_calls) && (is_open(tool_calls) || advises())
        })
    }

    /// The transcript, if it is there up to the report: what it does not have, the agent did not see.
    pub(super) fn whole(&self) -> Result<&Path, attest_verdict::Doubt> {
        let AgentTranscript::Named(path) = &self.context.payload.agent_transcript else {
            return Err(attest_verdict::Doubt::NoTranscript);
        };
        let wants_more = |tool_calls: &ToolCalls| !self.is_settled(tool_calls);
        let unknown = |why: &str| Doubt::UnknownPlace(why.to_owned());
        let Some(tool_calls) =
            self.tool_calls(Detail::Places, question_deadline(self.context), wants_more)
        else {
            let why = self.unread.get().map(String::as_str);
            return Err(unknown(why.unwrap_or("the transcript could not be read")).into());
        };
        tool_calls.complete().map_err(Doubt::clone)?;
        if !tool_calls.ends_with(self.message) {
            return Err(unknown("the transcript does not end with the report").into());
        }
        Ok(path)
    }

    /// Whether the calls that were read are all that there are, up to the report.
    pub(super) fn has_all(&self) -> bool {
        let read = self.tool_calls.get().and_then(Option::as_ref);
        read.is_some_and(|tool_calls| self.is_settled(tool_calls))
    }

    fn is_settled(&self, tool_calls: &ToolCalls) -> bool {
        !self.may_be_old() && self.account(tool_calls).is_settled()
    }

    /// Whether a transcript that ends with the report may be as old as the first time that the agent gave it: an
    /// agent that was sent back may repeat it.
    fn may_be_old(&self) -> bool {
        self.context.payload.stop_hook_active
    }

    fn account<'b>(&'b self, tool_calls: &'b ToolCalls) -> Account<'b> {
        Account {
            message: self.message,
            claim: self.claim,
            tool_calls,
            may_write: true,
        }
    }

    /// The tool calls, read the first time that they are asked for.
    fn tool_calls(
        &self,
        detail: Detail<'_>,
        deadline: Instant,
        wants_more: impl Fn(&ToolCalls) -> bool,
    ) -> Option<&ToolCalls> {
        let AgentTranscript::Named(path) = &self.context.payload.agent_transcript else {
            return None;
        };
        let tool_calls = self
            .tool_calls
            .get_or_init(|| self.read(path, detail, deadline, wants_more));
        tool_calls.as_ref()
    }

    fn read(
        &self,
        path: &Path,
        detail: Detail<'_>,
        deadline: Instant,
        wants_more: impl Fn(&ToolCalls) -> bool,
    ) -> Option<ToolCalls> {
        let limits = ReadLimits {
            wait: WAIT,
            deadline,
        };
        let forms = self.context.harness.transcripts();
        match read_tool_calls(path, forms, detail, limits, wants_more) {
            Ok(mut tool_calls) => {
                if !tool_calls.is_whole {
                    let text = "a line is missing, torn, or was not reached in time";
                    let log = &self.context.log;
                    log.write(Level::Info, "LEDGER_INCOMPLETE", text);
                }
                tool_calls.is_whole &= !self.may_be_old();
                Some(tool_calls)
            }
            Err(error) => {
                self.context.shrug("LEDGER_UNREADABLE", &error);
                if matches!(error, TranscriptError::Unreadable { .. }) {
                    // It is set once, as the calls are.
                    let _ = self.unread.set(error.to_string());
                }
                None
            }
        }
    }
}

fn says_that_checks_passed(claim: &Claim) -> bool {
    let mut checks = claim.assertions.iter().filter_map(Assertion::check);
    checks.any(|check| check.passed)
}

/// Whether the agent is of a type that only reads, or was offered no tool that writes.
fn only_reads(context: &Context) -> bool {
    let agent_type = context.payload.agent_type.as_deref();
    if agent_type.is_some_and(|agent_type| context.harness.only_reads(agent_type)) {
        return true;
    }
    let AgentTranscript::Named(path) = &context.payload.agent_transcript else {
        return false;
    };
    let forms = context.harness.transcripts();
    offers_no_writer(path, forms, reading_deadline(context)).unwrap_or_else(|error| {
        context.shrug("LEDGER_UNREADABLE", &error);
        false
    })
}

/// When a reading that begins now is to end.
pub(super) fn reading_deadline(context: &Context) -> Instant {
    let now = Instant::now();
    let left = context.limits.deadline;
    let left = left.map_or(Duration::MAX, |deadline| {
        deadline.saturating_duration_since(now)
    });
    // Half of what is left: a block that is due has to be recorded in time.
    now + READING.min(left / 2)
}

/// The same for a reading that can only leave a claim open: all of these have one bound. What may excuse an agent is
/// never cut short by them, since a block may rest on it.
pub(super) fn question_deadline(context: &Context) -> Instant {
    let first = context.first_question.get_or_init(Instant::now);
    reading_deadline(context).min(*first + QUESTIONS)
}

/// Whether a call was certainly answered before this moment, in nanoseconds since the epoch.
fn is_before(call: &Call, moment: i64) -> bool {
    call.at.as_deref().is_some_and(|at| is_earlier(at, moment))
}

/// Whether the time of a line is certainly before this moment, in nanoseconds since the epoch.
pub(super) fn is_earlier(at: &str, moment: i64) -> bool {
    let at = at.parse::<Timestamp>();
    at.is_ok_and(|at| at.as_nanosecond() < i128::from(moment))
}

/// Whether there is certainly nothing at the path.
fn is_missing(context: &Context, path: &str) -> bool {
    let metadata = context
        .cwd()
        .map(|cwd| fs::symlink_metadata(cwd.join(path)));
    matches!(metadata, Ok(Err(error)) if error.kind() == io::ErrorKind::NotFound)
}
