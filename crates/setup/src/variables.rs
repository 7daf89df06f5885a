//! Variables that the settings file of a host gives to its hooks, changed with a backup and a difference to look at.

use attest_host::settings::{Inspection, SettingsPlace};

use crate::install_error::{InstallError, refused};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::settings::{self, SettingsFile};
use attest_base::ui::Ui;

/// What a variable is to be; `None` to take it out.
pub(super) type Variable = (&'static str, Option<String>);

/// The settings file whose variables are changed.
pub(super) struct Variables<'p> {
    place: &'p SettingsPlace<'p>,
    file: SettingsFile,
    /// What is in it.
    pub(super) inspection: Inspection,
    is_dry_run: bool,
}

impl<'p> Variables<'p> {
    /// Opens the file. A dry run makes no folder for it.
    pub(super) fn open(
        place: &'p SettingsPlace<'p>,
        is_dry_run: bool,
        env: &Env,
    ) -> Result<Self, InstallError> {
        let file = if is_dry_run {
            SettingsFile::peek(&place.path)?
        } else {
            SettingsFile::open(&place.path)?
        };
        file.refuse_empty()?;
        let inspection = place.file.inspect(file.content().unwrap_or_default());
        let inspection = inspection.map_err(|source| refused(&place.path, source))?;
        Ok(Self {
            file: file.with_backups_in(settings::backup_folder(env)),
            place,
            inspection,
            is_dry_run,
        })
    }

    /// Sets each variable, shows the difference, and writes it unless nothing is to be written. The new content of
    /// the file, if it is another one.
    pub(super) fn set(
        self,
        ui: &mut Ui,
        variables: &[Variable],
    ) -> Result<Option<Vec<u8>>, CommandError> {
        let content = self.content();
        let variables: Vec<_> = variables
            .iter()
            .map(|(name, value)| (*name, value.as_deref()))
            .collect();
        let changed = self.place.file.with_variables(content, &variables);
        let changed = changed.unwrap_or_else(|| Ok(content.to_vec()));
        let changed = changed.map_err(|source| refused(&self.place.path, source).hinted())?;
        self.replace(ui, changed)
    }

    /// The content as it is.
    pub(super) fn content(&self) -> &[u8] {
        self.file.content().unwrap_or_default()
    }

    /// Shows the difference to other content, and writes it unless nothing is to be written. It, if it is another.
    pub(super) fn replace(
        self,
        ui: &mut Ui,
        changed: Vec<u8>,
    ) -> Result<Option<Vec<u8>>, CommandError> {
        if changed == self.content() {
            return Ok(None);
        }
        let name = self.place.path.display().to_string();
        let difference = settings::unified(&name, self.file.content(), Some(&changed));
        ui.print(&difference)?;
        if !self.is_dry_run {
            let written = self.file.replace(&changed).map_err(InstallError::from);
            if let Some(backup) = written.map_err(InstallError::hinted)?.backup {
                ui.tell(&format!("backup: {}", backup.display()))?;
            }
        }
        Ok(Some(changed))
    }
}
