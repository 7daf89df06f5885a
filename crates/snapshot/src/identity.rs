//! What the system reports about a file: while that stays the same, so does the content.

use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::{Deserialize, Serialize};

/// File times come from a clock that ticks only every few milliseconds. Two times closer than this
/// do not show which came first.
pub(crate) const TICK_NS: i128 = 100_000_000;

/// The stat data of a file or folder; links are not followed. Systems without such data have none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Identity {
    pub(crate) device: u64,
    pub(crate) ino: u64,
    pub(crate) mode: u32,
    pub(crate) uid: u32,
    pub(crate) gid: u32,
    pub(crate) size: u64,
    pub(crate) mtime: Time,
    pub(crate) ctime: Time,
}

/// A time of the file system: seconds since the epoch, and nanoseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Time {
    pub(crate) seconds: i64,
    pub(crate) nanos: u32,
}

impl Time {
    #[cfg(unix)]
    pub(crate) const EPOCH: Self = Self {
        seconds: 0,
        nanos: 0,
    };

    /// Nanoseconds since the epoch.
    pub(crate) fn ns(self) -> i128 {
        i128::from(self.seconds) * 1_000_000_000 + i128::from(self.nanos)
    }
}

impl Identity {
    /// The identity that `metadata` shows.
    #[cfg(unix)]
    #[expect(
        clippy::unnecessary_wraps,
        reason = "other systems show too little of it"
    )]
    pub(crate) fn of(metadata: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self {
            device: metadata.dev(),
            ino: metadata.ino(),
            mode: metadata.mode(),
            uid: metadata.uid(),
            gid: metadata.gid(),
            size: metadata.size(),
            mtime: time(metadata.mtime(), metadata.mtime_nsec()),
            ctime: time(metadata.ctime(), metadata.ctime_nsec()),
        })
    }

    /// The identity that `metadata` shows.
    #[cfg(not(unix))]
    pub(crate) fn of(_metadata: &Metadata) -> Option<Self> {
        None
    }

    /// Whether it was certainly unchanged since before the wall clock said `wall_ns`, so that a
    /// later change shows.
    pub(crate) fn is_older_than(&self, wall_ns: i64) -> bool {
        self.ctime.ns().max(self.mtime.ns()) + TICK_NS <= i128::from(wall_ns)
    }
}

#[cfg(unix)]
impl From<&rustix::fs::Stat> for Identity {
    #[allow(
        clippy::useless_conversion,
        clippy::unnecessary_cast,
        clippy::cast_lossless,
        clippy::cast_possible_wrap,
        clippy::cast_sign_loss,
        reason = "the types of the fields differ from system to system"
    )]
    fn from(stat: &rustix::fs::Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            ino: stat.st_ino as u64,
            mode: stat.st_mode as u32,
            uid: stat.st_uid,
            gid: stat.st_gid,
            size: stat.st_size as u64,
            mtime: time(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            ctime: time(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
        }
    }
}

#[cfg(unix)]
fn time(seconds: i64, nanos: i64) -> Time {
    Time {
        seconds,
        nanos: u32::try_from(nanos).unwrap_or(0),
    }
}

/// A hash that is compared with an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Digest(u64);

impl Digest {
    /// Stands for something that may change without showing it, and differs from every digest of a
    /// later reading.
    pub(crate) const UNSTABLE: Self = Self(0);

    /// What is compared with an earlier digest.
    pub(crate) fn of(value: &impl Hash) -> Self {
        let mut hasher = DefaultHasher::new();
        value.hash(&mut hasher);
        Self(hasher.finish().max(1))
    }

    /// What later digests are compared with. `taken_ns` is the wall clock just before `identity`
    /// was read.
    pub(crate) fn to_keep(identity: &Identity, taken_ns: i64) -> Self {
        if identity.is_older_than(taken_ns) {
            Self::of(identity)
        } else {
            Self::UNSTABLE
        }
    }
}
