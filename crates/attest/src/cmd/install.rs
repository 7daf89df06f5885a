//! `attest install`: puts the hooks into the settings file of the host.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attest_host::settings::{
    CallForm, Change, ContentError, HookSpec, Places, Program, Scope, is_attest,
};
use attest_host::{Executable, Host, Version, hosts};
use clap::Args;
use thiserror::Error;

use super::ExitStatus;
use super::host::OnPath;
use crate::env::{self, Env};
use crate::error::CommandError;
use crate::settings::{self, SettingsError, SettingsFile};
use crate::ui::Ui;

/// Install the hooks into the settings file of Claude Code.
#[derive(Debug, Args)]
pub(crate) struct InstallArgs {
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
    /// Install also where the `claude` on the PATH is too old to run the hooks
    #[arg(long)]
    pub(crate) force: bool,
}

/// Why the hooks were not installed or not removed.
#[derive(Debug, Error)]
pub(crate) enum InstallError {
    #[error("no settings file is named and there is no home folder")]
    NoSettings,
    #[error("cannot use {} for the hooks: {why}", path.display())]
    Binary { path: PathBuf, why: &'static str },
    #[error("cannot tell where this program is")]
    CurrentProgram(#[source] io::Error),
    #[error(
        "{} {version} at {} is too old: the hooks need {} or newer",
        executable.title,
        program.display(),
        executable.least(CallForm::HERE)
    )]
    HostTooOld {
        executable: &'static Executable,
        program: PathBuf,
        version: Version,
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
            Self::NoSettings => Some("name the file with --settings, or set HOME"),
            Self::Binary { .. } => Some("name the attest program with --binary"),
            Self::CurrentProgram(_) => Some("name it with --binary"),
            Self::HostTooOld { executable, .. } => Some(executable.if_too_old),
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
    let host = hosts::usual();
    let path = settings_path(host, args.settings.as_deref(), env)?;
    let binary = binary(args, env)?;
    let found = OnPath::find(host, env);
    if !args.force {
        refuse_too_old(host, &found)?;
    }
    let file = if args.dry_run {
        SettingsFile::peek(&path)?
    } else {
        SettingsFile::open(&path)?
    };
    file.refuse_empty()?;
    let scope = if args.core_only {
        Scope::Core
    } else {
        Scope::All
    };
    let program = Program {
        path: &binary,
        form: CallForm::HERE,
    };
    let content = file.content().unwrap_or_default();
    let merged = host.wiring().install(content, scope, program);
    let merged = merged.map_err(|source| refused(&path, source))?;
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
        report(
            out,
            &path,
            hooks,
            &merged.changes,
            written.backup.as_deref(),
        )?;
        say_version(out, host, &found)?;
    }
    warn(out, host, &path, &merged.bytes)
}

fn refuse_too_old(host: &dyn Host, found: &OnPath) -> Result<(), InstallError> {
    let executable = host.executable();
    match found {
        OnPath::Found { program, version } if *version < executable.least(CallForm::HERE) => {
            Err(InstallError::HostTooOld {
                executable,
                program: program.clone(),
                version: *version,
            })
        }
        _ => Ok(()),
    }
}

fn say_version(out: &mut impl Write, host: &dyn Host, found: &OnPath) -> io::Result<()> {
    let executable = host.executable();
    let (title, least) = (executable.title, executable.least(CallForm::HERE));
    let found = match found {
        OnPath::Found { version, .. } => format!("here is {version}"),
        OnPath::Unreadable { program, .. } => {
            format!("{} does not say which it is", program.display())
        }
        OnPath::Absent => format!("there is no `{}` on the PATH", executable.name),
    };
    writeln!(out, "  the hooks need {title} {least} or newer; {found}")
}

/// The settings file that was named, or the host's own; absolute.
pub(crate) fn settings_path(
    host: &dyn Host,
    named: Option<&Path>,
    env: &Env,
) -> Result<PathBuf, InstallError> {
    let usual = || {
        let places = Places {
            variable: &|name| env.path(name),
            home: env.home(),
        };
        host.wiring().file(&places)
    };
    let path = named.map(Path::to_owned);
    let path = path.or_else(|| env.path(env::SETTINGS)).or_else(usual);
    let path = path.ok_or(InstallError::NoSettings)?;
    // Fails only if there is no current folder; the path as given is then as good.
    Ok(std::path::absolute(&path).unwrap_or(path))
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
    let real = |path: &Path| path.canonicalize().ok();
    let folders = env.get(env::PATH).map(std::env::split_paths);
    let on_path = folders.into_iter().flatten().find_map(|folder| {
        let candidate = folder.join("attest");
        (folder.is_absolute() && real(&candidate).is_some() && real(&candidate) == real(&exact))
            .then_some(candidate)
    });
    Ok(on_path.unwrap_or(exact))
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
        let spec = hooks.iter().find(|spec| spec.event == change.event());
        let verb = spec.map_or("", |spec| spec.verb);
        writeln!(out, "  {what} {}: attest hook {verb}", change.event())?;
    }
    match backup {
        Some(backup) => writeln!(out, "  backup: {}", backup.display()),
        None => Ok(()),
    }
}

/// Says what would keep the hooks from running as they are.
fn warn(ui: &mut Ui, host: &dyn Host, path: &Path, content: &[u8]) -> Result<(), InstallError> {
    let inspection = host.wiring().inspect(content);
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
