//! Types of agents, and how often each was right.

use attest_state::history::{Key, Rate, Tally};
use maud::{Markup, html};

use super::Report;
use super::against::Against;
use super::parts::percent;
use crate::coverage::{part, percent as share};
use crate::groups::named;
use crate::rates::{FEW, rate};

pub(super) fn overview(report: &Report) -> Markup {
    let all = &report.all;
    let tiles = [
        ("Agents", all.agents.to_string()),
        ("With a claim", all.agents_with_claim.to_string()),
        ("With a false DONE", all.agents_with_false_done.to_string()),
        ("False among claims", rate(all.rate())),
        ("Sent back", all.blocked.to_string()),
        ("Mended it", all.agents_mended.to_string()),
        ("Stops that could be judged", share(all.coverage.all)),
    ];
    html! {
        section aria-labelledby="overview" {
            h2 id="overview" { "Overview" }
            dl.tiles {
                @for (name, number) in tiles {
                    div { dt { (name) } dd { (number) } }
                }
            }
            (report.against.sentence())
        }
    }
}

/// How much could be judged, by type and by what claims are about.
pub(super) fn coverage(report: &Report) -> Markup {
    let (all, tallies) = (&report.all, &report.types);
    let kinds = all.coverage.kinds.iter().filter(|(_, count)| **count > 0);
    let kinds: Vec<_> = kinds.map(|(kind, _)| *kind).collect();
    let of_kind = |tally: &Tally, kind| {
        let judged = tally.coverage.kinds.get(kind).copied().unwrap_or_default();
        let stops = tally.coverage.all.stops;
        part(judged, stops)
    };
    html! {
        @if all.coverage.all.stops > 0 {
            section aria-labelledby="coverage" {
                h2 id="coverage" { "How much could be judged" }
                p.soft { "At " strong { (share(all.coverage.all)) } " of the stops something that was claimed could be borne out or contradicted." }
                details {
                summary { "By type of agent" }
                table.cards {
                    thead {
                        tr {
                            th scope="col" { "Type" }
                            th.number scope="col" { "Stops" }
                            th.number scope="col" { "Judged" }
                            @for kind in &kinds { th.number scope="col" { (kind.as_str()) } }
                            th.number scope="col" { "Asked" }
                            th.number scope="col" { "Not asked" }
                        }
                    }
                    tbody {
                        @for tally in tallies {
                            tr {
                                th scope="row" { (name(&tally.key)) }
                                td.number data-label="Stops" { (tally.coverage.all.stops) }
                                td.number data-label="Judged" { (share(tally.coverage.all)) }
                                @for kind in &kinds { td.number data-label=(kind.as_str()) { (of_kind(tally, kind)) } }
                                td.number data-label="Asked" { (share(tally.coverage.asked)) }
                                td.number data-label="Not asked" { (share(tally.coverage.not_asked)) }
                            }
                        }
                    }
                }
                }
            }
        }
    }
}

/// What a row is called; those without a name say so.
pub(super) fn name(key: &Key) -> Markup {
    let nothing = match key {
        Key::AgentType(None) => "no type",
        Key::Repository(None) => "no repository",
        _ => return html! { code { (named(key)) } },
    };
    html! { (nothing) }
}

/// What a telephone has no room for.
const LESS: [&str; 3] = ["Agents", "Withdrawn", "Repeated"];

/// A heading where it stands beside each value.
fn short(column: &'static str) -> &'static str {
    match column {
        "With a claim" => "Claimed",
        "With a false DONE" => "False DONE",
        "False among claims" => "Rate",
        other => other,
    }
}

/// One row for each type or repository.
pub(super) fn section(
    id: &str,
    title: &str,
    what: &str,
    tallies: &[Tally],
    against: &Against,
) -> Markup {
    const COLUMNS: [&str; 9] = [
        "Agents",
        "With a claim",
        "With a false DONE",
        "False among claims",
        "Change",
        "Sent back",
        "Fixed",
        "Withdrawn",
        "Repeated",
    ];
    let is_enough = |tally: &&Tally| tally.agents_with_claim >= FEW;
    let highest = tallies.iter().filter(is_enough);
    let highest = highest.flat_map(|tally| &tally.over_time);
    let highest = highest.filter_map(|part| permille(*part)).max();
    // What is of few agents would make all others flat.
    let highest = highest.or(tallies.first().map(|_| 1000));
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (title) }
            @if tallies.is_empty() {
                p { "No stop is recorded." }
            } @else {
                p.soft {
                    "The lines go from the first stop to the last"
                    @if let Some(highest) = highest { ", and up to " ((highest + 9) / 10) "%" }
                    "."
                    @if against.has_any() { " Change is in points, against the time before." }
                }
                table.cards.rows {
                    thead {
                        tr {
                            th scope="col" { (what) }
                            @for column in COLUMNS { th.number scope="col" { (column) } }
                            th.bar.wide aria-hidden="true" { "Over time" }
                        }
                    }
                    tbody { @for tally in tallies { (row(tally, &COLUMNS, against, highest)) } }
                }
            }
        }
    }
}

fn row(
    tally: &Tally,
    columns: &[&'static str; 9],
    against: &Against,
    highest: Option<i64>,
) -> Markup {
    let values = [
        tally.agents.to_string(),
        tally.agents_with_claim.to_string(),
        tally.agents_with_false_done.to_string(),
        rate(tally.rate()),
        against.change(&tally.key).unwrap_or_else(|| "-".to_owned()),
        tally.blocked.to_string(),
        tally.fixed.to_string(),
        tally.withdrawn.to_string(),
        tally.repeated.to_string(),
    ];
    html! {
        tr {
            th.names scope="row" { (name(&tally.key)) }
            @for (column, value) in columns.iter().zip(values) {
                td.number.less[LESS.contains(column)] data-label=(short(column)) { (value) }
            }
            td.bar aria-hidden="true" { (line(&tally.over_time, highest)) }
        }
    }
}

/// The share of false DONEs in thousandths; none without a claim.
fn permille(part: Rate) -> Option<i64> {
    let (part, whole) = (part.agents_with_false_done, part.agents_with_claim);
    (i64::from(part) * 1000).checked_div(i64::from(whole))
}

/// A line of the share over time, as high as the highest of all rows.
fn line(parts: &[Rate], highest: Option<i64>) -> Markup {
    const HEIGHT: i64 = 22;
    let count = i64::try_from(parts.len()).unwrap_or(1);
    let highest = highest.unwrap_or(0).max(1);
    let dots = (0..).zip(parts).filter_map(|(number, part): (i64, _)| {
        let y = HEIGHT - 3 - permille(*part)?.min(highest) * (HEIGHT - 6) / highest;
        Some((percent(number * 2 + 1, count * 2), y))
    });
    let dots: Vec<_> = dots.collect();
    html! {
        svg height=(HEIGHT) {
            @for pair in dots.windows(2) {
                @if let [(x1, y1), (x2, y2)] = pair {
                    line.line.bad x1=(x1) y1=(y1) x2=(x2) y2=(y2) {}
                }
            }
            @for (x, y) in &dots { circle.bad cx=(x) cy=(y) r="2" {} }
        }
    }
}
