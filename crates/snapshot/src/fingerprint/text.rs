//! The text of a fingerprint, and the bytes of its hash.

use std::fmt;
use std::str::FromStr;

use super::{Fingerprint, is_hex};

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { sha256, executable } => {
                let mark = if *executable { "+x" } else { "" };
                write!(out, "sha256:{sha256}{mark}")
            }
            Self::Large {
                size,
                mtime_ns,
                sample,
            } => write!(out, "meta:{size}:{mtime_ns}:{sample}"),
            Self::Link { target } => write!(out, "link:{target}"),
            Self::Repository => out.write_str("repository"),
            Self::Special => out.write_str("special"),
            Self::Deleted => out.write_str("deleted"),
        }
    }
}

/// A stored fingerprint that no version wrote.
#[derive(Debug, thiserror::Error)]
#[error("unknown fingerprint {0:?}")]
pub struct UnknownFingerprint(String);

impl FromStr for Fingerprint {
    type Err = UnknownFingerprint;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).ok_or_else(|| UnknownFingerprint(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Fingerprint> {
    let (kind, rest) = text.split_once(':').unwrap_or((text, ""));
    Some(match kind {
        "sha256" => {
            let (sha256, executable) = match rest.strip_suffix("+x") {
                Some(sha256) => (sha256, true),
                None => (rest, false),
            };
            if !is_hex(sha256, 64) {
                return None;
            }
            Fingerprint::File {
                sha256: sha256.to_owned(),
                executable,
            }
        }
        "meta" => {
            let mut parts = rest.split(':');
            let (size, mtime, sample) = (parts.next()?, parts.next()?, parts.next()?);
            Fingerprint::Large {
                size: size.parse().ok()?,
                mtime_ns: mtime.parse().ok()?,
                sample: sample.to_owned(),
            }
        }
        "link" => Fingerprint::Link {
            target: rest.to_owned(),
        },
        "repository" => Fingerprint::Repository,
        "special" => Fingerprint::Special,
        "deleted" => Fingerprint::Deleted,
        _ => return None,
    })
}

/// A hash as the bytes that its digits stand for.
pub(super) mod bytes {
    use serde::de::{Deserialize, Deserializer};
    use serde::ser::{Error, Serialize, Serializer};

    pub(in crate::fingerprint) fn serialize<S: Serializer>(
        hex: &str,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let mut bytes = [0_u8; 32];
        for (at, byte) in bytes.iter_mut().enumerate() {
            let digits = hex.get(2 * at..2 * at + 2);
            *byte = digits
                .and_then(|digits| u8::from_str_radix(digits, 16).ok())
                .ok_or_else(|| S::Error::custom("no hash"))?;
        }
        bytes.serialize(to)
    }

    pub(in crate::fingerprint) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<String, D::Error> {
        let bytes = <[u8; 32]>::deserialize(from)?;
        Ok(crate::fingerprint::hex(&bytes))
    }
}
