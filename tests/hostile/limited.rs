//! Hooks with as much memory as they may need, and a look at how long they took.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::agent::{Stop, done};
use crate::common::{BINARY, Printed, TestContext};

/// Kilobytes of memory that a hook, and each process that it starts, may have: what they map is not
/// counted.
const MEMORY: u64 = 256 * 1024;
/// The processor time that any of these hooks takes at most, with the processes that it starts: far less than its
/// deadline, and the same on a busy machine.
const MOST_WORK: Duration = Duration::from_secs(8);
/// An agent whose hooks have limits.
pub(crate) struct Limited<'a> {
    context: &'a TestContext,
    root: &'a Path,
    id: &'a str,
}

impl<'a> Limited<'a> {
    pub(crate) fn new(context: &'a TestContext, root: &'a Path, id: &'a str) -> Self {
        Self { context, root, id }
    }

    pub(crate) fn start(&self) {
        self.timed_start();
    }

    /// The same, and how long it took.
    pub(crate) fn timed_start(&self) -> Duration {
        let (printed, took) = self.hook("start", "SubagentStart", "");
        assert_eq!(printed.stdout, "", "a start says nothing");
        took
    }

    pub(crate) fn stop(&self, files: &str) -> Stop {
        self.timed_stop(files).0
    }

    /// The same, and how long it took.
    pub(crate) fn timed_stop(&self, files: &str) -> (Stop, Duration) {
        let (printed, took) = self.hook("stop", "SubagentStop", &done(files));
        (Stop(printed), took)
    }

    fn hook(&self, event: &str, name: &str, message: &str) -> (Printed, Duration) {
        let payload = json!({
            "session_id": "session-1",
            "transcript_path": null,
            "cwd": self.root,
            "agent_id": self.id,
            "agent_type": "general-purpose",
            "hook_event_name": name,
            "stop_hook_active": false,
            "last_assistant_message": message,
        });
        let input = self.context.folder().join("payload");
        std::fs::write(&input, payload.to_string()).unwrap();
        let began = Instant::now();
        let work = self.context.folder().join("work");
        let script = format!(
            "ulimit -d {MEMORY} && \"$0\" hook {event}; code=$?; times >\"$1\"; exit $code"
        );
        let mut shell = self.context.command("sh");
        self.context.be_patient(&mut shell);
        shell
            .args(["-c", &script, BINARY])
            .arg(&work)
            .stdin(std::fs::File::open(input).unwrap());
        let printed = Printed::of(shell.output().unwrap());
        let took = began.elapsed();
        assert_eq!(printed.code, Some(0), "{printed:#?}");
        let work = work_of_children(&std::fs::read_to_string(work).unwrap());
        assert!(work < MOST_WORK, "{event}: {work:?}: {printed:#?}");
        (printed, took)
    }
}

/// The processor time in the second line of what `times` prints: "0m1.23s 0m0.04s", for the user and the system.
fn work_of_children(times: &str) -> Duration {
    let line = times.lines().nth(1).unwrap();
    let one = |time: &str| {
        let (minutes, seconds) = time.trim_end_matches('s').split_once('m').unwrap();
        let minutes: f64 = minutes.parse().unwrap();
        minutes * 60.0 + seconds.parse::<f64>().unwrap()
    };
    Duration::from_secs_f64(line.split_whitespace().map(one).sum())
}
