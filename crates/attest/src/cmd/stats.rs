//! `attest stats`: how often agents of each type were right.

use attest_snapshot::escaped;
use attest_state::history::{self, Tally};
use attest_verdict::Outcome;

use super::ExitStatus;
use super::history::{FilterArgs, open, read};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{FAINT, Ui, style_of, styled, table};

/// Cells of the chart.
const CHART: u32 = 20;

/// Count stops, claims and false DONEs by type of agent
#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &StatsArgs) -> Result<ExitStatus, CommandError> {
    let filter = args.filter.filter()?;
    let tallies = match open(ui, env)? {
        Some(store) => read(history::tally(&store, &filter))?,
        None => Vec::new(),
    };
    if args.json {
        ui.json(&tallies)?;
    } else if tallies.is_empty() {
        ui.say("no verdict is recorded")?;
    } else {
        ui.page(&text(&tallies, ui.width()))?;
    }
    Ok(ExitStatus::Success)
}

fn text(tallies: &[Tally], width: Option<usize>) -> String {
    let header = [
        "TYPE",
        "STOPS",
        "CLAIMS",
        "FALSE",
        "BLOCKED",
        "FIXED",
        "RATE",
        "FALSE AMONG CLAIMS",
    ];
    let mut rows: Vec<_> = tallies.iter().map(row).collect();
    if tallies.len() > 1 {
        rows.push(row(&total(tallies)));
    }
    table(&header, rows, width)
}

fn row(tally: &Tally) -> Vec<String> {
    let kind = tally.agent_type.as_deref().unwrap_or("-");
    let number = |number: u32| format!("{number:>5}");
    vec![
        escaped(kind.as_bytes()),
        number(tally.stops),
        number(tally.claims),
        number(tally.false_dones),
        number(tally.blocked),
        number(tally.fixed),
        rate(tally.false_dones, tally.claims),
        chart(tally.false_dones, tally.claims),
    ]
}

fn total(tallies: &[Tally]) -> Tally {
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum();
    Tally {
        agent_type: Some("all".to_owned()),
        stops: sum(|tally| tally.stops),
        claims: sum(|tally| tally.claims),
        false_dones: sum(|tally| tally.false_dones),
        blocked: sum(|tally| tally.blocked),
        fixed: sum(|tally| tally.fixed),
    }
}

/// A share in percent.
pub(super) fn rate(part: u32, whole: u32) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1}%", f64::from(part) * 100.0 / f64::from(whole))
}

/// A bar whose filled part is the share; what is not nothing is seen.
fn chart(part: u32, whole: u32) -> String {
    if whole == 0 {
        return String::new();
    }
    let share = u64::from(part) * u64::from(CHART);
    let filled = usize::try_from(share.div_ceil(u64::from(whole))).unwrap_or(0);
    let rest = (CHART as usize).saturating_sub(filled);
    format!(
        "{}{}",
        styled(style_of(Outcome::Mismatch), "█".repeat(filled)),
        styled(FAINT, "░".repeat(rest))
    )
}
