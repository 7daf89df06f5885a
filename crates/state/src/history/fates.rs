//! What became of the blocks: each is compared with the next stop of the same agent.

use attest_claim::Status;
use attest_evidence::escaped;
use attest_verdict::{Fate, Finding, Outcome, ReasonCode, SentBack};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde::Serialize;

use super::runs::is_at_work;
use super::{Detail, Entry, Judged, Stop};
use crate::times::nanoseconds;
use crate::{AgentKey, Store, StoreError};

/// What became of one block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// In a word.
    pub fate: Fate,
    /// The next stop of the agent, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<Next>,
}

/// The stop that came after a block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Next {
    /// Its verdict.
    pub id: String,
    /// When, in RFC 3339.
    pub at: Timestamp,
    /// What it came to.
    pub outcome: Outcome,
}

/// Why a stop is none that answers a block: another hook of the same stop recorded it, or the turn went on.
const NO_ANSWERS: [ReasonCode; 2] = [
    ReasonCode::AllowAlreadySent,
    ReasonCode::AllowSubagentAtWork,
];

/// Whether a stop for this reason is none that answers a block.
pub(super) fn is_no_answer(reason: ReasonCode) -> bool {
    NO_ANSWERS.contains(&reason)
}

/// Whether a last stop that came to this leaves no false DONE of an earlier one standing.
pub(super) fn mends(outcome: Outcome) -> bool {
    matches!(
        outcome,
        Outcome::Ok | Outcome::ScopeCreep | Outcome::Warn | Outcome::NoClaim
    )
}

/// [`is_no_answer`] for SQL.
pub(super) fn no_answers() -> String {
    NO_ANSWERS.map(|reason| format!("'{reason}'")).join(", ")
}

/// What became of a verdict, if it is a block and that is known: an agent at work is still to answer, and one that a
/// person called honest has nothing to answer for.
pub fn answer_to(store: &Store, block: &Entry) -> Result<Option<Answer>, StoreError> {
    if block.outcome != Outcome::Blocked {
        return Ok(None);
    }
    let sql = format!(
        "SELECT seq, id, at, outcome, reason FROM verdicts
         WHERE agent_id = ?1 AND session = ?2 AND seq > ?3 AND reason NOT IN ({})
         ORDER BY seq LIMIT 1",
        no_answers()
    );
    let values = params![block.agent_id, block.session_id, block.seq];
    let found = store.connection.query_row(&sql, values, |row| {
        let (seq, id, at): (i64, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let outcome: String = row.get(3)?;
        let next = at.parse().ok().zip(outcome.parse().ok());
        let next = next.map(|(at, outcome)| Next { id, at, outcome });
        let is_called_honest = row.get::<_, String>(4)? == ReasonCode::AllowDisputed.as_str();
        Ok((seq, next, is_called_honest))
    });
    let Some((seq, next, is_called_honest)) = found.optional()? else {
        let fate = unanswered(&store.connection, block.seq)?;
        return Ok(fate.map(|fate| Answer { fate, next: None }));
    };
    if is_called_honest {
        return Ok(None);
    }
    let fate = between(&store.connection, block.seq, seq)?;
    Ok(Some(Answer { fate, next }))
}

/// What a stop that is about to be recorded made of the block before it, if a block is what came last.
pub(super) fn answered_by(
    transaction: &Transaction<'_>,
    stop: &Stop<'_>,
) -> Result<Option<Fate>, StoreError> {
    // The usual stop pays nothing for this.
    if stop.is_first || is_no_answer(stop.reason) || stop.reason == ReasonCode::AllowDisputed {
        return Ok(None);
    }
    let block = last_stop(transaction, stop.key, IS_BLOCK)?;
    Ok(block.map(|(_, block)| match serde_json::from_str(&block) {
        Ok(block) => fate(&block, stop.detail),
        Err(_) => Fate::Unanswered,
    }))
}

/// Whether an agent has stopped again since, and its report held, or a person calls its last report honest. One without
/// an id may be another of its kind.
pub(crate) fn is_settled_since(
    connection: &Connection,
    key: &AgentKey,
    since: i64,
) -> Result<bool, StoreError> {
    let is_later = |at: &str| at.parse().is_ok_and(|at| nanoseconds(at) > since);
    let held = format!("outcome IN ('{}', '{}')", Outcome::Ok, Outcome::ScopeCreep);
    let held = last_stop(connection, key, &held)?.filter(|(at, _)| is_later(at));
    let last = match held {
        None => last_stop(connection, key, "disputed = 'honest'")?,
        held => held,
    };
    let has_id = |detail: Detail| detail.has_agent_id;
    Ok(last.is_some_and(|(_, detail)| serde_json::from_str(&detail).is_ok_and(has_id)))
}

/// The last stop of an agent, if it was sent back for what it claimed.
pub fn sent_back(store: &Store, key: &AgentKey) -> Result<Option<SentBack>, StoreError> {
    let block = last_stop(&store.connection, key, IS_BLOCK)?;
    Ok(block.and_then(|(at, detail)| of_block(&at, serde_json::from_str(&detail).ok()?)))
}

fn of_block(at: &str, detail: Detail) -> Option<SentBack> {
    let proofs = detail.findings.into_iter().filter(|it| it.is_proof);
    let absent = proofs.filter(|it| it.finding == Finding::Absent);
    Some(SentBack {
        at: at.parse().ok()?,
        absent: absent.map(|it| it.claimed).collect(),
    })
}

const IS_BLOCK: &str = "outcome = 'BLOCKED'";

/// When the last stop of an agent was and what it rested on, if this is so of it.
fn last_stop(
    connection: &Connection,
    key: &AgentKey,
    condition: &str,
) -> Result<Option<(String, String)>, StoreError> {
    let sql = format!(
        "SELECT at, detail FROM verdicts WHERE {condition} AND seq =
             (SELECT max(seq) FROM verdicts
              WHERE agent_id = ?1 AND session = ?2 AND reason NOT IN ({}))",
        no_answers()
    );
    let values = params![key.agent, key.session];
    let stop = connection.query_row(&sql, values, |row| Ok((row.get(0)?, row.get(1)?)));
    Ok(stop.optional()?)
}

/// What became of a block that was the last stop of its agent; `None` while that is at work.
pub(super) fn unanswered(connection: &Connection, block: i64) -> Result<Option<Fate>, StoreError> {
    Ok((!is_at_work(connection, block)?).then_some(Fate::Unanswered))
}

/// What the stop `next` made of the stop `block`, as they are recorded.
pub(super) fn between(connection: &Connection, block: i64, next: i64) -> Result<Fate, StoreError> {
    let both = detail(connection, block)?.zip(detail(connection, next)?);
    Ok(both.map_or(Fate::Unanswered, |(block, next)| fate(&block, &next)))
}

/// What a verdict rested on; `None` if that is damaged.
fn detail(connection: &Connection, seq: i64) -> Result<Option<Detail>, StoreError> {
    let mut select = connection.prepare_cached("SELECT detail FROM verdicts WHERE seq = ?1")?;
    let found = select.query_row([seq], |row| row.get(0));
    let text: Option<String> = found.optional()?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// The worst of what became of each thing that was disproved.
fn fate(block: &Detail, next: &Detail) -> Fate {
    let proofs = block.findings.iter().filter(|judged| judged.is_proof);
    let paths = proofs.map(|proof| of_path(proof, next));
    let gates = block.gates.iter().filter(|gate| gate.decision == REVISE);
    let gates = gates.map(|gate| of_gate(&gate.name, next));
    let all = paths.chain(gates);
    all.max_by_key(|fate| weight(*fate))
        .unwrap_or(Fate::Unanswered)
}

const REVISE: &str = "revise";

fn weight(fate: Fate) -> u8 {
    match fate {
        Fate::Fixed => 0,
        Fate::Unanswered => 1,
        Fate::Withdrawn => 2,
        Fate::Repeated => 3,
    }
}

fn of_path(proof: &Judged, next: &Detail) -> Fate {
    if next.unreadable.is_some() {
        return Fate::Unanswered;
    }
    let again = next
        .findings
        .iter()
        .find(|it| (it.kind, &it.claimed) == (proof.kind, &proof.claimed));
    match again.map(|judged| judged.finding) {
        Some(finding) if finding.holds() => Fate::Fixed,
        // It was not on the disk before.
        Some(Finding::Present) if proof.finding == Finding::Absent => Fate::Fixed,
        Some(_) if is_done(next) => Fate::Repeated,
        _ if next.still_claimed.contains(&proof.claimed) => Fate::Repeated,
        None if is_in_delta(&proof.claimed, next) => Fate::Fixed,
        _ => Fate::Withdrawn,
    }
}

fn of_gate(name: &str, next: &Detail) -> Fate {
    let again = next.gates.iter().find(|gate| gate.name == name);
    match again.map(|gate| gate.decision.as_str()) {
        Some(REVISE) => Fate::Repeated,
        Some("continue" | "finalize") => Fate::Fixed,
        _ => Fate::Unanswered,
    }
}

fn is_done(next: &Detail) -> bool {
    let claim = next.claim.as_ref();
    claim.is_some_and(|claim| claim.is_claim() && claim.status == Some(Status::Done))
}

/// Whether the path was written, although the next report is silent about it.
fn is_in_delta(claimed: &str, next: &Detail) -> bool {
    let path = escaped(claimed.trim_start_matches("./").as_bytes());
    let mut written = next.delta.first.iter().filter(|change| !change.is_deleted);
    written.any(|change| change.path == path)
}

#[cfg(test)]
mod tests {
    use attest_claim::parse;
    use attest_verdict::Source;

    use super::super::{Change, Gate, Listed};
    use super::*;

    fn judged(claimed: &str, finding: Finding) -> Judged {
        Judged {
            kind: attest_claim::Kind::Files,
            claimed: claimed.into(),
            finding,
            why: None,
            doubt: None,
            testimony: None,
            is_proof: finding == Finding::Absent,
        }
    }

    fn report(status: &str, findings: &[(&str, Finding)]) -> Detail {
        let findings: Vec<_> = findings
            .iter()
            .map(|(path, it)| judged(path, *it))
            .collect();
        let claim = parse(&format!("Status: {status}\nFiles changed: x.py"));
        Detail {
            findings,
            ..Detail::default().with_claim(&claim, Source::Payload)
        }
    }

    #[test]
    fn the_next_stop_says_what_became_of_a_block() {
        let block = report(
            "DONE",
            &[("a.py", Finding::Absent), ("b.py", Finding::Changed)],
        );
        let after = |status: &str, finding: Option<Finding>| {
            let findings = finding.map(|finding| ("a.py", finding));
            fate(&block, &report(status, findings.as_slice()))
        };
        for (status, finding, expected) in [
            ("DONE", Some(Finding::Changed), Fate::Fixed),
            ("DONE", Some(Finding::LandedElsewhere), Fate::Fixed),
            // An ignored file that is there by now.
            ("DONE", Some(Finding::Present), Fate::Fixed),
            ("DONE", Some(Finding::Absent), Fate::Repeated),
            ("DONE", Some(Finding::Unproven), Fate::Repeated),
            ("DONE", None, Fate::Withdrawn),
            ("BLOCKED", Some(Finding::Absent), Fate::Withdrawn),
            ("BLOCKED", Some(Finding::Changed), Fate::Fixed),
        ] {
            assert_eq!(after(status, finding), expected, "{status} {finding:?}");
        }
    }

    #[test]
    fn a_file_that_was_written_counts_although_it_is_not_named_again() {
        let block = report("DONE", &[("./a.py", Finding::Absent)]);
        let with_change = |is_deleted| Detail {
            delta: Listed::of(["a.py"].into_iter(), |path| Change {
                path: path.into(),
                is_deleted,
            }),
            ..report("DONE", &[])
        };
        assert_eq!(fate(&block, &with_change(false)), Fate::Fixed);
        assert_eq!(fate(&block, &with_change(true)), Fate::Withdrawn);
    }

    #[test]
    fn what_is_claimed_again_in_other_words_is_not_taken_back() {
        let block = report("DONE", &[("a.py", Finding::Absent)]);
        let with_again = |path: &str| Detail {
            still_claimed: vec![path.to_owned()],
            ..report("DONE", &[])
        };
        assert_eq!(fate(&block, &with_again("a.py")), Fate::Repeated);
        assert_eq!(fate(&block, &with_again("b.py")), Fate::Withdrawn);
    }

    #[test]
    fn the_worst_of_several_counts() {
        let block = report(
            "DONE",
            &[("a.py", Finding::Absent), ("b.py", Finding::Absent)],
        );
        let half = report(
            "DONE",
            &[("a.py", Finding::Changed), ("b.py", Finding::Absent)],
        );
        assert_eq!(fate(&block, &half), Fate::Repeated);
        let half = report("DONE", &[("a.py", Finding::Changed)]);
        assert_eq!(fate(&block, &half), Fate::Withdrawn);
    }

    #[test]
    fn what_could_not_be_judged_is_no_answer() {
        let block = report("DONE", &[("a.py", Finding::Absent)]);
        let unreadable = Detail {
            unreadable: Some("index".into()),
            ..report("DONE", &[])
        };
        assert_eq!(fate(&block, &unreadable), Fate::Unanswered);
        assert_eq!(fate(&block, &Detail::default()), Fate::Withdrawn);
        assert_eq!(fate(&Detail::default(), &block), Fate::Unanswered);
    }

    #[test]
    fn the_last_stop_was_sent_back_for_what_was_proven_absent() {
        let findings = &[("a.py", Finding::Absent), ("b.py", Finding::Changed)];
        let sent = of_block("2026-01-01T14:02:11Z", report("DONE", findings)).unwrap();
        assert_eq!(sent.absent, ["a.py"]);
        let doubted = Judged {
            is_proof: false,
            ..judged("c.py", Finding::Absent)
        };
        let doubted = Detail {
            findings: vec![doubted],
            ..Detail::default()
        };
        assert!(
            of_block("2026-01-01T14:02:11Z", doubted)
                .unwrap()
                .absent
                .is_empty()
        );
        assert_eq!(of_block("at noon", Detail::default()), None);
    }

    #[test]
    fn gates_have_fates_too() {
        let gate = |decision: &str| Detail {
            gates: vec![Gate {
                name: "lint".into(),
                decision: decision.into(),
                reason: None,
                is_late: false,
            }],
            ..report("DONE", &[])
        };
        assert_eq!(fate(&gate("revise"), &gate("revise")), Fate::Repeated);
        assert_eq!(fate(&gate("revise"), &gate("continue")), Fate::Fixed);
        assert_eq!(fate(&gate("revise"), &gate("none")), Fate::Unanswered);
    }
}
