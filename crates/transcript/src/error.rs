//! Why a transcript could not be read.

use std::io;
use std::path::{Path, PathBuf};

/// Why a transcript could not be read.
///
/// A transcript without a final message is not an error.
#[derive(Debug, thiserror::Error)]
pub enum TranscriptError {
    /// Nothing is there, and nothing appeared within the given time.
    #[error("no transcript at {path:?}")]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A folder, a pipe, a socket or a device.
    #[error("transcript {path:?} is not a regular file")]
    NotAFile {
        /// The path that was named as the transcript.
        path: PathBuf,
    },
    /// The file system refused to open or to read it.
    #[error("cannot read transcript {path:?}")]
    Unreadable {
        /// The transcript.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
}

impl TranscriptError {
    /// The file system refused to open or to read this one.
    pub(crate) fn unreadable(path: &Path) -> impl Fn(io::Error) -> Self + Copy {
        move |source| Self::Unreadable {
            path: path.to_owned(),
            source,
        }
    }

    /// Whether the file may be complete a moment later: the host has yet to create it, or is about
    /// to replace what it truncated.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Self::Missing { .. } => true,
            Self::NotAFile { .. } => false,
            Self::Unreadable { source, .. } => source.kind() == io::ErrorKind::UnexpectedEof,
        }
    }
}
