//! What the agent was shown, which its transcript tells.

use std::path::Path;
use std::time::Instant;

use attest_snapshot::{Doubt as SeenDoubt, Repository, WorkTree, may_run_hooks};
use attest_transcript::{Forms, Shown, Source, ToolCalls, TranscriptError, has_failed_push, shown};
use attest_verdict::{Doubt, FEEDBACK, TranscriptSource};

use super::known;
use super::transcript::{Transcript, reading_deadline};

impl Transcript<'_> {
    /// Asks the whole transcript of the agent.
    fn ask<T>(
        &self,
        question: impl FnOnce(&Path, Forms<'_>, Instant) -> Result<T, TranscriptError>,
    ) -> Result<T, Doubt> {
        let path = self.whole()?;
        let forms = self.context.harness.transcripts();
        question(path, forms, reading_deadline(self.context)).map_err(|error| {
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

/// The transcript of an agent that began in a work tree.
pub(super) struct Seen<'a> {
    pub(super) transcript: &'a Transcript<'a>,
    pub(super) tree: &'a WorkTree,
}

impl TranscriptSource for Seen<'_> {
    fn calls(&self) -> Option<&ToolCalls> {
        self.transcript.calls()
    }

    fn shows(&self, text: &str) -> Result<bool, Doubt> {
        // What attest itself has said of a commit does not make it one.
        self.transcript
            .is_shown(text, Source::Others { but: FEEDBACK })
    }

    fn names(&self, text: &str) -> Result<bool, Doubt> {
        self.transcript.is_shown(text, Source::Calls)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        self.transcript.ask(has_failed_push)
    }

    fn may_be_known(&self, file: &str) -> bool {
        known::may_be_known(self.transcript.context, self.tree, file)
    }

    fn commands(&self, speak_against: &dyn Fn(&ToolCalls) -> bool) -> Option<&ToolCalls> {
        self.transcript.commands(speak_against)
    }

    fn first_of_turn(&self, calls: &ToolCalls) -> Option<usize> {
        self.transcript.first_of_turn(calls)
    }

    fn has_shell(&self) -> bool {
        self.transcript.has_shell()
    }

    fn may_have_run_hooks(&self) -> bool {
        let context = self.transcript.context;
        let Ok(cwd) = context.cwd() else {
            return true;
        };
        let repository = Repository::discover(&cwd, &context.limits);
        repository.map_or(true, |it| may_run_hooks(&it, &context.limits))
    }
}
