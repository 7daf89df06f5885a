//! Sessions that are too large to be read whole, and a person who does not wait for them.

use std::fs::{self, File};
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use serde_json::Value;

use super::transcript::{Kind, Step};
use crate::common::agent::done;
use crate::common::{BINARY, Printed, SOON, TestContext};

/// Bytes of a transcript that is a hole: it costs no disk.
const HOLE: u64 = 20 << 30;

/// Bytes that an audit has read when holes are among them.
const READ: u64 = 16 << 20;

/// A session whose report names a file that nobody made, and so many that are holes.
fn home(holes: usize) -> TestContext {
    let context = TestContext::new();
    let root = context.repository("repo", &[("a.py", "1\n")]);
    let steps = [
        Step::Prompt("Do it.".to_owned()),
        Step::Say(done("ghost.py")),
    ];
    let place = Kind::ClaudeMain.keep(context.home(), &root, "small", &steps);
    for number in 0..holes {
        let name = place.with_file_name(format!("hole{number}.jsonl"));
        File::create(name).unwrap().set_len(HOLE).unwrap();
    }
    context
}

#[test]
fn holes_of_gigabytes_take_no_memory_and_hide_nothing_beside_them() {
    let context = home(2);
    let mut shell = context.command("sh");
    let script = "ulimit -d 262144 && exec \"$0\" audit --json";
    let printed = Printed::of(shell.args(["-c", script, BINARY]).output().unwrap());
    let said: Value = serde_json::from_str(&printed.assert_success().stdout).unwrap();
    assert_eq!(
        said["not_found"][0]["files"][0]["path"], "ghost.py",
        "{said:#}"
    );
    assert_eq!(said["is_interrupted"], false);
}

#[test]
fn an_audit_ends_in_its_time_whatever_there_is_to_read() {
    let mut context = home(1_000);
    context.set("ATTEST_STOP_DEADLINE", "0.2");
    let began = Instant::now();
    let said: Value =
        serde_json::from_str(&context.attest(["audit", "--json"]).assert_success().stdout).unwrap();
    assert!(began.elapsed() < SOON);
    assert!(said["unreadable"].as_u64() > Some(0), "{said:#}");
}

#[test]
fn a_session_whose_report_is_not_reached_is_counted_and_speaks_for_others() {
    let context = TestContext::new();
    let root = context.repository("repo", &[("a.py", "1\n")]);
    let long = Step::Prompt("x".repeat(7 << 20));
    let mut steps = vec![Step::Write(root.join("made.py"), true)];
    steps.extend(vec![long; 10]);
    steps.push(Step::Say(done("ghost.py")));
    Kind::ClaudeMain.keep(context.home(), &root, "long", &steps);
    let honest = [Step::Prompt("go".to_owned()), Step::Say(done("made.py"))];
    Kind::ClaudeMain.keep(context.home(), &root, "other", &honest);
    let said: Value =
        serde_json::from_str(&context.attest(["audit", "--json"]).assert_success().stdout).unwrap();
    assert_eq!(
        (&said["reports"], &said["unreadable"]),
        (&1.into(), &1.into())
    );
    assert_eq!(said["not_found"], Value::Array(Vec::new()), "{said:#}");
}

/// An audit that reads and is ready to be interrupted.
fn reading(context: &TestContext, stdout: Stdio) -> Child {
    let mut command = context.command(BINARY);
    let child = command
        .args(["audit", "--json"])
        .stdout(stdout)
        .stderr(Stdio::piped());
    let child = child.spawn().unwrap();
    let began = Instant::now();
    // It reads holes only when it is ready to be interrupted.
    let has_read = || {
        let io = fs::read_to_string(format!("/proc/{}/io", child.id())).unwrap_or_default();
        let read = io.lines().find_map(|line| line.strip_prefix("rchar: "));
        read.and_then(|bytes| bytes.parse().ok()) > Some(READ)
    };
    while !has_read() {
        assert!(began.elapsed() < SOON);
        thread::sleep(Duration::from_millis(5));
    }
    child
}

fn interrupt(context: &TestContext, child: &Child) {
    let mut kill = context.command("sh");
    let status = kill
        .args(["-c", &format!("kill -INT {}", child.id())])
        .status();
    assert!(status.unwrap().success());
}

#[test]
fn an_interrupt_gives_what_there_is() {
    let context = home(5_000);
    let child = reading(&context, Stdio::piped());
    interrupt(&context, &child);
    let printed = Printed::of(child.wait_with_output().unwrap());
    assert_eq!(printed.code, Some(130), "{printed:#?}");
    let said: Value = serde_json::from_str(&printed.stdout).unwrap();
    assert_eq!(said["is_interrupted"], true);
    assert!(said["unreadable"].as_u64() > Some(0), "{said:#}");
}

/// Nobody takes what it prints, so that it ends by no other way.
#[test]
fn a_second_interrupt_ends_it_at_once() {
    let context = home(5_000);
    let (_reader, mut full) = std::io::pipe().unwrap();
    let flags = fcntl_getfl(&full).unwrap();
    fcntl_setfl(&full, flags | OFlags::NONBLOCK).unwrap();
    while full.write(&[b' '; 1024]).is_ok() {}
    fcntl_setfl(&full, flags).unwrap();
    let mut child = reading(&context, full.into());
    let began = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < SOON);
        interrupt(&context, &child);
    };
    assert_eq!(status.code(), Some(130));
}
