//! The page. It holds no script, fetches nothing, and says so to the browser, since the names in it
//! are whatever an agent wrote.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::parts::moment;
use super::{Report, false_dones, over_time, timeline, types};

/// By which a page is known to be one of these.
pub(super) const TITLE: &str = "<title>attest report</title>";
const STYLE: &str = include_str!("style.css");

/// The sections after the overview, by their ids.
const SECTIONS: [(&str, &str); 5] = [
    ("time", "Over time"),
    ("types", "By type of agent"),
    ("repositories", "By repository"),
    ("mismatches", "False DONEs"),
    ("timeline", "Timeline"),
];

pub(super) fn page(report: &Report) -> Markup {
    let false_dones = false_dones::filters(&report.false_dones);
    let sessions = timeline::filters(&report.runs);
    let style = format!("{STYLE}{}{}", false_dones.style(), sessions.style());
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy(&style));
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                (PreEscaped(TITLE))
                style { (PreEscaped(&style)) }
            }
            body {
                a.skip href="#main" { "Skip to the report" }
                header {
                    h1 { "attest report" }
                    p.soft.names { (report.range.join(", ")) ". Made " (moment(report.made_at)) "." }
                }
                nav aria-label="Sections" {
                    ul {
                        li { a href="#overview" { "Overview" } }
                        @for (id, name) in SECTIONS { li { a href={ "#" (id) } { (name) } } }
                    }
                }
                main id="main" tabindex="-1" {
                    (types::overview(report))
                    (over_time::section(report))
                    (types::section("types", "By type of agent", "Type", &report.types, &report.against))
                    (types::section("repositories", "By repository", "Repository", &report.repositories, &report.against))
                    (types::coverage(report))
                    (false_dones::section(&report.false_dones, &false_dones))
                    (false_dones::criteria(&report.unmet))
                    (timeline::section(report, &sessions))
                }
                footer {
                    p { "Times are " (zone(report)) ". " code { "attest explain ID" } " says what would have changed a verdict." }
                }
            }
        }
    }
}

/// Whose times they are, for whoever reads the page elsewhere.
fn zone(report: &Report) -> String {
    match report.zone.iana_name() {
        Some(name) => format!("those of {name}"),
        None => format!("in UTC{}", report.zone.to_offset(report.made_at)),
    }
}

/// Nothing may be loaded or run; only this style sheet counts.
fn policy(style: &str) -> String {
    let hash = STANDARD.encode(Sha256::digest(style));
    format!("default-src 'none'; style-src 'sha256-{hash}'; base-uri 'none'; form-action 'none'")
}
