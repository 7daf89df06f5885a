//! Whose a file or a folder is: what somebody else wrote is not run, whatever it says.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why something does not count as the person's own.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum Foreign {
    #[cfg(unix)]
    #[error("{path:?} belongs to another user (id {owner}; this is {user})")]
    Owner {
        path: PathBuf,
        owner: u32,
        user: u32,
    },
    #[error("cannot tell whose {path:?} is")]
    Unknown { path: PathBuf, source: io::Error },
}

pub(super) fn check_folder(folder: &Path) -> Result<(), Foreign> {
    let metadata = fs::metadata(folder).map_err(|source| Foreign::Unknown {
        path: folder.to_owned(),
        source,
    })?;
    check(folder, &metadata)
}

/// Whether it is the person's or the administrator's.
#[cfg(unix)]
pub fn check(path: &Path, metadata: &Metadata) -> Result<(), Foreign> {
    use std::os::unix::fs::MetadataExt;
    check_id(path, metadata.uid(), rustix::process::geteuid().as_raw())
}

/// Windows has access lists in place of one owner.
#[cfg(not(unix))]
pub fn check(_path: &Path, _metadata: &Metadata) -> Result<(), Foreign> {
    Ok(())
}

#[cfg(unix)]
fn check_id(path: &Path, owner: u32, user: u32) -> Result<(), Foreign> {
    const ADMINISTRATOR: u32 = 0;
    if owner == user || owner == ADMINISTRATOR {
        return Ok(());
    }
    Err(Foreign::Owner {
        path: path.to_owned(),
        owner,
        user,
    })
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_the_person_and_the_administrator_are_trusted() {
        let path = Path::new("x");
        for (owner, user, is_own) in [
            (1000, 1000, true),
            (0, 1000, true),
            (1001, 1000, false),
            (1000, 0, false),
        ] {
            let checked = check_id(path, owner, user);
            assert_eq!(checked.is_ok(), is_own, "{owner} {user}");
        }
        let gone = Path::new("/no/such/folder");
        assert!(matches!(check_folder(gone), Err(Foreign::Unknown { .. })));
    }
}
