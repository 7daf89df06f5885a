//! The basis of a reading, kept for the questions that a proof asks after it.

use std::io;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};

use super::index::Index;
use super::rules::{self, Rules};
use super::settings::Ignoring;
use super::whole::Parts;
use crate::config::Config;
use crate::identity::Identity;
use crate::nothing::is_missing;
use crate::odb::Odb;
use crate::reader::raw_index::RawIndex;
use crate::reader::refusal::Refusal;
use crate::regular::read_regular_whole;
use crate::{Limits, Repository, Unreadable, bounds};

/// The index, and the rules that apply in every folder. All rules are there, even though a reading
/// does as git does and skips a rule file that it may not read.
pub(crate) struct Basis {
    pub(crate) index: Index,
    pub(crate) everywhere: Arc<Rules>,
}

impl Basis {
    pub(crate) fn read(repository: &Repository, limits: &Limits) -> Result<Self, Refusal> {
        let config = Config::read(repository, limits)?;
        let ignoring = Ignoring::read(&config, repository, limits)?;
        let texts = rules_everywhere(&repository.common_dir, &ignoring).into_iter();
        let texts = texts.collect::<io::Result<Vec<_>>>();
        let texts = texts.map_err(|error| Unreadable::io(&repository.common_dir, error))?;
        let odb = repository.odb(limits);
        let (index, _) = read_index(repository, &odb, &root(&repository.root)?)?;
        Ok(Self {
            index,
            everywhere: Arc::new(Rules::everywhere(&texts, ignoring.ignore_case)),
        })
    }
}

/// The rules of the person and of the repository, the weaker first.
pub(super) fn rules_everywhere(common_dir: &Path, ignoring: &Ignoring) -> Vec<io::Result<Vec<u8>>> {
    let exclude = common_dir.join("info/exclude");
    let files = ignoring.excludes.iter().chain([&exclude]);
    files.map(|file| rules::text_at(file)).collect()
}

/// The index of a repository, and the identity of its file. If nothing was ever added, there is
/// none.
pub(super) fn read_index(
    repository: &Repository,
    odb: &Odb<'_>,
    root: &OwnedFd,
) -> Result<(Index, Option<Identity>), Refusal> {
    let path = &repository.git_dir.join("index");
    let unreadable = |error| Refusal::from(Unreadable::io(path, error));
    let found = read_regular_whole(path, bounds::INDEX).map_err(unreadable)?;
    let Some((bytes, metadata)) = found else {
        // git would not accept anything but a file as an index either.
        return match path.symlink_metadata() {
            Err(error) if is_missing(&error) => Ok((Index::default(), None)),
            Err(error) => Err(unreadable(error)),
            Ok(_) => Err(unreadable(io::Error::other("not a regular file"))),
        };
    };
    let raw = match Index::read(bytes, repository.oid_length()) {
        Ok(index) => return Ok((index, Identity::of(&metadata))),
        Err(Refusal::Index(why)) => {
            let raw = RawIndex::open(path).map_err(unreadable)?;
            let raw = raw.and_then(Result::ok);
            let raw = raw.filter(RawIndex::makes_git_write);
            raw.ok_or(Refusal::Index(why))?
        }
        Err(refusal) => return Err(refusal),
    };
    let parts = Parts {
        git_dir: &repository.git_dir,
        odb,
        root,
    };
    Ok((parts.join(raw)?, Identity::of(&metadata)))
}

/// The work tree's top folder, opened once.
pub(crate) fn root(root: &Path) -> Result<OwnedFd, Unreadable> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(root, flags, Mode::empty()).map_err(|error| Unreadable::io(root, error.into()))
}

impl std::fmt::Debug for Basis {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Basis").finish_non_exhaustive()
    }
}
