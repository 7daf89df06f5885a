//! Folders and files that only their owner may read. Modes are set as something is made, never
//! on what is already there, and whatever the umask is: one that takes rights from the owner too
//! would leave a folder that nobody can enter.
//!
//! A folder that is made here gets a file that says so. Only such a folder is ever removed, and only if
//! nothing else is in it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

/// The file in a folder that attest made.
pub const MARKER: &str = ".made-by-attest";
/// What is in it.
const MARKED: &str = "attest made this folder, and removes it if nothing else is in it.\n";

/// Makes a folder, and those above it that are missing; leaves one that is there as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    make(folder, &builder())
}

/// The same for a folder that others may read, as far as the umask lets them.
pub fn make_open_folder(folder: &Path) -> io::Result<()> {
    make(folder, &fs::DirBuilder::new())
}

fn make(folder: &Path, builder: &fs::DirBuilder) -> io::Result<()> {
    let mut missing = Vec::new();
    for folder in folder.ancestors() {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            break;
        }
        missing.push(folder);
    }
    if missing.is_empty() {
        return Ok(());
    }
    for folder in missing.into_iter().rev() {
        make_one(folder, builder)?;
    }
    // Says why, if it is there and is not a folder.
    fs::DirBuilder::new().recursive(true).create(folder)
}

fn make_one(folder: &Path, builder: &fs::DirBuilder) -> io::Result<()> {
    match builder.create(folder) {
        Ok(()) => {
            make_reachable(folder)?;
            // Without it the folder is as good, and stays when the rest goes.
            let _ = mark(folder);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error),
    }
}

fn mark(folder: &Path) -> io::Result<()> {
    let mut marker = make_file(&folder.join(MARKER), OpenOptions::new().write(true))?;
    marker.write_all(MARKED.as_bytes())
}

/// Whether attest made the folder, and says so in it.
#[must_use]
pub fn is_made_here(folder: &Path) -> bool {
    let marker = folder.join(MARKER);
    let is_file = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.is_file());
    let is_folder = fs::symlink_metadata(folder).is_ok_and(|it| it.is_dir());
    let mut text = String::new();
    is_folder
        && is_file(&marker)
        && File::open(marker).is_ok_and(|file| {
            let most = MARKED.len() as u64 + 1;
            file.take(most).read_to_string(&mut text).is_ok() && text == MARKED
        })
}

/// Removes a folder that attest made, if nothing else is in it. Says whether it is gone.
pub fn remove_folder(folder: &Path) -> io::Result<bool> {
    if !is_made_here(folder) {
        return Ok(false);
    }
    for entry in fs::read_dir(folder)? {
        if entry?.file_name() != MARKER {
            return Ok(false);
        }
    }
    fs::remove_file(folder.join(MARKER))?;
    match fs::remove_dir(folder) {
        Ok(()) => Ok(true),
        // Somebody has put something into it just now.
        Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty => {
            mark(folder)?;
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

#[cfg(unix)]
fn builder() -> fs::DirBuilder {
    let mut builder = fs::DirBuilder::new();
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

#[cfg(not(unix))]
fn builder() -> fs::DirBuilder {
    fs::DirBuilder::new()
}

/// Gives the owner of a folder that was made just now the rights that a umask took.
#[cfg(unix)]
fn make_reachable(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    // Of the name itself: a link in its place is none of ours.
    let metadata = fs::symlink_metadata(folder)?;
    let is_ours = metadata.is_dir() && metadata.uid() == rustix::process::geteuid().as_raw();
    if is_ours && metadata.mode() & 0o700 != 0o700 {
        fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?;
    }
    Ok(())
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "Unix has modes")]
fn make_reachable(_folder: &Path) -> io::Result<()> {
    Ok(())
}

/// Makes a file, which must not be there, and opens it as `options` say.
pub fn make_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    let mut options = options.clone();
    options.create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        if file.metadata()?.permissions().mode() & 0o600 != 0o600 {
            file.set_permissions(fs::Permissions::from_mode(0o600))?;
        }
    }
    Ok(file)
}

/// Opens a file as `options` say, and makes it if it is not there.
pub fn open_file(path: &Path, options: &OpenOptions) -> io::Result<File> {
    loop {
        match options.open(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            opened => return opened,
        }
        match make_file(path, options) {
            // Another one made it just now.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && path.exists() => {}
            made => return made,
        }
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    #[test]
    fn only_a_folder_that_was_made_here_and_holds_nothing_else_goes() {
        let base = TempDir::new().unwrap();
        let (ours, theirs) = (base.path().join("ours/deep"), base.path().join("theirs"));
        make_folder(&ours).unwrap();
        fs::create_dir(&theirs).unwrap();
        make_folder(&theirs).unwrap();
        assert!(!remove_folder(&theirs).unwrap());
        assert!(!remove_folder(ours.parent().unwrap()).unwrap());
        fs::write(ours.join("note"), "").unwrap();
        assert!(!remove_folder(&ours).unwrap());
        assert!(is_made_here(&ours));
        fs::remove_file(ours.join("note")).unwrap();
        assert!(remove_folder(&ours).unwrap());
        assert!(remove_folder(ours.parent().unwrap()).unwrap());
        assert!(theirs.is_dir());
    }

    #[test]
    fn a_marker_of_somebody_else_marks_nothing() {
        let base = TempDir::new().unwrap();
        fs::write(base.path().join(MARKER), "mine").unwrap();
        assert!(!is_made_here(base.path()));
        assert!(!remove_folder(base.path()).unwrap());
        assert!(base.path().join(MARKER).exists());
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_folder_that_was_made_here_stays() {
        let base = TempDir::new().unwrap();
        make_folder(&base.path().join("ours")).unwrap();
        let link = base.path().join("link");
        std::os::unix::fs::symlink("ours", &link).unwrap();
        assert!(!remove_folder(&link).unwrap());
        assert!(link.exists() && is_made_here(&base.path().join("ours")));
    }
}
