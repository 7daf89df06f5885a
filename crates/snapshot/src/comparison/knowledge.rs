//! The answers that a comparison remembers.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

use attest_evidence::Searched;

use super::end::End;
use super::names::Names;
use super::outside::Outside;
use crate::objects::NewWork;
use crate::odb::Oid;
use crate::{KnownPaths, RepoPath, Repository};

/// The answers so far; failures are remembered as well.
#[derive(Debug, Default)]
pub(super) struct Knowledge {
    pub(super) touched: OnceCell<Result<Touched, String>>,
    pub(super) known_paths: OnceCell<Result<KnownPaths, String>>,
    pub(super) touched_before: OnceCell<Result<BTreeSet<RepoPath>, String>>,
    pub(super) made: OnceCell<Result<Made, String>>,
    pub(super) led_to: OnceCell<Result<LedTo, String>>,
    /// The commits that a ref pointed to at the start.
    pub(super) tips_before: OnceCell<HashSet<Oid>>,
    pub(super) own_ends: OnceCell<Result<Vec<End>, String>>,
    pub(super) other_ends: OnceCell<Result<Vec<End>, String>>,
    pub(super) others: OnceCell<Result<Others, String>>,
    pub(super) changed: OnceCell<Result<Names, String>>,
    pub(super) recorded: OnceCell<Names>,
    pub(super) outside: OnceCell<Searched<Outside>>,
    pub(super) ground: OnceCell<Ground>,
    /// The repositories beside the work tree.
    pub(super) beside: OnceCell<Vec<PathBuf>>,
    pub(super) stores: OnceCell<Searched<Vec<Repository>>>,
}

/// What was touched by commits that became reachable or unreachable.
#[derive(Debug, Default)]
pub(super) struct Touched {
    pub(super) paths: BTreeSet<RepoPath>,
    /// The commits that became reachable.
    pub(super) commits: HashSet<Oid>,
    /// Those of the commits that are reachable now.
    pub(super) names: Names,
    /// Those of the others.
    pub(super) dropped: Names,
}

/// What anything at all leads to that was not led to at the start.
#[derive(Debug)]
pub(super) struct LedTo {
    /// The commits that a name or a stash leads to at once, whether they are new or not.
    pub(super) tips: BTreeSet<Oid>,
    pub(super) commits: HashSet<Oid>,
    /// What these touch.
    pub(super) names: Names,
}

/// What was added to object stores.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) work: Vec<NewWork>,
    /// The paths that new commits touch.
    pub(super) names: Names,
    /// Those of other repositories.
    pub(super) elsewhere: Names,
}

/// What happens in other work trees and other repositories.
#[derive(Debug, Default)]
pub(super) struct Others {
    pub(super) changed: Vec<RepoPath>,
    pub(super) work: Vec<NewWork>,
    /// The work trees of the agent's own repository.
    pub(super) trees: HashMap<PathBuf, OtherTree>,
}

/// Another work tree of the agent's own repository.
#[derive(Debug)]
pub(super) struct OtherTree {
    /// What differs from its HEAD.
    pub(super) differing: HashSet<RepoPath>,
    /// The commit of its HEAD.
    pub(super) head: Option<String>,
}

/// The folders in which a claimed path is looked for.
#[derive(Debug, Default)]
pub(super) struct Ground {
    /// The other work trees of the repository, and the folder and the repository that the host
    /// reports at the stop, if they differ from those of the start.
    pub(super) roots: Vec<PathBuf>,
    /// Submodules that are checked out, and other repositories in the work tree.
    pub(super) nested: Searched<Vec<PathBuf>>,
    /// Folders in the work tree in which git lists nothing.
    pub(super) unlisted: Searched<Vec<PathBuf>>,
}
