//! Finding the repository of a folder, and deciding which reader can read it.

mod discovery;
pub(crate) mod git_dir;
mod ownership;

use std::cell::OnceCell;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use discovery::{Found, canonical};
#[cfg(any(target_os = "macos", test))]
use git2::ConfigLevel;

#[cfg(any(target_os = "macos", test))]
use crate::git::apple::Settings;
use crate::git::{Ask, Git, GitError};
use crate::libgit2::in_words;
use crate::odb::{Files, Odb};
use crate::os_path::path_of;
use crate::{Limits, Unreadable};

/// A file that no repository has: git takes it for an empty index.
const NO_INDEX: &str = "attest-reads-no-index";

/// A git work tree and the folders of its repository.
pub struct Repository {
    /// Top folder of the work tree, links resolved.
    pub root: PathBuf,
    /// The folder that all linked work trees share.
    pub common_dir: PathBuf,
    /// The folder with HEAD and the index.
    pub(crate) git_dir: PathBuf,
    pub(crate) access: Access,
    objects: OnceCell<Files>,
}

/// What reads the repository.
pub(crate) enum Access {
    /// attest, using what libgit2 opened.
    #[cfg(unix)]
    Fast(Box<git2::Repository>),
    /// libgit2.
    LibGit2(Box<git2::Repository>),
    /// The git program; the reason is recorded.
    Program {
        /// What libgit2 said when it tried to open it.
        why: String,
    },
}

impl Access {
    /// The fastest access on this system.
    fn of(opened: git2::Repository) -> Self {
        let opened = Box::new(opened);
        #[cfg(unix)]
        {
            Self::Fast(opened)
        }
        #[cfg(not(unix))]
        {
            Self::LibGit2(opened)
        }
    }
}

impl Repository {
    /// Finds the repository whose work tree contains `folder`.
    pub fn discover(folder: &Path, limits: &Limits) -> Result<Self, Unreadable> {
        Unreadable::unless_looked_at(folder, limits)?;
        match fs::metadata(folder) {
            Ok(metadata) if metadata.is_dir() => {}
            Ok(_) => return Err(Unreadable::NotARepository(folder.to_owned())),
            Err(error) if crate::nothing::is_missing(&error) => {
                return Err(Unreadable::NoFolder(folder.to_owned()));
            }
            Err(error) => return Err(Unreadable::io(folder, error)),
        }
        let found = discovery::find(folder, limits)?;
        let common_dir = git_dir::common_dir(&found.git_dir)?;
        git_dir::check_files(&found.git_dir, &common_dir)?;
        // Not `discover`: it opens the repository by its git folder, and takes the folder above
        // that for the work tree even if a `.git` file says otherwise.
        let here = git2::RepositoryOpenFlags::NO_SEARCH;
        let nowhere: [&Path; 0] = [];
        match git2::Repository::open_ext(&found.folder, here, nowhere) {
            Ok(opened) => match settings_of_git(&opened, &found.folder) {
                Ok(()) => Self::of_libgit2(opened, &found),
                Err(error) => Self::by_program(&found, &in_words(&error), limits),
            },
            Err(error) => Self::by_program(&found, &in_words(&error), limits),
        }
    }

    /// The git program for this repository, without an index.
    pub(crate) fn git(&self, limits: &Limits) -> Git<'_> {
        Git::new(&self.root, &self.git_dir, limits).with_index(self.common_dir.join(NO_INDEX))
    }

    /// Bytes of the name of an object, according to the repository's own configuration.
    #[cfg(unix)]
    pub(crate) fn oid_length(&self) -> usize {
        const SHA1: usize = 20;
        const SHA256: usize = 32;
        if !matches!(self.access, Access::Program { .. }) {
            return SHA1;
        }
        let config = git2::Config::open(&self.common_dir.join("config"));
        let format = config.and_then(|config| config.get_string("extensions.objectformat"));
        match format.as_deref() {
            Ok("sha256") => SHA256,
            _ => SHA1,
        }
    }

    /// The objects of this repository.
    pub(crate) fn odb<'a>(&'a self, limits: &'a Limits) -> Odb<'a> {
        match &self.access {
            #[cfg(unix)]
            Access::Fast(_) => Odb::of_files(&self.objects, self.common_dir.clone(), limits),
            Access::LibGit2(_) => Odb::of_files(&self.objects, self.common_dir.clone(), limits),
            Access::Program { .. } => {
                Odb::of_program(self.git(limits), self.common_dir.clone(), limits)
            }
        }
    }

    /// The same repository, read by the git program alone.
    #[must_use]
    pub fn through_program(self, why: &str) -> Self {
        Self {
            access: Access::Program {
                why: why.to_owned(),
            },
            ..self
        }
    }

    /// The same repository, read by libgit2.
    #[must_use]
    pub fn through_libgit2(self) -> Self {
        let access = match self.access {
            #[cfg(unix)]
            Access::Fast(opened) => Access::LibGit2(opened),
            other => other,
        };
        Self { access, ..self }
    }

    fn of_libgit2(opened: git2::Repository, found: &Found) -> Result<Self, Unreadable> {
        let Some(root) = opened.workdir() else {
            return Err(Unreadable::Bare(found.folder.clone()));
        };
        let git_dir = canonical(&found.git_dir)?;
        // The repository that was checked has to be the one that was opened.
        if canonical(opened.path())? != git_dir {
            let why = io::Error::other("it became another repository while it was opened");
            return Err(Unreadable::io(&found.git_dir, why));
        }
        Ok(Self {
            root: canonical(root)?,
            common_dir: canonical(opened.commondir())?,
            git_dir,
            access: Access::of(opened),
            objects: OnceCell::new(),
        })
    }

    fn by_program(found: &Found, why: &str, limits: &Limits) -> Result<Self, Unreadable> {
        let git_dir = canonical(&found.git_dir)?;
        let git = Git::new(&found.folder, &git_dir, limits);
        let nothing: [&str; 0] = [];
        let folders = git.ask(Ask::Folders, &nothing)?;
        let unknown = || GitError::Answer {
            command: "rev-parse",
        };
        let folders = folders.strip_suffix(b"\n").ok_or_else(unknown)?;
        let mut folders = folders.split(|byte| *byte == b'\n');
        let (Some(root), Some(common_dir), None) = (folders.next(), folders.next(), folders.next())
        else {
            return Err(unknown().into());
        };
        Ok(Self {
            root: canonical(&path_of(root)?)?,
            common_dir: canonical(&path_of(common_dir)?)?,
            git_dir,
            access: Access::Program {
                why: why.to_owned(),
            },
            objects: OnceCell::new(),
        })
    }
}

/// Has libgit2 read the settings that git reads and that it does not look for itself.
#[cfg(target_os = "macos")]
fn settings_of_git(opened: &git2::Repository, folder: &Path) -> Result<(), git2::Error> {
    use crate::git::apple;
    let program = crate::git::program_of(folder);
    match program.and_then(|program| apple::here().settings(program)) {
        Some(settings) => add(opened, &settings),
        None => Ok(()),
    }
}

#[cfg(not(target_os = "macos"))]
#[expect(
    clippy::unnecessary_wraps,
    reason = "on macOS a file may be unreadable"
)]
fn settings_of_git(_: &git2::Repository, _: &Path) -> Result<(), git2::Error> {
    Ok(())
}

#[cfg(any(target_os = "macos", test))]
fn add(opened: &git2::Repository, settings: &Settings) -> Result<(), git2::Error> {
    let mut config = opened.config()?;
    match settings {
        Settings::OfApple(file) => config.add_file(file, ConfigLevel::ProgramData, true),
        // In the place of those that only another git reads.
        Settings::OfSystem(file) => config.add_file(file, ConfigLevel::System, true),
    }
}

impl std::fmt::Debug for Repository {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Repository")
            .field("root", &self.root)
            .field("common_dir", &self.common_dir)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use tempfile::TempDir;

    use super::*;

    #[test]
    fn the_settings_of_another_place_are_in_force_behind_those_of_the_repository() {
        let folder = TempDir::new().unwrap();
        let opened = git2::Repository::init(folder.path().join("repo")).unwrap();
        let mut own = opened.config().unwrap();
        own.set_str("core.own", "own").unwrap();
        let apple = folder.path().join("apple");
        fs::write(&apple, "[core]\n\town = other\n\tautocrlf = input\n").unwrap();
        add(&opened, &Settings::OfApple(apple)).unwrap();
        add(&opened, &Settings::OfSystem(folder.path().join("none"))).unwrap();
        let config = opened.config().unwrap().snapshot().unwrap();
        assert_eq!(config.get_str("core.own").unwrap(), "own");
        assert_eq!(config.get_str("core.autocrlf").unwrap(), "input");
        let broken = folder.path().join("broken");
        fs::write(&broken, "[core\n").unwrap();
        assert!(add(&opened, &Settings::OfSystem(broken)).is_err());
    }
}
