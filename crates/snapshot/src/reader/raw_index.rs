//! An index file split into its parts: for the formats that store a part of themselves elsewhere.
//!
//! A split index has its other part in a shared file; a sparse one gives only the tree of a folder
//! that is left out (see index-format(5)). git writes when it reads either of them: it marks the
//! shared file as used, and stores the trees of a sparse index again when it needs to know what is
//! in them. So git is not asked about such an index at all.

use std::io;
use std::path::Path;

use super::cursor::Cursor;
use super::refusal::Refusal;
use crate::bounds::{self, Count};
#[cfg(not(unix))]
use crate::git::Git;
use crate::regular::read_regular;
#[cfg(not(unix))]
use crate::{Limits, Repository, Unreadable};

/// Stat data at the beginning of an entry.
pub(super) const STAT: usize = 40;
/// Bytes of an object id: SHA-1, SHA-256.
const OIDS: [usize; 2] = [20, 32];

pub(super) const EXTENDED: u16 = 0x4000;
pub(super) const PATH_LENGTH: u16 = 0x0fff;
#[cfg(unix)]
pub(super) const STAGE: u16 = 0x3000;

/// The git program with the index of this work tree, if git can read it without writing.
#[cfg(not(unix))]
pub(crate) fn git_with_index<'r>(
    repository: &'r Repository,
    limits: &Limits,
) -> Result<Git<'r>, Unreadable> {
    let path = repository.git_dir.join("index");
    let index = RawIndex::open(&path).map_err(|error| Unreadable::io(&path, error))?;
    match index {
        None => {}
        Some(Ok(index)) if !index.makes_git_write() => {}
        Some(_) => return Err(Unreadable::WouldWrite(path)),
    }
    Ok(Git::new(&repository.root, &repository.git_dir, limits))
}

/// The contents of one index file.
#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "only the fast reader goes on with it")
)]
pub(super) struct RawIndex {
    pub(super) entries: Vec<RawEntry>,
    /// The content of the `TREE` extension.
    pub(super) cache_tree: Vec<u8>,
    /// The content of the `link` extension: the rest is in a shared file.
    pub(super) link: Option<Vec<u8>>,
    /// Whether there may be entries that stand for a whole folder.
    pub(super) is_sparse: bool,
}

#[cfg_attr(
    not(unix),
    allow(dead_code, reason = "only the fast reader goes on with it")
)]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawEntry {
    /// The mode is in the last four bytes before three other numbers.
    pub(super) stat: [u8; STAT],
    pub(super) oid: Vec<u8>,
    pub(super) flags: u16,
    pub(super) extended: u16,
    /// Empty if the entry replaces one of the shared file.
    pub(super) path: Vec<u8>,
}

impl RawIndex {
    /// Splits a whole file into its parts.
    fn parse(bytes: &[u8]) -> Result<Self, Refusal> {
        // Nothing in the file gives the length of its object ids, and no file makes sense if read
        // with the wrong length.
        Self::parse_with(bytes, OIDS[0]).or_else(|_| Self::parse_with(bytes, OIDS[1]))
    }

    /// Splits the file at `path` into its parts, if it exists.
    pub(super) fn open(path: &Path) -> io::Result<Option<Result<Self, Refusal>>> {
        let bytes = read_regular(path, bounds::PART)?;
        Ok(bytes.map(|bytes| Self::parse(&bytes)))
    }

    /// Whether a git that reads the index writes while it does.
    pub(super) fn makes_git_write(&self) -> bool {
        self.is_sparse || self.link.is_some()
    }

    fn parse_with(bytes: &[u8], oid: usize) -> Result<Self, Refusal> {
        let mut cursor = Cursor::new(bytes);
        if cursor.take(4)? != b"DIRC" {
            return Err(Refusal::Index("no index"));
        }
        let version = cursor.number()?;
        let count = cursor.number()? as usize;
        if !(2..=4).contains(&version) || count > bounds::ENTRIES.min(bytes.len() / (STAT + oid)) {
            return Err(Refusal::Index("unknown version or too many entries"));
        }
        let mut index = Self {
            entries: Vec::new(),
            cache_tree: Vec::new(),
            link: None,
            is_sparse: false,
        };
        let mut paths = Count::of(bounds::ENTRY_PATHS);
        for _ in 0..count {
            let previous = index.entries.last().map(|entry| entry.path.as_slice());
            let entry = entry(&mut cursor, version, oid, previous.unwrap_or_default())?;
            paths.add(entry.path.len() as u64)?;
            index.entries.push(entry);
        }
        index.read_extensions(&mut cursor, oid)?;
        Ok(index)
    }

    fn read_extensions(&mut self, cursor: &mut Cursor<'_>, oid: usize) -> Result<(), Refusal> {
        while cursor.rest() > oid {
            let name = cursor.take(4)?;
            let length = cursor.number()? as usize;
            let content = cursor.take(length)?;
            match name {
                b"TREE" => self.cache_tree = content.to_vec(),
                b"link" => self.link = Some(content.to_vec()),
                b"sdir" => self.is_sparse = true,
                [first, ..] if first.is_ascii_uppercase() => {}
                _ => return Err(Refusal::Index("unknown extension")),
            }
        }
        // The checksum, and nothing else.
        if cursor.rest() == oid {
            Ok(())
        } else {
            Err(Refusal::Index("cut short"))
        }
    }
}

fn entry(
    cursor: &mut Cursor<'_>,
    version: u32,
    oid: usize,
    previous: &[u8],
) -> Result<RawEntry, Refusal> {
    let begin = cursor.at();
    let mut stat = [0; STAT];
    stat.copy_from_slice(cursor.take(STAT)?);
    let oid = cursor.take(oid)?.to_vec();
    let flags = short(cursor.take(2)?);
    let extended = match flags & EXTENDED {
        0 => 0,
        _ => short(cursor.take(2)?),
    };
    let path = if version == 4 {
        let Some(kept) = previous.len().checked_sub(cursor.varint()?) else {
            return Err(Refusal::Index("impossible prefix"));
        };
        [&previous[..kept], cursor.text()?].concat()
    } else {
        let path = cursor.text()?.to_vec();
        // Up to eight NULs pad the entry to a multiple of eight bytes; one has been consumed.
        let padding = (8 - (cursor.at() - begin) % 8) % 8;
        if cursor.take(padding)?.iter().any(|byte| *byte != 0) {
            return Err(Refusal::Index("a path of another length"));
        }
        path
    };
    let length = usize::from(flags & PATH_LENGTH);
    if length != path.len().min(usize::from(PATH_LENGTH)) {
        return Err(Refusal::Index("a path of another length"));
    }
    Ok(RawEntry {
        stat,
        oid,
        flags,
        extended,
        path,
    })
}

fn short(bytes: &[u8]) -> u16 {
    u16::from_be_bytes([bytes[0], bytes[1]])
}

#[cfg(unix)]
impl RawEntry {
    /// An entry that is left out of the checkout: git has not looked at a file for it.
    pub(super) fn left_out(path: Vec<u8>, mode: u32, oid: Vec<u8>) -> Self {
        const SKIP_WORKTREE: u16 = 0x4000;
        let mut stat = [0; STAT];
        stat[MODE..MODE + 4].copy_from_slice(&mode.to_be_bytes());
        let length = u16::try_from(path.len()).unwrap_or(PATH_LENGTH);
        Self {
            stat,
            oid,
            flags: EXTENDED | length.min(PATH_LENGTH),
            extended: SKIP_WORKTREE,
            path,
        }
    }

    pub(super) fn mode(&self) -> u32 {
        let mut four = [0; 4];
        four.copy_from_slice(&self.stat[MODE..MODE + 4]);
        u32::from_be_bytes(four)
    }

    /// Takes the path of the entry that this one replaces.
    pub(super) fn rename(&mut self, path: &[u8]) {
        let length = u16::try_from(path.len()).unwrap_or(PATH_LENGTH);
        self.flags = self.flags & !PATH_LENGTH | length.min(PATH_LENGTH);
        self.path = path.to_vec();
    }
}

/// The offset of the mode in the stat data.
#[cfg(unix)]
const MODE: usize = 24;

/// An index file of version 3 with these entries, which have to be in order, and this `TREE`
/// extension. Its checksum is left empty, because no reader here checks it.
#[cfg(unix)]
pub(super) fn write(entries: &[RawEntry], cache_tree: &[u8]) -> Result<Vec<u8>, Refusal> {
    let number = |length: usize| {
        u32::try_from(length)
            .map(u32::to_be_bytes)
            .map_err(|_| Refusal::Index("too large"))
    };
    let mut bytes = b"DIRC\0\0\0\x03".to_vec();
    bytes.extend(number(entries.len())?);
    for entry in entries {
        let start = bytes.len();
        bytes.extend_from_slice(&entry.stat);
        bytes.extend_from_slice(&entry.oid);
        bytes.extend(entry.flags.to_be_bytes());
        if entry.flags & EXTENDED != 0 {
            bytes.extend(entry.extended.to_be_bytes());
        }
        bytes.extend_from_slice(&entry.path);
        let length = bytes.len() - start;
        bytes.resize(start + (length + 8) / 8 * 8, 0);
    }
    bytes.extend_from_slice(b"TREE");
    bytes.extend(number(cache_tree.len())?);
    bytes.extend_from_slice(cache_tree);
    bytes.extend([0; OIDS[0]]);
    Ok(bytes)
}
