//! The bytes of a whole file, and reading numbers and texts from them.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

use super::Refusal;

/// A file below this many bytes is read sooner than it is mapped.
const WORTH_A_MAP: u64 = 64 * 1024;

/// A file as it was when it was opened.
pub(crate) enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Bytes {
    /// Those of `file`, which is at `path` and `length` bytes long.
    pub(crate) fn of(mut file: File, length: u64, path: &Path) -> std::io::Result<Self> {
        // Elsewhere a server may take pages away that were there.
        if length >= WORTH_A_MAP && crate::touch::has_our_clock(path) {
            return map(&file).map(Self::Mapped);
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Self::Read(bytes))
    }
}

/// Maps a file that is only ever replaced, never written to.
#[expect(
    unsafe_code,
    reason = "the one place: reading instead takes several times as long"
)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: git writes an index under another name and renames it, so this file stays as it is
    // while it is mapped. If somebody writes into it all the same, every use checks its bounds
    // against a length that does not change, and no text of it is taken for UTF-8.
    unsafe { Mmap::map(file) }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

/// A place in an index file. Reading past its end is a doubt about the whole file.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes were taken.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// How many bytes are left.
    pub(super) fn rest(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        let Some(taken) = self.bytes[self.at..].get(..length) else {
            return Err(Refusal::Index("cut short"));
        };
        self.at += length;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<u32, Refusal> {
        let mut four = [0; 4];
        four.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(four))
    }

    /// The bytes up to the next NUL, which is taken as well.
    pub(super) fn text(&mut self) -> Result<&'a [u8], Refusal> {
        match memchr::memchr(0, &self.bytes[self.at..]) {
            Some(length) => self.text_of(length),
            None => Err(Refusal::Index("cut short")),
        }
    }

    /// A text of known length, and the NUL behind it, which is taken as well.
    pub(super) fn text_of(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        match self.take(length + 1)?.split_last() {
            Some((0, text)) => Ok(text),
            _ => Err(Refusal::Index("a path of another length")),
        }
    }

    /// The number format of pack offsets.
    pub(super) fn varint(&mut self) -> Result<usize, Refusal> {
        let mut value = 0_usize;
        loop {
            let byte = self.take(1)?[0];
            let grown = value.checked_mul(128);
            let grown = grown.and_then(|value| value.checked_add(usize::from(byte & 127)));
            let Some(grown) = grown else {
                return Err(Refusal::Index("impossible prefix"));
            };
            value = grown;
            if byte & 128 == 0 {
                return Ok(value);
            }
            value += 1;
        }
    }
}
