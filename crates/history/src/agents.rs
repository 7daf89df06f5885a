//! `attest agents`: what the agents are doing, and how full their context is.

use std::path::Path;

use anstyle::Style;
use attest_host::hosts;
use attest_snapshot::{escaped, path_bytes};
use attest_state::Store;
use attest_state::history::{self, End, Filter, Run};
use attest_transcript::{Usage, last_usage};
use attest_verdict::Outcome;
use clap::ValueEnum;
use jiff::{SignedDuration, Timestamp};
use serde::Serialize;

use super::history::{open, read};
use super::names::agent_name;
use super::scope::{FilterArgs, Scope, titled};
use crate::cost;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::time::Clock;
use attest_base::ui::{Cell, Column, DOUBTFUL, FAINT, Table, Ui, cut, duration, hanging, word};

/// Characters of what the host said of a death that the table shows. `--json` has all of it.
const MOST_OF_FAILURE: usize = 30;

/// List the agents: whether they are at work, and how full their context is
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest agents\n  \
    attest agents --all --since yesterday\n  \
    attest agents --status active,lost\n  \
    attest agents --agent-type general-purpose --json")]
pub struct AgentsArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// Only those that have come so far, such as active,lost
    #[arg(long, value_enum, value_name = "WORD", value_delimiter = ',')]
    status: Vec<Status>,
    /// At most so many, the newest first
    #[arg(long, short = 'n', value_name = "N", default_value_t = 50, value_parser = super::count)]
    limit: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// It started, and its stop is still to come
    Active,
    /// It stopped
    Completed,
    /// An error ended it before it could stop
    Died,
    /// It started, and neither its stop nor anything else was heard for long
    Lost,
}

impl Status {
    /// What the history has of it.
    fn end(self) -> End {
        match self {
            Self::Active | Self::Lost => End::Open,
            Self::Completed => End::Stopped,
            Self::Died => End::Failed,
        }
    }
}

/// One agent, as `--json` prints it.
#[derive(Debug, Serialize)]
struct Line {
    agent_id: String,
    agent_type: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    session_id: String,
    harness: String,
    status: Status,
    transcript_path: Option<String>,
    cwd: Option<String>,
    started_at: Option<Timestamp>,
    stopped_at: Option<Timestamp>,
    duration_seconds: Option<f64>,
    outcome: Option<Outcome>,
    /// Whether something was told of its last stop that the outcome does not say.
    #[serde(skip)]
    is_to_look_at: bool,
    /// Why it died, in the host's words.
    failure: Option<String>,
    model: Option<String>,
    input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    context_tokens: Option<u64>,
    context_window: Option<u64>,
    context_percent: Option<f64>,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &AgentsArgs) -> Result<ExitStatus, CommandError> {
    let scope = args.filter.scope()?;
    let store = open(ui, env)?;
    let now = Timestamp::now();
    let limit = args.limit as usize;
    let mut runs = match &store {
        Some(store) => runs(store, &scope.filter, args, now)?,
        None => Vec::new(),
    };
    let has_more = runs.len() > limit;
    runs.truncate(limit);
    let mut lines: Vec<_> = runs.iter().map(|run| line(run, now)).collect();
    if let Some(store) = &store {
        mark_those_to_look_at(store, &mut lines)?;
    }
    if args.json {
        ui.json(&lines)?;
    } else if lines.is_empty() && !args.status.is_empty() && store.is_some() {
        let words: Vec<_> = args.status.iter().map(word).collect();
        ui.tell(&format!("no agent that matches is {}", words.join(" or ")))?;
        ui.tell("`attest agents` lists those of this repository, and `--all` those of every one")?;
    } else if lines.is_empty() && !scope.filter.outcomes.is_empty() && store.is_some() {
        let words: Vec<_> = scope.filter.outcomes.iter().map(word).collect();
        let words = words.join(" or ");
        ui.tell(&format!(
            "the last stop of no agent that matches came to {words}"
        ))?;
        ui.tell("`attest log` has every stop")?;
    } else if lines.is_empty() {
        scope.say_nothing(ui, store.as_ref())?;
    } else {
        let mut text = text(&lines, &scope, ui.width());
        if has_more {
            let rest = format!("these are the newest {limit}; `--limit` shows more");
            text.push_str(&hanging("", &rest, ui.width()));
        }
        ui.page(&text)?;
    }
    Ok(ExitStatus::Success)
}

fn mark_those_to_look_at(store: &Store, lines: &mut [Line]) -> Result<(), CommandError> {
    let begins = lines
        .iter()
        .filter_map(|line| line.started_at.or(line.stopped_at));
    let Some(first) = begins.min() else {
        return Ok(());
    };
    let known = read(history::to_look_at(store, first))?;
    for line in lines {
        let agent = (line.session_id.clone(), line.agent_id.clone());
        line.is_to_look_at = known.contains(&agent);
    }
    Ok(())
}

/// One more than are listed, which tells whether there are more.
fn runs(
    store: &Store,
    filter: &Filter,
    args: &AgentsArgs,
    now: Timestamp,
) -> Result<Vec<Run>, CommandError> {
    let asked = &args.status;
    // Which of those without an end are lost, only their transcripts know.
    let is_of_both = asked.contains(&Status::Active) == asked.contains(&Status::Lost);
    let limit = args.limit.saturating_add(1);
    let filter = Filter {
        limit: is_of_both.then_some(limit),
        ..filter.clone()
    };
    let ends: Vec<_> = asked.iter().map(|status| status.end()).collect();
    let runs = read(history::agents(store, &filter, &ends))?.into_iter();
    let runs = runs.filter(|run| is_of_both || asked.contains(&status(run, now)));
    Ok(runs.take(limit as usize).collect())
}

fn line(run: &Run, now: Timestamp) -> Line {
    let host = hosts::named(&run.harness).unwrap_or_else(|_| hosts::usual());
    let forms = host.profile().transcripts;
    // A transcript that is gone or cannot be read leaves the tokens unknown.
    let usage = run.transcript.as_deref();
    let usage = usage.and_then(|path| last_usage(path, forms).ok().flatten());
    let status = status(run, now);
    let end = match status {
        Status::Active => Some(now),
        Status::Completed | Status::Died | Status::Lost => run.stopped_at,
    };
    let length = run.started_at.zip(end);
    let length = length.map(|(start, end)| end.duration_since(start));
    let number = |of: fn(&Usage) -> u64| usage.as_ref().map(of);
    let context_tokens = number(Usage::context_tokens);
    let context_window = usage.as_ref().and_then(Usage::window);
    Line {
        agent_id: run.agent_id.clone(),
        agent_type: run.agent_type.clone(),
        task: run.task.clone(),
        session_id: run.session.clone(),
        harness: run.harness.clone(),
        status,
        transcript_path: run.transcript.as_deref().map(name),
        cwd: run.cwd.as_deref().map(name),
        started_at: run.started_at,
        stopped_at: run.stopped_at,
        duration_seconds: length.map(|length| length.as_secs_f64()),
        outcome: run.outcome,
        is_to_look_at: false,
        failure: run.failure.clone(),
        input_tokens: number(|usage| usage.input_tokens),
        cache_creation_input_tokens: number(|usage| usage.cache_creation_input_tokens),
        cache_read_input_tokens: number(|usage| usage.cache_read_input_tokens),
        output_tokens: number(|usage| usage.output_tokens),
        context_tokens,
        context_window,
        context_percent: context_tokens.zip(context_window).map(percent),
        model: usage.and_then(|usage| usage.model),
    }
}

fn name(path: &Path) -> String {
    escaped(&path_bytes(path))
}

#[expect(clippy::cast_precision_loss, reason = "tokens are far below 2^52")]
fn percent((used, window): (u64, u64)) -> f64 {
    let share = used as f64 / window.max(1) as f64;
    (share * 1000.0).round() / 10.0
}

fn status(run: &Run, now: Timestamp) -> Status {
    if run.failure.is_some() {
        return Status::Died;
    }
    if run.stopped_at.is_some() {
        return Status::Completed;
    }
    if run.is_at_work(now) {
        Status::Active
    } else {
        Status::Lost
    }
}

fn text(lines: &[Line], scope: &Scope, width: Option<usize>) -> String {
    let mut columns = vec![
        Column::id("AGENT", 10),
        Column::whole("STATUS", 8),
        Column::whole("OUTCOME", 9),
        Column::whole("STARTED", 7),
        Column::number("TOOK", 4),
        Column::number("FULL", 6),
        Column::number("CONTEXT", 3),
        Column::number("OUTPUT", 2),
        Column::name("TYPE", 5),
    ];
    if scope.here.is_none() {
        columns.push(Column::path("FOLDER", 1));
    }
    let count = columns.len();
    let mut table = Table::new(columns);
    let clock = Clock::new(width);
    for line in lines {
        table.push(row(line, &clock).into_iter().take(count));
    }
    titled(scope, width) + &table.render(width)
}

fn row(line: &Line, clock: &Clock) -> Vec<Cell> {
    let status = match line.status {
        Status::Active => Style::new(),
        Status::Completed => FAINT,
        Status::Died | Status::Lost => DOUBTFUL,
    };
    let status = Cell::styled(status, word(&line.status));
    let died_of = line.failure.as_ref();
    let outcome = match line.outcome {
        Some(outcome) => Cell::outcome(outcome, line.is_to_look_at),
        None => Cell::or_dash(died_of.map(|why| cut(&escaped(why.as_bytes()), MOST_OF_FAILURE))),
    };
    let took = line
        .duration_seconds
        .map(|seconds| duration(SignedDuration::from_secs_f64(seconds)));
    let safe = |text: &String| escaped(text.as_bytes());
    vec![
        Cell::new(agent_name(&line.agent_id, line.task.as_deref())),
        status,
        outcome,
        Cell::or_dash(line.started_at.map(|at| clock.show(at))),
        Cell::or_dash(took),
        Cell::or_dash(line.context_percent.map(|percent| format!("{percent:.0}%"))),
        Cell::or_dash(line.context_tokens.map(cost::short)),
        Cell::or_dash(line.output_tokens.map(cost::short)),
        Cell::or_dash(line.agent_type.as_ref().map(safe)),
        Cell::or_dash(line.cwd.clone()),
    ]
}
