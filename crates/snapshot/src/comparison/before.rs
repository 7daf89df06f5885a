//! What commits did to a path before the start. Who reviews a branch, or sums it up, tells of what was done then.

use std::collections::BTreeSet;

use super::Comparison;
use crate::history::paths_of;
use crate::odb::{Newest, Odb, Oid};
use crate::{Doubt, RepoPath, Unreadable};

/// The newest commits that are looked at.
const MOST_COMMITS: usize = 64;
/// Names that lead to commits; where there are more, only HEAD is followed.
const MOST_TIPS: usize = 256;

impl Comparison<'_> {
    /// A path that one of the newest commits touched before the start may be told of for that.
    pub(super) fn check_touched_before(&self, paths: &[RepoPath]) -> Result<(), Doubt> {
        let touched = self.touched_before()?;
        let is_touched = paths.iter().any(|path| touched.contains(path));
        if is_touched {
            Err(Doubt::InHistory)
        } else {
            Ok(())
        }
    }
}

/// What the newest commits touched that `tips` lead to, one of which is `head`. What a first commit has is not touched.
pub(super) fn touched<'t>(
    odb: &Odb<'_>,
    mut tips: BTreeSet<&'t str>,
    head: Option<&'t str>,
) -> Result<BTreeSet<RepoPath>, Unreadable> {
    if tips.len() > MOST_TIPS {
        tips = head.into_iter().collect();
    }
    let oids = tips
        .into_iter()
        .filter_map(|tip| Oid::from_hex(tip.as_bytes()));
    let (mut walk, mut newest) = (Newest::of(odb, oids), Vec::new());
    while newest.len() < MOST_COMMITS
        && let Some(commit) = walk.next()?
    {
        newest.extend(commit.has_parents.then_some(commit.oid));
    }
    paths_of(odb, &newest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;
    use crate::scratch::Scratch;
    use attest_evidence::EvidenceSource;

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
        for (path, is_of_before) in [("old.py", true), ("side.py", true), ("never.py", false)] {
            let before = comparison.check_before(path);
            assert_eq!(before == Err(Doubt::InHistory), is_of_before, "{path}");
        }
    }
}
