use std::time::Instant;

use attest_evidence::Budget;
use attest_json::Object;
use serde_json::{Value, json};

use super::*;
use crate::{Whose, forms};

fn read(lines: &[Value]) -> Session {
    let file = tempfile::NamedTempFile::new().unwrap();
    let lines: Vec<_> = lines.iter().map(Value::to_string).collect();
    let text = lines.join("\n") + "\n";
    std::fs::write(file.path(), text).unwrap();
    let budget = Budget::default();
    let look = &mut |line: &Object<'_>| {
        if line.is_true("isSidechain") {
            Whose::Others
        } else {
            Whose::Own
        }
    };
    Session::read(file.path(), forms::ALL, &budget, look).unwrap()
}

fn said(text: &str) -> Value {
    json!({"type": "assistant", "timestamp": "t", "message": {"id": text, "stop_reason": "end_turn",
        "content": [{"type": "text", "text": text}]}})
}

fn prompt(text: &str) -> Value {
    json!({"type": "user", "message": {"content": text}})
}

fn call(id: &str, tool: &str, input: &Value) -> Value {
    json!({"type": "assistant", "message": {"id": format!("m{id}"), "content": [
        {"type": "tool_use", "id": id, "name": tool, "input": input}]}})
}

fn result(id: &str, is_error: bool) -> Value {
    json!({"type": "user", "message": {"content": [
        {"type": "tool_result", "tool_use_id": id, "content": "x", "is_error": is_error}]}})
}

fn texts(kept: &Session) -> Vec<(&str, u64)> {
    let said = kept.final_messages();
    said.map(|it| (it.text.as_str(), it.line)).collect()
}

#[test]
fn what_was_said_last_before_a_prompt_or_at_the_end_is_a_report() {
    let kept = read(&[
        prompt("go"),
        said("I begin. DONE soon."),
        said("First DONE"),
        prompt("more"),
        said("No claim"),
        prompt("more"),
        said("Last DONE"),
    ]);
    let expected = [("First DONE", 3), ("No claim", 5), ("Last DONE", 7)];
    assert_eq!(texts(&kept), expected);
    let mut times = kept.final_messages().map(|it| it.at.as_deref());
    assert!(times.all(|at| at == Some("t")));
    assert_eq!((kept.unseen(), kept.tool_calls.complete()), (None, Ok(())));
}

#[test]
fn what_is_followed_by_a_call_or_sent_back_is_no_report() {
    let back = json!({"type": "user", "isMeta": true,
        "message": {"content": "Stop hook feedback:\nno"}});
    let kept = read(&[
        prompt("go"),
        said("DONE?"),
        call("a", "Read", &json!({"file_path": "/w/a"})),
        result("a", false),
        said("DONE, false"),
        back,
        said("DONE, true"),
    ]);
    assert_eq!(texts(&kept), [("DONE, true", 7)]);
}

#[test]
fn text_before_a_call_of_the_same_reply_is_no_report() {
    let mut text = said("DONE?");
    text["message"]["id"] = json!("ma");
    text["message"]["stop_reason"] = json!("tool_use");
    let kept = read(&[text, call("a", "Read", &json!({})), prompt("stop")]);
    assert_eq!(texts(&kept), []);
}

#[test]
fn files_that_a_tool_refused_to_write_were_not_written() {
    let kept = read(&[
        call("a", "Write", &json!({"file_path": "/w/a"})),
        result("a", false),
        call("b", "Edit", &json!({"file_path": "/w/b"})),
        result("b", true),
        call("c", "Write", &json!({"file_path": "/w/c"})),
        call("d", "mcp__fs__write_file", &json!({"path": "/w/d"})),
        result("d", true),
    ]);
    let touched: Vec<_> = kept.touched().collect();
    assert_eq!(touched, ["/w/a", "/w/c", "/w/d"]);
    assert_eq!(kept.unseen(), None);
}

#[test]
fn what_names_no_place_is_unseen() {
    for (tool, input) in [
        ("Read", json!({"file_path": "/w/a"})),
        ("Bash", json!({"command": "make all"})),
        ("shell", json!({"command": ["bash", "-lc", "ls"]})),
        ("exec_command", json!("{\"cmd\":\"cat a\"}")),
    ] {
        assert_eq!(read(&[call("a", tool, &input)]).unseen(), None, "{tool}");
    }
    for (tool, input, expected) in [
        ("Bash", json!({}), Unseen::Tool("Bash".into())),
        (
            "mcp__x__get",
            json!({}),
            Unseen::Server("mcp__x__get".into()),
        ),
        (
            "Agent",
            json!({"prompt": "go"}),
            Unseen::Tool("Agent".into()),
        ),
        ("exec", json!("const r = 1;"), Unseen::Tool("exec".into())),
    ] {
        let seen = read(&[call("a", tool, &input)]).unseen();
        assert_eq!(seen, Some(expected), "{tool}");
    }
}

#[test]
fn a_summary_hides_only_what_is_not_in_the_file() {
    let summary =
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "Before."}});
    let kept = read(&[summary.clone(), said("DONE")]);
    assert_eq!(kept.unseen(), Some(Unseen::Before));
    assert_eq!(read(&[said("x"), summary, said("DONE")]).unseen(), None);
}

#[test]
fn what_the_person_ran_is_unseen() {
    let ran = prompt("<bash-input>make all</bash-input>");
    assert_eq!(read(&[ran, said("DONE")]).unseen(), Some(Unseen::Person));
    assert_eq!(read(&[prompt("run make all"), said("DONE")]).unseen(), None);
}

#[test]
fn of_others_in_the_same_file_only_their_files_count() {
    let mut report = said("DONE");
    report["isSidechain"] = json!(true);
    let mut write = call("a", "Write", &json!({"file_path": "/w/a"}));
    write["isSidechain"] = json!(true);
    let kept = read(&[write, report]);
    assert_eq!(texts(&kept), []);
    assert_eq!(kept.touched().collect::<Vec<_>>(), ["/w/a"]);
}

#[test]
fn what_cannot_be_read_is_a_gap() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let budget = Budget::default();
    let gap = |text: &str, budget: &Budget| {
        std::fs::write(file.path(), text).unwrap();
        let kept = Session::read(file.path(), forms::ALL, budget, &mut |_| Whose::Own);
        let kept = kept.unwrap();
        kept.tool_calls.complete().unwrap_err().to_string()
    };
    assert!(gap("{}\nnot json\n", &budget).contains("a line is not understood"));
    assert!(gap("{}\n{\"type\":", &budget).contains("its last line has no end"));
    assert!(
        gap("{}\n", &Budget::until(Some(Instant::now()))).contains("would have taken too long")
    );
}
