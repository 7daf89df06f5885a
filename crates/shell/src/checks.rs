//! Which checks a shell command runs, and what its exit status says of each. Nothing is run; whatever is not
//! understood may have run any check.

mod changes;
mod kinds;
mod own;
mod reader;
mod settings;

use attest_evidence::ends_in;

use crate::places::below;
use crate::run::{Changes, More, Run};
pub(crate) use kinds::behind_prefix;
pub use own::OwnChecks;
use reader::Reader;

/// The longest command that is read, in bytes.
const MAX_BYTES: usize = 64 * 1024;
/// Commands in the words of commands.
const MAX_DEPTH: usize = 12;
/// The most checks of one command.
const MAX_RUNS: usize = 32;
/// The most names of files that one command writes.
const MAX_NAMES: usize = 64;
/// The longest words of a check that are kept, in bytes.
const MAX_WORDS_BYTES: usize = 400;

/// A check, and what the exit status of the whole command says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenCheck {
    /// The run. How it ended is not known from the command.
    pub run: Run,
    /// What is seen of it.
    pub sight: Sight,
}

/// What the exit status of the whole command says of one part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sight {
    /// If it is zero, the part has passed.
    pub of_success: bool,
    /// If it is not, the part has failed.
    pub of_failure: bool,
}

/// What one command runs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// The checks, in order.
    pub seen: Vec<SeenCheck>,
    /// What else it may run.
    pub more: More,
    /// Whether part of it goes on behind the end of the command.
    pub is_left_running: bool,
    /// Whether something else in it may print what could be taken for the word of a check.
    pub prints: bool,
    /// What it may do to what checks look at.
    pub changes: Changes,
}

/// The folder of an agent's shell, which some hosts keep from one command to the next.
#[derive(Debug, Default)]
pub struct Shell {
    folder: String,
    own: OwnChecks,
}

impl Shell {
    /// With what a person calls checks.
    #[must_use]
    pub fn with(own: &OwnChecks) -> Self {
        Self {
            folder: String::new(),
            own: own.clone(),
        }
    }

    /// The next command runs in this folder, which may be where the commands have led.
    pub fn enter(&mut self, folder: &str) {
        if !ends_in(folder, &self.folder) {
            folder.clone_into(&mut self.folder);
        }
    }

    /// What `command` runs in `folder`, or wherever the one before it has ended.
    pub fn read(&mut self, command: &str, folder: Option<&str>) -> Command {
        if command.len() > MAX_BYTES {
            return anything();
        }
        self.with_reader(folder, |reader| reader.text(command, Sight::FULL))
    }

    /// The same for a command whose words are given one by one.
    pub fn read_words(&mut self, words: &[String], folder: Option<&str>) -> Command {
        if words.iter().map(String::len).sum::<usize>() > MAX_BYTES {
            return anything();
        }
        self.with_reader(folder, |reader| reader.plain_words(words, Sight::FULL))
    }

    fn with_reader(&mut self, folder: Option<&str>, read: impl FnOnce(&mut Reader<'_>)) -> Command {
        let begins = match folder {
            Some(folder) => folder.to_owned(),
            None => std::mem::take(&mut self.folder),
        };
        let mut reader = Reader::new(begins, &self.own);
        read(&mut reader);
        // A folder that grows with each command is none that is come back to.
        let Reader {
            folder, command, ..
        } = reader;
        self.folder = Some(folder)
            .filter(|folder| folder.len() <= MAX_WORDS_BYTES)
            .unwrap_or_default();
        command
    }
}

impl Command {
    /// The one run that what is printed is of, if nothing else may have printed it.
    #[must_use]
    pub fn alone(&self) -> Option<&Run> {
        match self.seen.as_slice() {
            [seen] if !self.prints && self.more != More::Anything => Some(&seen.run),
            _ => None,
        }
    }
}

/// A command that is not understood.
#[must_use]
pub fn anything() -> Command {
    let changes = Changes {
        code: true,
        ..Changes::default()
    };
    Command {
        more: More::Anything,
        changes,
        ..Command::default()
    }
}

/// The checks of a command as a report names it.
#[must_use]
pub fn named(command: &str, own: &OwnChecks) -> Vec<Run> {
    let command = Shell::with(own).read(command, None);
    command.seen.into_iter().map(|seen| seen.run).collect()
}

impl Sight {
    const FULL: Self = Self {
        of_success: true,
        of_failure: true,
    };
    const OF_SUCCESS: Self = Self {
        of_success: true,
        of_failure: false,
    };

    fn and(self, other: Self) -> Self {
        Self {
            of_success: self.of_success && other.of_success,
            of_failure: self.of_failure && other.of_failure,
        }
    }
}

/// The folder that `cd` changes to.
fn changed(folder: &str, to: &str) -> String {
    below(folder, to.trim_end_matches('/'))
}

#[cfg(test)]
mod tests;
