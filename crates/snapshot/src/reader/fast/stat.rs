//! Whether git would call a tracked file unchanged, judging by what the system reports about it.

use rustix::fs::FileType;

use super::index::Recorded;
use super::settings::Settings;
use crate::identity::{Identity, Time};
use crate::odb::GITLINK;

impl Identity {
    pub(crate) fn kind(&self) -> FileType {
        #[allow(
            clippy::unnecessary_cast,
            clippy::cast_possible_truncation,
            reason = "the type of a mode differs from system to system"
        )]
        FileType::from_raw_mode(self.mode as rustix::fs::RawMode)
    }
}

/// What stat data says about a tracked file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EntryStatus {
    Unchanged,
    Changed,
    /// Only the content can decide.
    Undecided,
}

/// Compares as git does, in git's order: type, mode, times, size. `index_written` is when git last
/// wrote the index.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the index holds the low 32 bits of each field"
)]
pub(super) fn compare(
    recorded: &Recorded,
    now: &Identity,
    settings: &Settings,
    index_written: Time,
) -> EntryStatus {
    let same_kind = match recorded.mode & 0o170_000 {
        0o100_000 => {
            let bit = (recorded.mode ^ now.mode) & 0o100 != 0;
            now.kind() == FileType::RegularFile && !(settings.file_mode && bit)
        }
        0o120_000 => match now.kind() {
            FileType::Symlink => true,
            FileType::RegularFile => !settings.symlinks,
            _ => false,
        },
        GITLINK => now.kind() == FileType::Directory,
        _ => false,
    };
    if !same_kind {
        return EntryStatus::Changed;
    }
    if recorded.mode == GITLINK {
        return EntryStatus::Unchanged;
    }
    // git distinguishes a size that is a multiple of 2^32 from zero, which means "not known".
    let size = match now.size as u32 {
        0 if now.size > 0 => 0x8000_0000,
        size => size,
    };
    if recorded.size != size {
        return if recorded.size == 0 {
            EntryStatus::Undecided
        } else {
            EntryStatus::Changed
        };
    }
    let same_time = |was: (u32, u32), is: Time| {
        was.0 == is.seconds as u32 && (was.1 == is.nanos || was.1 == 0 || !settings.check_stat)
    };
    let same = same_time(recorded.mtime, now.mtime)
        && (!settings.trust_ctime || !settings.check_stat || same_time(recorded.ctime, now.ctime))
        && (!settings.check_stat
            || ((recorded.uid, recorded.gid) == (now.uid, now.gid)
                && recorded.ino == now.ino as u32));
    if same && !is_racy(recorded.mtime, index_written) {
        EntryStatus::Unchanged
    } else {
        EntryStatus::Undecided
    }
}

/// Whether the file may have changed after git looked at it without its times showing that. By
/// git's own rule, a file that is not older than the index is not trusted.
fn is_racy(mtime: (u32, u32), index: Time) -> bool {
    let (seconds, nanos) = (i64::from(mtime.0), mtime.1);
    if nanos == 0 || index.nanos == 0 {
        // A file system or a git that only stores seconds.
        return seconds >= index.seconds;
    }
    (seconds, nanos) >= (index.seconds, index.nanos)
}
