//! A list that is too long to be read at once: the numbers of its verdicts, and some of them whole.

use super::rows::rows;
use super::stops::Stops;
use super::verdicts::{COLUMNS, parse, read, read_whole};
use super::{Detail, Entry, Filter, LookupError};
use crate::{Store, StoreError};

impl Stops<'_> {
    /// The numbers of those that `filter` lets through, the newest first.
    #[must_use]
    pub fn numbers(&self, filter: &Filter) -> Vec<i64> {
        let found = self.that(filter).map(|stop| (stop.at, stop.seq));
        let mut found: Vec<_> = found.collect();
        found.sort_unstable_by(|one, other| other.cmp(one));
        found.truncate(filter.limit.map_or(usize::MAX, |most| most as usize));
        found.into_iter().map(|(_, seq)| seq).collect()
    }
}

/// The verdicts with these numbers, in the same order. One that is forgotten meanwhile is left out.
pub fn numbered(store: &Store, numbers: &[i64]) -> Result<Vec<Entry>, StoreError> {
    rows(&store.connection, numbers, COLUMNS, read)
}

/// The same with everything that each rested on.
pub fn wholes(store: &Store, numbers: &[i64]) -> Result<Vec<(Entry, Detail)>, LookupError> {
    let columns = format!("{COLUMNS}, detail");
    let rows = rows(&store.connection, numbers, &columns, read_whole)?;
    rows.into_iter().map(parse).collect()
}
