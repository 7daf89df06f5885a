//! The status that a value states.

use crate::Status;
use crate::words::uncommented;

/// Reads the value of a status line. `None` where it is no status, or may be several.
pub(crate) fn read(value: &str) -> Option<Status> {
    let value = uncommented(value);
    let value = without_break(value.trim());
    // What is struck out does not hold, and the word behind it stands alone no more.
    if value.starts_with("~~") {
        return None;
    }
    let decoration = |c: char| !c.is_alphanumeric();
    let value = value.trim_start_matches(decoration);
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
        "DONE" if has_concerns(&rest_upper) => Some(Status::DoneWithConcerns),
        "DONE" if !names_another(&rest_upper) => Some(Status::Done),
        "DONE_WITH_CONCERNS" | "DONEWITHCONCERNS" | "DONE_WITH_CONCERN" => {
            Some(Status::DoneWithConcerns)
        }
        "BLOCKED" => Some(Status::Blocked),
        "NEEDS_CONTEXT" => Some(Status::NeedsContext),
        "NEEDS" if rest_upper.trim_start().starts_with("CONTEXT") => Some(Status::NeedsContext),
        _ => None,
    }
}

/// Without the mark of a hard line break at its end. Only of a status: a file may end in a back-slash,
/// as "src\\" does.
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

/// A question, or a choice that was not made.
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
        ];
        for value in done {
            assert_eq!(read(value), Some(Status::Done), "{value}");
        }
        let concerned = [
            "DONE_WITH_CONCERNS",
            "DONE with concerns",
            "done-with-concerns",
            "Done (with concerns)",
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
            "",
            "not DONE",
            "the build is DONE",
            "UNDONE",
            "DONE, then BLOCKED",
            "[DONE|BLOCKED]",
            "DONE_ish",
            "**DONE** | **BLOCKED**",
            "DONE (?)",
        ] {
            assert_eq!(read(value), None, "{value}");
        }
    }
}
