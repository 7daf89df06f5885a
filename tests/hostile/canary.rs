//! A program that leaves a mark.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use crate::common::TestContext;
use crate::common::programs::make_program;

/// Writes a program that leaves a mark, and passes on what it reads.
pub(crate) fn plant(context: &TestContext, program: &Path) {
    let mark = mark(context);
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display());
    make_program(program, &text);
}

/// The same, but one that reads nothing and ends: two that pass on what they read may wait for each
/// other for ever.
pub(crate) fn plant_brief(context: &TestContext, program: &Path) {
    let mark = mark(context);
    make_program(
        program,
        &format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\n", mark.display()),
    );
}

/// Where it leaves the mark.
pub(crate) fn mark(context: &TestContext) -> PathBuf {
    context.folder().join("ran")
}

/// That git runs such a program: otherwise nothing is shown by none having run. What git says of it does
/// not matter.
#[track_caller]
pub(crate) fn is_sprung(context: &TestContext, root: &Path, arguments: &[&str]) {
    drop(fs::remove_file(mark(context)));
    let mut git = context.command("git");
    git.current_dir(root).args(arguments).stdin(Stdio::null());
    git.output().unwrap();
    assert!(mark(context).exists(), "{arguments:?}");
}

/// Runs `act`, and fails if any such program runs meanwhile.
pub(crate) fn nothing_runs<T>(context: &TestContext, what: &str, act: impl FnOnce() -> T) -> T {
    drop(fs::remove_file(mark(context)));
    let result = act();
    let ran = fs::read_to_string(mark(context));
    assert!(ran.is_err(), "{what}: {ran:?}");
    result
}
