//! Paths by their last part: those that end in a name are found without looking at all of them again.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use attest_evidence::fold;

/// Paths of a listing, in the order of their last parts.
#[derive(Debug)]
pub(super) struct Ends<T>(Vec<(u64, T)>);

impl<T: Ord> Ends<T> {
    /// Puts paths in order, each with what stands for it. One that is not UTF-8 has no name in any text.
    pub(super) fn of<'a>(paths: impl Iterator<Item = (&'a [u8], T)>) -> Self {
        let by_name =
            paths.filter_map(|(path, it)| Some((key(std::str::from_utf8(path).ok()?), it)));
        let mut all: Vec<_> = by_name.collect();
        all.sort_unstable();
        Self(all)
    }

    /// What stands for the paths that may have the last part of this one: few others are among them.
    pub(super) fn like(&self, path: &str) -> impl Iterator<Item = &T> {
        let key = key(path);
        let first = self.0.partition_point(|(known, _)| *known < key);
        let same = self.0[first..]
            .iter()
            .take_while(move |(known, _)| *known == key);
        same.map(|(_, it)| it)
    }
}

/// The same for all forms of a last part.
fn key(path: &str) -> u64 {
    let last = path.rsplit('/').next().unwrap_or(path);
    let mut hasher = DefaultHasher::new();
    fold(last).hash(&mut hasher);
    hasher.finish()
}
