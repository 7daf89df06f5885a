//! Whether a person lets the commands of a criteria file run.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use attest_checklist::{Criteria, Uncovered, uncovered};
use attest_snapshot::{Moment, escaped, path_bytes};
use attest_state::{StoreError, trust};
use thiserror::Error;

use crate::config::Config;
use crate::criteria::{self, CriteriaFile, Foreign, Trust};
use crate::log::Log;
use crate::shell_word::shell_word;
use crate::state;

/// Why the commands do not run.
#[derive(Debug, Error)]
pub(crate) enum ConsentError {
    #[error("{path:?} is not trusted here, and its content may run commands")]
    Untrusted { path: PathBuf },
    #[error("only what is your own can be trusted to run commands")]
    Foreign(#[source] Foreign),
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
                let path = shell_word(&path_bytes(path));
                Some(format!(
                    "see what it runs with `attest trust --show {path}`, allow it with `attest trust \
                     {path}`, or run it this once with --yes"
                ))
            }
            Self::Foreign(_) => Some(
                "--yes runs it this once, after you have looked at it with `attest trust --show`"
                    .to_owned(),
            ),
            Self::NoStateFile | Self::Store { .. } => {
                Some("--yes runs it this once, without the state file".to_owned())
            }
            Self::Refused | Self::Terminal(_) => None,
        }
    }
}

/// Goes on where the file is trusted already, or a person at the terminal now says so.
pub(super) fn obtain(
    file: &CriteriaFile,
    criteria: &Criteria,
    config: &Config,
) -> Result<(), ConsentError> {
    match trust_of(file, config)? {
        Trust::Given => return Ok(()),
        Trust::Refused(foreign) => return Err(ConsentError::Foreign(foreign)),
        Trust::Missing => {}
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

fn trust_of(file: &CriteriaFile, config: &Config) -> Result<Trust, ConsentError> {
    let path = config.state_db.as_ref().ok_or(ConsentError::NoStateFile)?;
    let failed = |source| ConsentError::Store {
        path: path.clone(),
        source,
    };
    // Looking makes no file.
    if !path.exists() {
        let owned = file.check_owner();
        return Ok(owned.map_or_else(Trust::Refused, |()| Trust::Missing));
    }
    let log = Log::new(config, "check");
    let store = state::open(path, &log).map_err(failed)?;
    criteria::trust_in(&store, file).map_err(failed)
}

/// Lets the commands of this content run in this place from now on.
pub(crate) fn remember(file: &CriteriaFile, config: &Config) -> Result<(), ConsentError> {
    file.check_owner().map_err(ConsentError::Foreign)?;
    let path = config.state_db.as_ref().ok_or(ConsentError::NoStateFile)?;
    let log = Log::new(config, "trust");
    let trusted = state::open(path, &log)
        .and_then(|mut store| trust::trust(&mut store, &file.content(), Moment::now().wall_ns));
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
        "Run this here, now and whenever the file is the same? [y/N] "
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

/// Every command of the file, one a line, and what these run that trust does not cover; as a person can
/// read it without danger.
pub(crate) fn commands(file: &CriteriaFile, criteria: &Criteria) -> String {
    let mut text = format!("{}\n", escaped(&path_bytes(&file.path)));
    let mut not_covered = BTreeSet::new();
    for (name, check) in criteria.checks() {
        let name = escaped(name.as_bytes());
        for line in check.commands() {
            text.push_str(&format!("  {name}: {}\n", escaped(line.as_bytes())));
            not_covered.extend(uncovered(line).iter().map(not_covered_line));
        }
    }
    if criteria
        .checks()
        .iter()
        .all(|(_, check)| check.commands().next().is_none())
    {
        text.push_str("  runs no command\n");
    }
    text.extend(not_covered);
    text
}

fn not_covered_line(uncovered: &Uncovered) -> String {
    let Uncovered { command, runs } = uncovered;
    let (command, runs) = (escaped(command.as_bytes()), escaped(runs.as_bytes()));
    format!("  not covered: `{command}` runs {runs}, which can change without asking again\n")
}
