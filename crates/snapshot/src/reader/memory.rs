//! What a reading leaves behind so that the next one need not list every folder again.
//!
//! A folder whose times are those of before, and were already old then, has the names of before.
//! That holds for what git makes of the names only while HEAD, the index, the settings and every
//! ignore rule that was asked are the same too.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::identity::Digest;

/// The folders of one reading, each known by a [`Digest`] of its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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
