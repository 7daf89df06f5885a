//! What git was told to keep: "Commit: `47d0420`", "Branch: `topic`", "Pushed: yes".

use super::Says;
use crate::words;

/// The fewest digits of the name of a commit.
const SHORTEST: usize = 7;
/// The most digits of a name by SHA-1, and how many one by SHA-256 has if it is whole.
const LONGEST: usize = 40;
const SHA256: usize = 64;

/// The commits that the value names. Behind the last of them their subject may stand, and nothing that says that
/// another one is meant.
pub(super) fn read(text: &str) -> Vec<Says> {
    let mut rest = text.trim().trim_matches('*').trim();
    let mut found = Vec::new();
    loop {
        let Some((hash, behind)) = hash(rest) else {
            return Vec::new();
        };
        found.push(Says::Commit { hash });
        rest = behind.trim_start();
        let mut joints = [",", ";", "&", "+", "and ", "/"].iter();
        let next = joints.find_map(|joint| rest.strip_prefix(*joint));
        match next.map(str::trim_start) {
            // "a, b, and c"
            Some(next) => rest = next.strip_prefix("and ").unwrap_or(next),
            None if is_subject(behind) => return found,
            None => return Vec::new(),
        }
    }
}

/// The name of a commit at the beginning, in lower case, and what stands behind it.
fn hash(text: &str) -> Option<(String, &str)> {
    let inside = text.trim_start_matches(['`', '"', '\'']);
    let marks = &text[..text.len() - inside.len()];
    let end = inside.find(|c: char| !c.is_ascii_hexdigit());
    let (digits, behind) = inside.split_at(end.unwrap_or(inside.len()));
    let is_long_enough = (SHORTEST..=LONGEST).contains(&digits.len()) || digits.len() == SHA256;
    // "defaced" is a word, and 20260131 a date.
    let is_mixed = digits.contains(|c: char| c.is_ascii_digit())
        && digits.contains(|c: char| c.is_ascii_alphabetic());
    // The subject may stand in the same marks.
    let behind = behind.strip_prefix(marks).unwrap_or(behind);
    let behind = behind
        .strip_prefix('…')
        .or_else(|| behind.strip_prefix("...").filter(|rest| rest.is_empty()))
        .unwrap_or(behind);
    let ends = behind.is_empty()
        || behind.starts_with(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | ':' | ')'))
        || matches!(behind, "." | "*" | "**");
    (is_long_enough && is_mixed && ends).then(|| (digits.to_ascii_lowercase(), behind))
}

/// Whether nothing but the subject of a commit stands there.
fn is_subject(text: &str) -> bool {
    let is_hidden = |c: char| !c.is_alphanumeric() && !matches!(c, '~' | '\'');
    let mut words = text
        .split_whitespace()
        .map(|word| word.trim_matches(is_hidden));
    !text.contains("://")
        && words.all(|word| {
            let word = word.to_lowercase();
            let is_denial = words::closed(&word) == Some("negation");
            !is_denial && !words::ROLES.has(&word, "another") && hash(&word).is_none()
        })
}

/// The branch that the value names. A single word without a mark may be prose.
pub(super) fn branch(text: &str) -> Option<Says> {
    let text = text.trim().trim_matches('*').trim();
    let inside = text
        .strip_prefix('`')
        .and_then(|text| text.strip_suffix('`'));
    let name = inside.unwrap_or(text);
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && !part.ends_with('.')
            && !part.contains("..")
    };
    let is_sign =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '#' | '+');
    let is_name = name.chars().all(is_sign) && name.split('/').all(is_part);
    let is_sure = inside.is_some()
        || name.contains('/') && !name.eq_ignore_ascii_case("n/a") && name != "main/master"
        || matches!(name, "main" | "master" | "develop" | "dev" | "trunk");
    let is_none = matches!(&*name.to_ascii_lowercase(), "none" | "head" | "detached");
    (is_name && is_sure && !is_none).then(|| Says::Branch {
        name: name.to_owned(),
    })
}

/// Whether the value says that it was pushed, and at most where to.
pub(super) fn pushed(text: &str) -> Option<Says> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let is_ticked = text.contains(['✅', '✓', '✔']) && !text.contains(['❌', '✗']);
    let text = text.trim_matches(is_mark).to_lowercase();
    let is_yes = |word: &str| matches!(word, "yes" | "true" | "done" | "success" | "pushed");
    let (first, rest) = text.split_once(is_mark).unwrap_or((&text, ""));
    let place = if is_yes(first) { rest } else { &text };
    let place = place.trim_matches(is_mark);
    let place = place.strip_prefix("to ").unwrap_or(place);
    let place = place.trim_matches(is_mark);
    let is_sign = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.');
    let is_said = match place.strip_prefix("origin") {
        Some(branch) => branch.is_empty() || branch.starts_with('/') && branch.chars().all(is_sign),
        None => place.is_empty() && (is_yes(first) || is_ticked && text.is_empty()),
    };
    is_said.then_some(Says::Pushed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hashes(text: &str) -> Vec<String> {
        let said = read(text).into_iter().map(|says| match says {
            Says::Commit { hash } => hash,
            other => panic!("{other:?}"),
        });
        said.collect()
    }

    #[test]
    fn a_commit_with_its_subject() {
        for text in [
            "1a2b3c4",
            "`1a2b3c4`",
            "**1a2b3c4**",
            "1A2B3C4",
            "1a2b3c4.",
            "`1a2b3c4` - fix: parse dates",
            "1a2b3c4 fix: parse dates",
            "`1a2b3c4 fix: parse dates`",
            "1a2b3c4: parse dates",
            "`1a2b3c4` (fix: parse dates)",
            "1a2b3c4 \"Parse dates\"",
            "1a2b3c4 on topic",
            "1a2b3c4...",
            "1a2b3c4…",
        ] {
            assert_eq!(hashes(text), ["1a2b3c4"], "{text}");
        }
        let whole = "1a".repeat(20);
        assert_eq!(hashes(&whole), [whole]);
        let longer = "1a".repeat(32);
        assert_eq!(hashes(&longer), [longer]);
    }

    #[test]
    fn several_commits_of_one_line() {
        for text in [
            "1a2b3c4, 5d6e7f8",
            "`1a2b3c4`, `5d6e7f8` - both parsers",
            "1a2b3c4 and 5d6e7f8",
            "1a2b3c4, and 5d6e7f8",
            "`1a2b3c4` + `5d6e7f8`",
            "1a2b3c4 / 5d6e7f8",
        ] {
            assert_eq!(hashes(text), ["1a2b3c4", "5d6e7f8"], "{text}");
        }
    }

    #[test]
    fn what_is_not_understood_whole_says_nothing() {
        for text in [
            "",
            "none",
            "n/a",
            "not committed",
            "will commit",
            "base: 1a2b3c4",
            "previous commit",
            "1a2b3c4..5d6e7f8",
            "1a2b3c4...5d6e7f8",
            "1a2b3c4^",
            "1a2b3c4~1",
            "1a2b3c4 (base)",
            "1a2b3c4 (not pushed)",
            "1a2b3c4 was reverted",
            "1a2b3c4 isn't there",
            "1a2b3c4 -> 5d6e7f8",
            "1a2b3c4 (was 5d6e7f8)",
            "1a2b3c4, and more",
            "[1a2b3c4](https://example.org/commit/1a2b3c4)",
            "https://example.org/commit/1a2b3c4",
            "1a2b3c4 (https://example.org)",
            "1a2b3c",
            "defaced",
            "20260131",
            "1a2b3c4g",
            "1a2b3c4-dirty",
            "1a2b3c4.txt",
            "fix: parse dates",
            "`git commit -m \"x\"`",
            "3 commits",
        ] {
            assert_eq!(hashes(text), [""; 0], "{text}");
        }
        assert_eq!(hashes(&"1a".repeat(21)), [""; 0]);
    }

    #[test]
    fn a_branch_is_named_by_a_mark_or_a_slash() {
        for (text, name) in [
            ("`topic`", Some("topic")),
            ("feat/x-1.2_b", Some("feat/x-1.2_b")),
            ("main", Some("main")),
            ("**`topic`**", Some("topic")),
            ("topic", None),
            ("the same", None),
            ("n/a", None),
            ("`HEAD`", None),
            ("none", None),
            ("`feat/x` (to be made)", None),
            ("feat/x -> main", None),
            ("`a..b`", None),
            ("origin/main..HEAD", None),
            ("feat/", None),
            ("https://example.org/x", None),
        ] {
            let said = name.map(|name| Says::Branch {
                name: name.to_owned(),
            });
            assert_eq!(branch(text), said, "{text}");
        }
    }

    #[test]
    fn pushed_is_a_yes_and_at_most_a_place() {
        for text in [
            "yes",
            "✅",
            "Yes, to origin/main",
            "to `origin/feat/x`",
            "yes (origin/main)",
            "✅ Success",
        ] {
            assert_eq!(pushed(text), Some(Says::Pushed), "{text}");
        }
        for text in [
            "no",
            "",
            "pending",
            "yes, but not main",
            "❌",
            "not yet",
            "2026-01-31",
            "GitHub",
        ] {
            assert_eq!(pushed(text), None, "{text}");
        }
    }
}
