//! `attest status`: what is in force here and what came of it, on one screen.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use attest_state::Store;
use attest_state::history::{self, Filter};
use clap::Args;
use jiff::{SignedDuration, Timestamp};

use super::in_force::{Covered, InForce, Obstacle, hears_at_start, with_hooks};
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::state_file::StateFile;
use attest_base::targets;
use attest_base::time::ago;
use attest_base::ui::{Ui, counted};

/// A session that was heard of no later is not running any more.
const RUNNING: SignedDuration = SignedDuration::from_hours(24);
/// Verdicts that leave room for the rest.
const MOST_VERDICTS: u32 = 5;

/// Say on one screen what is in force here, who is at work, and what the last verdicts are
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest status")]
pub struct StatusArgs {}

pub(super) fn run(ui: &mut Ui, env: &Env, _: &StatusArgs) -> Result<ExitStatus, CommandError> {
    let project = targets::project_of_this_folder();
    let store = StateFile::of(&Config::of_command(ui, env), "status");
    let store = store.and_then(|file| file.open_if_there())?;
    for host in with_hooks(env) {
        let in_force = InForce::of(host, project.as_deref(), env);
        let title = host.profile().executable.title;
        let now = in_force.enforcement();
        if now.covered == Covered::Nobody
            && let [unreadable @ Obstacle::Unreadable { .. }] = &*now.obstacles
        {
            ui.tell(&format!("{title}: {unreadable}: {}", unreadable.advice()))?;
            continue;
        }
        let has_none = |it: &Obstacle| matches!(it, Obstacle::NoHooks { .. });
        if now.covered == Covered::Nobody && now.obstacles.iter().any(has_none) {
            let command = targets::install_command(host);
            ui.tell(&format!(
                "{title}: no hooks of attest in its settings; `{command}` adds them"
            ))?;
            continue;
        }
        let asks = in_force.asks(Config::read(&in_force.env).asks);
        let asked = if asks { "are" } else { "are not" };
        let asked =
            hears_at_start(host).then(|| format!("; new subagents {asked} asked for a report"));
        let sentence = now.sentence("is");
        ui.tell(&format!("{title}: {sentence}{}", asked.unwrap_or_default()))?;
        for obstacle in &now.obstacles {
            ui.warn(&format!("{title}: {obstacle}: {}", obstacle.advice()));
        }
        if let Some(store) = &store {
            let older = older(store, &in_force, Timestamp::now());
            older.map_or(Ok(()), |line| ui.tell(&format!("{title}: {line}")))?;
        }
    }
    if let Some(line) = attest_history::line(env) {
        ui.tell(&line)?;
    }
    let last = attest_history::last(store.as_ref(), ui.width(), MOST_VERDICTS)?;
    if let Some(last) = last {
        ui.print(&last)?;
        ui.tell("`attest explain` explains the newest verdict, `attest doctor` checks the hooks")?;
    } else {
        ui.tell("no verdict is recorded here yet: that is done when a subagent stops")?;
        ui.tell("`attest doctor` checks the hooks")?;
    }
    Ok(ExitStatus::Success)
}

/// The sessions that began before a file with settings of the host was changed, and were heard of since: a host that
/// reads its settings once has those of then.
fn older(store: &Store, in_force: &InForce<'_>, now: Timestamp) -> Option<String> {
    let changed = |path: &Path| Timestamp::try_from(fs::metadata(path).ok()?.modified().ok()?).ok();
    let files = in_force.layers().iter();
    let files = files.filter_map(|layer| Some((changed(&layer.path)?, &layer.path)));
    let (changed, path) = files.max()?;
    let filter = Filter {
        since: now.saturating_sub(RUNNING).ok(),
        ..Filter::default()
    };
    let runs = history::runs(store, &filter).ok()?;
    let mut sessions: BTreeMap<String, (bool, bool)> = BTreeMap::new();
    for run in runs {
        if run.harness == in_force.host().name() {
            let (is_old, is_on) = sessions.entry(run.session).or_default();
            *is_old |= run.started_at.is_some_and(|at| at < changed);
            let is_open = run.stopped_at.is_none() && run.failure.is_none();
            let last = run.started_at.max(run.stopped_at);
            *is_on |= is_open || last.is_some_and(|at| at > changed);
        }
    }
    let count = sessions
        .values()
        .filter(|(is_old, is_on)| *is_old && *is_on)
        .count();
    let sessions = counted(count, "session");
    (count > 0).then(|| {
        format!(
            "{sessions} began before {} was changed, {}: what it said then may still hold there",
            path.display(),
            ago(changed, now)
        )
    })
}
