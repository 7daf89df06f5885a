//! What a hook payload says, whichever host sent it.

use std::path::{Path, PathBuf};

use attest_json::{Fault, Object};

/// One hook payload, read.
///
/// A field is `None` if the payload lacks it, leaves it blank, or holds something in its place
/// that cannot be trusted: every consumer treats the three alike, by doing less.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Payload {
    /// The name of the event, in the host's spelling.
    pub event: Option<String>,
    /// The session in which the agent runs.
    pub session_id: Option<String>,
    /// The agent. With the session id it names one agent for good, also after a resume.
    pub agent_id: Option<String>,
    /// The kind of agent, such as `general-purpose`; allow-lists go by it.
    pub agent_type: Option<String>,
    /// The folder in which the agent works. Always absolute.
    pub cwd: Option<PathBuf>,
    /// The transcript of the session; for a subagent that is its parent's. Always absolute.
    pub transcript_path: Option<PathBuf>,
    /// The transcript of this agent alone.
    pub agent_transcript: AgentTranscript,
    /// The host says that the agent is already continuing because a hook blocked its stop.
    pub stop_hook_active: bool,
    /// The turn of the main agent, if the host gives its turns ids.
    pub turn_id: Option<String>,
    /// What the main agent is asked, if the event is about that. A host may hand our own reason on as a prompt.
    pub prompt: Option<String>,
    /// The agent's final message, if the payload carries it.
    pub message: Option<String>,
    /// The agents whose final reports this event hands to the agent that started them.
    pub reported: Vec<String>,
    /// Why the agent died, in the host's words, if the event is that.
    pub failure: Option<String>,
    /// The commands that run in the background of the session, if the host says which do.
    pub background: Option<Vec<BackgroundCommand>>,
    /// The subagents that are at work in the session, if the host lists them.
    pub at_work: Option<Vec<String>>,
}

/// A command that runs in the background.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackgroundCommand {
    /// The host's name for it.
    pub id: String,
    /// What runs.
    pub command: String,
}

/// Whether the payload names a transcript of the agent's own.
///
/// `Unusable` differs from `Absent` because only the latter permits falling back to the session's
/// transcript: another agent's words must never stand in for words that merely cannot be read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum AgentTranscript {
    /// The payload names none.
    #[default]
    Absent,
    /// The payload names this file. Always absolute.
    Named(PathBuf),
    /// The agent's lines stand among others in this file, and carry its id. Always absolute.
    Among(PathBuf),
    /// The payload names one, in a form that is not a trustworthy path.
    Unusable,
}

impl Payload {
    /// The file in which this agent's final message may be looked up, if the payload has no text.
    #[must_use]
    pub fn message_transcript(&self) -> Option<&Path> {
        match &self.agent_transcript {
            AgentTranscript::Named(path) => Some(path),
            AgentTranscript::Absent => self.transcript_path.as_deref(),
            AgentTranscript::Among(_) | AgentTranscript::Unusable => None,
        }
    }
}

/// Why no payload could be read at all.
#[derive(Debug, thiserror::Error)]
pub enum PayloadError {
    /// There was nothing but white space.
    #[error("empty payload")]
    Empty,
    /// JSON of another shape, or no JSON.
    #[error("payload is not a JSON object")]
    NotAnObject,
    /// An object that does not hold to JSON's grammar, or does not end.
    #[error("malformed payload")]
    Malformed(#[from] Fault),
}

/// Reads the object of one payload.
///
/// Any bytes may come in. Bytes that are not UTF-8 read as U+FFFD, in texts only; a byte-order
/// mark, white space and NUL bytes around the object are ignored.
pub(crate) fn with_object<T>(
    bytes: &[u8],
    read: impl FnOnce(&Object<'_>) -> T,
) -> Result<T, PayloadError> {
    let text = String::from_utf8_lossy(bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || matches!(c, '\u{feff}' | '\0'));
    if text.is_empty() {
        return Err(PayloadError::Empty);
    }
    if !text.starts_with('{') {
        return Err(PayloadError::NotAnObject);
    }
    Ok(read(&Object::parse(text)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn payload(agent_transcript: AgentTranscript) -> Payload {
        Payload {
            transcript_path: Some(PathBuf::from("/session")),
            agent_transcript,
            ..Payload::default()
        }
    }

    #[test]
    fn the_session_transcript_stands_in_only_for_an_absent_one() {
        let own = AgentTranscript::Named(PathBuf::from("/own"));
        assert_eq!(payload(own).message_transcript(), Some(Path::new("/own")));
        assert_eq!(
            payload(AgentTranscript::Absent).message_transcript(),
            Some(Path::new("/session"))
        );
        assert_eq!(
            payload(AgentTranscript::Unusable).message_transcript(),
            None
        );
    }
}
