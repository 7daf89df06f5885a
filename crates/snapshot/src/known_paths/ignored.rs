//! The ignore rules of a repository, read folder by folder as paths need them.

use std::cell::RefCell;
use std::collections::HashMap;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::sync::Arc;

use rustix::fs::FileType;

use super::names::Names;
use crate::reader::Basis;
use crate::reader::fast::{RULES, Rules, folder_of, join, root, stat, text_in};
use crate::{RepoPath, Repository, Unreadable};

/// The rules that apply everywhere, and those of the folders asked for.
pub(super) struct Ignored {
    root: OwnedFd,
    root_path: PathBuf,
    everywhere: Arc<Rules>,
    folders: RefCell<HashMap<Vec<u8>, Folder>>,
}

#[derive(Clone)]
struct Folder {
    rules: Arc<Rules>,
    /// Whether it is a folder on disk, and not behind a link.
    is_there: bool,
}

impl Ignored {
    pub(super) fn by(basis: &Basis, repository: &Repository) -> Result<Self, Unreadable> {
        Ok(Self {
            root: root(&repository.root)?,
            root_path: repository.root.clone(),
            everywhere: Arc::clone(&basis.everywhere),
            folders: RefCell::default(),
        })
    }

    pub(super) fn covers(&self, path: &RepoPath, names: &Names) -> Result<bool, Unreadable> {
        let path = path.as_bytes();
        let folder = self.folder(folder_of(path), names)?;
        let is_folder = folder.is_there && self.is_folder(path)?;
        Ok(folder.rules.cover(path, is_folder))
    }

    pub(super) fn covers_folder(&self, path: &RepoPath, names: &Names) -> Result<bool, Unreadable> {
        let path = path.as_bytes();
        Ok(self.folder(folder_of(path), names)?.rules.cover(path, true))
    }

    /// The rules that apply in a folder, which need not exist.
    fn folder(&self, path: &[u8], names: &Names) -> Result<Folder, Unreadable> {
        if let Some(known) = self.folders.borrow().get(path) {
            return Ok(known.clone());
        }
        let (above, is_there) = if path.is_empty() {
            (Arc::clone(&self.everywhere), true)
        } else {
            let above = self.folder(folder_of(path), names)?;
            let is_there = above.is_there && self.is_folder(path)?;
            (above.rules, is_there)
        };
        let rules = if !path.is_empty() && above.cover(path, true) {
            above.covering()
        } else {
            above.within(path, &self.text(path, is_there, names)?)
        };
        let folder = Folder {
            rules: Arc::new(rules),
            is_there,
        };
        let mut folders = self.folders.borrow_mut();
        folders.insert(path.to_vec(), folder.clone());
        Ok(folder)
    }

    /// The content of the folder's own rule file.
    fn text(&self, folder: &[u8], is_there: bool, names: &Names) -> Result<Vec<u8>, Unreadable> {
        let path = join(folder, RULES);
        let kind = if is_there { self.kind(&path)? } else { None };
        match kind {
            Some(FileType::RegularFile) => {
                text_in(&self.root, &path).map_err(|error| self.refused(&path, error))
            }
            None => names.left_out_rules(&path),
            Some(_) => Ok(Vec::new()),
        }
    }

    fn is_folder(&self, path: &[u8]) -> Result<bool, Unreadable> {
        Ok(self.kind(path)? == Some(FileType::Directory))
    }

    fn kind(&self, path: &[u8]) -> Result<Option<FileType>, Unreadable> {
        let found = stat(&self.root, path).map_err(|error| self.refused(path, error.into()))?;
        Ok(found.map(|found| found.kind()))
    }

    fn refused(&self, path: &[u8], error: std::io::Error) -> Unreadable {
        Unreadable::io(&self.root_path.join(crate::path_of_bytes(path)), error)
    }
}
