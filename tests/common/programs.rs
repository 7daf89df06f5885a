//! Programs that a test makes and runs at once.

use std::fs;
use std::path::Path;

/// Makes a program of `text`, and the folder of it.
///
/// Another process writes it. A file that this one writes is for a moment also open in each process that another test
/// starts, and no system runs what is open to be written ("text file busy").
pub fn make_program(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    #[cfg(unix)]
    run_shell(r#"printf %s "$1" >"$0" && chmod 755 "$0""#, path, text);
    #[cfg(not(unix))]
    fs::write(path, text).unwrap();
}

/// Puts the binary under test at `path`, in the same way.
#[cfg(unix)]
pub fn put_binary(path: &Path) {
    if fs::hard_link(super::BINARY, path).is_err() {
        run_shell(r#"cp -- "$1" "$0""#, path, super::BINARY);
    }
}

#[cfg(unix)]
fn run_shell(script: &str, path: &Path, argument: &str) {
    let mut shell = std::process::Command::new("/bin/sh");
    shell.args(["-c", script]).arg(path).arg(argument);
    let status = shell.status().unwrap();
    assert!(status.success(), "{shell:?}: {status}");
}
