//! Whether a message says no more than that its report is in an earlier one.

/// The longest message that does, in bytes.
const LONGEST: usize = 600;
/// How it says so.
const PHRASES: [&str; 22] = [
    "reported above",
    "report above",
    "above report",
    "summary above",
    "above summary",
    "see above",
    "described above",
    "detailed above",
    "listed above",
    "provided above",
    "given above",
    "stated above",
    "findings above",
    "results above",
    "already reported",
    "already provided",
    "already delivered",
    "previous message",
    "earlier message",
    "previous report",
    "earlier report",
    "report stands",
];

/// Whether a message refers to an earlier one in the place of a report: it is short, and says so.
#[must_use]
pub fn refers_back(message: &str) -> bool {
    let text = message.trim();
    let says = || {
        let lower = text.to_lowercase();
        PHRASES.iter().any(|phrase| lower.contains(phrase))
    };
    text.len() <= LONGEST && says()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_that_stands_for_an_earlier_one() {
        for message in [
            "As reported above, everything is done.",
            "Done. See above for the files.",
            "My previous message has the full report.",
            "The report stands: nothing has changed since.",
        ] {
            assert!(refers_back(message), "{message}");
        }
        let own = format!(
            "{}\nAs described above, all is done.",
            "a line of it\n".repeat(60)
        );
        for message in [
            "Status: DONE\nFiles changed: a.py",
            "The line above is wrong.",
            &own,
        ] {
            assert!(!refers_back(message), "{message}");
        }
    }
}
