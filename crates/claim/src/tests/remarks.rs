//! Remarks and titles one by one, in every place where a report may have them.
//!
//! What says that a file was not worked on, or is not here, leaves nothing that could be disproved; what says how
//! it was worked on leaves the file claimed.

use std::fs;

use super::{Certainty, Meaning, Remark, Sense, parse};
use crate::remark::read;
use attest_corpus::folder;

const GHOST: &str = "src/ghost.py";

/// Whether the ghost is claimed with certainty by a report whose list ends with `entry`.
fn is_claimed(entry: &str) -> bool {
    let report = format!("Status: DONE\nFiles changed:\n- src/keep/kept.py\n{entry}\n");
    is_claimed_by(&report)
}

fn is_claimed_by(report: &str) -> bool {
    let claim = parse(&format!("## Handoff\n{report}"));
    let mut entries = claim.entries.iter();
    entries.any(|entry| match &entry.meaning {
        Meaning::Paths(_) if entry.doubt().is_some() => false,
        Meaning::Paths(readings) => readings.iter().any(|reading| {
            reading.certainty > Certainty::Likely && format!("{:?}", reading.target).contains(GHOST)
        }),
        Meaning::Unresolvable(_) => false,
    })
}

fn lines(name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder().join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Every place of a remark about the ghost in which it is claimed.
fn claimed_with(remark: &str) -> Vec<&'static str> {
    let table = format!(
        "Status: DONE\nFiles changed:\n\n| File | Note |\n|---|---|\n| src/keep/kept.py | new |\n\
         | {GHOST} | {remark} |\n"
    );
    let places = [
        ("brackets", is_claimed(&format!("- {GHOST} ({remark})"))),
        ("dash", is_claimed(&format!("- {GHOST} \u{2014} {remark}"))),
        ("hyphen", is_claimed(&format!("- `{GHOST}` - {remark}"))),
        ("colon", is_claimed(&format!("- {GHOST}: {remark}"))),
        ("note", is_claimed(&format!("- {GHOST}\n  - {remark}"))),
        ("table", is_claimed_by(&table)),
    ];
    let claimed = places.into_iter().filter(|(_, is_claimed)| *is_claimed);
    claimed.map(|(place, _)| place).collect()
}

#[test]
fn what_was_not_done_is_not_claimed() {
    for remark in lines("not-done.txt") {
        assert_eq!(claimed_with(&remark), [""; 0], "{remark}");
    }
}

/// What is not understood costs a warning, so that most of what was done has to be.
#[test]
fn most_of_what_was_done_is_claimed() {
    let lines = lines("done.txt");
    let claimed = lines
        .iter()
        .filter(|remark| claimed_with(remark).len() == 6);
    let share = 100 * claimed.count() / lines.len();
    assert!(share >= 45, "{share} %");
}

/// Each beside the work that looks most like it.
#[test]
fn what_is_done_to_another_thing_claims_nothing_of_the_file() {
    for (other, work) in [
        ("created a ticket", "created the ticket form"),
        ("opened an issue", "added an issue template"),
        ("issue closed", "issue fixed"),
        ("created PR 12", "created 12 PR checks"),
        ("PR comment added", "comment added"),
        ("PR opened", "port opened"),
        ("patch sent", "patch applied"),
        ("change request filed", "changed request filter"),
        ("refactoring planned", "refactoring"),
        ("tests to follow", "tests"),
        ("tests to write", "links to docs"),
        ("tests needed", "adds tests"),
        (
            "added a comment to the ticket",
            "added a comment to the parser",
        ),
        ("documentation updated in the wiki", "documentation updated"),
        ("all callers updated", "all loaders updated"),
        ("removed imports of it", "removed imports of lodash"),
        ("dropped from the build", "dropped from 12 to 3 queries"),
        (
            "covered by existing tests",
            "covered by splitting the parser",
        ),
        ("context", "React context"),
        ("tested only", "tested the parser"),
        ("preserved", "preserved the order of fields"),
        ("previous session", "previous button added"),
        ("PR 12", "12 PR checks"),
        ("false alarm", "fixed false alarms"),
    ] {
        assert_eq!(claimed_with(other), [""; 0], "{other}");
        assert_eq!(claimed_with(work).len(), 6, "{work}");
    }
}

#[test]
fn what_names_another_file_is_of_that_one() {
    for (other, work) in [
        ("removed from pyproject.toml", "extracted from src/b.py"),
        ("implemented as src/b.py", "implemented the parser"),
        ("content merged into src/b.py", "content merged"),
        ("patch saved as ../n.patch", "patch applied"),
        ("tests added in `tests/b.py`", "tests added"),
        ("import fixed in src/b.py", "reads from src/b.py"),
        ("fixed via src/b.py", "new parser, extracted from src/b.py"),
        (
            "created, then folded into src/b.py",
            "created, reads from src/b.py",
        ),
    ] {
        assert_eq!(claimed_with(other), [""; 0], "{other}");
        assert_eq!(claimed_with(work).len(), 6, "{work}");
    }
}

/// Nothing is told of what the report itself says was for a while.
#[test]
fn what_did_not_stay_is_taken_back() {
    for remark in [
        "temporary",
        "made, then rolled back as asked",
        "created, then folded into src/b.py",
        "created, later deleted",
    ] {
        assert_eq!(read(remark), Sense::Untouched, "{remark}");
        assert_eq!(claimed_with(remark), [""; 0], "{remark}");
    }
    for remark in ["new, not committed", "new, but not kept", "-", "\u{2014}"] {
        let sense = Remark::of(remark).map(|remark| remark.sense);
        assert_eq!(sense, Some(Sense::Other), "{remark}");
    }
    for remark in [
        "created, then removed the old lock",
        "temporary tokens expire",
    ] {
        assert_ne!(read(remark), Sense::Untouched, "{remark}");
    }
}

#[test]
fn nothing_below_a_title_of_what_was_not_done_is_claimed() {
    for title in lines("not-done-titles.txt") {
        for entry in [
            format!("- {title}: {GHOST}"),
            format!("- {title}:\n  - {GHOST}"),
            format!("\n{title}:\n- {GHOST}"),
            format!("\n**{title}**\n- {GHOST}"),
            format!("\n**{title}:** {GHOST}"),
            format!("{title}: {GHOST}"),
            format!("- {title} `{GHOST}`"),
            format!("- [{title}] {GHOST}"),
            format!("\n### {title}\n- {GHOST}"),
        ] {
            let is_deletion = title == "Dropped" || title == "Removed again";
            assert!(is_deletion || !is_claimed(&entry), "{entry}");
        }
    }
}

#[test]
fn a_number_and_that_it_is_done_say_nothing_against_a_file() {
    for remark in ["120", "1,200", "95%", "done", "\u{2705} Done", "complete"] {
        assert_eq!(claimed_with(remark).len(), 6, "{remark}");
    }
    for remark in [
        "0",
        "0%",
        "done?",
        "#12",
        "Task 2",
        "done by Bob",
        "3 pending",
        "failed",
    ] {
        assert_eq!(claimed_with(remark), [""; 0], "{remark}");
    }
    assert!(!is_claimed(&format!("- {GHOST} [1]")));
}

#[test]
fn a_column_says_what_is_in_its_cells() {
    let is_claimed = |title: &str, cell: &str| {
        let rule = "|---".repeat(title.split('|').count() + 1);
        is_claimed_by(&format!(
            "Status: DONE\nFiles changed:\n\n| {title} | File |\n{rule}|\n| {cell} | {GHOST} |\n"
        ))
    };
    for (title, cell) in [
        ("#", "2"),
        ("Lines", "120"),
        ("Coverage", "95%"),
        ("Task", "T2"),
        ("Task", "Task 2"),
        ("Ticket", "#13"),
        ("ID", "F-2"),
        ("Status", "\u{2705} Done"),
        ("Status", "ok"),
        ("Changed", "yes"),
        ("Lines | -", "12 | 0"),
    ] {
        assert!(is_claimed(title, cell), "{title}: {cell}");
    }
    for (title, cell) in [
        ("Note", "phase 2"),
        ("Note", "T2"),
        ("Lines", "0"),
        ("+ | -", "0 | 12"),
        ("Note", "\u{2013}"),
        ("Status", "pending"),
        ("Status", "failed"),
        ("Mode", "read"),
        ("Remaining", "3"),
        ("Reviewed", "done"),
        ("Reviewed", "yes"),
        ("Skipped", "yes"),
        ("PR", "#13"),
    ] {
        assert!(!is_claimed(title, cell), "{title}: {cell}");
    }
}
