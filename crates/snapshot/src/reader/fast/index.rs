//! git's index file, versions 2 to 4, as index-format(5) describes it.
//!
//! Nothing is copied: an entry says where its stat data and its path lie. The checksum at the end
//! is not verified; git itself does not do so when it reads.

use super::Refusal;
use super::cache_tree::{self, CacheTree};
use super::folders::{Folder, FolderBuilder};

/// Bytes before the path of an entry: stat data, object id and flags.
const FIXED: usize = 62;
const OID: usize = 20;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const PATH_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// All that one index file says.
pub(super) struct Index {
    bytes: Vec<u8>,
    /// The paths of version 4, which stores only what differs from the path before.
    expanded: Option<Vec<u8>>,
    pub(super) entries: Vec<Entry>,
    /// Every folder that holds an entry, each before those below it.
    pub(super) folders: Vec<Folder>,
    pub(super) cache_tree: Option<CacheTree>,
}

/// Where one entry lies.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    start: u32,
    path: u32,
    path_length: u32,
    flags: u16,
    extended: u16,
}

/// The recorded stat data of an entry, each field as git cuts it to 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Recorded {
    pub(super) ctime: (u32, u32),
    pub(super) mtime: (u32, u32),
    pub(super) ino: u32,
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    pub(super) size: u32,
}

impl Entry {
    pub(super) fn is_conflict(self) -> bool {
        self.flags & STAGE != 0
    }

    pub(super) fn is_assumed_valid(self) -> bool {
        self.flags & ASSUME_VALID != 0
    }

    pub(super) fn is_left_out(self) -> bool {
        self.extended & SKIP_WORKTREE != 0
    }

    pub(super) fn is_intended(self) -> bool {
        self.extended & INTENT_TO_ADD != 0
    }
}

impl Default for Index {
    /// The index of a repository in which nothing was ever added.
    fn default() -> Self {
        Self {
            bytes: Vec::new(),
            expanded: None,
            entries: Vec::new(),
            folders: FolderBuilder::default().finish(0),
            cache_tree: None,
        }
    }
}

impl Index {
    pub(super) fn parse(bytes: Vec<u8>) -> Result<Self, Refusal> {
        let mut input = Input {
            bytes: &bytes,
            at: 0,
        };
        if input.take(4)? != b"DIRC" {
            return Err(Refusal::Index("no index"));
        }
        let version = input.number()?;
        if !(2..=4).contains(&version) {
            return Err(Refusal::Index("unknown version"));
        }
        let count = input.number()? as usize;
        if count > bytes.len() / FIXED {
            return Err(Refusal::Index("impossible count"));
        }
        let mut entries = Vec::with_capacity(count);
        let mut expanded = (version == 4).then(Vec::new);
        let mut folders = FolderBuilder::default();
        let mut previous = 0..0;
        for _ in 0..count {
            let entry = match &mut expanded {
                None => input.entry()?,
                Some(paths) => input.compressed_entry(paths, previous.clone())?,
            };
            let range = entry.path as usize..(entry.path + entry.path_length) as usize;
            let text = expanded.as_deref().unwrap_or(&bytes);
            let (before, path) = (&text[previous], &text[range.clone()]);
            let is_sound =
                is_in_order(before, path, entry) && folders.add(entries.len(), path, range.start);
            if !is_sound {
                return Err(Refusal::Index("paths out of order"));
            }
            entries.push(entry);
            previous = range;
        }
        let folders = folders.finish(entries.len());
        let cache_tree = input.extensions()?;
        Ok(Self {
            bytes,
            expanded,
            entries,
            folders,
            cache_tree,
        })
    }

    pub(super) fn path(&self, entry: Entry) -> &[u8] {
        let start = entry.path as usize;
        &self.text()[start..start + entry.path_length as usize]
    }

    /// The first entry of this path.
    pub(super) fn find(&self, path: &[u8]) -> Option<Entry> {
        let at = self
            .entries
            .partition_point(|entry| self.path(*entry) < path);
        let entry = self.entries.get(at)?;
        (self.path(*entry) == path).then_some(*entry)
    }

    pub(super) fn folder_path(&self, folder: &Folder) -> &[u8] {
        &self.text()[folder.path.clone()]
    }

    pub(super) fn oid(&self, entry: Entry) -> &[u8] {
        let start = entry.start as usize + 40;
        &self.bytes[start..start + OID]
    }

    pub(super) fn recorded(&self, entry: Entry) -> Recorded {
        let number = |field: usize| {
            let start = entry.start as usize + 4 * field;
            let mut four = [0; 4];
            four.copy_from_slice(&self.bytes[start..start + 4]);
            u32::from_be_bytes(four)
        };
        Recorded {
            ctime: (number(0), number(1)),
            mtime: (number(2), number(3)),
            ino: number(5),
            mode: number(6),
            uid: number(7),
            gid: number(8),
            size: number(9),
        }
    }

    fn text(&self) -> &[u8] {
        self.expanded.as_deref().unwrap_or(&self.bytes)
    }
}

/// The folders are found by the order of the paths, so it has to hold.
fn is_in_order(before: &[u8], path: &[u8], entry: Entry) -> bool {
    match before.cmp(path) {
        std::cmp::Ordering::Less => true,
        std::cmp::Ordering::Equal => entry.is_conflict(),
        std::cmp::Ordering::Greater => false,
    }
}

/// A place in the bytes. Reading past the end is a doubt about the whole file.
struct Input<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Input<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        let end = self.at.checked_add(length);
        let taken = end.and_then(|end| self.bytes.get(self.at..end));
        let taken = taken.ok_or(Refusal::Index("cut short"))?;
        self.at += length;
        Ok(taken)
    }

    fn number(&mut self) -> Result<u32, Refusal> {
        let mut four = [0; 4];
        four.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(four))
    }

    fn short(&mut self) -> Result<u16, Refusal> {
        let mut two = [0; 2];
        two.copy_from_slice(self.take(2)?);
        Ok(u16::from_be_bytes(two))
    }

    /// The fixed part of an entry; its path is still unknown.
    fn head(&mut self) -> Result<Entry, Refusal> {
        let start = position(self.at)?;
        self.take(FIXED - 2)?;
        let flags = self.short()?;
        let extended = if flags & EXTENDED == 0 {
            0
        } else {
            self.short()?
        };
        Ok(Entry {
            start,
            path: 0,
            path_length: 0,
            flags,
            extended,
        })
    }

    fn entry(&mut self) -> Result<Entry, Refusal> {
        let mut entry = self.head()?;
        entry.path = position(self.at)?;
        entry.path_length = position(self.path(entry.flags)?.len())?;
        // One to eight NULs fill the entry up to a multiple of eight; one was taken.
        let length = self.at - 1 - entry.start as usize;
        self.take(7 - length % 8)?;
        Ok(entry)
    }

    fn compressed_entry(
        &mut self,
        paths: &mut Vec<u8>,
        previous: std::ops::Range<usize>,
    ) -> Result<Entry, Refusal> {
        let mut entry = self.head()?;
        let dropped = self.varint()?;
        let kept = previous.len().checked_sub(dropped);
        let kept = kept.ok_or(Refusal::Index("impossible prefix"))?;
        entry.path = position(paths.len())?;
        paths.extend_from_within(previous.start..previous.start + kept);
        paths.extend_from_slice(self.text()?);
        entry.path_length = position(paths.len() - entry.path as usize)?;
        Ok(entry)
    }

    /// A path and the NUL behind it. The flags have the length of all but the longest.
    fn path(&mut self, flags: u16) -> Result<&'a [u8], Refusal> {
        let length = flags & PATH_LENGTH;
        if length == PATH_LENGTH {
            return self.text();
        }
        let path = self.take(length.into())?;
        match self.take(1)? {
            [0] => Ok(path),
            _ => Err(Refusal::Index("a path of another length")),
        }
    }

    /// The bytes up to the next NUL, which is taken as well.
    fn text(&mut self) -> Result<&'a [u8], Refusal> {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|byte| *byte == 0);
        let text = self.take(end.ok_or(Refusal::Index("cut short"))?)?;
        self.at += 1;
        Ok(text)
    }

    /// The number format of pack offsets.
    fn varint(&mut self) -> Result<usize, Refusal> {
        let mut value = 0_usize;
        loop {
            let byte = self.take(1)?[0];
            value = value
                .checked_mul(128)
                .and_then(|value| value.checked_add(usize::from(byte & 127)))
                .ok_or(Refusal::Index("impossible prefix"))?;
            if byte & 128 == 0 {
                return Ok(value);
            }
            value += 1;
        }
    }

    /// An extension with a lower-case name changes what the entries mean.
    fn extensions(&mut self) -> Result<Option<CacheTree>, Refusal> {
        let mut found = None;
        while self.at + OID < self.bytes.len() {
            let name = self.take(4)?;
            let length = self.number()? as usize;
            let content = self.take(length)?;
            match name {
                b"TREE" => found = cache_tree::parse(content),
                [first, ..] if first.is_ascii_uppercase() => {}
                _ => return Err(Refusal::Index("split, sparse or unknown extension")),
            }
        }
        Ok(found)
    }
}

fn position(at: usize) -> Result<u32, Refusal> {
    u32::try_from(at).map_err(|_| Refusal::Index("too large"))
}
