//! One call of a tool, and its result.

use crate::Shows;
use crate::printed::Printed;

/// One call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// What it may have done to files.
    pub kind: CallKind,
    /// The file that the call names, as written there.
    pub path: Option<String>,
    /// What it may show the agent of files, if that is known.
    pub shows: Option<Shows>,
    /// The time of the result, or, without one, of the call. In the host's format, which is RFC
    /// 3339 in UTC.
    pub at: Option<String>,
    /// The result of the call.
    pub result: Outcome,
    /// What it is given, as JSON, if it may have written anywhere.
    pub(crate) input: Option<String>,
    /// Whether that was not kept.
    pub(crate) is_cut: bool,
    /// All that it is given for the file that it writes, as JSON, if it says so and that was kept.
    pub(crate) content: Option<String>,
    /// The exit status of the command that it ran, where the host gives it.
    pub(crate) exit: Option<i32>,
    /// What the command has printed, as far as it is kept.
    pub(crate) printed: Option<Printed>,
    /// The folder that the agent was in, as the host has it, if it is not the first one.
    pub(crate) folder: Option<String>,
    /// Whether the result is an error in which git says that it did not push.
    pub(crate) is_refused: bool,
    /// Whether it was not allowed, and so did nothing.
    pub(crate) is_rejected: bool,
}

impl Call {
    /// All that it was given for the file that it writes, if it says so and that was kept.
    #[must_use]
    pub fn content(&self) -> Option<String> {
        self.content.as_deref().and_then(attest_json::text)
    }

    /// Whether a tool that writes files reported that it wrote this one.
    #[must_use]
    pub fn has_written(&self) -> bool {
        self.kind == CallKind::Write && self.result == Outcome::Ok
    }

    /// Whether it is given this word, as far as what it is given is kept.
    pub(crate) fn has_word(&self, word: &str) -> bool {
        self.input.as_ref().is_none_or(|input| input.contains(word))
    }
}

/// What a tool may have done to files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CallKind {
    /// It writes the file that it names.
    Write,
    /// It writes the file that it names, but only its own server knows where: here, or on another
    /// machine.
    WriteElsewhere,
    /// A shell command, a removal, another agent, or an unknown tool: it may have written, moved or
    /// removed anything.
    MayWrite,
    /// By its name it changes no file, though nobody knows.
    NoFile,
    /// It is known to write nothing.
    #[default]
    Other,
}

impl CallKind {
    /// Whether it may have changed a file other than the one it names.
    #[must_use]
    pub fn may_write(self) -> bool {
        matches!(self, Self::MayWrite | Self::WriteElsewhere | Self::NoFile)
    }
}

/// The result of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outcome {
    /// The tool reported success.
    Ok,
    /// The tool reported an error.
    Error,
    /// There is no result, or the result does not say.
    #[default]
    Unknown,
}
