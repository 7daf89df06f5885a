//! The pictures of the README: what `attest demo` prints, and the page of `attest report`.

mod demo;
mod report;

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Make docs/demo.svg from what `attest demo` prints, and docs/report.png from a page of `attest report`
#[derive(Debug, clap::Args)]
pub(crate) struct PictureArgs {
    /// The browser that draws the page; without one the page is left out
    #[arg(long, value_name = "PROGRAM")]
    browser: Option<PathBuf>,
}

pub(crate) fn run(args: &PictureArgs) -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut build = Command::new("cargo");
    build
        .current_dir(&top)
        .args(["build", "--quiet", "--package", "attest"]);
    printed(&mut build)?;
    let program = top.join("target/debug/attest").canonicalize()?;
    fs::write(top.join("docs/demo.svg"), demo::draw(&program)?)?;
    match &args.browser {
        Some(browser) => report::draw(browser, &program, &top.join("docs/report.png")),
        None => Ok(()),
    }
}

/// Runs a program, which has to succeed, and gives what it printed.
fn printed(command: &mut Command) -> Result<String, Box<dyn Error>> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(String::from_utf8(output.stdout)?);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?} ended with {}: {said}", output.status).into())
}
