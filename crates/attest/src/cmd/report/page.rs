//! The page. It holds no script, fetches nothing, and says so to the browser, since the names in it
//! are whatever an agent wrote.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::parts::moment;
use super::{Report, context, false_dones, over_time, timeline, types};

/// By which a page is known to be one of these.
pub(super) const TITLE: &str = "<title>attest report</title>";
const STYLE: &str = include_str!("style.css");

/// The sections after the overview, by their ids.
const SECTIONS: [(&str, &str); 5] = [
    ("time", "Over time"),
    ("types", "By type of agent"),
    ("mismatches", "False DONEs"),
    ("context", "Context"),
    ("timeline", "Timeline"),
];

pub(super) fn page(report: &Report) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy());
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                (PreEscaped(TITLE))
                style { (PreEscaped(STYLE)) }
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
                    (types::overview(&report.tallies))
                    (over_time::section(report))
                    (types::section(&report.tallies))
                    (types::coverage(&report.tallies))
                    (false_dones::section(&report.false_dones))
                    (false_dones::criteria(&report.unmet))
                    (context::section(report))
                    (timeline::section(report))
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
