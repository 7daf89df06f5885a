//! The state file as a command uses it.

use std::path::PathBuf;
use std::{fs, io};

use attest_state::{Store, StoreError};
use thiserror::Error;

use crate::config::Config;
use crate::error::{CommandError, Hint as _};
use crate::log::Log;
use crate::state;

#[derive(Debug, Error)]
enum StateFileError {
    #[error("no state file: there is no home folder")]
    Missing,
    #[error("cannot use the state file {path:?}")]
    Unusable { path: PathBuf, source: StoreError },
}

/// Where the state file is, whether there is one or not.
pub struct StateFile {
    /// Where it is.
    pub path: PathBuf,
    log: Log,
}

impl StateFile {
    /// `command` is what the log calls whoever uses it.
    pub fn of(config: &Config, command: &'static str) -> Result<Self, CommandError> {
        let path = config.state_db.clone().ok_or(StateFileError::Missing);
        Ok(Self {
            path: path.hint("set HOME or ATTEST_STATE_DB to an absolute path")?,
            log: config.log(command),
        })
    }

    /// Makes it if it is not there yet.
    pub fn open(&self) -> Result<Store, CommandError> {
        self.used(state::open(&self.path, &self.log))
    }

    /// `None` if it is not there yet: looking makes no file.
    pub fn open_if_there(&self) -> Result<Option<Store>, CommandError> {
        // One that may not be looked at is there, as far as is known.
        let looked = fs::symlink_metadata(&self.path);
        let is_missing = looked.is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        if is_missing {
            return Ok(None);
        }
        let store = self.open()?;
        self.used(store.expect_much())?;
        Ok(Some(store))
    }

    /// What came of a use of it.
    pub fn used<T>(&self, result: Result<T, StoreError>) -> Result<T, CommandError> {
        result.map_err(|source| {
            let (hint, path) = (source.hint(), self.path.clone());
            CommandError::from(StateFileError::Unusable { path, source }).hinted(hint)
        })
    }
}
