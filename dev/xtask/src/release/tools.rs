//! What makes a release has to be what the repository names, or the bytes are others.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Outcome, printed};

/// A name and a version on each line.
const PINNED: &str = include_str!("tools.txt");

/// Refuses tools of other versions than those which the project in `top` names.
pub(super) fn check(top: &Path) -> Outcome<()> {
    let mut rust = Command::new("rustc");
    rust.arg("--version").current_dir(top);
    is_pinned("rustc", &toolchain(top)?, &printed(&mut rust)?)?;
    is_pinned("zig", version("zig")?, &zig()?)?;
    let builder = printed(Command::new("cargo-zigbuild").arg("--version"))?;
    is_pinned("cargo-zigbuild", version("cargo-zigbuild")?, &builder)
}

/// What the zig says that cargo-zigbuild takes.
fn zig() -> Outcome<String> {
    printed(Command::new("python3").args(["-m", "ziglang", "version"]))
        .or_else(|_| printed(Command::new("zig").arg("version")))
}

fn is_pinned(tool: &str, version: &str, said: &str) -> Outcome<()> {
    if said.split_whitespace().any(|word| word == version) {
        return Ok(());
    }
    Err(format!("{tool} has to be {version}, and is {said:?}: run .ci/release-tools").into())
}

/// The Rust of this project.
fn toolchain(top: &Path) -> Outcome<String> {
    let text = fs::read_to_string(top.join("rust-toolchain.toml"))?;
    let channel = text
        .lines()
        .find_map(|line| line.strip_prefix("channel = "));
    let channel = channel.ok_or("rust-toolchain.toml names no channel")?;
    Ok(channel.trim_matches('"').to_owned())
}

fn version(tool: &str) -> Outcome<&'static str> {
    let mut lines = PINNED.lines().filter_map(|line| line.split_once(' '));
    let version = lines.find_map(|(name, version)| (name == tool).then_some(version));
    version.ok_or_else(|| format!("no version of {tool} is named").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_version_is_refused() {
        for tool in ["zig", "cargo-zigbuild"] {
            let version = version(tool).unwrap();
            assert!(version.starts_with(|first: char| first.is_ascii_digit()));
            is_pinned(tool, version, &format!("{tool} {version} (2026-01-01)")).unwrap();
            let error = is_pinned(tool, version, &format!("{tool} {version}1")).unwrap_err();
            assert!(error.to_string().ends_with(".ci/release-tools"), "{error}");
        }
    }
}
