//! The one verdict that a person means.

use std::path::Path;

use super::filter::above;
use super::verdicts::{details, load};
use super::{Detail, Entry, Filter, LookupError};
use crate::names::path_bytes;
use crate::{Store, turn_number};

/// Ids that an error names.
const MOST_NAMED: usize = 5;

/// The verdict whose id begins with `id`, or the last one on the agent whose id does, or whose task is called so. An agent
/// that is called exactly so is meant before all others, and one of the repository `here` before those of others.
pub fn find(store: &Store, here: Option<&Path>, id: &str) -> Result<(Entry, Detail), LookupError> {
    match last_of(store, here, "agent_id", id) {
        Err(LookupError::Unknown(_)) => {}
        found => return found,
    }
    let verdicts = beginning(store, "id", &id.to_ascii_lowercase())?;
    if let [only] = verdicts.as_slice() {
        return load(&store.connection, "id = ?1", only);
    }
    let agents = if verdicts.is_empty() {
        beginning(store, "agent_id", id)?
    } else {
        Vec::new()
    };
    match (verdicts, agents.as_slice()) {
        (verdicts, []) if verdicts.is_empty() => last_of(store, here, "task", id),
        (_, [only]) => last_of(store, here, "agent_id", only),
        (verdicts, _) => Err(ambiguous(id, [verdicts, agents].concat())),
    }
}

/// The verdict recorded last of those that `filter` lets through.
pub fn newest(store: &Store, filter: &Filter) -> Result<(Entry, Detail), LookupError> {
    let filter = Filter {
        limit: Some(1),
        ..filter.clone()
    };
    let newest = details(store, &filter)?.into_iter().next();
    newest.ok_or(LookupError::Empty)
}

/// The last verdict on the agent that is called so. Turns of several sessions have one name, and are only looked for here.
fn last_of(
    store: &Store,
    here: Option<&Path>,
    column: &'static str,
    id: &str,
) -> Result<(Entry, Detail), LookupError> {
    let sql = format!(
        "SELECT id FROM verdicts WHERE seq IN (SELECT max(seq) FROM verdicts WHERE {column} = ?1
         AND (?2 IS NULL OR repository = ?2) GROUP BY session, agent_id)
         ORDER BY seq DESC LIMIT {MOST_NAMED} + 1"
    );
    let mut select = store.connection.prepare(&sql)?;
    let mut last = |of: Option<&Path>| {
        let ids = select.query_map((id, of.map(path_bytes)), |row| row.get(0))?;
        ids.collect::<Result<Vec<String>, _>>()
    };
    let mut all = last(here)?;
    if all.is_empty() && turn_number(id).is_none() {
        all = last(None)?;
    }
    match all.as_slice() {
        [] => Err(LookupError::Unknown(id.to_owned())),
        [only] => load(&store.connection, "id = ?1", only),
        _ => Err(ambiguous(id, all)),
    }
}

fn ambiguous(prefix: &str, mut ids: Vec<String>) -> LookupError {
    let has_more = ids.len() > MOST_NAMED;
    ids.truncate(MOST_NAMED);
    LookupError::Ambiguous {
        prefix: prefix.to_owned(),
        ids,
        has_more,
    }
}

/// Some of the ids in a column that begin so: one more than are named tells whether there are more.
fn beginning(
    store: &Store,
    column: &'static str,
    prefix: &str,
) -> Result<Vec<String>, LookupError> {
    let sql = format!(
        "SELECT DISTINCT {column} FROM verdicts WHERE {column} >= ?1 AND {column} < ?2
         ORDER BY {column} LIMIT {MOST_NAMED} + 1"
    );
    let mut select = store.connection.prepare(&sql)?;
    let ids = select.query_map([prefix, &above(prefix)], |row| row.get(0));
    Ok(ids.and_then(Iterator::collect)?)
}
