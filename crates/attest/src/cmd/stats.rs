//! `attest stats`: how often agents of each type were right.

use std::collections::BTreeMap;

use attest_snapshot::escaped;
use attest_state::history::{self, Coverage, Tally};

use super::hindered;
use super::history::{FilterArgs, open, read, titled};
use super::{ExitStatus, counted, coverage, explain};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{Cell, Column, STRONG, Table, Ui, hanging, styled};

/// Count agents, claims and false DONEs by type of agent
///
/// AGENTS, CLAIMS, FALSE and RATE count agents: all, those that claimed something, those of which a DONE was false,
/// and how many of a hundred that claimed something these are. So they do not change with enforcement, under which
/// an agent may stop several times. BLOCKED counts the times that an agent was sent back; FIXED, WITHDRAWN and
/// REPEATED say what became of that. JUDGED is the share of stops at which something that was claimed could be borne
/// out or contradicted, beside it the share by what was claimed, and under ASKED and NOT ASKED that of agents which
/// were, and were not, asked for a report at their start.
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
        Column::number("AGENTS", 5),
        Column::number("CLAIMS", 6),
        Column::number("FALSE", 8),
        Column::number("RATE", 7),
        Column::number("BLOCKED", 4),
        Column::number("FIXED", 3),
        Column::number("WITHDRAWN", 1),
        Column::number("REPEATED", 2),
        Column::bar("FALSE AMONG CLAIMS", 0),
    ]);
    for tally in tallies {
        table.push(row(tally));
    }
    let total = total(tallies);
    if tallies.len() > 1 {
        table.push(row(&total));
    }
    table.render(width)
        + &coverage::table(tallies, &total, width)
        + &lost(&total, width)
        + &doubts(&total, width)
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
            Cell::new(explain::meaning_of_doubt(word)),
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
        number(tally.agents),
        number(tally.agents_with_claim),
        number(tally.agents_with_false_done),
        Cell::new(rate(tally)),
        number(tally.blocked),
        number(tally.fixed),
        number(tally.withdrawn),
        number(tally.repeated),
        Cell::bar(tally.agents_with_false_done, tally.agents_with_claim),
    ]
}

pub(super) fn total(tallies: &[Tally]) -> Tally {
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum();
    let mut doubts = BTreeMap::new();
    for (word, count) in tallies.iter().flat_map(|tally| &tally.doubts) {
        *doubts.entry(word.clone()).or_default() += count;
    }
    let mut coverage = Coverage::default();
    for tally in tallies {
        coverage.add(&tally.coverage);
    }
    Tally {
        agent_type: Some("all".to_owned()),
        agents: sum(|tally| tally.agents),
        agents_with_claim: sum(|tally| tally.agents_with_claim),
        agents_with_false_done: sum(|tally| tally.agents_with_false_done),
        stops: sum(|tally| tally.stops),
        claims: sum(|tally| tally.claims),
        false_dones: sum(|tally| tally.false_dones),
        blocked: sum(|tally| tally.blocked),
        fixed: sum(|tally| tally.fixed),
        withdrawn: sum(|tally| tally.withdrawn),
        repeated: sum(|tally| tally.repeated),
        unanswered: sum(|tally| tally.unanswered),
        lost_to_dirty_start: sum(|tally| tally.lost_to_dirty_start),
        coverage,
        doubts,
    }
}

/// The share of agents with a false DONE among those with a claim, in percent.
pub(super) fn rate(tally: &Tally) -> String {
    let (part, whole) = (tally.agents_with_false_done, tally.agents_with_claim);
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1}%", f64::from(part) * 100.0 / f64::from(whole))
}
