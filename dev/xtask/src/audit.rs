//! How many claims of what is nowhere `attest audit` finds among sessions that hosts have kept, and how many honest
//! ones it lists; and how long it takes for very many.

use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use serde_json::json;

use crate::reliability::{succeed, test};

/// Play sessions as hosts keep them, honest ones of every form and planted ghosts, and look back at them
#[derive(Debug, clap::Args)]
pub(crate) struct AuditArgs {
    /// Sessions, half of them with a ghost where there can be one
    #[arg(long, default_value_t = 1000)]
    sessions: u32,
    /// Measure the time for so many transcripts instead
    #[arg(long)]
    transcripts: Option<u32>,
    /// Megabytes of all of these
    #[arg(long, default_value_t = 1000)]
    megabytes: u32,
    /// The program that is measured; otherwise one is built as for a release
    #[arg(long)]
    program: Option<PathBuf>,
}

const FIGURE: &str = "figure audit-";
/// Calls of a tool in one turn of a transcript that is measured.
const CALLS: u64 = 6;

pub(crate) fn run(args: &AuditArgs) -> Result<(), Box<dyn Error>> {
    match args.transcripts {
        Some(count) => measure(
            count,
            u64::from(args.megabytes) * 1_000_000,
            args.program.as_deref(),
        ),
        None => play(args.sessions),
    }
}

/// The test fails if an honest report is listed, or a ghost in sight is not.
fn play(sessions: u32) -> Result<(), Box<dyn Error>> {
    let mut command = test("attest", "it", "audit::every_ghost");
    command.env("PROPTEST_CASES", sessions.to_string());
    let output = command.stdout(Stdio::piped()).spawn()?.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    if !output.status.success() {
        print!("{text}");
    }
    succeed(output.status.success(), "audit")?;
    println!("| | sessions | listed |\n|---|---|---|");
    for (what, all, listed) in [
        ("honest", "honest", "honest-listed"),
        ("a ghost in sight", "in-sight", "listed"),
        (
            "a ghost that a program may have made",
            "unread",
            "unread-listed",
        ),
    ] {
        println!(
            "| {what} | {} | {} |",
            figure(&text, all)?,
            figure(&text, listed)?
        );
    }
    let seen = figure(&text, "in-sight")? + figure(&text, "unread")?;
    println!(
        "| a ghost that something unseen may have made, or where nobody can look | {} | {} |",
        figure(&text, "ghosts")? - seen,
        figure(&text, "beyond")?
    );
    Ok(())
}

fn figure(text: &str, name: &str) -> Result<u32, Box<dyn Error>> {
    let start = format!("{FIGURE}{name} ");
    let value = text.lines().find_map(|line| line.split_once(&start));
    let value = value.ok_or_else(|| format!("there is no figure {name}"))?.1;
    Ok(value.trim().parse()?)
}

/// Writes a home, looks back at it, and prints the time.
fn measure(count: u32, bytes: u64, program: Option<&Path>) -> Result<(), Box<dyn Error>> {
    let program = program.map_or_else(built, |program| Ok(program.to_owned()))?;
    let home = tempfile::tempdir()?;
    let root = home.path().join("work");
    repository(&root)?;
    let written = write(home.path(), &root, count, bytes)? / 1_000_000;
    let mut command = Command::new(program);
    let path = std::env::var_os("PATH").unwrap_or_default();
    command.args(["audit", "--json"]).env_clear();
    command.env("HOME", home.path()).env("PATH", path);
    let (begun, before) = (Instant::now(), processor_seconds()?);
    let output = command.stderr(Stdio::inherit()).output()?;
    let took = begun.elapsed().as_secs_f64();
    let used = processor_seconds()? - before;
    succeed(output.status.success(), "attest audit")?;
    let said: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    println!("{count} transcripts, {written} MB: {took:.1} s, {used:.1} s of processors");
    let found = said["not_found"].as_array().map_or(0, Vec::len);
    let (reports, claims) = (&said["reports"], &said["claims"]);
    println!("{reports} reports, {claims} with a claim, {found} not found");
    Ok(())
}

/// The program as a release has it.
fn built() -> Result<PathBuf, Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--locked", "--package", "attest"]);
    succeed(build.current_dir(&top).status()?.success(), "the build")?;
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    Ok(target
        .unwrap_or_else(|| top.join("target"))
        .join("release/attest"))
}

/// What the processes that have ended used, on all processors.
#[cfg(unix)]
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let used = usage.user_time() + usage.system_time();
    Ok(f64::from(i32::try_from(used.num_milliseconds())?) / 1000.0)
}

#[cfg(not(unix))]
fn processor_seconds() -> Result<f64, Box<dyn Error>> {
    Err("only measured on Unix".into())
}

fn repository(root: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(root.join("src"))?;
    for number in 0..1000 {
        fs::write(root.join(format!("src/file_{number}.py")), "x\n")?;
    }
    for args in [
        &["init", "--quiet"][..],
        &["add", "--all"],
        &[
            "-c",
            "user.name=T",
            "-c",
            "user.email=t@example.invalid",
            "commit",
            "--quiet",
            "-m",
            "start",
        ],
    ] {
        let mut git = Command::new("git");
        succeed(git.args(args).current_dir(root).status()?.success(), "git")?;
    }
    Ok(())
}

/// Writes transcripts of subagents whose sizes differ, one in a hundred with a ghost. Returns how many bytes.
fn write(home: &Path, root: &Path, count: u32, bytes: u64) -> Result<u64, Box<dyn Error>> {
    let each = bytes / u64::from(count.max(1));
    let mut written = 0;
    for number in 0..count {
        // From a fifth of the mean to nearly twice that.
        let size = each / 5 + each * 16 / 10 * u64::from(number % 100) / 99;
        let folder = home.join(format!(
            ".claude/projects/-work/session-{}/subagents",
            number / 10
        ));
        fs::create_dir_all(&folder)?;
        let file = fs::File::create(folder.join(format!("agent-a{number}.jsonl")))?;
        let mut out = std::io::BufWriter::new(file);
        written += transcript(&mut out, root, number, size)?;
        out.flush()?;
    }
    Ok(written)
}

fn transcript(
    out: &mut impl std::io::Write,
    root: &Path,
    number: u32,
    size: u64,
) -> Result<u64, Box<dyn Error>> {
    let session = format!("session-{}", number / 10);
    let line = |kind: &str, message: serde_json::Value| {
        json!({"type": kind, "cwd": root, "sessionId": session, "agentId": format!("a{number}"),
            "isSidechain": true, "attributionAgent": "general-purpose", "message": message})
        .to_string()
    };
    let mut written = 0;
    let mut put = |text: String| -> std::io::Result<u64> {
        writeln!(out, "{text}")?;
        Ok(text.len() as u64 + 1)
    };
    written += put(line("user", json!({"content": "Do it."})))?;
    let file = root.join(format!("src/file_{}.py", number % 1000));
    let mut call = 0;
    while written < size {
        call += 1;
        let id = format!("t{call}");
        let (tool, input) = match call % CALLS {
            0 => (
                "Edit",
                json!({"file_path": file, "old_string": "x".repeat(400), "new_string": "y".repeat(500)}),
            ),
            1 => (
                "Bash",
                json!({"command": "git status --short && sed -n 1,80p src/a.py | head"}),
            ),
            _ => ("Read", json!({"file_path": file})),
        };
        let used = json!([{"type": "tool_use", "id": id, "name": tool, "input": input}]);
        written += put(line(
            "assistant",
            json!({"id": format!("m{call}"), "stop_reason": "tool_use", "content": used}),
        ))?;
        let shown = "    return [\"a line of a file\", 'quoted', value]\n".repeat(80);
        let result = json!([{"type": "tool_result", "tool_use_id": id, "content": shown}]);
        written += put(line("user", json!({"content": result})))?;
    }
    let ghost = if number % 100 == 7 {
        format!(", src/ghost_{number}.py")
    } else {
        String::new()
    };
    let report = format!(
        "Status: DONE\nFiles changed: src/file_{}.py{ghost}",
        number % 1000
    );
    let said = json!([{"type": "text", "text": report}]);
    written += put(line(
        "assistant",
        json!({"id": "last", "stop_reason": "end_turn", "content": said}),
    ))?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_found_by_their_names() {
        let text = "test x ... figure audit-honest 4\nfigure audit-honest-listed 0\n";
        assert_eq!(figure(text, "honest").unwrap(), 4);
        assert_eq!(figure(text, "honest-listed").unwrap(), 0);
        assert!(figure(text, "ghosts").is_err());
    }
}
