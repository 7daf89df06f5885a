//! The repository of a folder, and how a person knows it.

use std::path::{Path, PathBuf};

use attest_base::error::CommandError;
use attest_snapshot::{Limits, Repository, Unreadable, escaped, path_bytes};
use thiserror::Error;

#[derive(Debug, Error)]
#[error("{path:?} is in no repository")]
struct RepositoryError {
    path: PathBuf,
    source: Unreadable,
}

/// The repository of a folder, by the folder that all its work trees share.
pub(super) fn common_dir(folder: &Path) -> Result<PathBuf, CommandError> {
    let found = Repository::discover(folder, &Limits::default().trusting(folder));
    let repository = found.map_err(|source| RepositoryError {
        path: folder.to_owned(),
        source,
    })?;
    Ok(repository.common_dir)
}

/// The repository of the current folder.
pub(super) fn own_repository() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    common_dir(&folder).ok()
}

/// A repository by the folder that a person knows it by.
pub(super) fn repository_name(common_dir: &Path) -> &Path {
    match (common_dir.file_name(), common_dir.parent()) {
        (Some(name), Some(parent)) if name == ".git" => parent,
        _ => common_dir,
    }
}

/// The same, safe to print.
pub(super) fn shown_repository(common_dir: &Path) -> String {
    escaped(&path_bytes(repository_name(common_dir)))
}
