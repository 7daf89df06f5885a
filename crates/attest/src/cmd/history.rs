//! What the commands that show the history share: the state file, the filters, the errors.

use std::path::{Path, PathBuf};

use attest_snapshot::{Limits, Repository, Unreadable};
use attest_state::history::{Filter, LookupError};
use attest_state::{Store, StoreError};
use attest_verdict::Outcome;
use jiff::Timestamp;

use super::time;
use crate::config::Config;
use crate::env::Env;
use crate::log::Log;
use crate::state;

/// Digits of an id that lists show; the whole of it is never needed.
pub(super) const SHORT_ID: usize = 8;

#[derive(Debug, thiserror::Error)]
pub(crate) enum HistoryError {
    #[error("no state file: HOME is not set")]
    NoStateFile,
    #[error("cannot use the state file {path:?}")]
    Store { path: PathBuf, source: StoreError },
    #[error("cannot read the history")]
    Read(#[from] StoreError),
    #[error(transparent)]
    Lookup(#[from] LookupError),
    #[error("{path:?} is in no repository")]
    Repository { path: PathBuf, source: Unreadable },
    #[error("cannot write {path:?}")]
    Write {
        path: PathBuf,
        source: std::io::Error,
    },
}

impl HistoryError {
    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NoStateFile => Some("set HOME, or ATTEST_STATE_DB to an absolute path"),
            Self::Store { .. } | Self::Read(_) => Some("`attest doctor` checks the state file"),
            Self::Lookup(LookupError::Unknown(_)) => Some("`attest log` lists the ids"),
            Self::Lookup(LookupError::Ambiguous { .. }) => Some("give more digits of one of them"),
            Self::Lookup(LookupError::Empty) => Some(
                "a verdict is recorded when a subagent stops; `attest doctor` checks the hooks",
            ),
            Self::Lookup(_) | Self::Repository { .. } | Self::Write { .. } => None,
        }
    }
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
    pub(super) fn filter(&self) -> Result<Filter, HistoryError> {
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

fn common_dir(folder: &Path) -> Result<PathBuf, HistoryError> {
    match Repository::discover(folder, &Limits::default()) {
        Ok(repository) => Ok(repository.common_dir),
        Err(source) => Err(HistoryError::Repository {
            path: folder.to_owned(),
            source,
        }),
    }
}

/// Where the state file is, whether there is one or not.
pub(super) struct Place {
    path: PathBuf,
    log: Log,
}

impl Place {
    /// Reads the settings, and tells the person what of them cannot be read.
    pub(super) fn of(env: &Env) -> Result<Self, HistoryError> {
        let config = Config::of_command(env);
        let log = Log::new(&config, "history");
        let path = config.state_db.ok_or(HistoryError::NoStateFile)?;
        Ok(Self { path, log })
    }

    /// The state file; `None` where there is none yet.
    pub(super) fn open(&self) -> Result<Option<Store>, HistoryError> {
        if !self.path.exists() {
            return Ok(None);
        }
        let opened = state::open(&self.path, &self.log).map(Some);
        opened.map_err(|source| HistoryError::Store {
            path: self.path.clone(),
            source,
        })
    }
}

/// The state file; `None` where there is none yet.
pub(super) fn open(env: &Env) -> Result<Option<Store>, HistoryError> {
    Place::of(env)?.open()
}

/// A repository by the folder that a person knows it by.
pub(super) fn repository_name(common_dir: &Path) -> &Path {
    match (common_dir.file_name(), common_dir.parent()) {
        (Some(name), Some(parent)) if name == ".git" => parent,
        _ => common_dir,
    }
}
