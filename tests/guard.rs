//! Whatever is done to the process of a hook, it ends with status 0 and in time, and the next hook
//! works.

use std::fs;
use std::io::Write as _;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use crate::common::agent::hook;
use crate::common::agent::{Agent, done};
#[cfg(target_os = "linux")]
use crate::common::assert_within;
use crate::common::{BINARY, SOON, TestContext};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

const FILES: &[(&str, &str)] = &[("a.py", "one\n")];

/// A hook with its input open.
fn waiting(mut command: Command) -> Child {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[track_caller]
fn assert_harmless(output: &Output, what: &str) {
    assert_eq!(output.status.code(), Some(0), "{what}: {output:?}");
    assert_eq!(output.stdout, b"", "{what}: {output:?}");
}

#[cfg(target_os = "linux")]
fn log(context: &TestContext) -> String {
    fs::read_to_string(context.home().join(".attest/attest.log")).unwrap_or_default()
}

fn attest_hook(context: &TestContext, event: &str) -> Command {
    context.hook_command(["hook", event])
}

/// A hook below limits of the shell's `ulimit`.
fn limited(context: &TestContext, limits: &str, event: &str, payload: &str) -> Output {
    let mut command = context.command("/bin/sh");
    let script = format!("ulimit -c 0; {limits}; exec \"$0\" hook {event}");
    command.args(["-c", &script, BINARY]);
    context.be_patient(&mut command);
    let mut child = waiting(command);
    // One that ends early closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(payload.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn signals_of_faults_and_limits_end_it_with_status_0() {
    let context = TestContext::enforcing();
    let deadly = [Signal::ABORT, Signal::BUS, Signal::SYS, Signal::TRAP];
    for signal in deadly.into_iter().chain([Signal::XCPU]) {
        let mut child = waiting(attest_hook(&context, "stop"));
        wait_until_it_reads(&child);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let open = child.stdin.take();
        let output = child.wait_with_output().unwrap();
        drop(open);
        assert_harmless(&output, &format!("{signal:?}"));
    }
}

/// The threads of the guard are there before the input is read.
fn wait_until_it_reads(child: &Child) {
    let tasks = format!("/proc/{}/task", child.id());
    let give_up = Instant::now() + SOON;
    while cfg!(target_os = "linux") && fs::read_dir(&tasks).unwrap().count() < 3 {
        assert!(Instant::now() < give_up, "no guard");
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(20));
}

#[test]
fn a_limit_of_file_size_is_an_error_of_the_write() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let agent = Agent::new("a1", &repo);
    let start = agent.start_payload().to_string();
    let stop = agent
        .stop_payload(&done("ghost.py"), &json!({}))
        .to_string();
    for blocks in ["0", "1", "8", "64"] {
        for (event, payload) in [("start", &start), ("stop", &stop)] {
            let output = limited(&context, &format!("ulimit -f {blocks}"), event, payload);
            assert_eq!(output.status.code(), Some(0), "{blocks}: {output:?}");
        }
    }
    let agent = Agent::new("a2", &repo);
    agent.start(&context);
    agent.stop(&context, &done("ghost.py")).assert_blocked();
}

/// From what is too little to begin with to what is enough.
#[cfg(target_os = "linux")]
#[test]
fn a_limit_of_memory_ends_it_with_status_0() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    let start = |id: String| Agent::new(&id, &repo).start_payload().to_string();
    let mut was_short = 0;
    for mebibytes in (4..=128).step_by(4) {
        let limit = format!("ulimit -v {}", mebibytes * 1024);
        let output = limited(&context, &limit, "start", &start(format!("m{mebibytes}")));
        let said = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(0) && !is_begun(&context, &limit) {
            continue;
        }
        was_short += usize::from(said.contains("memory allocation"));
        assert_harmless(&output, &limit);
    }
    // A payload that there is no memory for.
    let large = format!("{{\"session_id\": \"{}\"}}", "x".repeat(48 << 20));
    let output = limited(&context, "ulimit -v 90000", "start", &large);
    assert_harmless(&output, "a large payload");
    was_short += usize::from(!output.stderr.is_empty());
    assert!(was_short > 0 || log(&context).contains("PAYLOAD_UNREADABLE"));
}

/// Whether a program can be loaded at all within the limits: before that nothing of it runs.
#[cfg(target_os = "linux")]
fn is_begun(context: &TestContext, limits: &str) -> bool {
    let mut command = context.command("/bin/sh");
    let script = format!("ulimit -c 0; {limits}; exec \"$0\" --version");
    command.args(["-c", &script, BINARY]);
    command.output().unwrap().status.success()
}

#[test]
fn a_small_stack_is_no_limit() {
    let context = TestContext::enforcing();
    let repo = context.repository("repo", FILES);
    for kibibytes in [128, 512, 8192] {
        let agent = Agent::new(&format!("s{kibibytes}"), &repo);
        let limit = format!("ulimit -s {kibibytes}");
        let start = agent.start_payload().to_string();
        assert_harmless(&limited(&context, &limit, "start", &start), &limit);
        let stop = agent.stop_payload(&done("ghost.py"), &json!({}));
        let output = limited(&context, &limit, "stop", &stop.to_string());
        assert!(
            output.stdout.starts_with(b"{\"decision\":\"block\""),
            "{limit}: {output:?}"
        );
    }
}

/// What a first run makes can be used by its owner, whatever the umask takes away.
#[test]
fn a_umask_that_takes_rights_from_the_owner() {
    use std::os::unix::fs::MetadataExt as _;
    for umask in ["0177", "0777", "0000"] {
        let mut context = TestContext::enforcing();
        let home = context.home().to_owned();
        context
            .set("ATTEST_LOG", "debug")
            .set("ATTEST_CAPTURE", "1")
            .set("ATTEST_STATE_DB", home.join("deep/er/state.db"));
        let repo = context.repository("repo", FILES);
        let agent = Agent::new("a1", &repo);
        let limit = format!("umask {umask}");
        let start = agent.start_payload().to_string();
        assert_harmless(&limited(&context, &limit, "start", &start), umask);
        let stop = agent
            .stop_payload(&done("ghost.py"), &json!({}))
            .to_string();
        let output = limited(&context, &limit, "stop", &stop);
        assert!(output.stdout.starts_with(b"{\"decision\""), "{output:?}");
        let mode = |path: &str| {
            let metadata = fs::metadata(home.join(path));
            metadata
                .unwrap_or_else(|error| panic!("{path}: {error}"))
                .mode()
                & 0o777
        };
        for folder in [".attest", ".attest/captures", "deep", "deep/er"] {
            assert_eq!(mode(folder), 0o700, "{umask}: {folder}");
        }
        for file in [".attest/attest.log", "deep/er/state.db"] {
            assert_eq!(mode(file), 0o600, "{umask}: {file}");
        }
        let captures = fs::read_dir(home.join(".attest/captures")).unwrap();
        let modes: Vec<_> = captures
            .map(|entry| entry.unwrap().metadata().unwrap().mode() & 0o777)
            .collect();
        // Of a start, of a stop, and of the marker.
        assert_eq!(modes, [0o600; 3], "{umask}");
    }
}

/// A program that holds a lease on the file that it is given: who opens that to write waits until the
/// lease is given back, as at a file system that hangs.
#[cfg(target_os = "linux")]
const LEASE: &str = "
import fcntl, signal, sys, time
signal.signal(signal.SIGIO, signal.SIG_IGN)
file = open(sys.argv[1])
fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
print('held', flush=True)
time.sleep(60)
";

/// Python makes the log hang.
#[cfg(target_os = "linux")]
#[attest_needs::needs(python3)]
#[test]
fn a_log_that_hangs_does_not_outlast_the_deadline() {
    let mut context = TestContext::enforcing();
    context
        .set("ATTEST_STOP_DEADLINE", "0.5")
        // Logged as soon as it is read.
        .set("ATTEST_MAX_RETRIES", "many");
    hook(&context, "stop", &json!({}));
    let path = context.home().join(".attest/attest.log");
    let mut python = context.command("python3");
    python.arg("-c").arg(LEASE).arg(path).stdout(Stdio::piped());
    let mut holder = python.spawn().unwrap();
    let mut said = [0; 4];
    let said = std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut said).is_ok();
    assert!(said, "no lease");
    for (event, most) in [("start", 650), ("stop", 650), ("session-end", 5150)] {
        // Of the hook itself, and of the machine.
        let most = Duration::from_millis(most) + Duration::from_secs(1);
        assert_within(most, |_| {
            let began = Instant::now();
            let output = waiting(attest_hook(&context, event)).wait_with_output();
            let took = began.elapsed();
            assert_harmless(&output.unwrap(), event);
            let is_kept_waiting = took > Duration::from_millis(200);
            assert!(is_kept_waiting, "{event} never waited: {took:?}");
        });
    }
    holder.kill().unwrap();
    holder.wait().unwrap();
}
