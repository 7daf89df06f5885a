//! Transcripts that real hosts wrote; see fixtures/README.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::time::Duration;

use attest_transcript::final_message;

const VERSIONS: [&str; 2] = ["2.1.329", "2.1.170"];

fn message(version: &str, scenario: &str) -> Option<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude-code");
    let path = folder.join(version).join(scenario).join("transcript.jsonl");
    final_message(&path, Duration::ZERO).unwrap()
}

#[test]
fn the_last_report_is_found_behind_tool_calls_and_feedback() {
    for version in VERSIONS {
        for scenario in ["tools", "blocked"] {
            let message = message(version, scenario).unwrap();
            assert!(
                message.to_lowercase().contains("status: done"),
                "{version} {message:?}"
            );
        }
    }
}

#[test]
fn an_agent_that_ends_without_a_word_or_by_an_error_has_no_report() {
    for version in VERSIONS {
        for scenario in ["empty", "api-error"] {
            assert_eq!(message(version, scenario), None, "{version} {scenario}");
        }
    }
}
