//! Variables that the settings file of a host gives to its hooks, changed with a backup and a difference to look at.

use std::path::Path;

use attest_host::hosts;
use attest_host::settings::{Inspection, Place};

use super::install::{InstallError, refused};
use super::targets::{self, TargetError};
use crate::env::Env;
use crate::error::CommandError;
use crate::settings::{self, SettingsFile};
use crate::ui::Ui;

/// The settings file whose variables are changed.
pub(super) struct Variables {
    place: Place<'static>,
    file: SettingsFile,
    /// What is in it.
    pub(super) inspection: Inspection,
    is_dry_run: bool,
}

impl Variables {
    /// Opens the file that is named, or else that of the usual host.
    pub(super) fn open(
        named: Option<&Path>,
        is_dry_run: bool,
        env: &Env,
    ) -> Result<Self, CommandError> {
        Self::opened(named, is_dry_run, env).map_err(InstallError::hinted)
    }

    fn opened(named: Option<&Path>, is_dry_run: bool, env: &Env) -> Result<Self, InstallError> {
        let places = targets::files(hosts::usual(), named, None, env)?;
        let place = places.into_iter().next().ok_or(TargetError::NoSettings)?;
        let file = if is_dry_run {
            SettingsFile::peek(&place.path)?
        } else {
            SettingsFile::open(&place.path)?
        };
        file.refuse_empty()?;
        let content = file.content().unwrap_or_default();
        let inspection = place.file.inspect(content);
        let inspection = inspection.map_err(|source| refused(&place.path, source))?;
        Ok(Self {
            file: file.with_backups_in(settings::backup_folder(env)),
            place,
            inspection,
            is_dry_run,
        })
    }

    /// Sets each variable to its value, or takes it out if it has none. Whether anything changed, or would.
    pub(super) fn set(
        self,
        ui: &mut Ui,
        variables: &[(&str, Option<&str>)],
    ) -> Result<bool, CommandError> {
        let changed = self.with(variables).map_err(InstallError::hinted)?;
        if Some(changed.as_slice()) == self.file.content() {
            return Ok(false);
        }
        let name = self.place.path.display().to_string();
        ui.print(&settings::unified(
            &name,
            self.file.content(),
            Some(&changed),
        ))?;
        if self.is_dry_run {
            return Ok(true);
        }
        let written = self.file.replace(&changed).map_err(InstallError::from);
        if let Some(backup) = written.map_err(InstallError::hinted)?.backup {
            ui.tell(&format!("backup: {}", backup.display()))?;
        }
        Ok(true)
    }

    fn with(&self, variables: &[(&str, Option<&str>)]) -> Result<Vec<u8>, InstallError> {
        let content = self.file.content().unwrap_or_default();
        let changed = self.place.file.with_variables(content, variables);
        let changed = changed.unwrap_or_else(|| Ok(content.to_vec()));
        changed.map_err(|source| refused(&self.place.path, source))
    }
}
