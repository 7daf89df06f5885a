//! The shapes: what is repeated, and where it stands.

use std::path::Path;

use serde_json::{Value, json};

/// What an object in a circle takes in its pack and in the index, in bytes.
const IN_A_CIRCLE: usize = 65;
/// How many files each report names that never were, that were written and are gone, and that are empty, and how many of
/// another agent are taken back: whatever else is read is looked through for each of them.
const NEVER: usize = 200;
const GONE: usize = 100;
const EMPTY: usize = 100;
const TAKEN_BACK: usize = 100;
/// The longest path that a system takes, in bytes, and what is left of it for the folders.
const MOST_FOLDERS: usize = 3_800;
/// The lines of a long report.
const LINES: usize = 25_000;
/// The most files that change: reading them takes its own time.
const MOST_CHANGED: usize = 40_000;

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

/// Where something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the report, in front of its claim.
    Message,
    /// In the value of the claim's list of files.
    Files,
    /// Behind the claim, as claims of other kinds.
    Claims,
    /// In the first prompt.
    Prompt,
    /// Above each file that was written and is gone.
    Folders,
    /// In the work tree, as files that were there.
    Deleted,
    /// In the work tree, as files that are new.
    Written,
    /// In one command of the agent.
    Command,
    /// In the answer of a tool.
    Answer,
    /// As lines of the transcript of their own.
    Lines,
    /// In a commit.
    Commit,
    /// As commits of which one is the merge.
    Merge,
    /// As objects of a pack.
    Pack,
    /// In what the host says runs.
    Background,
    /// As reports of a session that the host has kept.
    Kept,
}

use Place::{
    Answer, Background, Claims, Command, Commit, Deleted, Files, Folders, Kept, Lines, Merge,
    Message, Pack, Prompt, Written,
};

#[derive(Debug)]
pub(super) struct Shape {
    name: String,
    place: Place,
    begin: &'static str,
    /// Repeated, with `#` as the number of the repetition.
    unit: String,
    /// Repeated as often behind all of these.
    close: &'static str,
}

/// Name, place, what it begins with, what is repeated, and what closes that as often.
const SHAPES: &[(&str, Place, &str, &str, &str)] = &[
    ("tags", Message, "", "<b>", ""),
    ("tags of a kind", Message, "", "<a#>", ""),
    ("comments", Message, "", "<!--", ""),
    ("brackets", Message, "", "[", ""),
    ("links", Message, "", "[a](", ""),
    ("emphasis", Message, "", "*a _", ""),
    ("back-ticks", Message, "", "`a``", ""),
    ("quotes in quotes", Message, "", "> ", ""),
    ("lists in lists", Message, "", "- ", ""),
    ("headings", Message, "", "## a\n", ""),
    ("handoffs", Message, "", "## Handoff\n- status: DONE\n", ""),
    ("statuses", Message, "", "Status: DONE\n", ""),
    (
        "sentences",
        Message,
        "",
        "I created `src/f#.py` and it works. ",
        "",
    ),
    (
        "deeds in a sentence",
        Message,
        "",
        "I added src/f#.py and removed the old one, ",
        "",
    ),
    ("table", Message, "| a |\n|---|\n", "| `f#.py` |\n", ""),
    ("one word", Message, "", "a", ""),
    ("files", Files, "", "\n- g#.py", ""),
    ("files in a line", Files, "", "g#.py, ", ""),
    ("parts of a file", Files, "", "a/", ""),
    ("files of one name", Files, "", "\n- d#/a.py", ""),
    (
        "files with remarks",
        Files,
        "",
        "\n- `g#.py` (was not added, since it is not needed)",
        "",
    ),
    ("commits", Claims, "", "Commit: 4be7d0a#\n", ""),
    ("checks", Claims, "", "- `cargo test t#` passed\n", ""),
    ("reads", Claims, "", "- Read src/r#.py\n", ""),
    (
        "prompt of items",
        Prompt,
        "Done when:\n",
        "- `big.txt` contains \"t #\"\n",
        "",
    ),
    (
        "prompt of files",
        Prompt,
        "Done when:\n",
        "- `g#.txt` exists\n",
        "",
    ),
    ("prompt of tags", Prompt, "Done when:\n", "<b>", ""),
    ("prompt of lines", Prompt, "", "line # of a prompt\n", ""),
    ("folders", Folders, "", "d/", ""),
    ("deleted files", Deleted, "", "d/f#.py\n", ""),
    ("written files", Written, "", "d/f#.py\n", ""),
    ("globs", Command, "touch ", "a?[b]*# ", ""),
    ("words", Command, "touch ", "w# ", ""),
    ("commands", Command, "", "cd d#; touch a; ", ""),
    ("substitutions", Command, "", "$(", ")"),
    ("subshells", Command, "", "( ", ") "),
    ("braces", Command, "touch ", "{a,b}", ""),
    ("variables", Command, "A=a; ", "A=$A$A; touch $A; ", ""),
    ("evaluations", Command, "", "eval ", ""),
    ("commands of commands", Command, "", "find . -exec ", ""),
    ("make", Command, "", "make a b c; ", ""),
    ("quotes", Command, "echo ", "\"a\\\"'", ""),
    ("here documents", Command, "", "cat <<E# > f#\nx\nE#\n", ""),
    ("pipes", Command, "", "pytest | ", ""),
    (
        "shells in shells",
        Command,
        "",
        "bash -c 'sh -c \"a\"'; ",
        "",
    ),
    ("an answer", Answer, "", "line # of an answer\n", ""),
    ("calls", Lines, "", "call", ""),
    ("writes", Lines, "", "write", ""),
    ("commands of calls", Lines, "", "command", ""),
    ("evaluations of calls", Lines, "", "evaluation", ""),
    ("long commands of calls", Lines, "", "long command", ""),
    ("prompts", Lines, "", "prompt", ""),
    ("nothing", Lines, "", "{}", ""),
    ("tasks", Lines, "", "task", ""),
    ("tools", Lines, "", "tool", ""),
    ("reports", Lines, "", "report", ""),
    ("parents", Commit, "", "parent HEAD\n", ""),
    ("headers", Commit, "", "x-h# a\n", ""),
    (
        "merge of all",
        Merge,
        "",
        "parent 0000000000000000000000000000000000000000\n",
        "",
    ),
    ("objects in a circle", Pack, "", "", ""),
    ("kept ghosts", Kept, "", "\n- g#.py", ""),
    ("kept parts", Kept, "\n- ", "a/", "b"),
    (
        "running commands",
        Background,
        "",
        "sleep 1 && touch f#; ",
        "",
    ),
];
/// What shapes are drawn from.
const PARTS: &[&str] = &[
    "<b>",
    "</b>",
    "[",
    "](",
    "`",
    "``",
    "*",
    "_",
    "**",
    "> ",
    "- ",
    "\n",
    "\n\n",
    "#",
    "## ",
    "|",
    ":",
    ",",
    "/",
    "\\",
    "(",
    ")",
    "a",
    "a.py",
    " ",
    "Status: DONE",
    "Files changed: ",
    "not ",
    "~",
    "$",
    "{",
    "}",
    "\"",
    "'",
    "&",
    "<",
    "é",
    "\u{202e}",
    "1. ",
    "    ",
    "```\n",
    "http://",
    "<!--",
    "passed ",
    "I ",
    "added ",
    "and ",
    "src/a.py ",
    "`cargo test` ",
];

impl Shape {
    /// Those with a name, and so many that are drawn.
    pub(super) fn all(drawn: u64, seed: u64) -> Vec<Self> {
        let named = SHAPES.iter().map(|(name, place, begin, unit, close)| Self {
            name: (*name).to_owned(),
            place: *place,
            begin,
            unit: (*unit).to_owned(),
            close,
        });
        let drawn = (0..drawn).map(|number| {
            let mut state = seed.wrapping_mul(1_000_003).wrapping_add(number);
            let mut draw = |most: usize| {
                // The generator of Steele, Lea and Flood.
                state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
                let mut bits = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
                usize::try_from((bits ^ (bits >> 31)) % most as u64).unwrap_or(0)
            };
            let unit: String = (0..=draw(5)).map(|_| PARTS[draw(PARTS.len())]).collect();
            let place = [Message, Files, Claims, Prompt, Command][draw(5)];
            Self {
                name: format!("{place:?} {}", unit.escape_default()),
                place,
                begin: if place == Prompt { "Done when:\n" } else { "" },
                unit,
                close: "",
            }
        });
        named.chain(drawn).collect()
    }

    /// Whether it stands in a session that an audit looks at.
    pub(super) fn is_kept(&self) -> bool {
        self.place == Kept
    }

    /// What there can be of it, in bytes.
    pub(super) fn most_bytes(&self) -> usize {
        match self.place {
            Folders => MOST_FOLDERS,
            Deleted | Written => MOST_CHANGED * self.unit.len(),
            _ => usize::MAX,
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// So many bytes of it, at least.
    fn text(&self, size: usize) -> String {
        let mut text = self.begin.to_owned();
        let mut count = 0;
        while text.len() + count * self.close.len() < size {
            text.push_str(&self.unit.replace('#', &count.to_string()));
            count += 1;
        }
        text + &self.close.repeat(count)
    }
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
            let (files, claims) = (of(Files), of(Claims));
            let names: String = never()
                .chain(gone())
                .chain(empty())
                .map(|name| name + ", ")
                .collect();
            let list = format!("Status: DONE\nFiles changed: {names}{files}");
            world.message = format!("{front}\n\n{list}\n\n{claims}");
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
