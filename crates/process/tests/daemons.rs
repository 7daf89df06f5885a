//! Processes that leave the group, the session and the environment by which they would be known. They are ended
//! when nothing runs any more, so these tests are alone in their process, and one after the other.

#![expect(clippy::disallowed_methods, reason = "tests start what they need")]
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use attest_process::{Ran, Reach, Stop, Task, Window, run};
use tempfile::TempDir;

static ALONE: Mutex<()> = Mutex::new(());

/// Runs the line in a folder, with no variable but the PATH.
fn run_in(folder: &Path, line: &str, limit: Duration) -> Ran {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut program = Command::new("sh");
    program.args(["-c", line]).current_dir(folder).env_clear();
    program.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    let task = Task {
        program,
        input: None,
        limit,
        stdout: Window {
            head: 1000,
            tail: 0,
        },
        stderr: None,
        reach: Reach::All { marks: "" },
    };
    run(task, &Stop::at(None))
}

/// Whether the process runs; one that only waits to be reaped does not.
fn is_alive(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let (_, rest) = stat.rsplit_once(") ").unwrap_or(("", "Z"));
    !rest.starts_with('Z')
}

/// Runs a line that writes numbers of processes to a file `pids`, none of which may run afterwards.
fn assert_all_gone(line: &str, limit: Duration, count: usize) {
    let folder = TempDir::new().unwrap();
    let began = Instant::now();
    run_in(folder.path(), line, limit);
    assert!(began.elapsed() < limit + Duration::from_secs(10));
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap();
    assert_eq!(pids.lines().count(), count, "{pids:?}");
    assert!(!pids.lines().any(is_alive), "left behind: {pids:?}");
}

/// Neither group nor session nor environment tell where it came from, only that its parent is gone.
#[test]
fn a_daemon_that_cleared_its_environment_is_gone_too() {
    for (waits, limit) in [("true", 20), ("sleep 300", 1)] {
        let line = format!(
            "env -i PATH=$PATH setsid sh -c '(echo $$ >> pids; exec sleep 300) & \
             echo $! >> pids; exec sleep 300' >/dev/null 2>&1 & \
             while ! test -s pids || test $(wc -l < pids) -lt 2; do sleep 0.05; done; {waits}"
        );
        assert_all_gone(&line, Duration::from_secs(limit), 2);
    }
}

#[test]
fn what_was_started_twice_over_is_gone_too() {
    // The parent of the last one is gone while the command still runs, and so is its group.
    let line = "(env -i PATH=$PATH setsid sh -c 'trap \"\" TERM; (setsid sh -c \"echo \\$\\$ >> pids; exec sleep 300\") & \
                exit' >/dev/null 2>&1 &); while ! test -s pids; do sleep 0.05; done";
    assert_all_gone(line, Duration::from_secs(20), 1);
}
