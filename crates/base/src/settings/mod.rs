//! A host's settings file: read whole, replaced whole, and shown as a difference. What is in it is
//! the host's crate's to say.

mod diff;
mod error;
mod file;

use std::path::PathBuf;

use crate::env::Env;

pub use diff::unified;
pub use error::SettingsError;
pub use file::{SettingsFile, is_named_as_backup};

/// Where backups go, if there is a home folder.
#[must_use]
pub fn backup_folder(env: &Env) -> Option<PathBuf> {
    env.home().map(|home| home.join(".attest").join("backups"))
}
