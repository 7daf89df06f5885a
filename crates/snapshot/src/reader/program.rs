//! The reader on the git program: slower, and right for every repository that git itself reads.

use std::collections::BTreeMap;

use super::{Head, Listing, Seen, listed};
use crate::escaped;
use crate::git::{Git, GitError};
use crate::repository::Repository;
use crate::unlisted::Unlisted;
use crate::{Limits, RepoPath, Unreadable};

/// Each path under the name that it has, submodules left alone.
const STATUS: [&str; 5] = [
    "status",
    "--porcelain=v2",
    "-z",
    "--no-renames",
    "--ignore-submodules=all",
];

/// Lists what differs from HEAD in the work tree of `repository`.
pub(super) fn list(repository: &Repository, limits: &Limits) -> Result<Listing, Unreadable> {
    check_files(repository)?;
    let git = repository.git_with_index(limits)?.without_filters()?;
    let untracked = ["--branch", "--untracked-files=all", "--ignored=matching"];
    let status = git.run(&[&STATUS[..], &untracked].concat())?;
    let status = Status::parse(&status)?;
    let branch = branch(&git)?;
    Ok(Listing {
        head: Head {
            oid: status.oid,
            branch,
        },
        refs: refs(&git)?,
        differing: status.differing.into_iter().map(Seen::nothing_of).collect(),
        unlisted: Some(Unlisted::of_ignored(&status.ignored)),
        memory: None,
    })
}

/// git waits for a FIFO in place of one of these files, and reads a device without an end. Those
/// of folders below are known only to git.
fn check_files(repository: &Repository) -> Result<(), Unreadable> {
    let inside = [".gitignore", ".gitattributes"].map(|name| repository.root.join(name));
    let own = ["info/exclude", "info/attributes"].map(|name| repository.common_dir.join(name));
    // In the work tree git follows no link.
    let inside = inside.map(|file| (file.symlink_metadata(), file));
    let own = own.map(|file| (file.metadata(), file));
    for (found, file) in inside.into_iter().chain(own) {
        let is_odd = found.is_ok_and(|it| !it.is_file() && !it.is_dir() && !it.is_symlink());
        if is_odd {
            let why = std::io::Error::other("neither file nor folder");
            return Err(Unreadable::io(&file, why));
        }
    }
    Ok(())
}

/// Which of `paths` differ from HEAD or from the index.
#[cfg(unix)]
pub(super) fn differing_of(
    repository: &Repository,
    paths: &[&[u8]],
    limits: &Limits,
) -> Result<Vec<RepoPath>, Unreadable> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let git = repository.git_with_index(limits)?;
    let git = git.without_filters()?.literally();
    let fixed = STATUS.iter().chain(&["--untracked-files=no", "--"]);
    let arguments: Vec<&OsStr> = fixed
        .map(OsStr::new)
        .chain(paths.iter().map(|path| OsStr::from_bytes(path)))
        .collect();
    Ok(Status::parse(&git.run(&arguments)?)?.differing)
}

/// What git says of a work tree.
#[derive(Default)]
struct Status<'a> {
    oid: Option<String>,
    differing: Vec<RepoPath>,
    /// What rules cover; a folder that one covers as a whole ends in a slash.
    ignored: Vec<&'a [u8]>,
}

impl<'a> Status<'a> {
    /// Reads porcelain v2 as git-status(1) documents it, with `-z` and without renames.
    fn parse(output: &'a [u8]) -> Result<Self, Unreadable> {
        let unknown = || GitError::Answer { command: "status" };
        let mut status = Self::default();
        for record in output.split(|byte| *byte == 0).filter(|r| !r.is_empty()) {
            // The path follows a fixed number of fields and may itself hold spaces.
            let fields = match record[0] {
                b'#' => {
                    if let Some(value) = record.strip_prefix(b"# branch.oid ") {
                        status.oid = (value != b"(initial)").then(|| escaped(value));
                    }
                    continue;
                }
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

fn branch(git: &Git<'_>) -> Result<Option<String>, Unreadable> {
    // 1: HEAD is detached.
    let name = git.run_with(&["symbolic-ref", "--quiet", "HEAD"], &[], &[0, 1])?;
    let name = name.strip_suffix(b"\n").unwrap_or(&name);
    Ok((!name.is_empty()).then(|| escaped(name)))
}

fn refs(git: &Git<'_>) -> Result<BTreeMap<String, String>, Unreadable> {
    let output = git.run(&[
        "for-each-ref",
        "--format=%(objectname) %(refname)",
        "refs/heads",
        "refs/remotes",
        "refs/stash",
    ])?;
    let unknown = || GitError::Answer {
        command: "for-each-ref",
    };
    output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(|line| {
            let cut = line.iter().position(|byte| *byte == b' ');
            let (oid, name) = line.split_at(cut.ok_or_else(unknown)?);
            Ok((escaped(&name[1..]), escaped(oid)))
        })
        .collect()
}
