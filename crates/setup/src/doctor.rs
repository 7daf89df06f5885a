//! `attest doctor`: shows whether the hooks are installed and proves that they work.

mod blind;
mod criteria;
mod doubles;
mod entries;
mod environment;
mod live;
mod others;
mod patience;
mod report;
mod round_trip;
mod stops;
mod summary;
mod switches;
mod values;

use std::io;
use std::path::{Path, PathBuf};

use attest_host::settings::{Inspection, SettingsPlace};
use attest_host::{Host, hosts};
use attest_state::Store;
use clap::Args;
use jiff::{SignedDuration, Timestamp};
use thiserror::Error;

use self::entries::Fix;
use self::others::Installed;
use self::report::Check;
use self::stops::Stops;
use self::summary::{OfHost, Report};
use super::in_force::layers::{self, Owner};
use super::in_force::{InForce, last_heard};
use crate::install_error::InstallError;
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::host::OnPath;
use attest_base::state;
use attest_base::targets;
use attest_base::ui::Ui;

/// Check that the hooks are installed and work
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest doctor\n  \
    attest doctor --live\n  \
    attest doctor --json")]
pub struct DoctorArgs {
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Also drive the Claude Code on the PATH with a scripted model, offline, in a scratch home
    #[arg(long)]
    pub(crate) live: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// How old stops may be that are looked back at.
const RECENT: SignedDuration = SignedDuration::from_hours(7 * 24);

#[derive(Debug, Error)]
#[error("cannot tell where this program is")]
struct CurrentProgram(#[source] io::Error);

pub(super) fn run(ui: &mut Ui, env: &Env, args: &DoctorArgs) -> Result<ExitStatus, CommandError> {
    let host = hosts::usual();
    let settings = targets::file(host, args.settings.as_deref(), env);
    let settings = &settings.map_err(|error| InstallError::from(error).hinted())?;
    let this = std::env::current_exe().map_err(CurrentProgram)?;
    let report = check_all(host, settings, &this, args, env);
    if args.json {
        ui.json(&report.json())?;
    } else {
        ui.print(&report.text(ui.width()))?;
    }
    Ok(if report.has_failed() {
        ExitStatus::Failure
    } else {
        ExitStatus::Success
    })
}

fn check_all(
    host: &'static dyn Host,
    settings: &SettingsPlace<'_>,
    this: &Path,
    args: &DoctorArgs,
    env: &Env,
) -> Report {
    let project = targets::project_of_this_folder();
    let installed = others::installed(project.as_deref(), env);
    let is_named = args.settings.is_some();
    let of_project = file_of_project(host, settings, &installed).filter(|_| !is_named);
    let settings = of_project.unwrap_or(settings);
    let heard = last_heard(env);
    let all = hosts::ALL.iter().copied();
    let heard = all.filter(|host| heard.contains_key(host.name()));
    let with_hooks: Vec<_> = installed.iter().map(|it| it.host).chain(heard).collect();
    // Who has hooks in other hosts only need not have this one.
    let is_used = with_hooks.iter().all(|it| it.name() == host.name())
        || is_named
        || settings.path.exists()
        || targets::is_detected(host, env);
    let fix = Fix::of(host, of_project.is_some());
    let mut checks = Vec::new();
    let mut inspection = Inspection::default();
    if is_used {
        let found = OnPath::find(host, env);
        (checks, inspection) = entries::check(host, settings, found.version(), &fix);
        checks.push(environment::host(host, &found));
    }
    let all = in_force(host, (settings, is_named), (&with_hooks, is_used), env);
    let Some(hooks) = all.first() else {
        return Report::default();
    };
    if is_used {
        checks.extend(switches::check(hooks));
    }
    checks.extend(patience::check(
        host,
        &inspection.entries,
        &Config::read(&hooks.env),
    ));
    checks.extend(values::of_own_file(hooks.own_settings()));
    checks.extend(values::check_all(&all));
    let whose = (&*fix.install, of_project.is_some());
    let (binary, program) = environment::binary(host, &inspection.entries, whose, env);
    checks.extend(binary);
    let git = environment::git(env);
    let has_git = !git.has_failed();
    checks.push(environment::state_file(&hooks.env));
    // Without it nothing else works, so that is said first.
    checks.insert(if has_git { checks.len() } else { 0 }, git);
    checks.extend(environment::log(&hooks.env));
    checks.extend(criteria::check(project.as_deref(), &hooks.env));
    checks.extend(criteria::recent(&hooks.env));
    checks.extend(blind::check(&hooks.env));
    // What the host would run, where that works; else this program, which may still show the fault.
    let program = program.as_deref().unwrap_or(this);
    if has_git && is_used {
        checks.push(round_trip::check(host, program, env));
        checks.extend(args.live.then(|| live::check(program, this, env)));
    }
    checks.extend((!has_git).then(not_tried));
    checks.extend(others::check(
        &installed,
        this,
        (has_git, project.as_deref()),
        env,
    ));
    checks.extend(doubles::check(&installed));
    Report {
        checks,
        in_force: all.iter().map(OfHost::of).collect(),
        stops: Stops::read(&with_hooks, &hooks.env),
    }
}

/// What is in force in each host, first in the usual one if that is used, and else in the first with hooks.
fn in_force<'e>(
    usual: &'static dyn Host,
    (settings, is_named): (&SettingsPlace<'_>, bool),
    (with_hooks, is_used): (&[&'static dyn Host], bool),
    env: &'e Env,
) -> Vec<InForce<'e>> {
    let project = targets::project_of_this_folder();
    let mut all = Vec::new();
    if is_named {
        let layers = vec![layers::of_file(settings, Owner::Person)];
        all.push(InForce::with(usual, layers, env));
    } else if is_used {
        all.push(InForce::of(usual, project.as_deref(), env));
    }
    for host in with_hooks.iter().copied() {
        let name = host.name();
        if name != usual.name() && all.iter().all(|it| it.host().name() != name) {
            all.push(InForce::of(host, project.as_deref(), env));
        }
    }
    all
}

/// The state file of the hooks, if it is there. What is wrong with it is said elsewhere.
fn recorded(config: &Config) -> Option<Store> {
    let path = config.state_db.as_deref().filter(|path| path.exists())?;
    state::open(path, &config.log("doctor")).ok()
}

/// Since when stops are looked back at.
fn lately() -> Option<Timestamp> {
    Timestamp::now().checked_sub(RECENT).ok()
}

fn not_tried() -> Check {
    Check::warn(
        "round trip",
        "not tried without git",
        environment::INSTALL_GIT,
    )
}

/// The file of the project that has hooks of the host, if that of the person has none.
fn file_of_project<'i>(
    host: &dyn Host,
    person: &SettingsPlace<'_>,
    installed: &'i [Installed],
) -> Option<&'i SettingsPlace<'static>> {
    if targets::entries_in(person).is_some() {
        return None;
    }
    let mut own = installed.iter().filter(|it| it.host.name() == host.name());
    let found = own.find(|it| it.is_of_project)?;
    Some(&found.place)
}
