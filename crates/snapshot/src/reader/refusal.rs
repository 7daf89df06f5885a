//! Why a reader gives no listing.

use crate::Unreadable;
use crate::libgit2::in_words;

/// Either nothing can be read, or another reader has to do it. There is no third case.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    /// No reader would do better.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// libgit2 does not support this.
    // No `source`: its text is for whoever calls it.
    #[error("{}", in_words(.0))]
    LibGit2(git2::Error),
    /// The format of the index is not supported here.
    #[error("index: {0}")]
    Index(&'static str),
}

impl From<git2::Error> for Refusal {
    fn from(error: git2::Error) -> Self {
        Self::LibGit2(error)
    }
}

/// For places where no other reader is asked.
#[cfg(unix)]
impl From<Refusal> for Unreadable {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unreadable(why) => why,
            refusal => Self::Recorded(refusal.to_string()),
        }
    }
}

impl From<crate::TooMuch> for Refusal {
    fn from(bound: crate::TooMuch) -> Self {
        Self::Unreadable(bound.into())
    }
}
