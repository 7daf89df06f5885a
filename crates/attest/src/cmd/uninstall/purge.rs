//! `attest uninstall --purge`: removes what attest has kept for itself.
//!
//! Only what has the name of something of attest's goes, so that a file that somebody else put beside
//! it stays, and with it the folder.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::UninstallArgs;
use crate::config::Config;
use crate::env::Env;
use crate::error::{CommandError, Hint as _};
use crate::settings;
use crate::ui::Ui;

#[derive(Debug, Error)]
enum PurgeError {
    #[error("what attest has kept is removed only after asking, and nobody can answer here")]
    NobodyToAsk,
    #[error("cannot ask")]
    Terminal(#[source] io::Error),
    #[error("cannot remove {path:?}")]
    Remove { path: PathBuf, source: io::Error },
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &UninstallArgs) -> Result<(), CommandError> {
    let kept = kept(&Config::of_command(ui, env), env);
    if kept.is_empty() {
        return ui.say("attest uninstall: nothing else is kept");
    }
    if args.dry_run {
        return list(ui, "would remove", &kept);
    }
    if !args.yes && !is_wanted(ui, &kept)? {
        return ui.say("attest uninstall: what attest has kept stays");
    }
    for path in &kept {
        remove(path)?;
    }
    if let Some(folder) = env.home().map(|home| home.join(".attest")) {
        // It stays if something else is in it.
        let _ = fs::remove_dir(folder);
    }
    list(ui, "removed", &kept)
}

fn is_wanted(ui: &mut Ui, kept: &[PathBuf]) -> Result<bool, CommandError> {
    if !Ui::can_ask() {
        return Err(PurgeError::NobodyToAsk).hint("--yes removes it without asking");
    }
    list(ui, "attest has kept", kept)?;
    let answer = ui.ask("Remove all of this? It cannot be had back.");
    Ok(answer.map_err(PurgeError::Terminal)?)
}

fn list(ui: &mut Ui, what: &str, paths: &[PathBuf]) -> Result<(), CommandError> {
    paths.iter().try_for_each(|path| {
        let path = attest_snapshot::path_bytes(path);
        ui.say(&format!("{what} {}", attest_snapshot::escaped(&path)))
    })
}

/// What is there of all that attest may have made.
fn kept(config: &Config, env: &Env) -> Vec<PathBuf> {
    let state = config.state_db.iter().flat_map(|file| {
        ["", "-wal", "-shm"].map(|end| {
            let mut name = file.clone().into_os_string();
            name.push(end);
            PathBuf::from(name)
        })
    });
    let folder = config.folder.iter();
    let beside = folder.flat_map(|folder| {
        let names = [
            "attest.log",
            "attest.log.1",
            "captures",
            "report.html",
            "plugin",
        ];
        names.map(|name| folder.join(name))
    });
    let all = state.chain(beside).chain(settings::backup_folder(env));
    all.filter(|path| path.symlink_metadata().is_ok()).collect()
}

fn remove(path: &Path) -> Result<(), PurgeError> {
    let is_folder = path.symlink_metadata().is_ok_and(|it| it.is_dir());
    let removed = if is_folder {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    };
    match removed {
        // Closing the state removes what is beside it.
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(PurgeError::Remove {
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}
