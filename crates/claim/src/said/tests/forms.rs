//! Other forms of what is told: how many files there are, the tense and a blank line do not decide.

use super::{names, said};

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
        "Changes proposed:\n- `src/a.py`",
    ] {
        assert_eq!(names(message), [""; 0], "{message}");
    }
    assert_eq!(
        names("I added `src/a.py` as `src/b.py` does."),
        ["src/a.py"]
    );
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
