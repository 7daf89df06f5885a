//! `attest uninstall`: takes the hooks out of the settings file again.

use std::io::Write;
use std::path::PathBuf;

use attest_host::hosts;
use clap::Args;

use super::ExitStatus;
use super::install::{InstallError, refused, settings_path};
use crate::env::Env;
use crate::error::CommandError;
use crate::settings::{self, SettingsFile};
use crate::ui::Ui;

/// Remove the hooks from the settings file of Claude Code
#[derive(Debug, Args)]
pub(crate) struct UninstallArgs {
    /// The settings file [default: as for install]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

pub(super) fn run(
    ui: &mut Ui,
    env: &Env,
    args: &UninstallArgs,
) -> Result<ExitStatus, CommandError> {
    let removed = uninstall(ui, env, args).and_then(|()| Ok(ui.flush()?));
    removed.map_err(InstallError::hinted)?;
    Ok(ExitStatus::Success)
}

fn uninstall(out: &mut Ui, env: &Env, args: &UninstallArgs) -> Result<(), InstallError> {
    let host = hosts::usual();
    let path = settings_path(host, args.settings.as_deref(), env)?;
    // A look first: the lock needs the folder, and there is no reason to make one here.
    let file = SettingsFile::peek(&path)?;
    let Some(content) = file.content() else {
        writeln!(
            out,
            "attest uninstall: nothing to remove, there is no {}",
            path.display()
        )?;
        return Ok(());
    };
    let remove = |file: &SettingsFile, content: &[u8]| {
        let removed = host.wiring().uninstall(content, &mut file.backups());
        removed.map_err(|source| refused(&path, source))
    };
    let removed = remove(&file, content)?;
    if removed.events.is_empty() {
        writeln!(
            out,
            "attest uninstall: nothing to remove from {}",
            path.display()
        )?;
        return Ok(());
    }
    if args.dry_run {
        let name = path.display().to_string();
        write!(
            out,
            "{}",
            settings::unified(&name, Some(content), removed.bytes.as_deref())
        )?;
        return Ok(());
    }
    let file = SettingsFile::open(&path)?;
    let removed = remove(&file, file.content().unwrap_or_default())?;
    let written = match &removed.bytes {
        Some(bytes) => file.replace(bytes)?,
        None => file.delete()?,
    };
    writeln!(out, "attest uninstall: {}", path.display())?;
    for event in &removed.events {
        writeln!(out, "  removed {event}")?;
    }
    match (&removed.bytes, &written.backup) {
        (None, _) => writeln!(
            out,
            "  removed the file, which attest had made and which held nothing else"
        )?,
        (_, Some(backup)) => writeln!(out, "  backup: {}", backup.display())?,
        _ => {}
    }
    Ok(())
}
