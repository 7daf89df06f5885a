//! Whether a person lets a criteria file run its commands.

use attest_state::trust::is_trusted;
use attest_state::{Store, StoreError};

use super::{CriteriaFile, Foreign};

/// Whether a person lets a file run its commands.
#[derive(Debug)]
pub enum Trust {
    /// This content, in this place.
    Given,
    /// Nobody has said so yet.
    Missing,
    /// Nobody can: it is somebody else's.
    Refused(Foreign),
}

/// Whether a person lets this file run its commands where it is.
pub fn trust_in(store: &Store, file: &CriteriaFile) -> Result<Trust, StoreError> {
    if let Err(foreign) = file.check_owner() {
        return Ok(Trust::Refused(foreign));
    }
    let is_given = is_trusted(store, &file.place, &file.sha256)?;
    Ok(if is_given {
        Trust::Given
    } else {
        Trust::Missing
    })
}
