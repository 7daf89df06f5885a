//! The folders that a command may run in.

use crate::places::{below, leads_out};

/// How many folders are followed at once.
const MAX_FOLDERS: usize = 1_000;

/// How many times a command may change back.
const MAX_BEFORE: usize = 16;

/// All folders that a command may run in, if they are known. The one of the agent is the empty text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Folders {
    pub(super) known: Vec<String>,
    /// Whether it may be another one.
    pub(super) is_unknown: bool,
    before: Vec<Folders>,
}

impl Default for Folders {
    fn default() -> Self {
        Self::of("")
    }
}

impl Folders {
    pub(super) fn of(folder: &str) -> Self {
        Self {
            known: vec![folder.to_owned()],
            is_unknown: false,
            before: Vec::new(),
        }
    }

    /// These, or the folder of the agent.
    pub(super) fn or_first(mut self) -> Self {
        // What lies inside was read, and grows with every command that changes to the folder again.
        self.known.retain(|folder| leads_out(folder));
        self.add(vec![String::new()]);
        self.before.clear();
        self
    }

    /// These, or others.
    pub(super) fn or(&mut self, others: Self) {
        self.add(others.known);
        self.is_unknown |= others.is_unknown;
    }

    /// The bytes of their names, about.
    pub(super) fn size(&self) -> usize {
        self.known.iter().map(|folder| folder.len() + 32).sum()
    }

    /// Nobody knows any more.
    pub(super) fn forget(&mut self) {
        self.known.clear();
        self.before.clear();
        self.is_unknown = true;
    }

    /// The folders that `path` may name.
    pub(super) fn joined(&self, path: &str) -> impl Iterator<Item = String> {
        self.known.iter().map(move |folder| below(folder, path))
    }

    /// Changes to one of `paths`, or to one that is not known. If that is not `certain`, it may not have happened.
    pub(super) fn change(&mut self, paths: Option<&[String]>, is_certain: bool) {
        let mut before = self.clone();
        before.before.clear();
        let known = std::mem::take(&mut self.known);
        let was_unknown = self.is_unknown;
        let paths = paths.filter(|paths| !paths.is_empty());
        let paths = paths.map(|paths| paths.iter().map(|path| path.trim_end_matches('/')));
        match paths {
            Some(paths) => {
                self.is_unknown = false;
                for path in paths {
                    let path = if path.is_empty() { "/" } else { path };
                    self.is_unknown |= was_unknown && !crate::places::is_whole(path);
                    let folders: Vec<_> = known.iter().map(|folder| below(folder, path)).collect();
                    self.add(folders);
                }
            }
            None => self.is_unknown = true,
        }
        if !is_certain {
            self.add(known);
            self.is_unknown |= was_unknown;
        }
        self.before.push(before);
        if self.before.len() > MAX_BEFORE {
            self.before.remove(0);
        }
    }

    /// Changes back.
    pub(super) fn back(&mut self) {
        match self.before.pop() {
            Some(before) => {
                let rest = std::mem::take(&mut self.before);
                *self = before;
                self.before = rest;
            }
            None => self.is_unknown = true,
        }
    }

    fn add(&mut self, folders: Vec<String>) {
        for folder in folders {
            if self.known.contains(&folder) {
                continue;
            }
            if self.known.len() >= MAX_FOLDERS {
                self.is_unknown = true;
                return;
            }
            self.known.push(folder);
        }
    }
}
