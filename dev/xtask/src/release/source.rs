//! The source with all libraries that it is built from, so that building needs no network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{Outcome, Release, archive, printed, run_it};

/// Packs what is committed, and the libraries.
pub(super) fn pack(release: &Release) -> Outcome<PathBuf> {
    let name = release.name("");
    let folder = release.scratch.join(&name);
    let committed = release.scratch.join("committed.tar");
    let mut git = Command::new("git");
    git.current_dir(&release.top)
        .args(["archive", "--format=tar", "HEAD", "--output"])
        .arg(&committed);
    run_it(&mut git)?;
    fs::create_dir(&folder)?;
    let mut tar = Command::new("tar");
    tar.args(["--extract", "--file"])
        .arg(&committed)
        .arg("--directory")
        .arg(&folder);
    run_it(&mut tar)?;
    vendor(&folder)?;
    archive::tar(release, &name)
}

/// Puts the libraries into the folder, and tells cargo that they are there.
fn vendor(folder: &Path) -> Outcome<()> {
    let mut cargo = Command::new("cargo");
    cargo
        .current_dir(folder)
        .args(["vendor", "--locked", "--versioned-dirs", "vendor"]);
    let told = printed(&mut cargo)?;
    let config = folder.join(".cargo/config.toml");
    let mut text = fs::read_to_string(&config)?;
    text.push_str(&format!("\n{told}\n"));
    Ok(fs::write(config, text)?)
}
