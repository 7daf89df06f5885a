//! Reports that were proven false, by what was false in them.

use std::collections::BTreeSet;

use attest_state::history::{Detail, Entry};
use jiff::Timestamp;
use maud::{Markup, html};

use super::filters::Filters;
use super::parts::{lines, moment, outcome, prose, safe, shown, some_folded};
use crate::explain;
use crate::names::{agent_name, short_id};
use crate::repository::shown_repository;
use attest_base::ui::and_more;
use attest_base::ui::counted;

/// The agents of one type of whose reports the same path or criterion was wrong.
struct Group<'a> {
    what: &'a str,
    kind: &'a str,
    /// The one heard of last comes first.
    agents: Vec<Liar<'a>>,
}

/// One agent: its last such stop, and how many came before that.
struct Liar<'a> {
    last: &'a (Entry, Detail),
    earlier: usize,
}

/// By what the list can be filtered.
pub(super) fn filters(false_dones: &[(Entry, Detail)]) -> Filters {
    let values = false_dones.iter().map(|(entry, _)| values(entry));
    Filters::of("lies", ["Type", "Repository"], values)
}

/// The type and the repository of a stop, as the filters have them.
fn values(entry: &Entry) -> [String; 2] {
    let kind = safe(entry.agent_type.as_deref().unwrap_or("no type"));
    let repository = entry.repository.as_deref();
    [
        kind,
        repository.map_or_else(|| "no repository".to_owned(), shown_repository),
    ]
}

/// The classes of what is about some stops.
fn classes<'a>(filters: &Filters, stops: impl Iterator<Item = &'a (Entry, Detail)>) -> String {
    let values: Vec<_> = stops.map(|(entry, _)| values(entry)).collect();
    let all = values
        .iter()
        .flat_map(|[kind, repository]| [(0, kind), (1, repository)]);
    filters.classes(all.map(|(question, value)| (question, value.as_str())))
}

pub(super) fn section(false_dones: &[(Entry, Detail)], filters: &Filters) -> Markup {
    let groups = groups(false_dones, |detail| {
        let proofs = detail.findings.iter().filter(|judged| judged.is_proof);
        proofs.map(|judged| judged.claimed.as_str()).collect()
    });
    html! {
        section aria-labelledby="mismatches" {
            h2 id="mismatches" { "False DONEs" }
            @if groups.is_empty() {
                p { "No report was proven false." }
            } @else {
                p.soft {
                    "By what was false and the type of agent, that of the most agents first. "
                    (shown(false_dones.len()))
                }
                (filters.choices())
            }
            div.list { (some_folded(&all_of(&groups, "v-", filters))) }
        }
    }
}

/// The criteria that were not met; nothing if there are none.
pub(super) fn criteria(stops: &[(Entry, Detail)]) -> Markup {
    let groups = groups(stops, |detail| {
        let unmet = detail.unmet().iter();
        unmet.map(|unmet| unmet.name.as_str()).collect()
    });
    html! {
        @if !groups.is_empty() {
            section aria-labelledby="criteria" {
                h2 id="criteria" { "Criteria that were not met" }
                p.soft { "By criterion and type of agent. " (shown(stops.len())) }
                (some_folded(&all_of(&groups, "c-", &filters(&[]))))
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
            let known = groups.iter_mut();
            let known = known
                .into_iter()
                .find(|it| (it.what, it.kind) == (what, kind));
            match known {
                Some(group) => group.add(stop),
                None => groups.push(Group {
                    what,
                    kind,
                    agents: vec![Liar {
                        last: stop,
                        earlier: 0,
                    }],
                }),
            }
        }
    }
    // Stable: among equals the one that happened last comes first.
    groups.sort_by_key(|group| std::cmp::Reverse(group.agents.len()));
    groups
}

impl<'a> Group<'a> {
    /// Adds a stop that came before all that are there.
    fn add(&mut self, stop: &'a (Entry, Detail)) {
        let key = |entry: &Entry| (entry.session_id.clone(), entry.agent_id.clone());
        let is_same = |liar: &&mut Liar<'_>| key(&liar.last.0) == key(&stop.0);
        // What has no id of its own is another agent each time.
        let has_id = stop.1.has_agent_id;
        match self.agents.iter_mut().find(is_same).filter(|_| has_id) {
            Some(liar) => liar.earlier += 1,
            None => self.agents.push(Liar {
                last: stop,
                earlier: 0,
            }),
        }
    }
}

/// Every group. A stop that is in several is told in the first, and the others lead there: a report with
/// many false paths would be as many times as long.
fn all_of(groups: &[Group<'_>], part: &str, filters: &Filters) -> Vec<Markup> {
    let mut told = BTreeSet::new();
    let groups = groups.iter();
    groups
        .map(|group| of_group(group, part, filters, &mut told))
        .collect()
}

fn of_group<'a>(
    group: &Group<'a>,
    part: &str,
    filters: &Filters,
    told: &mut BTreeSet<&'a str>,
) -> Markup {
    let last = group.agents.first().and_then(|liar| time_of(&liar.last.0));
    let all = classes(filters, group.agents.iter().map(|liar| liar.last));
    html! {
        details class={ "group " (all) } {
            summary {
                span.what { code { (safe(group.what)) } }
                span.who { (safe(group.kind)) }
                span.count { (counted(group.agents.len(), "agent")) @if let Some(at) = last { ", last " (moment(at)) } }
            }
            @for liar in &group.agents {
                @let (entry, detail) = liar.last;
                div class=(classes(filters, std::iter::once(liar.last))) {
                    @if told.insert(&entry.id) { (of_stop(entry, detail, part)) } @else { (again(entry, part)) }
                    @if liar.earlier > 0 { p.meta.soft { "The same agent had claimed it at " (counted(liar.earlier, "stop")) " before." } }
                }
            }
        }
    }
}

/// A stop that is told elsewhere.
fn again(entry: &Entry, part: &str) -> Markup {
    html! {
        p.meta.soft {
            "Also " a href={ "#" (part) (entry.id) } { "verdict " code { (short_id(&entry.id)) } }
            @if let Some(at) = time_of(entry) { ", " (moment(at)) }
        }
    }
}

fn time_of(entry: &Entry) -> Option<Timestamp> {
    entry.at.parse().ok()
}

fn of_stop(entry: &Entry, detail: &Detail, part: &str) -> Markup {
    html! {
        article id={ (part) (entry.id) } {
            p.meta {
                (outcome(entry.outcome)) " " code { (agent_name(&entry.agent_id, entry.task.as_deref())) }
                @if let Some(repository) = &entry.repository {
                    " in " code.names { (shown_repository(repository)) }
                }
                @if let Some(at) = time_of(entry) { ", " (moment(at)) }
                ", verdict " code { (short_id(&entry.id)) }
            }
            p { code { (entry.reason) } ": " (prose(entry.reason.meaning())) "." }
            table.cards {
                thead { tr { th scope="col" { "Claimed path" } th scope="col" { "Finding" } th scope="col" { "Because" } } }
                tbody {
                    @for judged in &detail.findings {
                        tr {
                            th.mono scope="row" { (safe(&judged.claimed)) }
                            td data-label="Finding" { span class=(if judged.is_proof { "outcome bad" } else { "outcome none" }) { (judged.finding) } }
                            td.names data-label="Because" { (prose(&explain::why(judged))) }
                        }
                    }
                }
            }
            @for unmet in detail.unmet() {
                p.names { "Criterion " code { (safe(&unmet.name)) } " is not met: " (prose(&safe(&unmet.why))) }
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
