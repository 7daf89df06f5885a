//! The status in a value.

use crate::Status;
use crate::plain_text::PlainText;
use crate::plain_text::uncommented;

/// Reads the value of a status line. `None` if it is not a status, or may be several.
pub(crate) fn read(value: &str) -> Option<Status> {
    let value = uncommented(value);
    let value = without_break(value.trim());
    // Struck-out text does not count, and then the word after it no longer stands alone.
    if value.starts_with("~~") {
        return None;
    }
    let plain = PlainText::of(value);
    let whole = plain.text();
    let whole = whole.trim_start();
    let whole = ["[x]", "[X]"]
        .iter()
        .find_map(|ticked| whole.strip_prefix(ticked))
        .unwrap_or(whole);
    let decoration = |c: char| !c.is_alphanumeric();
    let value = whole.trim_start_matches(decoration);
    let before = &whole[..whole.len() - value.len()];
    let end = value
        .find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-'))
        .unwrap_or(value.len());
    let (word, rest) = value.split_at(end);
    let word = word
        .trim_matches(['_', '-'])
        .to_ascii_uppercase()
        .replace('-', "_");
    let rest_upper: String = rest
        .chars()
        .take(80)
        .collect::<String>()
        .to_ascii_uppercase();
    if is_open(&rest_upper) {
        return None;
    }
    match word.as_str() {
        "DONE" | "COMPLETE" | "COMPLETED" | "SUCCESS" if has_concerns(&rest_upper) => {
            Some(Status::DoneWithConcerns)
        }
        "DONE" | "COMPLETE" | "COMPLETED" | "SUCCESS" => {
            let is_whole = !names_another(&rest_upper)
                && !is_partial(&rest_upper)
                && !is_crossed(before, rest);
            is_whole.then_some(Status::Done)
        }
        "DONE_WITH_CONCERNS"
        | "DONEWITHCONCERNS"
        | "DONE_WITH_CONCERN"
        | "COMPLETED_WITH_CONCERNS"
        | "COMPLETE_WITH_CONCERNS" => Some(Status::DoneWithConcerns),
        "BLOCKED" => Some(Status::Blocked),
        "NEEDS_CONTEXT" => Some(Status::NeedsContext),
        "NEEDS" if rest_upper.trim_start().starts_with("CONTEXT") => Some(Status::NeedsContext),
        _ => None,
    }
}

/// A cross or an open box next to the word: not everything in the list is done.
fn is_crossed(before: &str, rest: &str) -> bool {
    let signs = [
        '❌', '✗', '✘', '☐', '⬜', '🚫', '⛔', '⏳', '🟡', '🔴', '🚧', '✖', '⚠',
    ];
    before.contains(signs) || rest.contains(signs) || rest.contains("[ ]") || before.contains("[ ]")
}

/// "DONE (partial)", "DONE except the tests", "DONE: 1 of 3", "DONE, 80%".
fn is_partial(rest: &str) -> bool {
    const WORDS: &[&str] = &[
        "ALMOST",
        "APART",
        "ASIDE",
        "BARRING",
        "BUT",
        "EXCEPT",
        "EXCEPTING",
        "EXCLUDING",
        "HALF",
        "IF",
        "INCOMPLETE",
        "MOSTLY",
        "NEARLY",
        "ONCE",
        "PART",
        "PARTIAL",
        "PARTIALLY",
        "PARTLY",
        "PENDING",
        "REMAINING",
        "REMAINS",
        "STILL",
        "TODO",
        "UNFINISHED",
        "UNTIL",
        "WIP",
    ];
    let words: Vec<_> = rest
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '%' | '\'' | '’')))
        .filter(|word| !word.is_empty())
        .collect();
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let is_word = |word: &str| WORDS.contains(&word);
    let share = |word: &str| match word.split_once('/') {
        Some((some, all)) => is_number(some) && is_number(all) && some != all,
        None => word
            .strip_suffix('%')
            .is_some_and(|share| is_number(share) && share != "100"),
    };
    let denied = |at: usize| {
        at > 0 && matches!(words[at - 1], "NO" | "NOTHING" | "NONE" | "NOT" | "WITHOUT")
    };
    let some_of_all = words
        .windows(3)
        .any(|w| is_number(w[0]) && w[1] == "OF" && is_number(w[2]) && w[0] != w[2]);
    let goes_on = words.windows(2).any(|w| {
        matches!(
            w,
            ["BUT", "NOT"]
                | ["NOT", "YET" | "DONE" | "ALL" | "COMPLETE" | "FINISHED"]
                | ["IN", "PROGRESS"]
        )
    });
    some_of_all
        || goes_on
        || words
            .iter()
            .enumerate()
            .any(|(at, word)| (is_word(word) && !denied(at)) || share(word))
}

/// Removes the mark of a hard line break at the end. Only for a status: a file may end in a
/// back-slash, as "src\\" does.
fn without_break(value: &str) -> &str {
    let mut value = value;
    while let Some(rest) = ["\\", "<br>", "<br/>", "<br />"]
        .iter()
        .find_map(|mark| value.strip_suffix(mark))
    {
        value = rest.trim_end();
    }
    value
}

/// A question, or a choice that has not been made.
fn is_open(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '_', '`', '"', '\'', '(', '[', ' ']);
    rest.starts_with(['?', '/', '|', '\\', '<'])
        || rest.split_whitespace().next() == Some("OR")
        || rest.contains('|')
}

/// "DONE with concerns", "DONE, some concerns", "DONE (with minor concerns)".
fn has_concerns(rest: &str) -> bool {
    let Some(at) = rest.find("CONCERN") else {
        return false;
    };
    !["NO ", "NO_", "WITHOUT ", "ZERO "]
        .iter()
        .any(|denial| rest[..at].ends_with(denial))
        && !rest[..at].contains("WITHOUT")
        && !rest[at..]
            .trim_start_matches("CONCERN")
            .trim_start_matches('S')
            .trim_start_matches([':', '=', ' '])
            .starts_with("NONE")
}

/// "DONE? no: BLOCKED", "DONE / BLOCKED", "DONE, BLOCKED on x".
fn names_another(rest: &str) -> bool {
    let mut before = "";
    rest.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .filter(|word| !word.is_empty())
        .any(|word| {
            let is_denied = matches!(std::mem::replace(&mut before, word), "NOT" | "NOTHING");
            matches!(word, "BLOCKED" | "NEEDS_CONTEXT") && !is_denied
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_decorations() {
        let done = [
            "DONE",
            "done",
            "**DONE**",
            "DONE (tests pass)",
            "DONE.",
            "DONE ✅",
            "✅ DONE",
            "`DONE`",
            "DONE — all tests pass",
            "DONE, no concerns",
            "\"DONE\",",
            "DONE without concerns",
            "DONE <!-- or BLOCKED -->",
            "[DONE]",
            "COMPLETE",
            "✅ Completed",
            "Success — 3 of 3 tests pass",
            "DONE (100%)",
            "DONE (3/3)",
            "DONE, see src/main",
            "DONE, not blocked by anything",
            "DONE (concerns: none)",
            "DONE with zero concerns",
            "DONE without any concerns",
            "DONE — 3/3 tests, nothing todo",
            "DONE (and/or more)",
            "DONE, nothing pending",
            "\u{200b}DONE",
        ];
        for value in done {
            assert_eq!(read(value), Some(Status::Done), "{value}");
        }
        let concerned = [
            "DONE_WITH_CONCERNS",
            "DONE with concerns",
            "done-with-concerns",
            "Done (with concerns)",
            "DONE, concerns: the cache",
            "**DONE** with minor concerns",
        ];
        for value in concerned {
            assert_eq!(read(value), Some(Status::DoneWithConcerns), "{value}");
        }
        assert_eq!(read("blocked: no network"), Some(Status::Blocked));
        assert_eq!(read("NEEDS CONTEXT"), Some(Status::NeedsContext));
    }

    #[test]
    fn what_is_open_is_no_status() {
        for value in [
            "DONE?",
            "DONE/BLOCKED",
            "DONE | DONE_WITH_CONCERNS | BLOCKED",
            "<DONE or BLOCKED>",
            "DONE or BLOCKED",
            "DONE or not",
            "DONE, or so | not",
            "",
            "not DONE",
            "the build is DONE",
            "UNDONE",
            "DONE, then BLOCKED",
            "[DONE|BLOCKED]",
            "DONE_ish",
            "**DONE** | **BLOCKED**",
            "DONE (?)",
            "DONE (partial)",
            "DONE except the tests",
            "DONE — 1 of 3",
            "DONE (2/3)",
            "DONE, 50%",
            "DONE but not the tests",
            "DONE, blocked by nothing",
            "DONE ❌",
            "[ ] DONE",
            "INCOMPLETE",
            "NEEDS REVIEW",
            "IN PROGRESS",
            "PARTIAL",
            "DONE, but not all",
        ] {
            assert_eq!(read(value), None, "{value}");
        }
    }
}
