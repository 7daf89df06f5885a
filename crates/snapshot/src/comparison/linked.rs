//! Claimed paths in another work tree of the repository that lies inside the agent's: where an agent works after it
//! has entered one. There a path means what it means in that work tree, and what was there at the start is known only
//! if the work tree was made since.

use std::path::Path;

use super::Comparison;
use crate::place::{Linked, Places, places};
use crate::presence::{self, Obstacle};
use crate::{Doubt, RepoPath, path_bytes};

impl Comparison<'_> {
    /// The places that a text may mean.
    pub(super) fn places(&self, text: &str) -> Places {
        let root = &self.start.root;
        let Some(tree) = self.linked_tree(&self.cwd) else {
            return self.of_linked_trees(places(text, root, &self.cwd, &self.reach));
        };
        // The folders between the two work trees are no folders of the agent.
        let mut all = self.of_linked_trees(places(text, root, root, &self.reach));
        for path in places(text, tree, &self.cwd, &self.reach).inside {
            all.add_linked(tree, path);
        }
        all
    }

    /// The same, with each path that lies in a linked work tree named as it is there.
    fn of_linked_trees(&self, mut all: Places) -> Places {
        let inside = std::mem::take(&mut all.inside);
        for path in inside {
            let place = path.under(&self.start.root);
            let tree = place.as_deref().and_then(|place| self.linked_tree(place));
            let within = tree.zip(place.as_deref());
            let within = within.and_then(|(tree, place)| {
                let rest = path_bytes(place.strip_prefix(tree).ok()?).into_owned();
                Some((tree, RepoPath::from_git(&rest)?))
            });
            match within {
                Some((tree, path)) => all.add_linked(tree, path),
                None if !all.inside.contains(&path) => all.inside.push(path),
                None => {}
            }
        }
        all
    }

    /// The linked work tree below the agent's own in which `place` is, the deepest if there are several.
    fn linked_tree(&self, place: &Path) -> Option<&Path> {
        let trees = self.stop.worktrees.iter().map(|tree| tree.path.as_path());
        let around = trees.filter(|tree| {
            *tree != self.start.root
                && tree.starts_with(&self.start.root)
                && place.starts_with(tree)
        });
        around.max_by_key(|tree| tree.components().count())
    }

    /// Whether it is known that nothing was at the paths that lie in linked work trees.
    pub(super) fn check_linked(&self, places: &Places) -> Result<(), Doubt> {
        places.linked.iter().try_for_each(|Linked { tree, path }| {
            if self.start.worktrees.iter().any(|was| was.path == *tree) {
                return Err(Doubt::OtherWorktree);
            }
            match presence::obstacle(tree, path) {
                None => {}
                Some(Obstacle::Link) => return Err(Doubt::SymbolicLink),
                Some(Obstacle::Repository) => return Err(Doubt::OtherRepository),
                Some(Obstacle::Unreadable) => return Err(Doubt::UnreadableFolder),
            }
            // Its first commit need not be the one of the agent's own work tree.
            if self.was_ever_committed(path)? {
                return Err(Doubt::InHistory);
            }
            Ok(())
        })
    }
}
