//! Folders and files that only their owner may read. Modes are set as something is made, never
//! on what is already there, and whatever the umask is: one that takes rights from the owner too
//! would leave a folder that nobody can enter.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it that are missing; leaves one that is there as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
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
        make_one(folder)?;
    }
    // Says why, if it is there and is not a folder.
    fs::DirBuilder::new().recursive(true).create(folder)
}

fn make_one(folder: &Path) -> io::Result<()> {
    match builder().create(folder) {
        Ok(()) => make_reachable(folder),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
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
