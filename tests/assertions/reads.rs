//! Files that a report says were read, checked against the agent's transcript.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, Stop};
use crate::common::scene::{Scene, settle};

const FILES: &[(&str, &str)] = &[
    ("src/a.py", "def parse(text):\n    return text.split()\n"),
    ("src/b.py", "def join(parts):\n    return ' '.join(parts)\n"),
    ("docs/guide.md", "The parser takes a text.\n"),
];
const REPORT: &str = "Looks good.\n\nStatus: DONE\nFiles reviewed: src/a.py\n";
const TOLD: &str = "NOT_OPENED: \"src/a.py\": no tool call of the agent opened or searched it";

/// The transcript of an agent: what it was told, then its calls, each with what came of it.
struct Story {
    prompt: &'static str,
    before: Vec<Value>,
    calls: Vec<(&'static str, Value, &'static str)>,
    ends: bool,
}

impl Story {
    fn of(calls: &[(&'static str, Value)]) -> Self {
        Self {
            prompt: "Review src/a.py and report.",
            before: Vec::new(),
            calls: calls
                .iter()
                .map(|(tool, input)| (*tool, input.clone(), "done"))
                .collect(),
            ends: true,
        }
    }

    fn lines(&self, report: &str) -> Vec<Value> {
        let mut lines = self.before.clone();
        lines.push(json!({"type": "user", "message": {"role": "user", "content": self.prompt}}));
        for (number, (tool, input, result)) in self.calls.iter().enumerate() {
            let id = format!("t{number}");
            let call = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
            let result = json!({"type": "tool_result", "tool_use_id": id, "content": result});
            lines.push(json!({"type": "assistant", "message": {"id": id, "stop_reason": "tool_use", "content": [call]}}));
            lines.push(json!({"type": "user", "message": {"role": "user", "content": [result]}}));
        }
        if self.ends {
            let text = json!({"type": "text", "text": report.trim()});
            lines.push(json!({"type": "assistant", "message": {"id": "end", "stop_reason": "end_turn", "content": [text]}}));
        }
        lines
    }

    fn write(&self, scene: &Scene, report: &str) -> PathBuf {
        let path = scene.path("transcript.jsonl");
        let lines = self.lines(report);
        let repo = scene.repo.to_str().unwrap().replace('\\', "/");
        let lines: Vec<_> = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&path, lines.concat().replace("/work/repo", &repo)).unwrap();
        path
    }
}

fn stop_of(kind: &str, report: &str, files: &[(&str, &str)], story: &Story) -> Stop {
    let mut context = TestContext::enforcing();
    context.set("ATTEST_STRICT", "all");
    let scene = Scene::of(context, files);
    settle();
    let mut agent = Agent::new("agent", &scene.repo);
    kind.clone_into(&mut agent.kind);
    agent.start(&scene.context);
    let path = story.write(&scene, report);
    let fields = json!({"agent_transcript_path": path});
    let stop = agent.stop_with(&scene.context, report, &fields);
    assert!(stop.block().is_none(), "{stop:#?}");
    stop
}

fn stop(report: &str, story: &Story) -> Stop {
    stop_of("general-purpose", report, FILES, story)
}

#[track_caller]
fn silent(report: &str, story: &Story) {
    let stop = stop(report, story);
    assert!(!stop.0.stderr.contains("NOT_OPENED"), "{stop:#?}");
    assert!(!stop.0.stderr.contains("WARN"), "{stop:#?}");
}

fn read(file: &str) -> (&'static str, Value) {
    ("Read", json!({"file_path": format!("/work/repo/{file}")}))
}

#[test]
fn who_reviews_what_was_never_opened_is_told_of() {
    let report = "Status: DONE\nFiles reviewed: src/a.py, src/b.py\n";
    let stop = stop(report, &Story::of(&[read("src/b.py")]));
    assert!(stop.0.stderr.contains(TOLD), "{stop:#?}");
    assert!(
        stop.0.stderr.contains("FILE_READ: \"src/b.py\""),
        "{stop:#?}"
    );
    silent(report, &Story::of(&[read("src/b.py"), read("src/a.py")]));
}

#[test]
fn a_file_of_the_same_name_elsewhere_bears_nothing_out() {
    let elsewhere = ("Read", json!({"file_path": "/elsewhere/src/a.py"}));
    let read_it = |call| stop(REPORT, &Story::of(&[call])).0.stderr;
    assert!(!read_it(elsewhere).contains("FILE_READ"));
    assert!(read_it(read("src/a.py")).contains("FILE_READ"));
}

#[test]
fn an_agent_without_calls_is_told_of() {
    let stop = stop(REPORT, &Story::of(&[]));
    let words = "NOT_OPENED: \"src/a.py\": the agent made no tool call at all";
    assert!(stop.0.stderr.contains(words), "{stop:#?}");
}

#[test]
fn a_file_may_be_read_in_many_ways() {
    for (tool, input) in [
        ("Read", json!({"file_path": "src/a.py"})),
        ("Edit", json!({"file_path": "/work/repo/src/a.py"})),
        ("Grep", json!({"pattern": "parse", "path": "src"})),
        ("Grep", json!({"pattern": "parse"})),
        ("Bash", json!({"command": "cat src/a.py"})),
        ("Agent", json!({"prompt": "look at the parser"})),
        ("Task", json!({"prompt": "look at the parser"})),
        ("mcp__files__read_text", json!({"path": "src/a.py"})),
        ("TaskOutput", json!({"task_id": "1"})),
        ("Frobnicate", json!({})),
        ("Read", json!({"file_path": "/elsewhere/link/a.py"})),
    ] {
        silent(REPORT, &Story::of(&[read("src/b.py"), (tool, input)]));
    }
}

#[test]
fn notes_and_other_files_show_nothing() {
    let calls = [
        (
            "TodoWrite",
            json!({"todos": [{"content": "read src/a.py"}]}),
        ),
        read("src/b.py"),
    ];
    let stop = stop(REPORT, &Story::of(&calls));
    assert!(stop.0.stderr.contains(TOLD), "{stop:#?}");
}

#[test]
fn who_was_given_a_file_need_not_open_it() {
    let in_prompt = Story {
        prompt: "Review src/a.py:\n\ndef parse(text):\n    return text.split()\n",
        ..Story::of(&[read("src/b.py")])
    };
    silent(REPORT, &in_prompt);
    let attached = json!({"type": "attachment", "attachment": {"type": "file", "filename": "/work/repo/src/a.py"}});
    for before in [
        attached,
        json!({"type": "user", "isCompactSummary": true, "message": {"content": "So far."}}),
    ] {
        let story = Story {
            before: vec![before],
            ..Story::of(&[read("src/b.py")])
        };
        silent(REPORT, &story);
    }
    let listed = |names: &'static str| Story {
        calls: vec![("Glob", json!({"pattern": "src/*"}), names)],
        ..Story::of(&[])
    };
    silent(REPORT, &listed("src/a.py\nsrc/b.py"));
    let other = stop(REPORT, &listed("src/b.py"));
    assert!(other.0.stderr.contains(TOLD), "{other:#?}");
    let fork = stop_of("fork", REPORT, FILES, &Story::of(&[]));
    assert!(!fork.0.stderr.contains("NOT_OPENED"), "{fork:#?}");
}

#[test]
fn what_the_instructions_hold_is_known() {
    let report = "Status: DONE\nFiles read: docs/guide.md, AGENTS.md\n";
    let story = Story::of(&[read("src/b.py")]);
    let files = |text: &'static str| [FILES, &[("AGENTS.md", text)]].concat();
    let named = stop_of(
        "worker",
        report,
        &files("Follow @docs/guide.md in all you do.\n"),
        &story,
    );
    assert!(!named.0.stderr.contains("NOT_OPENED"), "{named:#?}");
    let other = stop_of(
        "worker",
        report,
        &files("Write short functions in all you do.\n"),
        &story,
    );
    assert!(
        other.0.stderr.contains("NOT_OPENED: \"docs/guide.md\""),
        "{other:#?}"
    );
    assert!(
        !other.0.stderr.contains("NOT_OPENED: \"AGENTS.md\""),
        "{other:#?}"
    );
}

#[test]
fn instructions_that_cannot_be_read_may_hold_anything() {
    let report = "Status: DONE\nFiles read: docs/guide.md\n";
    let of = |text: &str| {
        let files = [FILES, &[("AGENTS.md", text)]].concat();
        let story = Story::of(&[read("src/b.py")]);
        let stop = stop_of("worker", report, &files, &story);
        stop.0.stderr.contains("NOT_OPENED")
    };
    let line = "Write short functions in all you do.\n";
    assert!(of(line));
    assert!(!of(&line.repeat(30_000)), "it is too long to be read");
}

/// The last lines may still be to come, and one may have held the call.
#[test]
fn a_transcript_without_its_end_says_nothing() {
    let story = Story {
        ends: false,
        ..Story::of(&[read("src/b.py")])
    };
    silent(REPORT, &story);
}

#[test]
fn only_a_list_of_files_of_the_tree_says_that_they_were_read() {
    for report in [
        "Status: DONE\nReviewed: the diff of src/a.py\n",
        "Status: DONE\nVerified: all tests pass\n",
        "Status: DONE\nFiles reviewed: src/gone.py\n",
        "Status: DONE\nFiles reviewed: src/a.py (not opened)\n",
        "Status: DONE\nReviewed src/a.py.\n",
        "Files reviewed: src/a.py\n",
    ] {
        silent(report, &Story::of(&[read("src/b.py")]));
    }
}
