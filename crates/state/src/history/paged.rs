//! A list that is too long to be read at once: the numbers of its verdicts, and some of them whole.

use super::rows::rows;
use super::stops::Stops;
use super::verdicts::{COLUMNS, parse, read, read_whole};
use super::{Detail, Entry, Filter, LookupError, verdicts};
use crate::{Store, StoreError};

/// What a person may look for in a verdict, as one text.
const TEXT: &str = "id || ' ' || agent_id || ' ' || session || ' ' || outcome || ' ' || reason || ' ' || \
     summary || ' ' || coalesce(agent_type, '') || ' ' || coalesce(cast(repository AS TEXT), '') || ' ' || \
     coalesce(task, '')";

/// The numbers of the verdicts that `filter` lets through, the newest first.
pub fn numbers(store: &Store, filter: &Filter) -> Result<Vec<i64>, StoreError> {
    Ok(Stops::of(store, filter)?.numbers(filter))
}

/// Those of the verdicts with these numbers that have all of the words, in the same order. A word is found in any case of
/// its ASCII letters.
pub fn with_words(
    store: &Store,
    numbers: &[i64],
    words: &[String],
) -> Result<Vec<i64>, StoreError> {
    let found = rows(&store.connection, numbers, &format!("seq, {TEXT}"), |row| {
        let text = row.get_ref(1)?.as_bytes()?;
        let text = String::from_utf8_lossy(text).to_ascii_lowercase();
        let has_all = words
            .iter()
            .all(|word| text.contains(&word.to_ascii_lowercase()));
        Ok(has_all.then_some(row.get(0)?))
    })?;
    Ok(found.into_iter().flatten().collect())
}

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

/// One of them with everything that it rested on.
pub fn whole(store: &Store, number: i64) -> Result<(Entry, Detail), LookupError> {
    verdicts::load(&store.connection, "seq = ?1", number)
}
