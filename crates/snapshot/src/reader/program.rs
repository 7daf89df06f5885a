//! The reader on the git program: slower, and right for every repository that git itself reads.

use std::collections::BTreeMap;

use super::{Head, Listing, Seen, listed};
use crate::git::{Git, GitError};
use crate::path::escaped;
use crate::repository::Repository;
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
    let untracked = ["--branch", "--untracked-files=all", "--ignored=no"];
    let status = git.run(&[&STATUS[..], &untracked].concat())?;
    let (oid, differing) = parse_status(&status)?;
    let branch = branch(&git)?;
    Ok(Listing {
        head: Head { oid, branch },
        refs: refs(&git)?,
        differing: differing.into_iter().map(Seen::nothing_of).collect(),
        unlisted: None,
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
    Ok(parse_status(&git.run(&arguments)?)?.1)
}

/// Reads porcelain v2 as git-status(1) documents it, with `-z` and without renames.
fn parse_status(output: &[u8]) -> Result<(Option<String>, Vec<RepoPath>), Unreadable> {
    let unknown = || GitError::Answer { command: "status" };
    let mut oid = None;
    let mut differing = Vec::new();
    for record in output.split(|byte| *byte == 0).filter(|r| !r.is_empty()) {
        // The path follows a fixed number of fields and may itself hold spaces.
        let fields = match record[0] {
            b'#' => {
                if let Some(value) = record.strip_prefix(b"# branch.oid ") {
                    oid = (value != b"(initial)").then(|| escaped(value));
                }
                continue;
            }
            b'1' => 8,
            b'u' => 10,
            b'?' => 1,
            _ => return Err(unknown().into()),
        };
        let path = record
            .splitn(fields + 1, |byte| *byte == b' ')
            .nth(fields)
            .ok_or_else(unknown)?;
        differing.push(listed(path)?);
    }
    Ok((oid, differing))
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
