//! What several hosts have in common: they took the protocol of Claude Code over, each in part.

use attest_evidence::Printable;
use attest_json::Object;
use serde_json::json;

use crate::fields;
use crate::payload::{AgentTranscript, Payload};
use crate::reply;
use crate::settings::{Holder, HookSpec, JsonFile, ManagedFile, Rule, Shape, Switch, Wanted};

/// A hook that runs for every event of its name.
pub(super) const fn hook(
    event: &'static str,
    verb: &'static str,
    timeout: u32,
    is_core: bool,
) -> HookSpec {
    HookSpec {
        event,
        matcher: None,
        verb,
        timeout,
        since: None,
        is_core,
    }
}

/// The switch of Claude Code, and of hosts that took it over.
pub(super) const DISABLE_ALL_HOOKS: Switch = Switch {
    keys: &["disableAllHooks"],
    off: true,
    holder: Holder::Everybody,
};

/// The settings of an administrator: the folder on Linux, on macOS and on Windows, and the file in it.
pub(super) const fn managed(
    [linux, macos, windows]: [&'static str; 3],
    file: &'static str,
) -> ManagedFile {
    ManagedFile {
        variable: None,
        folder: if cfg!(target_os = "macos") {
            macos
        } else if cfg!(windows) {
            windows
        } else {
            linux
        },
        file,
        drop_ins: None,
    }
}

/// The hooks of a host whose subagents and turns have the events of Claude Code.
pub(super) const SUBAGENTS_AND_TURNS: &[HookSpec] = &[
    hook("SubagentStart", "start", 15, true),
    hook("SubagentStop", "stop", 30, true),
    hook("Stop", "session-stop", 30, false),
    hook("UserPromptSubmit", "prompt", 15, false),
];

/// An entry that is a command.
pub(super) const IS_COMMAND: Rule = Rule {
    key: "type",
    wanted: Wanted::Text("command"),
    fault: Some("its type is not `command`"),
};

/// An entry with a time.
pub(super) const HAS_TIMEOUT: Rule = Rule {
    key: "timeout",
    wanted: Wanted::Timeout,
    fault: Some("it has no timeout"),
};

/// An entry with a name, by which the host speaks of it in place of the command line.
pub(super) const HAS_NAME: Rule = Rule {
    key: "name",
    wanted: Wanted::Name("attest"),
    fault: None,
};

/// The file of a host that has the events of Claude Code and takes its entries, to be placed by the host.
pub(super) const FILE: JsonFile = JsonFile {
    harness: None,
    person: None,
    project: None,
    shared: None,
    variable_files: &[],
    hooks: SUBAGENTS_AND_TURNS,
    shape: Shape::Groups,
    head: &[],
    command: "command",
    rules: &[IS_COMMAND, HAS_TIMEOUT],
    units_per_second: 1,
    shows_standard_error: false,
    has_powershell: false,
    switches: &[],
    left_out: None,
    managed: None,
    plugins: None,
    env: None,
    status_line: None,
};

/// What Claude Code's fields say, under the names that all hosts of its family have for them.
pub(super) fn payload(sent: &Object<'_>) -> Payload {
    let agent_id = fields::id(sent, &["agent_id"]);
    Payload {
        event: fields::name(sent, &["hook_event_name"]),
        session_id: fields::id(sent, &["session_id"]),
        agent_type: fields::name(sent, &["agent_type"]),
        cwd: fields::path(sent, "cwd"),
        transcript_path: fields::path(sent, "transcript_path"),
        agent_transcript: own_transcript(sent, agent_id.is_some()),
        prompt: fields::text(sent, "prompt"),
        stop_hook_active: sent.is_true("stop_hook_active"),
        message: fields::text(sent, "last_assistant_message"),
        agent_id,
        ..Payload::default()
    }
}

/// The transcript that the payload names as the agent's own. For a subagent without one, that of the session is
/// no substitute: in these hosts it is its parent's.
pub(super) fn own_transcript(sent: &Object<'_>, is_subagent: bool) -> AgentTranscript {
    const NAME: &str = "agent_transcript_path";
    match fields::path(sent, NAME) {
        Some(path) => AgentTranscript::Named(path),
        None if is_subagent || fields::is_present(sent, NAME) => AgentTranscript::Unusable,
        None => AgentTranscript::Absent,
    }
}

/// A reply that gives the agent `text`, on one of the `events` that take one.
pub(super) fn context(payload: &Payload, text: &Printable, events: &[&str]) -> Option<String> {
    let event = payload.event.as_deref()?;
    let output = json!({ "hookEventName": event, "additionalContext": &**text });
    events
        .contains(&event)
        .then(|| reply::line(&json!({ "hookSpecificOutput": output })))
}
