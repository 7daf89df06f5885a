//! Which program `git` is.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The `git` to run for `folder`: the first in an absolute entry of `PATH`. One in the work tree of
/// the folder would be the repository's own program, and so might one in an empty or relative
/// entry.
pub(super) fn of(folder: &Path) -> Option<&'static Path> {
    let work_tree = work_tree_of(folder);
    let is_outside = |place: &Path| !place.starts_with(&work_tree);
    let found = found().iter();
    let mut found = found.filter(|it| is_outside(&it.entry) && is_outside(&it.target));
    found.next().map(|it| it.program.as_path())
}

/// A program named `git`.
struct Found {
    program: PathBuf,
    /// The entry of `PATH`, and the program, with links resolved.
    entry: PathBuf,
    target: PathBuf,
}

/// All of them that `PATH` has, looked for once.
fn found() -> &'static [Found] {
    static FOUND: OnceLock<Vec<Found>> = OnceLock::new();
    FOUND.get_or_init(|| in_path(path().as_deref().unwrap_or_default()))
}

fn in_path(path: &OsStr) -> Vec<Found> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let entries = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    entries
        .filter_map(|entry| {
            let program = entry.join(&name);
            let target = crate::canonical(&program).ok()?;
            is_program(&target).then_some(())?;
            let entry = crate::canonical(&entry).ok()?;
            Some(Found {
                program,
                entry,
                target,
            })
        })
        .collect()
}

#[expect(
    clippy::disallowed_methods,
    reason = "where programs are, as for every child; no setting of attest"
)]
fn path() -> Option<std::ffi::OsString> {
    std::env::var_os("PATH")
}

/// The nearest folder, at or above this one, that has a `.git` in it.
fn work_tree_of(folder: &Path) -> PathBuf {
    let folder = crate::canonical(folder).unwrap_or_else(|_| folder.to_owned());
    let mut above = folder.ancestors();
    let found = above.find(|it| it.join(".git").symlink_metadata().is_ok());
    found.unwrap_or(&folder).to_owned()
}

#[cfg(unix)]
fn is_program(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn only_absolute_entries_with_a_program_count() {
        let folder = TempDir::new().unwrap();
        for (name, mode) in [("run", 0o755), ("read", 0o644)] {
            let place = folder.path().join(name);
            fs::create_dir(&place).unwrap();
            fs::write(place.join("git"), "").unwrap();
            fs::set_permissions(place.join("git"), fs::Permissions::from_mode(mode)).unwrap();
        }
        let at = |name: &str| folder.path().join(name);
        let entries = [
            PathBuf::new(),
            ".".into(),
            "run".into(),
            at("gone"),
            at("read"),
            at("run"),
        ];
        let path = std::env::join_paths(entries).unwrap();
        let found: Vec<_> = in_path(&path).into_iter().map(|it| it.program).collect();
        assert_eq!(found, [at("run").join("git")]);
    }

    #[test]
    fn a_folder_belongs_to_the_nearest_work_tree() {
        let folder = TempDir::new().unwrap();
        let root = crate::canonical(folder.path()).unwrap();
        fs::create_dir_all(root.join("repo/.git")).unwrap();
        fs::create_dir_all(root.join("repo/src/deep")).unwrap();
        assert_eq!(work_tree_of(&root.join("repo/src/deep")), root.join("repo"));
    }
}
