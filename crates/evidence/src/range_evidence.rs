//! What can be seen of a range of commits beside single paths.

use std::ops::RangeInclusive;

use crate::{Doubt, EvidenceSource, RepositorySource};

/// A range of commits, of which all that it changed is known.
pub trait RangeSource: EvidenceSource + RepositorySource {
    /// Whether a commit of the range made the path and a later one certainly removed it, and did not rename it.
    fn is_gone_again(&self, text: &str) -> bool;
    /// Where the commit is whose name begins with these hex digits, in lower case.
    fn place_of(&self, hash: &str) -> Result<CommitPlace, Doubt>;
    /// How many files may be said to have changed: in all, up to a commit, or in one.
    fn file_counts(&self) -> Result<Vec<RangeInclusive<u64>>, Doubt>;
    /// Whether a file that changed may be a test or hold one. What cannot be read may.
    fn may_have_tests(&self) -> bool;
}

/// Where a commit is that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CommitPlace {
    /// In the range.
    Inside,
    /// It was there before the range began.
    Before,
    /// Only another branch leads to it, and the range has nothing of what it touches.
    OtherBranch,
}
