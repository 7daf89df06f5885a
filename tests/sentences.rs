//! Each sentence that a finding can print stands in a table, with the condition under which it is true and a case of that
//! condition, which is played and has to print it. What the source can say and no row has fails.
//!
//! `tests/sentences/*.toml` are the tables. A row has the texts of the source (`says`) that one line has together, `when`
//! they are true, and a case: what was there before, what the agent and others do, and what is reported. Each step is a
//! word and what follows it:
//!
//! | step | what it is |
//! |---|---|
//! | `sh` | a command that nobody sees |
//! | `run` | a command of the agent |
//! | `main` | a command of the main agent of its session |
//! | `said` | a command of the agent that is only in its transcript: its status, a bar, what it printed, a bar, the command |
//! | `write` | a file that the agent writes with its tool: the path, and what it holds |
//! | `wrote` | the same, only in its transcript |
//! | `failed` | the same, and the tool reports an error |
//! | `open` | the same, without a result |
//! | `read` | a file that the agent opens |
//! | `unread` | the same, and the tool reports an error |
//! | `call` | a call of a tool, and what it is given |
//! | `start`, `stop` | another agent |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::common::TestContext;
use crate::common::agent::{Agent, hook};
use crate::common::lines::Lines;
use crate::common::scene::{Scene, settle, write};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[serde(default)]
    row: Vec<Row>,
    /// Texts of the same source that no finding prints, each with what it is.
    #[serde(default)]
    other: Vec<Other>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    says: Vec<String>,
    /// When it is true.
    when: String,
    /// The files that the report claims as changed.
    files: Option<String>,
    /// Or the whole report.
    report: Option<String>,
    #[serde(default)]
    before: Vec<String>,
    #[serde(default)]
    steps: Vec<String>,
    #[serde(default)]
    strict: String,
    /// Whether no transcript is there.
    #[serde(default)]
    is_unseen: bool,
    /// Whether the transcript does not end with the report.
    #[serde(default)]
    is_cut: bool,
    /// The folder below the repository that the agent is in.
    #[serde(default)]
    within: String,
    /// Whether it is the text of a pull request, and the steps its branch.
    #[serde(default)]
    is_range: bool,
    /// The test that makes it print, if a case is more than a row can say.
    test: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Other {
    texts: Vec<String>,
    is: String,
}

const TABLES: [(&str, &str); 4] = [
    ("paths", include_str!("sentences/paths.toml")),
    ("doubts", include_str!("sentences/doubts.toml")),
    ("claims", include_str!("sentences/claims.toml")),
    ("checks", include_str!("sentences/checks.toml")),
];

fn table(name: &str) -> Table {
    let (_, text) = TABLES.iter().find(|(it, _)| *it == name).unwrap();
    toml::from_str(text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The world of one case.
struct Stage {
    scene: Scene,
    own: Lines,
    main: Lines,
}

impl Stage {
    fn new(strict: &str) -> Self {
        let mut context = TestContext::enforcing();
        if !strict.is_empty() {
            context.set("ATTEST_STRICT", strict);
        }
        let files = [
            ("a.py", "one\ntwo\nthree\n"),
            ("src/b.py", "def b():\n    return 2\n"),
            (".gitignore", "*.log\nbuild/\n"),
        ];
        Self {
            scene: Scene::of(context, &files),
            own: Lines::default(),
            main: Lines::default(),
        }
    }

    fn shell(&self, command: &str) -> (i32, String) {
        let mut shell = self.scene.context.command("sh");
        shell.args(["-c", command]).current_dir(&self.scene.repo);
        let ended = shell.output().unwrap();
        let printed = [ended.stdout, ended.stderr].concat();
        (
            ended.status.code().unwrap(),
            String::from_utf8(printed).unwrap(),
        )
    }

    /// The message with the names of commits in the place of words for them.
    fn named(&self, message: &str) -> String {
        let words = [
            ("{head}", "HEAD"),
            ("{gone}", "HEAD@{1}"),
            ("{main}", "main"),
            ("{beside}", "beside"),
            ("{tree}", "HEAD^{tree}"),
        ];
        let mut message = message.to_owned();
        for (word, name) in words {
            if !message.contains(word) {
                continue;
            }
            let hash = self.shell(&format!("git rev-parse '{name}'")).1;
            message = message.replace(word, hash.trim());
        }
        if message.contains("{elsewhere}") {
            let hash = self.shell("git -C ../other rev-parse HEAD").1;
            message = message.replace("{elsewhere}", hash.trim());
        }
        message
    }

    fn agent(&self, id: &str) -> Agent {
        Agent::new(id, &self.scene.repo)
    }

    fn transcript(&self) -> PathBuf {
        self.scene.path("session-1.jsonl")
    }

    fn own_transcript(&self) -> PathBuf {
        self.scene.path("session-1/subagents/agent-a1.jsonl")
    }

    fn start(&self, id: &str, within: &str, is_seen: bool) {
        let mut payload = self.agent(id).start_payload();
        payload["cwd"] = json!(self.scene.repo.join(within));
        if is_seen {
            payload["transcript_path"] = json!(self.transcript());
        }
        hook(&self.scene.context, "start", &payload);
    }

    fn step(&mut self, step: &str) {
        let (word, rest) = step.split_once(' ').unwrap();
        let (path, text) = rest.split_once(' ').unwrap_or((rest, "new\n"));
        let file = self.scene.repo.join(path);
        let input = json!({"file_path": file, "content": text});
        match word {
            "sh" => {
                let (status, printed) = self.shell(rest);
                assert_eq!(status, 0, "{rest}: {printed}");
            }
            "run" | "main" => {
                let (status, printed) = self.shell(rest);
                let lines = if word == "run" {
                    &mut self.own
                } else {
                    &mut self.main
                };
                lines.bash(rest, status, &printed);
            }
            "said" => {
                let mut parts = rest.splitn(3, '|').map(str::trim);
                let mut part = || parts.next().unwrap();
                let (status, printed) = (part().parse().unwrap(), part());
                self.own.bash(part(), status, printed);
            }
            "write" => {
                write(&file, text);
                self.own
                    .call("Write", &input, Some(Ok("File created successfully")));
            }
            "wrote" => self
                .own
                .call("Write", &input, Some(Ok("File created successfully"))),
            "failed" => self.own.call("Write", &input, Some(Err("no space left"))),
            "open" => self.own.call("Write", &input, None),
            "read" => {
                let held = fs::read_to_string(&file).unwrap_or_default();
                self.own
                    .call("Read", &json!({"file_path": file}), Some(Ok(&held)));
            }
            "unread" => {
                let input = json!({"file_path": file});
                self.own.call("Read", &input, Some(Err("denied")));
            }
            "call" => {
                let input = serde_json::from_str(text).unwrap();
                self.own.call(path, &input, Some(Ok("done")));
            }
            "start" => self.start(rest, "", true),
            "stop" => drop(self.agent(rest).stop(&self.scene.context, "Looked around.")),
            _ => panic!("no step: {step}"),
        }
    }

    /// All lines that the person, the agent and its parent can read of the stop.
    fn stop(&mut self, row: &Row, message: &str) -> String {
        let mut fields = json!({"cwd": self.scene.repo.join(&row.within)});
        if !row.is_unseen {
            if !row.is_cut {
                self.own.end(message);
            }
            write(&self.own_transcript(), &self.own.0);
            write(&self.transcript(), &self.main.0);
            fields["agent_transcript_path"] = json!(self.own_transcript());
            fields["transcript_path"] = json!(self.transcript());
        }
        let context = &self.scene.context;
        let stop = self.agent("a1").stop_with(context, message, &fields);
        let payload = json!({"session_id": "session-1", "cwd": "/", "hook_event_name": "PostToolUse",
            "tool_name": "Agent", "tool_response": {"agentId": "a1"}});
        let told = hook(context, "post-tool-use", &payload).stdout;
        let told: Value = serde_json::from_str(&told).unwrap_or_default();
        let told = told["hookSpecificOutput"]["additionalContext"].as_str();
        let shown = context.attest(["show"]).stdout;
        let texts = [
            stop.block().unwrap_or_default(),
            stop.0.stderr,
            told.unwrap_or_default().to_owned(),
            shown,
        ];
        texts.join("\n")
    }
}

fn play(row: &Row) -> String {
    let mut stage = Stage::new(&row.strict);
    for step in &row.before {
        stage.step(step);
    }
    let message = match (&row.report, &row.files) {
        (Some(report), _) => report.clone(),
        (None, Some(files)) => format!("Status: DONE\nFiles changed: {files}\n"),
        (None, None) => "Status: DONE\n".to_owned(),
    };
    if row.is_range {
        stage.step("sh git checkout -q -b work");
        for step in &row.steps {
            stage.step(step);
        }
        let message = stage.named(&message);
        let repo = stage.scene.repo.to_str().unwrap();
        let judged = stage.scene.context.attest_with_input(
            ["ci", "--repo", repo, "--base", "main", "--report", "-"],
            message.as_bytes(),
        );
        return judged.stdout + &judged.stderr;
    }
    settle();
    stage.start("a1", &row.within, !row.is_unseen);
    for step in &row.steps {
        stage.step(step);
    }
    let message = stage.named(&message);
    stage.stop(row, &message)
}

/// The parts of a text of the source that are printed as they are.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut depth = 0;
    for c in text.chars() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                parts.push(String::new());
            }
            c if depth == 0 => parts.last_mut().unwrap().push(c),
            _ => {}
        }
    }
    parts.retain(|part| !part.trim().is_empty());
    parts
}

/// Whether a line has each of the texts.
fn says(line: &str, texts: &[String]) -> bool {
    texts.iter().all(|text| {
        let mut rest = line;
        let text = text.replace("\\n", "").replace("\\\"", "\"");
        parts(&text).iter().all(|part| {
            let part = part.trim_end();
            let found = rest.find(part);
            rest = found.map_or("", |at| &rest[at + part.len()..]);
            found.is_some()
        })
    })
}

fn played(name: &str) {
    let rows = table(name).row;
    let cases = rows.iter().filter(|row| row.test.is_none());
    let mut wrong = Vec::new();
    for row in cases {
        let printed = play(row);
        if !printed.lines().any(|line| says(line, &row.says)) {
            wrong.push(format!("{:?} ({})\n{printed}", row.says, row.when));
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {name} not said:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn of_paths() {
    played("paths");
}

#[test]
fn of_doubts() {
    played("doubts");
}

#[test]
fn of_other_claims() {
    played("claims");
}

#[test]
fn of_checks() {
    played("checks");
}

/// Where the sentences are made.
const SOURCES: &[&str] = &[
    "crates/evidence/src/path_evidence.rs",
    "crates/verdict/src/again.rs",
    "crates/verdict/src/assertions.rs",
    "crates/verdict/src/assertions",
    "crates/verdict/src/claim_finding.rs",
    "crates/verdict/src/criteria.rs",
    "crates/verdict/src/doubt.rs",
    "crates/verdict/src/finding.rs",
    "crates/verdict/src/lost.rs",
    "crates/verdict/src/missing.rs",
    "crates/verdict/src/path_finding.rs",
    "crates/verdict/src/range.rs",
    "crates/verdict/src/reason.rs",
    "crates/verdict/src/taken_back.rs",
    "crates/verdict/src/warnings.rs",
    "crates/verdict/src/warnings",
];
/// How a finding comes to a sentence.
const MAKES: [&str; 4] = [
    ".because(",
    "CheckUnseen(\"",
    "Doubt::NameGone(",
    "Doubt::Leftover(",
];

fn sources_below(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_file() {
        let is_source = path.extension().is_some_and(|it| it == "rs");
        let is_test = path.file_stem().is_some_and(|it| it == "tests");
        found.extend((is_source && !is_test).then(|| path.to_owned()));
        return;
    }
    for entry in fs::read_dir(path).unwrap() {
        let path = entry.unwrap().path();
        if path.file_name().is_some_and(|it| it != "tests") {
            sources_below(&path, found);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The source up to its tests.
fn source(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap();
    let end = text.find("#[cfg(test)]\nmod tests").unwrap_or(text.len());
    text[..end].to_owned()
}

/// The texts of a source that are read by people, but for the meanings of words, which `attest explain` prints.
fn texts_of(source: &str) -> Vec<String> {
    let mut texts: Vec<(usize, usize, String)> = Vec::new();
    let mut chars = source.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let rest = &source[at..];
        if rest.starts_with("//") {
            while chars.next_if(|(_, c)| *c != '\n').is_some() {}
        } else if c == '\'' {
            let length = rest
                .chars()
                .nth(1)
                .map_or(0, |c| if c == '\\' { 2 } else { 1 });
            if rest.chars().nth(length + 1) == Some('\'') {
                chars.nth(length);
            }
        } else if c == '"' {
            let mut text = String::new();
            while let Some((_, c)) = chars.next_if(|(_, c)| *c != '"') {
                text.push(c);
                if c == '\\' {
                    text.extend(chars.next().map(|(_, c)| c));
                }
            }
            let end = chars.next().map_or(source.len(), |(at, _)| at + 1);
            let mut lines = text.split("\\\n");
            let first = lines.next().unwrap_or_default().to_owned();
            texts.push((
                at,
                end,
                lines.fold(first, |text, line| text + line.trim_start()),
            ));
        }
    }
    let is_word =
        |text: &str| text.len() > 2 && text.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    let is_meaning = |number: usize| {
        let before = number.checked_sub(1).map(|before| &texts[before]);
        before.is_some_and(|(_, end, word)| {
            is_word(word) && source[*end..texts[number].0].trim() == ","
        })
    };
    let is_read = |text: &str| {
        let plain = parts(text).concat();
        let has_letters = plain
            .as_bytes()
            .windows(2)
            .any(|two| two.iter().all(u8::is_ascii_lowercase));
        has_letters && (plain.trim().contains(' ') || text.contains('{'))
    };
    let read = (0..texts.len()).filter(|number| is_read(&texts[*number].2) && !is_meaning(*number));
    read.map(|number| texts[number].2.clone()).collect()
}

#[test]
fn no_sentence_is_left_out_and_none_is_of_nothing() {
    let mut known = BTreeMap::new();
    for (name, _) in TABLES {
        let table = table(name);
        for row in &table.row {
            assert!(row.when.contains(' '), "{row:?}");
            known.extend(row.says.iter().map(|text| (text.clone(), name)));
        }
        for other in &table.other {
            assert!(other.is.contains(' '), "{other:?}");
            known.extend(other.texts.iter().map(|text| (text.clone(), name)));
        }
    }
    let mut files = Vec::new();
    for path in SOURCES {
        sources_below(&root().join(path), &mut files);
    }
    let made: BTreeSet<_> = files
        .iter()
        .flat_map(|file| texts_of(&source(file)))
        .collect();
    let unknown: Vec<_> = made
        .iter()
        .filter(|text| !known.contains_key(*text))
        .collect();
    assert!(unknown.is_empty(), "in no row: {unknown:#?}");
    let old: Vec<_> = known
        .iter()
        .filter(|(text, _)| !made.contains(*text))
        .collect();
    assert!(old.is_empty(), "nothing says it any more: {old:#?}");
}

#[test]
fn sentences_are_made_in_no_other_place() {
    let mut all = Vec::new();
    sources_below(&root().join("crates"), &mut all);
    let mut looked_at = Vec::new();
    for path in SOURCES {
        sources_below(&root().join(path), &mut looked_at);
    }
    let others = all.iter().filter(|file| !looked_at.contains(file));
    let makes = |file: &&PathBuf| MAKES.iter().any(|it| source(file).contains(it));
    let others: Vec<_> = others.filter(makes).collect();
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn the_tests_that_are_named_are_there() {
    for (name, _) in TABLES {
        for row in table(name).row {
            let Some(test) = &row.test else { continue };
            let (file, function) = test.split_once("::").unwrap();
            let held = fs::read_to_string(root().join(file)).unwrap();
            let begins = held.find(&format!("fn {function}("));
            assert!(begins.is_some(), "{test} is not there");
        }
    }
}
