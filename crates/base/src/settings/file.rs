//! The settings file on disk: read once, written whole or not at all.
//!
//! # Locking
//! Two installers take turns by a lock on the folder, which leaves no lock file behind. A host
//! knows nothing of that lock, so the file is compared with what was read just before the rename.
//!
//! # Other writers
//! Who truncates the file before writing it leaves it empty for a moment: what is empty is read
//! again, and refused if it stays so. Who writes to the old file while it is being replaced would
//! write where nobody looks: that file is looked at again afterwards, and put back.
//!
//! # Links
//! A symbolic link is followed to its end by hand and its target is replaced, because a rename
//! would replace the link itself.

mod backup;
mod lock;
mod original;
mod place;
mod temporary;

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use attest_state::private;
use tempfile::NamedTempFile;

use super::error::SettingsError;
use original::{Original, content_of, is_empty, read, settled};

/// How often what others wrote meanwhile is put back.
const MOST_PUT_BACK: usize = 10;

/// A settings file that is locked against other installers while this lives.
#[derive(Debug)]
pub struct SettingsFile {
    /// Where the links lead.
    target: PathBuf,
    original: Option<Original>,
    /// The folder of the backups; beside the file if it is not named.
    backups: Option<PathBuf>,
    _lock: Option<File>,
}

/// Whether a file in the folder of backups has a name that attest gives there.
#[must_use]
pub fn is_named_as_backup(name: &str) -> bool {
    backup::is_named(name) || temporary::is_named(name)
}

/// What a write left on the disk.
#[derive(Debug)]
pub struct Written {
    pub backup: Option<PathBuf>,
}

impl SettingsFile {
    /// Locks and reads the file, and makes its folder if there is none.
    pub fn open(path: &Path) -> Result<Self, SettingsError> {
        let target = place::resolve(path)?;
        let folder = place::folder_of(&target);
        private::make_folder(folder).map_err(at("create", folder))?;
        let lock = lock::lock(folder)?;
        temporary::sweep(folder);
        Ok(Self {
            _lock: lock,
            ..Self::peek(path)?
        })
    }

    /// The same for a file of a project, which others may read: so they may its folder.
    pub fn open_in_project(path: &Path) -> Result<Self, SettingsError> {
        let target = place::resolve(path)?;
        let folder = place::folder_of(&target);
        // Without a mark, which would be a file in the work tree.
        fs::create_dir_all(folder).map_err(at("create", folder))?;
        Self::open(path)
    }

    /// Reads the file without a lock and without making anything, for a look.
    pub fn peek(path: &Path) -> Result<Self, SettingsError> {
        let target = place::resolve(path)?;
        let original = read(&target)?;
        Ok(Self {
            target,
            original,
            backups: None,
            _lock: None,
        })
    }

    /// The same with its backups in `folder`.
    #[must_use]
    pub fn with_backups_in(self, folder: Option<PathBuf>) -> Self {
        Self {
            backups: folder,
            ..self
        }
    }

    /// The content; `None` if there is no file.
    #[must_use]
    pub fn content(&self) -> Option<&[u8]> {
        self.original
            .as_ref()
            .map(|original| original.bytes.as_slice())
    }

    /// Refuses a file with nothing in it: its owner may be about to write it.
    pub fn refuse_empty(&self) -> Result<(), SettingsError> {
        match &self.original {
            Some(original) if is_empty(&original.bytes) => Err(SettingsError::Empty {
                path: self.target.clone(),
            }),
            _ => Ok(()),
        }
    }

    /// The contents of the backups, the youngest first.
    pub fn backups(&self) -> impl Iterator<Item = Vec<u8>> {
        let all = backup::all_of(&self.backup_name()).into_iter();
        all.filter_map(|path| fs::read(path).ok())
    }

    /// Replaces the content, and keeps the old one as a backup.
    pub fn replace(self, bytes: &[u8]) -> Result<Written, SettingsError> {
        self.refuse_empty()?;
        let temporary = self.prepare(bytes)?;
        self.with_backup(|| {
            self.check_unchanged()?;
            self.put_watchfully(temporary, bytes)
        })
    }

    /// Removes the file. For one that attest made and that holds nothing else: no backup.
    pub fn delete(self) -> Result<Written, SettingsError> {
        self.remove()?;
        Ok(Written { backup: None })
    }

    /// The same for one that a person edited: a backup is kept.
    pub fn delete_with_backup(self) -> Result<Written, SettingsError> {
        self.with_backup(|| self.remove())
    }

    fn remove(&self) -> Result<(), SettingsError> {
        self.check_unchanged()?;
        fs::remove_file(&self.target).map_err(at("remove", &self.target))?;
        self.sync_folder();
        Ok(())
    }

    /// Makes a change with a backup of what was there before.
    fn with_backup(
        &self,
        change: impl FnOnce() -> Result<(), SettingsError>,
    ) -> Result<Written, SettingsError> {
        let backup = self.back_up()?;
        let changed = change();
        if let (Err(_), Some(backup)) = (&changed, &backup) {
            // Nothing was changed, so there is nothing to go back to.
            let _ = fs::remove_file(backup);
        }
        changed.map(|()| Written { backup })
    }

    fn prepare(&self, bytes: &[u8]) -> Result<NamedTempFile, SettingsError> {
        let folder = place::folder_of(&self.target);
        let write = || {
            let mut temporary = temporary::make(folder)?;
            temporary.write_all(bytes)?;
            Ok(temporary)
        };
        let temporary = write().map_err(at("write into", folder))?;
        if let Some(original) = &self.original {
            if original.permissions.readonly() {
                return Err(SettingsError::ReadOnly {
                    path: self.target.clone(),
                });
            }
            place::keep_owner(&self.target, temporary.as_file())?;
            let file = temporary.as_file();
            file.set_permissions(original.permissions.clone())
                .map_err(at("write into", folder))?;
        }
        temporary
            .as_file()
            .sync_all()
            .map_err(at("write into", folder))?;
        Ok(temporary)
    }

    /// What the names of its backups begin with.
    fn backup_name(&self) -> PathBuf {
        let folder = self.backups.as_deref();
        folder.map_or_else(
            || self.target.clone(),
            |it| backup::name_in(it, &self.target),
        )
    }

    fn back_up(&self) -> Result<Option<PathBuf>, SettingsError> {
        let Some(original) = &self.original else {
            return Ok(None);
        };
        let name = self.backup_name();
        let make = || {
            if let Some(folder) = &self.backups {
                private::make_folder(folder)?;
                temporary::sweep(folder);
            }
            let made = backup::make(&self.target, &name, &original.bytes, &original.permissions)?;
            if self.backups.is_some() {
                backup::keep_newest(&name);
            }
            Ok(made)
        };
        let beside = || place::folder_of(&self.target);
        let folder = self.backups.as_deref().unwrap_or_else(beside);
        make().map(Some).map_err(at("make a backup in", folder))
    }

    fn check_unchanged(&self) -> Result<(), SettingsError> {
        let now = read(&self.target)?;
        if now.as_ref().map(|now| &now.bytes)
            == self.original.as_ref().map(|original| &original.bytes)
        {
            return Ok(());
        }
        Err(SettingsError::Changed {
            path: self.target.clone(),
        })
    }

    fn put(&self, temporary: NamedTempFile) -> Result<File, SettingsError> {
        let put = if self.original.is_some() {
            temporary.persist(&self.target)
        } else {
            // A file that appeared since the comparison is not ours to replace.
            temporary.persist_noclobber(&self.target)
        };
        match put {
            Ok(file) => {
                self.sync_folder();
                Ok(file)
            }
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                Err(SettingsError::Changed {
                    path: self.target.clone(),
                })
            }
            Err(error) => Err(at("replace", &self.target)(error.error)),
        }
    }

    /// Puts `bytes` in place of the original. If somebody writes to that while it is replaced, what
    /// they wrote is put in place instead, and so on.
    fn put_watchfully(&self, temporary: NamedTempFile, bytes: &[u8]) -> Result<(), SettingsError> {
        let placed = self.put(temporary)?;
        let Some(original) = &self.original else {
            return Ok(());
        };
        let Some(file) = &original.file else {
            return Ok(());
        };
        let look = |file: &File| settled(|| content_of(file)).map_err(at("read", &self.target));
        let mut theirs = look(file)?;
        if theirs == original.bytes || is_empty(&theirs) {
            return Ok(());
        }
        let mut replaced = (placed, bytes.to_vec());
        for _ in 0..MOST_PUT_BACK {
            let placed = self.put(self.prepare(&theirs)?)?;
            let now = look(&replaced.0)?;
            if now == replaced.1 || is_empty(&now) {
                break;
            }
            replaced = (placed, std::mem::replace(&mut theirs, now));
        }
        Err(SettingsError::Changed {
            path: self.target.clone(),
        })
    }

    // The rename is in effect already; a file system that cannot sync a folder loses nothing else.
    fn sync_folder(&self) {
        if let Ok(folder) = File::open(place::folder_of(&self.target)) {
            let _ = folder.sync_all();
        }
    }
}

fn at(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> SettingsError {
    let path = path.to_owned();
    move |source| SettingsError::Io {
        doing,
        path,
        source,
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests;
