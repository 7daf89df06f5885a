//! What a report says is not there: "Not done: docs/a.md".

use crate::message::MAX_MESSAGE_BYTES;
use crate::named::Named;
use crate::words;

/// The files that a report names where it says that something is not there, or is still to be done.
#[derive(Debug)]
pub struct Denied {
    /// `None` if there is more than is read, which may name any.
    named: Option<Named>,
}

impl Denied {
    /// Reads a report, line by line: a title says it of what stands below.
    #[must_use]
    pub fn of(report: &str) -> Self {
        if report.len() > MAX_MESSAGE_BYTES {
            return Self { named: None };
        }
        let mut named = Named::default();
        let mut is_below = false;
        for line in report.lines() {
            let denies = denies(line);
            let is_title =
                line.starts_with('#') || line.trim_end_matches(['*', '_', ' ']).ends_with(':');
            if is_title {
                is_below = denies;
            }
            if is_below || denies {
                named.add(line);
            }
        }
        Self { named: Some(named) }
    }

    /// Whether this is one of them, or lies below one.
    #[must_use]
    pub fn has(&self, path: &str) -> bool {
        self.named.as_ref().is_none_or(|named| named.has(path))
    }
}

fn denies(text: &str) -> bool {
    words::has_word(text, |word| {
        words::closed(word) == Some("negation") || words::TITLES.has(word, "plan")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_may_say_what_is_missing() {
        for report in [
            "Not done: docs/a.md, as it is superfluous.",
            "Open:\n- docs/a.md",
            "docs/a.md: missing",
            &"x".repeat(MAX_MESSAGE_BYTES + 1),
        ] {
            assert!(Denied::of(report).has("docs/a.md"), "{report:.99}");
        }
        for report in [
            "Files changed: docs/a.md",
            "Not done: docs/b.md",
            "No more. Open: none",
        ] {
            assert!(!Denied::of(report).has("docs/a.md"), "{report}");
        }
    }
}
