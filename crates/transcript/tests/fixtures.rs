//! Transcripts that real hosts wrote; see fixtures/README.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attest_evidence::Budget;
use attest_transcript::forms::{ClaudeCode, Copilot, Droid, Gemini};
use attest_transcript::{
    CallKind, Form, Outcome, ReadLimits, Session, Shows, ToolCalls, Whose, final_message,
};

const VERSIONS: [&str; 2] = ["2.1.329", "2.1.170"];

fn transcript(version: &str, scenario: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude-code");
    folder.join(version).join(scenario).join("transcript.jsonl")
}

fn message(version: &str, scenario: &str) -> Option<String> {
    let limits = ReadLimits {
        wait: Duration::ZERO,
        deadline: Instant::now() + Duration::from_mins(1),
    };
    let path = transcript(version, scenario);
    final_message(&path, &[&ClaudeCode], limits, &|_| false).unwrap()
}

fn tool_calls(path: &Path, form: &dyn Form) -> ToolCalls {
    let budget = Budget::default();
    let session = Session::read(path, &[form], &budget, &mut |_| Whose::Own);
    session.unwrap().tool_calls
}

fn read_tool_calls(version: &str, scenario: &str) -> ToolCalls {
    tool_calls(&transcript(version, scenario), &ClaudeCode)
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

#[test]
fn the_ledger_has_every_call_with_its_result() {
    for version in VERSIONS {
        let tool_calls = read_tool_calls(version, "tools");
        let calls = tool_calls.calls.iter();
        let calls: Vec<_> = calls
            .map(|call| (call.tool.as_str(), call.kind, call.result))
            .collect();
        let expected = [
            ("Write", CallKind::Write, Outcome::Ok),
            ("Read", CallKind::Other, Outcome::Ok),
            ("Edit", CallKind::Write, Outcome::Error),
            ("Edit", CallKind::Write, Outcome::Ok),
            ("Bash", CallKind::MayWrite, Outcome::Ok),
            ("Bash", CallKind::MayWrite, Outcome::Error),
        ];
        assert_eq!(calls, expected, "{version}");
        let first = &tool_calls.calls[0];
        assert_eq!(first.path.as_deref(), Some("/home/user/project/a.txt"));
        assert_eq!(first.at.as_deref(), Some("2026-01-01T00:00:00.000Z"));
        assert!(tool_calls.is_whole && tool_calls.ends_with(&message(version, "tools").unwrap()));
    }
}

#[test]
fn an_error_of_the_host_is_told_from_a_report() {
    for version in VERSIONS {
        assert!(
            read_tool_calls(version, "api-error").ends_in_host_error(""),
            "{version}"
        );
        assert!(
            !read_tool_calls(version, "tools").ends_in_host_error(""),
            "{version}"
        );
    }
}

/// What the calls of other hosts' tools are, and what they show of files: a file is read, a command fails, another
/// one succeeds, files are searched, and names listed.
#[test]
fn other_hosts_have_the_same_calls() {
    let file = || Some(Shows::File("/home/user/project/a.py".into()));
    let host = |folder: &str, form: &dyn Form| {
        let base = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
        let path = base.join(folder).join("tools/transcript.jsonl");
        let calls = tool_calls(&path, form);
        assert!(calls.is_whole, "{folder}");
        assert!(
            calls.ends_with("All done.\n\nStatus: DONE\nFiles changed: made.py"),
            "{folder}"
        );
        let calls = calls.calls.into_iter();
        calls
            .map(|call| (call.tool, call.kind, call.shows, call.result))
            .collect::<Vec<_>>()
    };
    let (reads, runs) = (CallKind::Other, CallKind::MayWrite);
    let expected = |names: [&str; 6], list: Option<Shows>| {
        let [read, fails, succeeds, search, one, other] = names;
        vec![
            (read.to_owned(), reads, file(), Outcome::Ok),
            (fails.to_owned(), runs, None, Outcome::Error),
            (succeeds.to_owned(), runs, None, Outcome::Ok),
            (search.to_owned(), reads, Some(Shows::Folder), Outcome::Ok),
            (one.to_owned(), reads, Some(Shows::Nothing), Outcome::Ok),
            (other.to_owned(), reads, list, Outcome::Ok),
        ]
    };
    let listed = Some(Shows::Nothing);
    // Copilot lists a folder with the tool that shows a file.
    assert_eq!(
        host("copilot/1.0.102", &Copilot),
        expected(
            ["view", "bash", "bash", "grep", "glob", "view"],
            Some(Shows::File("/home/user/project".into()))
        )
    );
    assert_eq!(
        host("droid/0.215.0", &Droid),
        expected(
            ["Read", "Execute", "Execute", "Grep", "Glob", "LS"],
            listed.clone()
        )
    );
    let shell = "run_shell_command";
    assert_eq!(
        host("gemini/0.61.0", &Gemini),
        expected(
            [
                "read_file",
                shell,
                shell,
                "grep_search",
                "list_directory",
                "glob"
            ],
            listed
        )
    );
}
