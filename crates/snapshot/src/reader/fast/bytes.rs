//! The bytes of a whole file.

use std::fs::File;
use std::io::Read;
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

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
