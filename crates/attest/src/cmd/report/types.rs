//! Types of agents, and how often each was right.

use attest_state::history::Tally;
use maud::{Markup, html};

use super::parts::{percent, safe};
use crate::cmd::stats::rate;

pub(super) fn overview(tallies: &[Tally]) -> Markup {
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum::<u32>();
    let (claims, false_dones) = (sum(|t| t.claims), sum(|t| t.false_dones));
    let tiles = [
        ("Stops", sum(|t| t.stops).to_string()),
        ("With a claim", claims.to_string()),
        ("False DONEs", false_dones.to_string()),
        ("False among claims", rate(false_dones, claims)),
        ("Sent back", sum(|t| t.blocked).to_string()),
        ("Fixed after that", sum(|t| t.fixed).to_string()),
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

pub(super) fn section(tallies: &[Tally]) -> Markup {
    const COLUMNS: [&str; 6] = [
        "Stops",
        "With a claim",
        "False DONEs",
        "Sent back",
        "Fixed",
        "False among claims",
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

fn of_type(tally: &Tally, columns: &[&str; 6]) -> Markup {
    let values = [
        tally.stops.to_string(),
        tally.claims.to_string(),
        tally.false_dones.to_string(),
        tally.blocked.to_string(),
        tally.fixed.to_string(),
        rate(tally.false_dones, tally.claims),
    ];
    let share = percent(tally.false_dones.into(), tally.claims.max(1).into());
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
