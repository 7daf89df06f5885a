//! The hooks. Whatever happens in one, it ends in time, with exit status 0 and nothing on standard
//! output but what the host is meant to read.
//!
//! `start` and `stop` do the work; `tell` hands on what a stop found, since the host shows the
//! output of a subagent's stop to nobody.

mod alike;
mod background;
mod capture;
mod context;
mod criteria;
mod earlier;
mod facts;
mod failed;
mod gates;
mod guard;
mod heard;
mod held;
mod inside;
mod known;
mod lines;
mod off;
mod own_writes;
mod plugin;
mod reading;
mod refused;
mod report;
mod scripts;
mod search;
mod shown;
mod side;
mod start;
mod stop;
mod task;
mod tell;
mod transcript;
mod turn;
mod undone;
mod whole;
mod witnesses;

pub(crate) use guard::catch_signals;
pub(crate) use refused::{no_command, refuse};

use std::io::{self, Read, stdout};
use std::process::ExitCode;
use std::time::Duration;

use attest_host::{Host, Payload, hosts};
use clap::ValueEnum as _;

use self::context::{Context, HookError, print};
use self::guard::TELL_DEADLINE;
use attest_base::config::{self, Config};
use attest_base::env::Env;
use attest_base::log::{Level, Log};
use attest_base::off::Off;
use attest_base::own_settings::OwnSettings;
use attest_base::project::Project;

/// The largest payload that is read, in bytes.
const LARGEST_PAYLOAD: u64 = 64 * 1024 * 1024;

/// Which event the host announces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Event {
    Start,
    Stop,
    Failed,
    SessionStop,
    PostToolUse,
    Prompt,
    /// Whichever of the others the payload tells of.
    #[value(name = "event")]
    Named,
}

/// Where the host has the entry from that calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// Its settings.
    Settings,
    /// The plugin.
    Plugin,
}

impl Event {
    /// The word behind `attest hook`.
    fn verb(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Failed => "failed",
            Self::SessionStop => "session-stop",
            Self::PostToolUse => "post-tool-use",
            Self::Prompt => "prompt",
            Self::Named => "event",
        }
    }

    /// The one that the payload tells of; `None` if it tells of none that the host has hooks for.
    fn told_by(self, host: &dyn Host, payload: &Payload) -> Option<Self> {
        if self != Self::Named {
            return Some(self);
        }
        Self::from_str(host.verb_of(payload)?, false).ok()
    }

    /// How loudly something is logged that is the same for all events of an agent: once, where it begins.
    fn first_level(self) -> Level {
        match self {
            Self::Start | Self::Prompt => Level::Warn,
            Self::Stop | Self::Failed | Self::SessionStop | Self::PostToolUse | Self::Named => {
                Level::Debug
            }
        }
    }

    /// What it may take, of what a start and a stop may.
    fn deadline(self, start: Duration, stop: Duration, judges_turns: bool) -> Duration {
        match self {
            Self::Start => start,
            Self::Prompt if judges_turns => start,
            Self::Stop | Self::Named => stop,
            Self::SessionStop if judges_turns => stop,
            Self::Failed | Self::SessionStop | Self::PostToolUse | Self::Prompt => TELL_DEADLINE,
        }
    }
}

/// Runs a hook to its end or to its deadline.
pub(crate) fn run(event: Event, harness: &'static dyn Host, origin: Origin, env: &Env) -> ExitCode {
    // Until the settings are known.
    let usual = event.deadline(config::START_DEADLINE, config::STOP_DEADLINE, false);
    guard::guarded(usual, |guard| {
        let project = Project::read(env, &[harness]);
        if project.settle(env).is_err() {
            // Where the log would be is not known either.
            return allow(harness, &Payload::default());
        }
        let off = Off::read(env);
        let settings = OwnSettings::read(env);
        let known_as = |host: &'static dyn Host| {
            let env = settings.below(env, Some(host.name()));
            let env = project.heed(env, &[harness]);
            let mut config = Config::read(&env).within(host);
            config.export.clone_from(&settings.export);
            (env, config)
        };
        let (mut env, mut config) = known_as(harness);
        let judges_turns = config.judges_turns(harness);
        let time = event.deadline(config.start_deadline, config.stop_deadline, judges_turns);
        let log = config.log(event.verb());
        guard.set(time, log.clone());
        report_panics(log.clone());
        for complaint in settings.complaints() {
            log.write(Level::Warn, "BAD_SETTINGS", complaint);
        }
        for complaint in &config.complaints {
            log.write(Level::Warn, "BAD_VARIABLE", complaint);
        }
        for refused in &env.refused {
            log.write(event.first_level(), "PROJECT_VARIABLE", refused);
        }
        // A reading that is cut short needs the rest of the time to say so.
        let deadline = guard.began() + time.mul_f32(0.9);
        let received = match read(harness) {
            Ok(received) => received,
            Err(error) => {
                log.error(error.code(), &error);
                return allow(harness, &Payload::default());
            }
        };
        let Received {
            raw,
            sender,
            payload,
        } = received;
        if sender.name() != harness.name() {
            let text = format!("{} runs an entry for {}", sender.name(), harness.name());
            log.write(event.first_level(), "ANOTHER_HOST", text);
            (env, config) = known_as(sender);
        }
        // The launcher names no event if the host gave it no words.
        let knows_args = event != Event::Named;
        let Some(event) = event.told_by(sender, &payload) else {
            log.write(Level::Info, "NO_SUCH_EVENT", sender.name());
            return allow(sender, &payload);
        };
        let is_doubled = || plugin::is_not_needed(event, sender, &payload, knows_args, &env);
        if origin == Origin::Plugin && is_doubled() {
            log.write(Level::Info, "PLUGIN_NOT_NEEDED", sender.name());
            return allow(sender, &payload);
        }
        config.asks.get_or_insert(origin == Origin::Plugin);
        let context = Context::new(config, log, sender, payload, deadline);
        if let Some(off) = off {
            if !off::pass(event, &context, &off).unwrap_or_else(|error| {
                context.log.error(error.code(), &error);
                false
            }) {
                allow(sender, &context.payload);
            }
            return;
        }
        capture::keep(&context, event.verb(), &raw);
        drop(raw);
        if !work(event, &context) {
            allow(sender, &context.payload);
        }
    })
}

/// What came in on standard input.
struct Received {
    raw: Vec<u8>,
    /// Who sent it, which need not be the host that the entry names.
    sender: &'static dyn Host,
    payload: Payload,
}

fn read(harness: &'static dyn Host) -> Result<Received, HookError> {
    let mut raw = Vec::new();
    io::stdin()
        .lock()
        .take(LARGEST_PAYLOAD)
        .read_to_end(&mut raw)
        .map_err(HookError::Stdin)?;
    let (sender, payload) = hosts::receive(harness, &raw)?;
    Ok(Received {
        raw,
        sender,
        payload,
    })
}

/// Does the work. Whether the host has its answer; what fails is in the log.
fn work(event: Event, context: &Context) -> bool {
    let logged = |result: Result<bool, HookError>| {
        result.unwrap_or_else(|error| {
            context.log.error(error.code(), &error);
            false
        })
    };
    let silent = |()| false;
    match event {
        Event::Start => logged(start::run(context)),
        Event::Stop => logged(stop::run(context)),
        Event::Failed => logged(failed::run(context).map(silent)),
        // One answer at most: if the agent goes on, the person hears the rest when it ends.
        Event::SessionStop => {
            context.is_of_judged_turn() && logged(turn::stop(context))
                || logged(tell::person(context))
        }
        Event::Prompt => {
            context.is_of_judged_turn() && logged(turn::prompt(context).map(silent))
                || logged(tell::parent(context))
        }
        Event::PostToolUse => {
            context.is_of_judged_turn() && logged(turn::reported(context).map(silent))
                || logged(tell::parent(context))
        }
        // `told_by` has put another in its place.
        Event::Named => false,
    }
}

/// Tells the host that nothing is asked of it, if it wants to be told.
fn allow(harness: &dyn Host, payload: &Payload) {
    if let Some(reply) = harness.allow(payload) {
        print(stdout().lock(), &reply);
    }
}

fn report_panics(log: Log) {
    std::panic::set_hook(Box::new(move |panic| {
        log.write(Level::Error, "PANIC", panic);
    }));
}
