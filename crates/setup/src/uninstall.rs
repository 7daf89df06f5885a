//! `attest uninstall`: takes the hooks out of the settings of hosts again.

mod kept;
mod purge;
mod said;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use attest_host::settings::{Inspection, Removed, SettingsPlace};
use attest_host::{Host, hosts};
use attest_state::private;
use clap::Args;

use crate::install::keep_first;
use crate::install_error::{InstallError, refused};
use crate::plugin_dir;
use crate::printable;
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::off;
use attest_base::settings::{self, SettingsFile};
use attest_base::shell_word::shell_word;
use attest_base::targets::{self, HostArgs};
use attest_base::ui::Ui;

/// Remove the hooks from the settings of all hosts
#[derive(Debug, Args)]
#[command(after_long_help = "Examples:\n  \
    attest uninstall --dry-run\n  \
    attest uninstall --project\n  \
    attest uninstall --purge")]
pub struct UninstallArgs {
    #[command(flatten)]
    pub(crate) hosts: HostArgs,
    /// The settings file of one host [default: as for install]
    #[arg(long, value_name = "FILE")]
    pub(crate) settings: Option<PathBuf>,
    /// Print what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also remove what attest has kept: the history, the log, captures and backups; asks first
    #[arg(long, conflicts_with_all = ["settings", "host", "project"])]
    pub(crate) purge: bool,
    /// Remove it without asking
    #[arg(long, requires = "purge")]
    pub(crate) yes: bool,
}

pub(super) fn run(
    ui: &mut Ui,
    env: &Env,
    args: &UninstallArgs,
) -> Result<ExitStatus, CommandError> {
    // First what the settings of a host say, so that nothing but the hooks is left to find in them.
    if !args.hosts.project {
        said::of_host(ui, env, args)?;
    }
    let removed = uninstall(ui, env, args).and_then(|()| Ok(ui.flush()?));
    removed.map_err(InstallError::hinted)?;
    if !args.hosts.project && args.settings.is_none() {
        said::of_attest(ui, env, args)?;
        if args.hosts.host.is_empty() {
            turn_on(ui, env, args.dry_run)?;
            say_which_plugins(ui, env)?;
        }
    }
    if args.purge {
        purge::run(ui, env, args)?;
    }
    Ok(ExitStatus::Success)
}

/// Removes the file that turns attest off: who installs it later wants it to work.
fn turn_on(ui: &mut Ui, env: &Env, is_dry_run: bool) -> Result<(), CommandError> {
    let path = off::path(env).filter(|_| off::is_off(env));
    let Some(path) = path.filter(|path| is_dry_run || off::remove(path).is_ok()) else {
        return Ok(());
    };
    let what = if is_dry_run {
        "would remove"
    } else {
        "removed"
    };
    ui.say(&format!(
        "{what} {}, which turned attest off",
        path.display()
    ))
}

/// A host that loads a plugin which attest has made is the only one that can remove it.
fn say_which_plugins(ui: &mut Ui, env: &Env) -> Result<(), CommandError> {
    let folder = Config::read(env).folder.unwrap_or_default();
    for made in ["plugin", plugin_dir::package::FOLDER].map(|name| folder.join(name)) {
        if made.is_dir() {
            ui.tell(&format!(
                "a host that was given the plugin in {} keeps it until its own command removes it, as `claude plugin uninstall attest@attest`",
                made.display()
            ))?;
        }
    }
    Ok(())
}

fn uninstall(out: &mut Ui, env: &Env, args: &UninstallArgs) -> Result<(), InstallError> {
    let named = &args.hosts.host;
    if named.len() > 1 && args.settings.is_some() {
        return Err(InstallError::OneFileForSeveral);
    }
    args.hosts.project()?;
    let is_for_all = named.is_empty() && args.settings.is_none();
    let mut result = Ok(());
    for host in hosts::ALL.iter().copied() {
        let is_named = named.iter().any(|named| named.name() == host.name());
        let is_usual = host.name() == hosts::usual().name();
        if is_named || named.is_empty() && is_usual {
            let removed = uninstall_from(out, host, env, args);
            keep_first(&mut result, removed, out);
        } else if is_for_all {
            let removed = uninstall_all(out, host, env, args);
            keep_first(&mut result, removed, out);
        }
    }
    result
}

/// Takes the hooks out of a host that the person asked for, and says if there are none.
fn uninstall_from(
    out: &mut Ui,
    host: &'static dyn Host,
    env: &Env,
    args: &UninstallArgs,
) -> Result<(), InstallError> {
    let files = targets::files(host, args.settings.as_deref(), args.hosts.project()?, env)?;
    let mut has_removed = false;
    for place in &files {
        let path = printable(&place.path);
        match uninstall_file(out, place, env, args)? {
            Found::NoFile => writeln!(
                out,
                "attest uninstall: nothing to remove, there is no {path}"
            )?,
            Found::NoHooks => writeln!(out, "attest uninstall: nothing to remove from {path}")?,
            Found::Hooks => has_removed = !args.dry_run,
        }
        if let Some(plugin) = inspection(place).and_then(|found| found.plugin) {
            let (plugin, program) = (
                shell_word(plugin.as_bytes()),
                host.profile().executable.name,
            );
            writeln!(
                out,
                "the plugin of attest is still turned on; `{program} plugin uninstall {plugin}` removes it"
            )?;
        }
    }
    say_what_stays(out, &files, has_removed)
}

/// What a file says of attest, if it can be read. Our plugin in it is the host's to remove.
fn inspection(place: &SettingsPlace<'_>) -> Option<Inspection> {
    let file = SettingsFile::peek(&place.path).ok()?;
    place.file.inspect(file.content()?).ok()
}

/// Takes the hooks out of another host, of which there is nothing to say if it has none.
fn uninstall_all(
    out: &mut Ui,
    host: &'static dyn Host,
    env: &Env,
    args: &UninstallArgs,
) -> Result<(), InstallError> {
    let files = targets::own_files(host, args.hosts.project()?, env);
    let mut has_removed = false;
    for place in &files {
        // A file that does not name attest has none of its hooks, whatever else is wrong with it.
        if names_attest(&place.path) {
            let found = uninstall_file(out, place, env, args)?;
            has_removed |= matches!(found, Found::Hooks) && !args.dry_run;
        }
    }
    say_what_stays(out, &files, has_removed)
}

/// Names the folder of a plugin that stays although its files are gone.
fn say_what_stays(
    out: &mut Ui,
    files: &[SettingsPlace<'_>],
    has_removed: bool,
) -> Result<(), InstallError> {
    let folder = files.first().and_then(|place| place.own_folder.as_deref());
    if let Some(folder) = folder.filter(|folder| has_removed && folder.exists()) {
        let name = printable(folder);
        writeln!(
            out,
            "left {name}: something else is in it, or attest did not make it"
        )?;
    }
    Ok(())
}

fn names_attest(path: &Path) -> bool {
    let content = fs::read(path).unwrap_or_default();
    content.windows(6).any(|word| word == b"attest")
}

/// What a file held of ours.
enum Found {
    NoFile,
    NoHooks,
    Hooks,
}

fn uninstall_file(
    out: &mut Ui,
    place: &SettingsPlace<'_>,
    env: &Env,
    args: &UninstallArgs,
) -> Result<Found, InstallError> {
    let path = &place.path;
    // A look first: the lock needs the folder, and there is no reason to make one here.
    let file = SettingsFile::peek(path)?.with_backups_in(settings::backup_folder(env));
    let Some(content) = file.content() else {
        return Ok(Found::NoFile);
    };
    let remove = |file: &SettingsFile, content: &[u8]| {
        let removed = place.file.uninstall(content, &mut file.backups());
        removed.map_err(|source| refused(path, source))
    };
    let removed = remove(&file, content)?;
    if removed.events.is_empty() {
        return Ok(Found::NoHooks);
    }
    if args.dry_run {
        let name = path.display().to_string();
        write!(
            out,
            "{}",
            settings::unified(&name, Some(content), removed.bytes.as_deref())
        )?;
        return Ok(Found::Hooks);
    }
    let file = SettingsFile::open(path)?.with_backups_in(settings::backup_folder(env));
    let removed = remove(&file, file.content().unwrap_or_default())?;
    let written = match &removed.bytes {
        Some(bytes) => file.replace(bytes)?,
        None if removed.is_edited => file.delete_with_backup()?,
        None => file.delete()?,
    };
    if removed.bytes.is_none() && args.settings.is_none() {
        let top = args.hosts.project()?.or_else(|| env.home());
        remove_empty_folders(path, top.as_deref());
    }
    report(out, place, &removed, written.backup.as_deref())?;
    Ok(Found::Hooks)
}

/// Removes the folders above a file that is gone, as far as attest made them and nothing else is in them: below
/// `top`, and not through a link. A folder that is left over would look like a host that is in use.
fn remove_empty_folders(file: &Path, top: Option<&Path>) {
    let Some(top) = top else { return };
    let folders = file.ancestors().skip(1);
    for folder in folders.take_while(|folder| *folder != top && folder.starts_with(top)) {
        if folder.exists() && !private::remove_folder(folder).unwrap_or(false) {
            return;
        }
    }
}

fn report(
    out: &mut impl Write,
    place: &SettingsPlace<'_>,
    removed: &Removed,
    backup: Option<&Path>,
) -> io::Result<()> {
    writeln!(out, "attest uninstall: {}", printable(&place.path))?;
    for event in &removed.events {
        writeln!(out, "  removed {event}")?;
    }
    if removed.bytes.is_none() && !removed.is_edited {
        writeln!(
            out,
            "  removed the file, which attest had made and which held nothing else"
        )?;
    }
    match backup {
        Some(backup) => writeln!(out, "  backup: {}", printable(backup)),
        None => Ok(()),
    }
}
