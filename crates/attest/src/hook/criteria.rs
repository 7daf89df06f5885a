//! Completion criteria around an agent: what they were at its start, and whether they are met at
//! its stop. Nothing of it runs without `ATTEST_CHECK` and a file that a person trusts.

use std::path::Path;
use std::time::{Duration, Instant};

use attest_checklist::{Grading, ItemResult, Outcome, Settings, evaluate};
use attest_shell::checks::OwnChecks;
use attest_snapshot::path_bytes;
use attest_state::trust::recorded;
use attest_state::{Agent, Store, StoreError};
use attest_verdict::{Criteria, StopOutcome, Unchecked, Unmet};

use super::context::Context;
use attest_base::criteria::{
    self, CriteriaError, CriteriaFile, Trust, cancelled_by_signals, processors,
};
use attest_base::log::{Level, chain};
use attest_base::shell_word::shell_word;

/// Their share of the time until the hook's deadline; the rest is for the decision and its record.
const SHARE: f64 = 0.8;

/// With less than this nothing is begun.
const LEAST: Duration = Duration::from_millis(200);

/// What the file is now, to be recorded with the agent: also one that nobody trusts yet, so that its stop can tell
/// that from there being none.
pub(super) fn at_start(
    context: &Context,
    store: &Store,
    worktree: Option<&Path>,
) -> Option<String> {
    context.config.check_environment.as_ref()?;
    let file = match CriteriaFile::of(worktree?) {
        Ok(file) => file,
        Err(error) => {
            if !CriteriaError::is_absence(&error) {
                context.shrug("CRITERIA_UNREADABLE", &error);
            }
            return None;
        }
    };
    match allowed(context, store, &file) {
        Ok(()) => {}
        Err(Why::Unchecked(why)) => context
            .log
            .write(Level::Warn, why.word(), file.path.display()),
        Err(Why::Store(error)) => context.shrug("CRITERIA_UNKNOWN", &error),
    }
    Some(file.sha256)
}

/// The outcome with what came of the criteria. An agent that claims nothing has nothing that they could contradict, and
/// checking may take long.
pub(super) fn hear(
    context: &Context,
    store: &Store,
    agent: Option<&Agent>,
    outcome: StopOutcome,
) -> StopOutcome {
    let agent = agent.filter(|_| outcome.input.report.claim.is_claim());
    let of_file = agent.and_then(|agent| at_stop(context, store, agent));
    outcome.checked(of_file, &context.config.policy)
}

/// Checks the criteria. `None` if there is nothing to check and nothing to say.
fn at_stop(context: &Context, store: &Store, agent: &Agent) -> Option<Criteria> {
    let root = agent.worktree.as_deref()?;
    match check(context, store, agent.id, root) {
        Ok(checked) => checked,
        Err(Why::Unchecked(why)) => Some(Criteria::NotChecked(why)),
        Err(Why::Store(error)) => {
            context.shrug("CRITERIA_UNKNOWN", &error);
            None
        }
    }
}

/// What the file calls checks, if a person trusts it as it is now. None of them is run, so that nothing has to be
/// switched on for it.
pub(super) fn own_checks(context: &Context, store: &Store, agent: &Agent) -> OwnChecks {
    let Some(root) = agent.worktree.as_deref() else {
        return OwnChecks::default();
    };
    let Ok(file) = CriteriaFile::of(root) else {
        return OwnChecks::default();
    };
    match criteria::trust_in(store, &file) {
        Ok(Trust::Given) => {}
        Ok(Trust::Missing | Trust::Refused(_)) => return OwnChecks::default(),
        Err(error) => {
            context.shrug("CRITERIA_UNKNOWN", &error);
            return OwnChecks::default();
        }
    }
    match file.parse() {
        Ok(criteria) => OwnChecks::of(&criteria.own_checks),
        Err(error) => {
            context.shrug("CRITERIA_UNREADABLE", &error);
            OwnChecks::default()
        }
    }
}

/// Why nothing was checked.
enum Why {
    Unchecked(Unchecked),
    Store(StoreError),
}

impl From<StoreError> for Why {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

fn check(
    context: &Context,
    store: &Store,
    agent: i64,
    root: &Path,
) -> Result<Option<Criteria>, Why> {
    let Some(environment) = &context.config.check_environment else {
        return Ok(None);
    };
    // Without a file at the start there was no goal yet.
    let Some(recorded) = recorded(store, agent)? else {
        return Ok(None);
    };
    let unreadable = |error: &CriteriaError| Why::Unchecked(Unchecked::Unreadable(chain(error)));
    // If it is another one, the agent or somebody else has moved the goal.
    let file = match CriteriaFile::of(root) {
        Ok(file) if file.sha256 == recorded => file,
        Ok(_) => return Err(Why::Unchecked(Unchecked::Changed)),
        Err(error) if error.is_absence() => return Err(Why::Unchecked(Unchecked::Changed)),
        Err(error) => return Err(unreadable(&error)),
    };
    allowed(context, store, &file)?;
    let deadline = budget(context).ok_or(Why::Unchecked(Unchecked::NoTime))?;
    // It was valid when it was trusted, for another attest.
    let criteria = file.parse().map_err(|error| unreadable(&error))?;
    let settings = Settings {
        folder: root,
        environment,
        // The deadline comes first.
        timeout: context.config.stop_deadline,
        jobs: processors(),
        deadline: Some(deadline),
        cancelled: &cancelled_by_signals(),
        grading: Grading::Nobody,
        allow_skipped: false,
    };
    let report = evaluate(&criteria, &settings, &|_| {});
    Ok(Some(match report.outcome {
        Outcome::Pass => Criteria::Met(report.evidence),
        Outcome::Fail => Criteria::Unmet(unmet(&report)),
        Outcome::Error => Criteria::NotChecked(Unchecked::Failed(report.errors.clone())),
        Outcome::Skipped => Criteria::Skipped(report.evidence),
    }))
}

/// Whether the commands of the file may run: a person said so, or it has none.
fn allowed(context: &Context, store: &Store, file: &CriteriaFile) -> Result<(), Why> {
    let trust = criteria::trust_in(store, file)?;
    match trust {
        Trust::Given => Ok(()),
        _ if runs_nothing(file) => Ok(()),
        Trust::Missing => Err(Why::Unchecked(Unchecked::Untrusted {
            command: trusting(file),
        })),
        Trust::Refused(foreign) => {
            context.shrug("CRITERIA_FOREIGN", &foreign);
            Err(Why::Unchecked(Unchecked::Foreign(chain(&foreign))))
        }
    }
}

/// The command that lets the file run its commands, by a name that outlives the work tree of one agent if it can.
fn trusting(file: &CriteriaFile) -> String {
    let main = file
        .place
        .root
        .parent()
        .map(|top| top.join(&file.place.folder));
    let main = main.and_then(|folder| CriteriaFile::of(&folder).ok());
    let main = main.filter(|main| main.sha256 == file.sha256 && main.place == file.place);
    let path = main.as_ref().map_or(&file.path, |main| &main.path);
    let path = shell_word(&path_bytes(path));
    format!("attest trust {path}")
}

/// Whether no check of the file runs a command: it needs no trust then.
fn runs_nothing(file: &CriteriaFile) -> bool {
    file.parse().is_ok_and(|criteria| !criteria.has_commands())
}

/// When the criteria have to be done, where there is time for them at all.
fn budget(context: &Context) -> Option<Instant> {
    let deadline = context.limits.budget.deadline?;
    let left = deadline.saturating_duration_since(Instant::now());
    (left >= LEAST).then(|| Instant::now() + left.mul_f64(SHARE))
}

/// The checks that failed and count. One that could not be made proves nothing.
fn unmet(report: &attest_checklist::Report) -> Vec<Unmet> {
    let failures = report.failures.iter();
    failures
        .map(|name| Unmet {
            name: name.clone(),
            why: evidence(&report.checklist, name).unwrap_or_default(),
            is_of_prompt: false,
        })
        .collect()
}

fn evidence(results: &[ItemResult], full_name: &str) -> Option<String> {
    results.iter().find_map(|result| {
        if result.item == full_name {
            return Some(result.evidence.clone());
        }
        let below = full_name.strip_prefix(&result.item)?;
        evidence(
            result.below(),
            below.strip_prefix(attest_checklist::SEPARATOR)?,
        )
    })
}
