//! What attest has kept for itself, and what is beside it.
//!
//! A file counts as attest's by what it is, and not by the variable that names it: the state file by its
//! application id or tables, a log and a page by what they begin with, the others by names that only attest
//! gives. A folder goes only if attest made it and nothing else is in it. No link is followed.

use std::fs;
use std::path::{Path, PathBuf};

use attest_host::hosts;
use attest_state::{NotOurs, private};

use crate::plugin_dir::{What, package};
use attest_base::captures;
use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::log::is_log;
use attest_base::off;
use attest_base::own_settings;
use attest_base::settings;

/// What there is.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Files that attest can show to be its own.
    pub(super) files: Vec<PathBuf>,
    /// Folders that are attest's if it made them, each before the one that it is in.
    pub(super) folders: Vec<PathBuf>,
    /// What stays, and why.
    pub(super) left: Vec<(PathBuf, String)>,
}

/// Where the name of a file is one that attest gives.
type IsNamed = fn(&str) -> bool;

impl Kept {
    pub(super) fn find(config: &Config, env: &Env) -> Self {
        let mut kept = Self::default();
        if let Some(state) = &config.state_db {
            kept.add_state(state);
        }
        if let Some(folder) = &config.folder {
            kept.add_folder(folder, env);
        }
        let named = config
            .state_db
            .iter()
            .flat_map(|state| state.ancestors().skip(1));
        let made = named.take_while(|folder| private::is_made_here(folder));
        kept.folders.extend(made.map(Path::to_owned));
        kept
    }

    fn add_state(&mut self, state: &Path) {
        if state.parent().is_some_and(is_link) {
            return self.leave(state, "its folder is a link");
        }
        match attest_state::prove(state) {
            Err(NotOurs::Missing) => {}
            Err(why) => self.leave(state, &attest_base::log::chain(&why)),
            Ok(()) => {
                let beside = ["", "-wal", "-shm"].map(|end| {
                    let mut name = state.to_owned().into_os_string();
                    name.push(end);
                    PathBuf::from(name)
                });
                let page = state.with_file_name(attest_history::USUAL_PAGE);
                let files = beside.into_iter().filter(|path| is_file(path));
                self.files
                    .extend(files.chain(attest_history::is_page(&page).then_some(page)));
            }
        }
    }

    /// The folder of attest in the home folder.
    fn add_folder(&mut self, folder: &Path, env: &Env) {
        if is_link(folder) {
            return self.leave(folder, "it is a link");
        }
        let backups = settings::backup_folder(env);
        for path in entries(folder) {
            let name = path.file_name().unwrap_or_default();
            let is_own = match name.to_str() {
                Some("attest.log" | "attest.log.1") => is_log(&path),
                Some(off::NAME) => is_file(&path),
                Some(own_settings::NAME) => own_settings::is_own(&path),
                Some(attest_history::USUAL_PAGE) => attest_history::is_page(&path),
                _ => false,
            };
            let is_left = self.left.iter().any(|(left, _)| *left == path);
            if is_left || self.files.contains(&path) || name == private::MARKER {
                continue;
            }
            if is_own {
                self.files.push(path);
            } else if !is_folder(&path) {
                self.leave(&path, OTHERS);
            } else if Some(&path) == backups.as_ref() {
                self.add_named(path, settings::is_named_as_backup);
            } else if name == "captures" {
                self.add_named(path, captures::is_named);
            } else if name == "plugin" {
                self.add_plugin(&path.clone(), path, What::Plugin);
            } else if name == package::FOLDER {
                self.add_packages(path);
            } else {
                self.leave(&path, OTHERS);
            }
        }
        self.folders.push(folder.to_owned());
    }

    /// A folder of files that are known by their names.
    fn add_named(&mut self, folder: PathBuf, is_named: IsNamed) {
        for path in entries(&folder) {
            let name = path.file_name().unwrap_or_default();
            if name == private::MARKER {
                continue;
            }
            if is_file(&path) && name.to_str().is_some_and(is_named) {
                self.files.push(path);
            } else {
                self.leave(&path, OTHERS);
            }
        }
        self.folders.push(folder);
    }

    /// What [`plugin_dir`] writes into the folder `top`: a file of it is known by what is in it.
    fn add_plugin(&mut self, top: &Path, folder: PathBuf, what: What) {
        for path in entries(&folder) {
            let inside = path.strip_prefix(top).unwrap_or(&path);
            if is_folder(&path) && what.is_part(inside) {
                self.add_plugin(top, path, what);
            } else if is_file(&path) && what.is_own(top, inside) {
                self.files.push(path);
            } else if path.file_name() != Some(private::MARKER.as_ref()) {
                self.leave(&path, OTHERS);
            }
        }
        self.folders.push(folder);
    }

    /// The packages of hosts, each in a folder of its name.
    fn add_packages(&mut self, folder: PathBuf) {
        for path in entries(&folder) {
            let name = path.file_name().unwrap_or_default();
            let host = name.to_str().and_then(|name| hosts::named(name).ok());
            match host.filter(|_| is_folder(&path)) {
                Some(host) => self.add_plugin(&path.clone(), path, What::Package(host)),
                None if name == private::MARKER => {}
                None => self.leave(&path, OTHERS),
            }
        }
        self.folders.push(folder);
    }

    pub(super) fn leave(&mut self, path: &Path, why: &str) {
        self.left.push((path.to_owned(), why.to_owned()));
    }
}

const OTHERS: &str = "attest cannot show that it made this";

/// What is in a folder, in order; nothing if it is a link or cannot be read.
fn entries(folder: &Path) -> Vec<PathBuf> {
    let read = is_folder(folder).then(|| fs::read_dir(folder));
    let entries = read.into_iter().flatten().flatten().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.path()).collect();
    paths.sort();
    paths
}

/// Whether a name is that of a regular file, and not of a link to one.
pub(super) fn is_file(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_file())
}

fn is_folder(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_dir())
}

fn is_link(path: &Path) -> bool {
    path.symlink_metadata().is_ok_and(|it| it.is_symlink())
}
