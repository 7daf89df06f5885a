//! Whether a file was certainly not written since a moment, judging by its change time.

use std::fs::Metadata;
use std::path::Path;

use crate::identity::Identity;
use crate::{Moment, Touch};

/// The place to judge, and the topmost of the folders above it that count.
pub(crate) struct Subject<'a> {
    pub(crate) place: &'a Path,
    pub(crate) metadata: &'a Metadata,
    pub(crate) root: Option<&'a Path>,
}

/// Judges a regular file. `is_tracked` is called only if a folder above the file changed: git saw
/// the content of a tracked file at the start, while any other file may have been moved into place.
pub(crate) fn since(
    start: &Moment,
    subject: &Subject<'_>,
    is_tracked: impl FnOnce() -> bool,
) -> Touch {
    let is_old = |metadata: &Metadata| is_older(metadata, start);
    let trustworthy = subject.metadata.is_file()
        && start.runs_on_to(&Moment::now())
        && has_our_clock(subject.place.parent().unwrap_or(subject.place));
    if !trustworthy || !is_old(subject.metadata) {
        return Touch::Possible;
    }
    let folders_are_old = subject
        .place
        .ancestors()
        .skip(1)
        .take_while(|folder| subject.root.is_none_or(|root| folder.starts_with(root)))
        .all(|folder| std::fs::metadata(folder).is_ok_and(|metadata| is_old(&metadata)));
    // On macOS it was not tried whether moving a file changes its time on every file system that may be there.
    if folders_are_old || cfg!(target_os = "linux") && is_tracked() {
        Touch::Untouched
    } else {
        Touch::Possible
    }
}

/// Whether the content of a file has the time of a moment behind `start` that a transcript tells of, or an older one.
pub(crate) fn is_dated_by(
    start: &Moment,
    place: &Path,
    metadata: &Metadata,
    wall_ns: i128,
) -> bool {
    /// Transcripts count milliseconds.
    const PRECISION_NS: i128 = 1_000_000;
    let modified = metadata.modified().ok();
    let modified = modified.and_then(|it| it.duration_since(std::time::UNIX_EPOCH).ok());
    let modified = modified.and_then(|it| i128::try_from(it.as_nanos()).ok());
    start.runs_on_to(&Moment::now())
        && has_our_clock(place.parent().unwrap_or(place))
        && modified.is_some_and(|it| it < wall_ns + PRECISION_NS)
}

/// When a file was last changed, by the later of its times, in nanoseconds since the epoch: of one that is gone, when the
/// nearest folder above it was.
pub(crate) fn last_changed(place: &Path) -> Option<i128> {
    let mut places = place.ancestors();
    let metadata = places.find_map(|place| std::fs::symlink_metadata(place).ok())?;
    let modified = metadata.modified().ok()?;
    let modified = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    let modified = i128::try_from(modified.as_nanos()).ok()?;
    let changed = Identity::of(&metadata).map(|identity| identity.ctime.ns());
    Some(changed.map_or(modified, |changed| changed.max(modified)))
}

/// Whether the file may have been written after `start`, judging by its times.
pub(crate) fn is_young(metadata: &Metadata, start: &Moment) -> bool {
    if cfg!(target_os = "linux") {
        return !is_older(metadata, start);
    }
    // A copy may keep the time of what it was made from.
    let times = [
        metadata.modified().ok(),
        metadata.created().ok(),
        changed(metadata),
    ];
    let nanoseconds = |at: std::time::SystemTime| {
        at.duration_since(std::time::UNIX_EPOCH)
            .ok()
            .map(|it| it.as_nanos())
    };
    times
        .into_iter()
        .flatten()
        .filter_map(nanoseconds)
        .max()
        .is_none_or(|ns| {
            let ns = i128::try_from(ns).unwrap_or(i128::MAX - crate::identity::TICK_NS);
            ns + crate::identity::TICK_NS > i128::from(start.wall_ns)
        })
}

#[cfg(unix)]
fn changed(metadata: &Metadata) -> Option<std::time::SystemTime> {
    use std::os::unix::fs::MetadataExt;
    let seconds = u64::try_from(metadata.ctime()).ok()?;
    std::time::UNIX_EPOCH.checked_add(std::time::Duration::from_secs(seconds + 1))
}

#[cfg(not(unix))]
fn changed(_metadata: &Metadata) -> Option<std::time::SystemTime> {
    None
}

/// Whether the change time is far enough before `start`.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn is_older(metadata: &Metadata, start: &Moment) -> bool {
    use std::os::unix::fs::MetadataExt;
    let changed = i128::from(metadata.ctime()) * 1_000_000_000 + i128::from(metadata.ctime_nsec());
    changed + crate::identity::TICK_NS <= i128::from(start.wall_ns)
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn is_older(_metadata: &Metadata, _start: &Moment) -> bool {
    false
}

/// Whether the times of a folder's files come from this machine's kernel. A network or FUSE file
/// system uses another clock.
#[cfg(target_os = "linux")]
pub(crate) fn has_our_clock(folder: &Path) -> bool {
    // From statfs(2): ext2/3/4, xfs, btrfs, f2fs, tmpfs, overlayfs, zfs, bcachefs.
    const LOCAL: &[u64] = &[
        0xef53,
        0x5846_5342,
        0x9123_683e,
        0xf2f5_2010,
        0x0102_1994,
        0x794c_7630,
        0x2fc1_2fc1,
        0xca45_1a4e,
    ];
    rustix::fs::statfs(folder)
        .ok()
        .and_then(|found| u64::try_from(found.f_type).ok())
        .is_some_and(|kind| LOCAL.contains(&(kind & 0xffff_ffff)))
}

/// The same. HFS+ counts whole seconds, and others are those of a network or of another system.
#[cfg(target_os = "macos")]
pub(crate) fn has_our_clock(folder: &Path) -> bool {
    const LOCAL: &[u8] = b"apfs";
    rustix::fs::statfs(folder).is_ok_and(|found| {
        let name = found.f_fstypename.iter().take_while(|letter| **letter != 0);
        name.map(|letter| letter.cast_unsigned())
            .eq(LOCAL.iter().copied())
    })
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
pub(crate) fn has_our_clock(_folder: &Path) -> bool {
    false
}
