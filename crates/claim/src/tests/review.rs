//! Faults that a review found, each in a test that is named after it.

use attest_clock::processor_time;

use super::{check, parse, short};

fn value(value: &str) -> String {
    short(&format!("Status: DONE\nFiles changed: {value}\n"))
}

fn list(items: &str) -> String {
    short(&format!("Status: DONE\nFiles changed:\n{items}"))
}

fn status(value: &str) -> String {
    short(&format!("Status: {value}\n"))
}

#[test]
fn a_long_paragraph_above_a_rule_takes_linear_time() {
    let text = "word\n".repeat(200_000) + "===\n";
    let taken = processor_time(|| assert!(!parse(&text).is_claim()));
    // It took minutes where each line looked at the whole heading.
    assert!(taken.as_secs() < 20, "{taken:?}");
}

#[test]
fn one_word_of_prose_in_a_list_is_no_path() {
    for word in [
        "Refactoring",
        "Cleanup",
        "testing",
        "v1.2.3",
        "ghost",
        "foo_bar",
        "Button",
    ] {
        assert_eq!(
            list(&format!("- a.py\n- {word}\n")),
            format!("Lines DONE [a.py | ?{word}]")
        );
        assert_eq!(value(word), format!("Lines DONE [?{word}]"));
    }
    for name in ["Makefile", "Podfile", "README", "Ghost.py"] {
        let read = list(&format!("- a.py\n- {name}\n"));
        assert_eq!(read, format!("Lines DONE [a.py | {name}]"));
    }
}

#[test]
fn words_beside_what_is_no_path_are_no_paths() {
    for (text, expected) in [
        (
            "src/*.py — formatting, imports",
            "[!src/*.py — formatting | ?imports]",
        ),
        ("the parser: x, y", "[!the parser: x | !y]"),
        (
            "tests, updated the parser",
            "[?tests | !updated the parser]",
        ),
        ("a.py, too", "[a.py | ?too]"),
        // What has the shape of a path is one all the same.
        ("src/*.ts, a.py", "[!src/*.ts | a.py]"),
        ("a.py, ghost", "[a.py | ?ghost]"),
    ] {
        assert_eq!(value(text), format!("Lines DONE {expected}"), "{text}");
    }
}

#[test]
fn the_mark_of_a_line_is_no_part_of_a_bare_name() {
    assert_eq!(value("Makefile#L12"), "Lines DONE [Makefile]");
    assert_eq!(value("bin/run#L1-L9"), "Lines DONE [/bin/run]");
    assert_eq!(value("C#/x.cs#L12"), "Lines DONE [C#/x.cs]");
}

#[test]
fn a_list_in_brackets_behind_a_number_is_read() {
    assert_eq!(value("2 files (a.py, b.py)"), "Lines DONE [a.py | b.py]");
    assert_eq!(value("2 (`a.py`, `b.py`)"), "Lines DONE [a.py | b.py]");
    assert_eq!(
        value("2 files (+10, -3)"),
        "Lines DONE [!2 files (+10, -3)]"
    );
}

#[test]
fn small_words_around_names_hide_none() {
    for text in [
        "Only a.py and b.py",
        "a.py and b.py only",
        "a.py, as well as b.py",
    ] {
        assert_eq!(value(text), "Lines DONE [a.py | b.py]", "{text}");
    }
}

#[test]
fn a_file_named_www_is_no_address() {
    assert_eq!(value("www.py"), "Lines DONE [www.py]");
    assert_eq!(value("www.example.org"), "Lines DONE [!www.example.org]");
}

#[test]
fn a_map_of_lists_in_yaml_is_read() {
    check(&[
        (
            "## Handoff\n```yaml\nstatus: DONE\nfiles_changed:\n  created:\n    - a.py\n  deleted:\n    - b.py\n```\n",
            "Handoff DONE [a.py | -b.py]",
        ),
        (
            "## Handoff\n```yaml\nstatus: DONE\nfiles_changed:\n  created:\n  - a.py\n  modified:\n  - b.py\n```\n",
            "Handoff DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n- a.py\n\n  Changed:\n    - c.py is used\n- b.py\n",
            "Lines DONE [?a.py | b.py]",
        ),
    ]);
}

#[test]
fn a_hard_line_break_is_no_part_of_a_status() {
    assert_eq!(status("DONE\\"), "Lines DONE []");
    assert_eq!(status("DONE<br>"), "Lines DONE []");
    assert_eq!(status("DONE \\| BLOCKED\\"), "Lines - []");
}

#[test]
fn a_denied_status_is_no_second_one() {
    assert_eq!(status("DONE — not blocked"), "Lines DONE []");
    assert_eq!(status("DONE (concerns: none)"), "Lines DONE []");
    assert_eq!(
        status("DONE (concerns: one)"),
        "Lines DONE_WITH_CONCERNS []"
    );
    assert_eq!(status("DONE, now BLOCKED"), "Lines - []");
}

#[test]
fn a_struck_out_status_is_none() {
    assert_eq!(status("~~BLOCKED~~ DONE"), "Lines - []");
}
