//! What is told of files for which the agent was sent back before.

use super::*;
use crate::{Again, SentBack};

/// What is told beside the findings of an agent that was sent back for these paths.
fn told(message: &str, absent: &[&str]) -> Vec<String> {
    let at = "2026-01-01T14:02:11.5Z".parse().unwrap();
    let absent = absent.iter().map(|&path| path.to_owned()).collect();
    let facts = Made {
        sent_back: Some(SentBack { at, absent }),
        ..Made::default()
    };
    let again = |warning: &Warning| matches!(warning, Warning::Again(Again { .. }));
    let outcome = judged(message, &facts);
    let warnings = outcome.warnings.iter().filter(|it| again(it));
    warnings.map(ToString::to_string).collect()
}

#[test]
fn a_file_that_was_proven_absent_is_told_of_while_it_is_claimed_on() {
    let expected =
        "\"src/ghost.py\", for which the stop was sent back at 14:02:11 UTC, is still not there";
    for message in [
        "attest is mistaken: `src/ghost.py` was created.",
        "Status: DONE\nFiles changed: src/new.py\n\nI have verified that `src/ghost.py` exists.",
        "Status: DONE",
        "## Deliverables\n- `src/ghost.py`",
        "I have now created it.",
        "All fixed.",
    ] {
        assert_eq!(told(message, &["src/ghost.py"]), [expected], "{message}");
    }
    for honest in [
        "I had claimed src/ghost.py, which I never created.",
        "Status: DONE\nFiles changed: src/new.py",
        "Status: DONE\nFiles changed: src/new.py (I took src/ghost.py off the list)",
        "Status: DONE\nFiles changed: none",
        "Status: BLOCKED\n\n`src/ghost.py` was created in a scratch folder only.",
        "I created `src/other.py`.",
        "I created it in a scratch folder only.",
        "Fixed the list.",
    ] {
        assert!(told(honest, &["src/ghost.py"]).is_empty(), "{honest}");
    }
}

#[test]
fn one_of_several_files_is_not_told_of_unless_it_is_named() {
    let told = |message| told(message, &["src/ghost.py", "src/b.py"]).len();
    assert_eq!(told("The file is in place now."), 0);
    assert_eq!(told("The missing files are in place now."), 2);
    assert_eq!(told("I created `src/b.py`. It is in place now."), 1);
}

#[test]
fn a_file_that_was_made_since_or_that_a_finding_is_about_is_not_told_of_again() {
    let now_there = "Status: DONE\n\nI created `src/new.py`.";
    assert!(told(now_there, &["src/new.py"]).is_empty());
    assert!(told("Status: DONE", &["src/new.py"]).is_empty());
    assert!(told(GHOST, &["src/ghost.py"]).is_empty());
}
