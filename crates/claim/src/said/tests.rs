use std::time::Duration;

use attest_clock::processor_time;
use proptest::prelude::*;

use super::*;

mod deeds;
mod forms;
mod recaps;

fn names(message: &str) -> Vec<String> {
    let said = said(message).into_iter();
    said.map(|said| said.entry.file().unwrap().to_owned())
        .collect()
}

/// Beside what is like it and changes the file.
#[test]
fn a_name_that_was_put_into_another_file_is_a_text() {
    for (text, changed) in [
        ("Added `lib/b.py` in `src/c.py`.", "src/c.py"),
        ("Wrote `lib/b.py` into the manifest `src/c.py`.", ""),
        ("Added `lib/b.py` and `lib/d.py` to `src/c.py`.", "src/c.py"),
        (
            "Corrected `lib/b.py` to `lib/d.py` in `src/c.py`.",
            "src/c.py",
        ),
        (
            "Updated the default in `src/c.py` to `lib/b.py`.",
            "src/c.py",
        ),
        ("Renamed the output from `lib/b.py` to `lib/d.py`.", ""),
        ("Added a fallback to `lib/b.py`.", ""),
        ("Added checks to `lib/b.py` route.", ""),
        ("Updated `src/c.py`, `lib/b.py` stays as is.", "src/c.py"),
        ("Its docstring now reads: Updated `lib/b.py`.", ""),
        ("Output is: Created `lib/b.py`", ""),
        ("**Output format**: Updated `lib/b.py`.", "lib/b.py"),
        ("Added checks to `lib/b.py` for the route.", "lib/b.py"),
        (
            "Updated `src/c.py` and added checks to `lib/b.py`.",
            "src/c.py lib/b.py",
        ),
        ("Moved the loop from `src/c.py` to `lib/b.py`.", "lib/b.py"),
        ("Fixed: Updated `lib/b.py`.", "lib/b.py"),
        ("Created `a.md` with two entries.", "a.md"),
        ("Created a.md with two entries.", ""),
        ("Updated `a.md` with two entries.", ""),
    ] {
        assert_eq!(names(text).join(" "), changed, "{text}");
    }
}

/// Each beside a text that is most like it, and in which the file is not said to be changed by who speaks.
#[test]
fn a_file_that_the_speaker_changed_is_told_and_any_other_is_not() {
    for (own, other) in [
        (
            "Created `src/a.py` with two tests.",
            "Create `src/a.py` with two tests.",
        ),
        (
            "I added the loop to src/a.py.",
            "I would add the loop to src/a.py.",
        ),
        (
            "Done. Fixed the loop in `src/a.py:12`.",
            "Done. The loop in `src/a.py:12` is fine.",
        ),
        (
            "Removed the loop from src/a.py",
            "Removed the loop that came from src/a.py",
        ),
        (
            "- **Loop** — added one to `src/a.py`",
            "- **Loop** — one like that of `src/a.py`",
        ),
        (
            "Implemented the loop in src/a.py",
            "Implemented in src/a.py",
        ),
        (
            "The plan has been written to `docs/a.md`.",
            "The plan is written to `docs/a.md`.",
        ),
        (
            "Plan complete and saved to `docs/a.md`.",
            "Plan incomplete and not saved to `docs/a.md`.",
        ),
        (
            "**New file created:** docs/a.md",
            "**New file needed:** docs/a.md",
        ),
        (
            "The text was long.\n\n**It has been saved to:**\n`docs/a.md`",
            "The text was long.\n\n**It is explained in:**\n`docs/a.md`",
        ),
        (
            "## Changes made\n- `src/a.py` — the loop",
            "## Findings\n- `src/a.py` — the loop",
        ),
        (
            "## Changes made\n- `src/a.py` — the loop",
            "## Planned changes\n- `src/a.py` — the loop",
        ),
        (
            "## Changes made\n- `src/a.py` — the loop",
            "## Changes made\n- `src/a.py` — unchanged",
        ),
        (
            "## Changes made\n- `src/a.py` — the loop",
            "# Review\n\n## Changes made\n- `src/a.py` — the loop",
        ),
        (
            "## What was done\n### 1. `src/a.py`\nA loop.",
            "## What is left\n### 1. `src/a.py`\nA loop.",
        ),
        (
            "Here is a summary of what was done.\n\n### `src/a.py`\nA loop.",
            "Here is a map of the project.\n\n### `src/a.py`\nA loop.",
        ),
        (
            "| File | Change |\n|---|---|\n| `src/a.py` | the loop |",
            "| File | Purpose |\n|---|---|\n| `src/a.py` | the loop |",
        ),
        (
            "Here is a summary of the changes to `src/a.py`:",
            "Here is an example of a change to `src/a.py`:",
        ),
        (
            "Updated `src/a.py` and src/b.py",
            "Updated the names which `src/a.py` and src/b.py use",
        ),
        (
            "Changes to the cart:\n- Added src/a.py",
            "History of the cart:\n- Added src/a.py",
        ),
        (
            "What I did:\n\n1. Added src/a.py",
            "The changelog says:\n\n1. Added src/a.py",
        ),
        (
            "Changeset saved to src/a.md. It has bumps for:\n- the loop",
            "The changeset has bumps for:\n- the loop, added to src/a.md",
        ),
        ("Created src/a.py", "Created a.py"),
        ("Created src/a.py", "> Created src/a.py"),
        ("Created src/a.py", "```\nCreated src/a.py\n```"),
        ("Created src/a.py", "- [ ] Created src/a.py"),
        ("Created src/a.py", "Created src/a.py/b.py"),
        ("Created src/a.py", "The commit added src/a.py"),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

#[test]
fn what_is_only_spoken_of_beside_a_change_is_not_told() {
    for (own, other) in [
        (
            "Fixed the loop in tests/test_a.py.",
            "Fixed the failing test tests/test_a.py.",
        ),
        (
            "Removed the loop in src/a.py.",
            "Removed the dependency on src/a.py.",
        ),
        (
            "Added src/b.py and src/a.py, with tests.",
            "Added a loop, and src/a.py passes.",
        ),
        (
            "Edited the loop and src/a.py.",
            "Edited the loop and looked into src/a.py.",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

/// As the texts of pull requests have them.
#[test]
fn a_file_in_a_plan_a_command_or_the_middle_of_a_sentence_is_not_told() {
    for (own, other) in [
        (
            "I fixed it locally in `src/a.py`.",
            "I fixed it locally, `src/a.py` is correct.",
        ),
        (
            "## Changes made\n\nReplaced the loop in src/a.py",
            "## Test plan\n\nReplaced the loop in src/a.py",
        ),
        (
            "## Implementation\n- `src/a.py` — the loop",
            "## Implementation plan\n- `src/a.py` — the loop",
        ),
        (
            "## Changes made\nThe loop is new.\n`src/a.py` has it.",
            "## Changes made\nThe loop is like that of\n`src/a.py` and others.",
        ),
        (
            "## Changes made\n`src/a.py`: the loop\n`src/b.py`: a test",
            "## Changes made\n- The loop of\n  `src/a.py` and\n  `src/b.py`",
        ),
        (
            "Rewrote the loop in src/a.py",
            "Rewrote the loop against src/a.py",
        ),
        (
            "Added the loop to `src/a.py`",
            "Added `RUN FROM 'src/a.py'` to the script",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

/// Beside a file that is changed another one may only be named.
#[test]
fn a_file_that_a_sentence_only_names_is_not_told() {
    for text in [
        "Updated src/a.py while leaving src/b.py alone.",
        "Updated src/a.py and left src/b.py as is.",
        "I updated src/a.py, making src/b.py obsolete.",
        "In src/a.py, I added a call to src/b.py, and updated src/a.py.",
        "Removed references to src/b.py from src/a.py.",
        "Updated the comment about src/b.py in src/a.py.",
        "Edited src/a.py: it now imports src/b.py.",
        "Changed `src/b.py` to `src/c.py` in src/a.py.",
        "I updated src/a.py (compare src/b.py).",
        "I registered src/b.py in src/a.py.",
        "Fixed the import in src/a.py; src/a.py: replaced the src/b.py import.",
    ] {
        assert_eq!(names(text), ["src/a.py"], "{text}");
    }
    for text in [
        "Fixed the circular import between src/a.py and src/b.py.",
        "I completed the list in src/a.py.",
        "I replaced src/a.py with the library.",
        "I created a table of all functions in src/a.py.",
        "I adjusted the severity of the finding in `src/a.py`.",
        "I marked src/a.py as safe.",
    ] {
        assert_eq!(names(text), [""; 0], "{text}");
    }
    assert_eq!(names("Updated src/a.py, src/b.py and src/c.py.").len(), 3);
    assert_eq!(names("Added the new module src/a.py.").len(), 1);
}

#[test]
fn what_stands_in_front_of_a_file_or_behind_a_list_is_understood() {
    for (own, other) in [
        (
            "## Changes made\n- **The loop** (`src/a.py`): a new one",
            "## Changes made\n- **The loop** (see `src/a.py`): a new one",
        ),
        (
            "Fixed it in src/a.py.\n\nAdded a helper to read it:\n- one\n\n## Changes made\n- `src/b.py`",
            "It is fixed.\n\nA helper to read it:\n- one\n\n## Changes made\n- `src/b.py`",
        ),
        (
            "## Changes made\n**Files:** `src/a.py`",
            "## Findings\n**Files:** `src/a.py`",
        ),
        (
            "I've also written the plan to `docs/a.md`.",
            "They have written the plan to `docs/a.md`.",
        ),
        (
            "**Suggestions:**\n- a test\n\nI added one to `src/a.py`.",
            "**Suggestions:**\n- a test\n- I added one to `src/a.py`.",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

/// Each beside a text that is most like it, and in which who speaks does not say to have added tests.
#[test]
fn tests_that_the_speaker_added_are_told_and_others_are_not() {
    for (own, other) in [
        ("Adds tests for the parser", "Add tests for the parser"),
        ("Added two unit tests.", "Added two unit test helpers."),
        ("- Added a test for `a b`", "- [ ] Added a test for `a b`"),
        ("- [x] I have added tests", "- [x] I have run tests"),
        (
            "I wrote tests, and ran them",
            "Bob wrote tests, and ran them",
        ),
        (
            "This PR adds regression tests.",
            "That PR adds regression tests.",
        ),
        ("This adds tests", "This adds test data"),
        (
            "Fixed the loop and added tests",
            "Fixed the loop and the added tests",
        ),
        (
            "Added new tests to cover it",
            "Added a flag to cover new tests",
        ),
        ("Added tests", "Added tests?"),
        ("Added tests", "Added tests: no"),
        ("Added tests", "Added `tests`"),
        ("Added tests", "Added tests/ to the list"),
        ("Added tests", "> Added tests"),
        ("## Changes\n\nAdds tests", "## Next steps\n\nAdds tests"),
        ("Added tests", "Should have added tests"),
    ] {
        assert!(told(own).tests.is_some(), "{own}");
        assert_eq!(told(other).tests, None, "{other}");
    }
    let written = told("Done. Added a test for `a b`. Nothing else.").tests;
    assert_eq!(written.unwrap(), "Added a test for `a b`.");
}

#[test]
fn a_verb_says_more_of_a_file_than_that_a_line_is_about_it() {
    let text =
        "## Changes made\n1. **Created a script** (`src/a.sh`):\n2. **The loop** (`src/b.sh`):";
    let said = said(text).into_iter();
    let said: Vec<_> = said
        .map(|it| (it.is_sentence, it.entry.operation))
        .collect();
    assert_eq!(
        said,
        [(true, Operation::Created), (false, Operation::Changed)]
    );
}

#[test]
fn a_line_with_a_label_may_go_on_in_the_next_one() {
    let text = "## Changes made\nThe loop (`src/a.py`): like that in\n`src/b.py` and others";
    assert_eq!(names(text), ["src/a.py"]);
}

#[test]
fn what_is_nested_below_a_file_is_about_that_file() {
    let message = "**Changes made:**\n- `src/a.py`\n  - `src/b.py` calls it\n- `src/c.py`";
    assert_eq!(names(message), ["src/a.py", "src/c.py"]);
}

/// In brackets right behind it, words that are not understood may say that it is elsewhere; a sentence behind it goes on.
#[test]
fn a_remark_that_is_not_understood_takes_a_file_back() {
    let found = |said: &str| {
        names(&format!(
            "Done. Modified files:\n\n- src/a.py\n- src/b.py{said}"
        ))
    };
    for said in [
        " (lives in shop-core)",
        " (created in the container)",
        " (gone since v2)",
        " (new, after approval)",
        " (proposed below)",
    ] {
        assert_eq!(found(said), ["src/a.py"], "{said}");
    }
    for said in [
        "",
        " (new)",
        " (unit tests)",
        " (12 lines)",
        " — so that it works in the container",
    ] {
        assert_eq!(found(said), ["src/a.py", "src/b.py"], "{said}");
    }
}

/// Eight times the text takes about eight times as long, in a title and below it.
#[test]
fn a_sentence_without_end_is_not_understood() {
    for piece in [
        "I added ",
        "I added the and ",
        "— added x ",
        "we have written ",
    ] {
        let time = |bytes: usize| {
            let long = piece.repeat(bytes / piece.len());
            let text = format!("Done.\n\n{long}read:\n- a\n\n{long}\n");
            processor_time(|| (crate::parse(&text), told(&text)))
        };
        let grows = || time(200_000) > Duration::from_millis(50) + 16 * time(25_000);
        assert!(!(0..5).all(|_| grows()), "{piece}");
    }
    let said = |words: usize| names(&format!("Added {}to src/a.py", "x ".repeat(words)));
    assert_eq!([said(300).len(), said(500).len()], [1, 0]);
}

proptest! {
    #[test]
    fn any_text_is_an_answer(text in "(\\PC|[\n`*#|:-]| added | to |a/b\\.py){0,80}") {
        let _ = told(&text);
    }
}
