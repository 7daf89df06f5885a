//! The state file as a command uses it.

use std::path::PathBuf;

use attest_state::{Store, StoreError};
use thiserror::Error;

use crate::config::Config;
use crate::error::{CommandError, Hint as _};
use crate::log::Log;
use crate::state;

const ASK_DOCTOR: &str = "`attest doctor` checks the state file";

#[derive(Debug, Error)]
enum StateFileError {
    #[error("no state file: HOME is not set")]
    Missing,
    #[error("cannot use the state file {path:?}")]
    Unusable { path: PathBuf, source: StoreError },
}

/// Where the state file is, whether there is one or not.
pub(super) struct StateFile {
    pub(super) path: PathBuf,
    log: Log,
}

impl StateFile {
    /// `command` is what the log calls whoever uses it.
    pub(super) fn of(config: &Config, command: &'static str) -> Result<Self, CommandError> {
        let path = config.state_db.clone().ok_or(StateFileError::Missing);
        Ok(Self {
            path: path.hint("set HOME, or ATTEST_STATE_DB to an absolute path")?,
            log: config.log(command),
        })
    }

    /// Makes it if it is not there yet.
    pub(super) fn open(&self) -> Result<Store, CommandError> {
        self.used(state::open(&self.path, &self.log))
    }

    /// `None` if it is not there yet: looking makes no file.
    pub(super) fn open_if_there(&self) -> Result<Option<Store>, CommandError> {
        let is_there = self.path.exists();
        is_there.then(|| self.open()).transpose()
    }

    /// What came of a use of it.
    pub(super) fn used<T>(&self, result: Result<T, StoreError>) -> Result<T, CommandError> {
        let path = self.path.clone();
        let result = result.map_err(|source| StateFileError::Unusable { path, source });
        result.hint(ASK_DOCTOR)
    }
}
