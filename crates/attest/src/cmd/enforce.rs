//! `attest enforce`: turns blocking on or off in the settings file of the host.

mod dirty;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use attest_host::hosts;
use clap::{Args, ValueEnum};
use dirty::DirtyStarts;

use super::ExitStatus;
use super::install::{InstallError, refused};
use super::targets::{self, TargetError};
use crate::env::{self, Env};
use crate::error::CommandError;
use crate::settings::{self, SettingsFile};
use crate::ui::Ui;

/// Turn enforcement on or off in the settings file of Claude Code
///
/// With enforcement on, an agent whose DONE is disproved is sent back to work, also if the work tree was
/// dirty when it began. Only `ATTEST_ENFORCE`, `ATTEST_ENFORCE_AGENTS` and the word `dirty` in
/// `ATTEST_STRICT` change, in the `env` of the settings file, and `ATTEST_ENFORCE_ADDED`, which keeps that
/// this word was added; a backup of the file is kept in `~/.attest/backups`.
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest enforce on --agent general-purpose    begin with one type of agent\n  \
    attest enforce on                            all types\n  \
    attest enforce on --lenient                  only from a clean work tree\n  \
    attest enforce off                           only report, as after `attest install`")]
pub(crate) struct EnforceArgs {
    /// What enforcement is to be
    #[arg(value_enum)]
    state: State,
    /// Only this type of agent; may be given more than once
    #[arg(long = "agent", value_name = "TYPE", value_parser = agent_type)]
    agents: Vec<String>,
    /// Let an agent go that began in a dirty work tree
    #[arg(long)]
    lenient: bool,
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum State {
    On,
    Off,
}

/// Which agents may be sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Covered {
    Nobody,
    Everybody,
    Types(Vec<String>),
}

#[derive(Debug, thiserror::Error)]
#[error("enforcement covers every type of agent, so that one alone cannot be taken out")]
struct CoversAll;

pub(super) fn run(ui: &mut Ui, env: &Env, args: &EnforceArgs) -> Result<ExitStatus, CommandError> {
    let host = hosts::usual();
    let hinted = InstallError::hinted;
    let places = targets::files(host, args.settings.as_deref(), None, env);
    let places = places.map_err(|error| hinted(error.into()))?;
    let place = places.first().ok_or(TargetError::NoSettings);
    let place = place.map_err(|error| hinted(error.into()))?;
    let path = &place.path;
    let file = open(path, args.dry_run).map_err(hinted)?;
    let file = file.with_backups_in(settings::backup_folder(env));
    let content = file.content().unwrap_or_default();
    let inspection = place.file.inspect(content);
    let inspection = inspection.map_err(|source| refused(path, source).hinted())?;
    let before = Covered::of(&inspection.env);
    let after = before
        .clone()
        .with(args.state, &args.agents)
        .map_err(|error| {
            CommandError::from(error)
                .hinted("`attest enforce off`, then `on` with each type that is to stay")
        })?;
    let starts = DirtyStarts::of(&inspection.env);
    let starts = match (after == Covered::Nobody || args.lenient, args.state) {
        (true, _) => starts.let_go(env),
        (false, State::On) => starts.counted(env),
        (false, State::Off) => starts,
    };
    let variables = after.variables(env).into_iter().chain(starts.variables());
    let variables: Vec<_> = variables.collect();
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_deref()))
        .collect();
    let changed = place.file.with_variables(content, &variables);
    let changed = changed.unwrap_or_else(|| Ok(content.to_vec()));
    let changed = changed.map_err(|source| refused(path, source).hinted())?;
    let name = path.display().to_string();
    let has_changed = changed != content;
    if has_changed {
        let difference = settings::unified(&name, file.content(), Some(&changed));
        write!(ui, "{difference}").map_err(InstallError::from)?;
    }
    if !args.dry_run && has_changed {
        let written = file.replace(&changed).map_err(InstallError::from);
        if let Some(backup) = written.map_err(hinted)?.backup {
            ui.tell(&format!("backup: {}", backup.display()))?;
        }
    }
    if after != Covered::Nobody {
        ui.tell(of_dirty_starts(starts.are_counted(env)))?;
    }
    ui.tell(&after.sentence(args.dry_run, has_changed))?;
    if inspection.entries.is_empty() && after != Covered::Nobody {
        ui.warn("no hook of attest is in that file: run `attest install`");
    }
    Ok(ExitStatus::Success)
}

/// What happens to an agent that began in a dirty work tree.
fn of_dirty_starts(are_counted: bool) -> &'static str {
    if are_counted {
        "an agent that begins in a dirty work tree is blocked by the same proof (ATTEST_STRICT=dirty): `--lenient` leaves that out"
    } else {
        "an agent that begins in a dirty work tree is let go: leave out `--lenient`, or put `dirty` into ATTEST_STRICT"
    }
}

fn open(path: &Path, is_dry_run: bool) -> Result<SettingsFile, InstallError> {
    let file = if is_dry_run {
        SettingsFile::peek(path)?
    } else {
        SettingsFile::open(path)?
    };
    file.refuse_empty()?;
    Ok(file)
}

/// A name that can stand in a list.
fn agent_type(text: &str) -> Result<String, &'static str> {
    match text.trim() {
        "" => Err("a type of agent has a name"),
        name if name.contains(',') => Err("give each type an --agent of its own"),
        name => Ok(name.to_owned()),
    }
}

impl Covered {
    /// What the variables of the settings file say.
    fn of(variables: &[(String, String)]) -> Self {
        let value = |wanted: &str| {
            let found = variables.iter().rev().find(|(name, _)| name == wanted);
            found.map(|(_, value)| value.as_str())
        };
        if value(env::ENFORCE) != Some("1") {
            return Self::Nobody;
        }
        let names = value(env::ENFORCE_AGENTS).unwrap_or_default().split(',');
        let names = names.map(str::trim).filter(|name| !name.is_empty());
        let names: Vec<_> = names.map(str::to_owned).collect();
        if names.is_empty() {
            return Self::Everybody;
        }
        Self::Types(names)
    }

    fn with(self, state: State, agents: &[String]) -> Result<Self, CoversAll> {
        let is_among = |name: &String, names: &[String]| {
            names
                .iter()
                .any(|other| other.to_lowercase() == name.to_lowercase())
        };
        match (state, self) {
            (State::On, _) if agents.is_empty() => Ok(Self::Everybody),
            (State::Off, _) if agents.is_empty() => Ok(Self::Nobody),
            (State::On, Self::Nobody) => Ok(Self::Types(agents.to_vec())),
            (State::On, Self::Everybody) => Ok(Self::Everybody),
            (State::On, Self::Types(mut names)) => {
                let new = agents.iter().filter(|name| !is_among(name, &names));
                let new: Vec<_> = new.cloned().collect();
                names.extend(new);
                Ok(Self::Types(names))
            }
            (State::Off, Self::Nobody) => Ok(Self::Nobody),
            (State::Off, Self::Everybody) => Err(CoversAll),
            (State::Off, Self::Types(mut names)) => {
                names.retain(|name| !is_among(name, agents));
                Ok(if names.is_empty() {
                    Self::Nobody
                } else {
                    Self::Types(names)
                })
            }
        }
    }

    /// What the variables have to be. Enforcement that this environment turns on is turned off by
    /// the settings, which count more.
    fn variables(&self, env: &Env) -> [(&'static str, Option<String>); 2] {
        let enforce = match self {
            Self::Nobody => env.get(env::ENFORCE).map(|_| "0"),
            Self::Everybody | Self::Types(_) => Some("1"),
        };
        let agents = match self {
            Self::Types(names) => Some(names.join(",")),
            Self::Nobody | Self::Everybody => None,
        };
        [
            (env::ENFORCE, enforce.map(str::to_owned)),
            (env::ENFORCE_AGENTS, agents),
        ]
    }

    fn sentence(&self, is_dry_run: bool, has_changed: bool) -> String {
        let will = match (is_dry_run, has_changed) {
            (true, true) => "would be",
            _ => "is",
        };
        let rest = match self {
            Self::Nobody => "off: nothing is blocked, only reported".to_owned(),
            Self::Everybody => "on for every type of agent".to_owned(),
            Self::Types(names) => {
                let names = attest_snapshot::escaped(names.join(", ").as_bytes());
                format!("on for {names}")
            }
        };
        format!("enforcement {will} {rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn types(names: &[&str]) -> Covered {
        Covered::Types(names.iter().map(|name| (*name).to_owned()).collect())
    }

    #[test]
    fn types_come_and_go_and_the_last_one_turns_it_off() {
        let with = |before: Covered, state, agents: &[&str]| {
            let agents: Vec<_> = agents.iter().map(|name| (*name).to_owned()).collect();
            before.with(state, &agents).ok()
        };
        let (on, off) = (State::On, State::Off);
        for (before, state, agents, after) in [
            (Covered::Nobody, on, &[][..], Some(Covered::Everybody)),
            (Covered::Nobody, on, &["a"], Some(types(&["a"]))),
            (types(&["a"]), on, &["A", "b"], Some(types(&["a", "b"]))),
            (types(&["a"]), on, &[], Some(Covered::Everybody)),
            (Covered::Everybody, on, &["a"], Some(Covered::Everybody)),
            (types(&["a", "b"]), off, &["B"], Some(types(&["a"]))),
            (types(&["a"]), off, &["a"], Some(Covered::Nobody)),
            (types(&["a"]), off, &[], Some(Covered::Nobody)),
            (Covered::Everybody, off, &["a"], None),
        ] {
            assert_eq!(
                with(before.clone(), state, agents),
                after,
                "{before:?} {agents:?}"
            );
        }
    }

    #[test]
    fn only_one_is_on() {
        let of = |pairs: &[(&str, &str)]| {
            let pairs = pairs
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            Covered::of(&pairs.collect::<Vec<_>>())
        };
        assert_eq!(of(&[]), Covered::Nobody);
        assert_eq!(of(&[("ATTEST_ENFORCE", "true")]), Covered::Nobody);
        assert_eq!(of(&[("ATTEST_ENFORCE", "1")]), Covered::Everybody);
        let named = [
            ("ATTEST_ENFORCE", "1"),
            ("ATTEST_ENFORCE_AGENTS", " a, ,b "),
        ];
        assert_eq!(of(&named), types(&["a", "b"]));
    }
}
