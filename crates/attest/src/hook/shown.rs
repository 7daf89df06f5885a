//! What the agent was shown, which its transcript tells.

use std::rc::Rc;

use attest_snapshot::WorkTree;
use attest_transcript::{Session, Shown, Source, ToolCalls};
use attest_verdict::{Doubt, TranscriptSource};

use super::known;
use super::transcript::Transcript;

/// Words of a prompt that tells what somebody ran, in lower case.
const RAN: [&str; 4] = ["ran the", "i ran", "run by me", "were run"];

/// The transcript of an agent that began in a work tree, as far as it was read.
pub(super) struct ShownTranscript<'a> {
    transcript: &'a Transcript<'a>,
    tree: &'a WorkTree,
    session: Option<Rc<Session>>,
    is_settled: bool,
}

impl<'a> ShownTranscript<'a> {
    /// As if nothing more were still to be written.
    pub(super) fn so_far(
        transcript: &'a Transcript<'a>,
        tree: &'a WorkTree,
        session: &Rc<Session>,
    ) -> Self {
        Self {
            transcript,
            tree,
            session: Some(transcript.own(Rc::clone(session))),
            is_settled: true,
        }
    }

    /// What there is of it when nothing is waited for any more.
    pub(super) fn at_last(
        transcript: &'a Transcript<'a>,
        tree: &'a WorkTree,
        session: Option<Rc<Session>>,
    ) -> Self {
        Self {
            transcript,
            tree,
            session: session.map(|session| transcript.own(session)),
            is_settled: transcript.has_all(),
        }
    }

    fn is_shown(&self, text: &str, source: Source) -> Result<bool, Doubt> {
        match self.transcript.whole()?.shown(text, source) {
            Shown::Yes => Ok(true),
            Shown::No => Ok(false),
            Shown::Unknown => Err(Doubt::NoTranscript),
        }
    }
}

impl TranscriptSource for ShownTranscript<'_> {
    fn calls(&self) -> Option<&ToolCalls> {
        self.session.as_ref().map(|session| &session.tool_calls)
    }

    fn is_settled(&self) -> bool {
        self.is_settled
    }

    fn own_from(&self) -> Option<usize> {
        self.transcript.first_of_turn(self.calls()?)
    }

    fn has_shell(&self) -> bool {
        self.transcript.has_shell()
    }

    fn shows(&self, text: &str) -> Result<bool, Doubt> {
        self.is_shown(text, Source::Others)
    }

    fn names(&self, text: &str) -> Result<bool, Doubt> {
        self.is_shown(text, Source::Calls)
    }

    fn has_failed_push(&self) -> Result<bool, Doubt> {
        let session = self.transcript.own(self.transcript.whole()?);
        Ok(session.tool_calls.has_failed_push())
    }

    fn may_be_known(&self, file: &str) -> bool {
        let given = |session: &Rc<Session>| session.is_given(file);
        self.transcript
            .as_it_is()
            .is_none_or(|session| given(&session))
            || known::is_known(self.transcript.context, &self.tree.root, file)
    }

    fn is_told_of_a_run(&self) -> bool {
        let prompts = self.session.iter().flat_map(|session| &session.prompts);
        let mut texts = prompts.map(|prompt| prompt.text.to_lowercase());
        texts.any(|text| RAN.iter().any(|words| text.contains(words)))
    }
}
