//! Reading numbers and texts from the bytes of an index file.

use super::refusal::Refusal;

/// A position in an index file. Reading past the end makes the whole file doubtful.
pub(super) struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// How many bytes have been consumed.
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

    /// The bytes up to the next NUL, which is consumed too.
    pub(super) fn text(&mut self) -> Result<&'a [u8], Refusal> {
        match memchr::memchr(0, &self.bytes[self.at..]) {
            Some(length) => self.text_of(length),
            None => Err(Refusal::Index("cut short")),
        }
    }

    /// A text of known length and the NUL after it, which is consumed too.
    pub(super) fn text_of(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        match self.take(length + 1)?.split_last() {
            Some((0, text)) => Ok(text),
            _ => Err(Refusal::Index("a path of another length")),
        }
    }

    /// A number in the format of pack offsets.
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
