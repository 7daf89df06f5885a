//! Dated copies beside the settings file.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{place, temporary};

const MARK: &str = ".attest-backup-";

/// Copies tried within one second before it is called an error.
const MAX_PER_SECOND: u32 = 1000;

/// Writes `bytes` to a new file beside `target`, which has its name only when it is whole; one that
/// is there already is never written to.
pub(super) fn make(target: &Path, bytes: &[u8], permissions: &Permissions) -> io::Result<PathBuf> {
    let mut file = temporary::make(place::folder_of(target))?;
    file.write_all(bytes)?;
    place::keep_owner(target, file.as_file()).map_err(io::Error::other)?;
    file.as_file().set_permissions(permissions.clone())?;
    file.as_file().sync_all()?;
    let stamp = Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    for count in 0..MAX_PER_SECOND {
        let suffix = if count == 0 {
            String::new()
        } else {
            format!("-{count}")
        };
        let path = with_suffix(target, &format!("{MARK}{stamp}{suffix}"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The backups beside `target`, the youngest first.
pub(super) fn all_of(target: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(place::folder_of(target)) else {
        return Vec::new();
    };
    let mut found: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| target.with_file_name(entry.file_name()))
        .filter_map(|path| age_of(target, &path).map(|age| (age, path)))
        .collect();
    found.sort_unstable();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// The stamp and the count in the name of a backup of `target`.
fn age_of(target: &Path, path: &Path) -> Option<(String, u32)> {
    let prefix = with_suffix(target, MARK);
    let age = path.to_str()?.strip_prefix(prefix.to_str()?)?;
    match age.split_once('-') {
        Some((stamp, count)) => Some((stamp.to_owned(), count.parse().ok()?)),
        None => Some((age.to_owned(), 0)),
    }
}

fn with_suffix(target: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(suffix);
    PathBuf::from(name)
}
