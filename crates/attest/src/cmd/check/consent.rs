//! Whether a person lets the commands of a criteria file run.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use attest_checklist::Criteria;
use attest_snapshot::{Moment, escaped, path_bytes};
use attest_store::StoreError;
use thiserror::Error;

use crate::config::Config;
use crate::criteria::{self, CriteriaFile};
use crate::log::Log;
use crate::state;

/// Why the commands do not run.
#[derive(Debug, Error)]
pub(crate) enum ConsentError {
    #[error("{path:?} is not trusted, and its content may run commands")]
    Untrusted { path: PathBuf },
    #[error("nothing was run")]
    Refused,
    #[error("no state file: HOME is not set")]
    NoStateFile,
    #[error("cannot use the state file {path:?}")]
    Store { path: PathBuf, source: StoreError },
    #[error("cannot ask")]
    Terminal(#[source] io::Error),
}

impl ConsentError {
    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        match self {
            Self::Untrusted { path } => {
                let path = escaped(&path_bytes(path));
                Some(format!(
                    "see what it runs with `attest trust --show {path}`, allow it with `attest trust \
                     {path}`, or run it this once with --yes"
                ))
            }
            Self::NoStateFile | Self::Store { .. } => {
                Some("--yes runs it this once, without the state file".to_owned())
            }
            Self::Refused | Self::Terminal(_) => None,
        }
    }
}

/// Goes on where the content is trusted already, or a person at the terminal now says so.
pub(super) fn obtain(
    file: &CriteriaFile,
    criteria: &Criteria,
    config: &Config,
) -> Result<(), ConsentError> {
    if is_trusted(file, config)? {
        return Ok(());
    }
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(ConsentError::Untrusted {
            path: file.path.clone(),
        });
    }
    if !ask(file, criteria).map_err(ConsentError::Terminal)? {
        return Err(ConsentError::Refused);
    }
    remember(file, config)
}

fn is_trusted(file: &CriteriaFile, config: &Config) -> Result<bool, ConsentError> {
    let path = config.state_db.as_ref().ok_or(ConsentError::NoStateFile)?;
    let failed = |source| ConsentError::Store {
        path: path.clone(),
        source,
    };
    // Looking makes no file.
    if !path.exists() {
        return Ok(false);
    }
    let log = Log::new(config, "check");
    let store = state::open(path, &log).map_err(failed)?;
    criteria::is_trusted(store.connection(), &file.sha256).map_err(failed)
}

/// Lets the commands of this content run from now on.
pub(crate) fn remember(file: &CriteriaFile, config: &Config) -> Result<(), ConsentError> {
    let path = config.state_db.as_ref().ok_or(ConsentError::NoStateFile)?;
    let log = Log::new(config, "trust");
    let trusted = state::open(path, &log).and_then(|mut store| {
        store.write_durably(|transaction| criteria::trust(transaction, file, Moment::now().wall_ns))
    });
    trusted.map_err(|source| ConsentError::Store {
        path: path.clone(),
        source,
    })
}

fn ask(file: &CriteriaFile, criteria: &Criteria) -> io::Result<bool> {
    let mut err = anstream::stderr().lock();
    write!(err, "{}", commands(file, criteria))?;
    write!(
        err,
        "Run this, now and whenever the file is the same? [y/N] "
    )?;
    err.flush()?;
    drop(err);
    let mut answer = String::new();
    io::stdin().read_line(&mut answer)?;
    Ok(matches!(
        answer.trim().to_ascii_lowercase().as_str(),
        "y" | "yes"
    ))
}

/// Every command of the file, one a line, as a person can read it without danger.
pub(crate) fn commands(file: &CriteriaFile, criteria: &Criteria) -> String {
    let mut text = format!("{}\n", escaped(&path_bytes(&file.path)));
    let mut count = 0;
    for (name, check) in criteria.checks() {
        for command in check.commands() {
            count += 1;
            let (name, command) = (escaped(name.as_bytes()), escaped(command.as_bytes()));
            text.push_str(&format!("  {name}: {command}\n"));
        }
    }
    if count == 0 {
        text.push_str("  runs no command\n");
    }
    text
}
