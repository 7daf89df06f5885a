//! The hook protocol of Qwen Code, run in 0.24.4: nearly that of Claude Code.
//!
//! Its transcripts have a form of their own, which is not read; a stop carries the message. What it documents for the
//! start of a subagent, as context, did not reach the subagent in two runs.

use attest_json::Object;

use super::common;
use crate::executable::{Executable, Support, Version};
use crate::fields;
use crate::host::{Host, Profile, Text};
use crate::payload::{AgentTranscript, Payload};
use crate::settings::{JsonFile, ManagedFile, PersonFile};

/// Qwen Code.
pub(super) struct Qwen;

/// Its own folder, in the home folder.
const FOLDER: &str = ".qwen";

static PROFILE: Profile = Profile {
    // As a message of the hook, if standard output has nothing.
    text: Text::Shown,
    ..Profile::of(
        "qwen",
        Executable {
            title: "Qwen Code",
            name: "qwen",
            support: Support::tested(Version(0, 24, 3), Version(0, 24, 4)),
        },
        &SETTINGS,
    )
};

static SETTINGS: JsonFile = JsonFile {
    harness: Some("qwen"),
    person: Some(PersonFile {
        variable: None,
        folder: FOLDER,
        file: "settings.json",
    }),
    project: Some(".qwen/settings.json"),
    variable_files: &[
        ".qwen/settings.json",
        ".qwen/settings.local.json",
        ".env",
        ".qwen/.env",
    ],
    rules: &[common::IS_COMMAND, common::HAS_TIMEOUT, common::HAS_NAME],
    shows_standard_error: true,
    switches: &[common::DISABLE_ALL_HOOKS],
    managed: Some(ManagedFile {
        variable: Some("QWEN_CODE_SYSTEM_SETTINGS_PATH"),
        ..common::managed(
            [
                "/etc/qwen-code",
                "/Library/Application Support/QwenCode",
                r"C:\ProgramData\qwen-code",
            ],
            "settings.json",
        )
    }),
    ..common::FILE
};

impl Host for Qwen {
    fn profile(&self) -> &'static Profile {
        &PROFILE
    }

    /// A turn that is sent back keeps its `prompt_id`. What is named as the transcript of a subagent is that of
    /// the session.
    fn payload(&self, sent: &Object<'_>) -> Payload {
        Payload {
            turn_id: fields::id(sent, &["prompt_id"]),
            transcript_path: None,
            agent_transcript: AgentTranscript::Unusable,
            ..common::payload(sent)
        }
    }

    /// It runs the plugin of Claude Code too, whose payloads are like its own but for the time, and keeps its
    /// transcripts in its own folder.
    fn has_sent(&self, sent: &Object<'_>) -> bool {
        let transcript = fields::path(sent, "transcript_path");
        let mut folders = transcript.iter().flat_map(|path| path.components());
        sent.text("timestamp").is_some()
            && sent.text("prompt_id").is_some()
            && folders.any(|folder| folder.as_os_str() == FOLDER)
    }
}
