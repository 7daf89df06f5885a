//! Processes that leave the group, the session and the environment by which they would be known. They are ended
//! when nothing runs any more, so these tests are alone in their process, and one after the other.

#![allow(clippy::disallowed_methods, reason = "tests start what they need")]
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use attest_process::{End, Ran, Reach, Stop, Task, Window, run};
use tempfile::TempDir;

/// What no command takes on a busy machine, and what one that hangs does.
const LONG: Duration = Duration::from_mins(5);
const SOON: Duration = Duration::from_mins(1);

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

/// Runs a line that writes numbers of processes to a file `pids`, none of which may run afterwards. On a machine that has
/// not started so many by the limit, it gets more time.
fn assert_all_gone(line: &str, limit: Duration, count: usize) {
    let folder = TempDir::new().unwrap();
    let began = Instant::now();
    run_in(folder.path(), line, limit);
    assert!(began.elapsed() < limit + SOON);
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    if pids.lines().count() < count && limit < LONG {
        return assert_all_gone(line, limit * 8, count);
    }
    assert_eq!(pids.lines().count(), count, "{pids:?}");
    assert!(!pids.lines().any(is_alive), "left behind: {pids:?}");
}

/// Neither group nor session nor environment tell where it came from, only that its parent is gone.
#[test]
fn a_daemon_that_cleared_its_environment_is_gone_too() {
    for (waits, limit) in [("true", LONG), ("sleep 300", Duration::from_secs(1))] {
        let line = format!(
            "env -i PATH=$PATH setsid sh -c '(echo $$ >> pids; exec sleep 300) & \
             echo $! >> pids; exec sleep 300' >/dev/null 2>&1 & \
             while ! test -s pids || test $(wc -l < pids) -lt 2; do sleep 0.05; done; {waits}"
        );
        assert_all_gone(&line, limit, 2);
    }
}

#[test]
fn what_was_started_twice_over_is_gone_too() {
    // The parent of the last one is gone while the command still runs, and so is its group.
    let line = "(env -i PATH=$PATH setsid sh -c 'trap \"\" TERM; (setsid sh -c \"echo \\$\\$ >> pids; exec sleep 300\") & \
                exit' >/dev/null 2>&1 &); while ! test -s pids; do sleep 0.05; done";
    assert_all_gone(line, LONG, 1);
}

/// Each starts the next one, in a session and with an environment of its own, and ends. No chain is longer than
/// this, so that none outlives its test.
const GENERATIONS: usize = 50;

/// Runs a line that starts such a chain and goes on when it has five links. Returns how many it had when the
/// line was ended with all that it had started, and some time later.
fn links_of_a_chain(pause: &str) -> [usize; 2] {
    let folder = TempDir::new().unwrap();
    let script = format!(
        "echo $$ >> links\n{pause}\ntest $1 -lt {GENERATIONS} && \
         setsid env -i /bin/sh ./link $(($1 + 1)) >/dev/null 2>&1 &\n"
    );
    fs::write(folder.path().join("link"), script).unwrap();
    let line = "touch links; setsid sh ./link 1 >/dev/null 2>&1 & \
                while test $(wc -l < links) -lt 5; do sleep 0.01; done 2>/dev/null";
    let ran = run_in(folder.path(), line, LONG);
    assert!(matches!(ran.end, End::Exited(0)), "{:?}", ran.end);
    let links = || {
        let links = fs::read_to_string(folder.path().join("links")).unwrap();
        assert!(!links.lines().any(is_alive), "left behind: {links:?}");
        links.lines().count()
    };
    let at_the_end = links();
    std::thread::sleep(Duration::from_millis(300));
    [at_the_end, links()]
}

#[test]
fn a_daemon_that_always_begins_anew_is_caught() {
    let [at_the_end, later] = links_of_a_chain("/bin/sleep 0.05");
    assert_eq!(at_the_end, later);
    assert!((5..GENERATIONS).contains(&later), "it was ended: {later}");
}

#[test]
fn a_daemon_that_begins_anew_at_once_does_not_get_away() {
    for _ in 0..10 {
        let [at_the_end, later] = links_of_a_chain("");
        assert_eq!(at_the_end, later);
    }
}
