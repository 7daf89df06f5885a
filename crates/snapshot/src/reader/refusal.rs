//! Why a reader gives no listing.

use crate::Unreadable;

/// Either nothing can be read, or another reader has to do it. There is no third answer.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "most of them are doubts of the fast reader")
)]
pub(crate) enum Refusal {
    /// No reader would do better.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// libgit2 does not know this.
    #[error("libgit2: {}", .0.message())]
    LibGit2(#[from] git2::Error),
    /// The index is of a form that is not read here.
    #[error("index: {0}")]
    Index(&'static str),
    /// A setting with which files mean something else.
    #[error("{0} is set")]
    Setting(&'static str),
    /// A folder with a `.git` in it that is not clearly a repository.
    #[error("{0:?} may be a repository")]
    Nested(String),
    /// Names that some systems take for one.
    #[error("{0:?} has names that differ only in their spelling")]
    Spelling(String),
    /// Too many files are rewritten on their way into git.
    #[error("{0} files go through filters")]
    Filtered(usize),
}
