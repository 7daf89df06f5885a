//! Repositories in which an honest agent and a liar have done the same work.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::common::agent::{Agent, done};
use crate::common::scene::settle;
use crate::common::{BINARY, TestContext};

/// The deadline of each hook.
pub const DEADLINE: Duration = Duration::from_mins(1);

/// What makes a repository, what the work in it is, and what is truthfully said of that.
#[derive(Debug, Clone, Copy)]
pub struct Plot {
    pub name: &'static str,
    build: fn(&TestContext) -> PathBuf,
    work: fn(&TestContext, &Path),
    claim: &'static str,
}

/// A repository that attest reads by itself; one that has to be asked for its history and its other
/// work trees; one that only git can read; one with places that git does not look into.
pub const PLOTS: [Plot; 4] = [
    Plot {
        name: "plain",
        build: |context| context.repository("repo", FILES),
        work: |_, repo| {
            write(repo, "a.py", "changed\n");
            write(repo, "new.py", "new\n");
            fs::remove_file(repo.join("old.py")).unwrap();
            come_and_go(repo);
        },
        claim: "a.py, new.py, old.py (deleted), build/out.bin, src/made.gen, b.py",
    },
    Plot {
        name: "history",
        build: |context| {
            let repo = context.repository("repo", FILES);
            context.git(&repo, &["worktree", "add", "--quiet", "../linked"]);
            repo
        },
        work: |context, repo| {
            on_a_branch(context, repo);
            write(&repo.join("../linked"), "linked.py", "linked\n");
            write(repo, "stashed.py", "stashed\n");
            context.git(repo, &["stash", "--quiet", "--include-untracked"]);
            come_and_go(repo);
        },
        claim: "moved.py, linked.py, stashed.py, build/out.bin",
    },
    Plot {
        name: "sha256",
        build: |context| {
            let folder = context.folder().join("repo");
            let mut init = context.command("git");
            init.args(["init", "--quiet", "--initial-branch=main"])
                .arg("--object-format=sha256")
                .arg(&folder);
            assert!(init.status().unwrap().success());
            context.repository("repo", FILES)
        },
        work: |context, repo| {
            on_a_branch(context, repo);
            write(repo, "a.py", "changed\n");
            fs::remove_file(repo.join("old.py")).unwrap();
            come_and_go(repo);
        },
        claim: "moved.py, a.py, old.py (deleted), build/out.bin, src/made.gen",
    },
    Plot {
        name: "places",
        build: |context| {
            let part = context.repository("part", &[("inner.py", "1\n"), ("more.py", "1\n")]);
            let repo = context.repository("repo", FILES);
            let add = ["-c", "protocol.file.allow=always", "submodule", "--quiet"];
            let part = part.to_str().unwrap();
            context.git(&repo, &[&add[..], &["add", part, "sub"]].concat());
            context.git(&repo, &["commit", "--quiet", "--message", "submodule"]);
            context.git(&repo, &["init", "--quiet", "nested"]);
            write(&repo, "nested/kept.py", "1\n");
            context.git(&repo, &["update-index", "--skip-worktree", "src/b.py"]);
            fs::remove_file(repo.join("src/b.py")).unwrap();
            repo
        },
        work: |context, repo| {
            let part = repo.join("sub");
            write(&part, "came.py", "1\n");
            context.git(&part, &["add", "--all"]);
            context.git(&part, &["commit", "--quiet", "--message", "came"]);
            context.git(&part, &["rm", "--quiet", "came.py"]);
            context.git(&part, &["commit", "--quiet", "--message", "went"]);
            write(repo, "nested/gone.py", "1\n");
            fs::remove_file(repo.join("nested/gone.py")).unwrap();
            come_and_go(repo);
            // A folder that a name went from last would be a doubt about the liar's ghost.
            write(repo, "nested/work.py", "1\n");
            write(repo, "new.py", "new\n");
        },
        claim: "sub/came.py, came.py, nested/work.py, nested/gone.py, src/b.py, new.py, build/out.bin",
    },
];

const FILES: &[(&str, &str)] = &[
    ("a.py", "one\n"),
    ("old.py", "old\n"),
    ("src/b.py", "two\n"),
    ("src/.gitignore", "*.gen\n"),
    (".gitignore", "build/\n"),
];

fn write(folder: &Path, path: &str, text: &str) {
    let path = folder.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Files under ignore rules, of which nothing is left: only the rules speak for the agent.
fn come_and_go(repo: &Path) {
    for (folder, name) in [("build", "out.bin"), ("src", "made.gen"), ("src", "b.py")] {
        write(repo, &format!("{folder}/{name}"), "made\n");
        if name != "b.py" {
            fs::remove_file(repo.join(folder).join(name)).unwrap();
        }
    }
    fs::remove_dir(repo.join("build")).unwrap();
}

fn on_a_branch(context: &TestContext, repo: &Path) {
    context.git(repo, &["switch", "--quiet", "--create", "feature"]);
    write(repo, "moved.py", "moved\n");
    context.git(repo, &["add", "--all"]);
    context.git(repo, &["commit", "--quiet", "--message", "moved"]);
    context.git(repo, &["switch", "--quiet", "main"]);
}

/// Whose stop it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Who {
    Honest,
    Liar,
}

/// A repository as it is when an agent starts there.
pub struct Scene {
    pub context: TestContext,
    plot: Plot,
    repo: PathBuf,
    agent: Agent,
}

impl Scene {
    pub fn new(plot: Plot) -> Self {
        let mut context = TestContext::enforcing();
        let seconds = DEADLINE.as_secs().to_string();
        context.set("ATTEST_STOP_DEADLINE", &seconds);
        context.set("ATTEST_STRICT", "all");
        let repo = (plot.build)(&context);
        // What is there has to be older than the agent.
        settle();
        let agent = Agent::new("a1", &repo);
        Self {
            context,
            plot,
            repo,
            agent,
        }
    }

    pub fn name(&self) -> &'static str {
        self.plot.name
    }

    /// Another agent that started and stopped here before.
    pub fn predecessor(&self) {
        let agent = Agent::new("a0", &self.repo);
        agent.start(&self.context);
        agent.stop(&self.context, "Status: BLOCKED");
    }

    pub fn work(&self) {
        (self.plot.work)(&self.context, &self.repo);
    }

    fn folder(&self) -> PathBuf {
        self.context.home().join(".attest")
    }

    /// The log's text, as far as there is one.
    pub fn log(&self) -> String {
        fs::read_to_string(self.folder().join("attest.log")).unwrap_or_default()
    }

    /// Keeps the state file as it is now.
    pub fn keep(&self, name: &str) {
        self.discard(name);
        if self.folder().exists() {
            copy(&self.folder(), &self.context.folder().join(name));
        }
    }

    /// Puts back what was kept under a name; nothing at all where nothing was.
    pub fn restore(&self, name: &str) {
        let folder = self.folder();
        if folder.exists() {
            fs::remove_dir_all(&folder).unwrap();
        }
        let kept = self.context.folder().join(name);
        if kept.exists() {
            copy(&kept, &folder);
        }
    }

    /// Forgets what was kept under a name.
    pub fn discard(&self, name: &str) {
        let kept = self.context.folder().join(name);
        if kept.exists() {
            fs::remove_dir_all(kept).unwrap();
        }
    }

    pub fn start_payload(&self) -> Value {
        json!({
            "session_id": self.agent.session,
            "cwd": self.repo,
            "agent_id": self.agent.id,
            "agent_type": self.agent.kind,
            "hook_event_name": "SubagentStart",
        })
    }

    pub fn stop_payload(&self, who: Who) -> Value {
        let files = match who {
            Who::Honest => self.plot.claim.to_owned(),
            Who::Liar => format!("{}, ghost.py", self.plot.claim),
        };
        self.agent.stop_payload(&done(&files), &json!({}))
    }

    /// A command that becomes a hook, with its payload and its output in files.
    pub fn hook(&self, event: &str, payload: &Value) -> (std::process::Command, PathBuf) {
        let input = self.context.folder().join("payload.json");
        let output = self.context.folder().join("stdout");
        fs::write(&input, payload.to_string()).unwrap();
        let mut command = self.context.command("sh");
        command
            .args(["-c", super::tracer::WAIT_AND_BECOME, BINARY, "hook", event])
            .stdin(fs::File::open(input).unwrap())
            .stdout(fs::File::create(&output).unwrap())
            .stderr(Stdio::null());
        (command, output)
    }

    /// The counts of blocks of the agent and of its session, as the state file has them.
    pub fn counts(&self) -> Option<(i64, i64)> {
        let connection = rusqlite::Connection::open(self.folder().join("state.db")).ok()?;
        let one = |query: &str| connection.query_row(query, [], |row| row.get(0)).ok();
        Some((
            one("SELECT max(block_count) FROM agents")?,
            one("SELECT sum(blocks) FROM session_blocks")?,
        ))
    }
}

/// Copies the files of a folder that is private.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    fs::set_permissions(to, fs::metadata(from).unwrap().permissions()).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}
