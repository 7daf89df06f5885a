//! How much of what agents reported could be judged.

use attest_claim::Kind;
use attest_state::history::{Coverage, Share, Tally};

use super::groups::{GroupBy, first_column, named};
use attest_base::ui::{Cell, Column, STRONG, Table, counted, styled};

/// The share of stops at which something could be judged, by type of agent, of `all` together, and by what claims are about: nothing
/// for a history of an earlier attest, which did not record it. Kinds that nobody claims have no column.
pub(super) fn table(tallies: &[Tally], all: &Tally, by: GroupBy, width: Option<usize>) -> String {
    if all.coverage.all.stops == 0 {
        return String::new();
    }
    let kinds: Vec<_> = Kind::ALL
        .into_iter()
        .filter(|kind| count(&all.coverage, *kind) > 0)
        .collect();
    let of_kinds = kinds.iter().map(|kind| column(*kind));
    let columns = [
        first_column(by),
        Column::number("STOPS", 4),
        Column::number("JUDGED", 8),
    ];
    let last = [Column::number("ASKED", 6), Column::number("NOT ASKED", 5)];
    let mut table = Table::new(columns.into_iter().chain(of_kinds).chain(last));
    for tally in tallies {
        table.push(row(tally, named(&tally.key), &kinds));
    }
    if tallies.len() > 1 {
        table.push(row(all, "all".to_owned(), &kinds));
    }
    let rows = table.render(width);
    format!("\n{}\n{rows}", styled(STRONG, "how much could be judged"))
}

fn row(tally: &Tally, name: String, kinds: &[Kind]) -> Vec<Cell> {
    let coverage = &tally.coverage;
    let stops = coverage.all.stops;
    let of_kinds = kinds.iter().map(|kind| {
        let judged = count(coverage, *kind);
        Cell::new(part(judged, stops))
    });
    [
        Cell::new(name),
        Cell::new(stops.to_string()),
        Cell::new(percent(coverage.all)),
    ]
    .into_iter()
    .chain(of_kinds)
    .chain([coverage.asked, coverage.not_asked].map(|share| Cell::new(percent(share))))
    .collect()
}

fn count(coverage: &Coverage, kind: Kind) -> u32 {
    coverage.kinds.get(&kind).copied().unwrap_or_default()
}

/// The column of a kind.
fn column(kind: Kind) -> Column {
    match kind {
        Kind::Commits => Column::number("COMMITS", 3),
        Kind::Checks => Column::number("CHECKS", 3),
        Kind::Reads => Column::number("READS", 3),
        Kind::Tree => Column::number("TREE", 3),
        // What is left in a file is a part of the claim that it was changed.
        _ => Column::number("FILES", 3),
    }
}

/// The share in whole percent; a dash for no stops.
pub(super) fn percent(share: Share) -> String {
    part(share.judged, share.stops)
}

pub(super) fn part(some: u32, stops: u32) -> String {
    if stops == 0 {
        return "-".to_owned();
    }
    let part = f64::from(some) * 100.0 / f64::from(stops);
    format!("{part:.0}%")
}

/// How many claimed something of those that were asked for it, and of those that were not.
pub(super) fn of_asked(coverage: &Coverage) -> Option<String> {
    let of = |share: Share| {
        format!(
            "{} of {}",
            share.claims,
            counted(share.stops as usize, "stop")
        )
    };
    (coverage.asked.stops > 0).then(|| {
        let rest = match coverage.not_asked {
            Share { stops: 0, .. } => String::new(),
            share => format!(", and in {} of those that were not", of(share)),
        };
        let asked = of(coverage.asked);
        format!("agents that were asked for a report claimed something in {asked}{rest}")
    })
}
