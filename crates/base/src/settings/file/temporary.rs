//! Files that are renamed to what they are for. One that was never renamed, because its writer was
//! killed, is removed by a later writer.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use tempfile::NamedTempFile;

const PREFIX: &str = ".attest-new-";
/// Letters and digits behind the prefix.
const RANDOM: usize = 6;
/// No writer takes as long.
const ABANDONED: Duration = Duration::from_hours(1);

/// Makes one in `folder`, for its owner alone: settings may hold secrets.
pub(super) fn make(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new()
        .prefix(PREFIX)
        .rand_bytes(RANDOM)
        .tempfile_in(folder)
}

/// Removes those that were left in `folder`. One that cannot be removed stays for the next time.
pub(super) fn sweep(folder: &Path) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries.flatten() {
        let is_ours = entry.file_name().to_str().is_some_and(is_named);
        // Of the name itself, not of what a link leads to.
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file);
        let age = metadata.and_then(|metadata| metadata.modified().ok()?.elapsed().ok());
        if is_ours && age.is_some_and(|age| age > ABANDONED) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Whether a file has the name of one.
pub(super) fn is_named(name: &str) -> bool {
    name.strip_prefix(PREFIX).is_some_and(|rest| {
        rest.len() == RANDOM && rest.bytes().all(|byte| byte.is_ascii_alphanumeric())
    })
}
