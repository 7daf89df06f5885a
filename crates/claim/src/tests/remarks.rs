//! Remarks and titles one by one, in every place where a report may have them.
//!
//! What says that a file was not worked on, or is not here, leaves nothing that could be disproved; what says how
//! it was worked on leaves the file claimed.

use std::fs;

use super::{Certainty, Meaning, parse};
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
