//! `attest off` and `attest on`.

use std::io;
use std::path::PathBuf;

use attest_snapshot::Moment;
use attest_state::{Passed, Who, passed_since, record_while_off};
use clap::Args;
use thiserror::Error;

use attest_base::config::Config;
use attest_base::env::{self, Env, NoHome};
use attest_base::error::{CommandError, Hint as _};
use attest_base::exit_status::ExitStatus;
use attest_base::off::{self, Off};
use attest_base::state_file::StateFile;
use attest_base::ui::Ui;

/// Turn attest off, at once, in every host and in sessions that run
///
/// While it is off, no hook judges, blocks, asks or tells anything. `attest on` turns it on again and says how many stops
/// were not judged; an agent that began meanwhile is not judged either.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest off")]
pub struct OffArgs {}

/// Turn attest on again
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest on")]
pub struct OnArgs {}

#[derive(Debug, Error)]
enum OffError {
    #[error("there is no place for the file that turns attest off: {0}")]
    NoPlace(NoHome),
    #[error("cannot write {path:?}")]
    Write { path: PathBuf, source: io::Error },
    #[error("cannot remove {path:?}")]
    Remove { path: PathBuf, source: io::Error },
}

pub(super) fn turn_off(ui: &mut Ui, env: &Env, _: &OffArgs) -> Result<ExitStatus, CommandError> {
    let path = place(env)?;
    if let Some(off) = Off::read(env) {
        ui.say(&format!("attest is off already, {}", off.phrase()))?;
        return Ok(ExitStatus::Success);
    }
    let off = Off::now(env);
    let written = off.write(&path);
    written.map_err(|source| OffError::Write { path, source })?;
    record(ui, env, Passed::Off);
    ui.tell(
        "attest is off: no hook judges, blocks or tells anything, in sessions that run, too. \
         `attest on` turns it on again.",
    )?;
    Ok(ExitStatus::Success)
}

pub(super) fn turn_on(ui: &mut Ui, env: &Env, _: &OnArgs) -> Result<ExitStatus, CommandError> {
    let path = place(env)?;
    let Some(off) = Off::read(env) else {
        ui.say("attest is on")?;
        return Ok(ExitStatus::Success);
    };
    let removed = off::remove(&path);
    removed.map_err(|source| OffError::Remove { path, source })?;
    let store = record(ui, env, Passed::On);
    let passed = store.and_then(|store| passed_since(&store, off.since_ns()).ok());
    let passed = passed.map_or_else(String::new, |passed| format!(" {}", off::in_words(passed)));
    ui.tell(&format!(
        "attest is on again. It was off {}.{passed}",
        off.phrase()
    ))?;
    Ok(ExitStatus::Success)
}

fn place(env: &Env) -> Result<PathBuf, CommandError> {
    let why = env.home_or_why().err().unwrap_or(NoHome::Unset);
    let path = off::path(env).ok_or(OffError::NoPlace(why));
    path.hint("set HOME to an absolute path")
}

/// Leaves a row, for which off and on do not wait: what cannot be written is said.
fn record(ui: &mut Ui, env: &Env, passed: Passed) -> Option<attest_state::Store> {
    let config = Config::of_command(ui, env);
    let who = Who {
        session: env.text(env::SESSION),
        ..Who::default()
    };
    let now = Moment::now().wall_ns;
    let recorded = StateFile::of(&config, "off").and_then(|file| {
        let mut store = file.open()?;
        file.used(record_while_off(&mut store, passed, who, now))?;
        Ok(store)
    });
    match recorded {
        Ok(store) => Some(store),
        Err(error) => {
            ui.warn(&format!("it is not recorded: {}", error.plain()));
            None
        }
    }
}
