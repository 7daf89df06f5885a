//! The status in a value.

use crate::Status;
use crate::plain_text::PlainText;
use crate::{remark, words};

/// How much behind the word is looked at, in bytes.
const MAX_REST_BYTES: usize = 80;

/// Reads the value of a status line. `None` if it is not a status, or may be several.
pub(crate) fn read(value: &str) -> Option<Status> {
    let plain = PlainText::of(value);
    let text = plain.text();
    // Struck-out text does not count, and then the word after it no longer stands alone.
    if text.starts_with("~~") {
        return None;
    }
    let ticked = text.strip_prefix("[x]").or(text.strip_prefix("[X]"));
    let text = ticked.unwrap_or(text);
    let begin = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let end = begin.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    let (word, rest) = begin.split_at(end.unwrap_or(begin.len()));
    let word = word
        .trim_matches(['_', '-'])
        .to_lowercase()
        .replace('-', "_");
    let rest = rest[..rest.floor_char_boundary(MAX_REST_BYTES)].to_lowercase();
    if is_choice(&rest) {
        return None;
    }
    let rest: Vec<_> = words::words_of(&rest, "/%_'").collect();
    let is_done = |word: &&str| *word == "status" || words::STATUS.class(word) == Some("done");
    match words::STATUS.class(&word) {
        // "完了", "erledigt (DONE)": of another language no word is known that would take it back.
        Some("alone") => {
            (rest.iter().all(is_done) && !remark::is_open(text)).then_some(Status::Done)
        }
        Some("done") if has_concerns(&rest) => Some(Status::DoneWithConcerns),
        Some("done") => (!is_partial(&rest) && !remark::is_open(text)).then_some(Status::Done),
        Some("concerns") => Some(Status::DoneWithConcerns),
        Some("blocked") => Some(Status::Blocked),
        Some("context") => Some(Status::NeedsContext),
        _ if word == "needs" && rest.first() == Some(&"context") => Some(Status::NeedsContext),
        _ => None,
    }
}

/// A question, or a choice that has not been made: "DONE?", "DONE/BLOCKED", "DONE or not".
fn is_choice(rest: &str) -> bool {
    let rest = rest.trim_start_matches(['*', '_', '`', '"', '\'', '(', '[', ' ']);
    rest.starts_with(['?', '/'])
        || rest.contains('|')
        || rest.split_whitespace().next() == Some("or")
}

fn is_denied(words: &[&str], at: usize) -> bool {
    let denials = ["no", "none", "not", "nothing", "without", "zero"];
    at > 0 && denials.contains(&words[at - 1])
}

/// "DONE with concerns", "DONE (with minor concerns)", but not "DONE, no concerns".
fn has_concerns(words: &[&str]) -> bool {
    let at = words.iter().position(|word| word.starts_with("concern"));
    at.is_some_and(|at| {
        !is_denied(words, at)
            && !words[..at].contains(&"without")
            && words.get(at + 1) != Some(&"none")
    })
}

/// "DONE (partial)", "DONE except the tests", "DONE: 1 of 3", "DONE, 80%", "DONE, BLOCKED on x".
fn is_partial(words: &[&str]) -> bool {
    let is_number = |word: &str| !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
    let is_share = |some: &str, all: &str| is_number(some) && is_number(all) && some != all;
    let is_open = |(at, word): (usize, &&str)| {
        let class = words::STATUS.class(word);
        let percent = || Some((word.strip_suffix('%')?, "100"));
        let share = word.split_once('/').or_else(percent);
        matches!(class, Some("open" | "blocked" | "context")) && !is_denied(words, at)
            || share.is_some_and(|(some, all)| is_share(some, all))
    };
    let goes_on = |pair: &[&str]| {
        let is_denial = matches!(pair[1], "yet" | "done" | "all" | "complete" | "finished");
        pair[0] == "not" && is_denial || pair == ["in", "progress"]
    };
    words.iter().enumerate().any(is_open)
        || words.windows(2).any(goes_on)
        || words
            .windows(3)
            .any(|w| w[1] == "of" && is_share(w[0], w[2]))
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
            "erledigt",
            "✅ 已完成（Status: DONE）",
            "TERMINÉ** (DONE)",
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
            "erledigt bis auf die Tests",
            "完了（一部）",
            "未完成",
            "完成/未完成",
        ] {
            assert_eq!(read(value), None, "{value}");
        }
    }
}
