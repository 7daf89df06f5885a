//! The tool calls of an agent.

mod may_run;
mod printed;
mod pushes;
mod written;

use std::cell::OnceCell;

use attest_evidence::{Doubt, Searched};
use attest_shell::checks::{self, OwnChecks};
use attest_shell::looks::looks_back;
use attest_shell::{Place, Run};

use crate::call::{Call, CallKind};
use crate::checks::{answered, of_call};
use crate::{Ran, deeds, server};
pub use written::{Program, Written, places_of};

/// How many calls are kept. The longest agents seen make a few thousand.
pub(crate) const MAX_CALLS: usize = 50_000;
/// How many checks are kept in all. No agent seen ran a thousand.
const MAX_RUNS: usize = 20_000;

/// The tool calls of an agent, and how its transcript ends.
///
/// It shows what was asked for and what the tools answered, never what is in the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls {
    /// The calls in order; a call that names several files appears once for each.
    pub calls: Vec<Call>,
    /// Whether every line so far could be read. If one could not, a missing call means nothing.
    pub is_whole: bool,
    /// What a person has added to the checks that are known.
    own_checks: OwnChecks,
    /// Why not every line could be read.
    gap: Option<Doubt>,
    pub(crate) last: LastEntry,
    /// How many calls there were when a command or a hook of the person ran, the last time.
    pub(crate) person_ran_behind: Option<usize>,
    /// For each call where it may have written, once that was asked for.
    places: OnceCell<Vec<Searched<Vec<Place>>>>,
    /// For each call the checks that it ran, once that was asked for.
    ran: OnceCell<Vec<Option<Ran>>>,
    /// For each call whether it may have written what its words do not say, once that was asked for.
    unread: OnceCell<Vec<bool>>,
}

/// The newest entry of a transcript that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum LastEntry {
    /// A tool call, a result, a prompt, or nothing at all.
    #[default]
    NoReply,
    /// The host's word that somebody interrupted the agent.
    Interrupted,
    /// The model's text.
    Text(String),
    /// The host's own error message in the model's name.
    HostError(String),
}

impl ToolCalls {
    pub(crate) fn with(own_checks: OwnChecks) -> Self {
        Self {
            own_checks,
            ..Self::default()
        }
    }

    /// Leaves out calls.
    pub fn retain(&mut self, is_kept: impl Fn(&Call) -> bool) {
        self.calls.retain(is_kept);
        self.forget();
    }

    /// All lines so far were read. Whether that changes what is known of them.
    pub(crate) fn pause(&mut self, gap: Option<&'static str>, is_full: bool) -> bool {
        let gap = if is_full {
            let (most, what) = (MAX_CALLS as u64, "tool calls");
            Some(Doubt::TooMany { most, what })
        } else {
            let why = |why| format!("the transcript was not read in full, {why}");
            gap.map(|gap| Doubt::UnknownPlace(why(gap)))
        };
        let is_new = self.gap != gap;
        self.is_whole = gap.is_none();
        self.gap = gap;
        self.forget();
        is_new
    }

    /// Forgets what was read from calls that are others now.
    fn forget(&mut self) {
        self.places = OnceCell::new();
        self.ran = OnceCell::new();
        self.unread = OnceCell::new();
    }

    /// For each call the checks that it ran, or may have; `None` if it can run none.
    pub fn ran(&self) -> &[Option<Ran>] {
        self.ran.get_or_init(|| self.read_runs())
    }

    fn read_runs(&self) -> Vec<Option<Ran>> {
        let mut shell = checks::Shell::with(&self.own_checks);
        let (mut count, mut was_moved) = (0, false);
        let ran = self.calls.iter().map(|call| {
            if call.path.is_some() || call.is_rejected {
                return None;
            }
            match &call.folder {
                Some(folder) => shell.enter(folder),
                None if was_moved => shell.enter(""),
                None => {}
            }
            was_moved = call.folder.is_some();
            let only_reads = call.kind == CallKind::Other;
            let mut command = of_call(&mut shell, &call.tool, call.input.as_deref(), only_reads)?;
            count += command.seen.len();
            if count > MAX_RUNS {
                command = checks::anything();
            }
            Some(answered(&command, call.exit, call.printed.as_ref()))
        });
        ran.collect()
    }

    /// Whether a command ended with a status other than zero, or printed in the end that some tests failed.
    #[must_use]
    pub fn may_have_failed(&self) -> bool {
        let mut calls = self.calls.iter().enumerate();
        calls.any(|(number, call)| {
            call.exit.is_some_and(|status| status != 0) || self.says_that_some_failed(number)
        })
    }

    /// Whether a tool that writes files reported that it did.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.calls.iter().any(Call::has_written)
    }

    /// Whether a call of the agent shows what commits did.
    #[must_use]
    pub fn look_back(&self) -> bool {
        let mut calls = self.calls.iter().filter(|call| call.path.is_none());
        calls.any(|call| {
            server::looks_back(&call.tool)
                || deeds::command_of(call).is_some_and(|command| looks_back(&command))
        })
    }

    /// The checks of a command as a report names it.
    #[must_use]
    pub fn checks_of(&self, command: &str) -> Vec<Run> {
        checks::named(command, &self.own_checks)
    }

    /// Whether a command of the person ran behind this call, or a hook of the person's that printed something.
    #[must_use]
    pub fn person_ran_behind(&self, call: usize) -> bool {
        self.person_ran_behind.is_some_and(|count| count > call)
    }

    /// The newest entry that counts.
    #[must_use]
    pub fn last(&self) -> &LastEntry {
        &self.last
    }

    /// Whether every line so far was read, or why not.
    pub fn complete(&self) -> Result<(), &Doubt> {
        self.gap.as_ref().map_or(Ok(()), Err)
    }

    /// Whether the transcript ends with `message`, which means that everything before it is there
    /// too.
    #[must_use]
    pub fn ends_with(&self, message: &str) -> bool {
        matches!(&self.last, LastEntry::Text(text) if text.trim() == message.trim())
    }

    /// Whether the newest entry is the host's own error message in the model's name, and `message`
    /// is that same text or empty. Any other message is newer than the file.
    #[must_use]
    pub fn ends_in_host_error(&self, message: &str) -> bool {
        let message = message.trim();
        matches!(&self.last, LastEntry::HostError(text) if message.is_empty() || text.trim() == message)
    }
}

#[cfg(test)]
mod tests;
