//! Building the program so that nothing of the machine is in it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::target::{System, Target};
use super::{Outcome, Release, printed, run_it};

/// The oldest macOS that runs the program: the first for its newer processors.
const OLDEST_MACOS: &str = "11.0";

/// Libraries of macOS that the program is linked with and that the linker of zig does not have. The
/// linker needs to know no more than where the real ones are.
const FRAMEWORKS: [&str; 2] = ["CoreFoundation", "Security"];

/// Builds the program for `target`.
pub(super) fn program(release: &Release, target: &Target) -> Outcome<PathBuf> {
    run_it(Command::new("rustup").args(["target", "add", target.triple]))?;
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(&release.top)
        .args(["zigbuild", "--release", "--locked", "--package", "attest"])
        .args(["--target", target.triple, "--target-dir"])
        .arg(&release.build)
        .env("SOURCE_DATE_EPOCH", &release.moment)
        .env("ZIG_GLOBAL_CACHE_DIR", release.build.join("zig"))
        .env("CARGO_INCREMENTAL", "0");
    let maps = maps(release)?;
    let for_rust = maps
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={from}={to}"));
    let mut flags: Vec<_> = for_rust.collect();
    let for_c = maps
        .iter()
        .map(|(from, to)| format!("-ffile-prefix-map={from}={to}"));
    // No panic passes through C, so what it takes to unwind it would only be larger.
    let for_c: Vec<_> = for_c
        .chain(["-fno-asynchronous-unwind-tables".to_owned()])
        .collect();
    cargo.env(
        format!("CFLAGS_{}", target.triple.replace('-', "_")),
        for_c.join(" "),
    );
    if target.system == System::MacOs {
        // The linker makes the program's id of all that it writes: folders too, if they are not stripped before.
        flags.push("-Clink-arg=-s".to_owned());
        cargo
            .env("MACOSX_DEPLOYMENT_TARGET", OLDEST_MACOS)
            .env("SDKROOT", frameworks(release)?);
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    run_it(&mut cargo)?;
    Ok(release
        .build
        .join(target.triple)
        .join("release")
        .join(target.program()))
}

/// A program that only writes what goes along: it is quick to build.
pub(super) fn for_this_machine(release: &Release) -> Outcome<PathBuf> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(&release.top)
        .args(["build", "--locked", "--package", "attest", "--target-dir"])
        .arg(&release.build);
    run_it(&mut cargo)?;
    Ok(release.build.join("debug/attest"))
}

/// The folders of this machine that compilers write into what they make, and what stands for each.
fn maps(release: &Release) -> Outcome<Vec<(String, &'static str)>> {
    let maps = vec![
        (cargo_home()?.display().to_string(), "/cargo"),
        (sysroot()?, "/rust"),
        (release.top.display().to_string(), "/attest"),
    ];
    // Neither the flags for C nor the tools of mingw can have it.
    match maps
        .iter()
        .find(|(from, _)| from.contains(char::is_whitespace))
    {
        Some((from, _)) => Err(format!("{from:?} has white space: build in another folder").into()),
        None => Ok(maps),
    }
}

/// The folder in which cargo keeps the libraries' source.
pub(super) fn cargo_home() -> Outcome<PathBuf> {
    match std::env::var_os("CARGO_HOME") {
        Some(folder) => Ok(std::path::absolute(folder)?),
        None => Ok(std::env::home_dir().ok_or("no home folder")?.join(".cargo")),
    }
}

/// The folder of the compiler.
pub(super) fn sysroot() -> Outcome<String> {
    printed(Command::new("rustc").args(["--print", "sysroot"]))
}

/// A folder with empty forms of the frameworks.
fn frameworks(release: &Release) -> Outcome<PathBuf> {
    let sdk = release.scratch.join("macos");
    for name in FRAMEWORKS {
        let folder = sdk.join(format!("System/Library/Frameworks/{name}.framework"));
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(format!("{name}.tbd")), stub(name))?;
    }
    fs::create_dir_all(sdk.join("usr/lib"))?;
    Ok(sdk)
}

fn stub(name: &str) -> String {
    let place = Path::new("/System/Library/Frameworks").join(format!("{name}.framework/{name}"));
    format!(
        "--- !tapi-tbd\ntbd-version: 4\ntargets: [ x86_64-macos, arm64-macos ]\n\
         install-name: '{}'\nexports: []\n...\n",
        place.display()
    )
}
