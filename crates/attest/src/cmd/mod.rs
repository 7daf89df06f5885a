//! One file per command.

pub(crate) mod agents;
pub(crate) mod check;
pub(crate) mod claim;
pub(crate) mod doctor;
pub(crate) mod explain;
pub(crate) mod gc;
pub(crate) mod history;
mod host;
pub(crate) mod install;
pub(crate) mod log;
mod process;
mod progress;
pub(crate) mod report;
mod screen;
pub(crate) mod show;
pub(crate) mod snapshot;
pub(crate) mod stats;
pub(crate) mod time;
pub(crate) mod trust;
pub(crate) mod uninstall;
pub(crate) mod verify;

use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Input that a command cannot use.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("cannot read {path:?}")]
    Read { path: PathBuf, source: io::Error },
    #[error("{path:?} is not a regular file")]
    NotAFile { path: PathBuf },
    #[error("{path:?} is not UTF-8 (byte {at})")]
    NotText { path: PathBuf, at: usize },
}

/// Reads a text file, or standard input for `-`.
fn read_text(path: &Path) -> Result<String, InputError> {
    let failed = |source| InputError::Read {
        path: path.into(),
        source,
    };
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().read_to_end(&mut bytes).map_err(failed)?;
    } else {
        // A pipe that nobody writes to would never end.
        if !fs::metadata(path).map_err(failed)?.is_file() {
            return Err(InputError::NotAFile { path: path.into() });
        }
        bytes = fs::read(path).map_err(failed)?;
    }
    String::from_utf8(bytes).map_err(|error| InputError::NotText {
        path: path.into(),
        at: error.utf8_error().valid_up_to(),
    })
}

fn to_json(value: &impl serde::Serialize) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    serde_json::to_string_pretty(value).unwrap_or_default()
}

/// A number with the name of what it counts.
fn counted(number: usize, name: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {name}{plural}")
}

/// The word that an enum has in JSON.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}
