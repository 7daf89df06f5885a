//! Steps of a reading, for the benchmarks and for fuzzing.

use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::beneath::Root;
use crate::fingerprint;
use crate::reader;
use crate::reader::fast::{Index, Rules};
use crate::regular::read_regular;
use crate::{Limits, Moment, RepoPath, Repository};

/// Reads an index file and returns how many entries it has.
pub fn read_index(path: &Path) -> io::Result<usize> {
    let bytes = read_regular(path, crate::bounds::INDEX)?.unwrap_or_default();
    let index = Index::read(bytes, 20).map_err(io::Error::other)?;
    Ok(index.len())
}

/// Reads a work tree by its index, including split and sparse ones, and returns how many paths
/// differ. Also checks that the index finds each of its own paths.
pub fn read_work_tree(repository: &Repository) -> io::Result<usize> {
    let limits = Limits::default();
    let reading =
        reader::read(repository, &limits, &Moment::now(), None).map_err(io::Error::other)?;
    if let Some(basis) = &reading.basis {
        let index = &basis.index;
        for number in 0..index.len() {
            let path = index.entry(number).path;
            assert!(index.find(path).is_some(), "{path:?} is lost");
        }
        for folder in &index.folders {
            let path = index.folder_path(folder);
            assert!(index.collapsed_at(path).is_none(), "{path:?} is there");
        }
    }
    Ok(reading.listing.differing.len())
}

/// Rules of one file.
pub struct Ignore(Arc<Rules>);

impl Ignore {
    /// Parses them.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let everywhere = Arc::new(Rules::everywhere(&[], false));
        Self(Arc::new(everywhere.within(b"", text.as_bytes())))
    }

    /// Whether they ignore the file at `path`.
    #[must_use]
    pub fn covers(&self, path: &str) -> bool {
        self.0.cover(path.as_bytes(), false)
    }
}

/// Looks at one file after another.
#[derive(Default)]
pub struct Hashing(fingerprint::Reader);

impl Hashing {
    /// The fingerprint of one of them, as text.
    pub fn of(&mut self, path: &Path) -> io::Result<String> {
        let name = path.file_name().unwrap_or_default().as_encoded_bytes();
        let name = RepoPath::from_git(name).ok_or(io::ErrorKind::InvalidInput)?;
        let root = Root::open(path.parent().unwrap_or(path))?;
        let look = self.0.read(&root, &name, u64::MAX, |_| None)?;
        Ok(look.fingerprint.to_string())
    }
}
