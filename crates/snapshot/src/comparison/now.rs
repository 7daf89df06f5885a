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
    pub(super) fn read(start: &WorkTree, limits: &Limits) -> Result<Self, Unreadable> {
        // Where the agent began is looked at, wherever it lies.
        let limits = limits.trusting(&start.root).trusting(&start.common_dir);
        let repository = Repository::discover(&start.root, &limits)?;
        // It may be gone, and another one found in its place or above it.
        if !is_of(&repository, start) {
            return Err(Unreadable::NotARepository(start.root.clone()));
        }
        let (tree, basis) = WorkTree::read_with_basis(&repository, &limits, Some(start))?;
        Ok(Self {
            repository: Rc::new(repository),
            tree: Rc::new(tree),
            basis: basis.map(Rc::new),
            limits,
        })
    }

    /// Whether a start is of this work tree.
    pub(super) fn is_of(&self, start: &WorkTree) -> bool {
        is_of(&self.repository, start)
    }
}

fn is_of(repository: &Repository, start: &WorkTree) -> bool {
    repository.root == start.root && repository.common_dir == start.common_dir
}
