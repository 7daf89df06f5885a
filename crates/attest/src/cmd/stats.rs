//! `attest stats`: how often agents of each type were right.

use std::collections::BTreeMap;

use attest_snapshot::escaped;
use attest_state::history::{self, Tally};

use super::hindered;
use super::history::{FilterArgs, open, read, titled};
use super::{ExitStatus, counted, explain};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{Cell, Column, STRONG, Table, Ui, hanging, styled};

/// Count stops, claims and false DONEs by type of agent
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest stats\n  \
    attest stats --all --since 30d\n  \
    attest stats --agent-type general-purpose --json")]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &StatsArgs) -> Result<ExitStatus, CommandError> {
    let scope = args.filter.scope()?;
    let store = open(ui, env)?;
    let tallies = match &store {
        Some(store) => read(history::tally(store, &scope.filter))?,
        None => Vec::new(),
    };
    if args.json {
        ui.json(&tallies)?;
    } else if tallies.is_empty() {
        scope.say_nothing(ui, store.as_ref())?;
    } else {
        let hindered = store
            .as_ref()
            .map(|store| history::hindered(store, &scope.filter));
        let hindered = hindered.map(read).transpose()?.unwrap_or_default();
        let width = ui.width();
        let lines = [
            hindered::unchecked(&hindered),
            hindered::late_gates(&hindered),
        ];
        let lines = lines.into_iter().flatten();
        let lines = lines.map(|line| format!("\n{}", hanging("", &line, width)));
        let text = text(&tallies, width) + &lines.collect::<String>();
        ui.page(&(titled(&scope, width) + &text))?;
    }
    Ok(ExitStatus::Success)
}

fn text(tallies: &[Tally], width: Option<usize>) -> String {
    let mut table = Table::new([
        Column::name("TYPE", 9),
        Column::number("STOPS", 5),
        Column::number("CLAIMS", 6),
        Column::number("FALSE", 8),
        Column::number("BLOCKED", 4),
        Column::number("FIXED", 3),
        Column::number("RATE", 7),
        Column::bar("FALSE AMONG CLAIMS", 2),
    ]);
    for tally in tallies {
        table.push(row(tally));
    }
    let total = total(tallies);
    if tallies.len() > 1 {
        table.push(row(&total));
    }
    table.render(width) + &lost(&total, width) + &doubts(&total, width)
}

/// What was let through although it was disproved, and how that changes.
fn lost(total: &Tally, width: Option<usize>) -> String {
    if total.lost_to_dirty_start == 0 {
        return String::new();
    }
    format!(
        "\n{}",
        hanging("", &dirty_start(total.lost_to_dirty_start), width)
    )
}

/// The blocks that uncommitted changes at the start took away, and the command that brings them back.
pub(super) fn dirty_start(count: u32) -> String {
    let what = counted(count as usize, "false DONE");
    let was = if count == 1 { "was" } else { "were" };
    format!(
        "{what} {was} not blocked because the work tree was dirty at the start: `attest enforce on` blocks them too"
    )
}

/// Why claimed paths proved nothing.
fn doubts(total: &Tally, width: Option<usize>) -> String {
    let mut table = Table::new([
        Column::whole("DOUBT", 9),
        Column::number("CLAIMS", 8),
        Column::prose("MEANING", 1),
    ]);
    let mut doubts: Vec<_> = total.doubts.iter().collect();
    doubts.sort_by(|a, b| b.1.cmp(a.1).then(a.0.cmp(b.0)));
    for (word, count) in doubts {
        table.push([
            Cell::new(escaped(word.as_bytes())),
            Cell::new(count.to_string()),
            Cell::new(explain::meaning(word).unwrap_or_default()),
        ]);
    }
    match table.unless_empty(width) {
        none if none.is_empty() => none,
        rows => format!("\n{}\n{rows}", styled(STRONG, "why claims proved nothing")),
    }
}

fn row(tally: &Tally) -> Vec<Cell> {
    let kind = tally.agent_type.as_deref().unwrap_or("-");
    let number = |number: u32| Cell::new(number.to_string());
    vec![
        Cell::new(escaped(kind.as_bytes())),
        number(tally.stops),
        number(tally.claims),
        number(tally.false_dones),
        number(tally.blocked),
        number(tally.fixed),
        Cell::new(rate(tally.false_dones, tally.claims)),
        Cell::bar(tally.false_dones, tally.claims),
    ]
}

fn total(tallies: &[Tally]) -> Tally {
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum();
    let mut doubts = BTreeMap::new();
    for (word, count) in tallies.iter().flat_map(|tally| &tally.doubts) {
        *doubts.entry(word.clone()).or_default() += count;
    }
    Tally {
        agent_type: Some("all".to_owned()),
        stops: sum(|tally| tally.stops),
        claims: sum(|tally| tally.claims),
        false_dones: sum(|tally| tally.false_dones),
        blocked: sum(|tally| tally.blocked),
        fixed: sum(|tally| tally.fixed),
        lost_to_dirty_start: sum(|tally| tally.lost_to_dirty_start),
        doubts,
    }
}

/// A share in percent.
pub(super) fn rate(part: u32, whole: u32) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1}%", f64::from(part) * 100.0 / f64::from(whole))
}
