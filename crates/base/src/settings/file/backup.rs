//! Dated copies of a settings file: in a folder of attest, or beside the file if there is no home.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_checklist::sha256;
use attest_snapshot::path_bytes;
use jiff::Timestamp;

use super::{place, temporary};

const MARK: &str = ".attest-backup-";
/// What a stamp looks like, with a 0 for each digit.
const STAMP: &str = "00000000T000000Z";

/// Backups of one file that are kept in the folder of attest.
const KEPT: usize = 10;
/// Digits of the sum that tells apart files of the same name.
const SUM: usize = 12;

/// Copies tried within one second before it is called an error.
const MAX_PER_SECOND: u32 = 1000;

/// What the names of the backups of `target` in `folder` begin with.
pub(super) fn name_in(folder: &Path, target: &Path) -> PathBuf {
    let sum = sha256(&path_bytes(target));
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push("-");
    name.push(&sum[..SUM]);
    folder.join(name)
}

/// Removes all but the newest of the backups whose names begin with `name`. One that cannot be removed
/// stays for the next time.
pub(super) fn keep_newest(name: &Path) {
    for old in all_of(name).iter().skip(KEPT) {
        let _ = fs::remove_file(old);
    }
}

/// Writes `bytes`, which are those of `target`, to a new file whose name begins with `name` and which has it
/// only when it is whole; one that is there already is never written to.
pub(super) fn make(
    target: &Path,
    name: &Path,
    bytes: &[u8],
    permissions: &Permissions,
) -> io::Result<PathBuf> {
    let mut file = temporary::make(place::folder_of(name))?;
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
        let path = with_suffix(name, &format!("{MARK}{stamp}{suffix}"));
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(path),
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => file = error.file,
            Err(error) => return Err(error.error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// The backups whose names begin with `target`, the youngest first.
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
    age(path.to_str()?.strip_prefix(prefix.to_str()?)?)
}

/// What is behind the mark in a name that attest gave: a person may give a copy another one.
fn age(text: &str) -> Option<(String, u32)> {
    let (stamp, count) = match text.split_once('-') {
        Some((stamp, count)) => (stamp, count.parse().ok()?),
        None => (text, 0),
    };
    let is_stamp = stamp.len() == STAMP.len()
        && std::iter::zip(stamp.bytes(), STAMP.bytes()).all(|(byte, form)| match form {
            b'0' => byte.is_ascii_digit(),
            letter => byte == letter,
        });
    is_stamp.then(|| (stamp.to_owned(), count))
}

/// Whether a file in the folder of attest has the name of a backup.
pub(super) fn is_named(name: &str) -> bool {
    let Some((file, stamp)) = name.rsplit_once(MARK) else {
        return false;
    };
    let sum = file.rsplit_once('-').map(|(_, sum)| sum);
    let is_sum = |sum: &str| sum.len() == SUM && sum.bytes().all(|it| it.is_ascii_hexdigit());
    sum.is_some_and(is_sum) && age(stamp).is_some()
}

fn with_suffix(target: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(target.as_os_str());
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_attest_gave_are_those_of_backups() {
        let target = Path::new("/h/.claude/settings.json");
        let name = |end: &str| with_suffix(target, &format!("{MARK}{end}"));
        assert!(age_of(target, &name("20261122T101112Z")).is_some());
        assert!(age_of(target, &name("20261122T101112Z-3")).is_some());
        for end in [
            "important",
            "20261122",
            "20261122T101112Z-mine",
            "x0261122T101112Z",
        ] {
            assert!(age_of(target, &name(end)).is_none(), "{end}");
        }
        let ours = "settings.json-0123456789ab.attest-backup-20261122T101112Z";
        assert!(is_named(ours) && is_named(&format!("{ours}-12")));
        for theirs in [
            "settings.json.attest-backup-20261122T101112Z",
            "notes",
            &ours[..50],
        ] {
            assert!(!is_named(theirs), "{theirs}");
        }
    }
}
