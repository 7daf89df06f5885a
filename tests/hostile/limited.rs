//! Hooks with as much memory as they may need, and a look at how long they took.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::common::agent::{Stop, done};
use crate::common::{BINARY, Printed, TestContext};

/// Kilobytes of memory that a hook, and each process that it starts, may have: what they map is not
/// counted.
const MEMORY: u64 = 256 * 1024;
/// The deadline of the hook of a start and of a stop, with time for a busy machine to start a process.
const LONGEST_START: Duration = Duration::from_millis(10_500);
const LONGEST_STOP: Duration = Duration::from_millis(20_500);

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
        assert!(took < LONGEST_START, "{took:?}: {printed:#?}");
        assert_eq!(printed.stdout, "", "a start says nothing");
        took
    }

    pub(crate) fn stop(&self, files: &str) -> Stop {
        self.timed_stop(files).0
    }

    /// The same, and how long it took.
    pub(crate) fn timed_stop(&self, files: &str) -> (Stop, Duration) {
        let (printed, took) = self.hook("stop", "SubagentStop", &done(files));
        assert!(took < LONGEST_STOP, "{took:?}: {printed:#?}");
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
        let script = format!("ulimit -d {MEMORY} && exec \"$0\" hook {event}");
        let mut shell = self.context.command("sh");
        shell
            .args(["-c", &script, BINARY])
            .stdin(std::fs::File::open(input).unwrap());
        let printed = Printed::of(shell.output().unwrap());
        let took = began.elapsed();
        assert_eq!(printed.code, Some(0), "{printed:#?}");
        (printed, took)
    }
}
