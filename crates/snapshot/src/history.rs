//! What commits did to paths. Asked only where HEAD or a branch has moved.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use crate::git::{Git, GitError};
use crate::path::fold;
use crate::{Fingerprint, RepoPath, Unreadable};

/// Commits looked through before the rest counts as unknown.
const MOST_COMMITS: usize = 5_000;

/// One side of a path in a difference of trees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blob {
    mode: String,
    oid: String,
}

/// A path on which two commits differ: what each has there.
#[derive(Debug, Clone)]
pub(crate) struct TreeChange {
    pub(crate) old: Option<Blob>,
    pub(crate) new: Option<Blob>,
}

/// The paths on which the trees of two commits differ; `None` stands for no commit at all.
pub(crate) fn between(
    git: &Git<'_>,
    old: Option<&str>,
    new: Option<&str>,
) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    match (old, new) {
        (Some(old), Some(new)) => {
            let raw = git.run(&["diff-tree", "-r", "-z", "--raw", "--no-renames", old, new])?;
            parse_raw(&raw)
        }
        (Some(commit), None) => one_sided(git, commit, |blob| TreeChange {
            old: Some(blob),
            new: None,
        }),
        (None, Some(commit)) => one_sided(git, commit, |blob| TreeChange {
            old: None,
            new: Some(blob),
        }),
        (None, None) => Ok(BTreeMap::new()),
    }
}

fn one_sided(
    git: &Git<'_>,
    commit: &str,
    change: impl Fn(Blob) -> TreeChange,
) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    let output = git.run(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
    let unknown = || GitError::Answer { command: "ls-tree" };
    let mut changes = BTreeMap::new();
    for record in records(&output) {
        // "<mode> <type> <oid>\t<path>"
        let tab = record
            .iter()
            .position(|b| *b == b'\t')
            .ok_or_else(unknown)?;
        let mut fields = record[..tab].split(|b| *b == b' ');
        let (mode, oid) = (fields.next(), fields.nth(1));
        let blob = Blob {
            mode: text(mode.ok_or_else(unknown)?),
            oid: text(oid.ok_or_else(unknown)?),
        };
        changes.insert(path(&record[tab + 1..])?, change(blob));
    }
    Ok(changes)
}

/// Reads the raw format of git-diff-tree(1): a record of metadata, then one of the path.
fn parse_raw(output: &[u8]) -> Result<BTreeMap<RepoPath, TreeChange>, Unreadable> {
    let unknown = || GitError::Answer {
        command: "diff-tree",
    };
    let mut changes = BTreeMap::new();
    let mut records = records(output);
    while let Some(metadata) = records.next() {
        let metadata = metadata.strip_prefix(b":").ok_or_else(unknown)?;
        let fields: Vec<_> = metadata.split(|byte| *byte == b' ').collect();
        let [old_mode, new_mode, old_oid, new_oid, _] = fields.as_slice() else {
            return Err(unknown().into());
        };
        let name = records.next().ok_or_else(unknown)?;
        let change = TreeChange {
            old: blob(old_mode, old_oid),
            new: blob(new_mode, new_oid),
        };
        changes.insert(path(name)?, change);
    }
    Ok(changes)
}

fn blob(mode: &[u8], oid: &[u8]) -> Option<Blob> {
    (mode != b"000000").then(|| Blob {
        mode: text(mode),
        oid: text(oid),
    })
}

/// What a checkout of `blob` would have put on the disk, leaving filters and line ends aside.
pub(crate) fn content(git: &Git<'_>, blob: &Blob) -> Result<Fingerprint, Unreadable> {
    if blob.mode == "160000" {
        return Ok(Fingerprint::Repository);
    }
    let bytes = git.run(&["cat-file", "blob", &blob.oid])?;
    Ok(match blob.mode.as_str() {
        "120000" => Fingerprint::link(&bytes),
        mode => Fingerprint::of_content(&bytes, mode == "100755"),
    })
}

/// Every path that a commit touched which `new` reaches and `old` does not, or the reverse.
///
/// The reverse matters too: an amended or reset branch no longer reaches what it did.
pub(crate) fn touched(
    git: &Git<'_>,
    old: &BTreeSet<&str>,
    new: &BTreeSet<&str>,
) -> Result<BTreeSet<RepoPath>, Unreadable> {
    let mut paths = BTreeSet::new();
    for (from, to) in [(old, new), (new, old)] {
        let commits = commits(git, from, to)?;
        if !commits.is_empty() {
            paths.extend(paths_of(git, &commits)?);
        }
    }
    Ok(paths)
}

/// Whether any commit of any name touches `path`.
pub(crate) fn has_touched(git: &Git<'_>, path: &RepoPath) -> Result<bool, Unreadable> {
    let Ok(path) = std::str::from_utf8(path.as_bytes()) else {
        return Ok(true);
    };
    let path = format!(":(top,literal){path}");
    let commits = git.run(&["rev-list", "--all", "--max-count=1", "--", &path])?;
    Ok(!commits.is_empty())
}

fn commits(
    git: &Git<'_>,
    without: &BTreeSet<&str>,
    of: &BTreeSet<&str>,
) -> Result<Vec<u8>, Unreadable> {
    if of.is_subset(without) {
        return Ok(Vec::new());
    }
    let mut input = String::new();
    for tip in of {
        input.push_str(tip);
        input.push('\n');
    }
    for tip in without {
        input.push('^');
        input.push_str(tip);
        input.push('\n');
    }
    let most = format!("--max-count={}", MOST_COMMITS + 1);
    let commits = git.run_with(&["rev-list", &most, "--stdin"], input.as_bytes(), &[0])?;
    if commits.split_inclusive(|byte| *byte == b'\n').count() > MOST_COMMITS {
        return Err(Unreadable::TooMuchHistory(MOST_COMMITS));
    }
    Ok(commits)
}

/// `-m` looks at a merge from each parent: a stash is a merge, and its third parent holds the
/// untracked files.
pub(crate) fn paths_of(git: &Git<'_>, commits: &[u8]) -> Result<BTreeSet<RepoPath>, Unreadable> {
    let arguments = [
        "diff-tree",
        "--stdin",
        "--root",
        "-r",
        "-m",
        "-z",
        "--no-renames",
        "--no-commit-id",
        "--name-only",
    ];
    let output = git.run_with(&arguments, commits, &[0])?;
    records(&output).map(path).collect()
}

/// Every name in the tree of a commit, folders included: in its folded form, with its object.
pub(crate) fn names_in(
    git: &Git<'_>,
    commit: &str,
) -> Result<HashSet<(String, String)>, Unreadable> {
    let output = git.run(&["ls-tree", "-r", "-t", "-z", "--full-tree", commit])?;
    let named = records(&output).filter_map(|record| {
        // "<mode> <type> <oid>\t<path>"
        let record = std::str::from_utf8(record).ok()?;
        let (fields, path) = record.split_once('\t')?;
        let name = path.rsplit('/').next()?;
        Some((fold(name), fields.rsplit(' ').next()?.to_owned()))
    });
    Ok(named.collect())
}

fn records(output: &[u8]) -> impl Iterator<Item = &[u8]> {
    output
        .split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
}

fn path(bytes: &[u8]) -> Result<RepoPath, Unreadable> {
    RepoPath::from_git(bytes).ok_or_else(|| Unreadable::StrangePath(crate::escaped(bytes)))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
