//! What one hook has to work with.

use std::cell::OnceCell;
use std::error::Error;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Instant;

use attest_host::{AgentTranscript, Host, Payload, PayloadError};
use attest_snapshot::{Limits, Moment};
use attest_state::{AgentKey, BaselineError, MAIN_AGENT, Patience, Store, StoreError, Turn};

use super::task::Task;
use attest_base::config::Config;
use attest_base::log::{Level, Log, chain};
use attest_base::state;

/// Why a hook had to give up. Nothing of it reaches the host.
#[derive(Debug, thiserror::Error)]
pub(super) enum HookError {
    #[error("cannot read the payload")]
    Stdin(#[source] io::Error),
    #[error(transparent)]
    Payload(#[from] PayloadError),
    #[error("no state file: there is no home folder")]
    NoStateFile,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("stored baseline")]
    Baseline(#[from] BaselineError),
    #[error("no folder: the payload names none, and this process has none")]
    NoFolder(#[source] io::Error),
}

impl HookError {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::Stdin(_) | Self::Payload(_) => "PAYLOAD_UNREADABLE",
            Self::NoStateFile | Self::Store(_) => "STATE_UNUSABLE",
            Self::Baseline(_) => "BASELINE_UNREADABLE",
            Self::NoFolder(_) => "NO_FOLDER",
        }
    }
}

/// What one hook has to work with.
pub(super) struct Context {
    pub(super) config: Config,
    pub(super) log: Log,
    pub(super) harness: &'static dyn Host,
    pub(super) limits: Limits,
    pub(super) payload: Payload,
    /// The agent that the event is about.
    pub(super) key: AgentKey,
    /// Whether the host gave it an id of its own.
    pub(super) has_agent_id: bool,
    /// The turn that the event is about; `None` if it is about a subagent.
    pub(super) turn: Option<Turn>,
    /// When a transcript was first read only to judge what is claimed beside files.
    pub(super) first_question: OnceCell<Instant>,
    task: OnceCell<Task>,
}

impl Context {
    pub(super) fn new(
        config: Config,
        log: Log,
        harness: &'static dyn Host,
        payload: Payload,
        deadline: Instant,
    ) -> Self {
        let session = payload.session_id.as_deref().unwrap_or("no-session");
        let key = match payload.agent_id.as_deref() {
            Some(id) => AgentKey::of_id(session, id),
            None => AgentKey::of_type(session, payload.agent_type.as_deref()),
        };
        Self {
            limits: config.limits(Some(deadline)),
            config,
            log,
            harness,
            first_question: OnceCell::new(),
            task: OnceCell::new(),
            key,
            has_agent_id: payload.agent_id.is_some(),
            payload,
            turn: None,
        }
    }

    /// The task of the subagent that the event is about; nothing is known of a turn's.
    pub(super) fn task(&self) -> &Task {
        self.task.get_or_init(|| {
            let transcript = self.harness.likely_transcript(&self.payload);
            let transcript = transcript.filter(|_| self.turn.is_none());
            let task = transcript.and_then(|path| Task::beside(&path));
            task.unwrap_or_default()
        })
    }

    /// Whether the event is about the main agent, whose turns are judged.
    pub(super) fn is_of_judged_turn(&self) -> bool {
        let judges = self.config.judges_turns(self.harness);
        judges && self.payload.session_id.is_some() && self.payload.agent_id.is_none()
    }

    /// The same about the agent that `key` names, whose turn this is. Its transcript is that of the session.
    ///
    /// What a transcript shows by itself is no advice here: in a conversation an agent speaks of work that it did
    /// in another turn.
    pub(super) fn of_turn(&self, key: AgentKey, turn: Option<Turn>) -> Self {
        let mut payload = self.payload.clone();
        payload.agent_type = Some(MAIN_AGENT.to_owned());
        if let (AgentTranscript::Absent, Some(path)) =
            (&payload.agent_transcript, &payload.transcript_path)
        {
            payload.agent_transcript = AgentTranscript::Named(path.clone());
        }
        let config = Config {
            deliverables: false,
            ..self.config.clone()
        };
        Self {
            config,
            log: self.log.clone(),
            harness: self.harness,
            limits: self.limits.clone(),
            payload,
            key,
            has_agent_id: true,
            turn,
            first_question: self.first_question.clone(),
            task: OnceCell::new(),
        }
    }

    /// Whether what is seen beside a report is told: to the parent of a subagent.
    pub(super) fn tells_beside(&self) -> bool {
        self.turn.is_none() && self.config.advise && self.config.deliverables
    }

    pub(super) fn open_store(&self) -> Result<Store, HookError> {
        let path = self
            .config
            .state_db
            .as_ref()
            .ok_or(HookError::NoStateFile)?;
        let patience = match self.limits.budget.deadline {
            Some(deadline) => Patience::Until(deadline),
            None => Patience::default(),
        };
        Ok(state::open_patiently(path, &self.log, patience)?)
    }

    pub(super) fn cwd(&self) -> Result<PathBuf, HookError> {
        match &self.payload.cwd {
            Some(cwd) => Ok(cwd.clone()),
            None => std::env::current_dir().map_err(HookError::NoFolder),
        }
    }

    /// Logs an error that costs the hook nothing but this step.
    pub(super) fn shrug(&self, code: &str, error: &dyn Error) {
        self.log.write(Level::Warn, code, chain(error));
    }

    /// Logs that the history lacks something; all else was done.
    pub(super) fn not_recorded(&self, error: &StoreError) {
        self.shrug("HISTORY_NOT_RECORDED", error);
    }
}

pub(super) fn now() -> i64 {
    Moment::now().wall_ns
}

/// Sends one piece of text to the host in a single write. A closed pipe is nobody's fault.
pub(super) fn print(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}
