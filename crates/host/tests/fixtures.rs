//! Payloads that real hosts sent; see fixtures/README.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};

use attest_host::{AgentTranscript, Payload, hosts};

fn versions() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude-code");
    let versions = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let versions: Vec<_> = versions.filter(|path| path.is_dir()).collect();
    assert!(versions.len() >= 2);
    versions
}

fn read(path: &Path) -> Payload {
    hosts::usual().parse(&fs::read(path).unwrap()).unwrap()
}

#[test]
fn every_start_and_stop_names_its_agent_and_its_folder() {
    let mut count = 0;
    for version in versions() {
        for scenario in fs::read_dir(version).unwrap() {
            for file in fs::read_dir(scenario.unwrap().path()).unwrap() {
                let path = file.unwrap().path();
                let name = path.file_name().unwrap().to_str().unwrap();
                if !name.starts_with("Subagent") {
                    continue;
                }
                count += 1;
                let payload = read(&path);
                let event = payload.event.as_deref().unwrap();
                assert!(name.starts_with(event), "{}", path.display());
                assert!(payload.session_id.is_some() && payload.agent_id.is_some());
                assert_eq!(payload.agent_type.as_deref(), Some("general-purpose"));
                assert!(payload.cwd.unwrap().starts_with("/home/user"));
                let is_stop = event == "SubagentStop";
                let has_transcript = matches!(payload.agent_transcript, AgentTranscript::Named(_));
                assert_eq!(has_transcript, is_stop, "{}", path.display());
            }
        }
    }
    assert!(count >= 20, "{count}");
}

#[test]
fn a_stop_after_a_block_is_the_same_agents() {
    for version in versions() {
        let [start, first, second] = ["SubagentStart", "SubagentStop-1", "SubagentStop-2"]
            .map(|name| read(&version.join("blocked").join(name).with_extension("json")));
        assert_eq!(start.agent_id, first.agent_id);
        assert_eq!(first.agent_id, second.agent_id);
        assert_eq!(
            (first.stop_hook_active, second.stop_hook_active),
            (false, true)
        );
        assert!(first.message.unwrap().contains("DONE"));
    }
}

#[test]
fn an_empty_last_message_is_none() {
    for version in versions() {
        assert_eq!(read(&version.join("empty/SubagentStop.json")).message, None);
    }
}

#[test]
fn a_worktree_of_its_own_is_the_agents_folder() {
    for version in versions() {
        for event in ["SubagentStart", "SubagentStop"] {
            let payload = read(&version.join("worktree").join(event).with_extension("json"));
            let cwd = payload.cwd.unwrap();
            assert!(
                cwd.to_str().unwrap().contains("/.claude/worktrees/agent-"),
                "{cwd:?}"
            );
        }
    }
}

#[test]
fn the_transcript_of_a_start_is_the_one_that_its_stop_names() {
    for version in versions() {
        let of = |event: &str| read(&version.join("honest").join(event).with_extension("json"));
        let likely = hosts::usual().likely_transcript(&of("SubagentStart"));
        let named = of("SubagentStop").agent_transcript;
        assert_eq!(named, AgentTranscript::Named(likely.unwrap()));
    }
}

#[test]
fn a_report_is_handed_over_in_the_foreground_or_by_a_notification() {
    let agent = ["a0000000000000001"];
    for version in versions() {
        let reported = |path: &str| read(&version.join(path)).reported;
        assert_eq!(reported("honest/PostToolUse.json"), agent);
        assert_eq!(reported("empty/PostToolUse.json"), agent);
        assert_eq!(reported("background/PostToolUse.json"), [""; 0]);
        assert_eq!(reported("background/UserPromptSubmit-1.json"), [""; 0]);
        assert_eq!(reported("background/UserPromptSubmit-2.json"), agent);
        assert_eq!(reported("background/SubagentStop.json"), [""; 0]);
    }
}

/// The prompt that hands a report over begins a turn of its own.
#[test]
fn a_turn_has_one_id_from_its_prompt_to_its_stop() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude-code/2.1.329");
    let read = |name: &str| read(&folder.join(name).with_extension("json"));
    let [prompt, report] =
        ["1", "2"].map(|number| read(&format!("background/UserPromptSubmit-{number}")));
    let [stop, last] = ["1", "2"].map(|number| read(&format!("background/Stop-{number}")));
    assert!(prompt.prompt.is_some() && prompt.reported.is_empty());
    assert_eq!(report.reported, ["a0000000000000001"]);
    assert!(prompt.turn_id.is_some() && prompt.turn_id != report.turn_id);
    assert_eq!(
        (stop.turn_id, last.turn_id),
        (prompt.turn_id, report.turn_id)
    );
}
