//! attest's own reader: the index and one pass over the work tree.
//!
//! libgit2 opens the repository and reads HEAD, trees, configuration and attributes. What is in
//! the index, what the folders hold and what rules ignore is read here. The answer is that of
//! `git status --porcelain=v2 -uall --no-renames --ignore-submodules=all`, or a refusal.

mod bytes;
mod cache_tree;
mod content;
mod folder;
mod folders;
mod index;
mod listing;
mod nested;
mod recall;
mod rules;
mod scan;
mod settings;
mod staged;
mod stat;

use std::fs::File;
use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

pub(crate) use bytes::Bytes;
use content::Contents;
pub(crate) use index::Index;
use recall::Earlier;
pub(crate) use rules::Rules;
use scan::{Outcome, Scan};
use settings::Settings;
use staged::Staged;

use super::head::{self, Head};
use super::{Listing, Reader, ReaderKind, Refusal, Seen, listed, program};
use crate::identity::{Digest, Identity, Time};
use crate::unlisted::Unlisted;
use crate::{Limits, Moment, RepoPath, Repository, Unreadable, WorkTree};

pub(super) struct FastReader<'a> {
    repository: &'a Repository,
    opened: &'a git2::Repository,
    now: &'a Moment,
    earlier: Option<&'a WorkTree>,
}

impl<'a> FastReader<'a> {
    pub(super) fn new(
        repository: &'a Repository,
        opened: &'a git2::Repository,
        now: &'a Moment,
        earlier: Option<&'a WorkTree>,
    ) -> Self {
        Self {
            repository,
            opened,
            now,
            earlier,
        }
    }
}

impl Reader for FastReader<'_> {
    fn kind(&self) -> ReaderKind {
        ReaderKind::Fast
    }

    fn list(&self, limits: &Limits) -> Result<Listing, Refusal> {
        // libgit2 loads the whole index before it answers about attributes, unless it has one.
        self.opened.set_index(&mut git2::Index::new()?)?;
        let head = Head::read(self.opened)?;
        let tree = match &head.oid {
            Some(oid) => Some(
                self.opened
                    .find_commit(git2::Oid::from_str(oid)?)?
                    .tree_id(),
            ),
            None => None,
        };
        let settings = Settings::read(&self.opened.config()?.snapshot()?)?;
        let (index, index_identity) = read_index(&self.opened.path().join("index"))?;
        let root = open_root(&self.repository.root)?;
        let everywhere = self.rules_everywhere(&settings);
        let terms = self.terms(index_identity.as_ref(), &settings, &everywhere, tree);
        let scan = Scan {
            root: &root,
            root_path: &self.repository.root,
            index: &index,
            index_written: index_identity.map_or(Time::EPOCH, |identity| identity.mtime),
            settings: &settings,
            limits,
            earlier: self
                .earlier
                .zip(terms)
                .and_then(|(earlier, terms)| Earlier::new(earlier, terms, &index, &root)),
            everywhere: Arc::new(Rules::everywhere(&everywhere, settings.ignore_case)),
            rules: index.folders.iter().map(|_| OnceLock::new()).collect(),
            began_ns: self.now.wall_ns,
        };
        let outcome = scan.run()?;
        let contents = Contents {
            repository: self.repository,
            opened: self.opened,
            root: &root,
            index: &index,
            settings: &settings,
            limits,
        };
        let mut differing = paths(&outcome, &index)?;
        let changed = contents.changed(&outcome)?.into_iter();
        differing.extend(changed.map(Seen::nothing_of));
        for path in Staged::list(self.opened, &index, tree)? {
            differing.push(Seen::nothing_of(listed(&path)?));
        }
        let unlisted = unlisted(&outcome, &index, &everywhere)?;
        let memory =
            terms.map(|terms| recall::remember(outcome, &index, terms, scan.earlier.as_ref()));
        Ok(Listing {
            head,
            refs: head::refs(self.opened)?,
            differing,
            unlisted: Some(unlisted),
            memory,
        })
    }
}

impl FastReader<'_> {
    /// The rules of the person and those of the repository, the weaker first.
    fn rules_everywhere(&self, settings: &Settings) -> Vec<Vec<u8>> {
        let exclude = self.repository.common_dir.join("info/exclude");
        let files = settings.excludes.iter().chain([&exclude]);
        files.map(|file| rules::text_at(file)).collect()
    }

    /// On what the meaning of the names rests. `None` where the index is too young to show that
    /// it changes.
    fn terms(
        &self,
        index: Option<&Identity>,
        settings: &Settings,
        everywhere: &[Vec<u8>],
        tree: Option<git2::Oid>,
    ) -> Option<Digest> {
        let index = index.filter(|index| index.is_older_than(self.now.wall_ns))?;
        let tree = tree.map(|tree| tree.as_bytes().to_vec());
        // Another version may have made something else of the same names.
        let version = env!("CARGO_PKG_VERSION");
        Some(Digest::of(&(version, index, settings, everywhere, tree)))
    }
}

/// What the work tree has otherwise than the index.
fn paths(outcome: &Outcome, index: &Index) -> Result<Vec<(RepoPath, Seen)>, Unreadable> {
    let changed = outcome.changed.iter();
    let changed = changed.map(|number| (index.entry(*number).path, Seen::Nothing));
    let untracked = outcome.untracked.iter();
    let untracked = untracked.map(|(path, seen)| (path.as_slice(), *seen));
    changed
        .chain(untracked)
        .map(|(path, seen)| Ok((listed(path)?, seen)))
        .collect()
}

/// The folders of which nothing is listed.
fn unlisted(
    outcome: &Outcome,
    index: &Index,
    everywhere: &[Vec<u8>],
) -> Result<Unlisted, Unreadable> {
    let of = |paths: &mut dyn Iterator<Item = &[u8]>| paths.map(listed).collect::<Result<_, _>>();
    let mut modules = outcome.modules.iter().map(|at| index.entry(*at).path);
    let mut ignored = outcome.ignored.iter().map(Vec::as_slice);
    let mut folders = outcome
        .untracked_folders
        .iter()
        .map(|(path, _)| path.as_slice());
    let files = outcome.untracked.iter().map(|(path, _)| path.as_slice());
    Ok(Unlisted::of(
        of(&mut modules)?,
        of(&mut ignored)?,
        of(&mut folders)?,
        files.collect(),
        Digest::of(&everywhere),
    ))
}

/// The index, and what its file is. A repository in which nothing was ever added has none.
fn read_index(path: &Path) -> Result<(Index, Option<Identity>), Refusal> {
    let unreadable = |error| Refusal::from(Unreadable::io(path, error));
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok((Index::default(), None)),
        Err(error) => return Err(unreadable(error)),
    };
    let metadata = file.metadata().map_err(unreadable)?;
    let bytes = Bytes::of(file, metadata.len(), path).map_err(unreadable)?;
    Ok((Index::read(bytes)?, Identity::of(&metadata)))
}

/// The work tree's top folder, opened once.
fn open_root(root: &Path) -> Result<OwnedFd, Refusal> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    rustix::fs::open(root, flags, Mode::empty())
        .map_err(|error| Unreadable::io(root, error.into()).into())
}

/// A path of the work tree refused to be looked at.
fn io(path: &[u8], error: Errno) -> Refusal {
    Unreadable::io(&crate::path_of_bytes(path), error.into()).into()
}
