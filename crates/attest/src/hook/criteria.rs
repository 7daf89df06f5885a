//! Completion criteria around an agent: what they were at its start, and whether they are met at
//! its stop. Nothing of it runs without `ATTEST_CHECK=1` and a file that a person trusts.

use std::path::Path;
use std::time::{Duration, Instant};

use attest_checklist::{Grading, ItemResult, Outcome, Settings, evaluate};
use attest_state::trust::recorded;
use attest_state::{Agent, Store, StoreError};
use attest_verdict::{Criteria, Unmet};

use super::context::Context;
use crate::criteria::{self, CriteriaError, CriteriaFile, Trust, cancelled_by_signals, processors};
use crate::log::Level;

/// Their share of the time until the hook's deadline; the rest is for the decision and its record.
const SHARE: f64 = 0.8;

/// With less than this nothing is begun.
const LEAST: Duration = Duration::from_millis(200);

/// What the trusted file is now, to be recorded with the agent.
pub(super) fn at_start(
    context: &Context,
    store: &Store,
    worktree: Option<&Path>,
) -> Option<String> {
    context.config.check_environment.as_ref()?;
    let file = read(context, worktree?)?;
    match criteria::trust_in(store, &file) {
        Ok(Trust::Given) => Some(file.sha256),
        Ok(_) if runs_nothing(&file) => Some(file.sha256),
        Ok(Trust::Missing) => {
            let path = file.path.display();
            context.log.write(Level::Warn, "CRITERIA_UNTRUSTED", path);
            None
        }
        Ok(Trust::Refused(foreign)) => {
            context.shrug("CRITERIA_FOREIGN", &foreign);
            None
        }
        Err(error) => {
            context.shrug("CRITERIA_UNKNOWN", &error);
            None
        }
    }
}

/// Checks the criteria. `None` if there is nothing to check and nothing to say.
pub(super) fn at_stop(context: &Context, store: &Store, agent: &Agent) -> Option<Criteria> {
    let root = agent.worktree.as_deref()?;
    let checked = check(context, store, agent.id, root);
    checked.unwrap_or_else(|error| {
        context.shrug("CRITERIA_UNKNOWN", &error);
        None
    })
}

fn check(
    context: &Context,
    store: &Store,
    agent: i64,
    root: &Path,
) -> Result<Option<Criteria>, StoreError> {
    let not_run = |why: &str| Ok(Some(Criteria::NotChecked(format!("not run: {why}"))));
    let Some(environment) = &context.config.check_environment else {
        return Ok(None);
    };
    let Some(recorded) = recorded(store, agent)? else {
        return Ok(None);
    };
    // If it is another one, the agent or somebody else has moved the goal.
    let file = match read(context, root) {
        Some(file) if file.sha256 == recorded => file,
        _ => return not_run("the criteria file changed since the start"),
    };
    let trust = criteria::trust_in(store, &file)?;
    if !matches!(trust, Trust::Given) && !runs_nothing(&file) {
        if let Trust::Refused(foreign) = &trust {
            context.shrug("CRITERIA_FOREIGN", foreign);
        }
        return not_run("the criteria file is not trusted any more");
    }
    let Some(deadline) = budget(context) else {
        return not_run("no time is left");
    };
    let criteria = match file.parse() {
        Ok(criteria) => criteria,
        // It made sense when it was trusted, to another attest.
        Err(error) => {
            context.shrug("CRITERIA_UNREADABLE", &error);
            return Ok(None);
        }
    };
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
        Outcome::Error => {
            Criteria::NotChecked(format!("not checked: {}", report.errors.join(", ")))
        }
        Outcome::Skipped => Criteria::Skipped(report.evidence),
    }))
}

/// Whether no check of the file runs a command: it needs no trust then.
fn runs_nothing(file: &CriteriaFile) -> bool {
    file.parse().is_ok_and(|criteria| !criteria.has_commands())
}

/// When the criteria have to be done, where there is time for them at all.
fn budget(context: &Context) -> Option<Instant> {
    let deadline = context.limits.deadline?;
    let left = deadline.saturating_duration_since(Instant::now());
    (left >= LEAST).then(|| Instant::now() + left.mul_f64(SHARE))
}

fn read(context: &Context, root: &Path) -> Option<CriteriaFile> {
    match CriteriaFile::of(root) {
        Ok(file) => Some(file),
        Err(error) => {
            if !CriteriaError::is_absence(&error) {
                context.shrug("CRITERIA_UNREADABLE", &error);
            }
            None
        }
    }
}

/// The checks that failed and count. One that could not be made proves nothing.
fn unmet(report: &attest_checklist::Report) -> Vec<Unmet> {
    let failures = report.failures.iter();
    failures
        .map(|name| Unmet {
            name: name.clone(),
            why: evidence(&report.checklist, name).unwrap_or_default(),
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
