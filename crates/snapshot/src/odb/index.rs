//! Where the objects of a pack are: its index, as described by gitformat-pack(5), of which only the part is read that is
//! asked for.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::inflate::read_at;
use super::oid::{Oid, SHA1};
use crate::regular::open_regular;

/// What the second version begins with.
const MAGIC: &[u8; 8] = b"\xfftOc\0\0\0\x02";
/// Numbers in the first table: how many names begin with this byte, or with one below.
const FIRST_BYTES: usize = 256;
/// Names that are read at once.
const AT_ONCE: u32 = 128;
/// The bit of an offset that says that it is the number of a longer one.
const IS_LONG: u32 = 1 << 31;

/// The index of one pack.
#[derive(Debug)]
pub(super) struct Index {
    path: PathBuf,
    file: Option<Rc<File>>,
    fanout: Vec<u32>,
    /// Whether it is of the first version, which has each name behind its offset.
    is_first: bool,
}

impl Index {
    /// Opens one. `None` if there is none, and an error if it is damaged. With `keeps`, its file stays open.
    pub(super) fn open(path: &Path, keeps: bool) -> io::Result<Option<Self>> {
        let Some((file, metadata)) = open_regular(path, u64::MAX)? else {
            return Ok(None);
        };
        let mut head = [0; MAGIC.len() + FIRST_BYTES * 4];
        let read = read_at(&file, &mut head, 0)?;
        let is_first = !head.starts_with(MAGIC);
        let table = if is_first {
            &head[..FIRST_BYTES * 4]
        } else {
            &head[MAGIC.len()..]
        };
        let (numbers, _) = table.as_chunks();
        let fanout: Vec<_> = numbers
            .iter()
            .map(|four| u32::from_be_bytes(*four))
            .collect();
        let index = Self {
            path: path.to_owned(),
            file: keeps.then(|| Rc::new(file)),
            fanout,
            is_first,
        };
        // Two sums are at the end.
        let least = index.at(index.count(), index.width()) + 2 * SHA1 as u64;
        let is_whole = read == head.len() && metadata.len() >= least;
        let is_sound = is_whole && index.fanout.is_sorted();
        is_sound.then_some(Some(index)).ok_or_else(damaged)
    }

    fn count(&self) -> u32 {
        self.fanout.last().copied().unwrap_or_default()
    }

    /// Bytes of all that is said of one object.
    fn width(&self) -> u64 {
        SHA1 as u64 + if self.is_first { 4 } else { 8 }
    }

    /// Where the part of the object of this number is in a table of so many bytes for each.
    fn at(&self, number: u32, width: u64) -> u64 {
        let magic = if self.is_first { 0 } else { MAGIC.len() };
        (magic + FIRST_BYTES * 4) as u64 + u64::from(number) * width
    }

    fn file(&self) -> io::Result<Rc<File>> {
        match &self.file {
            Some(file) => Ok(Rc::clone(file)),
            None => match open_regular(&self.path, u64::MAX)? {
                Some((file, _)) => Ok(Rc::new(file)),
                None => Err(io::ErrorKind::NotFound.into()),
            },
        }
    }

    /// The names from `name` on that begin with the same byte, in their order, each with its number: the first ones.
    pub(super) fn from(&self, name: &[u8]) -> io::Result<Vec<(Oid, u32)>> {
        let Some(first) = name.first().map(|byte| usize::from(*byte)) else {
            return Ok(Vec::new());
        };
        let (mut low, mut high) = (
            first.checked_sub(1).map_or(0, |before| self.fanout[before]),
            self.fanout[first],
        );
        if low == high {
            return Ok(Vec::new());
        }
        let (file, end) = (self.file()?, high);
        while high - low > AT_ONCE / 2 {
            let middle = low + (high - low) / 2;
            let found = self.names(&file, middle, middle + 1)?;
            if found
                .first()
                .is_some_and(|(found, _)| found.as_bytes() < name)
            {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let mut names = self.names(&file, low, end.min(low.saturating_add(AT_ONCE)))?;
        names.retain(|(found, _)| found.as_bytes() >= name);
        Ok(names)
    }

    fn names(&self, file: &File, from: u32, to: u32) -> io::Result<Vec<(Oid, u32)>> {
        let (width, before) = if self.is_first {
            (SHA1 + 4, 4)
        } else {
            (SHA1, 0)
        };
        let mut bytes = vec![0; (to - from) as usize * width];
        let read = read_at(file, &mut bytes, self.at(from, width as u64))?;
        if read < bytes.len() {
            return Err(damaged());
        }
        let names = bytes.chunks_exact(width).zip(from..);
        let names = names.map(|(bytes, number)| Some((Oid::from_bytes(&bytes[before..])?, number)));
        names.collect::<Option<_>>().ok_or_else(damaged)
    }

    /// Where the object of this name is in the pack.
    pub(super) fn offset(&self, oid: Oid) -> io::Result<Option<u64>> {
        let found = self.from(oid.as_bytes())?;
        let number = found.first().filter(|(found, _)| *found == oid);
        number
            .map(|(_, number)| self.offset_of(*number))
            .transpose()
    }

    fn offset_of(&self, number: u32) -> io::Result<u64> {
        let file = self.file()?;
        let count = self.count();
        let mut four = [0; 4];
        let at = if self.is_first {
            self.at(number, self.width())
        } else {
            self.at(count, SHA1 as u64 + 4) + u64::from(number) * 4
        };
        fill(&file, &mut four, at)?;
        let short = u32::from_be_bytes(four);
        if self.is_first || short & IS_LONG == 0 {
            return Ok(u64::from(short));
        }
        let mut eight = [0; 8];
        let at = self.at(count, self.width()) + u64::from(short & !IS_LONG) * 8;
        fill(&file, &mut eight, at)?;
        Ok(u64::from_be_bytes(eight))
    }
}

fn fill(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    let read = read_at(file, bytes, at)?;
    (read == bytes.len()).then_some(()).ok_or_else(damaged)
}

pub(super) fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "it is damaged")
}
