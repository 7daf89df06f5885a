//! A verdict as it leaves this machine: what lists show, and what is counted of the rest.

use std::collections::BTreeSet;

use attest_claim::Kind;
use rusqlite::Row;

use super::counted::Counted;
use super::verdicts::{COLUMNS, read, select};
use super::{Entry, Filter};
use crate::{Store, StoreError};

/// A verdict with what is counted of it.
#[derive(Debug)]
pub struct Recorded {
    /// What lists show.
    pub entry: Entry,
    /// What names the repository on all machines, if it was cloned from another.
    pub origin: Option<String>,
    /// The host; `None` of those that an earlier version recorded.
    pub harness: Option<String>,
    /// The kinds of claims of which something could be judged; `None` of those that an earlier version recorded.
    pub judged: Option<Vec<String>>,
    /// The kinds of claims of which one is contradicted.
    pub against: BTreeSet<Kind>,
    /// How many claimed things could not be judged.
    pub doubts: u32,
}

/// What names the state file: 32 hexadecimal digits, made by chance.
pub fn instance(store: &Store) -> Result<String, StoreError> {
    let sql = "SELECT id FROM instance";
    Ok(store.connection.query_row(sql, [], |row| row.get(0))?)
}

/// The verdicts that `filter` lets through, in the order of [`super::entries`].
pub fn records(store: &Store, filter: &Filter) -> Result<Vec<Recorded>, StoreError> {
    select(store, filter, &columns(), read_recorded)
}

/// The verdict of this id.
pub fn record(store: &Store, id: &str) -> Result<Recorded, StoreError> {
    let sql = format!("SELECT {} FROM verdicts WHERE id = ?1", columns());
    Ok(store.connection.query_row(&sql, [id], read_recorded)?)
}

fn columns() -> String {
    format!(
        "{COLUMNS}, harness, judged, counted,
         (SELECT origin FROM origins WHERE origins.repository = verdicts.repository)"
    )
}

fn read_recorded(row: &Row<'_>) -> Result<Recorded, rusqlite::Error> {
    let judged: Option<String> = row.get(15)?;
    let words = |text: String| text.split_whitespace().map(str::to_owned).collect();
    let counted = row.get::<_, Option<String>>(16)?;
    let counted = Counted::read(&counted.unwrap_or_default());
    Ok(Recorded {
        entry: read(row)?,
        origin: row.get(17)?,
        harness: row.get(14)?,
        judged: judged.map(words),
        against: counted.against,
        doubts: counted.doubts.values().sum(),
    })
}
