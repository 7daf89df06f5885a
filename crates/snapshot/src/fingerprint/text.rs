//! The text form of a fingerprint.

use std::fmt;
use std::str::FromStr;

use super::{Fingerprint, hex, unhex};

impl fmt::Display for Fingerprint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { sha256, executable } => {
                let mark = if *executable { "+x" } else { "" };
                write!(out, "sha256:{}{mark}", hex(sha256))
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
            Self::Locked {
                size,
                mtime_ns,
                ctime_ns,
            } => write!(out, "locked:{size}:{mtime_ns}:{ctime_ns}"),
        }
    }
}

/// A stored fingerprint that no version of attest has written.
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
            Fingerprint::File {
                sha256: unhex(sha256)?,
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
        "locked" => {
            let mut parts = rest.split(':');
            let (size, mtime, ctime) = (parts.next()?, parts.next()?, parts.next()?);
            Fingerprint::Locked {
                size: size.parse().ok()?,
                mtime_ns: mtime.parse().ok()?,
                ctime_ns: ctime.parse().ok()?,
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
