//! Opening the state file, and saying so where that of the Python tool had to make room.

use std::fs;
use std::path::{Path, PathBuf};

use attest_state::{Patience, Store, StoreError};

use crate::log::{Level, Log};

/// What the name of a state file of the Python tool has behind the name of ours.
const ASIDE: &str = ".python-";

/// Opens the state file for a command.
pub fn open(path: &Path, log: &Log) -> Result<Store, StoreError> {
    open_patiently(path, log, Patience::default())
}

/// Opens the state file, and waits for others as `patience` says.
pub fn open_patiently(path: &Path, log: &Log, patience: Patience) -> Result<Store, StoreError> {
    let store = Store::open_patiently(path, patience)?;
    if let Some(aside) = store.moved_aside() {
        let message = format!(
            "the state file of the Python tool is now {}, and a new one was begun",
            aside.display()
        );
        log.write(Level::Warn, "STATE_MOVED_ASIDE", message);
    }
    Ok(store)
}

/// The state files of the Python tool that were moved aside, by name.
pub fn moved_aside(path: &Path) -> Vec<PathBuf> {
    let Some(name) = path.file_name() else {
        return Vec::new();
    };
    let prefix = format!("{}{ASIDE}", name.to_string_lossy());
    let folder = path.parent().map(fs::read_dir);
    let entries = folder.into_iter().flatten().flatten().flatten();
    let mut found: Vec<_> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with(&prefix))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}
