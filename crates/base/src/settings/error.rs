//! Why a settings file was left as it is.

use std::io;
use std::path::PathBuf;

use attest_host::settings::ContentError;
use thiserror::Error;

/// Why a settings file could not be read or written.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum SettingsError {
    #[error("cannot edit {}", path.display())]
    Content { path: PathBuf, source: ContentError },
    #[error("cannot {doing} {}", path.display())]
    Io {
        doing: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{} leads through too many symbolic links", path.display())]
    LinkLoop { path: PathBuf },
    #[error("{} is {found}, not a regular file", path.display())]
    NotAFile { path: PathBuf, found: &'static str },
    #[error("{} is empty, as it is while its owner writes it", path.display())]
    Empty { path: PathBuf },
    #[error("{} is read-only", path.display())]
    ReadOnly { path: PathBuf },
    #[cfg(unix)]
    #[error("{} belongs to another user and would change hands", path.display())]
    ForeignOwner { path: PathBuf },
    #[error("{} was changed by another program in the meantime", path.display())]
    Changed { path: PathBuf },
    #[error("another program holds the lock on {}", path.display())]
    Locked { path: PathBuf },
}

impl SettingsError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Content { source, .. } => source.hint(),
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                    "free some space on the disk, then run this again"
                }
                _ => "check the permissions of the file and its folder",
            },
            Self::LinkLoop { .. } => "remove the symbolic link that points back to itself",
            Self::NotAFile { .. } => "name another file with --settings",
            Self::Empty { .. } => {
                "run this again; if the file is meant to be empty, remove it or write {} into it"
            }
            Self::ReadOnly { .. } => {
                "make it writable (chmod u+w), or name another file with --settings"
            }
            #[cfg(unix)]
            Self::ForeignOwner { .. } => "run this as the owner of the file",
            Self::Changed { .. } => "run this again",
            Self::Locked { .. } => "wait for the other attest to finish, then run this again",
        }
    }
}
