//! Which work trees belong to one repository. A folder only counts as one of them if the repository says so too: any
//! folder can say that it belongs to a repository of the person's.

use std::fs;
use std::path::{Path, PathBuf};

use attest_snapshot::{canonical, path_of_bytes, read_regular_whole};

/// The largest of the small files in which git keeps a path, in bytes.
const LARGEST_LINK: u64 = 64 * 1024;

/// The folder that the work tree with this top folder shares with all others of its repository, where
/// the repository knows it for one of them.
#[must_use]
pub fn common_dir(top: &Path) -> Option<PathBuf> {
    let own = top.join(".git");
    let kind = fs::symlink_metadata(&own).ok()?;
    if kind.is_dir() {
        // With this file the folder would be a part of another repository.
        let is_whole = fs::symlink_metadata(own.join("commondir")).is_err();
        return is_whole.then_some(own);
    }
    if !kind.is_file() {
        return None;
    }
    let named = read_path(&own, b"gitdir: ")?;
    let git_dir = canonical(&top.join(named)).ok()?;
    let worktrees = git_dir.parent()?;
    if worktrees.file_name()? != "worktrees" {
        return None;
    }
    let common = worktrees.parent()?;
    let same = |file: &str, expected: &Path| {
        let named = read_path(&git_dir.join(file), b"")?;
        let real = canonical(&git_dir.join(named)).ok()?;
        (real == expected).then_some(())
    };
    same("commondir", common)?;
    same("gitdir", &own)?;
    Some(common.to_owned())
}

/// The path that a file of git holds behind `prefix`.
fn read_path(file: &Path, prefix: &[u8]) -> Option<PathBuf> {
    let (bytes, _) = read_regular_whole(file, LARGEST_LINK).ok()??;
    let path = bytes.strip_prefix(prefix)?.trim_ascii_end();
    Some(path_of_bytes(path))
}
