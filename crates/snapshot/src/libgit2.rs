//! What libgit2 reports, in words of our own. Where it does not read something, git is asked next.

use git2::{Error, ErrorClass, ErrorCode};

use crate::Unreadable;

/// What it could not read.
pub(crate) fn in_words(error: &Error) -> String {
    let what = match (error.code(), error.class()) {
        (ErrorCode::Owner, _) => "a repository of another user",
        (_, ErrorClass::Config) => "a configuration file",
        (_, ErrorClass::Reference | ErrorClass::FetchHead) => "a reference",
        (
            _,
            ErrorClass::Odb
            | ErrorClass::Object
            | ErrorClass::Tree
            | ErrorClass::Tag
            | ErrorClass::Zlib
            | ErrorClass::Sha1
            | ErrorClass::Indexer,
        ) => "an object",
        (_, ErrorClass::Index) => "the index",
        (_, ErrorClass::Repository) => "a repository of this form",
        (_, ErrorClass::Worktree) => "a linked work tree",
        (_, ErrorClass::Submodule) => "a submodule",
        (_, ErrorClass::Os | ErrorClass::Filesystem) => "a file of the repository",
        (_, ErrorClass::NoMemory) => "so much with the memory that is left",
        _ => "the repository",
    };
    format!("libgit2 cannot read {what}")
}

pub(crate) fn refused(error: &Error) -> Unreadable {
    Unreadable::Recorded(in_words(error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_text_is_not_repeated() {
        for (class, expected) in [
            (
                ErrorClass::Config,
                "libgit2 cannot read a configuration file",
            ),
            (ErrorClass::Odb, "libgit2 cannot read an object"),
            (ErrorClass::Net, "libgit2 cannot read the repository"),
        ] {
            let error = Error::new(ErrorCode::GenericError, class, "its own text");
            assert_eq!(refused(&error).to_string(), expected);
        }
    }
}
