//! What a reading leaves behind so that the next one need not list every folder again.
//!
//! If the times of a folder are unchanged, and were already old at the earlier reading, its names
//! are unchanged. What git makes of the names is unchanged only while HEAD, the index, the settings
//! and every ignore rule that was used are unchanged too.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;

use crate::identity::Digest;

/// The folders of one reading, each known by a [`Digest`] of its identity.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScanCache {
    /// HEAD, the index, the settings and the rules that apply everywhere.
    pub(super) cache_key: Digest,
    /// Rule files that were looked for, including those that did not exist.
    pub(super) sources: BTreeMap<ByteBuf, Option<Digest>>,
    /// The folders of the index, in its order.
    pub(super) tracked: Vec<Digest>,
    /// The folders without anything in the index.
    pub(super) untracked: HashMap<ByteBuf, Digest>,
}
