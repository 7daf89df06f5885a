//! The hosts that a command is about, and the files through which each is told what to run.

use std::path::{Path, PathBuf};

use attest_host::settings::{Entry, Managed, Places, SettingsPlace};
use attest_host::{Host, hosts};
use attest_state::private;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use thiserror::Error;

use crate::env::{self, Env, NoHome};
use crate::process;
use crate::settings::SettingsFile;

/// Which hosts, and for which work.
#[derive(Debug, Args)]
pub struct HostArgs {
    /// The host; may be given more than once [default: claude-code for install, all for uninstall]
    #[arg(long, value_name = "NAME", value_parser = host_names())]
    pub host: Vec<&'static dyn Host>,
    /// The hooks of the project of this folder instead of those for all of your work
    #[arg(long, conflicts_with = "settings")]
    pub project: bool,
}

/// Reads a name of the list, which help, errors and completions then show.
pub fn host_names() -> impl TypedValueParser<Value = &'static dyn Host> {
    let names = hosts::ALL.iter().map(|host| host.name());
    PossibleValuesParser::new(names).try_map(|name| hosts::named(&name))
}

/// Why it is not known through which files a host is told.
#[expect(missing_docs, reason = "each says in its message what it is")]
#[derive(Debug, Error)]
pub enum TargetError {
    #[error("no settings file is named, and {0}")]
    NoSettings(NoHome),
    #[error("cannot tell what the current folder is")]
    NoFolder,
    #[error("{title} reads hooks from projects only")]
    OnlyProjects { title: &'static str },
    #[error("{title} reads no hooks from projects")]
    NotInProjects { title: &'static str },
    #[error("{title} is not told by one file, so that none can be named")]
    SeveralFiles { title: &'static str },
}

impl TargetError {
    /// What the person can do about it.
    #[must_use]
    pub fn hint(&self) -> &'static str {
        match self {
            Self::NoSettings(NoHome::Unset) => "name the file with --settings, or set HOME",
            Self::NoSettings(NoHome::Relative(_)) => {
                "name the file with --settings, or set HOME to an absolute path"
            }
            Self::NoFolder => "change to the folder of the project, then run this again",
            Self::OnlyProjects { .. } => "add --project in the folder of one",
            Self::NotInProjects { .. } => "leave out --project",
            Self::SeveralFiles { .. } => "leave out --settings",
        }
    }
}

impl HostArgs {
    /// The project that is meant, if one is. Without a folder to look for it in, the files of the person are
    /// not what was meant.
    pub fn project(&self) -> Result<Option<PathBuf>, TargetError> {
        if !self.project {
            return Ok(None);
        }
        let project = project_of_this_folder().ok_or(TargetError::NoFolder)?;
        Ok(Some(project))
    }
}

/// The repository that this folder is in, or else the folder.
pub fn project_of_this_folder() -> Option<PathBuf> {
    let folder = std::env::current_dir().ok()?;
    let is_root = |folder: &&Path| folder.join(".git").exists();
    let root = folder.ancestors().find(is_root).map(Path::to_owned);
    root.or(Some(folder))
}

/// Where a host is told what to run: in the file that is named, or else in its own places.
pub fn files(
    host: &'static dyn Host,
    named: Option<&Path>,
    project: Option<PathBuf>,
    env: &Env,
) -> Result<Vec<SettingsPlace<'static>>, TargetError> {
    let is_usual = host.name() == hosts::usual().name() && project.is_none();
    let variable = || env.path(env::SETTINGS).filter(|_| is_usual);
    let title = host.profile().executable.title;
    let Some(path) = named.map(Path::to_owned).or_else(variable) else {
        let files = own_files(host, project.clone(), env);
        return match (files.is_empty(), project, env.home_or_why()) {
            (false, ..) => Ok(files),
            (true, None, Err(why)) => Err(TargetError::NoSettings(why)),
            (true, None, Ok(_)) => Err(TargetError::OnlyProjects { title }),
            (true, Some(_), _) => Err(TargetError::NotInProjects { title }),
        };
    };
    let file = host.wiring().any_file();
    let file = file.ok_or(TargetError::SeveralFiles { title })?;
    Ok(vec![SettingsPlace {
        // Fails only if there is no current folder; the path as given is then as good.
        path: std::path::absolute(&path).unwrap_or(path),
        file,
        own_folder: None,
    }])
}

/// The first of them, which is the only one of a host whose settings have variables.
pub fn file(
    host: &'static dyn Host,
    named: Option<&Path>,
    env: &Env,
) -> Result<SettingsPlace<'static>, TargetError> {
    let files = files(host, named, None, env)?;
    let title = host.profile().executable.title;
    let mut files = files.into_iter();
    files.next().ok_or(TargetError::OnlyProjects { title })
}

/// The files at the places of the host itself.
pub fn own_files(
    host: &'static dyn Host,
    project: Option<PathBuf>,
    env: &Env,
) -> Vec<SettingsPlace<'static>> {
    host.wiring().files(&places(&variables(env), project, env))
}

/// Where an administrator says what goes over all of them.
pub fn managed(host: &dyn Host, env: &Env) -> Option<Managed<'static>> {
    host.wiring().managed(&places(&variables(env), None, env))
}

/// The setting that turns hooks off in a file of the host beside those that have them, in words.
pub fn turned_off(host: &dyn Host, env: &Env) -> Option<String> {
    let folder = home_of(host, env)?;
    let own = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    host.turned_off(&own)
}

/// Whether the person seems to use the host: its folder is there, or its program.
pub fn is_detected(host: &dyn Host, env: &Env) -> bool {
    home_of(host, env).is_some_and(|folder| folder.is_dir()) || is_used(host, env)
}

/// The same of what is not there only because attest has written into it.
pub fn is_used(host: &dyn Host, env: &Env) -> bool {
    let is_theirs = |folder: PathBuf| folder.is_dir() && !private::is_made_here(&folder);
    home_of(host, env).is_some_and(is_theirs)
        || process::find(host.profile().executable.name, env).is_some()
}

/// The folder that the host has for the person.
pub fn home_of(host: &dyn Host, env: &Env) -> Option<PathBuf> {
    host.wiring().home(&places(&variables(env), None, env))
}

fn variables(env: &Env) -> impl Fn(&str) -> Option<PathBuf> {
    |name| env.path(name)
}

/// What the environment says about the places of a host's files.
pub(crate) fn places<'a>(
    variable: &'a dyn Fn(&str) -> Option<PathBuf>,
    project: Option<PathBuf>,
    env: &Env,
) -> Places<'a> {
    Places {
        variable,
        home: env.home(),
        project,
    }
}

/// What puts the hooks into a host.
pub fn install_command(host: &dyn Host) -> String {
    if host.name() == hosts::usual().name() {
        "attest install".to_owned()
    } else {
        format!("attest install --host {}", host.name())
    }
}

/// What a person does in these hosts so that something is judged.
pub fn what_is_judged(hosts: &[&'static dyn Host]) -> &'static str {
    let with_subagents = hosts.iter().filter(|host| host.has_subagents()).count();
    if with_subagents == hosts.len() {
        "let a subagent stop"
    } else if with_subagents == 0 {
        "let an agent end its turn"
    } else {
        "let an agent stop"
    }
}

/// The entries of ours in a file; `None` if there is nothing to check.
#[must_use]
pub fn entries_in(place: &SettingsPlace<'_>) -> Option<Vec<Entry>> {
    let file = SettingsFile::peek(&place.path).ok()?;
    let content = file.content()?;
    match place.file.inspect(content) {
        Ok(inspection) if inspection.entries.is_empty() => None,
        Ok(inspection) => Some(inspection.entries),
        // Said where the file is checked, if attest is named in it.
        Err(_) => String::from_utf8_lossy(content)
            .contains("attest")
            .then(Vec::new),
    }
}

/// Whether any host runs attest for this person.
#[must_use]
pub fn is_installed(env: &Env) -> bool {
    let files = |host| own_files(host, None, env);
    let mut places = hosts::ALL.iter().flat_map(|host| files(*host));
    places.any(|place| entries_in(&place).is_some())
}
