//! Styles and marks: what colours say, said once more for who has none.

use std::fmt::Display;
use std::sync::atomic::{AtomicBool, Ordering};

use anstyle::{AnsiColor, Style};
use attest_verdict::Outcome;
use jiff::SignedDuration;

/// What is looked for first.
pub const STRONG: Style = Style::new().bold();
/// What is beside the matter.
pub const FAINT: Style = Style::new().dimmed();
/// What is as it should be.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What is worth a look.
pub const DOUBTFUL: Style = AnsiColor::Yellow.on_default();
/// What is false or broken.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// A line of a difference.
pub const ADDED: Style = GOOD;
/// A line of a difference that goes.
pub const REMOVED: Style = AnsiColor::Red.on_default();

/// A text in a style.
pub fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// The colour of an outcome: red is proven false, yellow is worth a look.
#[must_use]
pub fn style_of(outcome: Outcome) -> Style {
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
pub fn mark(usual: &'static str, ascii: &'static str) -> &'static str {
    if IS_ASCII.load(Ordering::Relaxed) {
        ascii
    } else {
        usual
    }
}

/// Before what is as it should be.
#[must_use]
pub fn good_mark() -> &'static str {
    mark("✓", "+")
}

/// Before what is not.
#[must_use]
pub fn bad_mark() -> &'static str {
    mark("✗", "x")
}

/// The mark of an outcome, one for each colour.
#[must_use]
pub fn mark_of(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Ok => good_mark(),
        Outcome::Mismatch | Outcome::Blocked => bad_mark(),
        Outcome::Warn | Outcome::ScopeCreep | Outcome::SentBack | Outcome::Unverifiable => "!",
        Outcome::NoClaim | Outcome::NoSnapshot => mark("·", "."),
    }
}

/// The colour and the mark of an outcome of which more may have been told than it says.
#[must_use]
pub fn shown_as(outcome: Outcome, is_to_look_at: bool) -> (Style, &'static str) {
    // As of one that is worth a look by itself.
    let outcome = if is_to_look_at {
        Outcome::Warn
    } else {
        outcome
    };
    (style_of(outcome), mark_of(outcome))
}

/// What a list says of text of which a part is left out.
pub(super) fn left_out() -> &'static str {
    mark("…", "...")
}

/// `text` of ours with its signs in ASCII if only that is understood.
pub fn in_signs(text: &str) -> String {
    if IS_ASCII.load(Ordering::Relaxed) {
        let text = text.replace('…', "...").replace('—', "-");
        return text.replace(['«', '»'], "\"");
    }
    text.to_owned()
}

/// An amount of bytes.
#[must_use]
pub fn megabytes(bytes: u64) -> String {
    let tenths = bytes / 100_000;
    format!("{}.{} MB", tenths / 10, tenths % 10)
}

/// How long something took, in at most two units.
#[must_use]
pub fn duration(length: SignedDuration) -> String {
    let seconds = length.as_secs().max(0);
    let (days, hours, minutes) = (seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60);
    match (days, hours, minutes) {
        (0, 0, 0) if seconds < 10 => format!("{:.1}s", length.as_secs_f64().max(0.0)),
        (0, 0, 0) => format!("{seconds}s"),
        (0, 0, minutes) => format!("{minutes}m {}s", seconds % 60),
        (0, hours, minutes) => format!("{hours}h {minutes}m"),
        (days, hours, _) => format!("{days}d {hours}h"),
    }
}

/// A number with the name of what it counts.
#[must_use]
pub fn counted(number: usize, name: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {name}{plural}")
}

/// What follows the first of a list that has `count` in all; nothing if that was all of it.
#[must_use]
pub fn and_more(count: usize, shown: usize) -> String {
    match count.saturating_sub(shown) {
        0 => String::new(),
        more => format!("and {more} more"),
    }
}

/// The word that an enum has in JSON.
#[must_use]
pub fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_two_units() {
        let cases = [
            (400, "0.4s"),
            (42_000, "42s"),
            (61_000, "1m 1s"),
            (3_660_000, "1h 1m"),
            (90_000_000, "1d 1h"),
            (-5000, "0.0s"),
        ];
        for (milliseconds, text) in cases {
            assert_eq!(duration(SignedDuration::from_millis(milliseconds)), text);
        }
    }
}
