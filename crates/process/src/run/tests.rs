#![expect(clippy::disallowed_methods, reason = "tests start what they need")]

use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use tempfile::TempDir;

use super::*;
use crate::stop::Stopped;

static RUNNING: AtomicBool = AtomicBool::new(false);
const STOP: Stop<'_> = Stop {
    deadline: None,
    cancelled: &RUNNING,
};

/// What no command takes on a busy machine, and what one that hangs does.
const LONG: Duration = Duration::from_mins(5);
const SOON: Duration = Duration::from_mins(1);

const ENOUGH: Window = Window {
    head: 2 * 1024,
    tail: 6 * 1024,
};

/// The line for a shell that has no variable but the PATH.
fn shell(folder: &Path, line: &str) -> Command {
    let mut shell = Command::new("sh");
    shell.args(["-c", line]).current_dir(folder).env_clear();
    shell.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    shell
}

fn run_in(folder: &Path, line: &str, limit: Duration, stop: &Stop<'_>) -> Ran {
    let task = Task {
        program: shell(folder, line),
        input: None,
        limit,
        stdout: ENOUGH,
        stderr: None,
        reach: Reach::All { marks: "" },
    };
    run(task, stop)
}

fn output(line: &str) -> String {
    let folder = TempDir::new().unwrap();
    let ran = run_in(folder.path(), line, LONG, &STOP);
    assert!(matches!(ran.end, End::Exited(0)), "{ran:?}");
    ran.stdout.to_string()
}

/// Whether the process runs; one that only waits to be reaped does not.
fn is_alive(process: &str) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{process}/stat")) else {
        return false;
    };
    let (_, rest) = stat.rsplit_once(") ").unwrap();
    !rest.starts_with('Z')
}

/// Runs a line that writes numbers of processes to a file `pids`, and asserts that all are gone. On a machine that has
/// not started so many by the time-out, it gets more time.
fn assert_all_gone(line: &str, timeout: Duration, count: usize) -> Ran {
    let folder = TempDir::new().unwrap();
    let began = Instant::now();
    let ran = run_in(folder.path(), line, timeout, &STOP);
    assert!(began.elapsed() < timeout + SOON, "{:?}", began.elapsed());
    let pids = fs::read_to_string(folder.path().join("pids")).unwrap_or_default();
    if pids.lines().count() < count && timeout < LONG {
        return assert_all_gone(line, timeout * 8, count);
    }
    assert_eq!(pids.lines().count(), count, "{pids:?}");
    // The signal is sent; the processes need a moment to go.
    let give_up = Instant::now() + SOON;
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
    let end = |line: &str| run_in(folder.path(), line, LONG, &STOP).end;
    assert!(matches!(end("exit 3"), End::Exited(3)));
    assert!(matches!(end("no-such-program-here"), End::Exited(127)));
    assert!(matches!(end("kill -9 $$"), End::Signalled(9)));
    let nowhere = folder.path().join("nowhere");
    let ran = run_in(&nowhere, "true", LONG, &STOP);
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
        LONG,
        1,
    );
    assert!(matches!(ran.end, End::Exited(0)), "{ran:?}");
    assert_eq!(ran.stdout.to_string(), "started");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_left_the_group_is_gone_too() {
    for timeout in [Duration::from_secs(1), LONG] {
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
        program: shell(folder.path(), "tr a-z A-Z; echo oops >&2"),
        input: Some(&b"quiet".repeat(100_000)),
        limit: LONG,
        stdout: Window {
            head: 1_000_000,
            tail: 0,
        },
        stderr: Some(ENOUGH),
        reach: Reach::Group,
    };
    let ran = run(task, &STOP);
    assert_eq!(ran.stdout.whole().unwrap(), b"QUIET".repeat(100_000));
    assert_eq!(ran.stderr.to_string(), "oops");
}

#[test]
fn many_processes_at_once_are_all_gone() {
    let line =
        "i=0; while test $i -lt 300; do sleep 300 & echo $! >> pids; i=$((i + 1)); done; wait";
    let ran = assert_all_gone(line, Duration::from_secs(3), 300);
    assert!(matches!(ran.end, End::TimedOut(_)), "{ran:?}");
}

#[test]
fn a_process_that_is_stopped_is_ended_as_well() {
    let ran = assert_all_gone("echo $$ >> pids; kill -STOP $$", Duration::from_secs(1), 1);
    assert!(matches!(ran.end, End::TimedOut(_)), "{ran:?}");
}

/// All in one process, as checks of a file are: each ends by itself, and has its own output.
#[test]
fn many_runs_at_once_do_not_mix() {
    let folder = TempDir::new().unwrap();
    std::thread::scope(|scope| {
        for number in 0..200 {
            let folder = folder.path();
            scope.spawn(move || {
                let line = format!("cat; echo {number}; (sleep 300 &) ; exit {}", number % 3);
                let ran = run_in(folder, &line, Duration::from_mins(1), &STOP);
                assert!(
                    matches!(ran.end, End::Exited(code) if code == number % 3),
                    "{ran:?}"
                );
                // What could not be read in time says that it is not whole.
                let number = number.to_string();
                match ran.stdout.whole() {
                    Some(whole) => assert_eq!(whole.trim_ascii(), number.as_bytes()),
                    None => assert!(number.starts_with(ran.stdout.beginning().trim())),
                }
            });
        }
    });
}

/// One that is not ours to end may hold our pipe for ever. What was written before it is read, unless the system gives
/// this process no time: not each time.
#[cfg(target_os = "linux")]
#[test]
fn an_output_that_somebody_keeps_open_is_not_waited_for_and_not_whole() {
    let is_read = || {
        let folder = TempDir::new().unwrap();
        let task = Task {
            program: shell(
                folder.path(),
                "setsid sh -c 'echo $$ > pid; exec sleep 300' & while ! test -s pid; do sleep 0.05; done; echo said",
            ),
            input: None,
            limit: LONG,
            stdout: ENOUGH,
            stderr: None,
            reach: Reach::Group,
        };
        let began = Instant::now();
        let ran = run(task, &STOP);
        assert!(began.elapsed() < SOON);
        let pid = fs::read_to_string(folder.path().join("pid")).unwrap();
        assert!(is_alive(pid.trim()), "the group alone was to be ended");
        let killed = shell(folder.path(), &format!("kill -KILL {pid}")).status();
        assert!(killed.unwrap().success());
        assert!(matches!(ran.end, End::Exited(0)), "{ran:?}");
        assert_eq!(ran.stdout.whole(), None, "there may be more to come");
        ran.stdout.to_string() == "said"
    };
    assert!((0..20).any(|_| is_read()));
}

/// A signal with a handler breaks off whatever waits.
#[test]
fn signals_change_nothing() {
    let number = signal_hook::consts::SIGUSR1;
    signal_hook::flag::register(number, std::sync::Arc::default()).unwrap();
    let folder = TempDir::new().unwrap();
    let disturb = format!(
        "i=0; while test $i -lt 2000; do kill -USR1 {}; i=$((i + 1)); done; sleep 0.2; cat",
        std::process::id()
    );
    let input = b"all of it\n".repeat(50_000);
    let task = Task {
        program: shell(folder.path(), &disturb),
        input: Some(&input),
        limit: LONG,
        stdout: Window {
            head: 1_000_000,
            tail: 0,
        },
        stderr: Some(ENOUGH),
        reach: Reach::All { marks: "" },
    };
    let ran = run(task, &STOP);
    assert!(ran.end.is_success(), "{ran:?}");
    assert_eq!(ran.stdout.whole(), Some(&*input));
}

#[test]
fn nothing_begins_after_the_end() {
    let folder = TempDir::new().unwrap();
    let stop = Stop::at(Some(Instant::now()));
    let ran = run_in(folder.path(), "touch begun", LONG, &stop);
    assert!(
        matches!(ran.end, End::Stopped(Stopped::Deadline)),
        "{ran:?}"
    );
    assert!(!folder.path().join("begun").exists());
}
