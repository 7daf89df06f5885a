//! The hook protocol of Factory's droid, run in 0.215.0.
//!
//! Every subagent is a session with a prompt and a stop of its own, so that turns are judged, and no hook is put
//! on the event for subagents, whose answer droid ignores. A stop carries no message; the transcript has it by
//! then. A subagent that is sent back does go on, but its parent is given the first text all the same.

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
use crate::sample::SampleAgent;
use crate::settings::{Holder, HookSpec, JsonFile, PersonFile, Switch};

/// Factory's droid.
pub(super) struct Droid;

static PROFILE: Profile = Profile {
    transcripts: &[&forms::Droid],
    kept: Some(&KEPT),
    // Its window has both streams of a hook.
    text: Text::Shown,
    judges_turns: true,
    ..Profile::of(
        "droid",
        Executable {
            title: "droid",
            name: "droid",
            support: Support::tested(Version(0, 117, 0), Version(0, 215, 0)),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("droid"),
    person: Some(PersonFile {
        variable: None,
        folder: ".factory",
        file: "settings.json",
    }),
    // The one that is not committed: an entry has the path of a program on this machine.
    project: Some(".factory/settings.local.json"),
    hooks: &[
        HookSpec {
            // `droid exec` has no other event before the work. Those of a session that goes on, as after its
            // text was compacted, must not begin a turn anew.
            matcher: Some("startup"),
            ..hook("SessionStart", "prompt", 15, true)
        },
        hook("UserPromptSubmit", "prompt", 15, true),
        hook("Stop", "session-stop", 30, true),
    ],
    switches: &[Switch {
        keys: &["hooks", "hooksDisabled"],
        off: true,
        holder: Holder::Everybody,
    }],
    ..common::FILE
};

static KEPT: KeptSessions = KeptSessions {
    folder: "sessions",
    of_file: |parts| match parts {
        [_, _] => Some(Of::Session),
        _ => None,
    },
    of_line: |line, about: &mut About| {
        if line.text("type").as_deref() == Some("session_start") {
            About::name(&mut about.session, line, "id");
            about.add_folder(line, "cwd");
        }
        Whose::Own
    },
    folder_file: None,
    packed: None,
};

impl Host for Droid {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    fn payload(&self, sent: &Object<'_>) -> Payload {
        common::payload(sent)
    }

    /// Its window shows what a hook printed as well as what it made of that, unless told not to.
    fn block(&self, _payload: &Payload, reason: &Printable) -> String {
        reply::line(&json!({ "decision": "block", "reason": &**reason, "suppressOutput": true }))
    }

    fn notice(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        let reply = json!({ "systemMessage": &**text, "suppressOutput": true });
        Some(reply::line(&reply))
    }

    /// With the message, which droid itself leaves to the transcript.
    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        let turn = agent.turn("UserPromptSubmit", "Stop", "last_assistant_message");
        turn.to_string()
    }

    /// A stop has what no other host counts; the other events are told by where droid keeps its transcripts.
    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let has = |name| sent.raw(name).is_some();
        let transcript = fields::path(sent, "transcript_path").unwrap_or_default();
        let folders: Vec<_> = transcript.iter().collect();
        let is_at_home = folders
            .windows(2)
            .any(|pair| pair[0] == ".factory" && pair[1] == "sessions");
        has("tool_execution_count") && has("message_id") && has("elapsed_time")
            || has("permission_mode") && is_at_home
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_payloads_are_told_from_those_of_others() {
        let has_sent = |json: &str| Droid.has_sent(&Object::parse(json).unwrap());
        let at = |path: &str| {
            format!(
                r#"{{"session_id":"s","permission_mode":"off","hook_event_name":"SessionStart",
                "transcript_path":"{path}"}}"#
            )
        };
        assert!(has_sent(&at("/home/user/.factory/sessions/-w/1.jsonl")));
        for other in [
            "/home/user/.claude/projects/-home-user--factory-sessions/1.jsonl",
            "/home/user/.factory/1.jsonl",
            "",
        ] {
            assert!(!has_sent(&at(other)), "{other}");
        }
    }
}
