//! Which program `git` is.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::Around;

/// The `git` to run for `folder`: the first in an absolute entry of `PATH`. One in a work tree around
/// the folder would be the repository's own program, and so might one in an empty or relative
/// entry.
pub(crate) fn of(folder: &Path) -> Option<&'static Path> {
    let home = variable("HOME").map(PathBuf::from);
    let around = Around::or_folder(folder, home.as_deref());
    let mut found = found().iter();
    let outside = found.find(|program| !around.holds(program));
    outside.map(PathBuf::as_path)
}

/// All programs of this name that `PATH` has, looked for once.
fn found() -> &'static [PathBuf] {
    static FOUND: OnceLock<Vec<PathBuf>> = OnceLock::new();
    FOUND.get_or_init(|| in_path(variable("PATH").as_deref().unwrap_or_default()))
}

fn in_path(path: &OsStr) -> Vec<PathBuf> {
    let name = format!("git{}", std::env::consts::EXE_SUFFIX);
    let entries = std::env::split_paths(path).filter(|entry| entry.is_absolute());
    entries
        .map(|entry| entry.join(&name))
        .filter(|program| crate::canonical(program).is_ok_and(|target| is_program(&target)))
        .filter(|program| !opens_a_dialog(program))
        .collect()
}

/// Whether a program of this name would open a window that asks a person for something: that of macOS does as long as
/// no developer tools are installed.
#[must_use]
pub fn opens_a_dialog(program: &Path) -> bool {
    #[cfg(target_os = "macos")]
    {
        let program = crate::canonical(program);
        program.is_ok_and(|program| super::apple::here().is_without_tools(&program))
    }
    #[cfg(not(target_os = "macos"))]
    {
        let _ = program;
        false
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "where programs are, as for every child; no setting of attest"
)]
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
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
        assert_eq!(in_path(&path), [at("run").join("git")]);
    }
}
