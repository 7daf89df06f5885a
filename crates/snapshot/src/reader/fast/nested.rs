//! Whether a folder is a repository of its own.

use std::path::Path;

use super::Refusal;
use crate::repository::git_dir;

/// Whether git would take the folder at `path`, in which there is a `.git`, for a repository. One
/// that is neither clearly sound nor clearly nothing is a doubt.
pub(super) fn is_repository(root_path: &Path, path: &[u8]) -> Result<bool, Refusal> {
    let doubt = || Refusal::Nested(crate::escaped(path));
    let folder = crate::repository::path_of(path).map_err(|_| doubt())?;
    match git_dir::of(&root_path.join(folder)) {
        Ok(Some(_)) => Ok(true),
        Ok(None) | Err(_) => Err(doubt()),
    }
}
