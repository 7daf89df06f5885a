#![allow(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;

use tempfile::TempDir;

use super::*;
use crate::forms;

const NOW: Duration = Duration::ZERO;

fn limits(wait: Duration) -> ReadLimits {
    ReadLimits {
        wait,
        deadline: Instant::now() + Duration::from_mins(1),
    }
}

fn call(id: &str, tool: &str, input: &str) -> String {
    format!(
        r#"{{"type":"assistant","timestamp":"2026-01-01T00:00:01Z","message":{{"id":"m{id}","stop_reason":"tool_use","content":[{{"type":"tool_use","id":"{id}","name":"{tool}","input":{input}}}]}}}}"#
    )
}

fn write(id: &str, path: &str) -> String {
    call(id, "Write", &format!(r#"{{"file_path":"{path}"}}"#))
}

fn result(id: &str, is_error: bool) -> String {
    format!(
        r#"{{"type":"user","timestamp":"2026-01-01T00:00:02Z","message":{{"content":[{{"type":"tool_result","tool_use_id":"{id}","is_error":{is_error}}}]}}}}"#
    )
}

fn text(text: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"last","stop_reason":"end_turn","content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

fn file(lines: &[String]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.jsonl");
    fs::write(&path, lines.join("\n") + "\n").unwrap();
    (folder, path)
}

fn read(lines: &[String]) -> ToolCalls {
    let (_folder, path) = file(lines);
    read_tool_calls(&path, forms::ALL, Detail::Files, limits(NOW), |_| true).unwrap()
}

fn kinds(tool_calls: &ToolCalls) -> Vec<(Kind, Outcome)> {
    tool_calls
        .calls
        .iter()
        .map(|call| (call.kind, call.result))
        .collect()
}

#[test]
fn results_are_joined_to_their_calls() {
    let tool_calls = read(&[
        write("1", "/a"),
        write("2", "/b"),
        result("2", true),
        result("1", false),
        write("3", "/c"),
    ]);
    let seen = tool_calls.calls.iter().map(|call| {
        (
            call.path.as_deref().unwrap(),
            call.result,
            call.at.as_deref().unwrap(),
        )
    });
    let seen: Vec<_> = seen.collect();
    let (made, answered) = ("2026-01-01T00:00:01Z", "2026-01-01T00:00:02Z");
    let expected = [
        ("/a", Outcome::Ok, answered),
        ("/b", Outcome::Error, answered),
        ("/c", Outcome::Unknown, made),
    ];
    assert_eq!(seen, expected);
    assert!(tool_calls.is_whole);
}

#[test]
fn what_is_not_known_to_read_only_may_write() {
    for (tool, kind) in [
        ("Bash", Kind::MayWrite),
        ("Agent", Kind::MayWrite),
        ("mcp__disk__put", Kind::MayWrite),
        ("mcp__disk__get", Kind::NoFile),
        ("Write", Kind::MayWrite),
        ("Read", Kind::Other),
        ("update_plan", Kind::Other),
    ] {
        let tool_calls = read(&[call("1", tool, "{}")]);
        assert_eq!(kinds(&tool_calls), [(kind, Outcome::Unknown)], "{tool}");
    }
}

#[test]
fn places_are_those_of_calls_that_may_write_anywhere_and_are_asked_for() {
    let lines = [
        call("1", "Bash", r#"{"command":"cd /srv && touch x/y"}"#),
        call("2", "Write", r#"{"file_path":"/a/b","content":"/c/d"}"#),
        call("3", "Grep", r#"{"path":"/e/f"}"#),
    ];
    let (_folder, path) = file(&lines);
    let with = read_tool_calls(&path, forms::ALL, Detail::Places, limits(NOW), |_| true).unwrap();
    let place = Place::Exact("/srv/x/y".to_owned());
    let expected = [Written::Place(&place), Written::File("/a/b")];
    assert_eq!(with.written().complete(), Ok(&expected.to_vec()));
    let without = read(&lines);
    assert_eq!(without.written().found(), &[Written::File("/a/b")]);
    assert!(
        without.written().complete().is_err(),
        "places were not read"
    );
}

#[test]
fn every_gap_in_a_transcript_is_a_doubt_with_a_reason() {
    let bash = |command: &str| {
        let input = serde_json::json!({ "command": command }).to_string();
        call("1", "Bash", &input)
    };
    let why = |lines: &[String]| {
        let (_folder, path) = file(lines);
        let calls =
            read_tool_calls(&path, forms::ALL, Detail::Places, limits(NOW), |_| true).unwrap();
        let written = calls.written();
        written.complete().err().map(ToString::to_string)
    };
    assert_eq!(
        why(&[bash("touch a"), write("2", "/a"), text("done")]),
        None
    );
    for (lines, reason) in [
        (vec!["{".to_owned()], "a line is not understood"),
        (vec!["x".repeat(9 * 1024 * 1024)], "a line is too long"),
        (
            vec![bash("touch $X/a")],
            "by what only a shell knows ($X/a)",
        ),
        (
            vec![call("1", "mcp__disk__put", r#"{"key":"a"}"#)],
            "(mcp__disk__put)",
        ),
        (
            vec![bash(&format!("touch /{}", "x".repeat(5_000)))],
            "4096 bytes in the name of a place",
        ),
    ] {
        let why = why(&lines).unwrap_or_default();
        assert!(why.contains(reason), "{reason}: {why}");
    }
    // More calls than are kept, which costs no more time for each of them.
    let many: Vec<_> = (0..50_001).map(|n| write(&n.to_string(), "/a")).collect();
    assert!(why(&many).unwrap().contains("more than 50000 tool calls"));
    // A tool that failed wrote nothing, whatever it was; one that names its file says where.
    assert_eq!(why(&[call("1", "mcp__disk__put", r#"{"path":"a"}"#)]), None);
    assert_eq!(
        why(&[call("1", "mcp__slack__update_status", r#"{"path":"a"}"#)]),
        None
    );
}

#[test]
fn a_codex_rollout_is_read_alike() {
    let item = |payload: &str| {
        format!(
            r#"{{"timestamp":"2026-01-01T00:00:02Z","type":"response_item","payload":{payload}}}"#
        )
    };
    let tool_calls = read(&[
        r#"{"type":"session_meta","payload":{"id":"s"}}"#.to_owned(),
        item(
            r#"{"type":"custom_tool_call","name":"apply_patch","call_id":"1","input":"*** Begin Patch\n*** Add File: a.py\n+x\n*** Delete File: b.py\n*** End Patch"}"#,
        ),
        item(
            r#"{"type":"custom_tool_call_output","call_id":"1","output":"{\"output\":\"Success.\",\"metadata\":{\"exit_code\":0}}"}"#,
        ),
        item(r#"{"type":"function_call","name":"exec_command","call_id":"2","arguments":"{}"}"#),
        item(r#"{"type":"function_call_output","call_id":"2","output":"Exit code: 3\nOutput:"}"#),
        item(
            r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"done"}]}"#,
        ),
    ]);
    let expected = [
        (Kind::Write, Outcome::Ok),
        (Kind::MayWrite, Outcome::Ok),
        (Kind::MayWrite, Outcome::Error),
    ];
    assert_eq!(kinds(&tool_calls), expected);
    assert_eq!(tool_calls.calls[1].path.as_deref(), Some("b.py"));
    assert!(tool_calls.ends_with("done"));
}

#[test]
fn a_line_that_cannot_be_read_costs_that_line_and_is_remembered() {
    let tool_calls = read(&[
        write("1", "/a"),
        r#"{"type":"assistant","message":{"content":[{"type":"tool"#.to_owned(),
        "\0\u{fffd}".to_owned(),
        String::new(),
        result("1", false),
    ]);
    assert_eq!(kinds(&tool_calls), [(Kind::Write, Outcome::Ok)]);
    assert!(!tool_calls.is_whole);
}

#[test]
fn odd_results_change_nothing() {
    let tool_calls = read(&[
        result("1", false),
        write("1", "/a"),
        result("2", false),
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":7}]}}"#
            .to_owned(),
        r#"{"type":"user","message":7}"#.to_owned(),
    ]);
    assert_eq!(kinds(&tool_calls), [(Kind::Write, Outcome::Unknown)]);
}

#[test]
fn the_end_is_the_newest_word() {
    assert!(read(&[text(" all done\\n")]).ends_with("all done"));
    assert!(!read(&[text("all done"), write("1", "/a")]).ends_with("all done"));
    assert!(!read(&[text("all done"), result("1", false)]).ends_with("all done"));
    let thinking = r#"{"type":"assistant","message":{"content":[{"type":"thinking"}]}}"#;
    assert!(read(&[text("all done"), thinking.to_owned()]).ends_with("all done"));
    assert!(!read(&[]).ends_with(""));
    let error = r#"{"type":"assistant","isApiErrorMessage":true,"message":{"content":[{"type":"text","text":"API Error: 529"}]}}"#;
    let tool_calls = read(&[write("1", "/a"), error.to_owned()]);
    assert!(tool_calls.ends_in_host_error("API Error: 529 ") && tool_calls.ends_in_host_error(""));
    assert!(!tool_calls.ends_in_host_error("newer") && !tool_calls.ends_with("API Error: 529"));
}

#[test]
fn the_end_of_a_growing_file_is_waited_for() {
    let (_folder, path) = file(&[write("1", "/a")]);
    let growing = path.clone();
    let writer = thread::spawn(move || {
        let mut file = OpenOptions::new().append(true).open(growing).unwrap();
        let rest = format!("{}\n{}\n", result("1", false), text("done"));
        let (first, second) = rest.split_at(40);
        for part in [first, second] {
            thread::sleep(Duration::from_millis(30));
            file.write_all(part.as_bytes()).unwrap();
        }
    });
    let wants_more = |tool_calls: &ToolCalls| !tool_calls.ends_with("done");
    let tool_calls = read_tool_calls(
        &path,
        forms::ALL,
        Detail::Files,
        limits(Duration::from_secs(20)),
        wants_more,
    )
    .unwrap();
    writer.join().unwrap();
    assert_eq!(kinds(&tool_calls), [(Kind::Write, Outcome::Ok)]);
    assert!(tool_calls.is_whole);
}

#[test]
fn waiting_and_reading_have_their_ends() {
    let begun = Instant::now();
    let (folder, path) = file(&[write("1", "/a")]);
    let waited = read_tool_calls(
        &path,
        forms::ALL,
        Detail::Files,
        limits(Duration::from_millis(50)),
        |_| true,
    )
    .unwrap();
    assert_eq!(waited.calls.len(), 1);
    let missing = folder.path().join("missing");
    let missing = read_tool_calls(
        &missing,
        forms::ALL,
        Detail::Files,
        limits(Duration::from_millis(50)),
        |_| true,
    );
    assert!(matches!(missing, Err(TranscriptError::Missing { .. })));
    let folder = read_tool_calls(
        folder.path(),
        forms::ALL,
        Detail::Files,
        limits(Duration::from_mins(1)),
        |_| true,
    );
    assert!(matches!(folder, Err(TranscriptError::NotAFile { .. })));
    let late = ReadLimits {
        wait: Duration::from_mins(1),
        deadline: begun,
    };
    assert!(
        !read_tool_calls(&path, forms::ALL, Detail::Files, late, |_| true)
            .unwrap()
            .is_whole
    );
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[cfg(unix)]
#[test]
fn a_pipe_is_an_error_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let opened = read_tool_calls(
        &pipe,
        forms::ALL,
        Detail::Files,
        limits(Duration::from_mins(1)),
        |_| true,
    );
    assert!(matches!(opened, Err(TranscriptError::NotAFile { .. })));
}
