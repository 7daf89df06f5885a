//! What of a verdict's detail is counted, kept beside it: to read every detail would take as long as a person waits.

use std::collections::{BTreeMap, BTreeSet};

use attest_claim::Kind;
use attest_verdict::Fate;
use rusqlite::{Connection, OptionalExtension};
use serde::{Deserialize, Serialize};

use super::Detail;
use crate::StoreError;

/// What was seen at the end of the turn in which a parent was told.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Noticed {
    /// The claimed files that were missing when the agent stopped.
    pub missing: u32,
    /// Of them, those that were there.
    pub there: u32,
}

/// What is counted of one stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counted {
    /// The kinds of claims of which one is contradicted.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) against: BTreeSet<Kind>,
    /// How many claimed things a doubt of each word is about.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) doubts: BTreeMap<String, u32>,
    /// The word for why criteria were not checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unchecked: Option<String>,
    /// The gates that were late.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) late: BTreeSet<String>,
    /// What this stop made of the block that came before it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) fate: Option<Fate>,
    /// What was seen after the parent was told of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) noticed: Option<Noticed>,
}

impl Counted {
    /// What is counted of a stop, but for the block before it.
    pub(super) fn of(detail: &Detail) -> Self {
        let mut counted = Self::default();
        for judged in &detail.findings {
            if judged.is_proof || judged.finding.contradicts() {
                counted.against.insert(own_kind(judged.kind));
            }
            if let Some(doubt) = &judged.doubt {
                *counted.doubts.entry(doubt.clone()).or_default() += 1;
            }
        }
        let criteria = detail.criteria.as_ref();
        counted.unchecked = criteria.and_then(|checked| checked.unchecked.clone());
        let late = detail.gates.iter().filter(|gate| gate.is_late);
        counted.late = late.map(|gate| gate.name.clone()).collect();
        counted
    }

    /// As it is stored: most stops have nothing of it.
    pub(super) fn stored(&self) -> String {
        if *self == Self::default() {
            return String::new();
        }
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(super) fn read(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

/// What is left in a file is a part of the claim that it was changed.
fn own_kind(kind: Kind) -> Kind {
    match kind {
        Kind::Content => Kind::Files,
        other => other,
    }
}

/// What is counted of a stop that an earlier attest recorded. Most have nothing of it, and parsing each would take
/// longer than looking for the names.
pub(super) fn of_earlier(connection: &Connection, seq: i64) -> Result<Counted, StoreError> {
    let sql = "SELECT detail FROM verdicts
               WHERE seq = ?1
                 AND (outcome IN ('MISMATCH', 'BLOCKED', 'WARN') OR instr(detail, '\"doubt\":\"') > 0
                      OR instr(detail, '\"unchecked\":\"') > 0
                      OR instr(detail, '\"is_late\":true') > 0)";
    let mut select = connection.prepare_cached(sql)?;
    let detail: Option<String> = select.query_row([seq], |row| row.get(0)).optional()?;
    // One that is damaged counts for nothing, as it always did.
    let detail = detail.and_then(|detail| serde_json::from_str(&detail).ok());
    Ok(detail.as_ref().map(Counted::of).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use attest_verdict::Finding;

    use super::super::Judged;
    use super::*;

    #[test]
    fn what_is_counted_reads_back_and_most_is_nothing() {
        let judged = |kind, finding, doubt: Option<&str>| Judged {
            kind,
            claimed: "a.py".into(),
            finding,
            why: None,
            doubt: doubt.map(str::to_owned),
            testimony: None,
            is_proof: false,
        };
        let nothing = Detail {
            findings: vec![judged(Kind::Files, Finding::Changed, None)],
            ..Detail::default()
        };
        assert_eq!(Counted::of(&nothing).stored(), "");
        assert_eq!(Counted::read(""), Counted::default());
        let detail = Detail {
            findings: vec![
                judged(Kind::Content, Finding::Emptied, None),
                judged(Kind::Files, Finding::Unproven, Some("IGNORED")),
                judged(Kind::Files, Finding::Unproven, Some("IGNORED")),
            ],
            ..Detail::default()
        };
        let counted = Counted {
            fate: Some(Fate::Fixed),
            ..Counted::of(&detail)
        };
        assert_eq!(counted.against, BTreeSet::from([Kind::Files]));
        assert_eq!(counted.doubts["IGNORED"], 2);
        assert_eq!(Counted::read(&counted.stored()), counted);
    }
}
