//! Reports that were proven false, by what was false in them.

use std::collections::BTreeSet;

use attest_snapshot::escaped;
use attest_state::history::{Detail, Entry};
use jiff::Timestamp;
use maud::{Markup, html};

use super::parts::{lines, moment, outcome, safe, shown, some_folded};
use crate::cmd::history::{SHORT_ID, agent_name, repository_name};
use crate::cmd::{and_more, counted, explain, word};

/// The stops of agents of one type at which the same path or criterion was wrong.
struct Group<'a> {
    what: &'a str,
    kind: &'a str,
    /// The newest first.
    stops: Vec<&'a (Entry, Detail)>,
}

pub(super) fn section(false_dones: &[(Entry, Detail)]) -> Markup {
    let groups = groups(false_dones, |detail| {
        let proofs = detail.findings.iter().filter(|judged| judged.is_proof);
        let unmet = detail.unmet.iter().map(|unmet| unmet.name.as_str());
        proofs
            .map(|judged| judged.claimed.as_str())
            .chain(unmet)
            .collect()
    });
    html! {
        section aria-labelledby="mismatches" {
            h2 id="mismatches" { "False DONEs" }
            @if groups.is_empty() {
                p { "No report was proven false." }
            } @else {
                p.soft {
                    "By what was false and the type of agent, the most frequent first. "
                    (shown(false_dones.len()))
                }
            }
            (some_folded(&all_of(&groups, "v-")))
        }
    }
}

/// The criteria that were not met; nothing if there are none.
pub(super) fn criteria(stops: &[(Entry, Detail)]) -> Markup {
    let groups = groups(stops, |detail| {
        let checked = detail.criteria.iter();
        let unmet = checked.flat_map(|checked| &checked.not_met);
        unmet.map(|unmet| unmet.name.as_str()).collect()
    });
    html! {
        @if !groups.is_empty() {
            section aria-labelledby="criteria" {
                h2 id="criteria" { "Criteria that were not met" }
                p.soft { "They did not count. By criterion and type of agent. " (shown(stops.len())) }
                (some_folded(&all_of(&groups, "c-")))
            }
        }
    }
}

fn groups<'a>(
    stops: &'a [(Entry, Detail)],
    names: impl Fn(&'a Detail) -> Vec<&'a str>,
) -> Vec<Group<'a>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for stop in stops {
        let (entry, detail) = stop;
        let kind = entry.agent_type.as_deref().unwrap_or("no type");
        for what in names(detail) {
            match groups
                .iter_mut()
                .find(|it| it.what == what && it.kind == kind)
            {
                Some(group) => group.stops.push(stop),
                None => groups.push(Group {
                    what,
                    kind,
                    stops: vec![stop],
                }),
            }
        }
    }
    // Stable: among equals the one that happened last comes first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.stops.len()));
    groups
}

/// Every group. A stop that is in several is told in the first, and the others lead there: a report with
/// many false paths would be as many times as long.
fn all_of(groups: &[Group<'_>], part: &str) -> Vec<Markup> {
    let mut told = BTreeSet::new();
    let groups = groups.iter();
    groups
        .map(|group| of_group(group, part, &mut told))
        .collect()
}

fn of_group<'a>(group: &Group<'a>, part: &str, told: &mut BTreeSet<&'a str>) -> Markup {
    let last = group.stops.first().and_then(|(entry, _)| time_of(entry));
    html! {
        details.group {
            summary {
                span.what { span.mono { (safe(group.what)) } }
                span.who { (safe(group.kind)) }
                span.count { (counted(group.stops.len(), "time")) @if let Some(at) = last { ", last " (moment(at)) } }
            }
            @for (entry, detail) in &group.stops {
                @if told.insert(&entry.id) { (of_stop(entry, detail, part)) } @else { (again(entry, part)) }
            }
        }
    }
}

/// A stop that is told elsewhere.
fn again(entry: &Entry, part: &str) -> Markup {
    html! {
        p.meta.soft {
            "Also " a href={ "#" (part) (entry.id) } { "verdict " code { (entry.id.chars().take(SHORT_ID).collect::<String>()) } }
            @if let Some(at) = time_of(entry) { ", " (moment(at)) }
        }
    }
}

fn time_of(entry: &Entry) -> Option<Timestamp> {
    entry.at.parse().ok()
}

fn of_stop(entry: &Entry, detail: &Detail, part: &str) -> Markup {
    let id: String = entry.id.chars().take(SHORT_ID).collect();
    html! {
        article id={ (part) (entry.id) } {
            p.meta {
                (outcome(entry.outcome)) " " code { (agent_name(&entry.agent_id, entry.task.as_deref())) }
                @if let Some(repository) = &entry.repository {
                    " in " span.names {
                        (escaped(&attest_snapshot::path_bytes(repository_name(repository))))
                    }
                }
                @if let Some(at) = time_of(entry) { ", " (moment(at)) }
                ", verdict " code { (id) }
            }
            p { (entry.reason) ": " (entry.reason.meaning()) "." }
            table.cards {
                thead { tr { th scope="col" { "Claimed path" } th scope="col" { "Finding" } th scope="col" { "Because" } } }
                tbody {
                    @for judged in &detail.findings {
                        tr {
                            th.mono scope="row" { (safe(&judged.claimed)) }
                            td data-label="Finding" { span class=(if judged.is_proof { "outcome bad" } else { "outcome none" }) { (word(&judged.finding)) } }
                            td.names data-label="Because" { (explain::why(judged)) }
                        }
                    }
                }
            }
            @for unmet in detail.unmet.iter().chain(detail.open_criteria()) {
                p.names { "Criterion " strong { (safe(&unmet.name)) } " is not met: " (safe(&unmet.why)) }
            }
            (changes(detail))
            @if let Some(block) = &detail.block {
                details { summary { "What the agent was sent back with" } pre { (lines(block)) } }
            }
        }
    }
}

fn changes(detail: &Detail) -> Markup {
    let more = and_more(detail.delta.count, detail.delta.first.len());
    html! {
        @if detail.delta.count > 0 {
            details {
                summary { "What did change: " (counted(detail.delta.count, "path")) }
                ul.names {
                    @for change in &detail.delta.first {
                        li { code { (safe(&change.path)) } @if change.is_deleted { " (deleted)" } }
                    }
                    @if !more.is_empty() { li { (more) } }
                }
            }
        }
    }
}
