//! A range of commits: what it changed from the commit where it began, and what each of its commits did.

mod evidence;
mod named;
mod tested;
mod touched;

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::rc::Rc;

use thiserror::Error;
use touched::Touched;

use crate::comparison::names::Names;
use crate::git::Ask;
use crate::history::TreeChange;
use crate::odb::{self, Odb, Oid};
use crate::{Change, Doubt, Limits, RepoPath, Repository, Unreadable};

/// The branches from which a range begins if nobody says which, the first that is there.
const BASES: [&str; 5] = [
    "origin/HEAD",
    "origin/main",
    "origin/master",
    "main",
    "master",
];

/// The paths on which two trees differ.
type Changes = BTreeMap<RepoPath, TreeChange>;

/// The commits that lead from one to another, with all that is known of their repository.
pub struct Range<'a> {
    repository: &'a Repository,
    limits: &'a Limits,
    odb: Rc<Odb<'a>>,
    /// The commit of the branch into which the range is to go.
    tip: Option<Oid>,
    /// Where the two part, unless the range begins with the first commit of all.
    base: Option<Oid>,
    head: Oid,
    base_tree: Option<Oid>,
    head_tree: Oid,
    /// The newest first.
    commits: Vec<Oid>,
    net: Changes,
    /// The paths of `net`.
    names: Names,
    touched: OnceCell<Result<Touched, Doubt>>,
    /// What each of its commits with one parent changed, until it is asked for alone.
    single: RefCell<BTreeMap<Oid, Changes>>,
    /// What others did to the branch since then.
    beside: OnceCell<Result<Names, Doubt>>,
    /// All that is there at the end, or was at the beginning.
    there: OnceCell<Result<Names, Doubt>>,
}

/// A commit of a range, with what its message says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitMessage {
    /// The commit's name, in hex digits.
    pub id: String,
    /// What whoever made it wrote.
    pub text: String,
    oid: Oid,
}

/// Why there is no range.
#[derive(Debug, Error)]
pub enum RangeError {
    /// No commit has this name.
    #[error("{0:?} is not a commit here")]
    NoCommit(String),
    /// None of the usual branches is there.
    #[error("there is no branch {}", BASES.join(", "))]
    NoBase,
    /// The clone has not all commits.
    #[error("this is a shallow clone, which does not have all commits")]
    Shallow,
    /// No commit leads to both.
    #[error("the two have no commit in common")]
    NotRelated,
    /// It cannot be read.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
}

impl<'a> Range<'a> {
    /// Reads what lies between `head` and where it parted from `base`, or from the usual branch.
    pub fn read(
        repository: &'a Repository,
        base: Option<&str>,
        head: &str,
        limits: &'a Limits,
    ) -> Result<Self, RangeError> {
        if repository.common_dir.join("shallow").exists() {
            return Err(RangeError::Shallow);
        }
        let head = revision(repository, head, limits)?;
        let tip = match base {
            Some(base) => revision(repository, base, limits)?,
            None => usual_base(repository, limits)?,
        };
        let git = repository.git(limits);
        let (one, other) = (tip.to_string(), head.to_string());
        let bases = git
            .ask(Ask::MergeBases, &[one, other])
            .map_err(Unreadable::from)?;
        let mut bases = bases.split(|byte| *byte == b'\n');
        let base = bases.find_map(Oid::from_hex);
        let base = base.ok_or(RangeError::NotRelated)?;
        let odb = Rc::new(repository.odb(limits));
        let commits = odb::commits_between(&odb, &BTreeSet::from([tip]), &BTreeSet::from([head]))?;
        let ends = Ends {
            tip: Some(tip),
            base: Some(base),
            head,
        };
        Ok(Self::of(repository, limits, odb, &ends, commits, None)?)
    }

    fn of(
        repository: &'a Repository,
        limits: &'a Limits,
        odb: Rc<Odb<'a>>,
        ends: &Ends,
        commits: Vec<Oid>,
        net: Option<Changes>,
    ) -> Result<Self, Unreadable> {
        let base_tree = ends.base.map(|oid| Ok(odb.commit(oid)?.tree));
        let base_tree = base_tree.transpose().map_err(|why: Unreadable| why)?;
        let head_tree = odb.commit(ends.head)?.tree;
        let net = match net {
            Some(net) => net,
            None => touched::between(&odb, base_tree, Some(head_tree))?,
        };
        Ok(Self {
            repository,
            limits,
            odb,
            tip: ends.tip,
            base: ends.base,
            head: ends.head,
            base_tree,
            head_tree,
            commits,
            names: net.keys().collect(),
            net,
            touched: OnceCell::new(),
            single: RefCell::default(),
            beside: OnceCell::new(),
            there: OnceCell::new(),
        })
    }

    /// One of its commits as a range of its own, against the first of its parents.
    pub fn alone(&self, commit: &CommitMessage) -> Result<Self, Unreadable> {
        let ends = Ends {
            tip: None,
            base: self.odb.commit(commit.oid)?.parents.first().copied(),
            head: commit.oid,
        };
        let commits = vec![commit.oid];
        Self::of(
            self.repository,
            self.limits,
            Rc::clone(&self.odb),
            &ends,
            commits,
            self.single.borrow_mut().remove(&commit.oid),
        )
    }

    /// What its commits say, the newest first. A message that is not UTF-8 says nothing.
    pub fn messages(&self) -> Result<Vec<CommitMessage>, Unreadable> {
        let mut messages = Vec::new();
        for oid in &self.commits {
            let text = self.odb.message(*oid)?;
            messages.extend(text.map(|text| CommitMessage {
                id: oid.to_string(),
                text,
                oid: *oid,
            }));
        }
        Ok(messages)
    }

    /// The top of the work tree.
    #[must_use]
    pub fn root(&self) -> PathBuf {
        self.repository.root.clone()
    }

    /// The names of its first and of its last commit, where the first is not part of it.
    #[must_use]
    pub fn ends(&self) -> (String, String) {
        let base = self.base.map(|oid| oid.to_string());
        (base.unwrap_or_default(), self.head.to_string())
    }

    /// How many commits it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.commits.len()
    }

    /// Whether it has no commit.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.commits.is_empty()
    }

    /// What it changed in all, sorted by path.
    #[must_use]
    pub fn changes(&self) -> Vec<(RepoPath, Change)> {
        let change = |change: &TreeChange| match change.new {
            Some(_) => Change::Written,
            None => Change::Deleted,
        };
        let net = self.net.iter();
        net.map(|(path, it)| (path.clone(), change(it))).collect()
    }

    /// What the branch into which the range is to go has at `path`, up to `most` bytes.
    pub fn file_of_base(&self, path: &str, most: u64) -> Result<Option<Vec<u8>>, Unreadable> {
        let Some(tip) = self.tip else {
            return Ok(None);
        };
        let tree = self.odb.commit(tip)?.tree;
        match self.odb.at(tree, path.as_bytes())? {
            Some(item) if item.is_file() => self.odb.blob(item.oid, most),
            _ => Ok(None),
        }
    }
}

/// What a range lies between.
struct Ends {
    tip: Option<Oid>,
    base: Option<Oid>,
    head: Oid,
}

fn revision(repository: &Repository, name: &str, limits: &Limits) -> Result<Oid, RangeError> {
    let unknown = || RangeError::NoCommit(name.to_owned());
    // An option of git is not a name.
    if name.starts_with('-') {
        return Err(unknown());
    }
    let answer = repository
        .git(limits)
        .ask(Ask::Revision, &[format!("{name}^{{commit}}")]);
    let answer = answer.map_err(Unreadable::from)?;
    Oid::from_hex(answer.trim_ascii()).ok_or_else(unknown)
}

fn usual_base(repository: &Repository, limits: &Limits) -> Result<Oid, RangeError> {
    for name in BASES {
        match revision(repository, name, limits) {
            Err(RangeError::NoCommit(_)) => {}
            found => return found,
        }
    }
    Err(RangeError::NoBase)
}

impl std::fmt::Debug for Range<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut out = out.debug_struct("Range");
        out.field("ends", &self.ends()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
