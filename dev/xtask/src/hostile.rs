//! What anybody writes that a stop reads, in shapes that cost the most, from small to very large: the processor time
//! and the memory that each size takes.

mod circle;
mod shapes;
mod world;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde_json::json;

use crate::reliability::succeed;
use shapes::Shape;
use world::World;

/// Play a stop with hostile messages, prompts, transcripts and repositories, and measure it
#[derive(Debug, clap::Args)]
pub(crate) struct HostileArgs {
    /// The program that is measured, built as for a release
    #[arg(long, default_value = "target/release/attest")]
    program: PathBuf,
    /// Only shapes whose name has this in it
    #[arg(long, default_value = "")]
    shape: String,
    /// The smallest size, in bytes: each one that follows is twice as large
    #[arg(long, default_value_t = 10_000)]
    from: usize,
    /// The largest size, in bytes
    #[arg(long, default_value_t = 100_000_000)]
    to: usize,
    /// How many shapes are drawn at random beside those that have a name
    #[arg(long, default_value_t = 10)]
    drawn: u64,
    /// What they are drawn by
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Run a command, and print the milliseconds and kilobytes that it took
    #[arg(long, hide = true, num_args = 1.., allow_hyphen_values = true)]
    measured: Vec<PathBuf>,
}

/// What a stop may take without anything hostile, and beyond that.
const MOST_SECONDS: f64 = 1.5;
const MOST_MEGABYTES: f64 = 256.0;
/// The same of looking back at a session.
const MOST_SECONDS_OF_AUDIT: f64 = 20.0;

/// What one run took.
#[derive(Debug, Clone, Copy, Default)]
struct Took {
    seconds: f64,
    megabytes: f64,
}

pub(crate) fn run(args: &HostileArgs) -> Result<(), Box<dyn Error>> {
    if let [program, arguments @ ..] = &args.measured[..] {
        return measured(program, arguments);
    }
    let program = fs::canonicalize(&args.program)?;
    let mut shapes = Shape::all(args.drawn, args.seed);
    shapes.retain(|shape| shape.name().contains(&args.shape));
    let beyond = measure_beside_each_other(&program, &shapes, args)?;
    // What is measured beside others takes longer: only alone it is too long.
    let mut failures = Vec::new();
    for shape in beyond {
        let measured = measure(&program, shape, args)?;
        print!("alone:\n{}", measured.figures);
        failures.extend(measured.beyond);
    }
    match failures.as_slice() {
        [] => Ok(()),
        some => Err(format!("beyond the bounds: {}", some.join(", ")).into()),
    }
}

/// Measures as many shapes at a time as there are processors. Those that were beyond the bounds.
fn measure_beside_each_other<'s>(
    program: &Path,
    shapes: &'s [Shape],
    args: &HostileArgs,
) -> Result<Vec<&'s Shape>, Box<dyn Error>> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<Vec<&'s Shape>, String> {
        let mut beyond = Vec::new();
        while let Some(shape) = shapes.get(next.fetch_add(1, Ordering::Relaxed)) {
            let measured = measure(program, shape, args).map_err(|error| error.to_string())?;
            print!("{}", measured.figures);
            beyond.extend(measured.beyond.map(|_| shape));
        }
        Ok(beyond)
    };
    let workers = thread::available_parallelism()?.get();
    thread::scope(|scope| {
        let started: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let mut beyond = Vec::new();
        for worker in started {
            let done = worker.join().map_err(|_| "a measurement panicked")?;
            beyond.append(&mut done?);
        }
        Ok(beyond)
    })
}

/// What was measured of one shape.
struct Measured {
    /// A line for each size.
    figures: String,
    /// The first size that was beyond the bounds.
    beyond: Option<String>,
}

fn measure(program: &Path, shape: &Shape, args: &HostileArgs) -> Result<Measured, Box<dyn Error>> {
    let most = args.to.min(shape.most_bytes());
    let sizes = std::iter::successors(Some(args.from.min(most)), |size| Some(size * 2));
    let sizes = sizes.take_while(|size| *size <= most);
    let most_seconds = if shape.is_kept() {
        MOST_SECONDS_OF_AUDIT
    } else {
        MOST_SECONDS
    };
    let mut usual = Took::default();
    let mut figures = String::new();
    for size in std::iter::once(0).chain(sizes) {
        let took = stop(program, shape, size)?;
        let seconds = took.seconds - usual.seconds;
        let megabytes = took.megabytes - usual.megabytes;
        let is_beyond = seconds > most_seconds || megabytes > MOST_MEGABYTES;
        let mark = if is_beyond { "  BEYOND" } else { "" };
        writeln!(
            figures,
            "{:<28} {size:>11} bytes {seconds:>8.3} s {megabytes:>8.1} MB{mark}",
            shape.name()
        )?;
        if is_beyond {
            let beyond = Some(format!("{} of {size} bytes", shape.name()));
            return Ok(Measured { figures, beyond });
        }
        if size == 0 {
            usual = took;
        }
    }
    let beyond = None;
    Ok(Measured { figures, beyond })
}

/// Starts an agent in a repository, lets it work, and measures its stop with so much of the shape.
fn stop(program: &Path, shape: &Shape, size: usize) -> Result<Took, Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().join("home");
    let root = folder.path().join("repo");
    fs::create_dir_all(home.join(".attest"))?;
    fs::create_dir_all(&root)?;
    fs::write(root.join("a.py"), "a\n")?;
    for git in [
        &["init", "--quiet", "--initial-branch", "main"][..],
        &["add", "--all"],
        &["commit", "--quiet", "-m", "start"],
    ] {
        succeed(git_in(&home, &root).args(git).status()?.success(), "git")?;
    }
    let main = folder.path().join("main.jsonl");
    fs::write(&main, "")?;
    let payload = |agent: &str| {
        let transcript = folder.path().join(agent).with_extension("jsonl");
        json!({"session_id": "s", "agent_id": agent, "agent_type": "worker", "cwd": root,
            "transcript_path": main, "agent_transcript_path": transcript, "hook_event_name": "SubagentStart"})
    };
    let world = World::of(shape, size, &root);
    let taken_back = work_of_another(program, &home, &root, payload("other"))?;
    for path in &world.deleted {
        write(&root.join(path), "")?;
    }
    let mut payload = payload("a");
    hook(program, &home, "start", &payload)?;
    for path in taken_back.iter().chain(&world.deleted) {
        fs::remove_file(root.join(path))?;
    }
    for (path, content) in &world.files {
        write(&root.join(path), content)?;
    }
    if let Some(commit) = &world.commit {
        commit_by_hand(&home, &root, commit)?;
    }
    if world.circle > 0 {
        circle::plant(&root, world.circle)?;
    }
    if world.parents > 0 {
        merge_of_all(&home, &root, world.parents)?;
    }
    let transcript = if world.is_kept {
        let folder = home.join(".claude/projects/-w");
        fs::create_dir_all(&folder)?;
        folder.join("s.jsonl")
    } else {
        folder.path().join("a.jsonl")
    };
    let mut file = fs::File::create(&transcript)?;
    for line in &world.lines {
        writeln!(file, "{line}")?;
    }
    drop(file);
    if world.is_kept {
        return run_measured(program, &home, &["audit", "--json", "--since", "9999d"], "");
    }
    payload["hook_event_name"] = json!("SubagentStop");
    payload["last_assistant_message"] = json!(world.message);
    payload["background_tasks"] = json!(world.background);
    hook(program, &home, "stop", &payload)
}

/// Lets another agent of the session write files and say so.
fn work_of_another(
    program: &Path,
    home: &Path,
    root: &Path,
    mut payload: serde_json::Value,
) -> Result<Vec<String>, Box<dyn Error>> {
    hook(program, home, "start", &payload)?;
    let names: Vec<_> = world::taken_back().collect();
    for name in &names {
        write(&root.join(name), "of another\n")?;
    }
    let message = format!("Status: DONE\nFiles changed: {}", names.join(", "));
    payload["hook_event_name"] = json!("SubagentStop");
    payload["last_assistant_message"] = json!(message);
    hook(program, home, "stop", &payload)?;
    Ok(names)
}

fn write(place: &Path, content: &str) -> std::io::Result<()> {
    fs::create_dir_all(place.parent().unwrap_or(place))?;
    fs::write(place, content)
}

fn git_in(home: &Path, root: &Path) -> Command {
    let mut git = Command::new("git");
    git.current_dir(root).env("HOME", home);
    git.args(["-c", "user.name=T", "-c", "user.email=t@example.invalid"]);
    git
}

/// Puts a commit into the repository that no command of git would make.
fn commit_by_hand(home: &Path, root: &Path, more: &str) -> Result<(), Box<dyn Error>> {
    let said = |args: &[&str], input: &str| -> Result<String, Box<dyn Error>> {
        let mut git = git_in(home, root);
        let mut git = git
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        if let Some(mut stdin) = git.stdin.take() {
            stdin.write_all(input.as_bytes())?;
        }
        let output = git.wait_with_output()?;
        succeed(output.status.success(), "git")?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    };
    let tree = said(&["rev-parse", "HEAD^{tree}"], "")?;
    let head = said(&["rev-parse", "HEAD"], "")?;
    let of = "T <t@example.invalid> 1700000000 +0000";
    let more = more.replace("HEAD", &head);
    let text = format!("tree {tree}\n{more}author {of}\ncommitter {of}\n\nx\n");
    let args = [
        "hash-object",
        "-t",
        "commit",
        "--literally",
        "-w",
        "--stdin",
    ];
    let commit = said(&args, &text)?;
    let branch = root.join(".git/refs/heads/main");
    Ok(fs::write(branch, commit + "\n")?)
}

/// Makes so many commits without a parent, and one that has them all, as far as one object goes.
fn merge_of_all(home: &Path, root: &Path, count: usize) -> Result<(), Box<dyn Error>> {
    let mut import = git_in(home, root);
    let marks = root.join(".git/marks");
    let export = format!("--export-marks={}", marks.display());
    let mut import = import
        .args(["fast-import", "--quiet", &export])
        .stdin(Stdio::piped())
        .spawn()?;
    if let Some(stdin) = import.stdin.take() {
        let mut stdin = std::io::BufWriter::new(stdin);
        for number in 1..=count {
            write!(
                stdin,
                "reset refs/x\ncommit refs/x\nmark :{number}\ncommitter T <t@e> 1700000000 +0000\ndata <<E\n{number}\nE\n\n"
            )?;
        }
    }
    succeed(import.wait()?.success(), "git")?;
    let parents = fs::read_to_string(marks)?;
    let parents = parents.lines().filter_map(|line| line.split_once(' '));
    let parents: String = parents
        .flat_map(|(_, oid)| ["parent ", oid, "\n"])
        .collect();
    commit_by_hand(home, root, &parents)
}

/// Plays the host, and measures the hook.
fn hook(
    program: &Path,
    home: &Path,
    event: &str,
    payload: &serde_json::Value,
) -> Result<Took, Box<dyn Error>> {
    run_measured(program, home, &["hook", event], &payload.to_string())
}

fn run_measured(
    program: &Path,
    home: &Path,
    args: &[&str],
    input: &str,
) -> Result<Took, Box<dyn Error>> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut hook = Command::new(std::env::current_exe()?);
    hook.env_clear().env("HOME", home).env("PATH", path);
    hook.env("ATTEST_ENFORCE", "1").env("ATTEST_STRICT", "all");
    hook.args(["hostile", "--measured"]);
    hook.arg(program).args(args);
    hook.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut hook = hook.stderr(Stdio::null()).spawn()?;
    if let Some(mut stdin) = hook.stdin.take() {
        // A hook that has read enough may close it.
        let _ = stdin.write_all(input.as_bytes());
    }
    let output = hook.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    let figures = text.split_whitespace().map(str::parse);
    let figures: Vec<f64> = figures.collect::<Result<_, _>>()?;
    match figures[..] {
        [milliseconds, kilobytes] => Ok(Took {
            seconds: milliseconds / 1000.0,
            megabytes: kilobytes / 1024.0,
        }),
        _ => Err("the hook was not measured".into()),
    }
}

#[cfg(unix)]
fn measured(program: &Path, arguments: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    use nix::sys::resource::{UsageWho, getrusage};
    use nix::sys::time::TimeValLike as _;

    let mut command = Command::new(program);
    let status = command.args(arguments).stdout(Stdio::null()).status()?;
    succeed(status.success(), "the hook")?;
    // The program is the only child.
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let used = usage.user_time() + usage.system_time();
    println!("{} {}", used.num_milliseconds(), usage.max_rss());
    Ok(())
}

#[cfg(not(unix))]
fn measured(_program: &Path, _arguments: &[PathBuf]) -> Result<(), Box<dyn Error>> {
    Err("only measured on Unix".into())
}
