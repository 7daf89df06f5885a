//! The rows of `attest stats`.

use attest_snapshot::escaped;
use attest_state::history::{Key, Rate, Stats, Tally};

use super::question::{Asked, GroupBy};
use crate::cmd::history::shown_repository;
use crate::ui::{Cell, Column, Table, Ui, sparkline};

/// Of fewer agents than this a share in percent would say more than is known.
pub(crate) const FEW: u32 = 20;

pub(super) fn table(
    rows: &[(&Tally, Option<String>)],
    stats: &Stats,
    asked: &Asked<'_>,
    ui: &Ui,
) -> String {
    let mut columns = vec![first_column(asked.by)];
    columns.extend([
        Column::number("AGENTS", 5),
        Column::number("CLAIMS", 7),
        Column::number("FALSE", 9),
        Column::number("RATE", 8),
    ]);
    if asked.has_changes() {
        columns.push(Column::number("CHANGE", 7));
    }
    let has_line = !asked.by.is_of_time();
    if has_line {
        columns.push(Column::whole("OVER TIME", 6));
    }
    columns.extend([
        Column::number("BLOCKED", 4),
        Column::number("FIXED", 3),
        Column::number("WITHDRAWN", 1),
        Column::number("REPEATED", 2),
        Column::bar("FALSE AMONG CLAIMS", 0),
    ]);
    let all = (asked.by.has_sum() && rows.len() > 1).then(|| {
        let before = stats.all.before.filter(|_| !asked.by.is_of_time());
        let change = before.and_then(|before| change(before, stats.all.rate()));
        (&stats.all, change)
    });
    let mut table = Table::new(columns);
    // What is of few agents would make all others flat.
    let is_enough = |tally: &&Tally| tally.agents_with_claim >= FEW;
    let enough = rows.iter().map(|(tally, _)| *tally).filter(is_enough);
    let highest = match enough.clone().next() {
        Some(_) => enough
            .flat_map(|tally| &tally.over_time)
            .collect::<Vec<_>>(),
        None => rows
            .iter()
            .flat_map(|(tally, _)| &tally.over_time)
            .collect(),
    };
    let highest = highest.into_iter();
    let highest = highest.filter_map(|part| share(*part)).fold(0.0, f64::max);
    let named = rows.iter().map(|row| (row, named(&row.0.key)));
    let all = all.as_ref().map(|row| (row, "all".to_owned()));
    for ((tally, change), name) in named.chain(all) {
        let mut cells = vec![Cell::new(name)];
        cells.extend(agents(tally));
        if asked.has_changes() {
            cells.push(Cell::or_dash(change.clone()));
        }
        if has_line {
            let parts = tally.over_time.iter().map(|part| share(*part));
            cells.push(Cell::new(sparkline(parts, highest, ui.has_blocks())));
        }
        cells.extend(blocks(tally));
        table.push(cells);
    }
    table.render(ui.width())
}

pub(crate) fn first_column(by: GroupBy) -> Column {
    match by {
        GroupBy::Type => Column::name("TYPE", 10),
        GroupBy::Repository => Column::path("REPOSITORY", 10),
        GroupBy::Host => Column::name("HOST", 10),
        GroupBy::Day => Column::whole("DAY", 10),
        GroupBy::Week => Column::whole("WEEK", 10),
        GroupBy::Reason => Column::name("REASON", 10),
        GroupBy::Claim => Column::name("CLAIM", 10),
    }
}

/// What a row is called, safe to print.
pub(crate) fn named(key: &Key) -> String {
    let or_dash = |text: Option<&str>| escaped(text.unwrap_or("-").as_bytes());
    match key {
        Key::AgentType(name) | Key::Host(name) => or_dash(name.as_deref()),
        Key::Repository(path) => path
            .as_deref()
            .map_or_else(|| "-".to_owned(), shown_repository),
        Key::Reason(word) => or_dash(*word),
        Key::Claim(kind) => or_dash(kind.map(|kind| kind.as_str())),
        Key::Day(name) | Key::Week(name) => escaped(name.as_bytes()),
    }
}

fn agents(tally: &Tally) -> [Cell; 4] {
    let number = |number: u32| Cell::new(number.to_string());
    [
        number(tally.agents),
        number(tally.agents_with_claim),
        number(tally.agents_with_false_done),
        Cell::new(rate(tally.rate())),
    ]
}

fn blocks(tally: &Tally) -> [Cell; 5] {
    let number = |number: u32| Cell::new(number.to_string());
    [
        number(tally.blocked),
        number(tally.fixed),
        number(tally.withdrawn),
        number(tally.repeated),
        Cell::bar(tally.agents_with_false_done, tally.agents_with_claim),
    ]
}

/// The share of agents with a false DONE among those with a claim, in percent; of none there is no share.
pub(super) fn share(rate: Rate) -> Option<f64> {
    let (part, whole) = (rate.agents_with_false_done, rate.agents_with_claim);
    (whole > 0).then(|| f64::from(part) * 100.0 / f64::from(whole))
}

/// The same in words: of few agents it says of how many.
pub(crate) fn rate(rate: Rate) -> String {
    let (part, whole) = (rate.agents_with_false_done, rate.agents_with_claim);
    match share(rate) {
        None => "-".to_owned(),
        Some(_) if whole < FEW => format!("{part} of {whole}"),
        Some(share) => format!("{share:.1}%"),
    }
}

/// What a rate was, or how many points of a hundred it has gained or lost since if there were agents enough.
pub(crate) fn change(before: Rate, now: Rate) -> Option<String> {
    let (was, is) = (share(before)?, share(now)?);
    let is_few = before.agents_with_claim.min(now.agents_with_claim) < FEW;
    Some(match is_few {
        true => format!("was {}", rate(before)),
        false => format!("{:+.1}", is - was),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_few_agents_says_of_how_many() {
        let of = |part, whole| Rate {
            agents_with_claim: whole,
            agents_with_false_done: part,
        };
        assert_eq!(rate(of(1, 3)), "1 of 3");
        assert_eq!(rate(of(0, 0)), "-");
        assert_eq!(rate(of(10, 40)), "25.0%");
        assert_eq!(change(of(10, 40), of(20, 40)).unwrap(), "+25.0");
        assert_eq!(change(of(1, 3), of(20, 40)).unwrap(), "was 1 of 3");
        assert_eq!(change(of(10, 40), of(1, 3)).unwrap(), "was 25.0%");
        assert_eq!(change(of(0, 0), of(1, 3)), None);
    }
}
