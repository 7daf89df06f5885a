//! Runs of agents as bars on a line of time, one line for each session.

use attest_snapshot::{escaped, path_bytes};
use attest_state::history::Run;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use maud::{Markup, html};

use super::Report;
use super::filters::Filters;
use super::parts::{class_of, moment, outcome, percent, safe, shown, some_folded};
use crate::names::agent_name;
use crate::repository::shown_repository;
use attest_base::ui::counted;
use attest_base::ui::duration;
use attest_state::history::LOST_AFTER;

/// Units of a whole line.
const WHOLE: i64 = 1000;
/// A bar that is shorter could not be seen.
const SHORTEST: i64 = 6;

/// The runs of one session.
struct Session<'a> {
    id: &'a str,
    from: Timestamp,
    to: Timestamp,
    bars: Vec<Bar<'a>>,
}

/// One run, and where it lies on the line of its session.
struct Bar<'a> {
    run: &'a Run,
    /// In units of the line.
    start: i64,
    /// In units of the line.
    length: i64,
}

/// By what the list can be filtered.
pub(super) fn filters(runs: &[Run]) -> Filters {
    let values = runs.iter().map(|run| [place(run), safe(&run.harness)]);
    Filters::of("sessions", ["Repository", "Host"], values)
}

/// The repository of a run, or else the folder that the host named.
fn place(run: &Run) -> String {
    let folder = run.repository.as_deref().map(shown_repository);
    let folder = folder.or_else(|| run.cwd.as_deref().map(|it| escaped(&path_bytes(it))));
    folder.unwrap_or_else(|| "no repository".to_owned())
}

/// The folder that a path ends with.
fn last_name(place: &str) -> &str {
    let last = place.rsplit(['/', '\\']).find(|name| !name.is_empty());
    last.unwrap_or(place)
}

pub(super) fn section(report: &Report, filters: &Filters) -> Markup {
    let sessions = sessions(&report.runs, report.made_at);
    html! {
        section aria-labelledby="timeline" {
            h2 id="timeline" { "Timeline" }
            @if sessions.is_empty() {
                p { "No agent was seen." }
            } @else {
                p.soft { "Each session has a line of time of its own. " (shown(report.runs.len())) }
                (filters.choices())
            }
            div.list { (some_folded(&sessions.iter().map(|it| of_session(it, filters, &report.zone)).collect::<Vec<_>>())) }
        }
    }
}

fn of_session(session: &Session<'_>, filters: &Filters, zone: &TimeZone) -> Markup {
    let mut places: Vec<_> = session.bars.iter().map(|bar| place(bar.run)).collect();
    places.sort();
    places.dedup();
    let hosts: Vec<_> = session
        .bars
        .iter()
        .map(|bar| safe(&bar.run.harness))
        .collect();
    let values = places.iter().map(|it| (0, it.as_str()));
    let values = values.chain(hosts.iter().map(|it| (1, it.as_str())));
    let classes = filters.classes(values);
    let length = duration(session.to.duration_since(session.from));
    let name = format!("Runs of session {}", escaped(session.id.as_bytes()));
    html! {
        details class={ "group " (classes) } {
            summary {
                span.what { "Session " code { (safe(session.id)) } }
                span.who.names { @for place in &places { code { (last_name(place)) } " " } }
                span.who { (counted(session.bars.len(), "run")) }
                span.count { "from " (moment(session.from)) ", " (length) }
            }
            p.soft.names { "In " @for place in &places { code { (place) } " " } }
            table.cards aria-label=(name) {
                thead {
                    tr {
                        th scope="col" { "Agent" } th scope="col" { "Type" }
                        th scope="col" { "Started" } th.number scope="col" { "Took" }
                        th scope="col" { "Outcome" } th.bar.wide aria-hidden="true" { (axis(session, zone)) }
                    }
                }
                tbody { @for bar in &session.bars { (of_run(bar)) } }
            }
        }
    }
}

/// The times at the ends and in the middle of a line.
fn axis(session: &Session<'_>, zone: &TimeZone) -> Markup {
    let length = session.to.duration_since(session.from);
    let form = if length.as_hours() < 24 {
        "%H:%M:%S"
    } else {
        "%m-%d %H:%M"
    };
    let middle = session.from.checked_add(length / 2).unwrap_or(session.from);
    let ticks = [
        ("0", "start", session.from),
        ("50%", "middle", middle),
        ("100%", "end", session.to),
    ];
    html! {
        svg.axis height="16" {
            @for (x, anchor, at) in ticks {
                text x=(x) y="12" text-anchor=(anchor) { (at.to_zoned(zone.clone()).strftime(form).to_string()) }
            }
        }
    }
}

fn of_run(bar: &Bar<'_>) -> Markup {
    let run = bar.run;
    let class = run.outcome.map_or("none", class_of);
    html! {
        tr {
            th.mono scope="row" { (agent_name(&run.agent_id, run.task.as_deref())) }
            td data-label="Type" { (safe(run.agent_type.as_deref().unwrap_or("-"))) }
            td.time data-label="Started" { @if let Some(at) = run.started_at { (moment(at)) } @else { "not seen" } }
            td.number data-label="Took" { (took(run)) }
            td data-label="Outcome" {
                @match run.outcome {
                    Some(word) => (outcome(word)),
                    None => span.outcome.none { "no stop yet" },
                }
            }
            td.bar aria-hidden="true" {
                svg height="14" {
                    rect class=(class) x=(percent(bar.start, WHOLE)) y="0" width=(percent(bar.length, WHOLE)) height="14" {}
                }
            }
        }
    }
}

fn took(run: &Run) -> String {
    let length = run.started_at.zip(run.stopped_at);
    let length = length.map(|(start, stop): (Timestamp, Timestamp)| -> SignedDuration {
        stop.duration_since(start)
    });
    length.map_or_else(|| "-".to_owned(), duration)
}

/// Groups runs by session, the newest session first and each in order of time. `now` is the end of
/// what has not ended.
fn sessions(runs: &[Run], now: Timestamp) -> Vec<Session<'_>> {
    let mut sessions: Vec<(&str, Vec<&Run>)> = Vec::new();
    for run in runs {
        match sessions.iter_mut().find(|(id, _)| *id == run.session) {
            Some((_, runs)) => runs.push(run),
            None => sessions.push((&run.session, vec![run])),
        }
    }
    sessions
        .into_iter()
        .map(|(id, runs)| session(id, &runs, now))
        .collect()
}

fn session<'a>(id: &'a str, runs: &[&'a Run], now: Timestamp) -> Session<'a> {
    let times = || runs.iter().flat_map(|run| [run.started_at, run.stopped_at]);
    let from = times().flatten().min().unwrap_or(now);
    let last = times().flatten().max().unwrap_or(now);
    let is_open = runs.iter().any(|run| run.stopped_at.is_none());
    // What was lost long ago would stretch the line until now.
    let is_live = is_open && now.duration_since(last) <= LOST_AFTER;
    let to = if is_live { now.max(last) } else { last };
    let place = |at: Timestamp| {
        let whole = to.duration_since(from).as_millis().max(1);
        let part = at.duration_since(from).as_millis().clamp(0, whole);
        i64::try_from(part * i128::from(WHOLE) / whole).unwrap_or(0)
    };
    let mut runs = runs.to_vec();
    runs.sort_by_key(|run| run.started_at.or(run.stopped_at));
    let bars = runs.into_iter().map(|run| {
        let end = place(run.stopped_at.unwrap_or(to));
        let start = run.started_at.map_or(end, place).min(WHOLE - SHORTEST);
        Bar {
            run,
            start,
            length: (end - start).max(SHORTEST),
        }
    });
    Session {
        id,
        from,
        to,
        bars: bars.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(session: &str, started: Option<i64>, stopped: Option<i64>) -> Run {
        let at = |second: i64| Timestamp::from_second(second).unwrap();
        Run {
            session: session.into(),
            agent_id: "a".into(),
            task: None,
            agent_type: None,
            harness: "claude-code".into(),
            transcript: None,
            cwd: None,
            repository: None,
            started_at: started.map(at),
            stopped_at: stopped.map(at),
            outcome: None,
            failure: None,
        }
    }

    #[test]
    fn bars_lie_within_the_line_of_their_session() {
        let runs = [
            run("new", Some(1000), None),
            run("new", Some(500), Some(600)),
            run("old", None, Some(90)),
            run("old", Some(0), Some(100)),
        ];
        let now = Timestamp::from_second(1500).unwrap();
        let sessions = sessions(&runs, now);
        let places: Vec<_> = sessions
            .iter()
            .map(|s| {
                (
                    s.id,
                    s.bars
                        .iter()
                        .map(|b| (b.start, b.length))
                        .collect::<Vec<_>>(),
                )
            })
            .collect();
        assert_eq!(
            places,
            [
                ("new", vec![(0, 100), (500, 500)]),
                ("old", vec![(0, 1000), (900, SHORTEST)]),
            ]
        );
    }

    #[test]
    fn an_agent_that_was_lost_long_ago_does_not_stretch_the_line() {
        let runs = [run("s", Some(50), None), run("s", Some(0), Some(100))];
        let now = Timestamp::from_second(1_000_000).unwrap();
        let session = &sessions(&runs, now)[0];
        assert_eq!(session.to.as_second(), 100);
        assert_eq!((session.bars[1].start, session.bars[1].length), (500, 500));
    }

    #[test]
    fn a_session_of_one_moment_has_a_bar_that_can_be_seen() {
        let runs = [run("s", Some(5), Some(5))];
        let now = Timestamp::from_second(9).unwrap();
        let bar = &sessions(&runs, now)[0].bars[0];
        assert_eq!((bar.start, bar.length), (0, SHORTEST));
    }
}
