//! What all packages say of attest.

use std::process::Command;

use super::{Outcome, Release, printed};

/// In one line.
pub(super) const SUMMARY: &str = "Check from the git work tree what a coding agent says it did";

pub(super) const DESCRIPTION: &str = "\
The hooks of attest compare what an agent reports with what is in the work
tree, and send a false report back to the agent that gave it.

This package installs the program, its manual and completions for shells. It
adds no hooks: each person does that with 'attest install', and takes them out
with 'attest uninstall' before the package is removed.";

/// What a person reads on Windows, whose packages have no manual.
pub(super) const NOTES: &str = "This has added no hooks: run 'attest install' for that, and 'attest uninstall' before \
this is removed.";

/// Who has made the release.
pub(super) fn maintainer(release: &Release) -> Outcome<String> {
    let mut git = Command::new("git");
    git.current_dir(&release.top)
        .args(["log", "-1", "--format=%an <%ae>"]);
    printed(&mut git)
}
