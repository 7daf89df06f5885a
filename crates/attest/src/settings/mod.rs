//! A host's settings file: read whole, replaced whole, and shown as a difference. What is in it is
//! the host's crate's to say.

mod diff;
mod error;
mod file;

pub(crate) use diff::unified;
pub(crate) use error::SettingsError;
pub(crate) use file::SettingsFile;
