//! The reader that uses the git program, on systems where attest has no reader of its own.

use super::listing::{Listing, Seen, listed};
use super::raw_index::git_with_index;
use super::refs;
use crate::git::{Ask, GitError};
use crate::repository::Repository;
use crate::unlisted::Unlisted;
use crate::{Limits, RepoPath, Unreadable};

/// Lists what differs from HEAD in the work tree of `repository`.
pub(super) fn list(repository: &Repository, limits: &Limits) -> Result<Listing, Unreadable> {
    let git = git_with_index(repository, limits)?.without_filters()?;
    let nothing: [&str; 0] = [];
    let status = git.ask_twice(Ask::Status, &nothing)?;
    let status = Status::parse(&status)?;
    let (head, refs) = refs::read(repository, &repository.odb(limits), limits)?;
    Ok(Listing {
        head,
        refs,
        // It would take the program once more.
        origin: None,
        differing: status.differing.into_iter().map(Seen::nothing_of).collect(),
        unlisted: Some(Unlisted::of_ignored(&status.ignored)),
        memory: None,
    })
}

/// What git reports about a work tree.
#[derive(Default)]
struct Status<'a> {
    differing: Vec<RepoPath>,
    /// What rules cover; a folder that is covered as a whole ends in a slash.
    ignored: Vec<&'a [u8]>,
}

impl<'a> Status<'a> {
    /// Reads porcelain v2 as git-status(1) documents it, with `-z` and without renames.
    fn parse(output: &'a [u8]) -> Result<Self, Unreadable> {
        let unknown = || GitError::Answer { command: "status" };
        let mut status = Self::default();
        for record in output.split(|byte| *byte == 0).filter(|r| !r.is_empty()) {
            // The path follows a fixed number of fields and may itself contain spaces.
            let fields = match record[0] {
                b'#' => continue,
                b'1' => 8,
                b'u' => 10,
                b'?' | b'!' => 1,
                _ => return Err(unknown().into()),
            };
            let path = record
                .splitn(fields + 1, |byte| *byte == b' ')
                .nth(fields)
                .ok_or_else(unknown)?;
            if record[0] == b'!' {
                status.ignored.push(path);
            } else {
                status.differing.push(listed(path)?);
            }
        }
        Ok(status)
    }
}
