//! The tool calls of an agent.

mod builder;
mod commands;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use attest_evidence::{Doubt, Searched};

use crate::forward::{ForwardLines, Next};
use crate::places::Place;
use crate::shell::checks;
use crate::{Forms, OwnChecks, Ran, Run, Shows, TranscriptError, open};
use builder::ToolCallsBuilder;

/// Pause between two looks at a file that is expected to grow.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// The tool calls of an agent, and how its transcript ends.
///
/// It shows what was asked for and what the tools answered, never what is in the work tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ToolCalls {
    /// The calls in order; a call that names several files appears once for each.
    pub calls: Vec<Call>,
    /// Whether every line so far could be read. If one could not, a missing call means nothing.
    pub is_whole: bool,
    /// What a person has added to the checks that are known; `None` if what commands ran was not read.
    own_checks: Option<OwnChecks>,
    /// Why not every line could be read.
    gap: Option<Doubt>,
    last: LastEntry,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// What it may have done to files.
    pub kind: Kind,
    /// The file that the call names, as written there.
    pub path: Option<String>,
    /// Where it may have written if it may have written anywhere, if [`Detail::Places`] are read.
    pub places: Searched<Vec<Place>>,
    /// What it may show the agent of files, if that is known.
    pub shows: Option<Shows>,
    /// The time of the result, or, without one, of the call. In the host's format, which is RFC
    /// 3339 in UTC.
    pub at: Option<String>,
    /// The result of the call.
    pub result: Outcome,
    /// The checks that it ran, or may have, if [`Detail::Commands`] are read; `None` if it can run none.
    pub ran: Option<Box<Ran>>,
}

/// What a tool may have done to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
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
    Other,
}

impl Kind {
    /// Whether it may have changed a file other than the one it names.
    #[must_use]
    pub fn may_write(self) -> bool {
        matches!(self, Self::MayWrite | Self::WriteElsewhere | Self::NoFile)
    }
}

/// The result of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The tool reported success.
    Ok,
    /// The tool reported an error.
    Error,
    /// There is no result, or the result does not say.
    Unknown,
}

/// The newest entry of a transcript that counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum LastEntry {
    /// A tool call, a result, a prompt, or nothing at all.
    #[default]
    NoReply,
    /// The model's text.
    Text(String),
    /// The host's own error message in the model's name.
    HostError(String),
}

/// Where a call wrote, or may have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Written<'c> {
    /// A tool was asked to write this file.
    File(&'c str),
    /// A tool was asked to write this file, here or on another machine.
    Elsewhere(&'c str),
    /// A call that may write anywhere names this place.
    Place(&'c Place),
}

impl ToolCalls {
    /// Where the calls may have written. A tool that failed wrote nothing; a command that failed may have written
    /// before it did.
    pub fn written(&self) -> Searched<Vec<Written<'_>>> {
        let mut written = Searched::default();
        if let Some(gap) = &self.gap {
            written.stop(gap.clone());
        }
        for call in &self.calls {
            let list: &mut Vec<_> = written.found_mut();
            match (call.kind, call.path.as_deref()) {
                (Kind::Write | Kind::WriteElsewhere, _) if call.result == Outcome::Error => {}
                (Kind::Write, Some(path)) => list.push(Written::File(path)),
                (Kind::WriteElsewhere, Some(path)) => list.push(Written::Elsewhere(path)),
                (Kind::MayWrite, _) => {
                    list.extend(call.places.found().iter().map(Written::Place));
                    if let Err(why) = call.places.complete() {
                        written.stop(why.clone());
                    }
                }
                _ => {}
            }
        }
        written
    }

    /// Whether what commands ran was read.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        self.own_checks.is_some()
    }

    /// The checks of a command as a report names it.
    #[must_use]
    pub fn checks_of(&self, command: &str) -> Vec<Run> {
        let own = self.own_checks.as_ref();
        own.map_or_else(Vec::new, |own| checks::named(command, own))
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

/// What is read of each call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail<'o> {
    /// The files that it names.
    Files,
    /// Also the places among the words of a command. That takes up to three times as long.
    Places,
    /// Also the checks that a command runs, with those that a person has added.
    Commands(&'o OwnChecks),
    /// Both.
    PlacesAndCommands(&'o OwnChecks),
}

impl<'o> Detail<'o> {
    fn has_places(self) -> bool {
        matches!(self, Self::Places | Self::PlacesAndCommands(_))
    }

    /// What a person has added to the checks that are known, if checks are read.
    fn own_checks(self) -> Option<&'o OwnChecks> {
        match self {
            Self::Commands(own) | Self::PlacesAndCommands(own) => Some(own),
            Self::Files | Self::Places => None,
        }
    }
}

/// How long reading may take.
#[derive(Clone, Copy, Debug)]
pub struct ReadLimits {
    /// How long to wait for lines that are still to be written.
    pub wait: Duration,
    /// When to stop reading, whatever is left.
    pub deadline: Instant,
}

/// Reads the tool calls in the transcript at `path`, whose lines are in one of `forms`.
///
/// The host writes late. So while `wants_more` says that what was read is not enough, the file is
/// looked at again until the time to wait is over. What it contains by then is the answer.
///
/// Waits for nothing but the file's growth: a pipe, a folder or a device is an error at once.
pub fn read_tool_calls(
    path: &Path,
    forms: Forms<'_>,
    detail: Detail<'_>,
    limits: ReadLimits,
    wants_more: impl Fn(&ToolCalls) -> bool,
) -> Result<ToolCalls, TranscriptError> {
    let give_up = limits.deadline.min(Instant::now() + limits.wait);
    let mut file = loop {
        match open::regular_file(path) {
            Ok((file, _)) => break ForwardLines::new(file),
            Err(error) if !error.is_transient() || Instant::now() >= give_up => return Err(error),
            Err(_) => thread::sleep(POLL_INTERVAL),
        }
    };
    let mut builder = ToolCallsBuilder::new(forms, detail);
    loop {
        let tool_calls = read_on(&mut file, &mut builder, limits.deadline).map_err(|source| {
            let path = path.to_owned();
            TranscriptError::Unreadable { path, source }
        })?;
        if Instant::now() >= give_up || !wants_more(&tool_calls) {
            return Ok(tool_calls);
        }
        thread::sleep(POLL_INTERVAL);
    }
}

/// Reads up to the current end of the file.
fn read_on(
    file: &mut ForwardLines<impl std::io::Read>,
    builder: &mut ToolCallsBuilder<'_>,
    deadline: Instant,
) -> std::io::Result<ToolCalls> {
    loop {
        match file.next(deadline)? {
            Next::Line(line) => builder.add_line(line),
            Next::TooLong => builder.skip_line("a line is too long"),
            Next::End { torn } => {
                return Ok(builder.build(torn.then_some("its last line has no end")));
            }
            Next::Over => return Ok(builder.build(Some("that would have taken too long"))),
        }
        if builder.is_full() {
            return Ok(builder.build(None));
        }
    }
}

#[cfg(test)]
mod tests;
