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

/// A list does not hide what is called new beside it.
#[test]
fn a_file_that_is_called_new_is_told_beside_a_list() {
    const LIST: &str = "\n\nStatus: DONE\nFiles changed: src/new.py";
    let list_and = |said: &str| format!("{said}{LIST}");
    assert!(is_told(&list_and("Created src/ghost.py."), &[]));
    assert!(!is_told(&list_and("Updated src/ghost.py."), &[]));
    assert!(!is_told(&list_and("Created src/old.py."), &[]));
    let command = serde_json::json!({"command": "make src/ghost.py"});
    let call = serde_json::json!({"type": "tool_use", "id": "1", "name": "Bash", "input": command});
    assert!(!is_told(&list_and("Created src/ghost.py."), &[call]));
}
