//! What git had of a path before the start. Who reviews a branch, or sums it up, tells of what was done then.

use std::collections::{BTreeSet, BinaryHeap, HashSet};

use super::{Comparison, unreadable};
use crate::odb::{Odb, Oid};
use crate::{Doubt, RepoPath, Unreadable};

/// Names that lead to commits; where there are more, none is looked at but HEAD.
const MOST_TIPS: usize = 64;
/// The newest commits that are looked at behind them.
const MOST_COMMITS: usize = 64;

impl Comparison<'_> {
    /// A path that one of the newest commits had before the start, or another branch, is not one that never was.
    pub(super) fn check_before(&self, path: &RepoPath) -> Result<(), Doubt> {
        let odb = self.repository.odb(&self.limits);
        let trees = self.trees_before()?.iter();
        for tree in trees {
            let found = odb.at(*tree, path.as_bytes());
            if found.map_err(|why| unreadable(&why))?.is_some() {
                return Err(Doubt::InHistory);
            }
        }
        Ok(())
    }
}

/// The trees of the newest commits that `tips` lead to, one of which is `head`, each once.
pub(super) fn trees<'t>(
    odb: &Odb<'_>,
    mut tips: BTreeSet<&'t str>,
    head: Option<&'t str>,
) -> Result<Vec<Oid>, Unreadable> {
    if tips.len() > MOST_TIPS {
        tips = head.into_iter().collect();
    }
    let tips: BTreeSet<_> = tips
        .into_iter()
        .filter_map(|tip| Oid::from_hex(tip.as_bytes()))
        .collect();
    let (mut trees, mut known) = (Vec::new(), HashSet::new());
    let (mut seen, mut queue) = (BTreeSet::new(), BinaryHeap::new());
    let mut take = |oid: Oid, queue: &mut BinaryHeap<_>| -> Result<(), Unreadable> {
        if seen.insert(oid) {
            let commit = odb.commit(oid)?;
            if known.insert(commit.tree) {
                trees.push(commit.tree);
            }
            queue.push((commit.time, oid, commit.parents));
        }
        Ok(())
    };
    for tip in tips {
        take(odb.peel(tip)?, &mut queue)?;
    }
    for _ in 0..MOST_COMMITS {
        let Some((_, _, parents)) = queue.pop() else {
            break;
        };
        for parent in parents {
            take(parent, &mut queue)?;
        }
    }
    Ok(trees)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scratch::Scratch;
    use crate::{Limits, PathEvidence};

    #[test]
    fn a_path_that_git_had_before_is_not_one_that_never_was() {
        let scratch = Scratch::new(&["old.py", "kept.py"]);
        scratch.git(&["rm", "-q", "old.py"]);
        scratch.git(&["commit", "-qm", "drop"]);
        scratch.git(&["checkout", "-qb", "side"]);
        scratch.write("side.py", "new\n");
        scratch.git(&["add", "-A"]);
        scratch.git(&["commit", "-qm", "side"]);
        scratch.git(&["checkout", "-q", "-"]);
        scratch.settle();
        let start = scratch.start();
        let comparison = Comparison::with(&start, &scratch.root, &Limits::default()).unwrap();
        let in_history = PathEvidence::Inconclusive(Doubt::InHistory);
        for (path, expected) in [
            ("old.py", Some(&in_history)),
            ("side.py", Some(&in_history)),
            ("never.py", None),
        ] {
            let path = RepoPath::from_git(path.as_bytes()).unwrap();
            let seen = comparison.absence(std::slice::from_ref(&path));
            let absent = PathEvidence::Absent(path);
            assert_eq!(&seen, expected.unwrap_or(&absent));
        }
    }
}
