//! What the agent was shown, which its transcript tells.

use std::cell::Cell;
use std::path::Path;
use std::time::Instant;

use attest_snapshot::{Doubt as SeenDoubt, WorkTree};
use attest_transcript::{Forms, Shown, Source, ToolCalls, TranscriptError, has_failed_push, shown};
use attest_verdict::{Doubt, FEEDBACK, TranscriptSource};

use super::known;
use super::transcript::{Transcript, question_deadline};

/// How many names are looked for in one transcript: each time it is read anew.
const MOST_NAMES: u32 = 8;

impl Transcript<'_> {
    /// Asks the whole transcript of the agent.
    fn ask<T>(
        &self,
        question: impl FnOnce(&Path, Forms<'_>, Instant) -> Result<T, TranscriptError>,
    ) -> Result<T, Doubt> {
        let path = self.whole()?;
        let forms = self.context.harness.transcripts();
        question(path, forms, question_deadline(self.context)).map_err(|error| {
            self.context.shrug("LEDGER_UNREADABLE", &error);
            SeenDoubt::UnknownPlace(error.to_string()).into()
        })
    }

    fn is_shown(&self, text: &str, source: Source<'_>) -> Result<bool, Doubt> {
        match self.ask(|path, forms, deadline| shown(path, forms, text, source, deadline))? {
            Shown::Yes => Ok(true),
            Shown::No => Ok(false),
            Shown::Unknown => Err(Doubt::NoTranscript),
        }
    }
}

/// The transcript of an agent that began in a work tree, with the calls that were read of it.
pub(super) struct Seen<'a> {
    transcript: &'a Transcript<'a>,
    tree: &'a WorkTree,
    calls: Option<&'a ToolCalls>,
    is_settled: bool,
    /// How many names were looked for.
    names: Cell<u32>,
}

impl<'a> Seen<'a> {
    /// As if nothing more were still to be written.
    pub(super) fn so_far(
        transcript: &'a Transcript<'a>,
        tree: &'a WorkTree,
        calls: &'a ToolCalls,
    ) -> Self {
        Self {
            transcript,
            tree,
            calls: Some(calls),
            is_settled: true,
            names: Cell::new(0),
        }
    }

    /// What there is of it when nothing is waited for any more.
    pub(super) fn at_last(
        transcript: &'a Transcript<'a>,
        tree: &'a WorkTree,
        calls: Option<&'a ToolCalls>,
    ) -> Self {
        Self {
            transcript,
            tree,
            calls,
            is_settled: transcript.has_all(),
            names: Cell::new(0),
        }
    }
}

impl Seen<'_> {
    fn is_shown(&self, text: &str, source: Source<'_>) -> Result<bool, Doubt> {
        let names = self.names.replace(self.names.get().saturating_add(1));
        if names >= MOST_NAMES {
            let (most, what) = (u64::from(MOST_NAMES), "names that were not found");
            return Err(SeenDoubt::TooMany { most, what }.into());
        }
        self.transcript.is_shown(text, source)
    }
}

impl TranscriptSource for Seen<'_> {
    fn calls(&self) -> Option<&ToolCalls> {
        self.calls
    }

    fn is_settled(&self) -> bool {
        self.is_settled
    }

    fn own_from(&self) -> Option<usize> {
        self.transcript.first_of_turn(self.calls?)
    }

    fn has_shell(&self) -> bool {
        self.transcript.has_shell()
    }

    fn shows(&self, text: &str) -> Result<bool, Doubt> {
        // What attest itself has said of a commit does not make it one.
        self.is_shown(text, Source::Others { but: FEEDBACK })
    }

    fn names(&self, text: &str) -> Result<bool, Doubt> {
        self.is_shown(text, Source::Calls)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        self.transcript.ask(has_failed_push)
    }

    fn may_be_known(&self, file: &str) -> bool {
        known::may_be_known(self.transcript.context, self.tree, file)
    }
}
