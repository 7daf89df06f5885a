//! A program that leaves a mark.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::common::TestContext;

/// Writes a program that leaves a mark, and passes on what it reads.
pub(crate) fn plant(context: &TestContext, program: &Path) {
    fs::create_dir_all(program.parent().unwrap()).unwrap();
    let mark = mark(context);
    let text = format!("#!/bin/sh\necho \"$0 $*\" >> '{}'\ncat\n", mark.display());
    fs::write(program, text).unwrap();
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// Where it leaves the mark.
pub(crate) fn mark(context: &TestContext) -> PathBuf {
    context.folder().join("ran")
}

/// Runs `act`, and fails if any such program runs meanwhile.
pub(crate) fn nothing_runs<T>(context: &TestContext, what: &str, act: impl FnOnce() -> T) -> T {
    drop(fs::remove_file(mark(context)));
    let result = act();
    let ran = fs::read_to_string(mark(context));
    assert!(ran.is_err(), "{what}: {ran:?}");
    result
}
