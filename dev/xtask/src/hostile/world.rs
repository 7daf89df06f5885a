//! What others write for one stop: the report and the transcript, files, and what a repository holds.

use std::path::Path;

use serde_json::{Value, json};

use super::shapes::{
    Place::{
        self, Answer, Background, Claims, Command, Commit, Deleted, Files, Folders, Kept, Lines,
        Merge, Message, Pack, Prompt, Written,
    },
    Shape,
};

/// What an object in a circle takes in its pack and in the index, in bytes.
const IN_A_CIRCLE: usize = 65;
/// How many files each report names that never were, that were written and are gone, and that are empty, and how many of
/// another agent are taken back: whatever else is read is looked through for each of them.
const NEVER: usize = 200;
const GONE: usize = 100;
const EMPTY: usize = 100;
const TAKEN_BACK: usize = 100;
/// The lines of a long report.
const LINES: usize = 25_000;

/// What others write for one stop.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) message: String,
    /// The lines of the transcript.
    pub(super) lines: Vec<Value>,
    /// Files that were there at the start.
    pub(super) deleted: Vec<String>,
    /// Files that are there at the stop.
    pub(super) files: Vec<(String, String)>,
    /// What a commit has between its tree and its author.
    pub(super) commit: Option<String>,
    /// How many commits of their own a merge has.
    pub(super) parents: usize,
    /// How many objects a pack has that differ from each other in a circle.
    pub(super) circle: u32,
    /// Commands that the host says run in the background.
    pub(super) background: Vec<Value>,
    /// Whether the transcript is looked at long after, by an audit.
    pub(super) is_kept: bool,
}

impl World {
    /// What an agent leaves behind that has so much of the shape.
    pub(super) fn of(shape: &Shape, size: usize, root: &Path) -> Self {
        let mut world = Self::default();
        let place = shape.place;
        let text = if size == 0 || matches!(place, Lines | Kept | Pack) {
            String::new()
        } else {
            shape.text(size)
        };
        let of = |wanted: Place| if place == wanted { text.as_str() } else { "" };
        world
            .lines
            .push(user(&json!(format!("Do it.\n\n{}", of(Prompt)))));
        let command = match of(Command) {
            "" => "touch made.py",
            text => text,
        };
        world.call(0, "Bash", &json!({"command": command}), of(Answer));
        for name in gone() {
            let path = root.join(of(Folders)).join(name);
            world.call(0, "Write", &json!({"file_path": path}), "");
        }
        world.deleted = of(Deleted).lines().map(str::to_owned).collect();
        let written = of(Written).lines().map(str::to_owned);
        let written = written.chain(empty());
        world.files = written.map(|path| (path, String::new())).collect();
        if place == Lines {
            world.add_lines(&shape.unit, size, root);
        }
        if place == Kept {
            world.add_kept(shape, size, root);
        }
        if world.message.is_empty() {
            // What is asked for is looked for in the report as well.
            let front = if place == Prompt {
                &"No test is red here\n".repeat(LINES)
            } else {
                of(Message)
            };
            world.message = report(front, of(Files), of(Claims));
        }
        world
            .lines
            .push(said(&json!({"type": "text", "text": world.message})));
        if place == Prompt {
            world
                .files
                .push(("big.txt".to_owned(), "a line of a file\n".repeat(400_000)));
        }
        if place == Pack {
            world.circle = u32::try_from(size / IN_A_CIRCLE).unwrap_or(u32::MAX);
        }
        if place == Merge {
            world.parents = size / shape.unit.len();
        }
        if place == Commit {
            world.commit = Some(text.clone());
        }
        if place == Background {
            let task = json!({"id": "b1", "type": "shell", "status": "running", "command": text});
            world.background.push(task);
        }
        world
    }

    fn call(&mut self, number: usize, tool: &str, input: &Value, answer: &str) {
        let id = format!("t{number}");
        let call = json!({"type": "tool_use", "id": id, "name": tool, "input": input});
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": answer}]);
        self.lines.push(said(&call));
        self.lines.push(user(&result));
    }

    /// Reports of 60 kB, or of what there is.
    fn add_kept(&mut self, shape: &Shape, size: usize, root: &Path) {
        self.is_kept = true;
        let mut written = 0;
        while written < size {
            let list = shape.text(60_000.min(size));
            let text = format!("Status: DONE\nFiles changed:{list}\n");
            written += text.len();
            self.lines
                .push(said(&json!({"type": "text", "text": text})));
            self.lines.push(user(&json!("more")));
        }
        for line in &mut self.lines {
            line["cwd"] = json!(root);
            line["sessionId"] = json!("s");
        }
    }

    fn add_lines(&mut self, unit: &str, size: usize, root: &Path) {
        let mut claimed = String::new();
        let (mut written, mut number) = (0, 0);
        while written < size {
            number += 1;
            let before = self.lines.len();
            match unit {
                "call" => self.call(number, "Read", &json!({"file_path": root.join("a.py")}), ""),
                "write" => {
                    let path = root.join(format!("g{number}.py"));
                    self.call(number, "Write", &json!({"file_path": path}), "");
                    if number <= 3_000 {
                        claimed.push_str(&format!("\n- h{number}.py"));
                    }
                }
                "command" => {
                    let command = format!("cd d{number} && pytest && make x{number} > f{number}");
                    self.call(number, "Bash", &json!({"command": command}), "");
                }
                "evaluation" | "long command" => {
                    let (part, times) = match unit {
                        "evaluation" => ("eval ", 4_000),
                        _ => ("make a b c; ", 33_000),
                    };
                    let times = times.min(size / part.len() + 1);
                    let input = json!({"command": part.repeat(times)});
                    self.call(number, "Bash", &input, "");
                }
                "prompt" => self
                    .lines
                    .push(user(&json!(format!("and leave {number} out")))),
                "task" => {
                    let input = json!({"command": "make", "run_in_background": true});
                    let answer = format!("Command running in background with ID: b{number}");
                    self.call(number, "Bash", &input, &answer);
                }
                "tool" => {
                    let tools = json!([{"name": format!("tool{number}")}]);
                    let part = json!({"type": "prompt_snapshot", "tools": tools});
                    self.lines
                        .push(json!({"type": "attachment", "attachment": part}));
                }
                "report" => {
                    let text = "Status: DONE\nFiles changed: a.py";
                    self.lines
                        .push(said(&json!({"type": "text", "text": text})));
                    self.lines.push(user(&json!("more")));
                }
                _ => self.lines.push(json!({})),
            }
            let new = self.lines.iter().skip(before);
            written += new.map(|line| line.to_string().len() + 1).sum::<usize>();
        }
        if !claimed.is_empty() {
            let text = format!("Status: DONE\nFiles changed:{claimed}\n");
            self.message = text;
        }
    }
}

/// What an agent says at the end, with this in front, behind its list of files, and behind that.
fn report(front: &str, files: &str, claims: &str) -> String {
    let names = never().chain(gone()).chain(empty());
    let names: String = names.map(|name| name + ", ").collect();
    format!("{front}\n\nStatus: DONE\nFiles changed: {names}{files}\n\n{claims}")
}

fn never() -> impl Iterator<Item = String> {
    (0..NEVER).map(|number| format!("src/ghost{number}.py"))
}

fn empty() -> impl Iterator<Item = String> {
    (0..EMPTY).map(|number| format!("src/empty.{number}.py"))
}

fn gone() -> impl Iterator<Item = String> {
    (0..GONE).map(|number| format!("src/gone.{number}.py"))
}

pub(super) fn taken_back() -> impl Iterator<Item = String> {
    (0..TAKEN_BACK).map(|number| format!("other/back{number}.py"))
}

fn user(content: &Value) -> Value {
    json!({"type": "user", "timestamp": "2026-01-01T00:00:00.000Z", "message": {"role": "user", "content": content}})
}

fn said(block: &Value) -> Value {
    json!({"type": "assistant", "timestamp": "2026-01-01T00:00:00.000Z", "message": {"stop_reason": "end_turn",
        "content": [block]}})
}
