//! Lines that name a file in front of what was done to it.

use super::{names, said, tells_of_changed_file};

/// Each beside a text that is most like it, and in which the file is not said to be changed by who speaks.
#[test]
fn a_deed_behind_the_name_of_a_file_is_told_where_the_message_is_about_own_work() {
    for (own, other) in [
        (
            "Here's a summary of the changes:\n\n1. `src/a.py` — Added a retry",
            "Here's a summary of the module:\n\n1. `src/a.py` — Added a retry",
        ),
        (
            "All green. Two fixes applied:\n\n1. **Race** (`src/a.py:12`): Added a retry",
            "All green. Two fixes left:\n\n1. **Race** (`src/a.py:12`): Added a retry",
        ),
        (
            "Done. Changes made:\n\n**Race** — `src/a.py`: Added a retry",
            "Look. Changes left:\n\n**Race** — `src/a.py`: Added a retry",
        ),
        (
            "What was done:\n\n**Notes**\n\n- `src/a.py` — rewritten as a class",
            "What was done:\n\n**Notes**\n\n- `src/a.py` — imported as a class",
        ),
        (
            "What was done:\n\n**Notes**\n\n- `src/a.py` — Added a retry",
            "What was done:\n\n**What the release has**\n\n- `src/a.py` — Added a retry",
        ),
        (
            "Changes made:\n- `src/a.py` — Added a retry, because it may not be there at once",
            "Changes made:\n- `src/a.py` — Added a retry, but it may not be there at once",
        ),
        (
            "I added a retry to `src/a.py`, so it no longer fails.",
            "I added a retry to `src/a.py`, if it no longer fails.",
        ),
        (
            "Added a retry to `Loop.run` (src/a.py:12).",
            "Added a retry to call `Loop.run` (src/a.py:12).",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

#[test]
fn a_deed_of_a_line_says_as_much_as_a_sentence() {
    let is_sentence = |text: &str| said(text).iter().all(|said| said.is_sentence);
    assert!(is_sentence("Changes made:\n- `src/a.py` — Added a retry"));
    assert!(!is_sentence("Changes made:\n- `src/a.py` — a retry"));
    assert!(!is_sentence("Changes made:\n- `src/a.py` — modified"));
    assert!(is_sentence("The fixes I made to `src/a.py`:"));
    assert!(!is_sentence("The fixes to `src/a.py`:"));
}

/// Each beside the deed most like it.
#[test]
fn what_leads_elsewhere_behind_a_file_makes_it_part_of_another_thing() {
    for (own, other) in [
        (
            "I added `src/a.py` with the list of entries.",
            "I added `src/a.py` to the list of entries.",
        ),
        (
            "I deleted `src/a.py` from the repository.",
            "I deleted `src/a.py` from the candidate list.",
        ),
        (
            "I changed `src/a.py` to use the cache.",
            "I moved `src/a.py` to phase 2 of the plan.",
        ),
        (
            "I added `src/a.py` to `src/lib/`.",
            "I added `src/a.py` to the sprint.",
        ),
        (
            "I implemented `src/a.py` for the parser.",
            "I implemented `src/a.py` for tomorrow.",
        ),
        (
            "I created `src/a.py` and `src/b.py` in the repository.",
            "I created `src/a.py` and `src/b.py` in my head.",
        ),
        (
            "I updated `src/a.py` to the newest version.",
            "I added `src/a.py` to the newest version.",
        ),
        (
            "I updated `src/a.py` as you asked.",
            "I updated `src/a.py` as a guess.",
        ),
        (
            "I refactored `src/a.py` into three classes.",
            "I refactored `src/a.py` into my answer.",
        ),
        (
            "I recorded the owner in `src/a.py`.",
            "I recorded `src/a.py` as the owner.",
        ),
        (
            "I translated the comments in `src/a.py` (German).",
            "I translated the comments in `src/a.py` (below).",
        ),
        (
            "I applied the fix to `src/a.py`.",
            "I applied the checklist to `src/a.py`.",
        ),
        (
            "I added my notes to `src/a.py`.",
            "I updated my notes on `src/a.py`.",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
        assert!(!tells_of_changed_file(other), "{other}");
    }
}

#[test]
fn where_a_fault_was_found_nothing_was_changed() {
    for (own, other) in [
        (
            "Fixed the bug in `src/a.py`.",
            "Isolated the bug in `src/a.py`.",
        ),
        (
            "I narrowed the type in `src/a.py`.",
            "I narrowed it down to `src/a.py`.",
        ),
        (
            "What was done:\n\n**Notes**\n\n- `src/a.py` — tracked the requests",
            "What was done:\n\n**Notes**\n\n- `src/a.py` — tracked the leak",
        ),
    ] {
        assert!(!names(own).is_empty(), "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

/// A title of what was done of a review is none of a review.
#[test]
fn behind_a_review_its_findings_are_worked_on() {
    for (own, other) in [
        ("Review actions complete", "Review complete"),
        ("Code review comments addressed", "Code review comments"),
        ("Audit fixes applied", "Audit of the fixes"),
    ] {
        let names = |title: &str| names(&format!("**{title}**\n\n**Changes made:**\n- src/a.py"));
        assert_eq!(names(own), ["src/a.py"], "{own}");
        assert_eq!(names(other), [""; 0], "{other}");
    }
}

/// What a reviewer says of the review itself is heard below the titles of what was found and is to be done.
#[test]
fn the_file_of_a_review_is_told_below_any_title_of_the_review() {
    let names = |title: &str, said: &str| names(&format!("{title}\n\n- One nit.\n\n{said}"));
    for said in [
        "The review has been written to `docs/a.md`.",
        "I have written the review to `docs/a.md`.",
        "I've written my full report to `docs/a.md`.",
        "I wrote the code review as `docs/a.md`.",
        "Review saved to `docs/a.md`.",
    ] {
        for title in [
            "It is sound.",
            "# Code review",
            "## Code Review Summary",
            "### Minor Suggestions (not blocking)",
            "### Verdict: APPROVE",
            "## Next steps",
            "**Open questions**",
        ] {
            assert_eq!(names(title, said), ["docs/a.md"], "{title}: {said}");
        }
        for title in ["## Example output", "## PR 12 by Bob"] {
            assert_eq!(names(title, said), [""; 0], "{title}: {said}");
        }
    }
    for other in [
        "- The review has been written to `docs/a.md`.",
        "The loop has been written to `docs/a.md`.",
        "The review has to be written to `docs/a.md`.",
        "I would have written the review to `docs/a.md`.",
        "I wrote the loop to `docs/a.md`.",
    ] {
        assert_eq!(names("## Next steps", other), [""; 0], "{other}");
    }
    for other in [
        "I wrote the review on `docs/a.md`.",
        "I have not written the review to `docs/a.md`.",
        "I wrote the review that leads to `docs/a.md`.",
        "I wrote a review of the loop and `docs/a.md`.",
        "Bob wrote the review to `docs/a.md`.",
    ] {
        assert_eq!(names("It is sound.", other), [""; 0], "{other}");
    }
}
