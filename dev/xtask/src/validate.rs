//! docs/VALIDATION.md: every scenario on every version of the real host, and what came of it.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Play every scenario on the real Claude Code and write docs/VALIDATION.md
#[derive(Debug, clap::Args)]
pub(crate) struct ValidateArgs {
    /// Where the versions are installed, each in a folder of its name
    #[arg(long, value_name = "DIR")]
    hosts: Option<PathBuf>,
}

/// The tests that play the scenarios leave the page here, if they played all of them.
const NEW: &str = "target/tmp/VALIDATION.md";

pub(crate) fn run(args: &ValidateArgs) -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut tests = Command::new("cargo");
    tests.current_dir(&top).args([
        "test",
        "--quiet",
        "--package",
        "attest",
        "--test",
        "claude_code",
    ]);
    tests.env("ATTEST_TEST_HOSTS", "1");
    if let Some(hosts) = &args.hosts {
        tests.env("ATTEST_TEST_CLAUDE_CODE", std::path::absolute(hosts)?);
    }
    let is_well = tests.status()?.success();
    fs::copy(top.join(NEW), top.join("docs/VALIDATION.md"))
        .map_err(|error| format!("not everything was played: {NEW}: {error}"))?;
    if is_well {
        Ok(())
    } else {
        Err("not as it must be: see the lines above".into())
    }
}
