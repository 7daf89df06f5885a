//! `~/.attest/settings.toml`, changed for some hosts with a backup and a difference to look at.

use std::path::{Path, PathBuf};

use attest_host::settings::SettingsPlace;
use attest_host::{Host, hosts};
use thiserror::Error;

use super::in_force::layers::Layer;
use super::moved::{Left, is_usual};
use super::variables::Variable;
use crate::install_error::InstallError;
use attest_base::env::{self, Env, NoHome};
use attest_base::error::{CommandError, Hint as _};
use attest_base::own_settings::{Edited, OwnSettings, Section, Variables, with_sections};
use attest_base::settings::{self, SettingsFile};
use attest_base::ui::Ui;

/// Why the file is left as it is.
#[derive(Debug, Error)]
pub(super) enum OwnFileError {
    #[error("there is no place for the settings of attest: {0}")]
    NoPlace(NoHome),
    #[error("cannot edit {}: {why}", path.display())]
    Damaged { path: PathBuf, why: String },
}

/// The file, and what hosts are to be told by it.
pub(super) struct OwnFile<'p> {
    path: PathBuf,
    file: SettingsFile,
    pub(super) settings: OwnSettings,
    /// What the usual host still has in a file of its own.
    left: Option<Left<'p>>,
    wanted: Vec<(&'static str, Vec<Variable>)>,
    is_dry_run: bool,
}

/// What the files say now, those that are others.
#[derive(Default)]
pub(super) struct Changed {
    pub(super) own: Option<OwnSettings>,
    /// The settings file of the usual host.
    pub(super) layer: Option<Layer>,
}

impl Changed {
    pub(super) fn is_any(&self) -> bool {
        self.own.is_some() || self.layer.is_some()
    }
}

impl<'p> OwnFile<'p> {
    /// Opens the file. A dry run makes no folder for it. What is left in the file at `place` is to move.
    pub(super) fn open(
        place: Option<&'p SettingsPlace<'p>>,
        env: &Env,
        is_dry_run: bool,
    ) -> Result<Self, CommandError> {
        let left = place.map(|place| Left::of(place, is_dry_run, env));
        let left = left.transpose().map_err(InstallError::hinted)?.flatten();
        let settings = OwnSettings::read(env);
        let Some(path) = settings.path.clone() else {
            let why = env.home_or_why().err().unwrap_or(NoHome::Unset);
            return Err(OwnFileError::NoPlace(why)).hint("set HOME to an absolute path");
        };
        if settings.is_damaged() {
            return refused(&path, settings.faults.first());
        }
        let file = if is_dry_run {
            SettingsFile::peek(&path)
        } else {
            SettingsFile::open(&path)
        };
        let file = file.map_err(|error| InstallError::from(error).hinted())?;
        let mut file = Self {
            file: file.with_backups_in(settings::backup_folder(env)),
            path,
            settings,
            left,
            wanted: Vec::new(),
            is_dry_run,
        };
        if file.left.is_some() {
            file.want(hosts::usual(), Vec::new());
        }
        Ok(file)
    }

    /// What is said for a host alone, wherever it stands so far.
    pub(super) fn section(&self, host: &dyn Host) -> Variables {
        let mut section = self.settings.section(host.name());
        if let Some(left) = self.left.as_ref().filter(|_| is_usual(host)) {
            section.extend(left.variables());
        }
        section
    }

    /// Wants these variables for a host, beside what moves.
    pub(super) fn want(&mut self, host: &dyn Host, variables: Vec<Variable>) {
        let left = self.left.as_ref().filter(|_| is_usual(host));
        let left = left.map(Left::variables).unwrap_or_default();
        let moving = env::SETTINGS_OF_ATTEST.iter().filter_map(|name| {
            let (_, value) = left.iter().find(|(it, _)| it == name)?;
            let is_free = variables.iter().all(|(it, _)| it != name);
            is_free.then(|| (*name, Some(value.clone())))
        });
        let all = moving.collect::<Vec<_>>().into_iter().chain(variables);
        self.wanted.retain(|(it, _)| *it != host.name());
        self.wanted.push((host.name(), all.collect()));
    }

    /// Shows the difference, and writes it unless nothing is to be written.
    pub(super) fn write(mut self, ui: &mut Ui) -> Result<Changed, CommandError> {
        let (left, is_dry_run) = (self.left.take(), self.is_dry_run);
        let own = self.write_own(ui)?;
        let layer = left.map(|left| left.take_out(ui)).transpose()?.flatten();
        if !is_dry_run && let Some(layer) = &layer {
            ui.tell(&format!(
                "sessions that run may keep what {} said when they began; of all others the next hook heeds the change",
                layer.path.display()
            ))?;
        } else if !is_dry_run && own.is_some() {
            ui.tell("sessions that run heed it from their next hook on")?;
        }
        Ok(Changed { own, layer })
    }

    /// The same of this file alone. What it says then, if it is another one.
    pub(super) fn write_own(self, ui: &mut Ui) -> Result<Option<OwnSettings>, CommandError> {
        let content = self.file.content();
        let text = content.map(std::str::from_utf8).transpose();
        let Ok(text) = text else {
            return refused(&self.path, None::<&str>);
        };
        let wanted = self.wanted.iter();
        let sections: Vec<Section<'_>> = wanted.map(|(host, all)| (*host, &**all)).collect();
        let new = match with_sections(text, &sections) {
            Edited::Same => return Ok(None),
            Edited::Nothing if content.is_none() => return Ok(None),
            Edited::Nothing => None,
            Edited::Content(new) => Some(new.into_bytes()),
            Edited::Refused => return refused(&self.path, None::<&str>),
        };
        let difference =
            settings::unified(&self.path.display().to_string(), content, new.as_deref());
        ui.print(&difference)?;
        let after = OwnSettings::of(new.as_deref().unwrap_or_default()).at(self.path);
        if !self.is_dry_run {
            let written = match &new {
                Some(new) => self.file.replace(new),
                None => self.file.delete(),
            };
            let written = written.map_err(|error| InstallError::from(error).hinted())?;
            if let Some(backup) = written.backup {
                ui.tell(&format!("backup: {}", backup.display()))?;
            }
        }
        Ok(Some(after))
    }
}

fn refused<T>(path: &Path, why: Option<impl ToString>) -> Result<T, CommandError> {
    let why = why.map_or_else(
        || "something else stands in the place of a host".to_owned(),
        |why| why.to_string(),
    );
    let path = path.to_owned();
    Err(OwnFileError::Damaged { path, why }).hint("correct the file by hand, or remove it")
}
