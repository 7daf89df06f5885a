use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::*;

const PATHS: Mode = Mode::NO_MATCH_SLASH_LITERAL;

fn pattern(text: &str) -> Pattern {
    Pattern::from_bytes(text.as_bytes()).unwrap()
}

fn deep(text: &str) -> Deep {
    Deep {
        parts: parts(&pattern(text).text),
        is_for_folders: text.ends_with('/'),
    }
}

/// What the character by character way says, which takes long only for long texts.
fn plain(text: &str, path: &str, mode: Mode) -> bool {
    wildmatch(pattern(text).text.as_slice().into(), path.into(), mode)
}

#[test]
fn only_more_than_one_counts() {
    for text in [
        "*.py",
        "a/*/b/*/c",
        "**/a",
        "a/**",
        "a**b/**/c**",
        "a**",
        r"\**/**/b",
    ] {
        assert!(Deep::of(&pattern(text)).is_none(), "{text}");
    }
    for text in ["**/a/**", "a/**/b/**/c", "**/***/c", r"a/**\/b/**"] {
        assert!(Deep::of(&pattern(text)).is_some(), "{text}");
    }
}

#[test]
fn stars_take_any_folders() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("**/a/**", &["a/b", "c/a/b/d"], &["a", "b/a", "ab/c"]),
        (
            "a/**/b/**/c",
            &["a/b/c", "a/x/b/y/z/c"],
            &["a/c", "a/b", "b/c", "a/x/c"],
        ),
        ("**/[a/]/**/b", &["a/b", "x/a/y/b"], &["b", "a", "a/x"]),
        (
            "/**/x?/**/*.o",
            &["xy/a.o", "b/xz/c/d.o"],
            &["x/a.o", "xy/a.c"],
        ),
        (r"**/\*/**/b", &["*/b", "a/*/c/b"], &["a/b"]),
        ("**/[[:alpha:]/]/**/b", &["x/b"], &["1/b", "/b"]),
        ("**/[]/]/**/b", &["]/b"], &["[/b", "a/b"]),
        ("**/[a/**/b", &[], &["[a/b", "a/b"]),
    ];
    for (text, matching, other) in cases {
        let is_match = |path: &&str| deep(text).matches(path.as_bytes(), false, PATHS);
        assert!(matching.iter().all(is_match), "{text}: {matching:?}");
        assert!(!other.iter().any(is_match), "{text}: {other:?}");
    }
}

#[test]
fn what_is_for_folders_is_for_no_file() {
    let rule = Deep::of(&pattern("**/a/**/b/")).unwrap();
    assert!(rule.matches(b"a/b", true, PATHS));
    assert!(!rule.matches(b"a/b", false, PATHS));
}

#[test]
fn letters_may_be_large_or_small() {
    let rule = deep("**/A/**/b");
    assert!(rule.matches(b"a/B", false, PATHS | Mode::IGNORE_CASE));
    assert!(!rule.matches(b"a/B", false, PATHS));
}

/// Found by fuzzing: these took longer than anybody waits.
#[test]
fn a_rule_of_nothing_but_stars_takes_no_time() {
    let path = "a/".repeat(500) + "b";
    for text in [
        "/**".repeat(40) + "/c",
        "**/a/".repeat(60) + "c",
        "/**/*".repeat(40) + "c",
    ] {
        let began = Instant::now();
        let rule = Deep::of(&pattern(&text)).unwrap();
        assert!(!rule.matches(path.as_bytes(), false, PATHS), "{text}");
        assert!(
            began.elapsed() < Duration::from_secs(2),
            "{text}: {:?}",
            began.elapsed()
        );
    }
}

proptest! {
    #[test]
    fn both_ways_say_the_same(
        text in "(\\*\\*/|\\*\\*\\*|/|a|b|\\?|\\*|\\[a/\\]|\\[!a\\]|\\\\/|\\\\\\*|\\]|\\[){1,7}",
        names in "[ab*\\]]{1,3}(/[ab*\\]]{1,3}){0,4}",
        folds: bool,
    ) {
        let mode = if folds { PATHS | Mode::IGNORE_CASE } else { PATHS };
        prop_assume!(Pattern::from_bytes(text.as_bytes()).is_some());
        let rule = Deep { parts: parts(&pattern(&text).text), is_for_folders: false };
        prop_assert_eq!(
            rule.matches(names.as_bytes(), false, mode),
            plain(&text, &names, mode),
            "{:?}", rule
        );
    }
}
