//! Which programs are run: none that a repository around the folder brings, none of another user, and none
//! that others may write to.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use attest_snapshot::{Around, stops};
use thiserror::Error;

use crate::criteria::{Foreign, check_owner};

/// Why a program is not run.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum Refused {
    #[error("it is not there")]
    Missing(#[source] io::Error),
    #[error("it is not a file")]
    NotAFile,
    #[error("it is in the repository")]
    Inside,
    #[error("it is not the person's own")]
    Foreign(#[source] Foreign),
    #[error("others may write to {path:?}")]
    OpenToOthers { path: PathBuf },
}

/// Looks at a program before it is run, and at every link on the way to it. Gives all of these places, the
/// program itself last.
pub fn check(program: &Path, around: &[Around]) -> Result<Vec<PathBuf>, Refused> {
    let metadata = fs::metadata(program).map_err(Refused::Missing)?;
    if !metadata.is_file() {
        return Err(Refused::NotAFile);
    }
    if around.iter().any(|around| around.holds(program)) {
        return Err(Refused::Inside);
    }
    let stops = stops(program).map_err(Refused::Missing)?;
    check_owner(program, &metadata).map_err(Refused::Foreign)?;
    let open = |path: &Path| Refused::OpenToOthers { path: path.into() };
    if is_open_file(&metadata) {
        return Err(open(program));
    }
    for folder in stops.iter().filter_map(|stop| stop.parent()) {
        if fs::metadata(folder).map_or(true, |metadata| is_open_folder(&metadata)) {
            return Err(open(folder));
        }
    }
    Ok(stops)
}

/// Whether others may write to the file. A group counts as others, but for that of the administrator, and for
/// one that is the owner's alone, which systems give the owner's number.
#[cfg(unix)]
fn is_open_file(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let (mode, group) = (metadata.mode(), metadata.gid());
    mode & 0o002 != 0 || mode & 0o020 != 0 && group != 0 && group != metadata.uid()
}

/// Whether everybody may put another file in the place of one there. Groups share folders of programs on
/// many systems.
#[cfg(unix)]
fn is_open_folder(metadata: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    const STICKY: u32 = 0o1000;
    metadata.mode() & 0o002 != 0 && metadata.mode() & STICKY == 0
}

#[cfg(not(unix))]
fn is_open_file(_metadata: &Metadata) -> bool {
    false
}

#[cfg(not(unix))]
fn is_open_folder(_metadata: &Metadata) -> bool {
    false
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::*;

    fn set(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    #[test]
    fn a_program_that_others_may_change_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let program = bin.join("tool");
        fs::write(&program, "").unwrap();
        let link = folder.path().join("link");
        symlink(&program, &link).unwrap();
        for (of_file, of_folder, is_fine) in [
            (0o755, 0o755, true),
            (0o700, 0o775, true),
            (0o755, 0o1777, true),
            (0o757, 0o755, false),
            (0o755, 0o777, false),
        ] {
            set(&program, of_file);
            set(&bin, of_folder);
            for path in [&program, &link] {
                assert_eq!(
                    check(path, &[]).is_ok(),
                    is_fine,
                    "{of_file:o} {of_folder:o}"
                );
            }
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(matches!(check(folder.path(), &[]), Err(Refused::NotAFile)));
        let gone = folder.path().join("gone");
        assert!(matches!(check(&gone, &[]), Err(Refused::Missing(_))));
        let inside = folder.path().join("tool");
        fs::write(&inside, "").unwrap();
        fs::create_dir(folder.path().join(".git")).unwrap();
        let around = Around::folder(folder.path(), None);
        assert!(matches!(check(&inside, &[around]), Err(Refused::Inside)));
    }
}
