//! Whether a folder is a repository of its own.

use std::path::Path;

use super::Refusal;
use crate::regular::{Links, read_regular};

/// Longest `.git` or `HEAD` file that makes sense, in bytes.
const LONGEST: u64 = 64 * 1024;

/// Whether git would take the folder at `path`, in which there is a `.git`, for a repository. One
/// that is neither clearly sound nor clearly nothing is a doubt.
pub(super) fn is_repository(root_path: &Path, path: &[u8]) -> Result<bool, Refusal> {
    let doubt = || Refusal::Nested(crate::escaped(path));
    let folder = crate::repository::path_of(path).map_err(|_| doubt())?;
    let dot_git = root_path.join(folder).join(".git");
    let metadata = std::fs::symlink_metadata(&dot_git).map_err(|_| doubt())?;
    let git_dir = if metadata.is_file() {
        let text = read(&dot_git).ok_or_else(doubt)?;
        let target = text.strip_prefix(b"gitdir: ").ok_or_else(doubt)?;
        let target = crate::repository::path_of(target.trim_ascii_end()).map_err(|_| doubt())?;
        dot_git.with_file_name("").join(target)
    } else {
        dot_git
    };
    let head = read(&git_dir.join("HEAD")).ok_or_else(doubt)?;
    let has_head = head.starts_with(b"ref: refs/")
        || (head.trim_ascii_end().len() >= 40 && head.trim_ascii_end().is_ascii());
    // A linked work tree keeps objects and refs in the folder that `commondir` names.
    let is_whole = git_dir.join("commondir").exists()
        || (git_dir.join("objects").is_dir() && git_dir.join("refs").is_dir());
    if has_head && is_whole {
        Ok(true)
    } else {
        Err(doubt())
    }
}

fn read(path: &Path) -> Option<Vec<u8>> {
    read_regular(path, Links::Follow, LONGEST).ok()?
}
