//! `attest install`: puts the hooks into the settings of hosts.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attest_host::settings::{
    CallForm, Change, ContentError, HookSpec, Place, Program, Scope, is_attest,
};
use attest_host::{Host, Support, Version, hosts};
use clap::Args;
use thiserror::Error;

use super::ExitStatus;
use super::host::OnPath;
use super::targets::{self, HostArgs, TargetError};
use crate::env::{self, Env};
use crate::error::CommandError;
use crate::settings::{self, SettingsError, SettingsFile};
use crate::ui::{Ui, hanging};

/// Install the hooks into the settings of Claude Code, or of other hosts
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
#[command(after_long_help = "Examples:\n  \
    attest install --dry-run\n  \
    attest install\n  \
    attest install --detected")]
pub(crate) struct InstallArgs {
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
    /// The attest that the hooks run [default: this one]
    #[arg(long, value_name = "PATH")]
    pub(crate) binary: Option<PathBuf>,
    /// Install even if the host on the PATH is too old to run the hooks
    #[arg(long)]
    pub(crate) force: bool,
}

/// Why the hooks were not installed or not removed.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    #[error(transparent)]
    Target(#[from] TargetError),
    #[error("one file cannot be named for several hosts")]
    OneFileForSeveral,
    #[error("no host was found")]
    NoneDetected,
    #[error("cannot use {} for the hooks: {why}", path.display())]
    Binary { path: PathBuf, why: &'static str },
    #[error("cannot tell where this program is")]
    CurrentProgram(#[source] io::Error),
    #[error(
        "{title} {version} at {} is too old: the hooks need {least} or newer",
        program.display(),
    )]
    HostTooOld {
        title: &'static str,
        program: PathBuf,
        version: Version,
        least: Version,
        advice: &'static str,
    },
    #[error(transparent)]
    Settings(#[from] SettingsError),
    #[error("cannot print")]
    Output(#[from] io::Error),
}

impl InstallError {
    /// What the person can do about it.
    pub(crate) fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Target(error) => Some(error.hint()),
            Self::Binary { .. } => Some("name the attest program with --binary"),
            Self::CurrentProgram(_) => Some("name it with --binary"),
            Self::HostTooOld { advice, .. } => Some(advice),
            Self::OneFileForSeveral => Some("name one host, or leave out --settings"),
            Self::NoneDetected => Some("name one with --host"),
            Self::Settings(error) => Some(error.hint()),
            Self::Output(_) => None,
        }
    }

    /// The error of the command.
    pub(super) fn hinted(self) -> CommandError {
        let hint = self.hint();
        let error = CommandError::from(self);
        match hint {
            Some(hint) => error.hinted(hint),
            None => error,
        }
    }
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &InstallArgs) -> Result<ExitStatus, CommandError> {
    let installed = install(ui, env, args).and_then(|()| Ok(ui.flush()?));
    installed.map_err(InstallError::hinted)?;
    Ok(ExitStatus::Success)
}

fn install(out: &mut Ui, env: &Env, args: &InstallArgs) -> Result<(), InstallError> {
    let binary = binary(args, env)?;
    let hosts = wanted(args, env)?;
    if hosts.len() > 1 && args.settings.is_some() {
        return Err(InstallError::OneFileForSeveral);
    }
    let (mut result, mut has_changed) = (Ok(()), false);
    for host in hosts {
        let installed = install_in(out, host, &binary, env, args);
        let installed = installed.map(|changed| has_changed |= changed);
        keep_first(&mut result, installed, out);
    }
    if has_changed {
        let next = "next: `attest doctor` checks that it works; let a subagent stop, then `attest log` \
            has its verdict";
        write!(out, "{}", hanging("", next, out.width()))?;
    }
    result
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
        (Err(_), Err(error)) => ui.warn(&crate::log::chain(&error)),
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
    let mut has_changed = false;
    for file in &files {
        has_changed |= install_file(out, host, file, (binary, env), args)?;
    }
    if has_changed {
        say_version(out, host, &found)?;
        if args.hosts.project {
            writeln!(
                out,
                "  the entries name a program of this machine: keep them out of version control"
            )?;
        }
        if let Some(left) = host.left_to_do() {
            writeln!(out, "  left to you: {left}")?;
        }
    }
    Ok(has_changed)
}

/// Writes one file, and says whether it had to be changed.
fn install_file(
    out: &mut Ui,
    host: &dyn Host,
    place: &Place<'_>,
    (binary, env): (&str, &Env),
    args: &InstallArgs,
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
    let scope = if args.core_only {
        Scope::Core
    } else {
        Scope::All
    };
    let form = host.executable().form();
    let binary = for_form(binary, form);
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
            path.display()
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
        report(out, path, hooks, &merged.changes, written.backup.as_deref())?;
    }
    warn(out, place, &merged.bytes)?;
    Ok(has_changed)
}

/// The program as an entry of this form names it. A command line on Windows is for one of three shells, and only
/// this slash means the same to all of them.
fn for_form(binary: &str, form: CallForm) -> String {
    if cfg!(windows) && form == CallForm::Shell {
        return binary.replace('\\', "/");
    }
    binary.to_owned()
}

fn refuse_too_old(host: &dyn Host, found: &OnPath) -> Result<(), InstallError> {
    let executable = host.executable();
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
        _ => Ok(()),
    }
}

fn say_version(out: &mut impl Write, host: &dyn Host, found: &OnPath) -> io::Result<()> {
    let executable = host.executable();
    let title = executable.title;
    let found = match found {
        OnPath::Found { version, .. } => format!("here is {version}"),
        OnPath::Unreadable { program, .. } => {
            format!("{} does not say which it is", program.display())
        }
        OnPath::Absent => format!("there is no `{}` on the PATH", executable.name),
    };
    match (&executable.support, executable.least(executable.form())) {
        (Support::Tested(version), _) => {
            writeln!(
                out,
                "  the hooks were tested with {title} {version}; {found}"
            )
        }
        (_, Some(least)) => {
            writeln!(out, "  the hooks need {title} {least} or newer; {found}")
        }
        (_, None) => writeln!(
            out,
            "  the hooks follow what was read of {title}; no version of it was tried"
        ),
    }
}

/// A settings file that is left as it is because of its content.
pub(crate) fn refused(path: &Path, source: ContentError) -> InstallError {
    SettingsError::Content {
        path: path.to_owned(),
        source,
    }
    .into()
}

/// The program for the hooks, as an absolute path that an entry can be recognised by later.
fn binary(args: &InstallArgs, env: &Env) -> Result<String, InstallError> {
    let path = match args.binary.as_deref() {
        Some(path) => std::path::absolute(path).unwrap_or_else(|_| path.to_owned()),
        None => this_program(env)?,
    };
    let refuse = |why| {
        Err(InstallError::Binary {
            path: path.clone(),
            why,
        })
    };
    let Some(text) = path.to_str() else {
        return refuse("its path is not UTF-8, which JSON cannot hold");
    };
    if !args.dry_run && !path.is_file() {
        return refuse("there is no such file");
    }
    if !is_attest(text) {
        return refuse("a hook entry is recognised by the name attest");
    }
    if text.contains("${") {
        return refuse("the host would replace the ${...} in its path");
    }
    Ok(text.to_owned())
}

/// This program by the name that the PATH has for it: that one survives an update by a package
/// manager, which changes the folder that a link leads to.
pub(super) fn this_program(env: &Env) -> Result<PathBuf, InstallError> {
    let exact = std::env::current_exe().map_err(InstallError::CurrentProgram)?;
    let real = |path: &Path| attest_snapshot::canonical(path).ok();
    let folders = env.get(env::PATH).map(std::env::split_paths);
    let folders = folders.into_iter().flatten().chain(homebrew(&exact));
    let lasting = folders.into_iter().find_map(|folder| {
        let candidate = folder.join(format!("attest{}", std::env::consts::EXE_SUFFIX));
        (folder.is_absolute() && real(&candidate).is_some() && real(&candidate) == real(&exact))
            .then_some(candidate)
    });
    Ok(lasting.unwrap_or(exact))
}

/// The folder for programs of the Homebrew that this program belongs to, which the PATH may lack.
fn homebrew(program: &Path) -> Option<PathBuf> {
    let cellar = program.ancestors().find(|it| it.ends_with("Cellar"))?;
    Some(cellar.parent()?.join("bin"))
}

fn report(
    out: &mut impl Write,
    path: &Path,
    hooks: &[HookSpec],
    changes: &[Change],
    backup: Option<&Path>,
) -> io::Result<()> {
    writeln!(out, "attest install: {}", path.display())?;
    for change in changes {
        let what = match change {
            Change::Added(_) => "added",
            Change::Updated(_) => "updated",
            Change::Removed(_) => "removed",
        };
        let event = change.event();
        match hooks.iter().find(|spec| spec.event == event) {
            Some(spec) => writeln!(out, "  {what} {event}: attest hook {}", spec.verb)?,
            None => writeln!(out, "  {what} {event}")?,
        }
    }
    match backup {
        Some(backup) => writeln!(out, "  backup: {}", backup.display()),
        None => Ok(()),
    }
}

/// Says what would keep the hooks from running as they are.
fn warn(ui: &mut Ui, place: &Place<'_>, content: &[u8]) -> Result<(), InstallError> {
    let path = &place.path;
    let inspection = place.file.inspect(content);
    let inspection = inspection.map_err(|source| refused(path, source))?;
    if let Some(key) = inspection.disabled_by {
        ui.warn(&format!(
            "`{key}` is true in {}: no hook runs",
            path.display()
        ));
    }
    for event in &inspection.mentions {
        ui.warn(&format!(
            "a {event} hook runs attest within a larger command; it was left alone and attest may \
             run twice"
        ));
    }
    Ok(())
}
