//! What kept a stop from being checked as the person wants: criteria that were not checked, and gates that were late.

use std::collections::BTreeMap;

use jiff::{Span, Timestamp};
use serde::Deserialize;

use super::Gate;
use crate::times::stored;
use crate::{Store, StoreError};

/// Stops of a session with gates that are looked at, newest first.
const MOST_STOPS: u32 = 8;

/// How often in a row each gate was late in a session, up to its last stop, by the name that records have for it.
/// Only of the last day.
pub fn late_gates(
    store: &Store,
    session: &str,
    now: Timestamp,
) -> Result<BTreeMap<String, u32>, StoreError> {
    #[derive(Deserialize)]
    struct Gates {
        gates: Vec<Gate>,
    }
    let day_before = now.checked_sub(Span::new().hours(24)).unwrap_or(now);
    let sql = "SELECT detail FROM verdicts
               WHERE at >= ?1 AND session = ?2 AND instr(detail, '\"gates\":[') > 0
               ORDER BY at DESC, seq DESC LIMIT ?3";
    let mut select = store.connection.prepare(sql)?;
    let values = (stored(day_before), session, MOST_STOPS);
    let rows = select.query_map(values, |row| row.get::<_, String>(0))?;
    let (mut late, mut over) = (BTreeMap::new(), Vec::new());
    for detail in rows {
        let gates = serde_json::from_str(&detail?).map(|Gates { gates }| gates);
        for gate in gates.unwrap_or_default() {
            if over.contains(&gate.name) {
                continue;
            }
            if gate.is_late {
                *late.entry(gate.name).or_default() += 1;
            } else {
                over.push(gate.name);
            }
        }
    }
    Ok(late)
}

/// Why criteria were not checked and how often, by the word for it; and how many stops each gate was late at, by its
/// name.
#[derive(Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Hindered {
    /// Stops, by the word for why their criteria were not checked.
    pub unchecked: BTreeMap<String, u32>,
    /// Stops, by the gate that was late.
    pub late_gates: BTreeMap<String, u32>,
}
