//! Payloads and transcripts of hosts other than Claude Code; see fixtures/README.md.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use attest_host::{AgentTranscript, Payload, hosts};
use attest_transcript::{ReadLimits, final_message};

const HOSTS: [(&str, &str); 8] = [
    ("codex", "0.169.0"),
    ("qwen", "0.24.4"),
    ("gemini", "0.61.0"),
    ("copilot", "1.0.102"),
    ("droid", "0.215.0"),
    ("openclaw", "2026.9.6"),
    ("opencode", "1.18.33"),
    ("kilo", "7.7.7"),
];

fn folder(host: &str) -> PathBuf {
    let (_, version) = HOSTS.iter().find(|(name, _)| *name == host).unwrap();
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    fixtures.join(host).join(version)
}

fn read(host: &str, file: &str) -> Payload {
    let bytes = fs::read(folder(host).join(file).with_extension("json")).unwrap();
    hosts::named(host).unwrap().parse(&bytes).unwrap()
}

/// Every payload of a folder and of the folders in it.
fn payloads(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            payloads(&path, found);
        } else if path.extension().is_some_and(|end| end == "json") {
            found.push(path);
        }
    }
}

fn sender(entry: &str, path: &Path) -> &'static str {
    let named = hosts::named(entry).unwrap();
    let received = hosts::receive(named, &fs::read(path).unwrap());
    received.unwrap().0.name()
}

#[test]
fn no_payload_is_taken_for_that_of_a_host_that_did_not_send_it() {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    for host in hosts::ALL {
        let mut found = Vec::new();
        let folder = fixtures.join(host.name());
        if folder.is_dir() {
            payloads(&folder, &mut found);
            assert!(found.len() >= 4, "{}", host.name());
        }
        for path in found {
            assert_eq!(
                sender(host.name(), &path),
                host.name(),
                "{}",
                path.display()
            );
            // An entry for Claude Code that it runs is at worst read as Claude Code's.
            let other = sender("claude-code", &path);
            assert!(
                other == host.name() || other == "claude-code",
                "{}: {other}",
                path.display()
            );
        }
    }
}

#[test]
fn a_host_that_runs_the_entries_of_claude_code_is_known_by_what_begins_and_ends() {
    for (host, files) in [
        (
            "copilot",
            &[
                "root/claude-Stop-1",
                "subagent/claude-SubagentStart",
                "subagent/claude-SubagentStop-1",
            ][..],
        ),
        (
            "codex",
            &[
                "root/UserPromptSubmit",
                "root/Stop-1",
                "subagent/SubagentStart",
                "subagent/SubagentStop-1",
            ],
        ),
        ("droid", &["root/Stop-1"]),
        ("gemini", &["root/BeforeAgent-1", "root/AfterAgent-1"]),
    ] {
        for file in files {
            let path = folder(host).join(file).with_extension("json");
            assert_eq!(sender("claude-code", &path), host, "{file}");
        }
    }
}

#[test]
fn a_subagent_has_one_key_from_its_start_to_its_last_stop() {
    for (host, start, stops) in [
        (
            "codex",
            "SubagentStart",
            ["SubagentStop-1", "SubagentStop-2"],
        ),
        (
            "qwen",
            "SubagentStart",
            ["SubagentStop-1", "SubagentStop-2"],
        ),
        (
            "copilot",
            "subagentStart",
            ["subagentStop-1", "subagentStop-2"],
        ),
        (
            "copilot",
            "claude-SubagentStart",
            ["claude-SubagentStop-1", "claude-SubagentStop-2"],
        ),
    ] {
        let start = read(host, &format!("subagent/{start}"));
        let [first, second] = stops.map(|stop| read(host, &format!("subagent/{stop}")));
        assert!(
            start.agent_id.is_some() && start.session_id.is_some(),
            "{host}"
        );
        assert!(start.cwd.is_some(), "{host}");
        for stop in [&first, &second] {
            assert_eq!(start.agent_id, stop.agent_id, "{host}");
            assert_eq!(start.session_id, stop.session_id, "{host}");
            assert!(
                stop.message.as_ref().unwrap().contains("ghost.py"),
                "{host}"
            );
        }
        let active = [first, second].map(|stop| stop.stop_hook_active);
        assert_eq!(active, [false, true], "{host}");
    }
}

#[test]
fn the_transcript_of_a_codex_subagent_is_its_own_at_both_ends() {
    let start = read("codex", "subagent/SubagentStart").agent_transcript;
    let stop = read("codex", "subagent/SubagentStop-1");
    assert!(matches!(start, AgentTranscript::Named(_)));
    assert_eq!(start, stop.agent_transcript);
    assert_ne!(start, AgentTranscript::Named(stop.transcript_path.unwrap()));
}

#[test]
fn a_turn_that_was_sent_back_keeps_its_id() {
    for (host, prompts) in [
        ("codex", &["root/UserPromptSubmit"][..]),
        (
            "qwen",
            &["root/UserPromptSubmit-1", "root/UserPromptSubmit-2"],
        ),
    ] {
        let [first, second] = ["1", "2"].map(|n| read(host, &format!("root/Stop-{n}")));
        assert!(first.turn_id.is_some(), "{host}");
        assert_eq!(first.turn_id, second.turn_id, "{host}");
        for prompt in prompts {
            let prompt = read(host, prompt);
            assert!(
                prompt.prompt.is_some() && prompt.turn_id == first.turn_id,
                "{host}"
            );
        }
    }
}

#[test]
fn our_own_reason_comes_as_a_prompt() {
    for (host, prompt) in [
        ("qwen", "root/UserPromptSubmit-2"),
        ("gemini", "root/BeforeAgent-2"),
        ("copilot", "root/userPromptSubmitted-2"),
    ] {
        assert_eq!(
            read(host, prompt).prompt.as_deref(),
            Some("BLOCKREASON"),
            "{host}"
        );
    }
}

#[test]
fn what_gemini_sends_at_the_end_is_all_that_was_said() {
    let message = read("gemini", "root/AfterAgent-2").message.unwrap();
    assert_eq!(message.matches("Status: DONE").count(), 2);
}

/// Within a subagent, the stop of the main agent fires too.
#[test]
fn a_stop_within_a_copilot_subagent_names_the_subagent() {
    for stop in [
        "agentStop-1",
        "agentStop-2",
        "claude-Stop-1",
        "claude-Stop-2",
    ] {
        assert!(
            read("copilot", &format!("subagent/{stop}"))
                .agent_id
                .is_some()
        );
    }
    for stop in ["agentStop-3", "claude-Stop-3"] {
        assert_eq!(read("copilot", &format!("subagent/{stop}")).agent_id, None);
    }
}

/// What is in a line of a transcript that is a reply, by host.
const REPLIES: [&str; 3] = [
    "\"assistant.message\"",
    "\"role\": \"assistant\"",
    "\"type\": \"gemini\"",
];

/// Cut behind the line of each reply, as it is when the stop comes.
fn message_when(host: &str, file: &str, replies: usize) -> Option<String> {
    let text = fs::read_to_string(folder(host).join(file)).unwrap();
    let mut seen = 0;
    let is_reply = |line: &str| REPLIES.iter().any(|reply| line.contains(reply));
    let cut: String = text
        .split_inclusive('\n')
        .take_while(|line| {
            let goes_on = seen < replies;
            seen += usize::from(is_reply(line));
            goes_on
        })
        .collect();
    let name = format!("attest-{host}-{replies}-{}.jsonl", std::process::id());
    let path = std::env::temp_dir().join(name);
    fs::write(&path, cut).unwrap();
    let forms = hosts::named(host).unwrap().profile().transcripts;
    let message = final_message(&path, forms, at_once(), &|_| false).unwrap();
    fs::remove_file(path).unwrap();
    message
}

fn at_once() -> ReadLimits {
    ReadLimits {
        wait: Duration::ZERO,
        deadline: Instant::now() + Duration::from_mins(1),
    }
}

#[test]
fn the_message_of_a_stop_without_one_is_the_last_in_the_transcript() {
    let first = "All done.\n\nStatus: DONE\nFiles changed: ghost.py";
    let again = "All done again.\n\nStatus: DONE\nFiles changed: ghost.py";
    for host in ["copilot", "droid", "gemini"] {
        let file = "root/transcript-1.jsonl";
        assert_eq!(
            message_when(host, file, 1).as_deref(),
            Some(first),
            "{host}"
        );
        assert_eq!(
            message_when(host, file, 2).as_deref(),
            Some(again),
            "{host}"
        );
    }
    // The events of a subagent stand between those of the main agent.
    let file = "subagent/transcript-1.jsonl";
    assert_eq!(
        message_when("copilot", file, usize::MAX).as_deref(),
        Some("The worker is done.")
    );
}

#[test]
fn what_was_said_before_it_was_sent_back_is_not_the_message() {
    for host in ["copilot", "droid", "gemini"] {
        let path = folder(host).join("root/transcript-1.jsonl");
        let text = fs::read_to_string(path).unwrap();
        let until_reason: Vec<_> = text
            .lines()
            .take_while(|line| !line.contains("done again"))
            .collect();
        assert!(until_reason.last().unwrap().contains("BLOCKREASON"));
        let name = format!("attest-{host}-reason-{}.jsonl", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, until_reason.join("\n") + "\n").unwrap();
        let forms = hosts::named(host).unwrap().profile().transcripts;
        let message = final_message(&path, forms, at_once(), &|_| false).unwrap();
        fs::remove_file(path).unwrap();
        assert_eq!(message, None, "{host}");
    }
}

/// The host puts words of its own before our reason, and does not say that a hook sent the agent back.
#[test]
fn a_run_of_openclaw_is_one_turn_also_when_it_was_sent_back() {
    let read = |name: &str| read("openclaw", &format!("turn/{name}"));
    let [prompt, again] = ["before_prompt_build-1", "before_prompt_build-2"].map(read);
    let stops = ["before_agent_finalize-1", "before_agent_finalize-2"].map(read);
    assert!(prompt.turn_id.is_some() && prompt.cwd.is_some());
    for payload in [&again, &stops[0], &stops[1]] {
        assert_eq!(payload.turn_id, prompt.turn_id);
        assert_eq!(payload.session_id, prompt.session_id);
        assert_eq!(payload.agent_id, None);
    }
    assert!(again.prompt.unwrap().ends_with("\n\nBLOCKREASON"));
    assert!(
        stops
            .iter()
            .all(|stop| stop.message.is_some() && !stop.stop_hook_active)
    );
}

#[test]
fn a_subagent_of_opencode_or_kilo_is_one_agent_of_its_parents_session() {
    is_one_agent("opencode");
    is_one_agent("kilo");
}

fn is_one_agent(host: &str) {
    let read = |name: &str| read(host, &format!("subagent/{name}"));
    let [root, start, again] =
        ["1", "2", "3"].map(|number| read(&format!("chat-message-{number}")));
    let [first, second, told] =
        ["1", "2", "3"].map(|number| read(&format!("tool-execute-after-{number}")));
    assert_eq!(root.agent_id, None);
    assert!(start.agent_id.is_some());
    for payload in [&again, &first, &second] {
        assert_eq!(payload.agent_id, start.agent_id);
        assert_eq!(payload.agent_type.as_deref(), Some("general"));
        assert_eq!(payload.session_id, root.session_id);
    }
    assert_eq!(
        (first.stop_hook_active, second.stop_hook_active),
        (false, true)
    );
    assert_eq!(told.reported, [start.agent_id.unwrap()]);
    assert_eq!(read("session-idle").agent_id, None);
}
