//! Where a commit is that a text names.

use std::collections::BTreeSet;

use attest_evidence::CommitPlace;

use super::Range;
use super::touched::{in_doubt, of_commit};
use crate::odb::{Named, ObjectKind, Oid, leads_to};
use crate::reader::refs;
use crate::{Doubt, Unreadable};

impl Range<'_> {
    /// A commit that is not seen may be one that was squashed or rebased since, so that only one that another branch
    /// has, and of whose work the range has nothing, is elsewhere.
    pub(super) fn place_of_commit(&self, hash: &str) -> Result<CommitPlace, Doubt> {
        let oid = match self.odb.named(hash).map_err(in_doubt)? {
            Named::One(oid, ObjectKind::Commit) => oid,
            Named::One(..) => return Err(Doubt::NotACommit),
            Named::Several => return Err(Doubt::Ambiguous),
            Named::Nothing => return Err(Doubt::NotInClone),
        };
        if self.commits.contains(&oid) {
            return Ok(CommitPlace::Inside);
        }
        let before = [self.tip, self.base].into_iter().flatten();
        match self.leads_to(&before.collect(), oid)? {
            true => return Ok(CommitPlace::Before),
            false if self.leads_to(&[self.head].into(), oid)? => return Ok(CommitPlace::Before),
            false => {}
        }
        let is_elsewhere = self.is_on_a_branch(oid)? && self.has_nothing_of(oid)?;
        if is_elsewhere {
            Ok(CommitPlace::OtherBranch)
        } else {
            Err(Doubt::InHistory)
        }
    }

    fn leads_to(&self, tips: &BTreeSet<Oid>, oid: Oid) -> Result<bool, Doubt> {
        let found = leads_to(&self.odb, tips, oid).map_err(in_doubt)?;
        found.ok_or(Doubt::PartOfHistory)
    }

    fn is_on_a_branch(&self, oid: Oid) -> Result<bool, Doubt> {
        let refs = refs::read(self.repository, &self.odb, self.limits);
        let (_, refs) = refs.map_err(in_doubt)?;
        let branches = refs.iter().filter(|(name, _)| {
            name.starts_with("refs/heads/") || name.starts_with("refs/remotes/")
        });
        let tips = branches.filter_map(|(_, tip)| Oid::from_hex(tip.as_bytes()));
        self.leads_to(&tips.collect(), oid)
    }

    /// Whether the commit touches something, and the range nothing of that.
    fn has_nothing_of(&self, oid: Oid) -> Result<bool, Doubt> {
        let own = of_commit(&self.odb, oid).map_err(|why: Unreadable| in_doubt(why))?;
        let touched = &self.touched()?.names;
        let has =
            |path: &crate::RepoPath| path.folded().is_none_or(|it| touched.get(&it).is_some());
        Ok(!own.is_empty() && !own.keys().any(has))
    }
}
