//! What real hosts wrote, in fixtures/.

use std::fs;
use std::path::{Path, PathBuf};

use super::{audit, listed};
use crate::common::TestContext;

/// The transcripts of a host: those of its newest version.
fn captured(host: &str, version: &str) -> Vec<PathBuf> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let mut found = Vec::new();
    for scenario in fs::read_dir(top.join(host).join(version)).unwrap() {
        for file in fs::read_dir(scenario.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|it| it == "jsonl") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Puts a transcript where its host keeps one, with the repository in place of the one that it was captured in.
fn put(context: &TestContext, root: &Path, host: &str, number: usize, captured: &Path) -> PathBuf {
    let text = fs::read_to_string(captured).unwrap();
    let mut text = text.replace("/home/user/project", root.to_str().unwrap());
    let home = context.home();
    // What names the folder is left out of the captured ones.
    let begin =
        serde_json::json!({"type": "session_start", "id": format!("s{number}"), "cwd": root});
    let context_of = serde_json::json!({"type": "session.start",
        "data": {"sessionId": format!("s{number}"), "context": {"cwd": root}}});
    let place = match host {
        "claude-code" => {
            text = text.replace(
                "\"sessionId\":\"00000000",
                &format!("\"sessionId\":\"{number:08}"),
            );
            home.join(format!(
                ".claude/projects/-p/s{number}/subagents/agent-a.jsonl"
            ))
        }
        "copilot" => {
            text = format!("{context_of}\n{text}");
            home.join(format!(".copilot/session-state/s{number}/events.jsonl"))
        }
        "droid" => {
            text = format!("{begin}\n{text}");
            home.join(format!(".factory/sessions/-p/s{number}.jsonl"))
        }
        _ => home.join(format!(".gemini/tmp/p/chats/session-{number}.jsonl")),
    };
    fs::create_dir_all(place.parent().unwrap()).unwrap();
    if host == "gemini" {
        fs::write(
            home.join(".gemini/tmp/p/.project_root"),
            root.to_str().unwrap(),
        )
        .unwrap();
    }
    fs::write(&place, text).unwrap();
    place
}

/// Each in a home of its own: the same file is claimed in most of them.
#[test]
fn captured_sessions_are_read_as_they_are() {
    let mut found = Vec::new();
    for (host, version) in [
        ("claude-code", "2.1.170"),
        ("claude-code", "2.1.329"),
        ("copilot", "1.0.102"),
        ("droid", "0.215.0"),
        ("gemini", "0.61.0"),
    ] {
        for (number, path) in captured(host, version).iter().enumerate() {
            let context = TestContext::new();
            let root = context.repository("project", &[("start.py", "x\n")]);
            let place = put(&context, &root, host, number, path);
            let said = audit(&context, &["--since", "2025-01-01"]);
            let name = path
                .parent()
                .unwrap()
                .file_name()
                .unwrap()
                .to_str()
                .unwrap();
            let missing = listed(&said["not_found"])
                .remove(&place)
                .unwrap_or_default();
            let doubtful = listed(&said["doubtful"]).remove(&place).unwrap_or_default();
            found.push(format!(
                "{host} {version} {name}: {} reports, {} with a claim, not found {missing:?}, doubtful {doubtful:?}",
                said["reports"], said["claims"]
            ));
        }
    }
    insta::assert_snapshot!(found.join("\n"));
}
