//! Whole hook processes on a small repository, side by side in one interleaved run.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

/// Measure the hooks on a repository of 202 files
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// How often each row is run
    #[arg(long, default_value_t = 100)]
    rounds: usize,
    /// The start hook of the Python tool, as one shell command that reads the payload
    #[arg(long, value_name = "COMMAND")]
    python: Option<String>,
}

/// One row of the table.
struct Row {
    name: &'static str,
    run: Box<dyn Fn(usize) -> io::Result<Command>>,
    payload: Box<dyn Fn(usize) -> String>,
    times: Vec<Duration>,
}

pub(crate) fn run(args: &BenchArgs) -> io::Result<()> {
    let binary = build()?;
    let folder = TempDir::new()?;
    let repository = small_repository(folder.path())?;
    let mut rows = rows(args, &binary, folder.path(), &repository);
    for round in 0..args.rounds.max(1) {
        for row in &mut rows {
            let mut command = (row.run)(round)?;
            let took = time(&mut command, &(row.payload)(round))?;
            row.times.push(took);
        }
    }
    print(&mut rows);
    Ok(())
}

/// Builds the binary as it is released.
pub(crate) fn build() -> io::Result<PathBuf> {
    let built = Command::new("cargo")
        .args(["build", "--quiet", "--release", "--package", "attest"])
        .status()?;
    if !built.success() {
        return Err(io::Error::other("the release binary could not be built"));
    }
    // This program lies in the folder of its own profile, beside that of the release.
    let own = std::env::current_exe()?;
    let target = own.ancestors().nth(2).unwrap_or(Path::new("target"));
    let name = format!("attest{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join("release").join(name))
}

/// 202 tracked files, of which 20 are modified and 5 deleted, and 20 untracked ones.
fn small_repository(folder: &Path) -> io::Result<PathBuf> {
    let root = folder.join("repository");
    fs::create_dir(&root)?;
    for number in 0..202 {
        let path = root.join(format!("src{}/file{number}.txt", number / 20));
        fs::create_dir_all(path.parent().unwrap_or(&root))?;
        fs::write(path, format!("file {number}\n").repeat(50))?;
    }
    for arguments in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=bench",
            "-c",
            "user.email=bench@example.invalid",
            "commit",
            "--quiet",
            "--message",
            "start",
        ],
    ] {
        git(&root, arguments)?;
    }
    for number in 0..20 {
        fs::write(
            root.join(format!("src{}/file{number}.txt", number / 20)),
            "modified\n",
        )?;
        fs::write(root.join(format!("untracked{number}.txt")), "untracked\n")?;
    }
    for number in 100..105 {
        fs::remove_file(root.join(format!("src{}/file{number}.txt", number / 20)))?;
    }
    Ok(root)
}

pub(crate) fn git(folder: &Path, arguments: &[&str]) -> io::Result<()> {
    let done = Command::new("git")
        .args(arguments)
        .current_dir(folder)
        .status()?;
    if !done.success() {
        return Err(io::Error::other(format!("git {arguments:?} failed")));
    }
    Ok(())
}

fn rows(args: &BenchArgs, binary: &Path, folder: &Path, repository: &Path) -> Vec<Row> {
    let home = folder.join("home");
    let hook = |event: &'static str, state: fn(usize) -> String| {
        let (binary, home, repository) = (binary.to_owned(), home.clone(), repository.to_owned());
        move |round| {
            fs::create_dir_all(&home)?;
            let mut command = Command::new(&binary);
            command
                .args(["hook", event])
                .current_dir(&repository)
                .env("HOME", &home);
            command.env("ATTEST_STATE_DB", home.join(state(round)).join("state.db"));
            Ok(command)
        }
    };
    let payload = |extra: &'static str| {
        let repository = repository.to_owned();
        move |round| {
            let message = format!("Status: DONE\nFiles changed: {extra}");
            json!({"session_id": "bench", "agent_id": format!("a{round}"), "cwd": repository,
                "agent_type": "bench", "last_assistant_message": message})
            .to_string()
        }
    };
    let known = |_: usize| "known".to_owned();
    let mut rows = vec![
        row(
            "start hook, first ever (new state file)",
            hook("start", |round| format!("new{round}")),
            payload(""),
        ),
        row("start hook", hook("start", known), payload("")),
        row("stop hook", hook("stop", known), payload("src0/file0.txt")),
        row(
            "attest --version",
            {
                let binary = binary.to_owned();
                move |_| {
                    let mut command = Command::new(&binary);
                    command.arg("--version");
                    Ok(command)
                }
            },
            |_| String::new(),
        ),
        row(
            "git status",
            {
                let repository = repository.to_owned();
                move |_| {
                    let mut command = Command::new("git");
                    command.args(["--no-optional-locks", "status", "--porcelain"]);
                    command.current_dir(&repository);
                    Ok(command)
                }
            },
            |_| String::new(),
        ),
    ];
    if let Some(python) = args.python.clone() {
        let (home, repository) = (home, repository.to_owned());
        let run = move |_| {
            let mut command = Command::new("sh");
            command
                .args(["-c", &python])
                .current_dir(&repository)
                .env("HOME", &home);
            Ok(command)
        };
        let repository = repository_payload(folder);
        rows.push(row("Python start hook", run, repository));
    }
    rows
}

fn repository_payload(folder: &Path) -> impl Fn(usize) -> String + 'static {
    let repository = folder.join("repository");
    move |round| {
        json!({"session_id": "python", "agent_id": format!("p{round}"), "cwd": repository})
            .to_string()
    }
}

fn row(
    name: &'static str,
    run: impl Fn(usize) -> io::Result<Command> + 'static,
    payload: impl Fn(usize) -> String + 'static,
) -> Row {
    Row {
        name,
        run: Box::new(run),
        payload: Box::new(payload),
        times: Vec::new(),
    }
}

fn time(command: &mut Command, payload: &str) -> io::Result<Duration> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let began = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads no input has closed it.
        let _ = stdin.write_all(payload.as_bytes());
    }
    let status = child.wait()?;
    let took = began.elapsed();
    if !status.success() {
        return Err(io::Error::other(format!("{command:?} failed")));
    }
    Ok(took)
}

/// Medians, the quartiles, and the ratio to `git status` of the same run.
fn print(rows: &mut [Row]) {
    for row in &mut *rows {
        row.times.sort();
    }
    let reference = rows
        .iter()
        .find(|row| row.name == "git status")
        .map(|row| at(row, 2));
    println!(
        "{:<42} {:>8} {:>17} {:>12}",
        "", "median", "quartiles", "git status"
    );
    for row in rows {
        let ratio = reference.map_or(0.0, |reference| at(row, 2) / reference);
        println!(
            "{:<42} {:>5.2} ms {:>5.2} to {:>5.2} ms {ratio:>10.2} x",
            row.name,
            at(row, 2),
            at(row, 1),
            at(row, 3)
        );
    }
}

/// A quartile in milliseconds.
fn at(row: &Row, quartile: usize) -> f64 {
    let index = (row.times.len() - 1) * quartile / 4;
    row.times
        .get(index)
        .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}
