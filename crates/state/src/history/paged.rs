//! A list that is too long to be read at once: the numbers of its verdicts, and some of them whole.

use rusqlite::params_from_iter;
use rusqlite::types::Value;

use super::verdicts::{COLUMNS, read};
use super::{Detail, Entry, Filter, LookupError, verdicts};
use crate::{Store, StoreError};

/// What a person may look for in a verdict, as one text.
const TEXT: &str = "lower(id || ' ' || agent_id || ' ' || session || ' ' || outcome || ' ' || reason || ' ' || \
     summary || ' ' || coalesce(agent_type, '') || ' ' || coalesce(cast(repository AS TEXT), '') || ' ' || \
     coalesce(task, ''))";

/// The numbers of the verdicts that `filter` lets through and that have all of the words, the newest first. A word is
/// found in any case of its ASCII letters.
pub fn numbers(store: &Store, filter: &Filter, words: &[String]) -> Result<Vec<i64>, StoreError> {
    let mut condition = filter.condition("at");
    for word in words {
        let sql = format!("instr({TEXT}, ?) > 0");
        condition.and(&sql, word.to_ascii_lowercase());
    }
    condition.values.push(filter.most().into());
    // What has few columns is read where there is nothing else: in the index of times, or in that of counts.
    let index = match (words, filter.is_rare()) {
        ([], true) => "INDEXED BY verdicts_counted",
        _ => "",
    };
    let sql = format!(
        "SELECT seq FROM verdicts {index} WHERE {} ORDER BY at DESC, seq DESC LIMIT ?",
        condition.sql
    );
    let mut select = store.connection.prepare(&sql)?;
    let numbers = select.query_map(params_from_iter(condition.values), |row| row.get(0))?;
    Ok(numbers.collect::<Result<_, _>>()?)
}

/// The verdicts with these numbers, in the same order. One that is forgotten meanwhile is left out.
pub fn numbered(store: &Store, numbers: &[i64]) -> Result<Vec<Entry>, StoreError> {
    let marks = vec!["?"; numbers.len()].join(", ");
    let sql =
        format!("SELECT {COLUMNS} FROM verdicts WHERE seq IN ({marks}) ORDER BY at DESC, seq DESC");
    let mut select = store.connection.prepare_cached(&sql)?;
    let values = numbers.iter().copied().map(Value::from);
    let rows = select.query_map(params_from_iter(values), read)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// One of them with everything that it rested on.
pub fn whole(store: &Store, number: i64) -> Result<(Entry, Detail), LookupError> {
    verdicts::load(&store.connection, "seq = ?1", number)
}
