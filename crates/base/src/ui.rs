//! All that a command writes to the terminal goes through here: as wide as that is, coloured where
//! that is wanted, in a pager where it is long. Piped text is plain and as wide as it likes.
//!
//! A hook does not come here. What it prints is for the host, and it has no time to look at a
//! terminal.

mod columns;
mod findings;
pub mod progress;
mod prose;
mod sparkline;
mod text;

use std::io::{self, IsTerminal, Write};
use std::process::{Child, Command, Stdio};

use anstream::adapter::strip_str;
use anstream::{AutoStream, ColorChoice};
use anstyle::Style;
use attest_snapshot::{Printable, escaped, visible_json, visible_lines};
use serde::Serialize;
use thiserror::Error;

pub use self::columns::{Cell, Column, Table};
pub use self::findings::findings;
pub use self::prose::{cut, hanging};
pub use self::sparkline::sparkline;
pub use self::text::{
    ADDED, BAD, DOUBTFUL, FAINT, GOOD, REMOVED, STRONG, and_more, bad_mark, counted, duration,
    good_mark, in_signs, mark, mark_of, megabytes, shown_as, style_of, styled, word,
};
use crate::env::{self, Env};
use crate::error::{CommandError, Part};

/// Narrower than this nothing is cut: such a terminal wraps.
pub const NARROWEST: usize = 40;

/// Standard output took no more, and not because nobody reads it.
#[derive(Debug, Error)]
#[error("cannot print")]
struct OutputError(#[source] io::Error);

/// The terminal, or what stands in its place.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
pub struct Ui {
    /// Columns and lines of standard output, where it is a terminal.
    size: Option<(usize, usize)>,
    pager: String,
    /// Whether the person has chosen the options of `less`.
    has_less: bool,
    /// Whether characters outside of ASCII are understood, as far as the locale says.
    has_unicode: bool,
    /// Whether an error is one JSON object.
    speaks_json: bool,
    is_read: bool,
    out: anstream::Stdout,
    err: anstream::Stderr,
}

impl Ui {
    /// For the terminal that the process has.
    pub fn new(env: &Env) -> Self {
        let is_terminal = io::stdout().is_terminal();
        let size = is_terminal.then(terminal_size::terminal_size).flatten();
        let has_unicode = sparkline::has_unicode(env);
        text::use_ascii(!has_unicode);
        Self {
            size: size.map(|(width, height)| (width.0.into(), height.0.into())),
            pager: env.text(env::PAGER).unwrap_or("less").to_owned(),
            has_less: env.get(env::LESS).is_some(),
            has_unicode,
            speaks_json: false,
            is_read: true,
            out: anstream::stdout(),
            err: anstream::stderr(),
        }
    }

    /// Errors are for programs from now on.
    pub fn speak_json(&mut self) {
        self.speaks_json = true;
    }

    /// Whether standard output is for a program: one asked for JSON, or it is not a terminal. Errors
    /// are for that program as well.
    pub fn is_for_program(&mut self, asked: bool) -> bool {
        if asked || !io::stdout().is_terminal() {
            self.speak_json();
        }
        self.speaks_json
    }

    /// How wide a line may be; `None` where nobody minds.
    #[must_use]
    pub fn width(&self) -> Option<usize> {
        self.size
            .map(|(width, _)| width)
            .filter(|width| *width >= NARROWEST)
    }

    /// Whether the terminal shows characters such as `▁`.
    #[must_use]
    pub fn has_blocks(&self) -> bool {
        self.has_unicode
    }

    /// Whether somebody still reads what is printed, as far as was found out.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.is_read
    }

    /// Prints text that may hold styles. A reader that has seen enough is not an error.
    pub fn print(&mut self, text: &str) -> Result<(), CommandError> {
        let written = self.write_all(text.as_bytes());
        Ok(written.and_then(|()| self.flush()).map_err(OutputError)?)
    }

    /// Prints one line.
    pub fn say(&mut self, line: &str) -> Result<(), CommandError> {
        self.print(&format!("{line}\n"))
    }

    /// Prints a paragraph, as wide as the terminal.
    pub fn tell(&mut self, paragraph: &str) -> Result<(), CommandError> {
        self.print(&hanging("", paragraph, self.width()))
    }

    /// Prints a value as JSON, over several lines.
    pub fn json(&mut self, value: &impl Serialize) -> Result<(), CommandError> {
        self.json_text(&serde_json::to_string_pretty(value)?)
    }

    /// Prints JSON. It may be a terminal that shows it, and names in it are somebody else's.
    pub fn json_text(&mut self, json: &str) -> Result<(), CommandError> {
        self.page(&format!("{}\n", visible_json(json)))
    }

    /// Prints a value as JSON, on one line.
    pub fn json_line(&mut self, value: &impl Serialize) -> Result<(), CommandError> {
        self.say(&visible_json(&serde_json::to_string(value)?))
    }

    /// Prints text, in a pager if the terminal is too small for it.
    pub fn page(&mut self, text: &str) -> Result<(), CommandError> {
        let text = &*visible_lines(text);
        let is_long = self
            .size
            .is_some_and(|(_, height)| text.lines().count() >= height);
        let Some(mut pager) = is_long.then(|| self.pager()).flatten() else {
            return self.print(text);
        };
        if let Some(mut pipe) = pager.stdin.take() {
            let is_plain = AutoStream::choice(&io::stdout()) == ColorChoice::Never;
            let plain = is_plain.then(|| strip_str(text).to_string());
            // A person who has seen enough leaves the pager.
            let _ = pipe.write_all(plain.as_deref().unwrap_or(text).as_bytes());
        }
        let _ = pager.wait();
        Ok(())
    }

    /// The person's pager, or `less` so that it leaves short text and colours alone.
    #[expect(
        clippy::disallowed_methods,
        reason = "a pager is the person's: it has the terminal, and ends when they are done"
    )]
    fn pager(&self) -> Option<Child> {
        let mut words = self.pager.split_whitespace();
        let mut command = Command::new(words.next()?);
        command.args(words).stdin(Stdio::piped());
        if !self.has_less {
            command.env(env::LESS, "FRX");
        }
        command.spawn().ok()
    }

    /// Says on standard error what does not keep the command from going on.
    pub fn warn(&mut self, text: &str) {
        // Nobody reads a closed pipe.
        let label = styled(DOUBTFUL, "warning:");
        let _ = writeln!(self.err, "{label} {}", escaped(text.as_bytes()));
    }

    /// Says why the command did not do what it was asked for. It may quote what somebody else named.
    pub fn complain(&mut self, error: &CommandError) {
        let text = self.complaint(error);
        let _ = self.err.write_all(text.as_bytes());
    }

    /// What [`Self::complain`] says.
    #[must_use]
    pub fn complaint(&self, error: &CommandError) -> String {
        if self.speaks_json {
            return format!("{}\n", visible_json(&error.json()));
        }
        let lines = error.lines().into_iter();
        let lines = lines.map(|(part, text)| {
            let label = styled(style_of_part(part), part.label());
            format!("{label} {}\n", Printable::new(&text))
        });
        lines.collect()
    }

    /// Says on standard error what the command waits for.
    pub fn note(&mut self, text: &str) {
        // Nobody reads a closed pipe.
        let _ = writeln!(self.err, "{}", visible_lines(text));
    }

    /// Whether a person can answer.
    #[must_use]
    pub fn can_ask() -> bool {
        io::stdin().is_terminal() && io::stderr().is_terminal()
    }

    /// Asks for a yes; everything else is a no.
    pub fn ask(&mut self, question: &str) -> io::Result<bool> {
        write!(self.err, "{} [y/N] ", visible_lines(question))?;
        self.err.flush()?;
        let mut answer = String::new();
        io::stdin().read_line(&mut answer)?;
        let answer = answer.trim().to_ascii_lowercase();
        Ok(matches!(answer.as_str(), "y" | "yes"))
    }
}

/// The colours of clap.
fn style_of_part(part: Part) -> Style {
    match part {
        Part::Error => BAD,
        Part::Cause => STRONG,
        Part::Hint => GOOD,
    }
}

/// Standard output, to which nothing goes that a person would not see. What nobody reads any more is taken for written.
impl Write for Ui {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = match std::str::from_utf8(bytes) {
            Ok(text) => self.out.write_all(visible_lines(text).as_bytes()),
            Err(_) => self.out.write_all(bytes),
        };
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => self.is_read = false,
            written => written?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        match self.out.flush() {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_read = false;
                Ok(())
            }
            flushed => flushed,
        }
    }
}
