//! The settings file of a host, changed with a backup and a difference to look at.

use attest_host::settings::SettingsPlace;

use crate::install_error::InstallError;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::settings::{self, SettingsFile};
use attest_base::ui::Ui;

/// The file.
pub(super) struct HostFile<'p> {
    place: &'p SettingsPlace<'p>,
    file: SettingsFile,
    is_dry_run: bool,
}

impl<'p> HostFile<'p> {
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
        Ok(Self {
            file: file.with_backups_in(settings::backup_folder(env)),
            place,
            is_dry_run,
        })
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
