//! A work tree, a clone beside it, and the transcript of the agent that works in them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use attest_state::history::Detail;
use jiff::Timestamp;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::step::Program;
use crate::common::TestContext;
use crate::common::agent::Agent;
use crate::common::scene::{settle, write};

/// The folder of the clone.
const BESIDE: &str = "beside";

/// What every work tree begins with.
const FILES: &[(&str, &str)] = &[
    ("README.md", "# Project\n\nWhat it is, in a few words.\n"),
    ("docs/guide.md", "How it is used, in a few words more.\n"),
    ("src/a.py", "def a():\n    return 1\n"),
    ("src/b.py", "def b():\n    return 2\n"),
    ("src/old.py", "def old():\n    return 0\n"),
    ("tests/test_a.py", "def test_a():\n    assert True\n"),
    (".gitignore", "*.log\n"),
];

/// Work trees that share a home folder and were all there before any agent began.
pub struct Batch {
    context: TestContext,
    state: PathBuf,
    names: std::vec::IntoIter<String>,
}

impl Batch {
    pub fn new(count: u32) -> Self {
        let mut context = TestContext::enforcing();
        context
            .set("ATTEST_STRICT", "all")
            .set("ATTEST_DELIVERABLES", "1");
        let template = context.repository("template", FILES);
        let names: Vec<_> = (0..count).map(|number| format!("r{number}")).collect();
        for name in names.iter().map(String::as_str).chain([BESIDE]) {
            copy_folder(&template, &context.folder().join(name));
        }
        settle();
        let state = context.home().join(".attest/state.db");
        Self {
            context,
            state,
            names: names.into_iter(),
        }
    }

    pub fn next(&mut self) -> Option<World<'_>> {
        let name = self.names.next()?;
        let folder = self.context.folder();
        let repo = folder.join(&name);
        Some(World {
            agent: Agent::new(&name, &repo),
            beside: folder.join(BESIDE),
            transcript: folder.join(format!("{name}.jsonl")),
            context: &self.context,
            state: &self.state,
            repo,
            lines: Vec::new(),
            calls: 0,
            changed: BTreeSet::new(),
            deleted: BTreeSet::new(),
            commits: Vec::new(),
            checks: BTreeMap::new(),
            read: BTreeSet::new(),
            is_clean: true,
        })
    }
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (name, kind) = (entry.file_name(), entry.file_type().unwrap());
        if kind.is_dir() {
            if name != "hooks" {
                copy_folder(&entry.path(), &to.join(name));
            }
        } else {
            fs::copy(entry.path(), to.join(name)).unwrap();
        }
    }
}

/// One session as it is played.
pub struct World<'b> {
    context: &'b TestContext,
    state: &'b Path,
    agent: Agent,
    pub repo: PathBuf,
    /// A clone of it in another folder, in which the agents of the batch work one after the other.
    pub beside: PathBuf,
    transcript: PathBuf,
    lines: Vec<Value>,
    calls: u32,
    /// The files that are there and were changed, in the work tree.
    pub changed: BTreeSet<String>,
    pub deleted: BTreeSet<String>,
    /// The commits that the agent made, wherever, the oldest first.
    pub commits: Vec<String>,
    /// Whether the last run of a program passed.
    pub checks: BTreeMap<Program, bool>,
    pub read: BTreeSet<String>,
    /// Whether nothing is uncommitted.
    pub is_clean: bool,
}

/// How a session ended.
#[derive(Debug)]
pub struct Ended {
    pub report: String,
    pub block: Option<String>,
    pub detail: Detail,
}

impl World<'_> {
    pub fn start(&self) {
        self.agent.start(self.context);
    }

    pub fn stop(&mut self, report: &str) -> Ended {
        self.line(json!({"type": "assistant", "message": {
            "id": "msg_last", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": report}],
        }}));
        let lines: Vec<_> = self.lines.iter().map(Value::to_string).collect();
        fs::write(&self.transcript, lines.join("\n") + "\n").unwrap();
        let fields = json!({"agent_transcript_path": self.transcript});
        let stop = self.agent.stop_with(self.context, report, &fields);
        let state = Connection::open(self.state).unwrap();
        let sql = "SELECT detail FROM verdicts WHERE agent_id = ?1 ORDER BY seq DESC LIMIT 1";
        let detail: String = state
            .query_row(sql, [&self.agent.id], |row| row.get(0))
            .unwrap();
        Ended {
            report: report.to_owned(),
            block: stop.block(),
            detail: serde_json::from_str(&detail).unwrap(),
        }
    }

    /// Writes a line with the time and an id.
    fn line(&mut self, mut line: Value) {
        line["timestamp"] = format!("{:.3}", Timestamp::now()).into();
        line["uuid"] = format!("00000000-0000-4000-8000-{:012}", self.lines.len()).into();
        self.lines.push(line);
    }

    /// A call of a tool with its result.
    pub fn call(&mut self, tool: &str, input: &Value, result: Result<&str, &str>) {
        self.calls += 1;
        let id = format!("toolu_{}", self.calls);
        self.line(json!({"type": "assistant", "message": {
            "id": format!("msg_{id}"), "role": "assistant", "stop_reason": "tool_use",
            "content": [{"type": "tool_use", "id": id, "name": tool, "input": input}],
        }}));
        let (text, is_error) = match result {
            Ok(text) => (text, false),
            Err(text) => (text, true),
        };
        let mut line = json!({"type": "user", "message": {"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": is_error},
        ]}});
        if is_error {
            line["toolUseResult"] = format!("Error: {text}").into();
        }
        self.line(line);
    }

    /// A shell command, with the status that the host sees.
    pub fn bash(&mut self, command: &str, status: u8, output: &str) {
        let input = json!({"command": command, "description": "Run it"});
        if status == 0 {
            self.call("Bash", &input, Ok(output));
        } else {
            let text = format!("Exit code {status}\n{output}");
            self.call("Bash", &input, Err(&text));
        }
    }

    /// Writes a file of the work tree with a tool.
    pub fn write(&mut self, path: &str, text: &str) {
        let file = self.repo.join(path);
        write(&file, text);
        let input = json!({"file_path": file, "content": text});
        self.call("Write", &input, Ok("File created successfully"));
        self.touched(path);
    }

    pub fn touched(&mut self, path: &str) {
        self.is_clean = false;
        self.deleted.remove(path);
        self.changed.insert(path.to_owned());
    }

    pub fn git(&self, folder: &Path, arguments: &[&str]) -> String {
        // Each commit would look whether there is garbage to collect.
        let quick = ["-c", "maintenance.auto=false"];
        let arguments = [&quick, arguments].concat();
        self.context.git(folder, &arguments).stdout
    }

    /// The commit that HEAD of a folder names, by its files: git itself would take longer.
    pub fn head(folder: &Path) -> String {
        let folder = folder.join(".git");
        let head = fs::read_to_string(folder.join("HEAD")).unwrap();
        let name = head.strip_prefix("ref: ").unwrap().trim();
        let commit = fs::read_to_string(folder.join(name)).unwrap();
        commit.trim().to_owned()
    }
}
