//! `attest uninstall --purge`: removes what attest has kept for itself, as far as it can show that it is
//! its own, and says what is left.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attest_state::private;
use thiserror::Error;

use super::UninstallArgs;
use super::kept::{self, Kept};
use crate::printable;
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::ui::Ui;

/// Paths that stay and are named; the rest of them is counted.
const MOST_NAMED: usize = 20;

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
    let mut kept = Kept::find(&Config::of_command(ui, env), env);
    if kept.files.is_empty() && !kept.folders.iter().any(|it| private::is_made_here(it)) {
        ui.say("attest uninstall: nothing else is kept")?;
        return say_what_stays(ui, &kept.left);
    }
    if args.dry_run {
        list(ui, "would remove", &kept.files)?;
        return say_what_stays(ui, &kept.left);
    }
    if !args.yes && !is_wanted(ui, &kept)? {
        return ui.say("attest uninstall: what attest has kept stays");
    }
    let removed = remove_all(&mut kept)?;
    list(ui, "removed", &removed)?;
    say_what_stays(ui, &kept.left)
}

fn is_wanted(ui: &mut Ui, kept: &Kept) -> Result<bool, CommandError> {
    if !Ui::can_ask() {
        return Err(PurgeError::NobodyToAsk).hint("--yes removes it without asking");
    }
    list(ui, "attest has kept", &kept.files)?;
    let answer = ui.ask("Remove all of this? This cannot be undone.");
    Ok(answer.map_err(PurgeError::Terminal)?)
}

/// Removes the files, then the folders as far as nothing else is in them.
fn remove_all(kept: &mut Kept) -> Result<Vec<PathBuf>, PurgeError> {
    let mut removed = Vec::new();
    for path in std::mem::take(&mut kept.files) {
        // Once more: what was put in its place since is not what was looked at.
        if kept::is_file(&path) {
            remove(&path)?;
            removed.push(path);
        }
    }
    for folder in std::mem::take(&mut kept.folders) {
        let has_gone = private::remove_folder(&folder);
        let has_gone = has_gone.map_err(|source| PurgeError::Remove {
            path: folder.clone(),
            source,
        })?;
        let is_empty = || fs::read_dir(&folder).is_ok_and(|mut it| it.next().is_none());
        if has_gone {
            removed.push(folder);
        } else if is_empty() {
            kept.leave(
                &folder,
                "it is empty, and attest cannot show that it made this folder",
            );
        }
    }
    Ok(removed)
}

fn remove(path: &Path) -> Result<(), PurgeError> {
    match fs::remove_file(path) {
        // Closing the state removes what is beside it.
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(PurgeError::Remove {
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}

fn say_what_stays(ui: &mut Ui, left: &[(PathBuf, String)]) -> Result<(), CommandError> {
    for (path, why) in left.iter().take(MOST_NAMED) {
        ui.say(&format!("left {}: {why}", printable(path)))?;
    }
    match left.len().saturating_sub(MOST_NAMED) {
        0 => Ok(()),
        more => ui.say(&format!("left {more} more")),
    }
}

fn list(ui: &mut Ui, what: &str, paths: &[PathBuf]) -> Result<(), CommandError> {
    let mut paths = paths.iter();
    paths.try_for_each(|path| ui.say(&format!("{what} {}", printable(path))))
}
