//! What an agent did with its tools.

mod book;

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::forward::{ForwardLines, Next};
use crate::{Forms, TranscriptError, open};
use book::Book;

/// Between two looks at a file that is to grow.
const PAUSE: Duration = Duration::from_millis(10);

/// The tool calls of an agent, and how its transcript ends.
///
/// It shows what was asked for and what the tools answered, never what the work tree holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The calls in their order; a call that names several files is there once for each.
    pub calls: Vec<Call>,
    /// Whether every line up to now could be read. Where one could not, that a call is missing
    /// means nothing.
    pub is_whole: bool,
    last: Last,
}

/// One call of a tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// What it may have done to files.
    pub kind: Kind,
    /// The file that the call names, as it is written there.
    pub path: Option<String>,
    /// When the result came, or, without one, when the call was made; as the host writes times,
    /// which is RFC 3339 in UTC.
    pub at: Option<String>,
    /// What came of it.
    pub result: Outcome,
}

/// What a tool may have done to files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It writes the file that it names.
    Write,
    /// It writes the file that it names, and where that is only its own server knows: here, or on
    /// another machine.
    WriteElsewhere,
    /// A shell command, a removal, another agent, or a tool that is not known: it may have written,
    /// moved or removed anything.
    MayWrite,
    /// It is known to write nothing.
    Other,
}

impl Kind {
    /// Whether it may have done anything to a file that it does not write by name.
    #[must_use]
    pub fn may_write(self) -> bool {
        matches!(self, Self::MayWrite | Self::WriteElsewhere)
    }
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The tool reported success.
    Ok,
    /// The tool reported an error.
    Error,
    /// There is no result, or it does not say.
    Unknown,
}

/// The newest word of a transcript.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Last {
    /// A tool call, a result, a prompt, or nothing at all.
    #[default]
    NoReply,
    /// The model's text.
    Text(String),
    /// The host's own error message in the model's name.
    HostError(String),
}

impl Ledger {
    /// Whether the transcript ends with `message`, so that all that went before it is there.
    #[must_use]
    pub fn ends_with(&self, message: &str) -> bool {
        matches!(&self.last, Last::Text(text) if text.trim() == message.trim())
    }

    /// Whether the newest word is the host's own error message in the model's name, and `message` is
    /// that, or nothing. Another message is newer than what the file holds.
    #[must_use]
    pub fn ends_in_host_error(&self, message: &str) -> bool {
        let message = message.trim();
        matches!(&self.last, Last::HostError(text) if message.is_empty() || text.trim() == message)
    }
}

/// How long reading may take.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// For lines that are still to be written.
    pub wait: Duration,
    /// When to stop reading, whatever is left.
    pub deadline: Instant,
}

/// Reads the tool calls in the transcript at `path`, whose lines have one of `forms`.
///
/// The host writes late. So while `wants_more` says that what was read is not enough, the file is
/// looked at again until the time to wait is over; what it holds by then is the answer.
///
/// Never waits for anything but the file's growth: a pipe, a folder or a device is an error at
/// once.
pub fn ledger(
    path: &Path,
    forms: Forms<'_>,
    patience: Patience,
    wants_more: impl Fn(&Ledger) -> bool,
) -> Result<Ledger, TranscriptError> {
    let give_up = patience.deadline.min(Instant::now() + patience.wait);
    let mut file = loop {
        match open::regular_file(path) {
            Ok((file, _)) => break ForwardLines::new(file),
            Err(error) if !error.may_pass() || Instant::now() >= give_up => return Err(error),
            Err(_) => thread::sleep(PAUSE),
        }
    };
    let mut book = Book::new(forms);
    loop {
        let ledger = read_on(&mut file, &mut book, patience.deadline).map_err(|source| {
            let path = path.to_owned();
            TranscriptError::Unreadable { path, source }
        })?;
        if Instant::now() >= give_up || !wants_more(&ledger) {
            return Ok(ledger);
        }
        thread::sleep(PAUSE);
    }
}

/// Reads up to the present end of the file.
fn read_on(
    file: &mut ForwardLines<impl std::io::Read>,
    book: &mut Book<'_>,
    deadline: Instant,
) -> std::io::Result<Ledger> {
    loop {
        match file.next()? {
            Next::Line(line) => book.enter_line(line),
            Next::TooLong => book.lose_line(),
            Next::End { torn } => return Ok(book.ledger(torn)),
        }
        if book.is_full() || Instant::now() >= deadline {
            return Ok(book.ledger(true));
        }
    }
}

#[cfg(test)]
mod tests;
