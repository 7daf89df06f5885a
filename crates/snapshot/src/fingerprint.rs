//! What one path of a work tree contains, in a form that can be stored and compared.

use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::RepoPath;
use crate::beneath::{EntryKind, Root};
use crate::identity::Identity;

mod text;

pub use text::UnknownFingerprint;

/// Bytes hashed at each end of a file that is too large to be hashed as a whole.
const SAMPLE: u64 = 64 * 1024;
/// Bytes read at once.
pub(crate) const BUFFER: usize = 32 * 1024;
/// How many times a file that changes while it is read is read again.
const ATTEMPTS: usize = 3;

/// The content of one path. Equal fingerprints mean that nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fingerprint {
    /// A regular file: its SHA-256, and whether its owner may run it.
    File {
        /// The SHA-256 of its content.
        #[serde(with = "serde_bytes")]
        sha256: [u8; 32],
        /// The owner's execute bit; always `false` if the system has none.
        executable: bool,
    },
    /// A regular file above the size limit.
    Large {
        /// Bytes.
        size: u64,
        /// Nanoseconds since the epoch.
        mtime_ns: i128,
        /// The first 16 hex digits of the SHA-256 of its head and tail.
        sample: String,
    },
    /// A symbolic link, by its target, never followed.
    Link {
        /// The target's bytes, in hex.
        target: String,
    },
    /// A folder that is a repository of its own; it is not entered.
    Repository,
    /// A FIFO, socket or device; it is never opened.
    Special,
    /// Nothing is there.
    Deleted,
    /// A regular file that may not be read: by its size and times. Any change of its content changes them.
    Locked {
        /// Bytes.
        size: u64,
        /// Nanoseconds since the epoch.
        mtime_ns: i128,
        /// Nanoseconds since the epoch.
        ctime_ns: i128,
    },
}

/// What one look at a path found.
pub(crate) struct Look {
    pub(crate) fingerprint: Fingerprint,
    /// Its identity when the content was read; absent if it kept changing.
    pub(crate) identity: Option<Identity>,
}

impl From<Fingerprint> for Look {
    fn from(fingerprint: Fingerprint) -> Self {
        Self {
            fingerprint,
            identity: None,
        }
    }
}

/// Looks at one path after another, and reuses its buffer.
#[derive(Default)]
pub(crate) struct Reader {
    buffer: Vec<u8>,
}

impl Reader {
    /// Looks at `path` below `root`. Never follows a link, never opens anything but a regular file,
    /// and never waits. `known` may save reading a file that is still the same.
    pub(crate) fn read(
        &mut self,
        root: &Root,
        path: &RepoPath,
        max_hash_bytes: u64,
        known: impl FnOnce(&Identity) -> Option<Fingerprint>,
    ) -> io::Result<Look> {
        let Some((kind, identity)) = root.look(path)? else {
            return Ok(Fingerprint::Deleted.into());
        };
        match kind {
            EntryKind::File => {}
            EntryKind::Folder => return Ok(Fingerprint::Repository.into()),
            EntryKind::Special => return Ok(Fingerprint::Special.into()),
            EntryKind::Link => {
                let target = root.target(path)?;
                let print = target.map_or(Fingerprint::Deleted, |it| Fingerprint::link(&it));
                return Ok(print.into());
            }
        }
        if let Some(identity) = identity
            && let Some(fingerprint) = known(&identity)
        {
            return Ok(Look {
                fingerprint,
                identity: Some(identity),
            });
        }
        match self.read_file(root, path, max_hash_bytes) {
            Ok(Some(look)) => Ok(look),
            // It was replaced between the two looks.
            Ok(None) => Ok(Fingerprint::Deleted.into()),
            Err(error) => Fingerprint::locked(identity, error).map(Look::from),
        }
    }

    /// Reads what was a regular file a moment ago. `None` if it no longer is one.
    pub(crate) fn read_file(
        &mut self,
        root: &Root,
        path: &RepoPath,
        max_hash_bytes: u64,
    ) -> io::Result<Option<Look>> {
        self.buffer.resize(BUFFER, 0);
        let Some(mut file) = root.file(path)? else {
            return Ok(None);
        };
        for attempt in 1.. {
            let before = file.metadata()?;
            if !before.is_file() {
                return Ok(None);
            }
            let fingerprint = if before.len() > max_hash_bytes {
                Fingerprint::Large {
                    size: before.len(),
                    mtime_ns: mtime_ns(&before),
                    sample: sample(&mut file, before.len(), &mut self.buffer)?,
                }
            } else {
                Fingerprint::File {
                    sha256: digest(&mut file, before.len(), &mut self.buffer)?,
                    executable: is_executable(&before),
                }
            };
            let after = file.metadata()?;
            if before.len() == after.len() && mtime_ns(&before) == mtime_ns(&after) {
                return Ok(Some(Look {
                    fingerprint,
                    identity: Identity::of(&after),
                }));
            }
            if attempt == ATTEMPTS {
                return Ok(Some(fingerprint.into()));
            }
            file.rewind()?;
        }
        Err(io::Error::other("file never came to rest"))
    }
}

impl Fingerprint {
    pub(crate) fn link(target: &[u8]) -> Self {
        Self::Link {
            target: hex(target),
        }
    }

    /// What is known of a file that could not be read, if that is only a matter of permission.
    fn locked(identity: Option<Identity>, error: io::Error) -> io::Result<Self> {
        match identity {
            Some(it) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Self::Locked {
                size: it.size,
                mtime_ns: it.mtime.ns(),
                ctime_ns: it.ctime.ns(),
            }),
            _ => Err(error),
        }
    }

    /// The fingerprint that a file with this content has.
    pub(crate) fn of_content(content: &[u8], executable: bool) -> Self {
        Self::File {
            sha256: Sha256::digest(content).into(),
            executable,
        }
    }
}

/// Hashes as many bytes as the file had: bytes added later show in its size afterwards.
fn digest(file: &mut File, size: u64, buffer: &mut [u8]) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    copy_into(&mut file.take(size), &mut hasher, buffer)?;
    Ok(hasher.finalize().into())
}

fn sample(file: &mut File, size: u64, buffer: &mut [u8]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    copy_into(&mut file.take(SAMPLE), &mut hasher, buffer)?;
    file.seek(SeekFrom::Start(size.saturating_sub(SAMPLE).max(SAMPLE)))?;
    copy_into(&mut file.take(SAMPLE), &mut hasher, buffer)?;
    let mut sample = hex(&hasher.finalize());
    sample.truncate(16);
    Ok(sample)
}

fn copy_into(source: &mut impl Read, hasher: &mut Sha256, buffer: &mut [u8]) -> io::Result<()> {
    each_piece(source, buffer, |piece| {
        hasher.update(piece);
        true
    })
}

/// Reads to the end and passes on each piece as it comes, until `take` wants no more.
pub(crate) fn each_piece(
    source: &mut impl Read,
    buffer: &mut [u8],
    mut take: impl FnMut(&[u8]) -> bool,
) -> io::Result<()> {
    loop {
        match source.read(buffer) {
            Ok(0) => return Ok(()),
            Ok(read) if !take(&buffer[..read]) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

fn mtime_ns(metadata: &Metadata) -> i128 {
    use std::time::UNIX_EPOCH;
    let Ok(modified) = metadata.modified() else {
        return 0;
    };
    match modified.duration_since(UNIX_EPOCH) {
        Ok(after) => i128::try_from(after.as_nanos()).unwrap_or(i128::MAX),
        Err(before) => -i128::try_from(before.duration().as_nanos()).unwrap_or(i128::MAX),
    }
}

#[cfg(unix)]
fn is_executable(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.mode() & 0o100 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &Metadata) -> bool {
    false
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes
        .iter()
        .flat_map(|byte| [byte >> 4, byte & 15])
        .map(|nibble| char::from(DIGITS[usize::from(nibble)]))
        .collect()
}

/// The bytes that hex digits stand for; `None` if the text is not hex, or has not as many bytes as
/// `T`.
pub(crate) fn unhex<T: TryFrom<Vec<u8>>>(text: &str) -> Option<T> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|digit| {
            digit
                .to_digit(16)
                .and_then(|value| u8::try_from(value).ok())
        })
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect();
    T::try_from(bytes).ok()
}

#[cfg(test)]
mod tests;
