//! The hooks. Whatever happens in one, it ends in time, with exit status 0 and nothing on standard
//! output but what the host is meant to read.
//!
//! `start` and `stop` do the work; `tell` hands on what a stop found, since the host shows the
//! output of a subagent's stop to nobody.

mod capture;
mod criteria;
mod evidence;
mod guard;
mod message;
mod record;
mod refused;
mod report;
mod start;
mod stop;
mod tell;
mod witness;

pub(crate) use guard::catch_signals;
pub(crate) use refused::{no_command, refuse};

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use attest_host::{Host, Payload, PayloadError};
use attest_snapshot::{Limits, Moment};
use attest_state::{AgentKey, BaselineError, Patience, Store, StoreError};

use crate::config::{self, Config};
use crate::env::Env;
use crate::log::{Level, Log, chain};
use crate::state;

/// The largest payload that is read, in bytes.
const LARGEST_PAYLOAD: u64 = 64 * 1024 * 1024;
/// What a hook may take that only hands on what is known.
const TELL_DEADLINE: Duration = Duration::from_secs(5);

/// Which event the host announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Event {
    Start,
    Stop,
    SessionStop,
    PostToolUse,
    Prompt,
}

impl Event {
    /// The word behind `attest hook`.
    fn verb(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::SessionStop => "session-stop",
            Self::PostToolUse => "post-tool-use",
            Self::Prompt => "prompt",
        }
    }

    /// The deadline until the configuration is known.
    fn usual_deadline(self) -> Duration {
        match self {
            Self::Start => config::START_DEADLINE,
            Self::Stop => config::STOP_DEADLINE,
            Self::SessionStop | Self::PostToolUse | Self::Prompt => TELL_DEADLINE,
        }
    }

    fn deadline(self, config: &Config) -> Duration {
        match self {
            Self::Start => config.start_deadline,
            Self::Stop => config.stop_deadline,
            Self::SessionStop | Self::PostToolUse | Self::Prompt => TELL_DEADLINE,
        }
    }
}

/// Why a hook had to give up. Nothing of it reaches the host.
#[derive(Debug, thiserror::Error)]
enum HookError {
    #[error("cannot read the payload")]
    Stdin(#[source] io::Error),
    #[error(transparent)]
    Payload(#[from] PayloadError),
    #[error("no state file: HOME is not set")]
    NoStateFile,
    #[error("state file")]
    Store(#[from] StoreError),
    #[error("stored baseline")]
    Baseline(#[from] BaselineError),
    #[error("no folder: the payload names none, and this process has none")]
    NoFolder(#[source] io::Error),
}

impl HookError {
    fn code(&self) -> &'static str {
        match self {
            Self::Stdin(_) | Self::Payload(_) => "PAYLOAD_UNREADABLE",
            Self::NoStateFile | Self::Store(_) => "STATE_UNUSABLE",
            Self::Baseline(_) => "BASELINE_UNREADABLE",
            Self::NoFolder(_) => "NO_FOLDER",
        }
    }
}

/// What one hook has to work with.
struct Context {
    config: Config,
    log: Log,
    harness: &'static dyn Host,
    limits: Limits,
    payload: Payload,
    raw: Vec<u8>,
}

/// Runs a hook to its end or to its deadline.
pub(crate) fn run(event: Event, harness: &'static dyn Host, env: &Env) -> ExitCode {
    guard::guarded(event.usual_deadline(), |guard| {
        let config = Config::read(env);
        let time = event.deadline(&config);
        let log = Log::new(&config, event.verb());
        guard.set(time, log.clone());
        report_panics(log.clone());
        for complaint in &config.complaints {
            log.write(Level::Warn, "BAD_VARIABLE", complaint);
        }
        // A reading that is cut short needs the rest of the time to say so.
        let deadline = guard.began() + time.mul_f32(0.9);
        if let Err(error) = work(event, harness, config, log.clone(), deadline) {
            log.error(error.code(), &error);
        }
    })
}

fn work(
    event: Event,
    harness: &'static dyn Host,
    config: Config,
    log: Log,
    deadline: Instant,
) -> Result<(), HookError> {
    let mut raw = Vec::new();
    io::stdin()
        .lock()
        .take(LARGEST_PAYLOAD)
        .read_to_end(&mut raw)
        .map_err(HookError::Stdin)?;
    let payload = harness.parse(&raw)?;
    let context = Context {
        limits: config.limits(Some(deadline)),
        config,
        log,
        harness,
        payload,
        raw,
    };
    capture::keep(&context, event);
    match event {
        Event::Start => start::run(&context),
        Event::Stop => stop::run(&context),
        Event::SessionStop => tell::person(&context),
        Event::PostToolUse | Event::Prompt => tell::parent(&context),
    }
}

impl Context {
    fn open_store(&self) -> Result<Store, HookError> {
        let path = self
            .config
            .state_db
            .as_ref()
            .ok_or(HookError::NoStateFile)?;
        let patience = match self.limits.deadline {
            Some(deadline) => Patience::Until(deadline),
            None => Patience::default(),
        };
        Ok(state::open_patiently(path, &self.log, patience)?)
    }

    /// The agent, and whether the host gave it an id of its own.
    fn agent_key(&self) -> (AgentKey, bool) {
        let session = self.payload.session_id.clone();
        let id = self.payload.agent_id.clone();
        let is_named = id.is_some();
        let agent = id.unwrap_or_else(|| {
            let kind = self.payload.agent_type.as_deref();
            format!("type:{}", kind.unwrap_or("unknown"))
        });
        let session = session.unwrap_or_else(|| "no-session".to_owned());
        (AgentKey { session, agent }, is_named)
    }

    fn cwd(&self) -> Result<PathBuf, HookError> {
        match &self.payload.cwd {
            Some(cwd) => Ok(cwd.clone()),
            None => std::env::current_dir().map_err(HookError::NoFolder),
        }
    }
}

fn now() -> i64 {
    Moment::now().wall_ns
}

/// Sends one piece of text to the host in a single write. A closed pipe is nobody's fault.
fn print(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes()).and_then(|()| to.flush());
}

fn report_panics(log: Log) {
    std::panic::set_hook(Box::new(move |panic| {
        log.write(Level::Error, "PANIC", panic);
    }));
}

/// Logs an error that costs the hook nothing but this step.
fn shrug(log: &Log, code: &str, error: &dyn std::error::Error) {
    log.write(Level::Warn, code, chain(error));
}
