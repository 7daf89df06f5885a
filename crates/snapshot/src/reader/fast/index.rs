//! git's index file, versions 2 to 4, as described by index-format(5).
//!
//! Only the position of each entry is kept, because on large trees the time goes into touching
//! memory. The checksum at the end is not verified; git does not do so either when it reads.

use std::cmp::Ordering;
use std::ops::Range;

use super::cache_tree::CacheTree;
use super::folders::{Collapsed, Folder, FolderBuilder, join};
use crate::bounds;
use crate::reader::cursor::Cursor;
use crate::reader::refusal::Refusal;

/// Bytes of the stat data of an entry. The object id and the flags follow it.
const STAT: usize = 40;
/// Bytes of a SHA-1 object id.
pub(crate) const OID: usize = 20;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const PATH_LENGTH: u16 = 0x0fff;
/// Stands for every length from this one on.
const LONG_PATH: usize = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// The contents of one index file.
pub(crate) struct Index {
    bytes: Vec<u8>,
    /// Bytes of an object id.
    oid: usize,
    /// The offset of each entry in the bytes.
    starts: Vec<u32>,
    /// The paths, if the file stores only how each differs from the one before.
    unfolded: Option<Unfolded>,
    /// Every folder that contains an entry, each before those below it.
    pub(crate) folders: Vec<Folder>,
    /// The position of the `TREE` extension.
    cache_tree: Range<usize>,
    /// Whether an entry may be left out of the checkout, or be marked with intent to add.
    pub(super) has_extended: bool,
    /// Folders of a sparse index that do not exist on disk, in order.
    pub(crate) collapsed: Vec<Collapsed>,
    /// Whether the file holds only a part of it: git must not read such an index.
    pub(super) is_made_whole: bool,
}

/// The paths of an index of version 4, one after another.
#[derive(Default)]
struct Unfolded {
    text: Vec<u8>,
    ends: Vec<u32>,
}

/// One entry.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a> {
    stat: &'a [u8],
    oid: &'a [u8],
    flags: u16,
    extended: u16,
    pub(crate) path: &'a [u8],
}

/// The recorded stat data of an entry, each field cut to 32 bits as git does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recorded {
    pub(crate) ctime: (u32, u32),
    pub(crate) mtime: (u32, u32),
    pub(super) ino: u32,
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(crate) size: u32,
}

impl<'a> Entry<'a> {
    pub(super) fn is_conflict(self) -> bool {
        self.flags & STAGE != 0
    }

    pub(super) fn is_assumed_valid(self) -> bool {
        self.flags & ASSUME_VALID != 0
    }

    pub(crate) fn is_left_out(self) -> bool {
        self.extended & SKIP_WORKTREE != 0
    }

    pub(super) fn is_intended(self) -> bool {
        self.extended & INTENT_TO_ADD != 0
    }

    pub(crate) fn mode(self) -> u32 {
        self.number(6)
    }

    pub(crate) fn recorded(self) -> Recorded {
        Recorded {
            ctime: (self.number(0), self.number(1)),
            mtime: (self.number(2), self.number(3)),
            ino: self.number(5),
            mode: self.mode(),
            uid: self.number(7),
            gid: self.number(8),
            size: self.number(9),
        }
    }

    /// The object that git has for the entry.
    pub(crate) fn oid(self) -> &'a [u8] {
        self.oid
    }

    fn number(self, field: usize) -> u32 {
        let mut four = [0; 4];
        four.copy_from_slice(&self.stat[4 * field..4 * field + 4]);
        u32::from_be_bytes(four)
    }
}

impl Default for Index {
    /// The index of a repository in which nothing was ever added.
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            oid: OID,
            starts: Vec::new(),
            unfolded: None,
            folders: FolderBuilder::default().finish(0),
            cache_tree: 0..0,
            has_extended: false,
            collapsed: Vec::new(),
            is_made_whole: false,
        }
    }
}

impl Index {
    /// Finds the entries of a whole file, in which the name of an object has `oid` bytes.
    pub(crate) fn read(bytes: Vec<u8>, oid: usize) -> Result<Self, Refusal> {
        let mut cursor = Cursor::new(&bytes);
        if cursor.take(4)? != b"DIRC" {
            return Err(Refusal::Index("no index"));
        }
        let version = cursor.number()?;
        if !(2..=4).contains(&version) {
            return Err(Refusal::Index("unknown version"));
        }
        let count = cursor.number()? as usize;
        if count > bytes.len() / (STAT + oid) {
            return Err(Refusal::Index("impossible count"));
        }
        let mut starts = Vec::new();
        let mut unfolded = (version == 4).then(Unfolded::default);
        let mut folders = FolderBuilder::default();
        let (mut path, mut previous) = (Vec::new(), Vec::new());
        let mut has_extended = false;
        for number in 0..count {
            starts.push(position(cursor.at())?);
            std::mem::swap(&mut path, &mut previous);
            let flags = read_path(&mut cursor, (version, oid), &previous, &mut path)?;
            has_extended |= flags & EXTENDED != 0;
            let is_sound =
                is_in_order(&previous, &path, flags) && folders.add(position(number)?, &path);
            if !is_sound {
                return Err(Refusal::Index("paths out of order, or too many folders"));
            }
            if let Some(unfolded) = &mut unfolded {
                unfolded.add(&path)?;
            }
        }
        Ok(Self {
            starts,
            unfolded,
            folders: folders.finish(position(count)?),
            cache_tree: cache_tree_in(&mut cursor, oid)?,
            has_extended,
            collapsed: Vec::new(),
            is_made_whole: false,
            bytes,
            oid,
        })
    }

    /// How many entries there are.
    pub(crate) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(crate) fn entry(&self, number: usize) -> Entry<'_> {
        let rest = &self.bytes[self.starts[number] as usize..];
        let fixed = STAT + self.oid + 2;
        let flags = short(rest, fixed - 2);
        let (extended, at) = match flags & EXTENDED {
            0 => (0, fixed),
            _ => (short(rest, fixed), fixed + 2),
        };
        let path = match (&self.unfolded, usize::from(flags & PATH_LENGTH)) {
            (Some(unfolded), _) => unfolded.path(number),
            (None, LONG_PATH) => {
                let text = &rest[at..];
                &text[..memchr::memchr(0, text).unwrap_or(0)]
            }
            (None, length) => &rest[at..at + length],
        };
        Entry {
            stat: &rest[..STAT],
            oid: &rest[STAT..STAT + self.oid],
            flags,
            extended,
            path,
        }
    }

    pub(crate) fn entries(&self) -> impl Iterator<Item = Entry<'_>> {
        (0..self.len()).map(|number| self.entry(number))
    }

    /// The first entry with this path.
    pub(crate) fn find(&self, path: &[u8]) -> Option<Entry<'_>> {
        let (mut from, mut to) = (0, self.len());
        while from < to {
            let middle = from.midpoint(to);
            if self.entry(middle).path < path {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        let entry = (from < self.len()).then(|| self.entry(from))?;
        (entry.path == path).then_some(entry)
    }

    /// The path of a folder, without a slash at the end.
    pub(crate) fn folder_path(&self, folder: &Folder) -> &[u8] {
        match folder.path_length {
            0 => &[],
            length => &self.entry(folder.entries.start as usize).path[..length as usize],
        }
    }

    /// The tree of a folder that is left out as a whole and does not exist on disk.
    pub(crate) fn collapsed_at(&self, path: &[u8]) -> Option<&Collapsed> {
        let found = self
            .collapsed
            .binary_search_by(|it| it.path.as_slice().cmp(path));
        found.ok().map(|at| &self.collapsed[at])
    }

    /// Whether such a folder lies below this one.
    pub(super) fn has_collapsed_below(&self, path: &[u8]) -> bool {
        let below = join(path, b"");
        let at = self
            .collapsed
            .partition_point(|it| it.path.as_slice() < below.as_slice());
        self.collapsed
            .get(at)
            .is_some_and(|it| it.path.starts_with(&below))
    }

    /// The tree that the whole index is known to equal.
    pub(super) fn tree(&self) -> Option<&[u8]> {
        CacheTree::root(&self.bytes[self.cache_tree.clone()], self.oid)
    }

    /// Which folders are known to equal a tree.
    pub(super) fn cache_tree(&self) -> CacheTree<'_> {
        CacheTree::parse(&self.bytes[self.cache_tree.clone()], self.oid)
    }
}

impl Unfolded {
    fn add(&mut self, path: &[u8]) -> Result<(), Refusal> {
        self.text.extend_from_slice(path);
        if self.text.len() > bounds::UNFOLDED {
            return Err(Refusal::Index("paths too long"));
        }
        self.ends.push(position(self.text.len())?);
        Ok(())
    }

    fn path(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[number] as usize]
    }
}

/// Consumes one entry and returns its flags. Its path goes into `path`.
fn read_path(
    cursor: &mut Cursor<'_>,
    (version, oid): (u32, usize),
    previous: &[u8],
    path: &mut Vec<u8>,
) -> Result<u16, Refusal> {
    path.clear();
    let start = cursor.at();
    let flags = short(cursor.take(STAT + oid + 2)?, STAT + oid);
    if flags & EXTENDED != 0 {
        cursor.take(2)?;
    }
    if version == 4 {
        // How it differs from the previous path.
        let Some(kept) = previous.len().checked_sub(cursor.varint()?) else {
            return Err(Refusal::Index("impossible prefix"));
        };
        path.extend_from_slice(&previous[..kept]);
        path.extend_from_slice(cursor.text()?);
    } else {
        path.extend_from_slice(match usize::from(flags & PATH_LENGTH) {
            LONG_PATH => cursor.text()?,
            length => cursor.text_of(length)?,
        });
        // One to eight NULs pad the entry to a multiple of eight; one was consumed.
        let taken = cursor.at() - 1 - start;
        cursor.take(7 - taken % 8)?;
    }
    Ok(flags)
}

/// Searches the extensions, which follow the entries, for `TREE`. An extension with a lower-case
/// name changes the meaning of the entries.
fn cache_tree_in(cursor: &mut Cursor<'_>, oid: usize) -> Result<Range<usize>, Refusal> {
    let mut found = 0..0;
    while cursor.rest() > oid {
        let name = cursor.take(4)?;
        let length = cursor.number()? as usize;
        let start = cursor.at();
        cursor.take(length)?;
        match name {
            b"TREE" => found = start..start + length,
            [first, ..] if first.is_ascii_uppercase() => {}
            _ => return Err(Refusal::Index("split, sparse or unknown extension")),
        }
    }
    Ok(found)
}

/// The folders are found by the order of the paths, so the order has to be right.
fn is_in_order(before: &[u8], path: &[u8], flags: u16) -> bool {
    match before.cmp(path) {
        Ordering::Less => true,
        Ordering::Equal => flags & STAGE != 0,
        Ordering::Greater => false,
    }
}

fn short(bytes: &[u8], at: usize) -> u16 {
    u16::from_be_bytes([bytes[at], bytes[at + 1]])
}

/// Files of 4 GB and more are left to git.
fn position(at: usize) -> Result<u32, Refusal> {
    u32::try_from(at).map_err(|_| Refusal::Index("too large"))
}

#[cfg(test)]
mod tests;
