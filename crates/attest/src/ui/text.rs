//! Styles and marks: what colours say, said once more for who has none.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

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

/// Whether only ASCII is understood where things are printed. The locale of a process does not change, and names of
/// others are printed as they are: only marks of ours have another form.
static IS_ASCII: AtomicBool = AtomicBool::new(false);

/// Marks are ASCII from now on, or not.
pub(super) fn use_ascii(is_ascii: bool) {
    IS_ASCII.store(is_ascii, Ordering::Relaxed);
}

/// A mark, or what stands for it in ASCII.
pub(crate) fn mark(usual: &'static str, ascii: &'static str) -> &'static str {
    if IS_ASCII.load(Ordering::Relaxed) {
        ascii
    } else {
        usual
    }
}

/// Before what is as it should be.
pub(crate) fn good_mark() -> &'static str {
    mark("✓", "+")
}

/// Before what is not.
pub(crate) fn bad_mark() -> &'static str {
    mark("✗", "x")
}

/// The mark of an outcome, one for each colour.
pub(crate) fn mark_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => good_mark(),
        Outcome::Mismatch | Outcome::Blocked => bad_mark(),
        Outcome::Warn | Outcome::ScopeCreep | Outcome::SentBack | Outcome::Unverifiable => "!",
        Outcome::NoClaim | Outcome::NoSnapshot => mark("·", "."),
    }
}

/// What a list says of text of which a part is left out.
pub(crate) fn left_out() -> &'static str {
    mark("…", "...")
}

/// `text` of ours with its signs in ASCII if only that is understood.
pub(crate) fn in_signs(text: &str) -> String {
    if IS_ASCII.load(Ordering::Relaxed) {
        let text = text.replace('…', "...").replace('—', "-");
        return text.replace(['«', '»'], "\"");
    }
    text.to_owned()
}
