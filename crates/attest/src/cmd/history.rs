//! What the commands that show the history share: opening it, the filters, the errors.

use std::path::{Path, PathBuf};

use attest_snapshot::{Limits, Repository, Unreadable};
use attest_state::history::{self, Detail, Entry, Filter, LookupError};
use attest_state::{Store, StoreError};
use attest_verdict::Outcome;
use jiff::Timestamp;
use thiserror::Error;

use super::state_file::StateFile;
use super::time;
use crate::config::Config;
use crate::env::Env;
use crate::error::{CommandError, Hint as _};
use crate::ui::Ui;

/// Digits of an id that lists show; the whole of it is never needed.
pub(super) const SHORT_ID: usize = 8;

#[derive(Debug, Error)]
#[error("cannot read the history")]
struct HistoryError(#[source] StoreError);

#[derive(Debug, Error)]
#[error("{path:?} is in no repository")]
struct RepositoryError {
    path: PathBuf,
    source: Unreadable,
}

/// What was read of the history.
pub(super) fn read<T>(result: Result<T, StoreError>) -> Result<T, CommandError> {
    result
        .map_err(HistoryError)
        .hint("`attest doctor` checks the state file")
}

/// Why there is not the verdict that is asked for.
pub(super) fn not_found(error: LookupError) -> CommandError {
    let hint = match &error {
        LookupError::Unknown(_) => "`attest log` lists the ids",
        LookupError::Ambiguous { .. } => "give more digits of one of them",
        LookupError::Empty => {
            "a verdict is recorded when a subagent stops; `attest doctor` checks the hooks"
        }
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

/// The options that narrow a list.
#[derive(Debug, clap::Args)]
pub(crate) struct FilterArgs {
    /// Only this session; the beginning of its id is enough
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Only this type of agent
    #[arg(long, value_name = "NAME")]
    agent_type: Option<String>,
    /// Only these outcomes, such as mismatch,blocked
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    outcome: Vec<Outcome>,
    /// Only the repository of this folder
    #[arg(long, value_name = "DIR")]
    repository: Option<PathBuf>,
    /// Only since then: an age such as 2h or 7d, a date, or a time in RFC 3339
    #[arg(long, value_name = "TIME", value_parser = time::parse_moment)]
    since: Option<Timestamp>,
    /// Only before then
    #[arg(long, value_name = "TIME", value_parser = time::parse_moment)]
    until: Option<Timestamp>,
}

impl FilterArgs {
    pub(super) fn filter(&self) -> Result<Filter, CommandError> {
        let repository = self.repository.as_deref().map(common_dir).transpose()?;
        Ok(Filter {
            session: self.session.clone(),
            agent_type: self.agent_type.clone(),
            outcomes: self.outcome.clone(),
            repository,
            since: self.since,
            until: self.until,
            ..Filter::default()
        })
    }
}

fn common_dir(folder: &Path) -> Result<PathBuf, CommandError> {
    let found = Repository::discover(folder, &Limits::default());
    let repository = found.map_err(|source| RepositoryError {
        path: folder.to_owned(),
        source,
    })?;
    Ok(repository.common_dir)
}

/// A repository by the folder that a person knows it by.
pub(super) fn repository_name(common_dir: &Path) -> &Path {
    match (common_dir.file_name(), common_dir.parent()) {
        (Some(name), Some(parent)) if name == ".git" => parent,
        _ => common_dir,
    }
}

/// The verdict that is asked for; the last one where none is named.
pub(super) fn look_up(
    ui: &mut Ui,
    env: &Env,
    id: Option<&str>,
) -> Result<(Entry, Detail), CommandError> {
    let found = match (open(ui, env)?, id) {
        (None, _) => Err(LookupError::Empty),
        (Some(store), Some(id)) => history::find(&store, id),
        (Some(store), None) => history::newest(&store),
    };
    found.map_err(not_found)
}
