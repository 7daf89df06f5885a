//! What is in the repository is chosen by whoever writes there, the agent included.

use std::path::Path;

use attest_snapshot::Repository;

use super::context::Context;

/// Whether the path is in a work tree of the repository that `folder` is in, or in its `.git`. Each work tree that
/// git knows of counts, and not only the one that the hook runs in. A path that is not there yet is where the
/// nearest folder above it is.
pub(super) fn is_in_repository_of(folder: &Path, path: &Path, context: &Context) -> bool {
    let discover = |folder: &Path| Repository::discover(folder, &context.limits).ok();
    let Some(repository) = discover(folder) else {
        return false;
    };
    let existing = path
        .ancestors()
        .find_map(|path| attest_snapshot::canonical(path).ok());
    // A link there is in the repository, wherever it leads.
    if path.starts_with(&repository.root) || path.starts_with(&repository.common_dir) {
        return true;
    }
    existing.is_some_and(|existing| {
        let folder = if existing.is_dir() {
            existing.as_path()
        } else {
            existing.parent().unwrap_or(&existing)
        };
        existing.starts_with(&repository.root)
            || existing.starts_with(&repository.common_dir)
            || discover(folder).is_some_and(|other| other.common_dir == repository.common_dir)
    })
}
