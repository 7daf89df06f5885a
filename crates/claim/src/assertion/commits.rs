//! What git was told to keep: "Commit: `47d0420`", "Branch: `topic`", "Pushed: yes".

use super::Says;
use crate::path::bare;
use crate::title::without_brackets;
use crate::words;

/// The fewest digits of the name of a commit.
const SHORTEST: usize = 7;
/// The most digits of a name by SHA-1, and how many one by SHA-256 has if it is whole.
const LONGEST: usize = 40;
const SHA256: usize = 64;
/// What may stand in front of the name of a commit below its key.
const LABELS: [&str; 4] = ["hash", "sha", "id", "commit"];
/// What a branch begins at, said behind its name.
const BASES: [&str; 4] = ["based on ", "from ", "off ", "off of "];

/// The commits that the value names, or that it was done. Behind the last of them their subject may stand, and nothing
/// that says that another one is meant.
pub(super) fn read(text: &str) -> Vec<Says> {
    let (said, number) = without_brackets(text);
    let said = said.trim_matches(is_mark);
    let behind = number.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_counted = number.is_empty()
        || behind.len() < number.len() && matches!(behind, " commit" | " commits");
    if is_counted && is_yes(said) {
        return vec![Says::Committed];
    }
    let value = unlabelled(text.trim().trim_matches('*').trim());
    let (count, list) = counted(value);
    let found = listed(list);
    match count {
        // "3 (1a2b3c4, 5d6e7f8)" leaves one out.
        Some(count) if count != found.len() => Vec::new(),
        _ if found.is_empty() => at_end(value).into_iter().collect(),
        _ => found,
    }
}

/// The commit behind its subject or its branch: "fix: parse dates (1a2b3c4)", "main@1a2b3c4".
fn at_end(text: &str) -> Option<Says> {
    let behind_subject = || {
        let (subject, name) = text.strip_suffix(')')?.rsplit_once('(')?;
        is_subject(subject).then_some(name)
    };
    let behind_branch = || {
        let (branch, name) = text.split_once('@')?;
        is_branch(branch.trim_matches('`')).then_some(name)
    };
    let name = behind_subject().or_else(behind_branch)?;
    let (hash, _) = hash(name.trim_matches('`')).filter(|(_, behind)| behind.is_empty())?;
    Some(Says::Commit { hash })
}

/// The value without the name of what it is: "Hash: 1a2b3c4".
fn unlabelled(text: &str) -> &str {
    let is_mark = ['*', '_', ' '];
    match text.split_once(':') {
        Some((label, value))
            if LABELS.contains(&&*label.trim_matches(is_mark).to_ascii_lowercase()) =>
        {
            value.trim_start_matches(is_mark)
        }
        _ => text,
    }
}

/// How many are said to be named, and the list: "2 (`1a2b3c4`, `5d6e7f8`)", "2 commits: 1a2b3c4, 5d6e7f8".
fn counted(text: &str) -> (Option<usize>, &str) {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (count, rest) = text.split_at(digits);
    let behind = rest.trim_start();
    let behind = ["commits", "commit"]
        .iter()
        .find_map(|noun| behind.strip_prefix(noun))
        .unwrap_or(behind);
    let list = match behind.trim_start().strip_prefix('(') {
        Some(list) => list.trim_end().strip_suffix(')'),
        None => behind.strip_prefix(':').map(str::trim_start),
    };
    match (count.parse(), list) {
        (Ok(count), Some(list)) => (Some(count), list),
        _ => (None, text),
    }
}

/// The commits of a list.
fn listed(text: &str) -> Vec<Says> {
    let mut rest = text;
    let mut found = Vec::new();
    loop {
        let Some((hash, behind)) = linked(rest).or_else(|| hash(rest)) else {
            return Vec::new();
        };
        found.push(Says::Commit { hash });
        rest = behind.trim_start();
        let mut joints = [",", ";", "&", "+", "and ", "/"].iter();
        let next = joints.find_map(|joint| rest.strip_prefix(*joint));
        if let Some(says) = beside(rest) {
            found.push(says);
            return found;
        }
        match next.map(str::trim_start) {
            // "a, b, and c"
            Some(next) => rest = next.strip_prefix("and ").unwrap_or(next),
            None if is_subject(behind) => return found,
            None => return Vec::new(),
        }
    }
}

/// What is said beside a commit that is no subject: "(pushed to origin/main)", "— all changes".
fn beside(text: &str) -> Option<Says> {
    let said = text.trim_matches(is_mark);
    let said = said.strip_prefix("and ").unwrap_or(said);
    let all = said.strip_suffix(" committed").unwrap_or(said);
    match said.split(is_mark).next()? {
        "pushed" | "Pushed" => pushed(said),
        "all" | "All" | "everything" | "Everything" => is_yes(all).then_some(Says::Committed),
        _ => None,
    }
}

/// A link whose words and whose destination name the same commit: "[1a2b3c4](https://example.org/commit/1a2b3c4d)".
fn linked(text: &str) -> Option<(String, &str)> {
    let (words, rest) = text.strip_prefix('[')?.split_once("](")?;
    let (place, behind) = rest.split_once(')')?;
    let (hash, _) = hash(words).filter(|(_, behind)| behind.is_empty())?;
    let last = place.rsplit('/').next()?.to_ascii_lowercase();
    (last.starts_with(&hash)).then_some((hash, behind))
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

/// The branch that the value names, at most with what it begins at. A single word without a mark may be prose.
pub(super) fn branch(text: &str) -> Option<Says> {
    let (text, said) = without_brackets(text.trim().trim_matches('*').trim());
    let inside = text
        .strip_prefix('`')
        .and_then(|text| text.strip_suffix('`'));
    let name = inside.unwrap_or(text);
    let base = BASES.iter().find_map(|base| said.strip_prefix(base));
    let is_understood =
        said.is_empty() || said == "new" || base.is_some_and(|base| is_branch(bare(base)));
    let lower = name.to_ascii_lowercase();
    let is_sure = inside.is_some()
        || name.contains('/') && lower != "n/a" && name != "main/master"
        || matches!(name, "main" | "master" | "develop" | "dev" | "trunk")
        || is_task(&lower);
    let is_none = matches!(&*lower, "none" | "head" | "detached");
    (is_branch(name) && is_understood && is_sure && !is_none).then(|| Says::Branch {
        name: name.to_owned(),
    })
}

fn is_branch(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with(['.', '-'])
            && !part.ends_with('.')
            && !part.contains("..")
    };
    let is_sign =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '-' | '_' | '.' | '#' | '+');
    name.chars().all(is_sign) && name.split('/').all(is_part)
}

/// Whether a word without a mark, where a branch is named, is surely its name: a task ("fix"), or words that only a name
/// joins and of which none says what became of a branch: "fix-dates", but not "up-to-date".
fn is_task(word: &str) -> bool {
    let says_more = |part: &str| {
        let is_deed = words::change(part).is_some() && !words::is_demand(part);
        is_deed
            || words::closed(part).is_some()
            || words::CHECKS.contains(part)
            || words::STATUS.contains(part)
            || words::TITLES.has_any(part, &["ends", "plan"])
    };
    let mut parts = word.split(['-', '_', '.', '#', '+']);
    let is_name = word.starts_with(|c: char| c.is_ascii_alphabetic())
        && (words::is_demand(word) || parts.clone().nth(1).is_some());
    is_name && !parts.any(says_more)
}

fn is_mark(c: char) -> bool {
    !c.is_alphanumeric()
}

/// Whether it is said that something was done, or all of it.
fn is_yes(text: &str) -> bool {
    let text = text.to_lowercase();
    let is_all = matches!(&*text, "all" | "all changes" | "everything");
    is_all || matches!(&*text, "yes" | "true" | "done" | "success")
}

/// Whether the value says that it was pushed, and at most where to.
pub(super) fn pushed(text: &str) -> Option<Says> {
    let is_ticked = text.contains(['✅', '✓', '✔']) && !text.contains(['❌', '✗']);
    let text = text.trim_matches(is_mark).to_lowercase();
    let is_yes = |word: &str| is_yes(word) || word == "pushed";
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

    #[test]
    fn what_is_said_beside_a_commit_is_a_claim_of_its_own() {
        let commit = || Says::Commit {
            hash: "1a2b3c4".to_owned(),
        };
        for (text, says) in [
            ("1a2b3c4 (pushed to origin/main)", Some(Says::Pushed)),
            ("`1a2b3c4`, pushed", Some(Says::Pushed)),
            ("1a2b3c4 and pushed to origin", Some(Says::Pushed)),
            ("1a2b3c4 (all changes)", Some(Says::Committed)),
            ("1a2b3c4 - all changes committed", Some(Says::Committed)),
            ("1a2b3c4 (pushed the limit to 40)", None),
            ("1a2b3c4 all tests in one folder", None),
        ] {
            let expected: Vec<_> = [commit()].into_iter().chain(says).collect();
            assert_eq!(read(text), expected, "{text}");
        }
        assert_eq!(read("1a2b3c4 (not pushed)"), []);
    }

    #[test]
    fn a_commit_behind_its_subject_or_its_branch() {
        for text in [
            "feat: add limiter (1a2b3c4)",
            "\"Add limiter\" (`1a2b3c4`)",
            "main@1a2b3c4",
            "`feat/x@1a2b3c4`",
        ] {
            assert_eq!(hashes(text), ["1a2b3c4"], "{text}");
        }
        for text in [
            "not yet (1a2b3c4)",
            "the one before (1a2b3c4)",
            "feat: add limiter (1a2b3c4 and more)",
            "feat: add limiter (#1234567)",
            "me@defaced",
        ] {
            assert_eq!(hashes(text), [""; 0], "{text}");
        }
    }

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
            "[1a2b3c4](https://example.org/commit/1a2b3c4d5e)",
            "[`1a2b3c4`](https://example.org/commit/1a2b3c4) fix: parse dates",
            "1 (`1a2b3c4`)",
            "Hash: `1a2b3c4`",
            "**SHA:** 1a2b3c4",
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
            "2 (`1a2b3c4`, `5d6e7f8`)",
            "2 commits: 1a2b3c4, 5d6e7f8",
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
            "[1a2b3c4](https://example.org/commit/5d6e7f8)",
            "[1a2b3c4](https://example.org/pull/12)",
            "2 (1a2b3c4)",
            "2 (see the log)",
            "2 commits",
            "Base: 1a2b3c4",
            "Message: 1a2b3c4",
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
            ("clean", None),
            ("fix", Some("fix")),
            ("fix-dates", Some("fix-dates")),
            ("fix (based on main)", Some("fix")),
            ("`feat/x` (from `develop`)", Some("feat/x")),
            ("fix (new)", Some("fix")),
            ("the same", None),
            ("same", None),
            ("unchanged", None),
            ("current", None),
            ("created", None),
            ("pushed", None),
            ("up-to-date", None),
            ("yes", None),
            ("no", None),
            ("local", None),
            ("feature", None),
            ("fix (not pushed)", None),
            ("fix (merged)", None),
            ("fix (based on the last one)", None),
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
    fn committed_is_a_yes_alone() {
        for text in ["yes", "✅ Yes", "**done**", "yes (1 commit)", "All changes"] {
            assert_eq!(read(text), [Says::Committed], "{text}");
        }
        for text in [
            "no",
            "not yet",
            "yes, but not b.py",
            "yes (b.py only)",
            "yes (no commit)",
            "all but b.py",
            "✅",
            "pending",
            "yesterday",
        ] {
            assert_eq!(read(text), [], "{text}");
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
