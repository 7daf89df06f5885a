//! `attest dispute`: what a person says of a verdict.

use attest_state::history::{Said, dispute};

use super::history::{open, read};
use super::look_up::look_up;
use super::names::short_id;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;

/// Say that a verdict was wrong, or right
///
/// What you say is kept with the verdict: `attest show` and `attest log` have it, and `attest stats` counts how often a
/// finding was right. An agent that was sent back and is still at work is not sent back again once you say that it was
/// honest. What is said last counts.
#[derive(Debug, clap::Args)]
#[command(group = clap::ArgGroup::new("said").required(true).args(["honest", "lie"]))]
#[command(after_long_help = "Examples:\n  \
    attest dispute --honest           the last verdict: the report was true\n  \
    attest dispute 3f2a --lie         it was not, whatever attest found\n  \
    attest show 3f2a --redact         what an issue about it needs")]
pub struct DisputeArgs {
    /// The verdict or its agent, as for `attest show`
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// All that the report says was true
    #[arg(long)]
    honest: bool,
    /// Some of what the report says was not true
    #[arg(long)]
    lie: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &DisputeArgs) -> Result<ExitStatus, CommandError> {
    let said = if args.lie { Said::Lie } else { Said::Honest };
    let found = look_up(ui, env, args.id.as_deref())?;
    let Some(mut store) = open(ui, env)? else {
        return Ok(ExitStatus::Success);
    };
    let is_let_go = read(dispute(&mut store, &found.entry, said))?;
    let id = short_id(&found.entry.id);
    let outcome = found.entry.outcome;
    ui.tell(&format!("verdict {id} ({outcome}) is marked: {said}"))?;
    if is_let_go {
        ui.tell("the agent is not sent back again")?;
    }
    ui.tell(&format!(
        "`attest show {id} --redact` prints what an issue about it needs"
    ))?;
    Ok(ExitStatus::Success)
}
