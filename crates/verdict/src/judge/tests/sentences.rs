//! What is told of sentences about what was there before.

use super::*;

/// Whether a sentence of an agent that calls these is told of.
fn is_told(message: &str, calls: &[serde_json::Value]) -> bool {
    let text = serde_json::json!({"type": "text", "text": message});
    let facts = Made {
        session: Some(session_of(&[calls, &[text]].concat())),
        ..Made::default()
    };
    let outcome = judged(message, &facts);
    assert!(!outcome.is_block());
    let mut warnings = outcome.warnings.iter();
    warnings.any(|it| matches!(it, Warning::Said(_)))
}

/// Who describes a work tree tells of what was in it.
#[test]
fn what_differed_at_the_start_may_be_what_a_sentence_is_about() {
    assert!(is_told("I added the loop to src/old.py.", &[]));
    assert!(!is_told("I added the loop to src/edited.rs.", &[]));
}
