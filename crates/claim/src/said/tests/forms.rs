//! Other forms of what is told: how many files there are, the tense and a blank line do not decide.

use super::{Said, names, said, tells_of_changed_file};

#[test]
fn both_files_are_told_in_each_form() {
    for message in [
        "Created: `src/a.py`, `src/b.py`",
        "- Updated: `src/a.py`, `src/b.py`",
        "Status: DONE\n\nCreated: src/a.py, src/b.py",
        "`src/a.py` and `src/b.py` have been created.",
        "Both `src/a.py` and `src/b.py` were added.",
        "I added `src/a.py` as well as `src/b.py`.",
        "I added `src/a.py` along with `src/b.py`.",
        "I added `src/a.py` together with `src/b.py`.",
        "Created two files: `src/a.py` and `src/b.py`.",
        "The following changes have been made:\n- `src/a.py`\n- `src/b.py`",
        "Here are the changes:\n- `src/a.py`\n- `src/b.py`",
        "Here is a breakdown of the changes:\n- `src/a.py`\n- `src/b.py`",
        "Key additions:\n- `src/a.py`\n- `src/b.py`",
        "Work completed:\n- `src/a.py`\n- `src/b.py`",
        "The following files were created or changed:\n- `src/a.py`\n- `src/b.py`",
        "Changes made:\n• src/a.py – retries\n• src/b.py – new",
        "I've now successfully created the `src/a.py` file and `src/b.py`, with tests.",
        "The `src/a.py` and `src/b.py` files were added.",
    ] {
        assert_eq!(names(message), ["src/a.py", "src/b.py"], "{message}");
    }
}

#[test]
fn what_only_looks_like_one_of_them_is_not() {
    for message in [
        "Create: `src/a.py`, `src/b.py`",
        "## Changelog\n\nAdded: `src/a.py`, `src/b.py`",
        "## Next steps\n\nAdded: `src/a.py`",
        "Added: the loop that `src/a.py` has",
        "`src/a.py` and `src/b.py` have to be created.",
        "`src/a.py` is created when the server starts.",
        "`src/a.py` was created by the previous agent.",
        "`src/a.py` was created in an earlier commit.",
        "When the server started, `src/a.py` was created.",
        "`src/a.py` was temporarily created.",
        "`src/a.py` was created before, but is elsewhere.",
        "Was `src/a.py` created?",
        "Where `src/a.py` was created nobody knows.",
        "`src/a.py` was created as a copy of `src/b.py`, which is wrong.",
        "`src/a.py` was not created.",
        "Added two callers: `src/a.py` imports it.",
        "The following changes have to be made:\n- `src/a.py`",
        "Here are the changes that upstream made:\n- `src/a.py`",
        "Work left:\n- `src/a.py`",
        "The following files were read or changed:\n- `src/a.py`",
        "Changes proposed:\n- `src/a.py`",
        "I added the `src/a.py` file handle.",
        "I added the `src/a.py` file's name.",
        "I added the `src/a.py` file to the list.",
        "I tried it, the `src/a.py` file is correct.",
        "The `src/a.py` file is added when the server starts.",
    ] {
        assert_eq!(names(message), [""; 0], "{message}");
    }
    assert_eq!(
        names("I added `src/a.py` as `src/b.py` does."),
        ["src/a.py"]
    );
}

/// Below a title of something else, a deed without a name may be that of anybody.
#[test]
fn below_a_heading_that_is_not_understood_only_the_speaker_is_heard() {
    for (own, other) in [
        ("## What I changed", "## What changed in v2"),
        ("## Changes made", "## Changes on main"),
        ("## Implementation", "## Done by Bob"),
        ("## Task 3: cart totals", "## 2026-05"),
        ("## Backend", "## How the guard came to be"),
    ] {
        for deed in ["Added the loop to `src/a.py`", "Updated `src/a.py`"] {
            let below = |title: &str, deed: &str| format!("{title}\n\n- {deed}\n");
            assert_eq!(names(&below(own, deed)), ["src/a.py"], "{own}");
            assert!(tells_of_changed_file(&below(own, deed)), "{own}");
            assert_eq!(names(&below(other, deed)), [""; 0], "{other}");
            assert!(!tells_of_changed_file(&below(other, deed)), "{other}");
        }
    }
    assert_eq!(
        names("# Cart totals\n\n## Changes made\n\n- Added the loop to `src/a.py`"),
        ["src/a.py"]
    );
    assert_eq!(
        names("## What changed in v2\n\n- I updated `src/a.py`"),
        ["src/a.py"]
    );
    assert_eq!(names("### Added the loop to `src/a.py`"), ["src/a.py"]);
}

/// A participle may be an adjective, an event or a part of a name.
#[test]
fn a_participle_that_need_not_be_a_verb_tells_of_nothing() {
    for (own, other) in [
        (
            "Added the loop to `src/a.py`; updated the test in `src/b.py`.",
            "Old keys are in `src/c.py`; added ones in `src/b.py`.",
        ),
        (
            "Removed the rows from `src/a.py`; updated `src/b.py`.",
            "Deleted rows are handled in `src/a.py`; updated ones in `src/b.py`.",
        ),
        (
            "Fixed two files: `src/a.py` and `src/b.py`.",
            "Fixed point maths: `src/a.py` and `src/b.py`.",
        ),
        (
            "Added the features in `src/a.py`.",
            "Added features: the guard in `src/a.py`.",
        ),
        (
            "Created the tables in `src/a.py`.",
            "Created tables: users (`src/a.py`), orders (`src/b.py`).",
        ),
        (
            "Implemented the guard in `src/a.py`.",
            "Implemented so far: guard (`src/a.py`).",
        ),
        (
            "Removed `src/a.py`",
            "Handlers:\n- Created → `src/a.py`\n- Deleted → `src/b.py`",
        ),
        (
            "Updated `src/a.py`",
            "| Event | Handler |\n|---|---|\n| created | `src/a.py` |\n| updated | `src/b.py` |",
        ),
        (
            "I did:\n- Updated `src/a.py`",
            "The last agent did:\n- Updated `src/a.py`",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert!(tells_of_changed_file(own), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
        assert!(!tells_of_changed_file(other), "{other}");
    }
}

#[test]
fn only_what_is_called_new_counts_as_a_sentence() {
    assert!(
        said("Created: `src/a.py`, `src/b.py`")
            .iter()
            .all(|it| it.is_sentence)
    );
    assert!(!said("Updated: `src/a.py`").iter().any(|it| it.is_sentence));
}

/// A list has a file if it names it, and not if the letters of its name stand anywhere in it.
#[test]
fn a_new_file_whose_name_is_a_part_of_what_is_listed_counts() {
    for (list, name) in [
        ("tests/test_a.py", "a.py"),
        ("src/b.py (calls src/a.py)", "src/a.py"),
        ("src/a.py.bak", "src/a.py"),
    ] {
        let message = format!("Created `{name}`.\n\nStatus: DONE\nFiles changed: {list}");
        let told = crate::told(&message);
        let said = Said::beside(&crate::parse(&message), &message, || &told);
        let names: Vec<_> = said.iter().filter_map(|it| it.entry.file()).collect();
        assert_eq!(names, [name], "{message}");
    }
}

/// Each beside a message that is most like it, and in which the list or the claim has the say.
#[test]
fn a_new_file_counts_beside_a_list_that_does_not_have_it() {
    const DONE: &str = "\n\n## Handoff\n- status: DONE\n- files_changed: src/b.py\n";
    let beside = |message: &str| {
        let told = crate::told(message);
        let said = Said::beside(&crate::parse(message), message, || &told).into_iter();
        let names = said.map(|it| it.entry.file().unwrap().to_owned());
        names.collect::<Vec<_>>()
    };
    for (told, other) in [
        (
            format!("I wrote `src/a.py`, which `src/b.py` calls.{DONE}"),
            format!("I wrote the loop of `src/a.py`, which `src/b.py` calls.{DONE}"),
        ),
        (
            format!("Created `src/a.py`.{DONE}"),
            format!("Updated `src/a.py`.{DONE}"),
        ),
        (
            format!("Created `src/a.py`.{DONE}"),
            format!("Created `./src/a.py`.{DONE}- files_created: a.py"),
        ),
        (
            format!("Created `src/a.py`.{DONE}- files_created: lib/a.py"),
            format!("Created `src/a.py`.{DONE}- files_created: api/src/a.py"),
        ),
        (
            format!("Created `src/a.py`.{DONE}- summary: it is in place"),
            format!("Created `src/a.py`.{DONE}- files_deleted: src/a.py"),
        ),
        (
            "Status: DONE\nFiles changed: src/b.py\n\nAlso created `src/a.py`.".to_owned(),
            "Status: DONE\nFiles changed:\n- src/a.py -> src/b.py\n\nCreated `src/a.py`."
                .to_owned(),
        ),
        (
            "Status: DONE\n\nCreated `src/a.py`.".to_owned(),
            "Status: DONE\nFiles changed: none\n\nCreated `src/a.py`.".to_owned(),
        ),
        (
            format!("No tests were modified.\n\nCreated `src/a.py`.{DONE}"),
            format!("No files were modified.\n\nCreated `src/a.py`.{DONE}"),
        ),
    ] {
        assert_eq!(beside(&told), ["src/a.py"], "{told}");
        assert_eq!(beside(&other), [""; 0], "{other}");
    }
}
