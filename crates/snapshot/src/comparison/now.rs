//! What a work tree is now, read once however many starts it is compared with.

use std::rc::Rc;

use crate::reader::Basis;
use crate::{Limits, Repository, Unreadable, WorkTree};

/// A reading at a stop.
#[derive(Debug)]
pub struct Now {
    pub(super) repository: Rc<Repository>,
    pub(super) tree: Rc<WorkTree>,
    pub(super) basis: Option<Rc<Basis>>,
    pub(super) limits: Limits,
}

impl Now {
    /// Reads the work tree of `start` again.
    pub fn read(start: &WorkTree, limits: &Limits) -> Result<Self, Unreadable> {
        // Where the agent began is looked at, wherever it lies.
        let limits = limits.trusting(&start.root).trusting(&start.common_dir);
        let repository = Repository::discover(&start.root, &limits)?;
        check(&repository, start)?;
        let (tree, basis) = WorkTree::read_with_basis(&repository, &limits, Some(start))?;
        Ok(Self {
            repository: Rc::new(repository),
            tree: Rc::new(tree),
            basis: basis.map(Rc::new),
            limits,
        })
    }

    /// Whether a start is of this work tree.
    pub(super) fn check(&self, start: &WorkTree) -> Result<(), Unreadable> {
        check(&self.repository, start)
    }
}

/// The repository of a start may be gone, and another one found in its place or above it.
fn check(repository: &Repository, start: &WorkTree) -> Result<(), Unreadable> {
    if repository.root == start.root && repository.common_dir == start.common_dir {
        return Ok(());
    }
    Err(Unreadable::NotARepository(start.root.clone()))
}
