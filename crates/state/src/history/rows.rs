//! Verdicts by their numbers.

use rusqlite::{Connection, Row, params_from_iter};

use crate::StoreError;

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
