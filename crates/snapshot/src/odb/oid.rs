//! Names of objects.

use std::fmt;

use sha1::{Digest, Sha1};
use sha2::Sha256;

use super::kind::ObjectKind;
use crate::Unreadable;
use crate::fingerprint::hex;

/// The hash by which git knows an object: SHA-1 or SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Oid {
    bytes: [u8; SHA256],
    length: u8,
}

pub(super) const SHA1: usize = 20;
const SHA256: usize = 32;

impl Oid {
    /// `None` unless the number of bytes is that of one of the two hashes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut all = [0; SHA256];
        if ![SHA1, SHA256].contains(&bytes.len()) {
            return None;
        }
        all[..bytes.len()].copy_from_slice(bytes);
        Some(Self {
            bytes: all,
            length: u8::try_from(bytes.len()).ok()?,
        })
    }

    /// Reads exactly as many hex digits.
    pub(crate) fn from_hex(text: &[u8]) -> Option<Self> {
        let mut all = [0; SHA256];
        if ![2 * SHA1, 2 * SHA256].contains(&text.len()) {
            return None;
        }
        let (pairs, _) = text.as_chunks();
        for (byte, &[high, low]) in all.iter_mut().zip(pairs) {
            let digit = |of: u8| char::from(of).to_digit(16);
            *byte = u8::try_from(digit(high)? << 4 | digit(low)?).ok()?;
        }
        Self::from_bytes(&all[..text.len() / 2])
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..self.len()]
    }

    /// The number of bytes of the hash.
    pub(crate) fn len(&self) -> usize {
        usize::from(self.length)
    }

    /// Whether this is the name of an object with this kind and content.
    pub(super) fn is_of(&self, kind: ObjectKind, content: &[u8]) -> bool {
        let kind = match kind {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "blob",
            ObjectKind::Tag => "tag",
        };
        let head = format!("{kind} {}\0", content.len());
        if self.len() == SHA1 {
            let hash = Sha1::new().chain_update(head).chain_update(content);
            hash.finalize()[..] == *self.as_bytes()
        } else {
            let hash = Sha256::new().chain_update(head).chain_update(content);
            hash.finalize()[..] == *self.as_bytes()
        }
    }
}

impl fmt::Display for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&hex(self.as_bytes()))
    }
}

impl fmt::Debug for Oid {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

/// The error for an object that is not what something else says it is.
pub(super) fn bad(oid: Oid, why: &'static str) -> Unreadable {
    Unreadable::Object {
        oid: oid.to_string(),
        why,
    }
}
