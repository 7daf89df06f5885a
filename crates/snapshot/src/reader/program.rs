//! The reader on the git program: slower, and right for every repository that git itself reads.

use std::collections::{BTreeMap, BTreeSet};

use super::{Head, Listing, Reader, ReaderKind, listed};
use crate::git::{Git, GitError};
use crate::path::escaped;
use crate::repository::Repository;
use crate::{Limits, RepoPath, Unreadable};

pub(crate) struct ProgramReader<'a> {
    repository: &'a Repository,
    why: &'a str,
}

impl<'a> ProgramReader<'a> {
    pub(crate) fn new(repository: &'a Repository, why: &'a str) -> Self {
        Self { repository, why }
    }
}

impl Reader for ProgramReader<'_> {
    fn kind(&self) -> ReaderKind {
        ReaderKind::Git {
            why: self.why.to_owned(),
        }
    }

    fn list(&self, limits: &Limits) -> Result<Listing, Unreadable> {
        let git = self.repository.git(limits).without_filters()?;
        let status = git.run(&[
            "status",
            "--porcelain=v2",
            "--branch",
            "-z",
            "--untracked-files=all",
            "--no-renames",
            "--ignore-submodules=all",
            "--ignored=no",
        ])?;
        let (oid, differing) = parse_status(&status)?;
        Ok(Listing {
            head: Head {
                oid,
                branch: branch(&git)?,
            },
            refs: refs(&git)?,
            differing,
        })
    }
}

/// Reads porcelain v2 as git-status(1) documents it, with `-z` and without renames.
fn parse_status(output: &[u8]) -> Result<(Option<String>, BTreeSet<RepoPath>), Unreadable> {
    let unknown = || GitError::Answer { command: "status" };
    let mut oid = None;
    let mut differing = BTreeSet::new();
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
        differing.insert(listed(path)?);
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
