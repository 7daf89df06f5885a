//! The tables of a database, by which one of attest's is known.

use std::collections::BTreeMap;

use rusqlite::Connection;

use crate::StoreError;

/// Tables and views with the names of their columns.
pub(crate) type Tables = BTreeMap<String, Vec<String>>;

pub(crate) fn of(connection: &Connection) -> Result<Tables, StoreError> {
    let sql = "SELECT entry.name, coalesce(info.name, '') FROM sqlite_schema AS entry \
               LEFT JOIN pragma_table_info(entry.name) AS info \
               WHERE entry.type IN ('table', 'view') AND entry.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
               ORDER BY entry.name, info.cid";
    let mut statement = connection.prepare(sql)?;
    let mut tables = Tables::new();
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let columns: &mut Vec<String> = tables.entry(row.get(0)?).or_default();
        columns.push(row.get(1)?);
    }
    Ok(tables)
}
