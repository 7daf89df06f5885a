//! docs/demo.svg: what `attest demo` prints in a terminal.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use anstyle_svg::Term;

/// Run `attest demo` and write what it prints as docs/demo.svg
#[derive(Debug, clap::Args)]
pub(crate) struct PictureArgs {}

pub(crate) fn run(_args: &PictureArgs) -> Result<(), Box<dyn Error>> {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut demo = Command::new("cargo");
    demo.current_dir(&top)
        .args(["run", "--quiet", "--package", "attest", "--", "demo"])
        .env("CLICOLOR_FORCE", "1");
    let output = demo.output()?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(format!("attest demo ended with {}: {said}", output.status).into());
    }
    let text = format!("$ attest demo\n{}", String::from_utf8(output.stdout)?);
    Ok(fs::write(
        top.join("docs/demo.svg"),
        Term::new().render_svg(&text) + "\n",
    )?)
}
