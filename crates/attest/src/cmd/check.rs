//! `attest check`: holds a work tree against what a person wrote down as done.

pub(super) mod consent;
mod show;
mod starter;

use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Duration;

use attest_checklist::{
    Check, Criteria, Grading, Rubric, SCHEMA, Scores, ScoresError, Settings, duration, evaluate,
};
use attest_snapshot::{Repository, WorkTree, escaped, path_bytes, path_of_bytes};
use clap::Args;
use thiserror::Error;

use self::show::Show;
use super::read_text;
use attest_base::config::Config;
use attest_base::criteria::{CriteriaFile, cancelled_by_signals, processors};
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::exit_status::ExitStatus;
use attest_base::in_time::InTime;
use attest_base::ui::Ui;

/// Check the completion criteria of a work tree
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "switches of the command line"
)]
#[command(after_long_help = "Examples:\n  \
    attest check --init\n  \
    attest check\n  \
    attest check --item tests --json")]
pub(crate) struct CheckArgs {
    /// The criteria file [default: .attest/criteria.yaml here or in a folder above]
    file: Option<PathBuf>,
    /// Check only the items of this name, short or full
    #[arg(long, value_name = "NAME")]
    item: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    /// Print one JSON object per check, as they end, then one for the whole
    #[arg(long, conflicts_with = "json")]
    jsonl: bool,
    /// How long a command may take that has no time-out of its own [default: 60s]
    #[arg(long, value_name = "TIME", default_value = "60s", hide_default_value = true,
          value_parser = duration::parse)]
    timeout: Duration,
    /// How many commands run at once [default: the number of processors]
    #[arg(long, value_name = "N", value_parser = jobs)]
    jobs: Option<NonZeroUsize>,
    /// Scores for quality: {"criterion": {"score": 4, "reason": "..."}}; `-` reads standard input
    #[arg(long, value_name = "FILE", conflicts_with = "judge")]
    scores: Option<PathBuf>,
    /// Your command that judges quality: reads the rubric as JSON and prints scores
    #[arg(long, value_name = "COMMAND")]
    judge: Option<String>,
    /// Pass although something was skipped
    #[arg(long)]
    allow_skipped: bool,
    /// Run the commands without asking, this once
    #[arg(long)]
    yes: bool,
    /// Print the JSON Schema of the criteria file
    #[arg(long, exclusive = true)]
    schema: bool,
    /// Write a criteria file to begin with
    #[arg(long, conflicts_with_all = ["schema", "item", "scores", "judge"])]
    init: bool,
}

/// Why nothing was checked. A check that fails is not an error.
#[derive(Debug, Error)]
enum CheckError {
    #[error("cannot tell what the current folder is")]
    NoFolder(#[source] io::Error),
    #[error("no item is called {name:?}; there are {}", .known.join(", "))]
    NoItem { name: String, known: Vec<String> },
    #[error("cannot use the scores in {path:?}")]
    Scores { path: PathBuf, source: ScoresError },
    #[error("the scores name no criterion of the file: {}", .0.join(", "))]
    UnknownScores(Vec<String>),
    #[error("interrupted")]
    Interrupted,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &CheckArgs) -> Result<ExitStatus, CommandError> {
    if args.json || args.jsonl {
        ui.speak_json();
    }
    if args.schema {
        ui.print(SCHEMA)?;
        return Ok(ExitStatus::Success);
    }
    if args.init {
        let path = starter::write(args.file.as_deref(), &current_folder()?)?;
        let path = escaped(&path_bytes(&path));
        ui.say(&format!(
            "wrote {path}\nedit it, then: attest trust && attest check"
        ))?;
        return Ok(ExitStatus::Success);
    }
    let file = find(args.file.as_deref())?;
    let all = parse(&file)?;
    let criteria = match &args.item {
        Some(name) => all.only(name).ok_or_else(|| CheckError::NoItem {
            name: name.clone(),
            known: all.names(),
        })?,
        None => all.clone(),
    };
    let scores = args.scores.as_deref();
    let scores = scores.map(|path| read_scores(path, &all)).transpose()?;
    let config = Config::of_command(ui, env);
    if !args.yes {
        consent::obtain(ui, &file, &all, &config)?;
    }
    let in_time = InTime::new(ui, &config);
    let cancelled = cancelled_by_signals();
    let persons: Vec<_> = env
        .variables()
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let settings = Settings {
        folder: &file.folder,
        environment: &config.check_names.of(env.variables()),
        timeout: args.timeout,
        jobs: args.jobs.unwrap_or_else(processors),
        deadline: None,
        cancelled: &cancelled,
        grading: match (&scores, &args.judge) {
            (Some(scores), _) => Grading::Scores(scores),
            // The judge is the person's own, and may well need a credential.
            (None, Some(command)) => Grading::Judge {
                command,
                environment: &persons,
                changed: &|| changed_files(&file.folder, &in_time),
            },
            (None, None) => Grading::Nobody,
        },
        allow_skipped: args.allow_skipped,
    };
    let show = Show::new(ui, args, &criteria);
    let report = evaluate(&criteria, &settings, &|event| show.event(&event));
    if cancelled.load(Ordering::Relaxed) {
        return Err(CheckError::Interrupted.into());
    }
    show.report(&report)?;
    Ok(if report.passed {
        ExitStatus::Success
    } else {
        ExitStatus::Refuted
    })
}

fn jobs(text: &str) -> Result<NonZeroUsize, &'static str> {
    let number = text.parse();
    number.map_err(|_| "expected a whole number of 1 or more")
}

fn current_folder() -> Result<PathBuf, CommandError> {
    Ok(std::env::current_dir().map_err(CheckError::NoFolder)?)
}

/// The criteria file that is named, or that of the current folder.
pub(super) fn find(named: Option<&Path>) -> Result<CriteriaFile, CommandError> {
    CriteriaFile::find(named, &current_folder()?).map_err(|error| {
        let is_absence = error.is_absence();
        let error = CommandError::from(error);
        if is_absence {
            return error.hinted("`attest check --init` writes one to begin with");
        }
        error
    })
}

/// What the file says.
pub(super) fn parse(file: &CriteriaFile) -> Result<Criteria, CommandError> {
    file.parse()
        .hint("`attest check --schema` prints the schema for editors")
}

fn read_scores(path: &Path, criteria: &Criteria) -> Result<Scores, CommandError> {
    let text = read_text(path)?;
    let scores = Scores::parse(text.as_bytes()).map_err(|source| CheckError::Scores {
        path: path.to_owned(),
        source,
    })?;
    let checks = criteria.checks();
    let rubrics: Vec<(String, &Rubric)> = checks
        .into_iter()
        .filter_map(|(name, check)| match check {
            Check::Quality(rubric) => Some((name, rubric)),
            _ => None,
        })
        .collect();
    let unknown: Vec<_> = scores
        .unknown(&rubrics)
        .into_iter()
        .map(str::to_owned)
        .collect();
    if unknown.is_empty() {
        Ok(scores)
    } else {
        Err(CheckError::UnknownScores(unknown).into())
    }
}

/// What differs from HEAD; nothing where that cannot be known.
fn changed_files(folder: &Path, in_time: &InTime) -> Vec<PathBuf> {
    let tree = in_time.run(|limits| {
        let limits = &limits.trusting(folder);
        Repository::discover(folder, limits)
            .and_then(|repository| WorkTree::read(&repository, limits, None))
    });
    let files = tree.map(|tree| tree.files).unwrap_or_default();
    files
        .keys()
        .map(|path| path_of_bytes(path.as_bytes()))
        .collect()
}
