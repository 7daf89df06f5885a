//! `~/.attest/settings.toml`, changed for some hosts with a backup and a difference to look at.

use std::path::{Path, PathBuf};

use attest_host::Host;
use thiserror::Error;

use crate::install_error::InstallError;
use attest_base::env::{Env, NoHome};
use attest_base::error::{CommandError, Hint as _};
use attest_base::own_settings::{self, Edited, OwnSettings, Section, Whose, with_sections};
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

/// What a variable is to be; `None` to take it out.
pub(super) type Variable = (&'static str, Option<String>);

/// The file, and what hosts are to be told by it.
pub(super) struct OwnFile {
    path: PathBuf,
    file: SettingsFile,
    pub(super) settings: OwnSettings,
    wanted: Vec<(&'static str, Vec<Variable>)>,
    /// Whose the values are.
    pub(super) whose: Whose,
    is_dry_run: bool,
}

impl OwnFile {
    /// Opens the file. A dry run makes no folder for it.
    pub(super) fn open(env: &Env, is_dry_run: bool) -> Result<Self, CommandError> {
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
        Ok(Self {
            file: file.with_backups_in(settings::backup_folder(env)),
            path,
            settings,
            wanted: Vec::new(),
            whose: Whose::Attest,
            is_dry_run,
        })
    }

    /// Wants these variables for a host.
    pub(super) fn want(&mut self, host: &dyn Host, variables: Vec<Variable>) {
        self.wanted.push((host.name(), variables));
    }

    /// The names of the variables of a host that attest has set of itself.
    pub(super) fn own(&self, host: &dyn Host) -> Vec<String> {
        let content = self.file.content().unwrap_or_default();
        let text = std::str::from_utf8(content).unwrap_or_default();
        own_settings::own(text, host.name())
    }

    /// The same as [`Self::write_quietly`], and says from when on it holds.
    pub(super) fn write(self, ui: &mut Ui) -> Result<Option<OwnSettings>, CommandError> {
        let is_dry_run = self.is_dry_run;
        let own = self.write_quietly(ui)?;
        if !is_dry_run && own.is_some() {
            ui.tell("sessions that run heed it from their next hook on")?;
        }
        Ok(own)
    }

    /// Shows the difference, and writes it unless nothing is to be written. What the file says then, if it is another
    /// one.
    pub(super) fn write_quietly(self, ui: &mut Ui) -> Result<Option<OwnSettings>, CommandError> {
        let content = self.file.content();
        let text = content.map(std::str::from_utf8).transpose();
        let Ok(text) = text else {
            return refused(&self.path, None::<&str>);
        };
        let wanted = self.wanted.iter();
        let sections: Vec<Section<'_>> = wanted.map(|(host, all)| (*host, &**all)).collect();
        let new = match with_sections(text, &sections, self.whose) {
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
