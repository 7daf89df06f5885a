//! Small rules, each with the case that only it decides.

use super::check;
use crate::remark::read;

#[test]
fn a_name_is_no_label_of_the_names_behind_it() {
    check(&[
        (
            "Files changed: Makefile: a.py, b.py",
            "Lines - [?Makefile | b.py]",
        ),
        ("Files changed: a.py to b.py", "Lines - [!a.py to b.py]"),
    ]);
}

#[test]
fn an_ending_beside_a_name_is_short_for_a_neighbour() {
    check(&[
        ("Files changed: a.h, .cpp", "Lines - [a.h | !.cpp]"),
        ("Files changed: a.py, .env", "Lines - [a.py | .env]"),
    ]);
}

#[test]
fn a_number_in_front_of_an_item_has_four_digits_at_most() {
    check(&[
        ("Files changed:\n• 1234. src/a.py", "Lines - [src/a.py]"),
        (
            "Files changed:\n• 12345. src/a.py",
            "Lines - [?12345. src/a.py]",
        ),
    ]);
}

#[test]
fn only_a_few_words_and_a_colon_end_a_list() {
    check(&[
        (
            "Files changed:\n- a.py\nWhat I did: x\n- b.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\n- a.py\nWhat I did then was this: x\n- b.py",
            "Lines - [a.py | b.py]",
        ),
    ]);
}

#[test]
fn trees_are_drawn_with_plus_signs_too() {
    check(&[(
        "Files changed:\n```\nsrc/\n+-- a.py\n+-- b.py\n```",
        "Lines - [src/a.py | src/b.py]",
    )]);
}

#[test]
fn what_is_denied_behind_work_takes_it_back() {
    for remark in [
        "added the parser; never written to disk",
        "added the parser, not checked in",
        "created, then not here",
        "created; not committed",
    ] {
        assert!(!read(remark).is_understood(), "{remark}");
    }
    assert!(read("1,200 lines").is_understood());
    assert!(!read("2, 3 lines").is_understood());
}
