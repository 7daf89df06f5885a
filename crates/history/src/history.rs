//! The history opened and read, and what a person is told if that fails.

use attest_state::history::LookupError;
use attest_state::{Store, StoreError};
use thiserror::Error;

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::state_file::StateFile;
use attest_base::ui::{Ui, counted};

#[derive(Debug, Error)]
#[error("cannot read the history")]
struct HistoryError(#[source] StoreError);

/// What was read of the history.
pub(super) fn read<T>(result: Result<T, StoreError>) -> Result<T, CommandError> {
    result.map_err(|error| {
        let hint = error.hint();
        CommandError::from(HistoryError(error)).hinted(hint)
    })
}

/// Why there is not the verdict that is asked for.
pub(super) fn not_found(error: LookupError) -> CommandError {
    let hint = match &error {
        LookupError::Unknown(_) => "`attest log` lists the ids",
        LookupError::Ambiguous { .. } => "give one of them, or more of its digits",
        LookupError::Empty => {
            "a verdict is recorded when a subagent stops; `attest doctor` checks the hooks"
        }
        LookupError::Store(error) => error.hint(),
        _ => "`attest doctor` checks the state file",
    };
    CommandError::from(error).hinted(hint)
}

/// The state file; `None` where there is none yet. The person is told what of the settings cannot be
/// read.
pub(super) fn open(ui: &mut Ui, env: &Env) -> Result<Option<Store>, CommandError> {
    place(ui, env)?.open_if_there()
}

/// Where the state file is.
pub(super) fn place(ui: &mut Ui, env: &Env) -> Result<StateFile, CommandError> {
    StateFile::of(&Config::of_command(ui, env), "history")
}

/// What to type if there are only verdicts of other repositories, or of none that is known.
pub(super) fn elsewhere(verdicts: u32) -> String {
    let verdicts = counted(verdicts as usize, "verdict");
    format!("`attest log --all` lists {verdicts} of other repositories or of none")
}
