//! Types of agents, and how often each was right.

use attest_state::history::{Share, Tally};
use maud::{Markup, html};

use super::parts::{percent, safe};
use crate::cmd::coverage::percent as share;
use crate::cmd::stats::{rate, total};

pub(super) fn overview(tallies: &[Tally]) -> Markup {
    let all = total(tallies);
    let tiles = [
        ("Agents", all.agents.to_string()),
        ("With a claim", all.agents_with_claim.to_string()),
        ("With a false DONE", all.agents_with_false_done.to_string()),
        ("False among claims", rate(&all)),
        ("Sent back", all.blocked.to_string()),
        ("Fixed after that", all.fixed.to_string()),
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
        }
    }
}

/// How much could be judged, by type and by what claims are about.
pub(super) fn coverage(tallies: &[Tally]) -> Markup {
    let all = total(tallies);
    let kinds = all.coverage.kinds.iter().filter(|(_, count)| **count > 0);
    let kinds: Vec<_> = kinds.map(|(kind, _)| *kind).collect();
    let of_kind = |tally: &Tally, kind| {
        let judged = tally.coverage.kinds.get(kind).copied().unwrap_or_default();
        let stops = tally.coverage.all.stops;
        share(Share { stops, judged })
    };
    html! {
        @if all.coverage.all.stops > 0 {
            section aria-labelledby="coverage" {
                h2 id="coverage" { "How much could be judged" }
                p.soft { "Of a hundred stops, at how many something that was claimed could be borne out or contradicted." }
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
                                th scope="row" { (safe(tally.agent_type.as_deref().unwrap_or("no type"))) }
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

pub(super) fn section(tallies: &[Tally]) -> Markup {
    const COLUMNS: [&str; 8] = [
        "Agents",
        "With a claim",
        "With a false DONE",
        "False among claims",
        "Sent back",
        "Fixed",
        "Withdrawn",
        "Repeated",
    ];
    html! {
        section aria-labelledby="types" {
            h2 id="types" { "By type of agent" }
            @if tallies.is_empty() {
                p { "No stop is recorded." }
            } @else {
                table.cards {
                    thead {
                        tr {
                            th scope="col" { "Type" }
                            @for column in COLUMNS { th.number scope="col" { (column) } }
                            th.bar.wide aria-hidden="true" {}
                        }
                    }
                    tbody { @for tally in tallies { (of_type(tally, &COLUMNS)) } }
                }
            }
        }
    }
}

fn of_type(tally: &Tally, columns: &[&str; 8]) -> Markup {
    let values = [
        tally.agents.to_string(),
        tally.agents_with_claim.to_string(),
        tally.agents_with_false_done.to_string(),
        rate(tally),
        tally.blocked.to_string(),
        tally.fixed.to_string(),
        tally.withdrawn.to_string(),
        tally.repeated.to_string(),
    ];
    let with_claim = tally.agents_with_claim.max(1);
    let share = percent(tally.agents_with_false_done.into(), with_claim.into());
    html! {
        tr {
            th scope="row" { (safe(tally.agent_type.as_deref().unwrap_or("no type"))) }
            @for (column, value) in columns.iter().zip(values) {
                td.number data-label=(column) { (value) }
            }
            td.bar aria-hidden="true" {
                svg height="14" { rect.bad x="0" y="0" width=(share) height="14" {} }
            }
        }
    }
}
