//! Folders and files that only their owner may read. Modes are set as something is made, never
//! on what is already there.

use std::fs::{self, OpenOptions};
use std::io;
use std::path::Path;

/// Makes a folder, and those above it that are missing; leaves one that is there as it is.
pub fn make_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::DirBuilderExt;
        builder.mode(0o700);
    }
    builder.create(folder)
}

/// Options with which a file that has to be made is made for its owner alone.
#[must_use]
pub fn open_options() -> OpenOptions {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has modes"))]
    let mut options = OpenOptions::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options
}
