//! What a reading leaves behind so that the next one need not list every folder again.
//!
//! A folder whose times are those of before, and were already old then, has the names of before.
//! That holds for what git makes of the names only while HEAD, the index, the settings and every
//! ignore rule that was asked are the same too.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

/// The folders of one reading, each known by a [`Digest`] of its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(
    not(unix),
    expect(dead_code, reason = "only the fast reader remembers")
)]
pub(crate) struct Memory {
    /// HEAD, the index, the settings and the rules that hold everywhere.
    pub(super) terms: Digest,
    /// Files of ignore rules that were asked for, also those that were not there.
    pub(super) sources: BTreeMap<ByteBuf, Option<Digest>>,
    /// The folders of the index, in its order.
    pub(super) tracked: Vec<Digest>,
    /// The folders of which the index has nothing.
    pub(super) untracked: HashMap<ByteBuf, Digest>,
}

/// A hash of something that is compared with an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Digest(u64);

#[cfg(unix)]
mod digest {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::Digest;
    use crate::identity::Identity;

    impl Digest {
        /// Stands for something that may change without showing it, and equals no digest of a
        /// later reading.
        pub(in crate::reader) const RESTLESS: Self = Self(0);

        /// What is compared with an earlier digest.
        pub(in crate::reader) fn of(value: &impl Hash) -> Self {
            let mut hasher = DefaultHasher::new();
            value.hash(&mut hasher);
            Self(hasher.finish().max(1))
        }

        /// What later ones are compared with. `taken_ns` is the wall clock before `identity` was
        /// looked at.
        pub(in crate::reader) fn to_keep(identity: &Identity, taken_ns: i64) -> Self {
            if identity.is_older_than(taken_ns) {
                Self::of(identity)
            } else {
                Self::RESTLESS
            }
        }
    }
}
