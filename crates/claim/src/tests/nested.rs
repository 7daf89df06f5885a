//! What stands below an item of a list.

use super::{check, short};

/// Each beside what looks like it and is a group of files.
#[test]
fn below_an_item_that_names_a_file_are_notes_and_below_a_label_are_files() {
    check(&[
        (
            "Files changed:\n- src/a.py\n  - src/b.py\n- src/c.py",
            "Lines - [?src/a.py | src/c.py]",
        ),
        (
            "Files changed:\n- Backend\n  - src/b.py\n- src/c.py",
            "Lines - [src/b.py | src/c.py]",
        ),
        (
            "Files changed:\n- `src/a.py`: the loop\n  - added a check\n  - `src/b.py`",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- `Parser`: the loop\n  - added a check\n  - `src/b.py`",
            "Lines - [!added a check | src/b.py]",
        ),
        (
            "Files changed:\n- **New:** `src/a.py`\n  - added a check\n  - src/b.py",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- **New:**\n  - src/b.py",
            "Lines - [src/b.py]",
        ),
        (
            "Files changed:\n- ✅ `src/a.py`, `src/b.py`: the loop\n  - src/c.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        (
            "Files changed:\n- src/core/\n  - a.py\n  - sub/\n    - b.py",
            "Lines - [src/core/a.py | src/core/sub/b.py]",
        ),
    ]);
}

#[test]
fn a_label_below_an_item_of_a_file_is_about_that_file() {
    check(&[
        (
            "Files changed:\n- src/a.py\n  - Changes:\n    - src/b.py\n- src/c.py",
            "Lines - [src/a.py | src/c.py]",
        ),
        (
            "Files changed:\n- Backend\n  - src/a.py\n    - added a check\n      - src/b.py\n  - src/c.py",
            "Lines - [src/a.py | src/c.py]",
        ),
        (
            "Files changed:\n- Backend\n  - Parser\n    - src/a.py\n  - Lexer\n    - src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
        // A note denies the file, and not what is below a note.
        (
            "Files changed:\n- src/a.py (new)\n  - unchanged",
            "Lines - [!src/a.py (new)]",
        ),
        (
            "Files changed:\n- src/a.py (new)\n  - Cases:\n    - unchanged\n      - unchanged\n  - added",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- src/a.py\n- Not changed:\n  - src/b.py\n    - unchanged",
            "Lines - [src/a.py]",
        ),
    ]);
}

#[test]
fn below_a_label_with_an_open_box_nothing_is_claimed() {
    check(&[
        (
            "Files changed:\n- [x] Parser\n  - src/a.py\n- [ ] Lexer\n  - src/b.py",
            "Lines - [src/a.py]",
        ),
        (
            "Files changed:\n- [x] Parser\n  - src/a.py\n- [x] Lexer\n  - src/b.py",
            "Lines - [src/a.py | src/b.py]",
        ),
    ]);
}

/// Its items need not be further to the right than it is.
#[test]
fn a_title_inside_of_an_item_is_of_the_items_below_it() {
    check(&[
        (
            "- Status: DONE\n- Files changed:\n  - a.py\n\n  Not changed:\n  - b.py\n",
            "Lines DONE [a.py]",
        ),
        (
            "- Status: DONE\n- Files changed:\n  - a.py\n\n  Created:\n  - b.py\n",
            "Lines DONE [a.py | b.py]",
        ),
        (
            "## Handoff\n```yaml\nstatus: DONE\nfiles_changed:\n  not_changed:\n  - a.py\n  - b.py\n  created:\n  - c.py\n```",
            "Handoff DONE [c.py]",
        ),
    ]);
}

#[test]
fn below_a_label_that_names_a_relation_nothing_proves() {
    let message = |label: &str| format!("Files changed:\n- src/a.py\n- {label}:\n  - src/b.py\n");
    for (relation, part) in [
        ("Consumers", "Consumer tests"),
        ("Runtime outputs", "Report writer"),
        ("Sources", "Source files"),
        ("Users", "User settings"),
        ("Requirements", "Requirements parser"),
        ("PR 12", "PR checks"),
    ] {
        check(&[
            (&message(relation), "Lines - [src/a.py | ?src/b.py]"),
            (&message(part), "Lines - [src/a.py | src/b.py]"),
        ]);
    }
    let cell = |cell: &str| {
        format!(
            "Files changed:\n\n| Group | File |\n|---|---|\n| Edited | src/a.py |\n| {cell} | src/b.py |\n"
        )
    };
    for (relation, part) in [
        ("Rejected", "Edited"),
        ("Dependencies", "Dependency checks"),
        ("Logs", "Log parser"),
        ("Background", "Background jobs"),
    ] {
        check(&[
            (&cell(relation), "Lines - [src/a.py | ?src/b.py]"),
            (&cell(part), "Lines - [src/a.py | src/b.py]"),
        ]);
    }
}

#[test]
fn an_object_names_its_file_in_any_of_its_fields() {
    let object = |fields: &str| short(&format!("files_changed:\n  - {fields}\n  - src/z.py\n"));
    for (fields, found) in [
        ("path: src/a.py\n    action: deleted", "-src/a.py"),
        ("action: deleted\n    path: src/a.py", "-src/a.py"),
        (
            "description: parser\n    action: create\n    file: src/a.py",
            "src/a.py",
        ),
        ("status: created\n    file_path: \"src/a.py\"", "src/a.py"),
        ("lines: 12\n    path: src/a.py", "src/a.py"),
        ("lines: 0\n    path: src/a.py", "?src/a.py"),
        ("action: unchanged\n    path: src/a.py", "!src/a.py"),
        ("type: planned\n    path: src/a.py", "!src/a.py"),
        (
            "description: waits for Bob\n    path: src/a.py",
            "?src/a.py",
        ),
    ] {
        let found = format!("Lines - [{found} | src/z.py]");
        assert_eq!(object(fields), found, "{fields}");
    }
    // What another field says of another file claims none.
    assert_eq!(
        object("component: parser\n    replaces: src/a.py"),
        "Lines - [!component: parser | src/z.py]"
    );
}
