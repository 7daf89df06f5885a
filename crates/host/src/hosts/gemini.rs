//! The hook protocol of Gemini CLI, run in 0.61.0.
//!
//! It has no events of subagents, so that turns are judged. The text of a turn is cumulative: it has all that was said
//! since the prompt, and the last claim in it counts; after a block, the last message alone. When a turn is sent back,
//! our own reason comes as its prompt. Nothing but the session has an id.

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::{Whose, forms};

use super::common::{self, hook};
use crate::executable::{Executable, Support, Version};
use crate::fields;
use crate::host::{Host, Profile, Text};
use crate::kept::{About, KeptSessions, Of};
use crate::payload::Payload;
use crate::sample::SampleAgent;
use crate::settings::{Holder, JsonFile, ManagedFile, OwnedFile, Package, PersonFile, Switch};

/// Gemini CLI.
pub(super) struct Gemini;

const START: &str = "BeforeAgent";
const STOP: &str = "AfterAgent";

static PROFILE: Profile = Profile {
    package: Some(&PACKAGE),
    transcripts: &[&forms::Gemini],
    kept: Some(&KEPT),
    // As a message of the hook, if standard output has nothing.
    text: Text::Shown,
    judges_turns: true,
    sends_all_that_was_said: true,
    ..Profile::of(
        "gemini",
        Executable {
            title: "Gemini CLI",
            name: "gemini",
            support: Support::tested(Version(0, 60, 0), Version(0, 61, 0)),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("gemini"),
    person: Some(PersonFile {
        variable: None,
        folder: ".gemini",
        file: "settings.json",
    }),
    project: Some(".gemini/settings.json"),
    variable_files: &[".env", ".gemini/.env"],
    hooks: &[
        hook(START, "prompt", 15, true),
        hook(STOP, "session-stop", 30, true),
    ],
    rules: &[common::IS_COMMAND, common::HAS_TIMEOUT, common::HAS_NAME],
    units_per_second: 1000,
    shows_standard_error: true,
    has_powershell: true,
    switches: &[Switch {
        keys: &["hooksConfig", "enabled"],
        off: false,
        holder: Holder::Everybody,
    }],
    left_out: Some(&["hooksConfig", "disabled"]),
    managed: Some(ManagedFile {
        variable: Some("GEMINI_CLI_SYSTEM_SETTINGS_PATH"),
        ..common::managed(
            [
                "/etc/gemini-cli",
                "/Library/Application Support/GeminiCli",
                r"C:\ProgramData\gemini-cli",
            ],
            "settings.json",
        )
    }),
    ..common::FILE
};

/// What `gemini extensions install` takes. Its hooks are called as those of the settings are, by the launcher.
static PACKAGE: Package = Package {
    files: &[
        OwnedFile {
            name: "gemini-extension.json",
            template: include_str!("gemini/gemini-extension.json"),
            head: "{\n  \"name\": \"attest\",",
            hooks: &[],
        },
        OwnedFile {
            name: "hooks/hooks.json",
            template: include_str!("gemini/hooks.json"),
            head: "{\n  \"description\": \"attest: ",
            hooks: &[],
        },
        OwnedFile {
            name: "README.md",
            template: include_str!("gemini/README.md"),
            head: "# attest for Gemini CLI\n",
            hooks: &[],
        },
    ],
    has_launcher: true,
};

/// Its lines do not name the folder of the work, but a file beside their folder does.
static KEPT: KeptSessions = KeptSessions {
    folder: "tmp",
    of_file: |parts| match parts {
        [_, "chats", _] => Some(Of::Session),
        [_, "chats", _, _] => Some(Of::Subagent),
        _ => None,
    },
    of_line: |line, about: &mut About| {
        About::name(&mut about.session, line, "sessionId");
        Whose::Own
    },
    folder_file: Some(".project_root"),
    packed: None,
};

impl Host for Gemini {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// At the end of a turn, `prompt` is that of the turn again.
    fn payload(&self, sent: &Object<'_>) -> Payload {
        let payload = common::payload(sent);
        let is_start = payload.event.as_deref() == Some(START);
        Payload {
            prompt: payload.prompt.filter(|_| is_start),
            message: fields::text(sent, "prompt_response"),
            ..payload
        }
    }

    fn context(&self, payload: &Payload, text: &Printable) -> Option<String> {
        common::context(payload, text, &[START])
    }

    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        agent.turn(START, STOP, "prompt_response").to_string()
    }

    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let event = sent.text("hook_event_name");
        matches!(event.as_deref(), Some(START | STOP))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn the_extension_has_the_hooks_of_the_settings() {
        let file: Value = serde_json::from_str(include_str!("gemini/hooks.json")).unwrap();
        let hooks = file["hooks"].as_object().unwrap();
        assert_eq!(hooks.len(), SETTINGS.hooks.len());
        for spec in SETTINGS.hooks {
            let hook = &hooks[spec.event][0]["hooks"][0];
            let call = format!("hook {} --harness gemini --plugin", spec.verb);
            let command = hook["command"].as_str().unwrap();
            assert!(command.contains(&call), "{command}");
            assert!(command.ends_with(" 2>/dev/null || true"), "{command}");
            assert_eq!(hook["timeout"], spec.timeout * 1000);
        }
    }

    #[test]
    fn the_prompt_of_a_turn_is_one_only_at_its_start() {
        let host: &dyn Host = &Gemini;
        let parsed = |event: &str| {
            let json = format!(
                r#"{{"hook_event_name":"{event}","session_id":"s","prompt":"go","prompt_response":"DONE"}}"#
            );
            host.parse(json.as_bytes()).unwrap()
        };
        assert_eq!(parsed(START).prompt.as_deref(), Some("go"));
        assert_eq!(parsed(STOP).prompt, None);
        assert_eq!(parsed(STOP).message.as_deref(), Some("DONE"));
    }
}
