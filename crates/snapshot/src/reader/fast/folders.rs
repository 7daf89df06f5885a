//! The folders that an index implies.

use std::ops::Range;

/// One folder with at least one entry in or below it.
pub(super) struct Folder {
    /// Where its path lies in the text that holds the paths; without the slash at the end.
    pub(super) path: Range<usize>,
    /// The entries in and below it.
    pub(super) entries: Range<usize>,
    /// The folder above it; the root is its own.
    pub(super) parent: usize,
    /// The first folder in the list that does not lie below it.
    pub(super) after: usize,
}

/// Something directly in a folder, in the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Child {
    Entry(usize),
    Folder(usize),
}

/// Makes the list of folders while the sorted entries go by.
pub(super) struct FolderBuilder {
    folders: Vec<Folder>,
    /// The folders that are open, and the length of each one's path with its slash.
    open: Vec<(usize, usize)>,
    /// The path of the innermost open folder, with its slash.
    prefix: Vec<u8>,
}

impl Default for FolderBuilder {
    fn default() -> Self {
        let root = Folder {
            path: 0..0,
            entries: 0..0,
            parent: 0,
            after: 0,
        };
        Self {
            folders: vec![root],
            open: vec![(0, 0)],
            prefix: Vec::new(),
        }
    }
}

impl FolderBuilder {
    /// Takes the next entry. `text` is where its path begins. Returns whether the path names
    /// something inside a work tree.
    pub(super) fn add(&mut self, entry: usize, path: &[u8], text: usize) -> bool {
        if !path.starts_with(&self.prefix) {
            let shared = self.prefix.iter().zip(path).take_while(|(a, b)| a == b);
            let shared = shared.count();
            while let Some((folder, length)) = self.open.last().copied()
                && length > shared
            {
                self.close(folder, entry);
                self.open.pop();
            }
            let length = self.open.last().map_or(0, |(_, length)| *length);
            self.prefix.truncate(length);
        }
        let mut from = self.prefix.len();
        // What it shares with the path before was looked at then.
        let is_sound = crate::RepoPath::is_sound(&path[from..]);
        while let Some(slash) = path[from..].iter().position(|byte| *byte == b'/') {
            let end = from + slash;
            let parent = self.open.last().map_or(0, |(folder, _)| *folder);
            self.open.push((self.folders.len(), end + 1));
            self.folders.push(Folder {
                path: text..text + end,
                entries: entry..entry,
                parent,
                after: 0,
            });
            from = end + 1;
        }
        self.prefix
            .extend_from_slice(&path[self.prefix.len()..from]);
        is_sound
    }

    pub(super) fn finish(mut self, entries: usize) -> Vec<Folder> {
        while let Some((folder, _)) = self.open.pop() {
            self.close(folder, entries);
        }
        self.folders
    }

    fn close(&mut self, folder: usize, end: usize) {
        let after = self.folders.len();
        let folder = &mut self.folders[folder];
        folder.entries.end = end;
        folder.after = after;
    }
}

/// What lies directly in folder `at`.
pub(super) fn children(folders: &[Folder], at: usize) -> impl Iterator<Item = Child> {
    let folder = &folders[at];
    let (end, after) = (folder.entries.end, folder.after);
    let mut entry = folder.entries.start;
    let mut below = at + 1;
    std::iter::from_fn(move || {
        if entry >= end {
            return None;
        }
        if below < after && folders[below].entries.start == entry {
            let child = Child::Folder(below);
            entry = folders[below].entries.end;
            below = folders[below].after;
            return Some(child);
        }
        entry += 1;
        Some(Child::Entry(entry - 1))
    })
}

/// Where the names in a folder begin.
pub(super) fn base(folder: &[u8]) -> usize {
    folder.len() + usize::from(!folder.is_empty())
}

/// The path of a name in a folder.
pub(super) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let slash = if folder.is_empty() { &b""[..] } else { b"/" };
    [folder, slash, name].concat()
}

/// The folder that a path lies in.
pub(super) fn folder_of(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|byte| *byte == b'/');
    &path[..slash.unwrap_or(0)]
}

/// Whether the last part of a path is this name.
pub(super) fn is_named(path: &[u8], name: &[u8]) -> bool {
    &path[base(folder_of(path))..] == name
}
