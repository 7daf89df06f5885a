//! Whether a person lets the commands of a criteria file run.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;

use attest_checklist::{Criteria, Uncovered, uncovered};
use attest_snapshot::{Moment, escaped, path_bytes};
use attest_state::trust;
use thiserror::Error;

use attest_base::config::Config;
use attest_base::criteria::{self, CriteriaFile, Foreign, Trust};
use attest_base::error::{CommandError, Hint as _};
use attest_base::shell_word::shell_word;
use attest_base::state_file::StateFile;
use attest_base::ui::Ui;

/// Why the commands do not run.
#[derive(Debug, Error)]
enum ConsentError {
    #[error("{path:?} is not trusted here, and its content may run commands")]
    Untrusted { path: PathBuf },
    #[error("only what is your own can be trusted to run commands")]
    Foreign(#[source] Foreign),
    #[error("nothing was run")]
    Refused,
    #[error("cannot ask")]
    Terminal(#[source] io::Error),
}

/// Goes on where the file is trusted already, or a person at the terminal now says so.
pub(super) fn obtain(
    ui: &mut Ui,
    file: &CriteriaFile,
    criteria: &Criteria,
    config: &Config,
) -> Result<(), CommandError> {
    // What runs nothing needs nobody's leave.
    if !criteria.has_commands() {
        return Ok(());
    }
    let trust = trust_of(file, config).hint("--yes runs it this once, without the state file")?;
    match trust {
        Trust::Given => return Ok(()),
        Trust::Refused(foreign) => return Err(not_ones_own(foreign)),
        Trust::Missing => {}
    }
    if !Ui::can_ask() {
        let path = shell_word(&path_bytes(&file.path));
        let untrusted = ConsentError::Untrusted {
            path: file.path.clone(),
        };
        return Err(CommandError::from(untrusted).hinted(format!(
            "see what it runs with `attest trust --show {path}`, allow it with `attest trust \
             {path}`, or run it this once with --yes"
        )));
    }
    let question =
        commands(file, criteria) + "Run this here, now and whenever the file is the same?";
    if !ui.ask(&question).map_err(ConsentError::Terminal)? {
        return Err(ConsentError::Refused.into());
    }
    remember(file, config)
}

fn not_ones_own(foreign: Foreign) -> CommandError {
    CommandError::from(ConsentError::Foreign(foreign))
        .hinted("--yes runs it this once, after you have looked at it with `attest trust --show`")
}

fn trust_of(file: &CriteriaFile, config: &Config) -> Result<Trust, CommandError> {
    let state = StateFile::of(config, "check")?;
    match state.open_if_there()? {
        None => Ok(file
            .check_owner()
            .map_or_else(Trust::Refused, |()| Trust::Missing)),
        Some(store) => state.used(criteria::trust_in(&store, file)),
    }
}

/// Lets the commands of this content run in this place from now on.
pub(crate) fn remember(file: &CriteriaFile, config: &Config) -> Result<(), CommandError> {
    file.check_owner().map_err(not_ones_own)?;
    let state = StateFile::of(config, "trust")?;
    let mut store = state.open()?;
    let now = Moment::now().wall_ns;
    state.used(trust::trust(&mut store, &file.place, &file.sha256, now))
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
    if !criteria.has_commands() {
        text.push_str("  runs no command\n");
    }
    text.extend(not_covered);
    for command in &criteria.own_checks {
        let command = escaped(command.as_bytes());
        text.push_str(&format!("  counts as a check: {command}\n"));
    }
    text
}

fn not_covered_line(uncovered: &Uncovered) -> String {
    let Uncovered { command, runs } = uncovered;
    let (command, runs) = (escaped(command.as_bytes()), escaped(runs.as_bytes()));
    format!("  not covered: `{command}` runs {runs}, which can change without asking again\n")
}
