//! The test programs of the workspace, and the tests that each of them has.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// One test program, built.
#[derive(Debug)]
pub(crate) struct Program {
    /// What it is called in a list: the name of its package without the common part, and its own, if that says more.
    pub(crate) name: String,
    file: PathBuf,
    folder: PathBuf,
}

/// Builds what `cargo test --workspace` runs, and finds it.
pub(crate) fn build() -> Result<Vec<Program>, Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut cargo = Command::new("cargo");
    cargo
        .args(["test", "--workspace", "--locked", "--no-run"])
        .args(["--message-format", "json-render-diagnostics"])
        .current_dir(top);
    let output = cargo.stdout(Stdio::piped()).spawn()?.wait_with_output()?;
    if !output.status.success() {
        return Err("the tests cannot be built".into());
    }
    let text = String::from_utf8(output.stdout)?;
    let found: Vec<_> = text.lines().filter_map(Program::of_message).collect();
    if found.is_empty() {
        return Err("the build names no test program".into());
    }
    Ok(found)
}

impl Program {
    /// The program that a line of cargo's messages is about.
    fn of_message(line: &str) -> Option<Self> {
        let message: Value = serde_json::from_str(line).ok()?;
        if message["profile"]["test"] != true {
            return None;
        }
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?;
        let package = folder.file_name()?.to_str()?;
        let target = message["target"]["name"].as_str()?.replace('-', "_");
        let is_package = target.trim_start_matches("attest_") == package.replace('-', "_");
        Some(Self {
            name: if is_package {
                package.into()
            } else {
                format!("{package}/{target}")
            },
            file: message["executable"].as_str()?.into(),
            folder: folder.into(),
        })
    }

    /// It, as cargo would start it.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        command
            .current_dir(&self.folder)
            .env("CARGO_MANIFEST_DIR", &self.folder)
            .stdin(Stdio::null());
        command
    }

    /// The names of the tests that it runs if nothing else is said.
    pub(crate) fn tests(&self) -> Result<Vec<String>, Box<dyn Error>> {
        let left_out = self.list(&["--ignored"])?;
        let mut tests = self.list(&[])?;
        tests.retain(|test| !left_out.contains(test));
        Ok(tests)
    }

    fn list(&self, which: &[&str]) -> Result<Vec<String>, Box<dyn Error>> {
        let mut command = self.command();
        let output = command
            .args(["--list", "--format", "terse"])
            .args(which)
            .stderr(Stdio::inherit())
            .output()?;
        let text = String::from_utf8(output.stdout)?;
        let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
        Ok(names.map(str::to_owned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_named_by_its_package() {
        let name = |folder: &str, target: &str| {
            let line = serde_json::json!({
                "profile": {"test": true},
                "manifest_path": format!("/w/{folder}/Cargo.toml"),
                "target": {"name": target},
                "executable": "/w/target/x",
            });
            Program::of_message(&line.to_string()).map(|program| program.name)
        };
        assert_eq!(name("crates/claim", "attest_claim").unwrap(), "claim");
        assert_eq!(name("crates/attest", "attest").unwrap(), "attest");
        assert_eq!(name("crates/attest", "it").unwrap(), "attest/it");
        let scripted = name("dev/scripted-host", "attest_scripted_host");
        assert_eq!(scripted.unwrap(), "scripted-host");
        let no_test = r#"{"profile": {"test": false}, "executable": "/w/target/x"}"#;
        assert!(Program::of_message(no_test).is_none());
    }
}
