//! The lock that installers take turns by.

use std::fs::{self, File};
use std::path::Path;
use std::time::{Duration, Instant};

use super::super::error::SettingsError;

/// How long one installer waits for another.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// Locks the folder. A file system without locks is used without one.
pub(super) fn lock(folder: &Path) -> Result<Option<File>, SettingsError> {
    let Ok(file) = File::open(folder) else {
        return Ok(None);
    };
    let give_up = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(fs::TryLockError::Error(_)) => return Ok(None),
            Err(fs::TryLockError::WouldBlock) if Instant::now() >= give_up => {
                return Err(SettingsError::Locked {
                    path: folder.to_owned(),
                });
            }
            Err(fs::TryLockError::WouldBlock) => std::thread::sleep(Duration::from_millis(20)),
        }
    }
}
