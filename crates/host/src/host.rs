//! What attest has to know of a host, and nothing that it has to know of only one.

use std::fmt;
use std::path::{Path, PathBuf};

use attest_evidence::Printable;
use attest_json::Object;
use attest_transcript::Form;

use crate::executable::Executable;
use crate::kept::KeptSessions;
use crate::payload::{self, AgentTranscript, Payload, PayloadError};
use crate::reply;
use crate::sample::SampleAgent;
use crate::settings::{Package, Wiring};

/// A program that runs agents and calls attest's hooks.
///
/// An entry in its settings calls `attest hook VERB --harness NAME` for an event. What a verb does, and what of
/// the payload it needs beside `session_id` and `cwd`:
///
/// | verb | for | does | asks the payload for | answers with |
/// |---|---|---|---|---|
/// | `start` | the start of a subagent | takes the snapshot | `agent_id`, `agent_type`, `agent_transcript` | [`allow`](Self::allow) |
/// | `stop` | the end of a subagent | judges its report | the same, `message`, `stop_hook_active` | [`block`](Self::block), [`finalize`](Self::finalize) or `allow` |
/// | `failed` | the end of a subagent by an error | closes its run | `agent_id`, `failure` | `allow` |
/// | `prompt` | a prompt to the main agent | begins a turn, if those are judged; tells the agent what did not hold | `turn_id`, `prompt`, `reported` | [`context`](Self::context) or `allow` |
/// | `session-stop` | the end of the main agent's turn | judges the turn, if those are judged; tells the person what did not hold | `turn_id`, `message` or `transcript_path`, `stop_hook_active`; an `agent_id` says that it is no end of a turn | `block`, [`notice`](Self::notice), `finalize` or `allow` |
/// | `post-tool-use` | the end of a tool that starts subagents | tells the parent what did not hold | `reported` | `context` or `allow` |
///
/// At most one of these answers is printed.
pub trait Host: Sync {
    /// What is true of it as long as it runs.
    fn profile(&self) -> &'static Profile;

    /// Reads the payload of any of its hook events.
    fn payload(&self, sent: &Object<'_>) -> Payload;

    /// The verb of the event that a payload tells of, for an entry that names none; `None` if there is no hook for it.
    fn verb_of(&self, payload: &Payload) -> Option<&'static str> {
        let event = payload.event.as_deref()?;
        let mut hooks = self.profile().wiring.hooks().iter();
        hooks.find(|spec| spec.event == event).map(|spec| spec.verb)
    }

    /// Where it was seen to put the transcript of the agent that `payload` is about, if the payload
    /// does not say.
    fn usual_transcript(&self, _payload: &Payload) -> Option<PathBuf> {
        None
    }

    /// What to print so that the agent goes back to work with `reason`. Who prints it needs leave for
    /// that, of which nothing is known here.
    ///
    /// Some hosts want to be told which agent, or what it is that is sent a second time: that is in
    /// the `payload`.
    fn block(&self, _payload: &Payload, reason: &Printable) -> String {
        reply::block(reason)
    }

    /// What to print at the end of the session's own turn so that the person is shown `text`; `None`
    /// if the host has no way to.
    fn notice(&self, _payload: &Payload, text: &Printable) -> Option<String> {
        Some(reply::notice(text))
    }

    /// What to print so that the agent that the event of `payload` belongs to is given `text`; `None`
    /// if the host has no way to.
    fn context(&self, _payload: &Payload, _text: &Printable) -> Option<String> {
        None
    }

    /// What to print if nothing is asked of the host and there is nothing to tell; `None` if it takes silence
    /// for consent.
    fn allow(&self, _payload: &Payload) -> Option<String> {
        None
    }

    /// What to print so that the agent ends where another hook would keep it at work, with `reason` for the
    /// person; `None` if the host has no way to.
    fn finalize(&self, _payload: &Payload, _reason: &Printable) -> Option<String> {
        None
    }

    /// Whether agents of this type are given no tool that writes files, so that none of them can have finished any.
    fn only_reads(&self, _agent_type: &str) -> bool {
        false
    }

    /// The payload that the host sends when an agent starts, or stops with a message. `doctor` plays
    /// the host with it.
    fn sample(&self, agent: &SampleAgent<'_>) -> String {
        agent.payload().to_string()
    }

    /// Whether the host would send the agent back to work on reading `reply`.
    fn is_block(&self, reply: &str) -> bool {
        reply::says(reply, "decision", "block")
    }

    /// Whether only this host can have sent the payload. Other hosts may run an entry that names this one, and
    /// this one entries that name others, since several read the settings of others.
    fn has_sent(&self, _sent: &Object<'_>) -> bool {
        false
    }

    /// The events of our hooks in the settings `content` of `file` that the host leaves out because the person has
    /// not trusted them as they are. `own` gives the text of a file in the host's folder.
    fn untrusted(
        &self,
        _file: &Path,
        _content: &[u8],
        _own: &dyn Fn(&str) -> Option<String>,
    ) -> Vec<String> {
        Vec::new()
    }

    /// The variable with which a person has a file elsewhere that is usually in the host's folder.
    fn variable_of(&self, _file: &str) -> Option<&'static str> {
        None
    }

    /// The setting with which the person turned hooks off in a file beside those that have them, in words; `own`
    /// gives the text of a file in the host's folder.
    fn turned_off(&self, _own: &dyn Fn(&str) -> Option<String>) -> Option<String> {
        None
    }
}

/// What is true of a host, whatever it sends.
pub struct Profile {
    /// The word behind `--harness`, which the state file keeps too.
    pub name: &'static str,
    /// The program that is the host.
    pub executable: Executable,
    /// How it is told to run the hooks.
    pub wiring: &'static dyn Wiring,
    /// What its own command installs the hooks from; `None` if it takes the plugin of the usual host, or none.
    pub package: Option<&'static Package>,
    /// The forms that the lines of its transcripts may have.
    pub transcripts: &'static [&'static dyn Form],
    /// Those of the lines of a subagent that stand among those of its session.
    pub transcripts_of_agents: &'static [&'static dyn Form],
    /// The transcripts that it leaves on the disk; `None` if it leaves none that are read.
    pub kept: Option<&'static KeptSessions>,
    /// What it does with plain text of a hook.
    pub text: Text,
    /// Whether the turns of its main agent are judged if the person does not say: those are all that there is
    /// to judge in a host that has no events of subagents.
    pub judges_turns: bool,
    /// Whether the message of a stop is all that was said since the prompt, with what the agent was sent back for.
    /// The last of it is then in the transcript of the session.
    pub sends_all_that_was_said: bool,
    /// The other hosts whose files it runs as well.
    pub borrows: &'static [Borrowed],
    /// What only the person can do once the hooks are in place, and without which they do not run.
    pub left_to_do: Option<&'static str>,
}

impl Profile {
    /// A host that does nothing beyond what every host does.
    pub const fn of(
        name: &'static str,
        executable: Executable,
        wiring: &'static dyn Wiring,
    ) -> Self {
        Self {
            name,
            executable,
            wiring,
            package: None,
            transcripts: &[],
            transcripts_of_agents: &[],
            kept: None,
            text: Text::Failure,
            judges_turns: false,
            sends_all_that_was_said: false,
            borrows: &[],
            left_to_do: None,
        }
    }
}

/// What a host does with plain text of a hook that ended well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Text {
    /// On standard output it is a failure of the hook, so that what is reported goes to standard error, which nobody
    /// is shown.
    Failure,
    /// It is taken from the hook of a subagent's stop, which is where the report goes if nothing is enforced.
    Taken,
    /// As [`Failure`](Self::Failure), but the person is shown standard error: what is not a finding is then left to
    /// the log.
    Shown,
}

/// A host whose files another one runs.
#[derive(Debug)]
pub struct Borrowed {
    /// Its name.
    pub host: &'static str,
    /// Whether the file of the person is among them, and not only that of a project.
    pub is_of_person: bool,
}

impl dyn Host + '_ {
    /// The word behind `--harness`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.profile().name
    }

    /// How it is told to run the hooks.
    #[must_use]
    pub fn wiring(&self) -> &'static dyn Wiring {
        self.profile().wiring
    }

    /// Whether it announces the end of a subagent.
    #[must_use]
    pub fn has_subagents(&self) -> bool {
        self.wiring().hooks().iter().any(|spec| spec.verb == "stop")
    }

    /// Reads one hook payload of this host.
    pub fn parse(&self, bytes: &[u8]) -> Result<Payload, PayloadError> {
        payload::with_object(bytes, |sent| self.payload(sent))
    }

    /// Where this host keeps the transcript of the agent that `payload` is about: what the payload
    /// names, or else the usual place. Good for showing, not for judging.
    #[must_use]
    pub fn likely_transcript(&self, payload: &Payload) -> Option<PathBuf> {
        match &payload.agent_transcript {
            AgentTranscript::Named(path) => Some(path.clone()),
            AgentTranscript::Among(_) | AgentTranscript::Unusable => None,
            AgentTranscript::Absent => self.usual_transcript(payload),
        }
    }
}

impl fmt::Debug for dyn Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
