//! How a command ends.

use std::process::ExitCode;

use crate::criteria::INTERRUPTED;

/// How a command ends that did what it was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// It did.
    Success,
    /// A check of attest's own installation failed.
    Failure,
    /// What was judged is not so: a false DONE under `verify --exit-code`, criteria that are not met.
    Refuted,
    /// There was nothing that could be judged.
    Nothing,
    /// A person interrupted it, and it gave what there was.
    Interrupted,
}

impl From<ExitStatus> for ExitCode {
    fn from(status: ExitStatus) -> Self {
        Self::from(match status {
            ExitStatus::Success => 0,
            ExitStatus::Failure => 1,
            ExitStatus::Refuted => 3,
            ExitStatus::Nothing => 4,
            ExitStatus::Interrupted => INTERRUPTED,
        })
    }
}
