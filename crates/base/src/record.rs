//! One verdict as one flat line, for the engines that a team has: docs/schemas/record.json says what its keys mean.
//!
//! Keys are OpenTelemetry's where it has them. At [`Level::Counts`] nothing in it is a path, a word of a report, or the
//! name of a host, a user or a branch.

use std::str::FromStr;

use attest_snapshot::{escaped, path_bytes, visible_json};
use attest_state::history::Recorded;
use attest_verdict::Outcome;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// The version of the record: raised if a key changes its meaning or goes.
const SCHEMA: u32 = 1;

/// How much of a verdict leaves this machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Level {
    /// Words of attest's own and numbers.
    #[default]
    Counts,
    /// What lists show, with names.
    Full,
}

impl FromStr for Level {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "counts" => Ok(Self::Counts),
            "full" => Ok(Self::Full),
            _ => Err("expected counts or full"),
        }
    }
}

/// What is the same for all records of a state file.
#[derive(Debug)]
pub struct Records {
    /// What names the state file for others.
    pub instance: String,
    /// How much of what was written is told.
    pub level: Level,
    /// What ids are made with; several machines that have the same one have the same ids.
    pub salt: String,
}

/// A verdict, flat.
#[derive(Debug, Serialize)]
pub struct Record {
    time: String,
    severity: &'static str,
    body: String,
    #[serde(rename = "log.record.uid")]
    uid: String,
    #[serde(rename = "event.name")]
    event: &'static str,
    #[serde(rename = "gen_ai.evaluation.name")]
    name: &'static str,
    #[serde(rename = "gen_ai.evaluation.score.label")]
    label: &'static str,
    #[serde(rename = "gen_ai.agent.id")]
    agent: String,
    #[serde(rename = "gen_ai.agent.name")]
    agent_type: String,
    #[serde(rename = "session.id")]
    session: String,
    #[serde(rename = "attest.schema")]
    schema: u32,
    #[serde(rename = "attest.version")]
    version: &'static str,
    #[serde(rename = "attest.instance")]
    instance: String,
    #[serde(rename = "attest.sequence")]
    sequence: i64,
    #[serde(rename = "attest.harness", skip_serializing_if = "Option::is_none")]
    harness: Option<String>,
    #[serde(rename = "attest.outcome")]
    outcome: Outcome,
    #[serde(rename = "attest.reason")]
    reason: String,
    #[serde(rename = "attest.false_done")]
    is_false_done: bool,
    #[serde(rename = "attest.claim")]
    is_claim: bool,
    #[serde(rename = "attest.judged", skip_serializing_if = "Option::is_none")]
    is_judged: Option<bool>,
    #[serde(rename = "attest.judged.kinds")]
    judged: String,
    #[serde(rename = "attest.against.kinds")]
    against: String,
    #[serde(rename = "attest.doubts.count")]
    doubts: u32,
    #[serde(rename = "attest.blocks_before")]
    blocks_before: u32,
    #[serde(rename = "attest.repository", skip_serializing_if = "Option::is_none")]
    repository: Option<String>,
    #[serde(
        rename = "vcs.repository.name",
        skip_serializing_if = "Option::is_none"
    )]
    repository_name: Option<String>,
    #[serde(
        rename = "attest.repository.path",
        skip_serializing_if = "Option::is_none"
    )]
    repository_path: Option<String>,
    #[serde(rename = "attest.task", skip_serializing_if = "Option::is_none")]
    task: Option<String>,
    #[serde(rename = "attest.summary", skip_serializing_if = "Option::is_none")]
    summary: Option<String>,
}

impl Record {
    /// It as JSON, on one line.
    #[must_use]
    pub fn line(&self) -> String {
        // Nothing in it is what JSON has no form for.
        let line = serde_json::to_string(self).unwrap_or_default();
        visible_json(&line).into_owned()
    }
}

impl Records {
    /// What is told of one verdict.
    #[must_use]
    pub fn record(&self, recorded: &Recorded) -> Record {
        let entry = &recorded.entry;
        let is_full = self.level == Level::Full;
        let agent_type = self.name(entry.agent_type.as_deref().unwrap_or_default());
        let path = entry.repository.as_deref();
        let path = path.map(|path| escaped(&path_bytes(path)));
        let origin = recorded.origin.as_ref();
        let origin = origin
            .map(|origin| escaped(origin.as_bytes()))
            .or_else(|| path.clone());
        let against = recorded.against.iter().map(|kind| kind.as_str());
        let judged = recorded.judged.as_ref();
        Record {
            severity: severity(entry.outcome),
            body: format!("attest: {} {agent_type}", entry.outcome)
                .trim_end()
                .to_owned(),
            uid: self.uid(&entry.id),
            event: "gen_ai.evaluation.result",
            name: "attest.claim",
            label: label(entry.outcome, judged.is_some_and(Vec::is_empty)),
            agent: self.id(&entry.agent_id),
            agent_type,
            session: self.id(&entry.session_id),
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            instance: self.instance.clone(),
            sequence: entry.seq,
            harness: recorded.harness.clone(),
            outcome: entry.outcome,
            reason: entry.reason.to_string(),
            is_false_done: matches!(entry.outcome, Outcome::Mismatch | Outcome::Blocked),
            is_claim: entry.is_claim,
            is_judged: judged.map(|kinds| !kinds.is_empty()),
            judged: judged.map(|kinds| kinds.join(",")).unwrap_or_default(),
            against: against.collect::<Vec<_>>().join(","),
            doubts: recorded.doubts,
            blocks_before: entry.blocks_before,
            repository: origin.as_deref().map(|origin| self.salted(origin)),
            repository_name: origin.filter(|_| is_full),
            repository_path: path.filter(|_| is_full),
            task: entry.task.clone().filter(|_| is_full),
            summary: is_full.then(|| entry.summary.clone()),
            time: entry.at.clone(),
        }
    }

    /// 128 bits, of which a half is the verdict's own and the other that of the file: neither ever changes.
    fn uid(&self, id: &str) -> String {
        let half = self.instance.get(..16).unwrap_or(&self.instance);
        format!("{half}{id}")
    }

    /// What a host calls a session or an agent, if it is a number that it made; anything else may be a name.
    fn id(&self, text: &str) -> String {
        let is_number = text
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        self.or_salted(text, is_number)
    }

    /// What a host calls a kind of agent, if it is one word.
    fn name(&self, text: &str) -> String {
        let is_word = text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_-:".contains(&byte));
        self.or_salted(text, is_word && text.len() <= 64)
    }

    fn or_salted(&self, text: &str, is_kept: bool) -> String {
        match self.level {
            Level::Full => escaped(text.as_bytes()),
            Level::Counts if is_kept => text.to_owned(),
            Level::Counts => self.salted(text),
        }
    }

    /// An id that says nothing to those who do not know the salt.
    fn salted(&self, text: &str) -> String {
        let mut hash = Sha256::new();
        hash.update(self.salt.as_bytes());
        hash.update([0]);
        hash.update(text.as_bytes());
        let hash = hash.finalize();
        let first = hash.first_chunk().copied().unwrap_or_default();
        format!("{:016x}", u64::from_be_bytes(first))
    }
}

fn severity(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Mismatch | Outcome::Blocked => "ERROR",
        Outcome::ScopeCreep | Outcome::Warn | Outcome::Unverifiable | Outcome::SentBack => "WARN",
        _ => "INFO",
    }
}

/// A claim of which nothing could be judged passed nothing.
fn label(outcome: Outcome, is_unjudged: bool) -> &'static str {
    match outcome {
        Outcome::Ok | Outcome::ScopeCreep if !is_unjudged => "pass",
        Outcome::Mismatch | Outcome::Blocked => "fail",
        _ => "unproven",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_a_name_is_salted_where_names_do_not_leave() {
        let records = |level, salt: &str| Records {
            instance: "0123456789abcdef".repeat(2),
            level,
            salt: salt.to_owned(),
        };
        let counts = records(Level::Counts, "a");
        for kept in ["general-purpose", "Explore", "my:agent_2", ""] {
            assert_eq!(counts.name(kept), kept);
        }
        for other in ["/home/alice/agent.md", "alice's agent", "a.b"] {
            assert_eq!(counts.name(other).len(), 16, "{other}");
            assert_eq!(records(Level::Full, "a").name(other), other);
        }
        assert_eq!(counts.id("0193a1b2-c3d4"), "0193a1b2-c3d4");
        assert_ne!(counts.id("alice"), records(Level::Counts, "b").id("alice"));
        assert_eq!(
            counts.uid("fedcba9876543210"),
            "0123456789abcdeffedcba9876543210"
        );
    }
}
