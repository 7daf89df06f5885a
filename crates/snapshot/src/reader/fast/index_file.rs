//! The bytes of an index file, in pieces.

use std::fs::File;
use std::io::{ErrorKind, Read};

use super::Refusal;
use super::cache_tree::{self, CacheTree};
use super::index::OID;

/// Bytes read at once: they stay in the cache of a core while they are looked at.
const BLOCK: usize = 256 * 1024;

/// A place in the file. Reading past the end is a doubt about the whole file.
pub(super) struct Input<'a> {
    file: &'a File,
    length: u64,
    block: Vec<u8>,
    /// What of the block was not taken yet.
    at: usize,
    end: usize,
    /// Where the block ends in the file.
    read: u64,
}

impl<'a> Input<'a> {
    pub(super) fn new(file: &'a File) -> Result<Self, Refusal> {
        let length = file.metadata().map_err(Refusal::IndexFile)?.len();
        Ok(Self {
            file,
            length,
            block: vec![0; BLOCK],
            at: 0,
            end: 0,
            read: 0,
        })
    }

    /// Bytes in the whole file.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// Where the next byte lies in the file.
    pub(super) fn offset(&self) -> u64 {
        self.read - (self.end - self.at) as u64
    }

    pub(super) fn take(&mut self, length: usize) -> Result<&[u8], Refusal> {
        if self.end - self.at < length {
            self.fill(length)?;
        }
        let taken = &self.block[self.at..self.at + length];
        self.at += length;
        Ok(taken)
    }

    pub(super) fn number(&mut self) -> Result<u32, Refusal> {
        let mut four = [0; 4];
        four.copy_from_slice(self.take(4)?);
        Ok(u32::from_be_bytes(four))
    }

    pub(super) fn short(&mut self) -> Result<u16, Refusal> {
        let mut two = [0; 2];
        two.copy_from_slice(self.take(2)?);
        Ok(u16::from_be_bytes(two))
    }

    /// A text of known length, and the NUL behind it, which is taken as well.
    pub(super) fn text_of(&mut self, length: usize) -> Result<&[u8], Refusal> {
        match self.take(length + 1)?.split_last() {
            Some((0, text)) => Ok(text),
            _ => Err(Refusal::Index("a path of another length")),
        }
    }

    /// The bytes up to the next NUL, which is taken as well.
    pub(super) fn text(&mut self) -> Result<&[u8], Refusal> {
        let mut looked = 0;
        loop {
            let rest = &self.block[self.at + looked..self.end];
            if let Some(length) = rest.iter().position(|byte| *byte == 0) {
                return self.text_of(looked + length);
            }
            looked = self.end - self.at;
            self.fill(looked + 1)?;
        }
    }

    /// The number format of pack offsets.
    pub(super) fn varint(&mut self) -> Result<usize, Refusal> {
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

    /// Reads the extensions, which follow the entries. One with a lower-case name changes what the
    /// entries mean.
    pub(super) fn cache_tree(&mut self) -> Result<Option<CacheTree>, Refusal> {
        let mut found = None;
        while self.offset() + (OID as u64) < self.length {
            let mut name = [0; 4];
            name.copy_from_slice(self.take(4)?);
            let length = self.number()? as usize;
            let content = self.take(length)?;
            match &name {
                b"TREE" => found = cache_tree::parse(content),
                [first, ..] if first.is_ascii_uppercase() => {}
                _ => return Err(Refusal::Index("split, sparse or unknown extension")),
            }
        }
        Ok(found)
    }

    /// Makes `wanted` bytes available.
    fn fill(&mut self, wanted: usize) -> Result<(), Refusal> {
        let cut = Refusal::Index("cut short");
        if self.length - self.offset() < wanted as u64 {
            return Err(cut);
        }
        self.block.copy_within(self.at..self.end, 0);
        self.end -= self.at;
        self.at = 0;
        if self.block.len() < wanted {
            self.block.resize(wanted, 0);
        }
        while self.end < wanted {
            match self.file.read(&mut self.block[self.end..]) {
                Ok(0) => return Err(cut),
                Ok(read) => {
                    self.end += read;
                    self.read += read as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(Refusal::IndexFile(error)),
            }
        }
        Ok(())
    }
}
