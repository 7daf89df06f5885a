//! A list that is too long to be read at once: the numbers of its verdicts, and some of them whole.

use rusqlite::{Connection, Row, params_from_iter};

use super::stops::Stops;
use super::verdicts::{COLUMNS, parse, read, read_whole};
use super::{Detail, Entry, Filter, LookupError, verdicts};
use crate::{Store, StoreError};

/// What a person may look for in a verdict, as one text.
const TEXT: &str = "lower(id || ' ' || agent_id || ' ' || session || ' ' || outcome || ' ' || reason || ' ' || \
     summary || ' ' || coalesce(agent_type, '') || ' ' || coalesce(cast(repository AS TEXT), '') || ' ' || \
     coalesce(task, ''))";

/// The numbers of the verdicts that `filter` lets through and that have all of the words, the newest first. A word is
/// found in any case of its ASCII letters.
pub fn numbers(store: &Store, filter: &Filter, words: &[String]) -> Result<Vec<i64>, StoreError> {
    if words.is_empty() && filter.is_of_counts() {
        return Ok(Stops::of(store, filter)?.numbers(filter));
    }
    let mut condition = filter.condition("at");
    for word in words {
        let sql = format!("instr({TEXT}, ?) > 0");
        condition.and(&sql, word.to_ascii_lowercase());
    }
    condition.values.push(filter.most().into());
    let sql = format!(
        "SELECT seq FROM verdicts WHERE {} ORDER BY at DESC, seq DESC LIMIT ?",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let numbers = select.query_map(params_from_iter(condition.values), |row| row.get(0))?;
    Ok(numbers.collect::<Result<_, _>>()?)
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

/// Verdicts that are looked up at once: SQLite takes so many values.
const AT_ONCE: usize = 500;

/// The rows with these numbers, which are in the order of time.
pub(super) fn rows<T>(
    connection: &Connection,
    numbers: &[i64],
    columns: &str,
    read: impl Fn(&Row<'_>) -> Result<T, rusqlite::Error>,
) -> Result<Vec<T>, StoreError> {
    let mut found = Vec::new();
    for numbers in numbers.chunks(AT_ONCE) {
        let marks = vec!["?"; numbers.len()].join(", ");
        let sql = format!(
            "SELECT {columns} FROM verdicts WHERE seq IN ({marks}) ORDER BY at DESC, seq DESC"
        );
        let mut select = connection.prepare_cached(&sql)?;
        let rows = select.query_map(params_from_iter(numbers), &read)?;
        for row in rows {
            found.push(row?);
        }
    }
    Ok(found)
}

/// One of them with everything that it rested on.
pub fn whole(store: &Store, number: i64) -> Result<(Entry, Detail), LookupError> {
    verdicts::load(&store.connection, "seq = ?1", number)
}
