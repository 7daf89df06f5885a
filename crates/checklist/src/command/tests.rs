use std::fs;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::*;

static RUNNING: AtomicBool = AtomicBool::new(false);
const STOP: Stop<'_> = Stop {
    deadline: None,
    cancelled: &RUNNING,
};

fn environment() -> Vec<(OsString, OsString)> {
    vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin".into())]
}

fn run_in(folder: &Path, line: &str, timeout: Duration, stop: &Stop<'_>) -> Ran {
    let task = Task {
        line,
        folder,
        environment: &environment(),
        input: None,
        timeout,
        window: SHOWN,
        apart: false,
    };
    run(&task, stop)
}

fn output(line: &str) -> String {
    let folder = TempDir::new().unwrap();
    let ran = run_in(folder.path(), line, Duration::from_secs(20), &STOP);
    assert!(matches!(ran.end, End::Exited(0)), "{ran:?}");
    ran.output.to_string()
}

/// Whether the process runs; one that only waits to be reaped does not.
fn is_alive(process: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else {
        return false;
    };
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    !rest.starts_with('Z')
}

/// Runs a line that writes numbers of processes to a file `pids`, and asserts that all are gone.
fn assert_all_gone(line: &str, timeout: Duration, count: usize) -> Ran {
    let folder = TempDir::new().unwrap();
    let began = Instant::now();
    let ran = run_in(folder.path(), line, timeout, &STOP);
    assert!(
        began.elapsed() < timeout + Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap();
    assert_eq!(pids.lines().count(), count, "{pids:?}");
    // The signal is sent; the processes need a moment to go.
    let give_up = Instant::now() + Duration::from_secs(5);
    while pids.lines().any(is_alive) && Instant::now() < give_up {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(!pids.lines().any(is_alive), "left behind: {pids:?}");
    ran
}

#[test]
fn the_shell_gets_the_line_as_written() {
    for (line, expected) in [
        ("true && echo both", "both"),
        ("false || echo other", "other"),
        (r#"printf '%s' "a  b: c""#, "a  b: c"),
        ("x='$5 ✅ grün'; echo \"$x\"", "$5 ✅ grün"),
        ("echo one; echo two >&2", "one\ntwo"),
        ("echo $((1 + 2)) | cat", "3"),
        ("echo 'a\nb'", "a\nb"),
    ] {
        assert_eq!(output(line), expected, "{line}");
    }
}

#[test]
fn nothing_is_on_standard_input() {
    assert_eq!(output("cat; echo end"), "end");
}

#[test]
fn only_the_given_variables_are_there() {
    assert_eq!(
        output("env | cut -d= -f1 | sort | grep -v -e '^_$' -e PWD -e SHLVL"),
        "ATTEST_CHECK_RUN\nPATH"
    );
}

#[test]
fn the_ways_to_end() {
    let folder = TempDir::new().unwrap();
    let end = |line: &str| run_in(folder.path(), line, Duration::from_secs(20), &STOP).end;
    assert!(matches!(end("exit 3"), End::Exited(3)));
    assert!(matches!(end("no-such-program-here"), End::Exited(127)));
    assert!(matches!(end("kill -9 $$"), End::Signalled(9)));
    let nowhere = folder.path().join("nowhere");
    let ran = run_in(&nowhere, "true", Duration::from_secs(20), &STOP);
    assert!(matches!(ran.end, End::Failed(_)));
}

#[test]
fn memory_is_bounded_and_the_ends_are_kept() {
    let text = output("echo begin; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo end");
    assert!(
        text.starts_with("begin\nxxx") && text.ends_with("xxx\nend"),
        "{}",
        text.len()
    );
    assert!(text.len() < 10_000 && text.contains("bytes left out"));
}

#[test]
fn a_grandchild_that_ignores_signals_is_gone_after_the_time_out() {
    let ran = assert_all_gone(
        "sh -c 'trap \"\" TERM HUP INT; echo $$ >> pids; while :; do sleep 0.1; done' & \
         echo $$ >> pids; wait",
        Duration::from_secs(1),
        2,
    );
    assert!(matches!(ran.end, End::TimedOut(_)), "{ran:?}");
}

#[test]
fn what_was_left_in_the_background_is_gone_after_the_end() {
    let ran = assert_all_gone(
        "sh -c 'trap \"\" TERM HUP; echo $$ >> pids; exec sleep 300' & \
         while ! test -s pids; do sleep 0.05; done; echo started",
        Duration::from_secs(20),
        1,
    );
    assert!(matches!(ran.end, End::Exited(0)), "{ran:?}");
    assert_eq!(ran.output.to_string(), "started");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_is_gone_too() {
    for timeout in [Duration::from_secs(1), Duration::from_secs(20)] {
        let waits = if timeout.as_secs() == 1 {
            "sleep 300"
        } else {
            "true"
        };
        assert_all_gone(
            &format!(
                "setsid sh -c 'trap \"\" TERM; echo $$ >> pids; sleep 300 & echo $! >> pids; wait' & \
                 while ! test -s pids || test $(wc -l < pids) -lt 2; do sleep 0.05; done; {waits}"
            ),
            timeout,
            2,
        );
    }
}

#[test]
fn an_end_of_everything_ends_a_command() {
    let cancelled = AtomicBool::new(false);
    let folder = TempDir::new().unwrap();
    let stop = Stop {
        deadline: Some(Instant::now() + Duration::from_millis(300)),
        cancelled: &cancelled,
    };
    let ran = run_in(folder.path(), "sleep 300", Duration::from_mins(5), &stop);
    assert!(
        matches!(ran.end, End::Stopped(Stopped::Deadline)),
        "{ran:?}"
    );
    cancelled.store(true, Ordering::Relaxed);
    let ran = run_in(folder.path(), "sleep 300", Duration::from_mins(5), &stop);
    assert!(
        matches!(ran.end, End::Stopped(Stopped::Cancelled)),
        "{ran:?}"
    );
}

#[test]
fn input_and_errors_may_be_apart() {
    let folder = TempDir::new().unwrap();
    let task = Task {
        line: "tr a-z A-Z; echo oops >&2",
        folder: folder.path(),
        environment: &environment(),
        input: Some(&b"quiet".repeat(100_000)),
        timeout: Duration::from_secs(20),
        window: Window {
            head: 1_000_000,
            tail: 0,
        },
        apart: true,
    };
    let ran = run(&task, &STOP);
    assert_eq!(ran.output.whole().unwrap(), b"QUIET".repeat(100_000));
    assert_eq!(ran.errors.to_string(), "oops");
}
