mod corpus;

use std::fs;

use attest_evidence::Budget;
use attest_transcript::forms::ClaudeCode;
use attest_transcript::{Session, Whose};
use serde_json::{Value, json};

use super::*;

/// A transcript of these lines, read as the hook reads it.
fn tool_calls(lines: &[String]) -> ToolCalls {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), lines.concat()).unwrap();
    let budget = Budget::default();
    let session = Session::read(file.path(), &[&ClaudeCode], &budget, &mut |_| Whose::Own);
    session.unwrap().tool_calls
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

/// A call and its result.
fn call(id: u32, tool: &str, input: &Value, is_error: bool) -> String {
    let id = format!("t{id}");
    let call = json!({"type": "assistant", "timestamp": "2026-01-01T12:01:02Z", "message": {
        "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}]}});
    let result = json!({"type": "user", "timestamp": "2026-01-01T12:01:03.5Z", "message": {
        "content": [{"type": "tool_result", "tool_use_id": id, "is_error": is_error}]}});
    line(&call) + &line(&result)
}

fn write(id: u32, path: &str) -> String {
    call(id, "Write", &json!({"file_path": path}), false)
}

fn bash(id: u32, command: &str) -> String {
    call(id, "Bash", &json!({"command": command}), false)
}

fn read(id: u32) -> String {
    call(id, "Read", &json!({"file_path": "/repo/a.py"}), false)
}

/// The advice on a report, with all files gone whose name has "ghost" in it.
fn check(lines: &[String], message: &str) -> Vec<String> {
    check_of(true, lines, message)
}

/// The same of an agent that may be able to write, or not.
fn check_of(may_write: bool, lines: &[String], message: &str) -> Vec<String> {
    let claim = attest_claim::parse(message);
    let tool_calls = tool_calls(lines);
    let account = Account {
        message,
        claim: &claim,
        tool_calls: &tool_calls,
        may_write,
    };
    let name = |text: &str| text.trim_start_matches("/repo/").to_owned();
    let lost = account.lost(|path| path.contains("ghost"));
    let advice = account.check(name, &lost);
    advice.iter().map(ToString::to_string).collect()
}

const DONE: &str = "Status: DONE\nFiles changed: a.py";
const NO_WRITE: &str = "the report tells of finished files, and no tool call that writes was made";
const NO_CALL: &str = "the report says that work is done, and the agent made no tool call at all";

#[test]
fn a_report_of_files_without_any_write_is_flagged() {
    for message in [
        DONE,
        "I fixed `src/a.py`.",
        "All done.\n\nFiles changed: a.py",
        "Created the front page, web/front.html",
        "Updated the environment: config/env.toml",
    ] {
        assert_eq!(check(&[read(1)], message), [NO_WRITE], "{message}");
    }
}

#[test]
fn honest_reports_without_a_write_are_not() {
    for message in [
        "Status: DONE\nFiles changed: none",
        "Status: DONE_WITH_CONCERNS\nFiles changed: a.py",
        "Status: BLOCKED\nFiles changed: a.py",
        "Status: DONE\nFiles changed (if approved): a.py",
        "Status: DONE\nFiles changed: a.py (by Alice)",
        "# Code review: PR 12\n\nStatus: DONE\nFiles changed: a.py",
        "Not all tests pass in src/a.py.",
        "The bug in src/a.py fixed itself.",
        "I did not change src/a.py, it was already done.",
        "Files changed: a.py",
        "I reviewed src/a.py and completed the audit of src/b.py.",
        "The module is complete.",
        "See src/a.py.",
        "## Done by Bob\n- Updated `src/a.py`",
        "Created tables: users (`src/a.py`), orders (`src/b.py`).",
    ] {
        assert_eq!(check(&[read(1)], message), [""; 0], "{message}");
    }
}

/// Each beside what is most like it and hides nothing, or may have been written otherwise.
#[test]
fn work_of_which_each_write_failed_is_flagged() {
    let failed = || call(1, "Edit", &json!({"file_path": "/repo/a.py"}), true);
    let told =
        ["the report says that work is done, and each tool call that was to write a file failed"];
    let fixed = "I fixed the retry loop.";
    assert_eq!(check(&[read(0), failed()], fixed), told);
    let done = "I fixed the retry loop.\n\nStatus: DONE";
    assert_eq!(check(&[failed()], done), told);
    for message in [
        "I fixed the retry loop, but the edit failed.",
        "The retry loop was fixed already.",
        "I fixed the wording in the draft below.",
        "I looked at the retry loop.",
        "I fixed the retry loop.\n\nStatus: BLOCKED",
    ] {
        assert_eq!(check(&[failed()], message), [""; 0], "{message}");
    }
    for other in [
        write(2, "/repo/a.py"),
        bash(2, "echo x > a.py"),
        bash(2, "./fix.sh"),
        bash(2, "git status"),
        call(2, "Agent", &json!({"prompt": "go"}), false),
    ] {
        assert_eq!(check(&[failed(), other.clone()], fixed), [""; 0], "{other}");
    }
}

#[test]
fn whatever_may_have_written_makes_it_silent() {
    for call in [
        bash(1, "echo x > a.py"),
        write(1, "/repo/a.py"),
        call(1, "Edit", &json!({"file_path": "/repo/a.py"}), true),
        call(
            1,
            "NotebookEdit",
            &json!({"notebook_path": "/repo/n.ipynb"}),
            false,
        ),
        call(1, "Agent", &json!({"prompt": "go"}), false),
        call(1, "mcp__disk__write", &json!({}), false),
    ] {
        assert_eq!(check(&[read(0), call.clone()], DONE), [""; 0], "{call}");
    }
}

#[test]
fn whatever_may_have_written_is_a_write() {
    let lines = [read(1), write(2, "/repo/a.py"), bash(3, "ls"), read(4)];
    let tools = Tools {
        tool_calls: tool_calls(&lines),
        names: BTreeMap::new(),
        lost: LostWrites::new(),
        warns: true,
        may_write: true,
    };
    let names: Vec<_> = tools.writes().map(|call| call.tool.as_str()).collect();
    assert_eq!(names, ["Write", "Bash"]);
}

#[test]
fn a_write_that_left_nothing_is_flagged() {
    let lines = [bash(1, "ls"), write(2, "/repo/ghost.py"), read(3)];
    assert_eq!(
        check(&lines, "Status: DONE\nFiles changed: a.py"),
        ["\"ghost.py\" was written at 12:01:03 UTC (Write) and is not on disk now"]
    );
    for report in [
        "Status: DONE\nFiles deleted: ghost.py",
        "Status: DONE\nFiles changed: a.py\nghost.py was removed again.",
    ] {
        assert_eq!(check(&lines, report), [""; 0], "{report}");
    }
    let notebook = call(
        1,
        "NotebookEdit",
        &json!({"notebook_path": "/repo/ghost.ipynb"}),
        false,
    );
    let notebook = check(&[notebook], "All done.");
    assert!(
        notebook[0].starts_with("\"ghost.ipynb\" was written at 12:01:03 UTC (NotebookEdit)"),
        "{notebook:?}"
    );
}

#[test]
fn honest_writes_that_left_nothing_are_not() {
    let scratch = [write(1, "/repo/ghost.py"), bash(2, "rm ghost.py")];
    assert_eq!(check(&scratch, DONE), [""; 0], "a scratch file");
    let refused = call(1, "Write", &json!({"file_path": "/repo/ghost.py"}), true);
    let admitted = "Status: BLOCKED\nThe write of ghost.py failed.";
    assert_eq!(
        check(std::slice::from_ref(&refused), admitted),
        [""; 0],
        "admitted"
    );
    assert_eq!(
        check(&[refused], DONE),
        [""; 0],
        "an error is no silent failure"
    );
    assert_eq!(check(&[write(1, "/repo/there.py")], DONE), [""; 0]);
}

#[test]
fn the_status_alone_of_who_only_reads_needs_no_call() {
    for message in [
        "Status: DONE",
        "`load` is clearer.\n\n## Handoff\nStatus: DONE",
        "`load` is clearer.\n\n## Handoff\nStatus: DONE_WITH_CONCERNS",
    ] {
        assert_eq!(check_of(false, &[], message), [""; 0], "{message}");
        assert_eq!(check_of(true, &[], message), [NO_CALL], "{message}");
    }
    for message in [
        DONE,
        "Implemented the parser.\n\nStatus: DONE",
        "I reviewed all modules.\n\nStatus: DONE",
        "Status: DONE\nTests: all pass",
    ] {
        assert_eq!(check_of(false, &[], message), [NO_CALL], "{message}");
    }
}

#[test]
fn a_report_of_work_without_any_call_is_flagged() {
    for message in [
        DONE,
        "Status: DONE",
        "I reviewed all modules and found no flaw in them; done.\nAll tests pass.",
        "Implemented the parser.",
        "Implemented the parser.\n\nStatus: DONE\nFiles changed: none",
        "Status: DONE\nFiles changed: none\nTests: all pass",
    ] {
        assert_eq!(check(&[], message), [NO_CALL], "{message}");
    }
    for message in [
        "4\n\nStatus: DONE\nFiles changed: none",
        "4",
        "Which file do you mean?",
        "Status: NEEDS_CONTEXT",
        "",
        "It was fixed.",
    ] {
        assert_eq!(check(&[], message), [""; 0], "{message}");
    }
}

#[test]
fn an_error_of_the_host_is_no_report() {
    let error = json!({"type": "assistant", "isApiErrorMessage": true, "message": {
        "model": "<synthetic>", "content": [{"type": "text", "text": "API Error: 529"}]}});
    let advice = check(&[write(1, "/repo/a.py"), line(&error)], "API Error: 529");
    assert_eq!(advice.len(), 1);
    assert!(
        advice[0].contains("error message of the host"),
        "{advice:?}"
    );
    let said = json!({"type": "assistant", "message": {
        "content": [{"type": "text", "text": "API Error: 529"}]}});
    assert_eq!(
        check(&[write(1, "/repo/a.py"), line(&said)], "API Error: 529"),
        [""; 0]
    );
}

#[test]
fn a_ledger_with_a_hole_or_without_its_end_is_not_settled() {
    let message = "Status: DONE\nFiles changed: a.py";
    let claim = attest_claim::parse(message);
    let said = line(&json!({"type": "assistant", "message": {
        "content": [{"type": "text", "text": message}]}}));
    let is_settled = |lines: &[String]| {
        let tool_calls = tool_calls(lines);
        let account = Account {
            message,
            claim: &claim,
            tool_calls: &tool_calls,
            may_write: true,
        };
        account.is_settled()
    };
    assert!(is_settled(&[read(1), said.clone()]));
    assert!(!is_settled(&[read(1)]), "the end is still to come");
    assert!(
        !is_settled(&["{\"type\":\"assis\n".to_owned(), said.clone()]),
        "a malformed line"
    );
    assert!(
        !is_settled(&[said.clone(), write(1, "/repo/a.py")]),
        "the report of an earlier run"
    );
}

#[test]
fn a_long_transcript_is_read_to_its_end() {
    let mut lines: Vec<_> = (0..2000).map(read).collect();
    lines.insert(0, write(5000, "/repo/ghost.py"));
    let advice = check(&lines, "Status: DONE\nFiles changed: ghost.py");
    assert!(
        advice[0].starts_with("\"ghost.py\" was written"),
        "{advice:?}"
    );
}

#[test]
fn testimony_tells_a_write_that_was_lost_from_one_that_never_ran() {
    let say = |lines: &[String], settled| {
        Testimonies::of(&tool_calls(lines), settled, str::to_owned).find("ghost.py")
    };
    let text = |lines: &[String]| say(lines, Settled::Yes).unwrap();
    let ghost = write(1, "/repo/ghost.py");
    assert_eq!(
        text(std::slice::from_ref(&ghost)),
        "Write reported success at 12:01:03"
    );
    assert_eq!(
        text(&[ghost.clone(), bash(2, "ls")]),
        "Write reported success at 12:01:03, Bash ran after it"
    );
    // A call that may have written other files did not run after itself.
    let elsewhere = call(
        1,
        "mcp__fs__write_file",
        &json!({"path": "/repo/ghost.py"}),
        false,
    );
    let reported = "mcp__fs__write_file reported success at 12:01:03";
    assert_eq!(text(std::slice::from_ref(&elsewhere)), reported);
    assert_eq!(
        text(&[elsewhere, bash(2, "ls")]),
        format!("{reported}, Bash ran after it")
    );
    let refused = call(1, "Write", &json!({"file_path": "/repo/ghost.py"}), true);
    assert_eq!(text(&[refused]), "Write reported an error at 12:01:03");
    let unanswered = ghost.lines().next().unwrap().to_owned() + "\n";
    assert_eq!(
        text(&[unanswered]),
        "Write was called, without a result, at 12:01:02"
    );
    assert_eq!(
        text(&[read(1), write(2, "/repo/a.py")]),
        "no tool call touched it"
    );
    assert_eq!(
        text(&[bash(1, "ls"), read(2)]),
        "no write tool was called for it, though Bash may have touched it"
    );
    assert_eq!(say(&[read(1)], Settled::No), None);
    assert_eq!(
        say(&[ghost], Settled::No).as_deref(),
        Some("Write reported success at 12:01:03")
    );
}

#[test]
fn a_removal_is_told_as_one() {
    // As a host has it whose tool names the file that it removes.
    let mut calls = tool_calls(&[bash(1, "ls")]);
    let removed = calls.calls.first_mut().unwrap();
    removed.tool = "apply_patch".to_owned();
    removed.path = Some("/repo/ghost.py".to_owned());
    removed.at = None;
    let said = Testimonies::of(&calls, Settled::Yes, str::to_owned).find("ghost.py");
    assert_eq!(said.as_deref(), Some("apply_patch was to remove it"));
}

#[test]
fn a_hostile_transcript_is_quoted_as_data() {
    let tool = format!("Write\u{1b}[31m\n{}", "x".repeat(300));
    let advice = check(
        &[
            write(1, "/repo/ghost\u{1b}[31m\".py"),
            call(2, "Read", &json!({}), false),
        ],
        "All done.",
    );
    assert!(
        !advice[0].contains('\u{1b}') && advice[0].contains("\\\".py"),
        "{advice:?}"
    );
    let tool_calls = tool_calls(&[call(1, &tool, &json!({}), false)]);
    let said = Testimonies::of(&tool_calls, Settled::Yes, str::to_owned);
    let text = said.find("other.py").unwrap();
    assert!(
        !text.contains(['\u{1b}', '\n']) && text.len() < 200,
        "{text:?}"
    );
}

#[test]
fn a_path_is_meant_by_its_end_at_a_separator() {
    assert!(same_file("src/b.py", "b.py") && same_file("b.py", "b.py"));
    assert!(same_file("C:\\src\\b.py", "b.py"));
    assert!(!same_file("src/ab.py", "b.py") && !same_file("b.py", "src/b.py"));
    assert!(!same_file("src/", ""));
}

#[test]
fn a_path_is_found_by_its_end_and_among_many_alike_nothing_is_said() {
    let said = |calls: u32, claimed: &str| {
        let lines: Vec<_> = (0..calls)
            .map(|n| write(n, &format!("/r/d{n}/a.py")))
            .collect();
        let tool_calls = tool_calls(&lines);
        let said = Testimonies::of(&tool_calls, Settled::Yes, str::to_owned);
        said.find(claimed)
    };
    let told = said(3, "d1/a.py").unwrap();
    assert!(told.starts_with("Write reported success"), "{told}");
    assert_eq!(
        said(3, "1/a.py").as_deref(),
        Some("no tool call touched it")
    );
    assert_eq!(said(3, "b.py").as_deref(), Some("no tool call touched it"));
    assert!(said(1_200, "d1199/a.py").is_some());
    assert_eq!(said(1_200, "other/a.py"), None);
}
