//! The hooks. Whatever happens in one, it ends in time, with exit status 0 and nothing on standard
//! output but what the host is meant to read.
//!
//! `start` and `stop` do the work; `tell` hands on what a stop found, since the host shows the
//! output of a subagent's stop to nobody.

mod capture;
mod context;
mod criteria;
mod gather;
mod guard;
mod lines;
mod refused;
mod start;
mod stop;
mod tell;
mod transcript;

pub(crate) use guard::catch_signals;
pub(crate) use refused::{no_command, refuse};

use std::io::{self, Read};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use attest_host::{Host, hosts};

use self::context::{Context, HookError};
use self::guard::TELL_DEADLINE;
use crate::config::{self, Config};
use crate::env::Env;
use crate::log::{Level, Log};

/// The largest payload that is read, in bytes.
const LARGEST_PAYLOAD: u64 = 64 * 1024 * 1024;

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

    /// How loudly something is logged that is the same for all events of an agent: once, where it begins.
    fn first_level(self) -> Level {
        match self {
            Self::Start | Self::Prompt => Level::Warn,
            Self::Stop | Self::SessionStop | Self::PostToolUse => Level::Debug,
        }
    }

    /// What it may take, of what a start and a stop may.
    fn deadline(self, start: Duration, stop: Duration) -> Duration {
        match self {
            Self::Start => start,
            Self::Stop => stop,
            Self::SessionStop | Self::PostToolUse | Self::Prompt => TELL_DEADLINE,
        }
    }
}

/// Runs a hook to its end or to its deadline.
pub(crate) fn run(event: Event, harness: &'static dyn Host, env: &Env) -> ExitCode {
    // Until the settings are known.
    let usual = event.deadline(config::START_DEADLINE, config::STOP_DEADLINE);
    guard::guarded(usual, |guard| {
        let config = Config::read(env);
        let time = event.deadline(config.start_deadline, config.stop_deadline);
        let log = config.log(event.verb());
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
    let (sender, payload) = hosts::receive(harness, &raw)?;
    if sender.name() != harness.name() {
        let (sender, named) = (sender.name(), harness.name());
        let text = format!("{sender} runs an entry for {named}");
        log.write(event.first_level(), "ANOTHER_HOST", text);
    }
    let context = Context::new(config, log, sender, payload, deadline);
    capture::keep(&context, event.verb(), &raw);
    match event {
        Event::Start => start::run(&context),
        Event::Stop => stop::run(&context),
        Event::SessionStop => tell::person(&context),
        Event::PostToolUse | Event::Prompt => tell::parent(&context),
    }
}

fn report_panics(log: Log) {
    std::panic::set_hook(Box::new(move |panic| {
        log.write(Level::Error, "PANIC", panic);
    }));
}
