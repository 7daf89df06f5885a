//! What an agent does: each step changes the world, and leaves in the transcript what its host would write of it.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;

use super::world::World;
use crate::common::scene::write;

/// Files that agents change.
const FILES: &[&str] = &[
    "src/a.py",
    "src/b.py",
    "src/new.py",
    "src/deep/made.py",
    "tests/test_new.py",
    "docs/notes.md",
    "config/settings.toml",
];
/// Files that they read.
const READ: &[&str] = &[
    "README.md",
    "docs/guide.md",
    "src/a.py",
    "src/b.py",
    "tests/test_a.py",
];

/// A program that checks something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Program {
    CargoTest,
    Pytest,
    NpmTest,
    GoTest,
    Clippy,
    Tsc,
    CargoBuild,
}

impl Program {
    pub const ALL: [Self; 7] = [
        Self::CargoTest,
        Self::Pytest,
        Self::NpmTest,
        Self::GoTest,
        Self::Clippy,
        Self::Tsc,
        Self::CargoBuild,
    ];

    pub const fn command(self) -> &'static str {
        match self {
            Self::CargoTest => "cargo test",
            Self::Pytest => "pytest",
            Self::NpmTest => "npm test",
            Self::GoTest => "go test ./...",
            Self::Clippy => "cargo clippy",
            Self::Tsc => "npx tsc --noEmit",
            Self::CargoBuild => "cargo build",
        }
    }

    /// The key under which a report tells of it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::CargoTest | Self::Pytest | Self::NpmTest | Self::GoTest => "Tests",
            Self::Clippy => "Lint",
            Self::Tsc => "Typecheck",
            Self::CargoBuild => "Build",
        }
    }
}

/// How a program is run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    Plain,
    Chained,
    WithVariable,
    Verbose,
    Piped,
    Forgiven,
    Announced,
    Script,
    Make,
    Subagent,
    Background,
    Server,
}

impl How {
    const ALL: [Self; 12] = [
        Self::Plain,
        Self::Chained,
        Self::WithVariable,
        Self::Verbose,
        Self::Piped,
        Self::Forgiven,
        Self::Announced,
        Self::Script,
        Self::Make,
        Self::Subagent,
        Self::Background,
        Self::Server,
    ];
    /// Those that show how the run ended.
    const OPEN: [Self; 4] = [
        Self::Plain,
        Self::Chained,
        Self::WithVariable,
        Self::Verbose,
    ];

    fn run(self, world: &mut World<'_>, program: Program, passes: bool) {
        let command = program.command();
        let status = u8::from(!passes);
        let output = if passes {
            "12 passed"
        } else {
            "1 failed, 11 passed"
        };
        match self {
            Self::Plain => world.bash(command, status, output),
            Self::Chained => {
                let command = format!("cd {} && {command}", world.repo.display());
                world.bash(&command, status, output);
            }
            Self::WithVariable => world.bash(&format!("CI=1 {command}"), status, output),
            Self::Verbose => world.bash(&format!("{command} 2>&1"), status, output),
            Self::Piped => world.bash(&format!("{command} 2>&1 | tail -5"), 0, output),
            Self::Forgiven => world.bash(&format!("{command} || true"), 0, output),
            Self::Announced => {
                world.bash(&format!("{command}; echo \"ended with $?\""), 0, output);
            }
            Self::Script => world.bash("./scripts/check.sh", status, output),
            Self::Make => world.bash("make check", status, output),
            Self::Subagent => {
                let input = json!({"description": "Run it", "prompt": "Run the tests", "subagent_type": "general-purpose"});
                world.call("Task", &input, Ok(output));
            }
            Self::Background => {
                let input = json!({"command": command, "run_in_background": true});
                world.call(
                    "Bash",
                    &input,
                    Ok("Command running in background with ID: b1"),
                );
                world.call("BashOutput", &json!({"bash_id": "b1"}), Ok(output));
            }
            Self::Server => world.call(
                "mcp__runner__run_tests",
                &json!({"suite": command}),
                Ok(output),
            ),
        }
    }
}

/// How a commit is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Commit {
    Plain,
    Amended,
    Squashed,
    Beside,
    OnBranch,
}

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    Read,
    Grep,
    Cat,
    Subagent,
}

/// One thing that an agent does.
#[derive(Debug, Clone)]
pub enum Step {
    Write(&'static str),
    ShellWrite(&'static str),
    Delete,
    Commit(Commit),
    Check(Program, How, bool),
    Read(&'static str, By),
    Look,
}

/// Any step.
pub fn any() -> impl Strategy<Value = Step> {
    step(&How::ALL, &[By::Read, By::Grep, By::Cat, By::Subagent])
}

/// A step that hides nothing.
pub fn open() -> impl Strategy<Value = Step> {
    step(&How::OPEN, &[By::Read, By::Grep])
}

fn step(hows: &'static [How], bys: &'static [By]) -> impl Strategy<Value = Step> {
    let commits = [
        Commit::Plain,
        Commit::Amended,
        Commit::Squashed,
        Commit::Beside,
        Commit::OnBranch,
    ];
    prop_oneof![
        4 => select(FILES).prop_map(Step::Write),
        1 => select(FILES).prop_map(Step::ShellWrite),
        1 => Just(Step::Delete),
        2 => select(commits.to_vec()).prop_map(Step::Commit),
        4 => (select(Program::ALL.to_vec()), select(hows), proptest::bool::ANY)
            .prop_map(|(program, how, passes)| Step::Check(program, how, passes)),
        3 => (select(READ), select(bys)).prop_map(|(file, by)| Step::Read(file, by)),
        1 => Just(Step::Look),
    ]
}

impl Step {
    pub fn apply(&self, world: &mut World<'_>) {
        match *self {
            Self::Write(path) => {
                let text = format!(
                    "# written in {}\n{}",
                    world.repo.display(),
                    "line\n".repeat(9)
                );
                world.write(path, &text);
            }
            Self::ShellWrite(path) => {
                write(
                    &world.repo.join(path),
                    "written by a shell, in more words than one\nand more\n",
                );
                world.bash(&format!("echo written > {path}"), 0, "");
                world.touched(path);
            }
            Self::Delete => delete(world),
            Self::Commit(how) => commit(world, how),
            Self::Check(program, how, passes) => {
                how.run(world, program, passes);
                world.checks.insert(program, passes);
            }
            Self::Read(path, by) => read(world, path, by),
            Self::Look => world.bash("git status --short && ls src", 0, "a.py"),
        }
    }

    /// Whether it runs a command, an agent or a server.
    pub fn runs(&self) -> bool {
        match self {
            Self::Write(_) => false,
            Self::Read(_, by) => *by != By::Read && *by != By::Grep,
            _ => true,
        }
    }
}

fn delete(world: &mut World<'_>) {
    let path = "src/old.py";
    if fs::remove_file(world.repo.join(path)).is_ok() {
        world.bash(&format!("rm {path}"), 0, "");
        world.changed.remove(path);
        world.deleted.insert(path.to_owned());
        world.is_clean = false;
    }
}

fn commit(world: &mut World<'_>, how: Commit) {
    let commit = "git add --all && git commit --message 'Do the work'";
    let record = |world: &World<'_>, folder: &Path, more: &[&str]| {
        world.git(folder, &["add", "--all"]);
        let commit = [
            "commit",
            "--quiet",
            "--allow-empty",
            "--message",
            "Do the work",
        ];
        world.git(folder, &[&commit[..], more].concat());
        World::head(folder)
    };
    let repo = world.repo.clone();
    world.is_clean |= how != Commit::Beside;
    match how {
        Commit::Plain => {
            let made = record(world, &repo, &[]);
            world.bash(commit, 0, &made);
            world.commits.push(made);
        }
        Commit::Amended => {
            let first = record(world, &repo, &[]);
            let made = record(world, &repo, &["--amend"]);
            world.bash(commit, 0, &first);
            world.bash("git commit --amend --no-edit", 0, &made);
            world.commits.extend([first, made]);
        }
        Commit::Squashed => {
            let before = World::head(&repo);
            let first = record(world, &repo, &[]);
            world.git(&repo, &["reset", "--quiet", "--soft", &before]);
            let made = record(world, &repo, &[]);
            world.bash(commit, 0, &first);
            world.bash(&format!("git reset --soft {before} && {commit}"), 0, &made);
            world.commits.extend([first, made]);
        }
        Commit::Beside => {
            let beside = world.beside.clone();
            write(
                &beside.join("src/beside.py"),
                &world.commits.len().to_string(),
            );
            let made = record(world, &beside, &[]);
            let folder = beside.display();
            world.bash(
                &format!("cd {folder} && echo x > src/beside.py && {commit}"),
                0,
                &made,
            );
            world.commits.push(made);
        }
        Commit::OnBranch => {
            let name = format!("feature-{}", world.commits.len());
            world.git(&repo, &["checkout", "--quiet", "-b", &name]);
            let made = record(world, &repo, &[]);
            world.bash(&format!("git checkout -b {name} && {commit}"), 0, &made);
            world.commits.push(made);
        }
    }
}

fn read(world: &mut World<'_>, path: &str, by: By) {
    let file = world.repo.join(path);
    match by {
        By::Read => world.call("Read", &json!({"file_path": file}), Ok("1\tline")),
        By::Grep => {
            let input = json!({"pattern": "line", "path": world.repo, "output_mode": "content"});
            world.call("Grep", &input, Ok("found"));
        }
        By::Cat => world.bash(&format!("cat {path}"), 0, "line"),
        By::Subagent => {
            let input = json!({"description": "Look", "prompt": format!("Read {path}"), "subagent_type": "Explore"});
            world.call("Task", &input, Ok("It is fine."));
        }
    }
    world.read.insert(path.to_owned());
}
