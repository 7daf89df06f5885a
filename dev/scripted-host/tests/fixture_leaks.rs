//! Nothing of a machine, of a session or of the host's own prompts is in the captured fixtures.
//!
//! Looks at the text alone and does not use the sanitiser, whose mistakes it is there to find.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

use std::path::{Path, PathBuf};

use serde_json::Value;

/// Short pieces of what the host tells its model, and of what it sends beside it. Every text that
/// the sanitiser lets through from a prompt is likely to hold one of them.
const FORBIDDEN: [&str; 22] = [
    "You are ",
    "Anthropic",
    "Claude",
    "CLAUDE.md",
    "Co-Authored-By",
    "IMPORTANT:",
    "Your previous response",
    "agent types",
    "agentId: ",
    "api-request",
    "claude.com",
    "deferred tools",
    "file state is current",
    "gitStatus",
    "input_schema",
    "knowledge cutoff",
    "never relative",
    "prompt_snapshot",
    "skill_listing",
    "system-reminder",
    "req_",
    "sk-ant",
];
/// The only absolute paths that may occur.
const FOLDERS: [&str; 2] = ["/home/user/", "/tmp/claude-1000/"];
/// Where absolute paths of a machine begin.
const ROOTS: [&str; 8] = [
    "/Users/", "/etc/", "/home/", "/mnt/", "/opt/", "/root", "/tmp/", "/var/",
];
/// Names and addresses of machines.
const ADDRESSES: [&str; 4] = ["://", "127.0.0.1", "localhost", "[::1]"];
const UUID: &str = "00000000-0000-4000-8000-";
const AGENT: &str = "a00000000000000";

/// What must not be in a text, as a sentence for each.
fn leaks(text: &str) -> Vec<String> {
    let mut found: Vec<_> = FORBIDDEN
        .iter()
        .chain(&ADDRESSES)
        .filter(|phrase| text.contains(*phrase))
        .map(|phrase| format!("the phrase {phrase:?}"))
        .collect();
    for root in ROOTS {
        for (at, _) in text.match_indices(root) {
            // A folder inside a path that is allowed is no beginning of one.
            let inside = text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-');
            let rest = &text[at..];
            if !inside && !FOLDERS.iter().any(|folder| rest.starts_with(folder)) {
                found.push(format!("the path {}", head(rest)));
            }
        }
    }
    for word in text.split(|c: char| !c.is_ascii_hexdigit() && c != '-') {
        let plain = word.trim_matches('-');
        if is_uuid(plain) && !plain.starts_with(UUID) {
            found.push(format!("the UUID {plain}"));
        }
    }
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        if is_agent(word) && !word.starts_with(AGENT) {
            found.push(format!("the agent {word}"));
        }
    }
    found
}

fn head(text: &str) -> String {
    text.chars().take(30).collect()
}

fn is_uuid(text: &str) -> bool {
    let lengths = text.split('-').map(str::len);
    text.len() == UUID.len() + 12 && lengths.eq([8, 4, 4, 4, 12])
}

fn is_agent(text: &str) -> bool {
    text.len() == 17 && text.starts_with('a') && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Every text in the value, names of fields included.
fn texts<'v>(value: &'v Value, into: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => into.push(text),
        Value::Array(items) => items.iter().for_each(|item| texts(item, into)),
        Value::Object(fields) => {
            for (name, field) in fields {
                into.push(name);
                texts(field, into);
            }
        }
        _ => {}
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// A `.json` file is one value, a `.jsonl` file one on each line; there are no others.
fn values(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    let read = |text: &str| serde_json::from_str(text).map_err(|error| (path.to_owned(), error));
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("json") => vec![read(&text).unwrap()],
        Some("jsonl") => text.lines().map(|line| read(line).unwrap()).collect(),
        _ => panic!("{}: neither a payload nor a transcript", path.display()),
    }
}

#[test]
fn every_fixture_is_json_and_leaks_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/claude-code");
    let paths = files(&folder);
    assert_ne!(paths.len(), 0);
    for path in paths {
        let values = values(&path);
        assert!(!values.is_empty(), "{}", path.display());
        let mut found = Vec::new();
        for value in &values {
            texts(value, &mut found);
        }
        let leaks: Vec<_> = found.into_iter().flat_map(leaks).collect();
        assert!(leaks.is_empty(), "{}: {leaks:?}", path.display());
    }
}

#[test]
fn what_capturing_could_let_through_is_found() {
    for text in [
        "71fe0e5c-b90a-4a8c-bc57-2ede8b16a725",
        "-71fe0e5c-b90a-4a8c-bc57-2ede8b16a725.jsonl",
        "agent-a5cad8fd22650cc15.jsonl",
        "in /tmp/scriptedX1/project",
        "\"/home/somebody/project\"",
        "/Users/somebody",
        "/tmp/claude-0/x",
        "http://example.org",
        "127.0.0.1:41559",
        "You are a helper",
        "<system-reminder>",
        "req_011CSx",
    ] {
        assert!(!leaks(text).is_empty(), "{text}");
    }
}

#[test]
fn what_the_fixtures_are_made_of_is_let_through() {
    for text in [
        "/home/user/project/.claude/worktrees/agent-a0000000000000001",
        "/home/user/.claude/projects/-home-user-project/00000000-0000-4000-8000-000000000001.jsonl",
        "/tmp/claude-1000/-home-user-project/tasks/a0000000000000012.output",
        "Status: DONE\nfiles_changed: src/home/tmp/a.txt",
        "claude-sonnet-5-5",
    ] {
        assert_eq!(leaks(text), [""; 0], "{text}");
    }
}
