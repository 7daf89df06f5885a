//! Whole processes side by side, in one interleaved run for each repository.

pub(crate) mod page;
mod report;
mod repository;
mod rows;

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use tempfile::TempDir;

pub(crate) use report::machine;

use report::Report;

/// Measure the hooks side by side with git and with the least that a reading can cost
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    /// How often each row is run
    #[arg(long, default_value_t = 20)]
    rounds: usize,
    /// The repositories to measure on; all of them unless given
    #[arg(long, value_enum, value_delimiter = ',')]
    case: Vec<Case>,
    /// The start hook of the Python tool, as one shell command that reads the payload
    #[arg(long, value_name = "COMMAND")]
    python: Option<String>,
    /// Build the programs as install.sh does where the C library has a static form
    #[arg(long)]
    as_installed: bool,
    /// Write the tables to docs/PERFORMANCE.md
    #[arg(long)]
    write: bool,
}

/// A repository to measure on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Case {
    /// 202 files
    S,
    /// 10,021 files in 1,000 folders
    M,
    /// 100,201 files in 10,000 folders
    L,
    /// M with seven folders above all of its files
    Deep,
    /// S with 20,000 untracked files
    Untracked,
    /// S with one untracked file of 200 MB
    Large,
    /// S with 50,000 ignored files
    Ignored,
    /// M as a copy, so that git has to look into every file
    Stale,
}

/// The programs that are measured.
pub(crate) struct Programs {
    pub(crate) attest: PathBuf,
    /// The lower bounds and the other readers.
    probe: PathBuf,
}

pub(crate) fn run(args: &BenchArgs) -> io::Result<()> {
    let programs = build(args.as_installed)?;
    let cases = if args.case.is_empty() {
        Case::value_variants()
    } else {
        &args.case
    };
    let mut reports = Vec::new();
    for case in cases {
        let folder = TempDir::new()?;
        let mut rows = rows::rows(*case, &programs, folder.path(), args.python.as_deref())?;
        for round in 0..=args.rounds {
            for row in &mut rows {
                let took = row.run(round)?;
                // The first round fills the caches.
                if round > 0 {
                    row.times.push(took);
                }
            }
        }
        let peak = rows::peak_memory(&programs, folder.path())?;
        let report = Report::new(*case, rows, peak);
        println!("{report}");
        reports.push(report);
    }
    if args.write {
        report::write(&reports, args)?;
    }
    Ok(())
}

/// Builds them as they are released.
pub(crate) fn build(as_installed: bool) -> io::Result<Programs> {
    // This program lies in the folder of its own profile, beside that of the release.
    let own = std::env::current_exe()?;
    let mut folder = own
        .ancestors()
        .nth(2)
        .unwrap_or(Path::new("target"))
        .to_owned();
    let mut options = Vec::new();
    if as_installed {
        let host = host_triple()?;
        folder.push(&host);
        options.extend(["--config", ".cargo/static.toml", "--target"].map(String::from));
        options.push(host);
    }
    for package in [&["--package", "attest"][..], &["--bin", "probe"]] {
        let built = Command::new("cargo")
            .args(["build", "--quiet", "--release"])
            .args(package)
            .args(&options)
            .status()?;
        if !built.success() {
            return Err(io::Error::other("a release binary could not be built"));
        }
    }
    let program = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        folder.join("release").join(name)
    };
    Ok(Programs {
        attest: program("attest"),
        probe: program("probe"),
    })
}

/// The name that Rust has for this system.
fn host_triple() -> io::Result<String> {
    let output = Command::new("rustc").arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.map(ToOwned::to_owned)
        .ok_or_else(|| io::Error::other("rustc does not say what system this is"))
}

/// Runs one process from its start to its end.
fn time(command: &mut Command, input: &str) -> io::Result<Duration> {
    use std::io::Write;
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let began = Instant::now();
    let mut child = command.spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that reads no input has closed it.
        let _ = stdin.write_all(input.as_bytes());
    }
    let status = child.wait()?;
    let took = began.elapsed();
    if !status.success() {
        return Err(io::Error::other(format!("{command:?} failed")));
    }
    Ok(took)
}
