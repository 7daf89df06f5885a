//! Messages that look alike, and of which one claims what the other does not.

use super::*;
use crate::path::is_sure;

/// Every reading of every entry of a list; `?` marks one that proves nothing.
fn readings(value: &str) -> Vec<Vec<String>> {
    let claim = parse(&format!("Files changed: {value}"));
    let readings = claim.entries.iter().map(|entry| match &entry.meaning {
        Meaning::Unresolvable(why) => vec![format!("!{why}")],
        Meaning::Paths(readings) => readings.iter().map(name).collect(),
    });
    readings.collect()
}

fn name(reading: &Reading) -> String {
    let mark = if reading.certainty == Certainty::Likely {
        "?"
    } else {
        ""
    };
    match &reading.target {
        Target::File(name) | Target::Dir(name) => format!("{mark}{name}"),
        Target::Rename { from, to } => format!("{mark}{from}->{to}"),
    }
}

/// A value, and the readings of each of its entries.
type Case<'a> = (&'a str, &'a [&'a [&'a str]]);

#[track_caller]
fn check_readings(cases: &[Case<'_>]) {
    for (value, expected) in cases {
        assert_eq!(&readings(value), expected, "{value}");
    }
}

#[test]
fn nothing_before_a_file_is_not_nothing_at_all() {
    check(&[
        ("Files changed: none, I only read b.py", "Lines - []"),
        ("Files changed: a.py, none, b.py", "Lines - [a.py | b.py]"),
        ("Files changed: [none, a.py]", "Lines - [a.py]"),
    ]);
}

#[test]
fn an_ending_alone_is_a_name_only_in_front() {
    check(&[
        ("Files changed: .py, a.ts", "Lines - [?.py | a.ts]"),
        (
            "Files changed: src/a.ts, .tsx",
            "Lines - [src/a.ts | !.tsx]",
        ),
    ]);
}

#[test]
fn a_remark_denies_the_file_that_it_is_about() {
    check(&[
        (
            "Files changed:\n- a.py (new), not finished",
            "Lines - [?a.py]",
        ),
        (
            "Files changed:\n- a.py (new), did not touch b.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed: a.py, b.py, not tested",
            "Lines - [a.py | b.py | !not tested]",
        ),
        (
            "Files changed: a.py, b.py, not written yet",
            "Lines - [a.py | !b.py]",
        ),
        (
            "Files changed: a.py, b.py; unchanged",
            "Lines - [a.py | !b.py]",
        ),
        ("Files changed: a.py, b.py, later", "Lines - [a.py | ?b.py]"),
        (
            "Files changed: a.py, b.py, to be written",
            "Lines - [a.py | ?b.py]",
        ),
        (
            "Files changed: a.py and b.py (both unchanged)",
            "Lines - [!a.py | !b.py (both unchanged)]",
        ),
        (
            "Files changed: a.py and b.py (unchanged)",
            "Lines - [a.py | !b.py (unchanged)]",
        ),
        (
            "Files changed:\n- a.py, later\n- b.py; not yet\n- c.py, too\n- d.py, parser",
            "Lines - [?a.py | !b.py | c.py | d.py | ?parser]",
        ),
        (
            "Files changed: ❌ a.py, b.py ❌, ✅ c.py, d.py ✅",
            "Lines - [!❌ a.py | !b.py ❌ | c.py | d.py]",
        ),
        (
            "Files changed:\n- 🆕 a.py\n- 😴 b.py\n- 📄 c.py",
            "Lines - [a.py | !😴 b.py | c.py]",
        ),
    ]);
}

#[test]
fn what_goes_on_behind_a_remark_is_not_claimed() {
    check(&[
        (
            "Files changed: a.py — adds x, y and b.py",
            "Lines - [a.py | ?b.py]",
        ),
        (
            "Files changed: a.py — adds x, b.py (new)",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed: a.py (adds x, y), b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed: some words here, b.py",
            "Lines - [!some words here | ?b.py]",
        ),
    ]);
}

/// Names that are joined with one of which the file in front is said to do something are not claimed either.
#[test]
fn a_name_joined_with_another_one_of_a_remark_is_of_that_remark() {
    check(&[
        (
            "Files changed:\n- `a.py` now reads `b.yaml` and `c.yaml`",
            "Lines - [?a.py | ?c.yaml]",
        ),
        (
            "Files changed:\n- `a.py`, made of `b.py`, `c.py` and `d.py`",
            "Lines - [a.py | ?c.py | ?d.py]",
        ),
        (
            "Files changed:\n- `a.py`, same as in `b.py` and `c.py`",
            "Lines - [a.py | !same as in `b.py` | ?c.py]",
        ),
        (
            "Files changed:\n- `a.py`, documents `b.py` and `c.py`",
            "Lines - [a.py | ?b.py | ?c.py]",
        ),
        (
            "Files changed: a.py instead of b.py, c.py and d.py",
            "Lines - [?a.py | ?c.py | ?d.py]",
        ),
        (
            "Files changed:\n- `a.py` (reads `b.yaml`) and `c.py`",
            "Lines - [a.py | c.py]",
        ),
        (
            "Files changed:\n- `a.py`, tests `b.py` and `c.py`",
            "Lines - [a.py | b.py | c.py]",
        ),
        (
            "Files changed:\n- Updated `a.py`, created `b.py` and `c.py`",
            "Lines - [a.py | b.py | c.py]",
        ),
    ]);
}

#[test]
fn what_is_undone_behind_a_name_is_of_that_name() {
    check(&[
        (
            "Files changed: src/a.py; b.py created and deleted again",
            "Lines - [src/a.py | !b.py created]",
        ),
        (
            "Files changed: b.py created and deleted again, src/a.py",
            "Lines - [!b.py created | src/a.py]",
        ),
        (
            "Files changed: src/a.py; b.py created and tested",
            "Lines - [src/a.py | b.py | ?tested]",
        ),
        (
            "Files changed: b.py created and src/a.py deleted",
            "Lines - [b.py | -src/a.py]",
        ),
    ]);
}

#[test]
fn another_name_of_a_file_leaves_it_open() {
    check(&[
        (
            "Files changed: src/b.py, now src/a.py",
            "Lines - [?src/b.py | !now src/a.py]",
        ),
        (
            "Files changed: src/b.py (i.e. src/a.py)",
            "Lines - [?src/b.py]",
        ),
        (
            "Files changed: src/b.py, src/a.py",
            "Lines - [src/b.py | src/a.py]",
        ),
        (
            "Files changed: src/b.py, now faster",
            "Lines - [src/b.py | !now faster]",
        ),
    ]);
}

#[test]
fn neighbours_may_be_one_name_unless_quotes_say_otherwise() {
    let (first, whole) = ("?a.py, b.py", "?a.py, b.py, c.py, d.py");
    check_readings(&[
        ("a.py, b.py", &[&["a.py", first], &["b.py", first]]),
        (
            "`a.py`, `b.py`",
            &[
                &["a.py", "?`a.py`", "?`a.py`, `b.py`"],
                &["b.py", "?`b.py`"],
            ],
        ),
        (
            "a.py, b.py, c.py, d.py",
            &[
                &["a.py", whole, first, "?a.py, b.py, c.py"],
                &[
                    "b.py",
                    whole,
                    first,
                    "?a.py, b.py, c.py",
                    "?b.py, c.py",
                    "?b.py, c.py, d.py",
                ],
                &[
                    "c.py",
                    whole,
                    "?a.py, b.py, c.py",
                    "?b.py, c.py",
                    "?b.py, c.py, d.py",
                    "?c.py, d.py",
                ],
                &["d.py", whole, "?b.py, c.py, d.py", "?c.py, d.py"],
            ],
        ),
    ]);
}

/// All of a long list is one name only to its first entry: otherwise its readings would grow as its square.
#[test]
fn a_long_list_is_no_name() {
    let value = |count: usize| {
        let names: Vec<_> = (0..count).map(|number| format!("f{number}.py")).collect();
        names.join(", ")
    };
    for (count, is_name) in [(8, true), (9, false), (12, false)] {
        let (value, whole) = (value(count), format!("?{}", value(count)));
        let readings = readings(&value);
        assert!(readings[0].contains(&whole), "{count}");
        for readings in &readings[1..] {
            assert_eq!(readings.contains(&whole), is_name, "{count}: {readings:?}");
        }
    }
}

#[test]
fn only_so_many_files_are_read() {
    for (head, between) in [("Files changed:\n- ", "\n- "), ("Files changed: ", ", ")] {
        for (count, read, is_more) in [
            (2000, 2000, false),
            (2001, 2001, true),
            (2002, 2001, true),
            (2100, 2001, true),
        ] {
            let names: Vec<_> = (0..count).map(|number| format!("f{number}.py")).collect();
            let entries = parse(&format!("{head}{}", names.join(between))).entries;
            let last = &entries.last().unwrap().meaning;
            let last = *last == Meaning::Unresolvable(Unresolvable::AndMore);
            assert_eq!(
                (entries.len(), last),
                (read, is_more),
                "{count} {between:?}"
            );
        }
    }
}

#[test]
fn an_emphasis_around_key_and_value_is_not_a_part_of_the_last_name() {
    check(&[
        ("**Files changed: a.py**", "Lines - [a.py]"),
        ("_Files changed: a.py_", "Lines - [a.py]"),
        (
            "__Files changed: src/__init__.py__",
            "Lines - [src/__init__.py]",
        ),
        ("__Files changed__: src/__init__", "Lines - [/src/__init__]"),
        ("__Files changed: src/__init__", "Lines - [/src/__init__]"),
        ("__Files changed__: src/x__", "Lines - [/src/x__]"),
        (
            "**Files changed: a.py and **b.py****",
            "Lines - [a.py | b.py]",
        ),
    ]);
}

#[test]
fn back_ticks_inside_a_path_are_not_in_its_name() {
    check_readings(&[
        ("`src`/a.py", &[&["src/a.py", "?`src`/a.py"]]),
        ("`src/a.py`.bak", &[&["src/a.py.bak", "?`src/a.py`.bak"]]),
        ("`a.py`. new", &[&["a.py", "?`a.py`. new"]]),
    ]);
    check(&[
        ("Files changed: `a.py`.", "Lines - [a.py]"),
        ("Files changed: `a.py`: new", "Lines - [a.py]"),
        ("Files changed: ***a.py*** new", "Lines - [a.py]"),
        ("Files changed: **a.py** (new)", "Lines - [a.py]"),
    ]);
}

/// A name may be spelled as it is written: each entry keeps its own part of the original.
#[test]
fn other_punctuation_may_be_in_a_name() {
    for (value, first, second) in [
        ("src／a.py，src／b.py", "?src／a.py", "?src／b.py"),
        ("new: src／a.py，src／b.py", "?src／a.py", "?src／b.py"),
        ("[src／a.py，src／b.py]", "?src／a.py", "?src／b.py"),
    ] {
        let readings = readings(value);
        assert_eq!(readings.len(), 2, "{value}: {readings:?}");
        assert!(readings[0].contains(&first.into()), "{value}: {readings:?}");
        assert!(
            readings[1].contains(&second.into()),
            "{value}: {readings:?}"
        );
    }
}

/// Windows separates with what Markdown escapes with.
#[test]
fn a_back_slash_may_separate_unless_there_is_a_slash() {
    check_readings(&[
        ("src\\_a.py", &[&["src_a.py", "src/_a.py", "?src\\_a.py"]]),
        ("src/\\_a.py", &[&["src/_a.py", "?src/\\_a.py"]]),
    ]);
}

/// A path with a drive or a share has no escapes, and the mark of a verbatim one is no pattern.
#[test]
fn a_path_of_windows_is_one_path() {
    for (value, path) in [
        (r"C:\me\.claude\_a.py", "C:/me/.claude/_a.py"),
        (r"\\?\C:\p\a.py", "C:/p/a.py"),
        (r"`\\?\UNC\here\c$\p\a.py`", "//here/c$/p/a.py"),
        (r"\\here\c$\p\a.py", "//here/c$/p/a.py"),
        ("/cygdrive/c/p/a.py", "/cygdrive/c/p/a.py"),
        (r"C:\p\a.txt:stream", "C:/p/a.txt"),
        (r"C:src\a.py", "?C:src/a.py"),
    ] {
        let readings = readings(value);
        assert_eq!(readings.len(), 1, "{value}: {readings:?}");
        let (first, others) = readings[0].split_first().unwrap();
        assert_eq!(first, path, "{value}");
        let are_likely = others.iter().all(|other| other.starts_with('?'));
        assert!(are_likely, "{value}: {others:?}");
    }
}

/// No file system has a longer path, so that none is disproved.
#[test]
fn a_name_is_no_longer_than_a_path() {
    let read = |length: usize| {
        let name = "z".repeat(length - ".py".len()) + ".py";
        let claim = parse(&format!("Files changed: {name}"));
        matches!(&claim.entries[0].meaning, Meaning::Paths(all) if is_sure(all))
    };
    assert!(read(4095) && read(4096));
    assert!(!read(4097) && !read(5000));
}

#[test]
fn a_link_is_brackets_with_nothing_between_them() {
    check(&[
        ("Files changed: [a](src/a.py) (new)", "Lines - [src/a.py]"),
        (
            "Files changed: [a] (src/a.py) is new",
            "Lines - [![a] (src/a.py) is new]",
        ),
        (
            "Files changed: [a], [b](src/a.py)",
            "Lines - [?[a] | src/a.py]",
        ),
        (
            "Files changed: [https://x.y](src/a.py)",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed: [docs](https://x.y/a.py)",
            "Lines - [![docs](https://x.y/a.py)]",
        ),
    ]);
}

/// Angle brackets hold a destination with spaces, which is the path, whatever the words call it.
#[test]
fn a_destination_in_angle_brackets_is_the_path() {
    for (value, expected) in [
        ("[a.py](<src/my 2x/a.py>)", ["src/my 2x/a.py", "?a.py"]),
        ("[a.py](<my docs/a.py>)", ["?a.py", "?my docs/a.py"]),
        ("[a.py](<src/a.py>)", ["a.py", "src/a.py"]),
    ] {
        let found = &readings(value)[0];
        for name in expected {
            assert!(found.iter().any(|it| it == name), "{value}: {found:?}");
        }
        let certain = |names: &[String]| names.iter().filter(|it| !it.starts_with('?')).count();
        let expected: Vec<_> = expected.map(str::to_owned).into();
        assert_eq!(certain(found), certain(&expected), "{value}: {found:?}");
    }
}

#[test]
fn a_position_is_a_number_behind_a_colon() {
    check_readings(&[
        ("src/a.py:12", &[&["src/a.py", "?src/a.py:12"]]),
        ("src/a:L2", &[&["?src/a", "?src/a:L2"]]),
        ("src/a:b2", &[&["?src/a:b2"]]),
        ("src/a:2b", &[&["?src/a:2b"]]),
        ("src/a:Lx", &[&["?src/a:Lx"]]),
    ]);
}

#[test]
fn few_words_may_be_a_path_with_spaces() {
    check(&[
        (
            "Files changed: one two three four five/a.md",
            "Lines - [?one two three four five/a.md]",
        ),
        (
            "Files changed: one two three four five six/a.md",
            "Lines - [?one two three four five six/a.md]",
        ),
        (
            "Files changed: one two three four five a.md seven/b.md",
            "Lines - [!one two three four five a.md seven/b.md]",
        ),
        (
            "Files changed: /home/me/My Documents",
            "Lines - [?/home/me/My Documents]",
        ),
        ("Files changed: my docs/", "Lines - [?my docs/]"),
        ("Files changed: the docs/", "Lines - [/docs/]"),
    ]);
}

#[test]
fn a_word_with_a_remark_may_be_a_file_and_one_with_a_sentence_is_none() {
    check(&[
        (
            "Files changed: `thing` (see c)",
            "Lines - [!`thing` (see c)]",
        ),
        ("Files changed: thing (see c)", "Lines - [?thing]"),
        (
            "Files changed: `thing`: adds it",
            "Lines - [!`thing`: adds it]",
        ),
        ("Files changed: thing: adds it", "Lines - [!thing: adds it]"),
    ]);
}

#[test]
fn the_list_goes_on_behind_a_fence() {
    check(&[
        (
            "Status: DONE\nFiles changed:\n```\na.py\nc.py\n```\n- b.py",
            "Lines DONE [a.py | c.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n```\na.py\n```\n```\nb.py\n```\n",
            "Lines DONE [a.py]",
        ),
    ]);
}

#[test]
fn only_a_deeper_heading_groups() {
    check(&[
        (
            "Status: DONE\n### Files changed\n- a.py\n#### Parser\n- b.py",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\n### Files changed\n- a.py\n### Notes\n- b.py",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\n### Files changed\n- a.py\n### Parser\n- b.py",
            "Lines DONE [a.py]",
        ),
        (
            "### Files changed\n- a.py\n#### Status\nDONE\n- b.py",
            "Lines DONE [a.py]",
        ),
    ]);
}

#[test]
fn a_title_of_something_else_ends_the_list() {
    check(&[
        (
            "Files changed:\n- a.py\nRelated work:\n- b.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\n- a.py\nTests:\n- t/b.py",
            "Lines - [a.py | ?t/b.py]",
        ),
        // A test that was run, in whatever folder it is.
        (
            "Files changed:\n- a.py\nTests:\n- b.py",
            "Lines - [a.py | ?b.py]",
        ),
        ("Files changed:\nTests:\n- b.py", "Lines - [b.py]"),
        (
            "Files changed:\n- a.py\nEndpoints:\n- u/b.csv",
            "Lines - [a.py | ?u/b.csv]",
        ),
        ("Files changed:\nParser:\n- b.py", "Lines - [b.py]"),
        ("Files changed:\n\nParser:\n- b.py", "Lines - [b.py]"),
    ]);
}

#[test]
fn a_step_to_the_right_is_a_level_from_two_columns_on() {
    check(&[
        (
            "Files changed:\n- src/\n  - a.py\n  - b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        ("Files changed:\n- src/\n - a.py", "Lines - [/src/ | a.py]"),
        ("Files changed:\n- Parser\n  - a.py", "Lines - [a.py]"),
        (
            "Files changed:\n- Parser\n - a.py",
            "Lines - [?Parser | a.py]",
        ),
        (
            "Files changed:\n  - a.py\n   - b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py\n - b.py\n  - c.py",
            "Lines - [a.py | b.py | c.py]",
        ),
        (
            "Files changed:\n- Created:\n  - a.py\n   - not done yet\n  - b.py",
            "Lines - [a.py | !not done yet | b.py]",
        ),
        (
            "Files changed:\n- Created:\n  - a.py\n    - not done yet\n  - b.py",
            "Lines - [!a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py\nCreated:\n- b.py\n  - not done yet",
            "Lines - [a.py | !b.py]",
        ),
    ]);
}

#[test]
fn nothing_below_a_denying_label_is_claimed() {
    check(&[
        (
            "Files changed:\n- Not changed:\n  - a.py\n- b.py",
            "Lines - [b.py]",
        ),
        (
            "Files changed:\n- Not changed:\n  - Parser:\n    - a.py\n- b.py",
            "Lines - [b.py]",
        ),
        (
            "Files changed:\n- Next steps:\n  - New:\n    - a.py\n- b.py",
            "Lines - [b.py]",
        ),
        (
            "Files changed:\n- Parser:\n  - New:\n    - a.py\n- b.py",
            "Lines - [a.py | b.py]",
        ),
    ]);
}

#[test]
fn a_key_ends_the_list_only_where_it_is_one() {
    check(&[
        (
            "Status: DONE\n- Files changed:\n  - a.py\n- b.py\n- Looks good",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n- a.py\n  - Status: not done",
            "Lines DONE [!a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\na.py\n- makes it faster, c.py\nb.py",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\nFiles changed:\na.py\n- Blockers: b.py\n- c.py",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\n- a.py\nStatus of it: good\n- b.py",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\nFiles changed:\na.py\n\n- c.py",
            "Lines DONE [a.py]",
        ),
    ]);
}

#[test]
fn a_map_in_the_list_says_what_was_done() {
    check(&[
        (
            "Status: DONE\nfiles_changed:\n  created:\n    - a.py\n  deleted:\n    - b.py",
            "Lines DONE [a.py | -b.py]",
        ),
        (
            "Status: DONE\nfiles_changed:\n  - a.py\n deleted:\n    - b.py",
            "Lines DONE [a.py | -b.py]",
        ),
    ]);
}

#[test]
fn a_title_below_key_files_says_what_was_done() {
    check(&[
        (
            "Status: DONE\n## Key Files\n### Created\n- a.py\n### Modified (2)\n- b.py\n- c.py\n### Deleted\n- d.py",
            "Lines DONE [a.py | b.py | c.py | -d.py]",
        ),
        (
            "Status: DONE\n## Main files\n**Created:**\n- a.py\n\n**Modified:**\n- b.py",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "Status: DONE\n## Key files\n- b.py\n\n### Created / Modified\n- a.py",
            "Lines DONE [a.py]",
        ),
        (
            "Status: DONE\n## Key files\n### Modified (planned)\n- a.py",
            "Lines DONE []",
        ),
        ("Status: DONE\n## Key Files\n- a.py", "Lines DONE []"),
        (
            "Status: DONE\n## Key Files\n### Parser\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n## Key Files\n### Create\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n## Key Files\n### New\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n## Key Files\n### Last modified by others\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n## Findings\n### Modified\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n## Key Files\n## Modified\n- a.py",
            "Lines DONE []",
        ),
        (
            "Status: DONE\n# Planned\n## Key Files\n### Created\n- a.py",
            "Lines DONE []",
        ),
    ]);
}

#[test]
fn files_of_an_object_that_is_done_are_its_own() {
    for (object, found) in [
        (
            r#"{"status": "DONE", "files": ["a.py", "b.py (new)"]}"#,
            "Lines DONE [a.py | b.py]",
        ),
        (
            r#"{"files": ["a.py"], "summary": "x", "review": "", "next_steps": [], "status": "done"}"#,
            "Lines DONE [a.py]",
        ),
        (
            r#"{"report": {"status": "DONE", "files": ["a.py"]}}"#,
            "Lines DONE [a.py]",
        ),
        (
            r#"{"success": true, "status": "done", "filesCreated": ["a.py"]}"#,
            "Lines DONE [a.py]",
        ),
        (
            r#"{"status": "done", "filesToCreate": ["a.py"]}"#,
            "Lines DONE []",
        ),
        (r#"{"files": ["a.py"]}"#, "None - []"),
        (
            r#"{"status": "BLOCKED", "files": ["a.py"]}"#,
            "Lines BLOCKED []",
        ),
        (
            r#"{"status": "DONE", "files_changed": [], "files": ["a.py"]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "DONE", "files": ["a.py"], "plan": "Split the parser"}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "DONE", "files": ["a.py"], "review": ["too long"]}"#,
            "Lines DONE []",
        ),
        (
            r#"{"status": "DONE", "files": [{"path": "a.py"}]}"#,
            "Lines DONE []",
        ),
        (r#"{"status": "DONE", "files": 2}"#, "Lines DONE []"),
        (r#"{"status": "DONE", "items": ["a.py"]}"#, "Lines DONE []"),
    ] {
        assert_eq!(short(object), found, "{object}");
    }
    let fence = "```json\n{\"status\": \"DONE\", \"files\": [\"a.py\"]}\n```";
    check(&[
        (&format!("The report:\n\n{fence}"), "Lines DONE [a.py]"),
        (
            &format!("It prints:\n\n{fence}\n\nMore later."),
            "None - []",
        ),
    ]);
}

#[test]
fn a_text_beside_an_item_is_about_it_or_ends_the_list() {
    check(&[
        (
            "Files changed:\n- a.py\n  it is new\n- b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py\nit is new\n- b.py",
            "Lines - [a.py | b.py]",
        ),
        (
            "Files changed:\n- a.py\n\nit is new\n- b.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\n- a.py\n it is new: c.py\n- b.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\na.py\nb.py\n\nc.py",
            "Lines - [a.py | b.py | c.py]",
        ),
        (
            "Files changed:\na.py\nb.py\n\nc.py is nice",
            "Lines - [a.py | b.py]",
        ),
    ]);
}

#[test]
fn a_sentence_may_lead_to_the_list() {
    check(&[
        (
            "Files changed:\nThe following files were changed:\n- a.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\nThese files were created:\na.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\nFollowing things I changed:\na.py",
            "Lines - [a.py]",
        ),
        (
            "Files changed:\nThe following files were not changed:\n- a.py",
            "Lines - []",
        ),
        (
            "Files changed:\nThe following were read:\n- a.py",
            "Lines - []",
        ),
    ]);
}

#[test]
fn two_verbs_of_a_key_say_no_more_than_that_something_changed() {
    check(&[
        ("Files deleted and removed:\n- a.py", "Lines - [-a.py]"),
        ("Files deleted or changed:\n- a.py", "Lines - [a.py]"),
        ("Files created/deleted:\n- a.py", "Lines - [a.py]"),
        ("Files created and deleted:\n- a.py", "None - []"),
        ("Files created (and removed again):\n- a.py", "None - []"),
        ("Files created (and tested):\n- a.py", "Lines - [a.py]"),
    ]);
}

#[test]
fn a_path_with_spaces_is_certain_only_where_it_is_no_command_and_no_list() {
    check(&[
        (
            "Files changed: `docs/my file.md`",
            "Lines - [docs/my file.md]",
        ),
        (
            "Files changed: docs/my file.md",
            "Lines - [?docs/my file.md]",
        ),
        (
            "Files changed: /home/me/My Documents/a.md",
            "Lines - [/home/me/My Documents/a.md]",
        ),
        (
            "Files changed: `docs/a.md my file.md`",
            "Lines - [?docs/a.md my file.md]",
        ),
        (
            "Files changed: `docs/my a.md file.md`",
            "Lines - [?docs/my a.md file.md]",
        ),
        (
            "Files changed: `docs/my x/y file.md`",
            "Lines - [?docs/my x/y file.md]",
        ),
        (
            "Files changed: `bin/rails db/seeds.rb`",
            "Lines - [?bin/rails db/seeds.rb]",
        ),
        ("Files changed: `my file.md`", "Lines - [?my file.md]"),
    ]);
}

#[test]
fn an_arrow_between_names_renames_and_one_behind_a_file_explains() {
    check(&[
        ("Files changed: a.py -> b.py", "Lines - [a.py->b.py]"),
        ("Files changed: `a.py` -> `b.py`", "Lines - [a.py->b.py]"),
        (
            "Files changed: `a.py -> b.py` (renamed)",
            "Lines - [a.py->b.py]",
        ),
        (
            "Files changed: `a.py → faster`",
            "Lines - [!`a.py → faster`]",
        ),
        ("Files moved: a.py -> b.py", "Lines - [a.py->b.py]"),
        ("Files changed: R100 a.py b.py", "Lines - [a.py->b.py]"),
        ("Files changed: R100 a.py b", "Lines - [?a.py]"),
        ("Files changed: renamed: a.py (new name)", "Lines - [a.py]"),
        ("Files changed: a.py — x -> b.py", "Lines - [?a.py]"),
        ("Files changed: `a.py` x -> b.py", "Lines - [?a.py]"),
        ("Files changed: ... -> b.py", "Lines - [b.py]"),
        ("Files changed: the old name -> b.py", "Lines - [?b.py]"),
        (
            "Files changed: parse() -> read()",
            "Lines - [!parse() -> read()]",
        ),
    ]);
}

#[test]
fn what_is_struck_out_is_not_claimed() {
    check(&[
        (
            "Files changed: ~~a.py~~, b.py",
            "Lines - [!~~a.py~~ | b.py]",
        ),
        (
            "Files changed: <del>a.py</del>, b.py",
            "Lines - [!<del>a.py</del> | b.py]",
        ),
        (
            "Files changed:\n- ~~a.py~~ moved",
            "Lines - [!~~a.py~~ moved]",
        ),
    ]);
    check_readings(&[
        ("~~a.py~~", &[&["!said to be unchanged"]]),
        ("<del>a.py</del>", &[&["!said to be unchanged"]]),
        ("~/a.py", &[&["~/a.py"]]),
        ("~a.py", &[&["!a path that needs a shell"]]),
    ]);
}

#[test]
fn a_path_behind_a_label_is_claimed_unless_it_is_denied() {
    check(&[
        (
            "Files changed: Parser: src/a.py (new)",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed: Parser: src/a.py (reverted)",
            "Lines - [!src/a.py (reverted)]",
        ),
        (
            "Files changed: Parser — `src/a.py` now faster",
            "Lines - [?src/a.py]",
        ),
        (
            "Files changed: Parser — `src/a.py` unchanged",
            "Lines - [!`src/a.py` unchanged]",
        ),
    ]);
}

#[test]
fn a_remark_may_be_long_but_not_longer_than_two_paths() {
    let read = |length: usize| {
        let remark = "x".repeat(length - "a.py ()".len());
        let claim = parse(&format!("Files changed: a.py ({remark})"));
        matches!(claim.entries[0].meaning, Meaning::Paths(_))
    };
    assert!(read(5000) && read(8192));
    assert!(!read(8193) && !read(9000));
}

#[test]
fn a_message_that_is_too_long_claims_nothing() {
    let claim = "Status: DONE";
    for (length, is_claim) in [(MAX_MESSAGE_BYTES, true), (MAX_MESSAGE_BYTES + 1, false)] {
        let message = format!("{}{claim}", "\n".repeat(length - claim.len()));
        assert_eq!(parse(&message).is_claim(), is_claim, "{length}");
    }
}

#[test]
fn a_report_in_data_needs_no_more_than_one_of_its_keys() {
    check(&[
        ("```json\n{\"status\": \"DONE\"}\n```", "Lines DONE []"),
        (
            "```json\n{\"files_changed\": [\"a.py\"]}\n```",
            "Lines - [a.py]",
        ),
        ("```json\n{\"other\": \"DONE\"}\n```", "None - []"),
    ]);
}

#[test]
fn a_fence_is_the_report_only_if_it_is_all_of_its_section() {
    let fence = "```yaml\nstatus: DONE\nfiles_changed: a.py\n```\n";
    for (before, after, expected) in [
        ("", "", "Handoff DONE [a.py]"),
        ("The form is this:\n", "", "None - []"),
        ("", "That is the form.\n", "None - []"),
    ] {
        let message = format!("## Handoff\n{before}{fence}{after}");
        assert_eq!(short(&message), expected, "{message}");
    }
}

#[test]
fn the_last_report_of_a_section_counts_and_those_of_tasks_add_up() {
    check(&[
        (
            "## Report\nStatus: DONE\nFiles created: old.py\n\nStatus: DONE\nFiles changed: a.py",
            "Lines DONE [a.py]",
        ),
        (
            "## Parser\nStatus: DONE\nFiles created: b.py\n## Tests\nStatus: DONE\nFiles changed: a.py",
            "Lines DONE [b.py | a.py]",
        ),
    ]);
    assert_eq!(parse("So:\n\nStatus: DONE\n").raw, "Status: DONE\n");
}
