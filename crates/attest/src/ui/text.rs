//! Styles and marks: what colours say, said once more for who has none.

use std::fmt::Display;

use anstyle::{AnsiColor, Style};
use attest_verdict::Outcome;

pub(crate) const STRONG: Style = Style::new().bold();
pub(crate) const FAINT: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();
/// A line of a difference.
pub(crate) const ADDED: Style = GOOD;
pub(crate) const REMOVED: Style = AnsiColor::Red.on_default();

pub(crate) fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of an outcome: red is proven false, yellow is worth a look.
pub(crate) fn style_of(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Ok => GOOD,
        Outcome::Mismatch | Outcome::Blocked => BAD,
        Outcome::Warn | Outcome::ScopeCreep | Outcome::SentBack | Outcome::Unverifiable => DOUBTFUL,
        Outcome::NoClaim | Outcome::NoSnapshot => FAINT,
    }
}

/// The mark of an outcome, one for each colour.
pub(crate) fn mark_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => "✓",
        Outcome::Mismatch | Outcome::Blocked => "✗",
        Outcome::Warn | Outcome::ScopeCreep | Outcome::SentBack | Outcome::Unverifiable => "!",
        Outcome::NoClaim | Outcome::NoSnapshot => "·",
    }
}
