//! What surrounds a name in a list, each with the text most like it that says something else.

use super::{parse, short};

#[track_caller]
fn check_items(cases: &[(&str, &str)]) {
    for (item, expected) in cases {
        let read = short(&format!("Files changed:\n- {item}\n"));
        assert_eq!(read, format!("Lines - {expected}"), "{item}");
    }
}

#[test]
fn a_label_is_of_known_words() {
    check_items(&[
        ("#14 src/a.py", "[src/a.py]"),
        ("#issue src/a.py", "[?#issue src/a.py]"),
        ("14 src/a.py", "[?14 src/a.py]"),
        ("File A src/a.py", "[src/a.py]"),
        ("D src/a.py", "[-src/a.py]"),
        ("New D src/a.py", "[?New D src/a.py]"),
        ("Renamed `config` to `settings`", "[?config->settings]"),
        ("~ src/a.py", "[src/a.py]"),
        // A box that is half ticked.
        ("[~] src/a.py", "[?[~] src/a.py]"),
    ]);
}

#[test]
fn words_in_brackets_behind_a_file_are_about_it() {
    check_items(&[
        ("`src/a.py` (new file): the parser", "[src/a.py]"),
        ("src/a.py (changed files): the parser", "[src/a.py]"),
        ("src/q/ (3 new files)", "[src/q/]"),
        ("src/q/ (3 files planned)", "[?src/q/]"),
    ]);
    for text in [
        "#### `src/a.py` (new file)\n\nThe parser.",
        "`src/a.py` (new file): x",
    ] {
        assert_eq!(short(text), "None - []", "{text}");
    }
}

#[test]
fn two_names_are_a_rename_only_below_a_sign_or_word_for_one() {
    check_items(&[
        ("R src/a.py src/b.py", "[src/a.py->src/b.py]"),
        ("M src/a.py src/b.py", "[?src/a.py src/b.py]"),
        ("`src/a.py` renamed to `src/b.py`", "[src/a.py->src/b.py]"),
        ("src/a.py was renamed to src/b.py", "[src/a.py->src/b.py]"),
        ("src/a.py: renamed to src/b.py", "[?src/a.py]"),
        ("src/a.py: `f` renamed to `g`", "[?src/a.py]"),
        ("src/a.py `f` renamed to `g`", "[?src/a.py]"),
        ("src/a.py renamed the parser to `g`", "[src/a.py]"),
        ("`f` renamed to `g`", "[?f->g]"),
        ("Refactored src/a.py (src/b.py is as it was)", "[?src/a.py]"),
        ("only src/a.py (src/b.py was fine already)", "[?src/a.py]"),
    ]);
}

#[test]
fn a_dash_or_an_arrow_at_the_name_is_no_part_of_it() {
    check_items(&[
        ("—src/a.py", "[src/a.py]"),
        ("→src/a.py", "[src/a.py]"),
        ("src/a.py— new", "[src/a.py]"),
    ]);
}

#[test]
fn a_sign_between_two_names_separates_them() {
    check_items(&[
        ("`bin/run` + `bin/stop` — scripts", "[/bin/run | /bin/stop]"),
        (
            "bin/run + bin/stop — scripts",
            "[!bin/run + bin/stop — scripts]",
        ),
        ("src/a.py + its tests — new cases", "[?src/a.py]"),
        ("parser / src/a.py: new cases", "[?parser / src/a.py]"),
        ("`a.py`/`b.py`", "[a.py | b.py]"),
        // A sign on one side is no part of the name, unless it joins the two.
        ("/ src/a.py", "[src/a.py]"),
        ("| src/a.py |", "[src/a.py]"),
        ("src/x.h/`a.py`", "[src/x.h/a.py]"),
        ("`` / src/a.py: new cases", "[?/ src/a.py]"),
    ]);
}

#[test]
fn lines_of_a_file_are_no_part_of_its_name() {
    check_items(&[
        ("`src/a.py` L12-L40", "[src/a.py]"),
        ("src/a.py L12-L40", "[src/a.py]"),
        ("`src/a.py` L12 as well", "[src/a.py]"),
        ("`src/a.py` ✅", "[src/a.py]"),
        ("`src/a.py` whatever", "[?src/a.py]"),
        // Nothing but the last remark is in brackets.
        ("src/a b.py (new) :)", "[!src/a b.py (new) :)]"),
    ]);
}

#[test]
fn emphasis_is_around_one_name_or_around_all() {
    check_items(&[
        ("**src/a.py — new**", "[src/a.py]"),
        ("**src/a.py**, **src/b.py**", "[src/a.py | src/b.py]"),
    ]);
    let raw = |message: &str| parse(message).entries[0].raw.clone();
    assert_eq!(raw("Files changed: **a.py**, **b.py**"), "**a.py**");
    assert_eq!(raw("Files changed: **a.py, b.py**"), "a.py");
}

#[test]
fn a_flow_of_fields_names_one_file() {
    check_items(&[
        ("{path: src/a.py, change: new}", "[src/a.py]"),
        (
            "{\"path\": \"src/a.py\", \"change\": \"new\"}",
            "[src/a.py]",
        ),
        ("{src/a.py, src/b.py}", "[src/a.py | src/b.py]"),
        (
            "{src/a.py, src/b.py} later",
            "[!{src/a.py, src/b.py} later]",
        ),
        ("{src/a.py} unchanged", "[!{src/a.py} unchanged]"),
        ("(src/a.py, src/b.py)", "[src/a.py | src/b.py]"),
        (
            "(src/a.py, src/b.py) were only read",
            "[!(src/a.py, src/b.py) were only read]",
        ),
        ("(the parser in src/a.py)", "[!(the parser in src/a.py)]"),
    ]);
}
