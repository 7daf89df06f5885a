//! What a program has to be before it is handed out.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::target::{System, Target};
use super::{Outcome, Release, build, printed};

/// So that a library more, or one that is built for speed, is noticed: about a tenth above what there was.
const LARGEST_PROGRAM: u64 = 13_500_000;
const LARGEST_ARCHIVE: u64 = 6_750_000;
/// For `attest --version`, as callgrind counts them.
const MOST_INSTRUCTIONS: u64 = 430_000;

/// Its size, its start, and that no path of this machine is in it.
pub(super) fn program(release: &Release, target: &Target, program: &Path) -> Outcome<()> {
    let bytes = fs::read(program)?;
    at_most(
        program,
        "bytes",
        u64::try_from(bytes.len())?,
        LARGEST_PROGRAM,
    )?;
    let home = std::env::home_dir().ok_or("no home folder")?;
    let own = [
        release.top.display().to_string(),
        build::cargo_home()?.display().to_string(),
        build::sysroot()?,
        home.join(".cache").display().to_string(),
    ];
    for place in own {
        if contains(&bytes, place.as_bytes()) {
            return Err(format!("{} names {place}", program.display()).into());
        }
    }
    if target.system == System::Linux && target.triple.starts_with(std::env::consts::ARCH) {
        let count = instructions(release, program)?;
        at_most(program, "instructions", count, MOST_INSTRUCTIONS)?;
    }
    Ok(())
}

pub(super) fn archive(archive: &Path) -> Outcome<()> {
    let size = fs::metadata(archive)?.len();
    at_most(archive, "bytes", size, LARGEST_ARCHIVE)
}

fn at_most(file: &Path, unit: &str, is: u64, most: u64) -> Outcome<()> {
    let name = file.file_name().unwrap_or(file.as_os_str()).display();
    println!("figure {name} {is} {unit}, at most {most}");
    if is <= most {
        return Ok(());
    }
    Err(format!("{name} has {is} {unit}, more than {most}").into())
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn instructions(release: &Release, program: &Path) -> Outcome<u64> {
    let counts = release.scratch.join("callgrind");
    let mut valgrind = Command::new("valgrind");
    // The allocator looks through all variables, of which cargo sets many.
    valgrind
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .args(["--tool=callgrind", "--error-exitcode=1"])
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(program)
        .arg("--version");
    printed(&mut valgrind)?;
    let counts = fs::read_to_string(counts)?;
    let total = counts
        .lines()
        .find_map(|line| line.strip_prefix("totals: ")?.trim().parse().ok());
    total.ok_or_else(|| "callgrind gave no total".into())
}
