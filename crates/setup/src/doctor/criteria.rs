//! Are the completion criteria of this project checked when an agent stops in it, and was anything hindered lately?

use std::path::Path;

use attest_snapshot::path_bytes;
use attest_state::history::{By, Filter, Question, Stops};

use super::report::Check;
use super::{lately, recorded};
use attest_base::config::Config;
use attest_base::criteria::{CriteriaError, CriteriaFile, Trust, trust_in};
use attest_base::env::Env;
use attest_base::log::chain;
use attest_base::shell_word::shell_word;

const NAME: &str = "criteria";

/// Whether a stop in `project` would be checked against its criteria; nothing if there are none, or if that is off.
pub(super) fn check(project: Option<&Path>, env: &Env) -> Option<Check> {
    let config = Config::read(env);
    config.check_environment.as_ref()?;
    let file = match CriteriaFile::of(project?) {
        Ok(file) => file,
        Err(error) if error.is_absence() => return None,
        Err(error) => return Some(unusable(&error)),
    };
    let criteria = match file.parse() {
        Ok(criteria) => criteria,
        Err(error) => return Some(unusable(&error)),
    };
    let path = file.path.display();
    if !criteria.has_commands() {
        return Some(Check::pass(NAME, format!("{path} runs no command")));
    }
    let why = match trust(&file, &config) {
        Some(Trust::Given) => return Some(Check::pass(NAME, format!("{path} is trusted"))),
        Some(Trust::Missing) | None => "is not trusted".to_owned(),
        Some(Trust::Refused(foreign)) => format!("cannot be trusted: {}", chain(&foreign)),
    };
    let detail = format!("{path} {why}: no report in this project is checked against it");
    let named = shell_word(&path_bytes(&file.path));
    let advice = format!("run `attest trust {named}`, or take ATTEST_CHECK out");
    Some(if config.policy.criteria_send_back {
        Check::fail(NAME, detail, advice)
    } else {
        Check::warn(NAME, detail, advice)
    })
}

fn unusable(error: &CriteriaError) -> Check {
    Check::fail(
        NAME,
        chain(error),
        "`attest check` shows what is wrong with it",
    )
}

/// What a person said of the file; nothing if the state file cannot be read, which is said elsewhere.
fn trust(file: &CriteriaFile, config: &Config) -> Option<Trust> {
    trust_in(&recorded(config)?, file).ok()
}

/// A warning for what kept recent stops from being checked.
pub(super) fn recent(env: &Env) -> Vec<Check> {
    let config = Config::read(env);
    let found = || {
        let store = recorded(&config)?;
        let recent = Filter {
            since: lately(),
            ..Filter::default()
        };
        let question = Question {
            filter: &recent,
            by: By::Type,
            before: None,
        };
        let stops = Stops::of(&store, &recent).ok()?;
        Some(stops.stats(&question).ok()?.hindered)
    };
    let hindered = found().unwrap_or_default();
    let unchecked = attest_history::unchecked(&hindered);
    let unchecked = unchecked.map(|what| {
        Check::warn(
            NAME,
            what,
            "`attest log` names the stops, and `attest show` what mends each",
        )
    });
    let late = attest_history::late_gates(&hindered);
    let late = late.map(|what| {
        Check::warn(
            "gates",
            what,
            "make them answer sooner, or take them out of ATTEST_GATES",
        )
    });
    unchecked.into_iter().chain(late).collect()
}
