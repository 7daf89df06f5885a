//! The places at which a call may have written: a file, or what lies below a folder.

use std::collections::HashSet;

use attest_evidence::{Apart, Doubt, Searched, apart, escaped};

use crate::text::{beginning, last_part};

/// How many places of one call are kept.
const MAX_PLACES: usize = 10_000;
/// Bytes that may be made of the words of one call: a variable may hold itself many times.
const MAX_MADE: usize = 8 * 1024 * 1024;
/// The longest place that is kept, in bytes. No system knows a longer one.
const MAX_BYTES: usize = 4 * 1024;
/// Characters of a command that a reason quotes.
const MAX_QUOTED: usize = 80;
/// What ends a word of a text.
pub(crate) const SEPARATORS: &str = ";|&()<>{}[]\"'`=,";

/// Where a call may have written, as the call writes it, or behind the folder that it has changed to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Place {
    /// At this place itself.
    Exact(String),
    /// At this place, below it, or beside it.
    Around(String),
    /// At `to`, or in it, something that was `from` before: what lies below may be older.
    Moved {
        /// What was moved.
        from: String,
        /// Where it went.
        to: String,
    },
    /// Away from this place.
    Removed(String),
    /// Into git's index or out of it: this, or all that differs if it is empty.
    Staged(String),
    /// In a work tree, any file that git has in some commit.
    Brought,
    /// Wherever a program writes, which is not read.
    Program {
        /// The program, or the folder whose task it is.
        path: String,
        /// The folder that it ran in.
        folder: String,
    },
    /// Not on this disk, or to no content: a server was asked to change what this names, or git to note it.
    Elsewhere(String),
}

impl Place {
    /// The path that it is named by; none for what git names itself.
    fn text(&self) -> &str {
        match self {
            Self::Exact(text)
            | Self::Around(text)
            | Self::Moved { to: text, .. }
            | Self::Removed(text)
            | Self::Staged(text)
            | Self::Program { path: text, .. }
            | Self::Elsewhere(text) => text,
            Self::Brought => "",
        }
    }
}

/// Why a place that a call may have written to is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unknown {
    /// What it names, only a shell knows.
    #[error("a command names a place by what only a shell knows")]
    Expansion,
    /// A script or a program of its own.
    #[error("a script or program of its own ran")]
    Script,
    /// Code in another language.
    #[error("code in another language ran")]
    Code,
    /// Another machine, or a container.
    #[error("a command ran on another machine or in a container")]
    Machine,
    /// What is not understood.
    #[error("a command is not understood")]
    Syntax,
    /// A server's tool.
    #[error("a tool of a server ran that does not say where it writes")]
    Server,
}

/// The places of one call, each once.
#[derive(Debug, Default)]
pub struct Places {
    list: Searched<Vec<Place>>,
    known: HashSet<Place>,
    made: usize,
    /// The names of programs that could not be opened.
    pub unopened: Vec<String>,
}

impl Places {
    /// Adds one, unless it is known or nothing can stay there.
    pub fn add(&mut self, place: Place) {
        let text = place.text();
        if text.len() > MAX_BYTES {
            let (most, what) = (MAX_BYTES as u64, "bytes in the name of a place");
            return self.list.stop(Doubt::TooMany { most, what });
        }
        let is_of_git = match &place {
            Place::Staged(text) => text.is_empty(),
            place => *place == Place::Brought,
        };
        if is_virtual(text) && !is_of_git || self.known.contains(&place) {
            return;
        }
        if self.known.len() >= MAX_PLACES {
            let (most, what) = (MAX_PLACES as u64, "places in one call");
            return self.list.stop(Doubt::TooMany { most, what });
        }
        self.known.insert(place.clone());
        self.list.found_mut().push(place);
    }

    /// A place is not known, because of these words of a call.
    pub fn miss(&mut self, why: Unknown, words: &str) {
        let words = quoted(words);
        self.stop(Doubt::UnknownPlace(format!("{why} ({words})")));
    }

    /// A program ran in these folders that is not read, by these words. Its path is from the folder.
    pub fn unread(&mut self, program: &str, folders: &[String], words: &str) {
        if self.unopened.iter().any(|name| name == last_part(program)) {
            return;
        }
        for folder in folders {
            self.add(Place::Program {
                path: below(folder, program),
                folder: folder.clone(),
            });
        }
        self.stop(Doubt::ProgramUnread(quoted(words)));
    }

    /// Whether so many bytes more may be made of the words of the call. If not, that is a doubt.
    pub fn may_make(&mut self, bytes: usize) -> bool {
        self.made = self.made.saturating_add(bytes);
        let is_allowed = self.made <= MAX_MADE;
        if !is_allowed {
            let (most, what) = (
                MAX_MADE as u64,
                "bytes in what the words of one call become",
            );
            self.stop(Doubt::TooMany { most, what });
        }
        is_allowed
    }

    /// How many bytes that were.
    #[must_use]
    pub fn made(&self) -> usize {
        self.made
    }

    /// There may be others.
    pub fn stop(&mut self, why: Doubt) {
        self.list.stop(why);
    }

    /// All of them, and whether there may be others.
    pub fn list(self) -> Searched<Vec<Place>> {
        self.list
    }
}

/// Words of a call as a reason has them.
fn quoted(words: &str) -> String {
    escaped(beginning(words, MAX_QUOTED).as_bytes())
}

/// A place at which nothing stays that is written there.
fn is_virtual(text: &str) -> bool {
    apart(text.as_bytes()) == Some(Apart::Kernel) && !text.contains("..") || text.is_empty()
}

/// Adds what looks like a path among the words of a text that is no command, and leads out of the folder that it is
/// read in.
pub fn add_named(text: &str, folder: &str, places: &mut Places) {
    let text = text.replace("${HOME}", "~").replace("$HOME", "~");
    let add = |word: &str, places: &mut Places| {
        if leads_out(word) || !folder.is_empty() {
            places.add(Place::Around(below(folder, word)));
        }
    };
    for quoted in text.split(['"', '\'']) {
        // A name with spaces, which is one word in its quotes only, or as a whole text.
        let begins_as_path = quoted.starts_with(['/', '\\', '~', '.']);
        if begins_as_path && quoted.contains(' ') && looks_like_path(quoted) {
            add(quoted, places);
        }
    }
    let words = text.split(|char: char| char.is_whitespace() || SEPARATORS.contains(char));
    for word in words {
        // "~ 5 minutes".
        if looks_like_path(word) && word != "~" {
            add(word, places);
        } else if word.starts_with('$') && word.contains('/') {
            places.miss(Unknown::Expansion, word);
        }
    }
}

/// Whether a path may lead out of the folder that it is relative to.
pub(crate) fn leads_out(path: &str) -> bool {
    is_whole(path) || path.split(['/', '\\']).any(|part| part == "..")
}

/// Whether a path does not begin at the folder that a command runs in.
pub(crate) fn is_whole(path: &str) -> bool {
    path.starts_with(['/', '\\', '~']) || path.as_bytes().get(1) == Some(&b':')
}

/// A path as one that is in a folder, unless it is whole.
#[must_use]
pub fn below(folder: &str, path: &str) -> String {
    if is_whole(path) || folder.is_empty() {
        path.to_owned()
    } else {
        format!("{folder}/{path}")
    }
}

pub(crate) fn looks_like_path(word: &str) -> bool {
    let is_path = word.contains(['/', '\\']) || word.starts_with('~') || word == "..";
    // On Windows the second and the third are places on the network, where nobody looks.
    let is_other = ["-", "//", "\\\\"]
        .iter()
        .any(|start| word.starts_with(start));
    let says_something =
        word == "~" || word.contains(|char: char| char.is_alphanumeric() || char == '.');
    is_path && !is_other && says_something && !word.contains("://") && !word.contains(['\n', '$'])
}
