//! git's index file, versions 2 to 4, as index-format(5) describes it.
//!
//! It is read in pieces, and only what every reading needs is kept: on large trees the time goes
//! into touching memory. The checksum at the end is not verified; git itself does not do so when
//! it reads.

use std::fs::File;

use super::Refusal;
use super::cache_tree::CacheTree;
use super::folders::{Folder, FolderBuilder};
use super::index_file::Input;

/// Bytes before the path of an entry: stat data, object id and flags.
const FIXED: usize = 62;
/// Where the object id lies in them.
const OID_AT: u64 = 40;
pub(super) const OID: usize = 20;

const ASSUME_VALID: u16 = 0x8000;
const EXTENDED: u16 = 0x4000;
const STAGE: u16 = 0x3000;
const PATH_LENGTH: u16 = 0x0fff;
const SKIP_WORKTREE: u16 = 0x4000;
const INTENT_TO_ADD: u16 = 0x2000;

/// All that one index file says.
pub(crate) struct Index {
    /// The file itself, for object ids. It never changes: git puts another one in its place.
    file: Option<File>,
    /// The paths, one behind the other.
    paths: Vec<u8>,
    pub(crate) entries: Vec<Entry>,
    /// Every folder that holds an entry, each before those below it.
    pub(super) folders: Vec<Folder>,
    pub(super) cache_tree: Option<CacheTree>,
}

/// One entry.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub(super) recorded: Recorded,
    /// Where it begins in the file.
    start: u32,
    path: u32,
    path_length: u32,
    flags: u16,
    extended: u16,
}

/// The recorded stat data of an entry, each field as git cuts it to 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Recorded {
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

    fn path_range(self) -> std::ops::Range<usize> {
        let start = self.path as usize;
        start..start + self.path_length as usize
    }
}

impl Default for Index {
    /// The index of a repository in which nothing was ever added.
    fn default() -> Self {
        Self {
            file: None,
            paths: Vec::new(),
            entries: Vec::new(),
            folders: FolderBuilder::default().finish(0),
            cache_tree: None,
        }
    }
}

impl Index {
    /// Reads the whole file.
    pub(crate) fn read(file: File) -> Result<Self, Refusal> {
        let mut input = Input::new(&file)?;
        if input.take(4)? != b"DIRC" {
            return Err(Refusal::Index("no index"));
        }
        let version = input.number()?;
        if !(2..=4).contains(&version) {
            return Err(Refusal::Index("unknown version"));
        }
        let count = input.number()? as usize;
        if count as u64 > input.length() / FIXED as u64 {
            return Err(Refusal::Index("impossible count"));
        }
        let mut index = Self {
            entries: Vec::with_capacity(count),
            // More than enough, of which only what is used costs memory.
            paths: Vec::with_capacity(usize::try_from(input.length()).unwrap_or(0) - count * FIXED),
            ..Self::default()
        };
        let mut folders = FolderBuilder::default();
        let mut previous = 0..0;
        for number in 0..count {
            let entry = index.read_entry(&mut input, version, previous.clone())?;
            let range = entry.path_range();
            let (before, path) = (&index.paths[previous], &index.paths[range.clone()]);
            let is_sound =
                is_in_order(before, path, entry) && folders.add(number, path, range.start);
            if !is_sound {
                return Err(Refusal::Index("paths out of order"));
            }
            index.entries.push(entry);
            previous = range;
        }
        index.folders = folders.finish(count);
        index.cache_tree = input.cache_tree()?;
        index.file = Some(file);
        Ok(index)
    }

    fn read_entry(
        &mut self,
        input: &mut Input<'_>,
        version: u32,
        previous: std::ops::Range<usize>,
    ) -> Result<Entry, Refusal> {
        let start = input.offset();
        let fixed = input.take(FIXED)?;
        let recorded = Recorded::of(fixed);
        let flags = u16::from_be_bytes([fixed[FIXED - 2], fixed[FIXED - 1]]);
        let extended = match flags & EXTENDED {
            0 => 0,
            _ => input.short()?,
        };
        let path = self.paths.len();
        if version == 4 {
            // What differs from the path before.
            let kept = previous.len().checked_sub(input.varint()?);
            let kept = kept.ok_or(Refusal::Index("impossible prefix"))?;
            self.paths
                .extend_from_within(previous.start..previous.start + kept);
            self.paths.extend_from_slice(input.text()?);
        } else {
            let length = flags & PATH_LENGTH;
            let text = if length == PATH_LENGTH {
                input.text()?
            } else {
                input.text_of(length.into())?
            };
            self.paths.extend_from_slice(text);
            // One to eight NULs fill the entry up to a multiple of eight; one was taken.
            let taken = input.offset() - 1 - start;
            input.take(7 - (taken % 8) as usize)?;
        }
        Ok(Entry {
            recorded,
            start: position(start)?,
            path: position(path as u64)?,
            path_length: position((self.paths.len() - path) as u64)?,
            flags,
            extended,
        })
    }

    pub(super) fn path(&self, entry: Entry) -> &[u8] {
        &self.paths[entry.path_range()]
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
        &self.paths[folder.path.clone()]
    }

    /// The object that git has of the entry.
    pub(super) fn oid(&self, entry: Entry) -> Result<[u8; OID], Refusal> {
        use std::os::unix::fs::FileExt;
        let mut oid = [0; OID];
        let file = self.file.as_ref().ok_or(Refusal::Index("no file"))?;
        file.read_exact_at(&mut oid, u64::from(entry.start) + OID_AT)
            .map_err(Refusal::IndexFile)?;
        Ok(oid)
    }
}

impl Recorded {
    fn of(fixed: &[u8]) -> Self {
        let number = |field: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&fixed[4 * field..4 * field + 4]);
            u32::from_be_bytes(four)
        };
        Self {
            ctime: (number(0), number(1)),
            mtime: (number(2), number(3)),
            ino: number(5),
            mode: number(6),
            uid: number(7),
            gid: number(8),
            size: number(9),
        }
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

/// Files of 4 GB and more are left to git.
fn position(at: u64) -> Result<u32, Refusal> {
    u32::try_from(at).map_err(|_| Refusal::Index("too large"))
}
