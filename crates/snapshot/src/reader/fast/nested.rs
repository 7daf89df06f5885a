//! Whether a folder is a repository of its own.

use std::path::Path;

use crate::Unreadable;
use crate::repository::git_dir::{self, DotGit};

/// Whether git would take the folder at `path`, which contains a `.git`, for a repository.
pub(super) fn is_repository(root_path: &Path, path: &[u8]) -> Result<bool, Unreadable> {
    let folder = root_path.join(crate::os_path::path_of(path)?);
    Ok(matches!(git_dir::of(&folder)?, DotGit::Repository(_)))
}
