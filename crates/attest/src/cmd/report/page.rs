//! The page. It holds no script, fetches nothing, and says so to the browser, since the names in it
//! are whatever an agent wrote.

use attest_snapshot::escaped;
use attest_state::history::{Detail, Entry, Run, Tally};
use attest_verdict::Outcome;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jiff::{SignedDuration, Timestamp};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::timeline::{self, Bar, Session, WHOLE};
use super::{MOST_SHOWN, Report};
use crate::cmd::explain;
use crate::cmd::history::{SHORT_ID, repository_name};
use crate::cmd::stats::rate;
use crate::cmd::{and_more, counted, time, word};

const STYLE: &str = include_str!("style.css");

pub(super) fn page(report: &Report) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                title { "attest report" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                header {
                    h1 { "attest report" }
                    p.soft { "What agents claimed, held against the work tree. Made " (moment(report.made_at)) "." }
                }
                nav aria-label="Sections" {
                    ul {
                        li { a href="#overview" { "Overview" } }
                        li { a href="#types" { "By type of agent" } }
                        li { a href="#mismatches" { "False DONEs" } }
                        li { a href="#timeline" { "Timeline" } }
                    }
                }
                main id="main" tabindex="-1" {
                    (overview(&report.tallies))
                    (types(&report.tallies))
                    (mismatches(&report.lies))
                    (timeline(report))
                }
                footer {
                    p { "Times are in UTC. " code { "attest explain ID" } " says what would have changed a verdict." }
                }
            }
        }
    }
}

/// Nothing may be loaded or run; only the one style sheet above counts.
fn policy() -> String {
    let hash = STANDARD.encode(Sha256::digest(STYLE));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}

fn overview(tallies: &[Tally]) -> Markup {
    let sum = |of: fn(&Tally) -> u32| tallies.iter().map(of).sum::<u32>();
    let (claims, lies) = (sum(|t| t.claims), sum(|t| t.false_dones));
    let tiles = [
        ("Stops", sum(|t| t.stops).to_string()),
        ("With a claim", claims.to_string()),
        ("False DONEs", lies.to_string()),
        ("False among claims", rate(lies, claims)),
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

fn mismatches(lies: &[(Entry, Detail)]) -> Markup {
    html! {
        section aria-labelledby="mismatches" {
            h2 id="mismatches" { "False DONEs" }
            @if lies.is_empty() {
                p { "No report was proven false." }
            } @else {
                p.soft { (shown(lies.len())) }
            }
            @for (entry, detail) in lies {
                (mismatch(entry, detail))
            }
        }
    }
}

fn mismatch(entry: &Entry, detail: &Detail) -> Markup {
    let at: Option<Timestamp> = entry.at.parse().ok();
    let id: String = entry.id.chars().take(SHORT_ID).collect();
    let heading = format!("v-{}", entry.id);
    html! {
        article aria-labelledby=(heading) {
            h3 id=(heading) {
                (outcome(entry.outcome)) " " span.mono { (safe(&entry.summary)) }
            }
            p.meta.soft {
                (safe(entry.agent_type.as_deref().unwrap_or("agent"))) " "
                code { (safe(&entry.agent_id)) }
                @if let Some(repository) = &entry.repository {
                    " in " span.names {
                        (escaped(&attest_snapshot::path_bytes(repository_name(repository))))
                    }
                }
                @if let Some(at) = at { ", " (moment(at)) }
                ", verdict " code { (id) }
            }
            p { (entry.reason) ": " (entry.reason.meaning()) "." }
            div.scroll tabindex="0" role="region" aria-label="Findings" {
                table {
                    thead { tr { th scope="col" { "Claimed path" } th scope="col" { "Finding" } th scope="col" { "Because" } } }
                    tbody {
                        @for judged in &detail.findings {
                            tr {
                                th.mono scope="row" { (safe(&judged.claimed)) }
                                td { span class=(if judged.is_proof { "outcome bad" } else { "outcome none" }) { (word(&judged.finding)) } }
                                td.names { (explain::why(judged)) }
                            }
                        }
                    }
                }
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

fn types(tallies: &[Tally]) -> Markup {
    let columns = [
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
                div.scroll tabindex="0" role="region" aria-labelledby="types" {
                    table {
                        thead {
                            tr {
                                th scope="col" { "Type" }
                                @for column in columns { th.number scope="col" { (column) } }
                                th.bar.wide aria-hidden="true" {}
                            }
                        }
                        tbody { @for tally in tallies { (of_type(tally)) } }
                    }
                }
            }
        }
    }
}

fn of_type(tally: &Tally) -> Markup {
    let numbers = [
        tally.stops,
        tally.claims,
        tally.false_dones,
        tally.blocked,
        tally.fixed,
    ];
    let share = u64::from(tally.false_dones) * 1000 / u64::from(tally.claims.max(1));
    html! {
        tr {
            th scope="row" { (safe(tally.agent_type.as_deref().unwrap_or("no type"))) }
            @for number in numbers { td.number { (number) } }
            td.number { (rate(tally.false_dones, tally.claims)) }
            td.bar.wide aria-hidden="true" {
                svg viewBox="0 0 1000 16" preserveAspectRatio="none" {
                    rect.bad x="0" y="0" width=(share) height="16" {}
                }
            }
        }
    }
}

fn timeline(report: &Report) -> Markup {
    let sessions = timeline::sessions(&report.runs, report.made_at);
    html! {
        section aria-labelledby="timeline" {
            h2 id="timeline" { "Timeline" }
            @if sessions.is_empty() {
                p { "No agent was seen." }
            } @else {
                p.soft { "Each session has a line of time of its own, from its first start to its last stop. " (shown(report.runs.len())) }
            }
            @for session in &sessions { (of_session(session)) }
        }
    }
}

fn of_session(session: &Session<'_>) -> Markup {
    let length = time::duration(session.to.duration_since(session.from));
    let name = format!("Runs of session {}", escaped(session.id.as_bytes()));
    html! {
        div.scroll tabindex="0" role="region" aria-label=(name) {
            table {
                caption {
                    "Session " code { (safe(session.id)) } ", from " (moment(session.from)) ", " (length)
                }
                thead {
                    tr {
                        th scope="col" { "Agent" } th scope="col" { "Type" }
                        th.wide scope="col" { "Started" } th.number.wide scope="col" { "Took" }
                        th scope="col" { "Outcome" } th.bar aria-hidden="true" {}
                    }
                }
                tbody { @for bar in &session.bars { (of_run(bar)) } }
            }
        }
    }
}

fn of_run(bar: &Bar<'_>) -> Markup {
    let run = bar.run;
    let class = run.outcome.map_or("none", class_of);
    html! {
        tr {
            th.mono scope="row" { (safe(&run.agent_id)) }
            td { (safe(run.agent_type.as_deref().unwrap_or("-"))) }
            td.time.wide { @if let Some(at) = run.started_at { (moment(at)) } @else { "not seen" } }
            td.number.wide { (took(run)) }
            td {
                @match run.outcome {
                    Some(word) => (outcome(word)),
                    None => span.outcome.none { "no stop yet" },
                }
            }
            td.bar aria-hidden="true" {
                svg viewBox={ "0 0 " (WHOLE) " 16" } preserveAspectRatio="none" {
                    rect class=(class) x=(bar.start) y="0" width=(bar.length) height="16" {}
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
    length.map_or_else(|| "-".to_owned(), time::duration)
}

fn shown(count: usize) -> String {
    if count < MOST_SHOWN as usize {
        return String::new();
    }
    format!("The newest {count} are shown; `attest log` has them all.")
}

fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (time::utc_second(at)) } }
}

fn outcome(word: Outcome) -> Markup {
    html! { span class={ "outcome " (class_of(word)) } { (word) } }
}

fn class_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "good",
        Outcome::Mismatch | Outcome::Blocked => "bad",
        Outcome::Warn | Outcome::ScopeCreep | Outcome::Unverifiable => "care",
        Outcome::NoClaim | Outcome::NoSnapshot => "none",
    }
}

/// Text of an agent or a host: no control character of it reaches the page.
fn safe(text: &str) -> String {
    escaped(text.as_bytes())
}

fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(safe).collect();
    lines.join("\n")
}
