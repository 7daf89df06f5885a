//! Lists below a files key.

use super::{Meaning, Unresolvable, check, parse, short};

#[test]
fn lists_below_a_key() {
    let list = |list: &str| short(&format!("Status: DONE\nFiles changed:\n{list}"));
    for (text, expected) in [
        // A group is no path, whatever its name.
        (
            "- Backend\n  - a.py\n  - b.py\n- Frontend:\n  - c.ts\n",
            "[a.py | b.py | c.ts]",
        ),
        (
            "- **Deleted:**\n  - a.py\n    - it was unused\n- b.py\n",
            "[?-a.py | b.py]",
        ),
        (
            "- New files\n  - a.py\n- Other\n  - b.py\n",
            "[a.py | b.py]",
        ),
        // What is said below a file.
        (
            "1. `a.py`\n   - adds x to `ghost.py`\n2. `b.py`\n\n   Adds more of it.\n3. `c.py`\n",
            "[a.py | b.py | c.py]",
        ),
        (
            "- a.py — long\n  text ghost.py\nand more\n- b.py\n",
            "[a.py | b.py]",
        ),
        (
            "src/a.py:\n- did x\n- parser\nsrc/b.py:\n- utils\n",
            "[src/a.py | src/b.py]",
        ),
        (
            "**src/a.py**\n- parser\n\n**src/b.py**\n- parser\n",
            "[src/a.py | src/b.py]",
        ),
        // Other lists begin.
        ("- a.py\n\nFiles read/consulted:\n- ghost.py\n", "[a.py]"),
        ("- a.py\nFiles read/consulted:\n- ghost.py\n", "[a.py]"),
        ("- a.py\n**Not touched at all:**\n- ghost.py\n", "[a.py]"),
        ("Files I did not change:\n- ghost.py\n", "[]"),
        ("Everything else I read:\n- ghost.py\n", "[]"),
        ("The following files were changed:\n- a.py\n", "[a.py]"),
        ("- a.py\n\n## Next steps\n- ghost.py\n", "[a.py]"),
        ("- a.py\n\n```\nghost.py\n```\n- ghost.py\n", "[a.py]"),
        ("- a.py\n\n> - ghost.py\n", "[a.py]"),
        // Other forms of a list.
        (
            "src/a.py — new\nsrc/b.py — new\n\nAll in src/ works.\n",
            "[src/a.py | src/b.py]",
        ),
        ("\n    - ghost.py\n", "[]"),
        ("* a.py\n+ b.py\n• c.py\n", "[a.py | b.py | c.py]"),
        (
            "\n| # | File | Why |\n|---|---|---|\n| 1 | `a.py`<br>`b.py` | new |\n",
            "[a.py | b.py]",
        ),
    ] {
        assert_eq!(list(text), format!("Lines DONE {expected}"), "\n{text}");
    }
}

#[test]
fn an_endless_list_ends_in_a_doubt() {
    for text in [
        format!("Files changed: {}", "a.py, ".repeat(5_000)),
        format!("Files changed:\n{}", "- a.py\n".repeat(5_000)),
    ] {
        let entries = parse(&text).entries;
        assert_eq!(entries.len(), 2_001);
        assert_eq!(
            entries[2_000].meaning,
            Meaning::Unresolvable(Unresolvable::AndMore)
        );
    }
}

#[test]
fn a_list_in_brackets_may_take_several_lines() {
    check(&[
        (
            "Files changed: [src/a.py,\n  src/b.py]\nsrc/c.py",
            "Lines - [src/a.py | src/b.py | src/c.py]",
        ),
        (
            "Files changed: [src/a.py\n  src/b.py]",
            "Lines - [src/a.py | src/b.py]",
        ),
        (
            "Files changed: [\nsrc/a.py,\n\nsrc/b.py\n],\nsrc/c.py",
            "Lines - [src/a.py | src/b.py | src/c.py]",
        ),
        // A list that was never closed.
        (
            "Files changed: [src/a.py,\n## Notes\nsrc/b.py]",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed: [src/a.py, src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        // A comma goes on to the next line, but not over a gap, a heading, a key or the end of an object.
        (
            "Files changed: src/a.py,\nsrc/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        ("Files changed: src/a.py,\n\nsrc/b.py", "Lines - [src/a.py]"),
        (
            "Files changed: src/a.py,\n# Heading\n",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed: src/a.py,\nBlockers: none",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed: src/a.py,\n}\nsrc/b.py",
            "Lines - [src/a.py]",
        ),
    ]);
}

#[test]
fn the_first_file_may_stand_beside_the_key_and_the_others_below() {
    check(&[
        (
            "Files changed: src/a.py\nsrc/b.py\nsrc/c.py\nAll well.",
            "Lines - [src/a.py | src/b.py | src/c.py]",
        ),
        ("Files changed: parser\nsrc/a.py", "Lines - [?parser]"),
        (
            "Files changed: below\n- src/a.py",
            "Lines - [!below | src/a.py]",
        ),
        (
            "Files changed: below the surface\n- src/a.py",
            "Lines - [!below the surface]",
        ),
        (
            "Files changed: 2 files (see src/a.py below)\n- src/b.py",
            "Lines - [!2 files (see src/a.py below) | src/b.py]",
        ),
    ]);
    let message = "So:\nFiles changed: src/a.py\nsrc/b.py\nsrc/c.py\nAll well.\n";
    assert_eq!(
        parse(message).raw,
        "Files changed: src/a.py\nsrc/b.py\nsrc/c.py\n"
    );
}

#[test]
fn a_title_behind_files_leaves_the_list_sure_if_it_says_what_was_done() {
    for (title, below, found) in [
        ("Files", "ghost.py", "ghost.py"),
        ("Created", "ghost.py", "ghost.py"),
        ("New tests", "ghost.py", "ghost.py"),
        ("Tests added", "ghost.py", "ghost.py"),
        ("Backend", "src/ghost.py", "?src/ghost.py"),
        ("Docs", "ghost.md", "?ghost.md"),
        ("Tests", "tests/ghost.py", "?tests/ghost.py"),
        ("Test files", "tests/ghost.py", "?tests/ghost.py"),
        ("Tests", "tests/ghost.py (new)", "tests/ghost.py"),
        ("Config", "ghost.md documents it", "?ghost.md"),
        ("Config", "ghost.md documented it", "ghost.md"),
        ("Tests", "Added tests/ghost.py", "tests/ghost.py"),
    ] {
        let message = format!("Files changed:\n- src/a.py\n\n{title}:\n- {below}");
        let expected = format!("Lines - [src/a.py | {found}]");
        assert_eq!(short(&message), expected, "{title}");
    }
    for title in ["#### Tests", "**Backend**"] {
        let message = format!("### Files changed\n- src/a.py\n\n{title}\n- tests/ghost.py");
        let found = short(&message);
        assert_eq!(found, "Lines - [src/a.py | tests/ghost.py]", "{title}");
    }
}

#[test]
fn labels_above_deeper_lists() {
    check(&[
        (
            "Files changed:\n- src/core/:\n  - a.py\n  - bin/run\n  - Parser",
            "Lines - [src/core/a.py | /bin/run | ?src/core/Parser]",
        ),
        (
            "Files changed:\n- [Backend]:\n  - src/a.py\n  - b.py",
            "Lines - [src/a.py | b.py]",
        ),
        (
            "Files changed:\n- [src/a.py](src/a.py):\n  - b.py",
            "Lines - [?src/a.py]",
        ),
        (
            "Files changed:\n_private\n- src/a.py",
            "Lines - [?src/a.py]",
        ),
        (
            "Files changed:\n**Backend**\n- src/a.py",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- src/a.py\n- Backend (no changes):\n  - src/ghost.py",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- src/a.py\n- Backend (reworked):\n  - src/ghost.py",
            "Lines - [src/a.py | src/ghost.py]",
        ),
    ]);
}

#[test]
fn cells_of_tables() {
    let table = |head: &str, rows: &[&str]| {
        let rows = rows.join(" |\n| ");
        let read = short(&format!(
            "Files changed:\n\n| {head} |\n|---|---|\n| {rows} |\n"
        ));
        read.trim_start_matches("Lines - ").to_owned()
    };
    // A dash says that nothing was done to a file, and says nothing in a table that is of no files.
    let dashes = ["src/a.py | –", "src/b.py | new"];
    assert_eq!(table("File | Purpose", &dashes), "[?src/a.py | src/b.py]");
    assert_eq!(table("Module | Purpose", &dashes), "[?src/a.py | src/b.py]");
    let actions = [
        "src/a.py | -",
        "src/b.py | no",
        "src/c.py | M",
        "src/d.py | keep",
        "src/e.py | ✅",
    ];
    assert_eq!(
        table("File | Action", &actions),
        "[!src/a.py | !src/b.py | src/c.py | ?src/d.py | src/e.py]"
    );
    // A sentence that begins with a name names no file, unless marks show where the name ends.
    assert_eq!(table("Area | What", &["CLI | bin/run starts it"]), "[]");
    assert_eq!(
        table("Area | What", &["CLI | `bin/run` starts it"]),
        "[/bin/run]"
    );
}

#[test]
fn a_quotation_below_an_item_is_a_remark() {
    for quotation in [
        "  > CI makes it on merge",
        "> CI makes it\n> on merge",
        "  > CI makes it\n  > on merge",
    ] {
        check(&[
            (
                &format!("Files changed:\n- src/a.py\n- src/b.py\n{quotation}\n- src/c.py"),
                "Lines - [src/a.py | ?src/b.py | src/c.py]",
            ),
            (
                &format!("Files changed:\n- src/a.py (new)\n{quotation}"),
                "Lines - [src/a.py]",
            ),
        ]);
    }
    check(&[
        (
            "Files changed:\n- src/a.py\n\n> CI makes it on merge\n\n- src/b.py",
            "Lines - [src/a.py]",
        ),
        // What is no quotation is no remark.
        (
            "Files changed:\n- src/a.py\n  <!-- CI makes it -->\n- src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        (
            "Files changed:\n- src/a.py\n\n      merge(it)\n\n- src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
    ]);
}

#[test]
fn a_list_may_begin_with_titles_below_an_empty_key() {
    for titles in [
        ["**Modelle**", "**Tests**"],
        ["Modelle:", "Tests:"],
        ["Modelle", "Tests"],
        ["_Modelle_", "_Tests_"],
    ] {
        let [first, second] = titles;
        for gap in ["\n", ""] {
            let message =
                format!("Files changed:\n{gap}{first}\n- src/a.py\n\n{second}\n- src/b.py\n");
            assert_eq!(
                short(&message),
                "Lines - [?src/a.py | src/b.py]",
                "{message}"
            );
        }
    }
    for (title, found) in [
        ("Tests run", "Lines - [src/a.py]"),
        ("Affected", "Lines - [src/a.py | ?src/b.py]"),
    ] {
        let message = format!("Files changed:\n\nCreated\n- src/a.py\n\n{title}\n- src/b.py\n");
        assert_eq!(short(&message), found, "{message}");
        let message = format!("## Files changed\n- src/a.py\n\n{title}\n- src/b.py\n");
        assert_eq!(short(&message), "Lines - [src/a.py]", "{message}");
    }
    for level in ["#", "##", "####"] {
        let message = format!(
            "Files changed:\n\n{level} Templates\n- src/a.py\n\n{level} Gone with the wind\n- src/b.py\n"
        );
        assert_eq!(short(&message), "Lines - [src/a.py]", "{message}");
    }
    check(&[
        (
            "# Report\n\nFiles changed:\n\n# Templates\n- src/a.py",
            "Lines - []",
        ),
        (
            "Files changed:\n\nCreated\n-------\nsrc/a.py\n\nDeleted\n-------\nsrc/b.py\n",
            "Lines - [src/a.py | -src/b.py]",
        ),
        (
            "Files changed:\n\nCreated\n  - src/a.py\nDeleted\n  - src/b.py\n",
            "Lines - [src/a.py | -src/b.py]",
        ),
        (
            "Files changed:\n- src/a.py: adds a parser that\nwraps\n- src/b.py\n",
            "Lines - [src/a.py | src/b.py]",
        ),
        (
            "Files changed:\n\n**Created**\n- src/a.py: adds a parser that\nwraps\n- src/b.py\n",
            "Lines - [src/a.py | src/b.py]",
        ),
    ]);
}

#[test]
fn what_stands_to_the_right_of_a_plain_name_is_a_remark() {
    check(&[
        (
            "Files changed:\n\nsrc/a.py\n    unit tests for the parser\nsrc/b.py\n    comes with the release\n\
             src/c.py\n    added the route",
            "Lines - [src/a.py | ?src/b.py | src/c.py]",
        ),
        (
            "Files touched:\n  src/a.py\n    no such thing\n  src/b.py\n",
            "Lines - [?src/a.py | src/b.py]",
        ),
        (
            "Files changed:\nsrc/a.py\n  not changed\nsrc/b.py\n  src/c.py\n",
            "Lines - [!src/a.py | src/b.py | src/c.py]",
        ),
        // A key is none, wherever it stands.
        (
            "Files changed:\nsrc/a.py\n  Status: DONE\nsrc/b.py\n",
            "Lines DONE [src/a.py]",
        ),
    ]);
}

#[test]
fn files_as_headings_have_what_is_said_below_them() {
    let list = |first: &str, second: &str| {
        format!(
            "Status: DONE\n\n## Files changed\n\n### 1. `src/a.py`\n\n{first}\n\n### 2. `src/b.py` (new)\n\n{second}\n\n\
             ## Next steps\n\n- src/c.py\n"
        )
    };
    for said in [
        "Added the route.",
        "**Purpose:** unit tests for the parser\n\n- Location: `src/d.py`\n- added `src/e.py` to the list",
        "```py\nimport ghost\n```",
        "| before | after |\n|---|---|\n| src/d.py | src/e.py |",
        "<!-- src/d.py -->",
    ] {
        let message = list(said, said);
        assert_eq!(
            short(&message),
            "Lines DONE [src/a.py | src/b.py]",
            "{message}"
        );
    }
    let twin = list("CI makes it on merge.", "Not changed.");
    assert_eq!(
        short(&twin),
        "Lines DONE [?src/a.py | !2. `src/b.py` (new)]".replace("2. ", "")
    );
    check(&[
        (
            "## Files changed\n\n### `a.py` and `b.py`\n- Installed them\n\n### `c.py`, `d.py` (new)\n",
            "Lines - [a.py | b.py | c.py | d.py]",
        ),
        (
            "## Files changed\n\n### `a.py`\nAdded it.\n\n**Status:** DONE\n\n### `b.py`\n",
            "Lines DONE [a.py]",
        ),
        (
            "## Files changed\n\n### Dockerfile changes\n- docker/Dockerfile\n\n### ruta: /client/trips\n- c.py\n",
            "Lines - [docker/Dockerfile | ?c.py]",
        ),
    ]);
}

#[test]
fn names_alone_go_on_behind_a_gap_below_a_heading() {
    check(&[
        (
            "## Files changed\n\n*Created:* `a.py` (new), `b.py`.\n\n*Changed:* `c.py`.\n\n`d.py`, `e.py`\n",
            "Lines - [a.py | b.py | c.py | d.py | e.py]",
        ),
        (
            "## Files changed\n\n`a.py`\n\n`b.py` handles the lock in v2.\n\n`c.py`\n",
            "Lines - [a.py]",
        ),
        ("Files changed:\n\na.py\n\nb.py, c.py\n", "Lines - [a.py]"),
    ]);
}

#[test]
fn figures_of_a_diff_may_stand_in_front() {
    check(&[
        (
            "Files changed (2):\n  (+55/-0)   tests/a.cpp\n  (+0/-40)  b.cmake (removed)\n",
            "Lines - [tests/a.cpp | -b.cmake]",
        ),
        (
            "Files changed:\n- +3/-0 src/a.py\n- 3 src/b.py",
            "Lines - [src/a.py | ?3 src/b.py]",
        ),
    ]);
}

#[test]
fn an_item_is_not_lost_in_front_of_a_block_of_its_own() {
    for block in [
        "### Notes",
        "| Cell | Two |\n  |---|---|\n  | x | y |",
        "```\n  x\n  ```",
    ] {
        let message = format!("Files changed:\n- src/a.py\n- src/b.py\n  {block}\n");
        assert_eq!(
            short(&message),
            "Lines - [src/a.py | src/b.py]",
            "{message}"
        );
    }
}

#[test]
fn fields_of_an_object_say_something_of_its_file() {
    let message = r#"```json
{"status": "DONE", "files_changed": [
  {"path": "src/a.py", "note": "mounted by the operator at runtime"},
  {"path": "src/b.py", "action": "created", "reason": "needed for the retry"},
  {"path": "src/c.py", "action": "created", "note": "not created"},
  {"path": "src/d.py", "note": "unit tests for the parser"},
  {"path": "src/e.py", "notes": ["comes with the release"]},
  {"path": "src/f.py", "written": false},
  {"path": "src/g.py", "written": true, "lines": 12},
  {"path": "src/h.py", "todo": true},
  {"path": "src/i.py", "isNew": true, "has_tests": true}
]}
```"#;
    let found = "Lines DONE [?src/a.py | src/b.py | !src/c.py | src/d.py | ?src/e.py | ?src/f.py | src/g.py | \
                 ?src/h.py | src/i.py]";
    assert_eq!(short(message), found);
}

#[test]
fn words_behind_several_names_on_the_line_of_the_key_are_about_all() {
    check(&[
        (
            "Files changed: a.py, b.py; c.py and d.py would be the place for it",
            "Lines - [a.py | b.py | ?c.py | ?d.py]",
        ),
        (
            "Files changed: a.py; b.py, c.py and `d.py` were left to the release team",
            "Lines - [?a.py | ?b.py | ?c.py | ?d.py]",
        ),
        // What was done hides nothing.
        (
            "Files changed: a.py, b.py and c.py added",
            "Lines - [a.py | b.py | c.py]",
        ),
        (
            "Files changed: a.py;\n    b.py;\n    c.py (new)\nFiles deleted: none",
            "Lines - [a.py | b.py | c.py]",
        ),
    ]);
}

#[test]
fn a_remark_behind_the_last_of_several_names_may_be_of_all_of_them() {
    let names = |behind: &str| short(&format!("Files changed: src/q.py, src/r.py {behind}"));
    for of_all in [
        "(planned)",
        "(in the other repo)",
        "— in the reporter's fork",
        "(not by me)",
        "(as planned, not written yet)",
        "(would change; I changed nothing)",
        "; none of them written by me",
        "; nothing of this is there yet",
    ] {
        let found = names(of_all);
        assert!(
            found.starts_with("Lines - [?src/q.py | "),
            "{of_all}: {found}"
        );
    }
    for of_last in [
        "(new)",
        "(+12 -3)",
        "(unit tests)",
        ": added the parser",
        "(unchanged)",
        "(overwritten by the build, so I left it out)",
        "; nothing else",
        "; none of the tests failed",
    ] {
        let found = names(of_last);
        assert!(
            found.starts_with("Lines - [src/q.py | "),
            "{of_last}: {found}"
        );
    }
    check(&[
        (
            "Files changed: src/p.py, src/q.py (new), src/r.py (in the fork)",
            "Lines - [src/p.py | src/q.py | ?src/r.py]",
        ),
        (
            "Files changed: src/q.py, src/r.py(planned)",
            "Lines - [src/q.py | !src/r.py(planned)]",
        ),
        (
            "Files changed: src/p.py; src/q.py, src/r.py (in the fork)",
            "Lines - [src/p.py | ?src/q.py | ?src/r.py]",
        ),
        (
            "Files changed: src/q.py (in the fork), src/r.py",
            "Lines - [?src/q.py | src/r.py]",
        ),
    ]);
}

#[test]
fn files_that_are_counted_as_the_work_of_somebody_else_prove_nothing() {
    for (count, found) in [
        ("2 by Bob", "?src/a.py | ?src/b.py"),
        ("2 files by the release team", "?src/a.py | ?src/b.py"),
        ("2 by me", "src/a.py | src/b.py"),
        ("2 files", "src/a.py | src/b.py"),
    ] {
        let message = format!("Modified files: {count}\n- src/a.py\n- src/b.py");
        let found = format!("Lines - [!{count} | {found}]");
        assert_eq!(short(&message), found, "{message}");
    }
}

#[test]
fn a_plain_title_may_stand_above_a_plain_name() {
    check(&[
        (
            "Files changed\n\nsrc/a.h\n\tclass declaration\nsrc/b.c\n\tremoved\n\nBuild: fine",
            "Lines - [src/a.h | src/b.c]",
        ),
        (
            "Files changed\n\nsrc/a.h is where it went wrong.",
            "None - []",
        ),
    ]);
}

#[test]
fn what_git_counts_stands_in_front_of_names() {
    check(&[(
        "Files changed:\n\n```\n12\t3\tsrc/a.py\n0\t4\tsrc/b.py      # comes later\n8\t0\tlib/c.rs\n```\n",
        "Lines - [src/a.py | ?src/b.py | lib/c.rs]",
    )]);
}

#[test]
fn files_are_keys_of_an_object() {
    for (files, found) in [
        (
            r#"{"created": ["src/a.py"], "deleted": ["src/b.py"]}"#,
            "Lines DONE [src/a.py | -src/b.py]",
        ),
        (r#"{"count": 3, "list": ["src/a.py"]}"#, "Lines DONE []"),
    ] {
        let message = format!(r#"{{"status": "DONE", "files": {files}}}"#);
        assert_eq!(short(&message), found, "{message}");
    }
    let message = r#"{"status": "DONE", "files_changed": {
        "src/a.py": {"action": "created", "lines": 12}, "src/b.py": {"note": "mounted at runtime"}}}"#;
    assert_eq!(short(message), "Lines DONE [src/a.py | ?src/b.py]");
}

#[test]
fn what_is_said_below_several_files_is_about_all_of_them() {
    for list in [
        "### `src/a.py`, `src/b.py`\n\n{}\n\n### `src/c.py`",
        "src/a.py, src/b.py\n    {}\nsrc/c.py",
        "- `src/a.py`, `src/b.py`\n  > {}\n- src/c.py",
        "- `src/a.py`, `src/b.py`\n\n  {}\n- src/c.py",
    ] {
        for (said, found) in [
            (
                "left to the ops team",
                "Lines - [?src/a.py | ?src/b.py | src/c.py]",
            ),
            (
                "added the route",
                "Lines - [src/a.py | src/b.py | src/c.py]",
            ),
        ] {
            let message = format!("## Files changed\n\n{}\n", list.replace("{}", said));
            assert_eq!(short(&message), found, "{message}");
        }
    }
    // Below a block of code, a quotation need not be about all that is in it.
    let message = "## Files changed\n```\nsrc/a.py\nsrc/b.py\n```\n> left to the ops team\n";
    assert_eq!(short(message), "Lines - [src/a.py | ?src/b.py]");
}
