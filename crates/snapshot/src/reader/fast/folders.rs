//! The folders that follow from the paths of an index.

use std::ops::Range;

use crate::odb::Oid;
use crate::{RepoPath, bounds};

/// One folder with at least one entry in or below it.
pub(crate) struct Folder {
    /// The length of its own path within the path of its first entry; without the slash at the end.
    pub(super) path_length: u32,
    /// The entries in and below it.
    pub(super) entries: Range<u32>,
    /// The folder above it; the root is its own.
    pub(super) parent: u32,
    /// The first folder in the list that does not lie below it.
    pub(super) after: u32,
}

/// A folder of which a sparse index has only the tree, and which does not exist on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Collapsed {
    /// Without a slash at the end.
    pub(crate) path: Vec<u8>,
    pub(crate) tree: Oid,
}

/// Something directly in a folder, in the order of the index.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Child {
    Entry(usize),
    Folder(usize),
}

/// Builds the list of folders from the sorted entries.
pub(super) struct FolderBuilder {
    folders: Vec<Folder>,
    /// The open folders, and the length of each one's path with its slash.
    open: Vec<(u32, usize)>,
    /// The path of the innermost open folder, with its slash.
    prefix: Vec<u8>,
}

impl Default for FolderBuilder {
    fn default() -> Self {
        let root = Folder {
            path_length: 0,
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
    /// Takes the next entry. Returns whether its path names something inside a work tree.
    pub(super) fn add(&mut self, entry: u32, path: &[u8]) -> bool {
        if !path.starts_with(&self.prefix) {
            self.leave(entry, path);
        }
        // The part that it shares with the previous path was checked then.
        loop {
            let rest = &path[self.prefix.len()..];
            let Some(end) = memchr::memchr2(b'/', 0, rest) else {
                return RepoPath::is_name(rest);
            };
            if rest[end] == 0 || !RepoPath::is_name(&rest[..end]) || !self.enter(entry, rest, end) {
                return false;
            }
        }
    }

    /// Opens the folder whose name is the first `length` bytes of `rest`. Returns whether there is
    /// room for it.
    fn enter(&mut self, entry: u32, rest: &[u8], length: usize) -> bool {
        let path_length = u32::try_from(self.prefix.len() + length);
        let (Ok(number), Ok(path_length)) = (u32::try_from(self.folders.len()), path_length) else {
            return false;
        };
        if self.folders.len() >= bounds::FOLDERS {
            return false;
        }
        let parent = self.open.last().map_or(0, |(folder, _)| *folder);
        self.folders.push(Folder {
            path_length,
            entries: entry..entry,
            parent,
            after: 0,
        });
        self.prefix.extend_from_slice(&rest[..=length]);
        self.open.push((number, self.prefix.len()));
        true
    }

    /// Closes the folders that do not contain `path`. `entry` is the first one after them.
    fn leave(&mut self, entry: u32, path: &[u8]) {
        let shared = self.prefix.iter().zip(path).take_while(|(a, b)| a == b);
        let shared = shared.count();
        while self.open.last().is_some_and(|(_, length)| *length > shared) {
            self.close(entry);
        }
        let length = self.open.last().map_or(0, |(_, length)| *length);
        self.prefix.truncate(length);
    }

    pub(super) fn finish(mut self, entries: u32) -> Vec<Folder> {
        while !self.open.is_empty() {
            self.close(entries);
        }
        self.folders
    }

    /// Closes the innermost folder.
    fn close(&mut self, end: u32) {
        // A number that does not fit was refused when the folder was added.
        let after = u32::try_from(self.folders.len()).unwrap_or(u32::MAX);
        if let Some((folder, _)) = self.open.pop() {
            let folder = &mut self.folders[folder as usize];
            folder.entries.end = end;
            folder.after = after;
        }
    }
}

/// What lies directly in the folder `at`.
pub(crate) fn children(folders: &[Folder], at: usize) -> impl Iterator<Item = Child> {
    let folder = &folders[at];
    let (end, after) = (folder.entries.end as usize, folder.after as usize);
    let mut entry = folder.entries.start as usize;
    let mut below = at + 1;
    std::iter::from_fn(move || {
        if entry >= end {
            return None;
        }
        if below < after && folders[below].entries.start as usize == entry {
            let child = Child::Folder(below);
            entry = folders[below].entries.end as usize;
            below = folders[below].after as usize;
            return Some(child);
        }
        entry += 1;
        Some(Child::Entry(entry - 1))
    })
}

/// The offset at which names in a folder begin.
pub(crate) fn base(folder: &[u8]) -> usize {
    folder.len() + usize::from(!folder.is_empty())
}

/// The path of a name in a folder.
pub(crate) fn join(folder: &[u8], name: &[u8]) -> Vec<u8> {
    let slash = if folder.is_empty() { &b""[..] } else { b"/" };
    [folder, slash, name].concat()
}

/// The folder that contains a path.
pub(crate) fn folder_of(path: &[u8]) -> &[u8] {
    let slash = path.iter().rposition(|byte| *byte == b'/');
    &path[..slash.unwrap_or(0)]
}

/// Whether the last part of a path is this name.
pub(super) fn is_named(path: &[u8], name: &[u8]) -> bool {
    &path[base(folder_of(path))..] == name
}
