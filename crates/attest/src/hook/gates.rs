//! `ATTEST_GATES`: programs that a person has asked about each stop. Each is told what the stop came to so far, and
//! answers with a decision. One that fails, or takes too long, has none.

mod question;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use attest_json::Fault;
use attest_process::{End, MARK, Reach, Stop, Task, Window};
use attest_snapshot::{Around, Printable, Untrusted, escaped, is_blank};
use attest_state::{Agent, Store, history};
use attest_verdict::{Decision, Evidence, GateAnswer, NoAnswer, Reason, StopOutcome};
use jiff::Timestamp;
use serde::Deserialize;

use super::context::Context;
use super::inside::is_in_repository_of;
use attest_base::log::{Level, chain};
use attest_base::trusted::{self, Refused};
use question::question;

/// The share of the time until the hook's deadline that all gates have together; the rest is for the decision and
/// its record.
const SHARE: f64 = 0.8;
/// How often in a row a gate may be late in a session before it gets less time.
const MOST_LATE: u32 = 2;
/// What it gets then.
const SHORT: Duration = Duration::from_secs(1);
/// With less than this none is asked.
const LEAST: Duration = Duration::from_millis(50);
/// Bytes of an answer.
const ANSWER: Window = Window {
    head: 64 * 1024,
    tail: 0,
};
/// Bytes of what a gate says beside its answer.
const SAID: Window = Window { head: 0, tail: 400 };
/// Characters of a reason: a host hands it to the agent whole.
const LONGEST_REASON: usize = 4000;

/// Why a gate gave no answer.
#[derive(Debug, thiserror::Error)]
enum GateError {
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("no time is left")]
    NoTime,
    #[error("{0}")]
    Ended(String),
    #[error("{0}")]
    Late(String),
    #[error("its answer is longer than 64 KiB, or has no end")]
    TooLong,
    #[error("its answer is not valid")]
    Syntax(#[source] Fault),
    #[error("it asks for a revision and gives no reason")]
    NoReason,
}

impl GateError {
    fn code(&self) -> &'static str {
        match self {
            // It was not run because of what it is.
            Self::Refused(why) if !matches!(why, Refused::Missing(_)) => "GATE_REFUSED",
            Self::Late(_) => "GATE_LATE",
            _ => "GATE_FAILED",
        }
    }
}

/// What a gate prints.
#[derive(Debug, Deserialize)]
struct Answer {
    decision: Word,
    #[serde(default)]
    reason: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Word {
    Continue,
    Revise,
    Finalize,
}

/// The outcome with what the gates say of it. Nothing is asked of a stop that nothing is known of.
pub(super) fn hear(
    context: &Context,
    store: &Store,
    agent: Option<&Agent>,
    outcome: StopOutcome,
) -> StopOutcome {
    let programs = &context.config.gates.programs;
    let is_known = !matches!(
        outcome.input.evidence,
        Evidence::NoSnapshot | Evidence::Failed(_)
    );
    let Some(agent) = agent.filter(|_| is_known && !programs.is_empty()) else {
        return outcome;
    };
    let time = context.limits.budget.deadline.map(|deadline| {
        let now = Instant::now();
        now + deadline.saturating_duration_since(now).mul_f64(SHARE)
    });
    let late = late(context, store);
    let mut outcome = outcome;
    for (number, program) in programs.iter().enumerate() {
        let left = u32::try_from(programs.len() - number).unwrap_or(u32::MAX);
        let limit = share(time, left).min(patience(&late, program));
        let answer = ask(context, agent, &outcome, program, limit);
        outcome = outcome.heard(said(context, program, answer));
    }
    outcome
}

/// How often in a row each gate was late in this session, by its name. If that cannot be told, none was.
fn late(context: &Context, store: &Store) -> BTreeMap<String, u32> {
    let late = history::late_gates(store, &context.key.session, Timestamp::now());
    late.unwrap_or_else(|error| {
        context.shrug("GATES_UNKNOWN", &error);
        BTreeMap::new()
    })
}

/// What a gate may take whatever time there is: little if it was late too often, until it answers in time again.
fn patience(late: &BTreeMap<String, u32>, program: &Path) -> Duration {
    match late.get(&escaped(name(program).as_bytes())) {
        Some(times) if *times >= MOST_LATE => SHORT,
        _ => Duration::MAX,
    }
}

/// What a gate is called.
fn name(program: &Path) -> String {
    let name = program.file_name().unwrap_or(program.as_os_str());
    name.to_string_lossy().into_owned()
}

/// What one of so many gates may take of the time until `end`.
fn share(end: Option<Instant>, gates: u32) -> Duration {
    let left = end.map_or(Duration::MAX, |end| {
        end.saturating_duration_since(Instant::now())
    });
    left / gates
}

fn said(context: &Context, program: &Path, answer: Result<Decision, GateError>) -> GateAnswer {
    let gate = name(program);
    let decision = answer.map_err(|error| {
        let code = error.code();
        let why = chain(&error);
        let name = program.display().to_string();
        let line = format!("{}: {why}", Untrusted::new(&name));
        context.log.write(Level::Warn, code, line);
        NoAnswer {
            why,
            is_late: matches!(error, GateError::Late(_)),
        }
    });
    GateAnswer { gate, decision }
}

fn ask(
    context: &Context,
    agent: &Agent,
    outcome: &StopOutcome,
    program: &Path,
    limit: Duration,
) -> Result<Decision, GateError> {
    if limit < LEAST {
        return Err(GateError::NoTime);
    }
    check(context, agent, program)?;
    let question = question(context, agent, outcome);
    let environment = &context.config.gates.environment;
    let marks = environment.iter().find(|(name, _)| name == MARK);
    let marks = marks.map(|(_, marks)| marks.to_string_lossy().into_owned());
    let task = Task {
        program: command(program, context, agent),
        input: Some(question.as_bytes()),
        limit,
        stdout: ANSWER,
        stderr: Some(SAID),
        reach: Reach::All {
            marks: marks.as_deref().unwrap_or_default(),
        },
    };
    let ran = attest_process::run(task, &Stop::at(context.limits.budget.deadline));
    let ended = ended(&ran.end, &ran.stderr.to_string());
    match ran.end {
        End::TimedOut(_) => return Err(GateError::Late(ended)),
        end if !end.is_success() => return Err(GateError::Ended(ended)),
        _ => {}
    }
    read(ran.stdout.whole().ok_or(GateError::TooLong)?)
}

/// How it ended, with its last line, which often says why.
fn ended(end: &End, said: &str) -> String {
    match said.lines().rfind(|line| !line.trim().is_empty()) {
        Some(line) => format!("{end}: {}", Untrusted::new(line.trim())),
        None => end.to_string(),
    }
}

/// Whether the program is one that only the person can have put there: a host may take variables from settings
/// that lie in the repository, and what lies there itself is not run for that alone. Neither the program nor a link
/// on the way to it may be in a work tree around the folder, or in another one of the same repository.
fn check(context: &Context, agent: &Agent, program: &Path) -> Result<(), GateError> {
    let cwd = context.cwd().ok();
    let folders: Vec<_> = agent.worktree.iter().chain(&cwd).collect();
    let home = context.config.home.as_deref();
    let around = folders.iter().map(|folder| Around::folder(folder, home));
    let stops = trusted::check(program, &around.collect::<Vec<_>>())?;
    let is_inside = |stop: &PathBuf| {
        let mut folders = folders.iter();
        folders.any(|folder| is_in_repository_of(folder, stop, context))
    };
    if stops.iter().any(is_inside) {
        return Err(Refused::Inside.into());
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "attest_process runs it and ends it"
)]
fn command(program: &Path, context: &Context, agent: &Agent) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    let environment = context.config.gates.environment.iter();
    command.envs(environment.map(|(name, value)| (name, value)));
    if let Some(folder) = agent.worktree.clone().or_else(|| context.cwd().ok()) {
        command.current_dir(folder);
    }
    command
}

fn read(answer: &[u8]) -> Result<Decision, GateError> {
    let answer: Answer =
        serde_json::from_slice(answer).map_err(|error| GateError::Syntax(error.into()))?;
    let reason = answer.reason.as_deref().and_then(reason);
    match answer.decision {
        Word::Continue => Ok(Decision::Continue),
        Word::Revise => match reason {
            Some(reason) => Ok(Decision::Revise { reason }),
            None => Err(GateError::NoReason),
        },
        Word::Finalize => Ok(Decision::Finalize { reason }),
    }
}

fn reason(text: &str) -> Option<Reason> {
    // What nobody sees is no reason; escaped it would look like one.
    let text = Some(text.trim()).filter(|text| !is_blank(text))?;
    let mut short: String = text.chars().take(LONGEST_REASON).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    Reason::new(Printable::new(&short))
}

#[cfg(test)]
mod tests;
