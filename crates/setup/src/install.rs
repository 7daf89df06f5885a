//! `attest install`: puts the hooks into the settings of hosts.

mod program;
mod report;

use std::io::Write;
use std::path::PathBuf;

use attest_host::settings::{Program, Scope, SettingsPlace};
use attest_host::{Host, Support, hosts};
use clap::Args;

pub(super) use self::program::this_program;
use crate::ask;
use crate::install_error::{InstallError, refused};
use crate::printable;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::host::OnPath;
use attest_base::settings::{self, SettingsFile};
use attest_base::targets::{self, HostArgs};
use attest_base::ui::{Ui, hanging};

/// Install the hooks into the settings of Claude Code, or of other hosts
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[command(after_long_help = "Examples:\n  \
    attest install --dry-run\n  \
    attest install\n  \
    attest install --no-ask\n  \
    attest install --detected")]
pub struct InstallArgs {
    #[command(flatten)]
    pub(crate) hosts: HostArgs,
    /// Every host whose folder or program is found
    #[arg(long, conflicts_with_all = ["host", "settings"])]
    pub(crate) detected: bool,
    /// The settings file [default: `$ATTEST_SETTINGS`, else settings.json in `$CLAUDE_CONFIG_DIR` or ~/.claude]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Install only the hooks that do the work, not those that tell what they find
    #[arg(long)]
    pub(crate) core_only: bool,
    /// Ask no subagent for a report that can be judged
    #[arg(long, conflicts_with = "project")]
    pub(crate) no_ask: bool,
    /// The attest that the hooks run [default: this one]
    #[arg(long, value_name = "PATH")]
    pub(crate) binary: Option<PathBuf>,
    /// Leave out what comes next, which the caller says
    #[arg(long, hide = true)]
    pub(crate) no_next: bool,
    /// Install even if the host on the PATH is too old to run the hooks
    #[arg(long)]
    pub(crate) force: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &InstallArgs) -> Result<ExitStatus, CommandError> {
    let installed = install(ui, env, args).and_then(|()| Ok(ui.flush()?));
    installed.map_err(InstallError::hinted)?;
    // What is of a project alone leaves the home folder as it is.
    if args.hosts.project {
        return Ok(ExitStatus::Success);
    }
    let hosts = wanted(args, env).map_err(InstallError::hinted)?;
    let wants = ask::Wanted {
        leaves_out: args.no_ask,
        is_dry_run: args.dry_run,
    };
    ask::install(ui, env, &hosts, &wants)?;
    Ok(ExitStatus::Success)
}

fn install(out: &mut Ui, env: &Env, args: &InstallArgs) -> Result<(), InstallError> {
    let binary = program::wanted(args, env)?;
    let hosts = wanted(args, env)?;
    if hosts.len() > 1 && args.settings.is_some() {
        return Err(InstallError::OneFileForSeveral);
    }
    let (mut result, mut has_changed) = (Ok(()), false);
    for host in &hosts {
        let installed = install_in(out, *host, &binary, env, args);
        let installed = installed.map(|changed| has_changed |= changed);
        keep_first(&mut result, installed, out);
    }
    if has_changed && !args.no_next {
        write!(out, "{}", hanging("", &next(&hosts), out.width()))?;
    }
    result
}

/// What a person does next whose hooks are now in these hosts.
fn next(hosts: &[&'static dyn Host]) -> String {
    let ends = targets::what_is_judged(hosts);
    format!("next: `attest doctor` checks that it works; {ends}, then `attest log` has its verdict")
}

/// The hosts that are named or found, or else the usual one.
fn wanted(args: &InstallArgs, env: &Env) -> Result<Vec<&'static dyn Host>, InstallError> {
    if !args.detected {
        let named = args.hosts.host.clone();
        return Ok(if named.is_empty() {
            vec![hosts::usual()]
        } else {
            named
        });
    }
    let project = args.hosts.project()?;
    let all = hosts::ALL.iter().copied();
    let found: Vec<_> = all
        .filter(|host| targets::is_detected(*host, env))
        .filter(|host| !targets::own_files(*host, project.clone(), env).is_empty())
        .collect();
    if found.is_empty() {
        return Err(InstallError::NoneDetected);
    }
    Ok(found)
}

/// One host that cannot be told does not keep the others from being told: the first fault is what a command ends
/// with, and the rest are warnings.
pub(super) fn keep_first(
    result: &mut Result<(), InstallError>,
    next: Result<(), InstallError>,
    ui: &mut Ui,
) {
    match (&result, next) {
        (Ok(()), next) => *result = next,
        (Err(_), Err(error)) => ui.warn(&attest_base::log::chain(&error)),
        (Err(_), Ok(())) => {}
    }
}

fn install_in(
    out: &mut Ui,
    host: &'static dyn Host,
    binary: &str,
    env: &Env,
    args: &InstallArgs,
) -> Result<bool, InstallError> {
    let project = args.hosts.project()?;
    let files = targets::files(host, args.settings.as_deref(), project, env)?;
    let found = OnPath::find(host, env);
    if !args.force {
        refuse_too_old(host, &found)?;
    }
    let is_here = targets::is_detected(host, env);
    let mut has_changed = false;
    for file in &files {
        has_changed |= install_file(out, host, file, (binary, env), (args, &found))?;
    }
    if has_changed {
        report::version(out, host, &found)?;
        if !is_here {
            out.warn(&not_here(host, env));
        }
        if args.hosts.project {
            writeln!(
                out,
                "  the entries name a program of this machine: keep them out of version control"
            )?;
        }
        if let Some(left) = host.profile().left_to_do {
            writeln!(out, "  left to you: {left}")?;
        }
    }
    Ok(has_changed)
}

/// What is there instead of a host that is not on this machine.
fn not_here(host: &dyn Host, env: &Env) -> String {
    let others = hosts::ALL.iter().copied();
    let others = others.filter(|it| it.name() != host.name() && targets::is_used(*it, env));
    let titles: Vec<_> = others.map(|it| it.profile().executable.title).collect();
    let title = host.profile().executable.title;
    if titles.is_empty() {
        return format!("neither {title} nor any other host was found on this machine");
    }
    format!(
        "{title} was not found on this machine, but {}: `attest install --detected` is for those",
        titles.join(", ")
    )
}

/// Writes one file, and says whether it had to be changed.
fn install_file(
    out: &mut Ui,
    host: &dyn Host,
    place: &SettingsPlace<'_>,
    (binary, env): (&str, &Env),
    (args, found): (&InstallArgs, &OnPath),
) -> Result<bool, InstallError> {
    let path = &place.path;
    let file = if args.dry_run {
        SettingsFile::peek(path)?
    } else if args.hosts.project {
        SettingsFile::open_in_project(path)?
    } else {
        SettingsFile::open(path)?
    };
    let file = file.with_backups_in(settings::backup_folder(env));
    file.refuse_empty()?;
    let scope = match found {
        _ if args.core_only => Scope::Core,
        OnPath::Found { version, .. } => Scope::Known(*version),
        OnPath::Late { .. } | OnPath::Unreadable { .. } | OnPath::Absent => Scope::All,
    };
    let form = host.profile().executable.form();
    let binary = program::for_form(binary, form);
    let program = Program {
        path: &binary,
        form,
    };
    let content = file.content().unwrap_or_default();
    let merged = place.file.install(content, scope, program);
    let merged = merged.map_err(|source| refused(path, source))?;
    let has_changed = !merged.changes.is_empty() && !args.dry_run;
    if merged.changes.is_empty() {
        writeln!(
            out,
            "attest install: nothing to change in {}",
            printable(path)
        )?;
    } else if args.dry_run {
        let name = path.display().to_string();
        write!(
            out,
            "{}",
            settings::unified(&name, file.content(), Some(&merged.bytes))
        )?;
    } else {
        let written = file.replace(&merged.bytes)?;
        let hooks = host.wiring().hooks();
        report::changes(out, path, hooks, &merged.changes, written.backup.as_deref())?;
    }
    report::warn(out, place, &merged.bytes)?;
    Ok(has_changed)
}

fn refuse_too_old(host: &dyn Host, found: &OnPath) -> Result<(), InstallError> {
    let executable = &host.profile().executable;
    let (Support::Since { if_too_old, .. }, Some(least)) =
        (&executable.support, executable.least(executable.form()))
    else {
        return Ok(());
    };
    match found {
        OnPath::Found { program, version } if *version < least => Err(InstallError::HostTooOld {
            title: executable.title,
            program: program.clone(),
            version: *version,
            least,
            advice: if_too_old,
        }),
        // Not even that it is new enough.
        OnPath::Late { program, why } => Err(InstallError::HostLate {
            title: executable.title,
            program: program.clone(),
            why: why.clone(),
            least,
        }),
        _ => Ok(()),
    }
}
