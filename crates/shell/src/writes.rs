//! Where shell commands may have written. Nothing is run and nothing is looked up: a word that only
//! a shell can expand, and every command that is not understood, is a place that is not known.

mod argument;
mod code;
mod expansion;
mod folders;
mod reader;
mod run;

use crate::parser::{MAX_BYTES, parse};
use crate::places::{Places, Unknown};
use folders::Folders;
use reader::Reader;

/// Commands in the words of commands.
const MAX_DEPTH: usize = 12;

/// The shell of an agent: what one command leaves behind for the next. Some hosts keep the folder that a command
/// changed to, others begin each one anew.
#[derive(Debug, Default)]
pub struct Shell {
    left: Folders,
    /// A file that a call has written right before, with all of its text.
    pub written: Option<(String, String)>,
}

impl Shell {
    /// Adds where `command` may write if it is run in `folder`, or wherever the one before it has ended.
    pub fn read(&mut self, command: &str, folder: Option<&str>, places: &mut Places) {
        self.with_reader(folder, places, |reader| reader.text(command));
    }

    /// The same for a command whose words are given one by one.
    pub fn read_words(&mut self, words: &[String], folder: Option<&str>, places: &mut Places) {
        self.with_reader(folder, places, |reader| reader.words(words));
    }

    fn with_reader(
        &mut self,
        folder: Option<&str>,
        places: &mut Places,
        read: impl FnOnce(&mut Reader<'_>),
    ) {
        let begins = match folder {
            Some(folder) => Folders::of(folder),
            None => std::mem::take(&mut self.left).or_first(),
        };
        let mut reader = Reader::new(begins, places);
        reader.written = self.written.take();
        read(&mut reader);
        self.left = reader.folders;
    }
}

impl Reader<'_> {
    fn text(&mut self, command: &str) {
        if command.len() > MAX_BYTES {
            return self.places.miss(Unknown::Syntax, command);
        }
        self.tree(&parse(command));
    }
}

#[cfg(test)]
pub(crate) mod tests;
