//! Kinds of objects.

use git2::ObjectType;

use crate::Unreadable;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

impl ObjectKind {
    /// The kind that libgit2 reports.
    pub(super) fn of(kind: ObjectType) -> Result<Self, Unreadable> {
        match kind {
            ObjectType::Commit => Ok(Self::Commit),
            ObjectType::Tree => Ok(Self::Tree),
            ObjectType::Blob => Ok(Self::Blob),
            ObjectType::Tag => Ok(Self::Tag),
            ObjectType::Any => Err(Unreadable::Recorded("an object of no kind".to_owned())),
        }
    }
}
