//! Claude Code's hook protocol, observed in 2.1.138, 2.1.170, 2.1.329, 2.1.330 and 2.1.332 unless a comment says
//! otherwise. 2.0.44 to 2.1.30 have no `last_assistant_message`, so that the transcript is read; 2.1.47 has.

mod background;
mod message;
mod reported;

use std::path::PathBuf;

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::{Whose, forms};
use serde_json::json;

use super::common::{self, hook};
use crate::executable::{Executable, Support, Version};
use crate::fields;
use crate::host::{Host, Profile, Text};
use crate::kept::{About, KeptSessions, Of};
use crate::payload::Payload;
use crate::reply;
use crate::settings::{Holder, HookSpec, JsonFile, ManagedFile, PersonFile, Rule, Switch, Wanted};

/// Claude Code, and the hosts that send its payloads under its field names.
pub(super) struct ClaudeCode;

static PROFILE: Profile = Profile {
    // Codex runs the plugins of Claude Code, and writes transcripts of its own.
    transcripts: &[&forms::ClaudeCode, &forms::Codex],
    kept: Some(&KEPT),
    // It is shown in the transcript of the agent, which is why the report is there in detect mode.
    text: Text::Taken,
    ..Profile::of(
        "claude-code",
        Executable {
            title: "Claude Code",
            name: "claude",
            // Found by running the hooks in them; docs/VALIDATION.md has those that are tested all the time.
            support: Support::Since {
                // The first on npm that knows `SubagentStart`. An earlier one takes a settings file that names
                // the event for invalid, and runs none of the hooks in it, whosever they are.
                shell: Version(2, 0, 44),
                args: Version(2, 1, 139),
                if_too_old: "update it (`claude update`), or name --force: with these hooks in it, an old \
                         version may ignore the whole settings file",
            },
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    person: Some(PersonFile {
        variable: Some("CLAUDE_CONFIG_DIR"),
        folder: ".claude",
        file: "settings.json",
    }),
    // The one that is not committed: an entry has the path of a program on this machine.
    project: Some(".claude/settings.local.json"),
    shared: Some(".claude/settings.json"),
    variable_files: &[".claude/settings.json", ".claude/settings.local.json"],
    hooks: &[
        hook("SubagentStart", "start", 15, true),
        hook("SubagentStop", "stop", 30, true),
        HookSpec {
            // In place of `SubagentStop`, if an error of the model's service ends the agent. 2.1.77, 2.1.30 and 2.0.76
            // run none of the hooks of a file that names it.
            since: Some(Version(2, 1, 78)),
            ..hook("StopFailure", "failed", 10, false)
        },
        hook("Stop", "session-stop", 30, false),
        HookSpec {
            // The tool that starts an agent, by its present and its earlier name.
            matcher: Some("Agent|Task"),
            // One of them alone misses the versions that know the tool by the other.
            ..hook("PostToolUse", "post-tool-use", 10, false)
        },
        hook("UserPromptSubmit", "prompt", 15, false),
    ],
    rules: &[
        common::IS_COMMAND,
        common::HAS_TIMEOUT,
        Rule {
            key: "async",
            wanted: Wanted::False,
            fault: Some("it is asynchronous, so that the host does not wait for its answer"),
        },
        Rule {
            // Shown while the hook runs, and quoted to the model in place of the command line.
            key: "statusMessage",
            wanted: Wanted::AnyText("attest"),
            fault: None,
        },
        Rule {
            key: "asyncRewake",
            wanted: Wanted::NotTrue,
            fault: Some("it is asynchronous (asyncRewake)"),
        },
        Rule {
            key: "if",
            wanted: Wanted::Absent,
            fault: Some("it has an `if`, with which the host never runs it"),
        },
    ],
    switches: &[
        common::DISABLE_ALL_HOOKS,
        Switch {
            keys: &["allowManagedHooksOnly"],
            off: true,
            holder: Holder::Administrator,
        },
    ],
    managed: Some(ManagedFile {
        drop_ins: Some("managed-settings.d"),
        ..common::managed(
            [
                "/etc/claude-code",
                "/Library/Application Support/ClaudeCode",
                r"C:\Program Files\ClaudeCode",
            ],
            "managed-settings.json",
        )
    }),
    plugins: Some("enabledPlugins"),
    env: Some("env"),
    status_line: Some("statusLine"),
    ..common::FILE
};

/// Names of the agent's id, the current one first.
const AGENT_ID: &[&str] = &["agent_id", "subagent_id"];
/// Names of the agent's kind, the current one first.
const AGENT_TYPE: &[&str] = &["agent_type", "subagent_type", "agent_name", "subagent_name"];
/// Names of the turn's id: the host's own, which 2.1.170 does not send yet, and that of Codex, which runs its
/// plugins.
const TURN_ID: &[&str] = &["prompt_id", "turn_id"];

static KEPT: KeptSessions = KeptSessions {
    folder: "projects",
    of_file: |parts| match parts {
        [_, file] if file.starts_with("agent-") => Some(Of::Subagent),
        [_, _] => Some(Of::Session),
        [_, _, "subagents", .., _] => Some(Of::Subagent),
        _ => None,
    },
    of_line,
    folder_file: None,
    packed: None,
};

/// An early version puts the lines of subagents into the file of the session.
fn of_line(line: &Object<'_>, about: &mut About) -> Whose {
    About::name(&mut about.session, line, "sessionId");
    about.add_folder(line, "cwd");
    if line.raw("isSidechain").is_none() {
        return Whose::Own;
    }
    let is_of_subagent = line.is_true("isSidechain");
    let is_of_main = *about.is_of_main.get_or_insert(!is_of_subagent);
    if is_of_subagent && is_of_main {
        return Whose::Others;
    }
    if is_of_subagent {
        About::name(&mut about.agent, line, "agentId");
        About::name(&mut about.agent_type, line, "attributionAgent");
    }
    Whose::Own
}

impl Host for ClaudeCode {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            event: fields::name(sent, &["hook_event_name"]),
            session_id: fields::id(sent, &["session_id"]),
            agent_id: fields::id(sent, AGENT_ID),
            agent_type: fields::name(sent, AGENT_TYPE),
            cwd: fields::path(sent, "cwd"),
            transcript_path: fields::path(sent, "transcript_path"),
            agent_transcript: common::own_transcript(sent, false),
            turn_id: fields::id(sent, TURN_ID),
            prompt: fields::text(sent, "prompt"),
            stop_hook_active: sent.is_true("stop_hook_active"),
            message: message::of(sent),
            reported: reported::of(sent),
            failure: failure(sent),
            background: background::of(sent),
            at_work: background::agents(sent),
        }
    }

    /// Beside the transcript of the session, in a folder of the session's name. Workflows keep theirs
    /// one folder further down.
    fn usual_transcript(&self, payload: &Payload) -> Option<PathBuf> {
        let (session, agent) = (
            payload.transcript_path.as_ref()?,
            payload.agent_id.as_ref()?,
        );
        let is_plain = agent
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let name = format!("agent-{agent}.jsonl");
        is_plain.then(|| session.with_extension("").join("subagents").join(name))
    }

    /// The types that it has by itself and describes as read-only. One of a person's own may have the same name, and
    /// is then not told of either.
    fn only_reads(&self, agent_type: &str) -> bool {
        matches!(agent_type, "Explore" | "Plan" | "claude-code-guide")
    }

    /// For `PostToolUse` and `UserPromptSubmit`. On the events of a stop the host would take it for a
    /// block.
    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        let output =
            json!({ "hookEventName": payload.event.as_deref()?, "additionalContext": &**text });
        Some(reply::line(&json!({ "hookSpecificOutput": output })))
    }
}

/// Why an agent died. If the host has no word for it, what it shows in place of the agent's last message says more.
fn failure(sent: &Object<'_>) -> Option<String> {
    let word = fields::name(sent, &["error"])?;
    let shown = || fields::name(sent, &["last_assistant_message"]);
    let shown = if word == "unknown" { shown() } else { None };
    Some(shown.unwrap_or(word))
}

#[cfg(test)]
mod tests;
