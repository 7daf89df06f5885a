//! Compressed data in a file, read as far as it is wanted: what it says of its own size is believed by nobody.

use std::fs::File;
use std::io;

use miniz_oxide::inflate::TINFLStatus;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress, inflate_flags as flags};

/// Bytes that are read at once.
const WINDOW: usize = 8 * 1024;
/// Bytes for which there is room before any of them is there.
const FIRST: usize = 16 * 1024;

/// What was inflated.
#[derive(Debug)]
pub(super) struct Inflated {
    pub(super) bytes: Vec<u8>,
    /// Whether that is all of it.
    pub(super) is_whole: bool,
}

/// Inflates what begins at `at`, up to `most` bytes. `None` if it is damaged.
pub(super) fn inflate(file: &File, mut at: u64, most: usize) -> io::Result<Option<Inflated>> {
    const ALWAYS: u32 = flags::TINFL_FLAG_PARSE_ZLIB_HEADER
        | flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF
        // Its name tells what an object is.
        | flags::TINFL_FLAG_IGNORE_ADLER32;
    let mut state = Box::<DecompressorOxide>::default();
    let mut bytes = vec![0; most.min(FIRST)];
    let (mut window, mut begin, mut end) = ([0; WINDOW], 0, 0);
    let (mut filled, mut is_at_end) = (0, false);
    let is_whole = loop {
        if begin == end && !is_at_end {
            (begin, end) = (0, read_at(file, &mut window, at)?);
            at = at.saturating_add(end as u64);
            is_at_end = end == 0;
        }
        let more = if is_at_end {
            0
        } else {
            flags::TINFL_FLAG_HAS_MORE_INPUT
        };
        let input = &window[begin..end];
        let (status, used, made) = decompress(&mut state, input, &mut bytes, filled, ALWAYS | more);
        begin += used;
        filled += made;
        match status {
            TINFLStatus::Done => break true,
            TINFLStatus::HasMoreOutput if bytes.len() < most => {
                bytes.resize(bytes.len().saturating_mul(2).min(most), 0);
            }
            TINFLStatus::HasMoreOutput => break false,
            TINFLStatus::NeedsMoreInput if !is_at_end => {}
            _ => return Ok(None),
        }
    };
    bytes.truncate(filled);
    Ok(Some(Inflated { bytes, is_whole }))
}

/// Reads what begins at `at`: fewer bytes only at the end of the file.
pub(super) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    let mut filled = 0;
    while filled < bytes.len() {
        match read_once(file, &mut bytes[filled..], at.saturating_add(filled as u64)) {
            Ok(0) => break,
            Ok(read) => filled += read,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

#[cfg(unix)]
fn read_once(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, at)
}

#[cfg(windows)]
fn read_once(file: &File, bytes: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, at)
}
