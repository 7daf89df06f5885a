//! What the sections of the page share.

use attest_snapshot::escaped;
use attest_verdict::Outcome;
use jiff::Timestamp;
use maud::{Markup, html};

use super::MOST_SHOWN;
use attest_base::time;

/// The classes of the style sheet that outcomes are coloured by, the best first, each with its name.
pub(super) const CLASSES: [(&str, &str); 4] = [
    ("good", "OK"),
    ("care", "worth a look"),
    ("bad", "false DONE"),
    ("none", "no claim, or not checked"),
];

/// Folded parts of a section that are shown before the rest is.
const MOST_AT_ONCE: usize = 4;

pub(super) fn class_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "good",
        Outcome::Mismatch | Outcome::Blocked => "bad",
        Outcome::Warn | Outcome::ScopeCreep | Outcome::SentBack => "care",
        Outcome::Unverifiable | Outcome::NoClaim | Outcome::NoSnapshot => "none",
    }
}

pub(super) fn outcome(word: Outcome) -> Markup {
    html! { span class={ "outcome " (class_of(word)) } { (word) } }
}

pub(super) fn moment(at: Timestamp) -> Markup {
    html! { time datetime=(at) { (time::second(at)) } }
}

/// What the colours of a plot mean.
pub(super) fn legend<'a>(classes: impl IntoIterator<Item = &'a (&'a str, &'a str)>) -> Markup {
    html! {
        ul.legend {
            @for (class, name) in classes {
                li { span class={ "mark " (class) } aria-hidden="true" { "■" } " " (name) }
            }
        }
    }
}

/// Text of an agent or a host: no control character of it reaches the page.
pub(super) fn safe(text: &str) -> String {
    escaped(text.as_bytes())
}

pub(super) fn lines(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(safe).collect();
    lines.join("\n")
}

/// Text of attest in which names stand between back-ticks.
pub(super) fn prose(text: &str) -> Markup {
    let is_paired = text.matches('`').count().is_multiple_of(2);
    html! {
        @if is_paired {
            @for (number, part) in text.split('`').enumerate() {
                @if number % 2 == 0 { (part) } @else { code { (part) } }
            }
        } @else { (text) }
    }
}

/// Says so if there are more than are shown.
pub(super) fn shown(count: usize) -> Markup {
    if count < MOST_SHOWN as usize {
        return html! {};
    }
    prose(&format!(
        "The newest {count} are shown; `attest log` has them all."
    ))
}

/// The first of many folded parts, and the rest folded once more: a page of them all is not looked at.
pub(super) fn some_folded(parts: &[Markup]) -> Markup {
    let (first, rest) = parts.split_at(parts.len().min(MOST_AT_ONCE));
    html! {
        @for part in first { (part) }
        @if !rest.is_empty() {
            details.group {
                summary { span.what { (rest.len()) " more" } }
                @for part in rest { (part) }
            }
        }
    }
}

/// A place in a plot, of which `part` of `whole` is to the left. Plots have no units of their own, so
/// that their text stays as large as that around them, however wide they are.
pub(super) fn percent(part: i64, whole: i64) -> String {
    let share = part.clamp(0, whole.max(1)) * 10_000 / whole.max(1);
    format!("{}.{:02}%", share / 100, share % 100)
}
