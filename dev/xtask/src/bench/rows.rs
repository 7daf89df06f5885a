//! What is measured on one repository.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::json;

use super::repository::{self, Repository};
use super::{Case, Programs, time};

/// One row of a table.
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) times: Vec<Duration>,
    command: Box<dyn Fn(usize) -> io::Result<Prepared>>,
}

/// A process that can be started, and what it reads.
struct Prepared {
    command: Command,
    input: String,
}

impl Row {
    fn new(name: &'static str, command: impl Fn(usize) -> io::Result<Prepared> + 'static) -> Self {
        Self {
            name,
            times: Vec::new(),
            command: Box::new(command),
        }
    }

    pub(super) fn run(&mut self, round: usize) -> io::Result<Duration> {
        let mut prepared = (self.command)(round)?;
        time(&mut prepared.command, &prepared.input)
    }
}

/// The least that listing everything can cost, and the least that asking for every tracked file
/// can.
pub(super) const FULL_SCAN: &str = "bound: list and lstat everything";
pub(super) const LSTAT: &str = "bound: lstat of every tracked file";
pub(super) const GIT: &str = "git status -uall";
pub(super) const START: &str = "start hook";
pub(super) const STOP: &str = "stop hook after it";
/// Stops that have to prove what an honest one need not.
pub(super) const ABSENT: &str = "stop that proves an absence";
pub(super) const MANY_ABSENT: &str = "stop that proves 1,200 absences";
pub(super) const PYTHON: &str = "Python start hook";

/// Makes the repository of `case` below `folder`, and the rows that are measured on it.
pub(super) fn rows(
    case: Case,
    programs: &Programs,
    folder: &Path,
    python: Option<&str>,
) -> io::Result<Vec<Row>> {
    let repository = repository::make(case, folder)?;
    let root = repository.root.clone();
    let hooks = Hooks {
        attest: programs.attest.clone(),
        home: folder.join("home"),
        root: root.clone(),
    };
    fs::create_dir_all(&hooks.home)?;
    fs::write(folder.join("root"), root.as_os_str().as_encoded_bytes())?;
    let mut rows = Vec::new();
    if case == Case::S {
        let hooks = hooks.clone();
        rows.push(Row::new(
            "start hook, first ever (new state file)",
            move |round| hooks.prepare("start", &format!("new{round}"), round),
        ));
        let attest = programs.attest.clone();
        rows.push(Row::new("attest --version", move |_| {
            Ok(silent(&attest, &["--version"]))
        }));
    }
    let start = hooks.clone();
    rows.push(Row::new(START, move |round| {
        start.prepare("start", "known", round)
    }));
    let unseen = hooks.clone();
    unseen.make_template(folder)?;
    rows.push(Row::new(
        "start hook, work tree not seen before",
        move |round| {
            unseen.copy_template("unseen")?;
            unseen.prepare("start", "unseen", round)
        },
    ));
    let liar = hooks.clone();
    rows.push(Row::new(STOP, move |round| {
        // What an honest agent does in between.
        fs::write(hooks.root.join("untracked0.txt"), format!("work {round}\n"))?;
        hooks.prepare("stop", "known", round)
    }));
    rows.extend([(ABSENT, "absent", 1), (MANY_ABSENT, "many", 1_200)].map(
        |(name, state, count)| {
            let hooks = liar.clone();
            Row::new(name, move |round| hooks.prepare_lie(state, count, round))
        },
    ));
    rows.push(Row::new(GIT, move |_| {
        let mut prepared = silent(
            Path::new("git"),
            &["--no-optional-locks", "status", "--porcelain", "-uall"],
        );
        prepared.command.current_dir(&root);
        Ok(prepared)
    }));
    rows.extend(probes(programs, &repository));
    if let Some(python) = python {
        let (python, root, home) = (python.to_owned(), repository.root, folder.join("python"));
        fs::create_dir_all(&home)?;
        rows.push(Row::new(PYTHON, move |round| {
            let mut prepared = silent(Path::new("sh"), &["-c", &python]);
            prepared.command.current_dir(&root).env("HOME", &home);
            prepared.input = payload(&root, round, "untracked0.txt");
            Ok(prepared)
        }));
    }
    Ok(rows)
}

/// The bounds, and the readers by themselves.
fn probes(programs: &Programs, repository: &Repository) -> Vec<Row> {
    let row = |name, task: &'static str, list: Option<&Path>| {
        let (probe, root) = (programs.probe.clone(), repository.root.clone());
        let list = list.map(Path::to_owned);
        Row::new(name, move |_| {
            let mut prepared = silent(&probe, &[task]);
            prepared.command.arg(&root).args(&list);
            Ok(prepared)
        })
    };
    vec![
        row(FULL_SCAN, "scan", Some(&repository.folders)),
        row(LSTAT, "lstat", Some(&repository.tracked)),
        row("fast reader alone, with hashing", "fast", None),
        row("libgit2 reader alone, with hashing", "libgit2", None),
        row("git program reader alone, with hashing", "program", None),
    ]
}

/// How attest's hooks are started.
#[derive(Clone)]
struct Hooks {
    attest: PathBuf,
    home: PathBuf,
    root: PathBuf,
}

impl Hooks {
    /// Makes a state file that has no work tree, by a start in `folder`, which is none.
    fn make_template(&self, folder: &Path) -> io::Result<()> {
        let elsewhere = Self {
            root: folder.to_owned(),
            ..self.clone()
        };
        let mut prepared = elsewhere.prepare("start", "template", 0)?;
        time(&mut prepared.command, &prepared.input).map(drop)
    }

    fn copy_template(&self, state: &str) -> io::Result<()> {
        let (from, to) = (self.home.join("template"), self.home.join(state));
        fs::create_dir_all(&to)?;
        for name in STATE {
            fs::copy(from.join(name), to.join(name))?;
        }
        Ok(())
    }

    /// The stop of an agent that did what the honest one does, and claims `count` more files in
    /// folders that there are. Its start is over when this returns.
    fn prepare_lie(&self, state: &str, count: usize, round: usize) -> io::Result<Prepared> {
        let mut start = self.prepare("start", state, round)?;
        time(&mut start.command, &start.input)?;
        fs::write(self.root.join("untracked0.txt"), format!("lie {round}\n"))?;
        let mut stop = self.prepare("stop", state, round)?;
        let absent = (0..count).map(|number| {
            let folder = number % 10;
            format!("part0/folder{folder}/never{number}.txt")
        });
        let files: Vec<_> = ["untracked0.txt".to_owned()]
            .into_iter()
            .chain(absent)
            .collect();
        stop.input = payload(&self.root, round, &files.join("\n- "));
        Ok(stop)
    }

    fn prepare(&self, event: &str, state: &str, round: usize) -> io::Result<Prepared> {
        let state = self.home.join(state);
        fs::create_dir_all(&state)?;
        let mut prepared = silent(&self.attest, &["hook", event]);
        prepared
            .command
            .current_dir(&self.root)
            .env("HOME", &self.home)
            .env("ATTEST_STATE_DB", state.join("state.db"));
        prepared.input = payload(&self.root, round, "untracked0.txt");
        Ok(prepared)
    }
}

/// What a state file consists of while nobody has it open.
const STATE: [&str; 2] = ["state.db", "state.db-wal"];

/// `files` is what the agent's report lists.
fn payload(root: &Path, round: usize, files: &str) -> String {
    let message = format!("Status: DONE\nFiles changed:\n- {files}\n");
    json!({"session_id": "bench", "agent_id": format!("a{round}"), "agent_type": "bench",
        "cwd": root, "last_assistant_message": message})
    .to_string()
}

fn silent(program: &Path, arguments: &[&str]) -> Prepared {
    let mut command = Command::new(program);
    command.args(arguments);
    Prepared {
        command,
        input: String::new(),
    }
}

/// The most memory that a start hook has had at once, in bytes, on the repository that was made
/// in `folder`.
pub(super) fn peak_memory(programs: &Programs, folder: &Path) -> io::Result<u64> {
    let root = PathBuf::from(fs::read_to_string(folder.join("root"))?);
    let home = folder.join("home");
    let input = folder.join("payload");
    fs::write(&input, payload(&root, usize::MAX, "untracked0.txt"))?;
    let output = Command::new(&programs.probe)
        .arg("peak")
        .arg(&programs.attest)
        .args(["hook", "start"])
        .current_dir(&root)
        .env("HOME", &home)
        .env("ATTEST_STATE_DB", home.join("known/state.db"))
        .stdin(fs::File::open(input)?)
        .output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.trim()
        .parse()
        .map_err(|_| io::Error::other(format!("no figure of memory in {text:?}")))
}
