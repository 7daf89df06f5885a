//! What is kept of a verdict beside the columns that lists filter by.

use attest_claim::{Claim, Kind};
use attest_evidence::escaped;
use attest_transcript::{Call, Outcome};
use attest_verdict::{
    Compared, Criteria, Evidence, Finding, GateAnswer, Policy, Reason, Side, Source, StopOutcome,
    Tools, Unchecked, Unmet,
};
use serde::{Deserialize, Serialize};

/// Names of a list that are kept at most; how many there were is kept in any case.
const MOST_LISTED: usize = 1000;
/// Bytes of the claim's own text that are kept at most.
const LONGEST_RAW: usize = 64 * 1024;

/// Everything that a verdict rested on.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Detail {
    /// What the person had allowed.
    pub policy: Policy,
    /// Whether the host gave the agent an id of its own.
    pub has_agent_id: bool,
    /// Whether the host said that it already continued after a block.
    pub host_was_continuing: bool,
    /// Where the report was found, `payload` or `transcript`.
    pub source: Option<String>,
    /// The claim as it was parsed.
    pub claim: Option<Claim>,
    /// The findings, sorted by path.
    pub findings: Vec<Judged>,
    /// What came of the completion criteria, if there were any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub criteria: Option<Checked>,
    /// What else does not fit together, by the agent's transcript.
    pub advice: Vec<String>,
    /// What was seen that is not about the report.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<String>,
    /// The tool calls that wrote, or may have, where the transcript was read.
    pub calls: Listed<ToolCall>,
    /// What differed between start and stop.
    pub delta: Listed<Change>,
    /// Of that, what no claimed path accounts for.
    pub unclaimed: Listed<String>,
    /// The repository at the start.
    pub start: Option<Side>,
    /// The repository at the stop.
    pub stop: Option<Side>,
    /// Why nothing could be said.
    pub unreadable: Option<String>,
    /// What the agent was sent back with.
    pub block: Option<String>,
    /// The paths that the agent was sent back for, and that its next message goes on to call there in other words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub still_claimed: Vec<String>,
    /// The commands that it left running beside a DONE.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_running: Vec<String>,
    /// What the gates said that the person named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<Gate>,
}

/// What came of the completion criteria.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Checked {
    /// Whether they are met.
    pub result: CriteriaResult,
    /// What shows it, or why nothing could be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// The criteria that are not met, with why.
    #[serde(default)]
    pub not_met: Vec<Unmet>,
    /// The word for why they were not checked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unchecked: Option<String>,
    /// What mends that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
}

/// Whether completion criteria are met.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CriteriaResult {
    /// All that count.
    Met,
    /// Some are not.
    NotMet,
    /// They could not be checked.
    NotChecked,
    /// There was nothing to check.
    Skipped,
}

impl Checked {
    fn of(criteria: &Criteria) -> Self {
        let said = |text: &String| Some(escaped(text.as_bytes()));
        let (result, evidence, not_met) = match criteria {
            Criteria::Met(text) => (CriteriaResult::Met, said(text), Vec::new()),
            Criteria::Unmet(unmet) => (CriteriaResult::NotMet, None, unmet.clone()),
            Criteria::NotChecked(why) => (
                CriteriaResult::NotChecked,
                said(&why.to_string()),
                Vec::new(),
            ),
            Criteria::Skipped(text) => (CriteriaResult::Skipped, said(text), Vec::new()),
        };
        let why = match criteria {
            Criteria::NotChecked(why) => Some(why),
            _ => None,
        };
        Self {
            result,
            evidence,
            not_met,
            unchecked: why.map(|why| why.word().to_owned()),
            mend: why.and_then(Unchecked::mend).as_ref().and_then(said),
        }
    }
}

/// What one gate said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Gate {
    /// What it is called.
    pub name: String,
    /// `continue`, `revise` or `finalize`; `none` if it gave no answer.
    pub decision: String,
    /// Why, or why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Whether it was still at work when its time was over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_late: bool,
}

impl Gate {
    fn of(answer: &GateAnswer) -> Self {
        let (decision, reason) = match &answer.decision {
            Ok(decision) => (
                decision.as_str(),
                decision.reason().map(|reason| reason.text().to_string()),
            ),
            Err(none) => ("none", Some(escaped(none.why.as_bytes()))),
        };
        Self {
            name: escaped(answer.gate.as_bytes()),
            decision: decision.to_owned(),
            reason,
            is_late: answer.is_late(),
        }
    }
}

/// The finding for one claimed thing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// What the claim is about.
    #[serde(default)]
    pub kind: Kind,
    /// What is claimed, as the agent wrote it.
    pub claimed: String,
    /// The finding.
    pub finding: Finding,
    /// What it rests on, where the finding alone does not say it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The word of the doubt because of which it proves nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// What the agent's tools say of the path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub testimony: Option<String>,
    /// Whether it disproved the claim.
    pub is_proof: bool,
}

/// A call of a tool by the agent, as its transcript has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The tool, in the host's spelling.
    pub tool: String,
    /// The file that the call names.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// When, as the host writes times: RFC 3339 in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// Whether the tool reported success; absent where it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_ok: Option<bool>,
}

impl ToolCall {
    fn of(call: &Call) -> Self {
        Self {
            tool: call.tool.clone(),
            path: call.path.clone(),
            at: call.at.clone(),
            is_ok: match call.result {
                Outcome::Ok => Some(true),
                Outcome::Error => Some(false),
                Outcome::Unknown => None,
            },
        }
    }
}

/// One path that changed. Its name is escaped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Change {
    /// The path.
    pub path: String,
    /// Whether it was deleted; otherwise it was written.
    pub is_deleted: bool,
}

fn told_with(stop: &StopOutcome) -> Option<String> {
    let reason = stop.decision.reason().map(Reason::text);
    reason.map(|text| text.to_string())
}

/// The beginning of a list, and how long it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Listed<T> {
    /// How many there were.
    pub count: usize,
    /// The first of them.
    pub first: Vec<T>,
}

impl<T> Listed<T> {
    /// Keeps the beginning of `items`, each as what `keep` makes of it.
    pub fn of<S>(items: impl Iterator<Item = S>, keep: impl Fn(S) -> T) -> Self {
        let (mut count, mut first) = (0, Vec::new());
        for item in items {
            if count < MOST_LISTED {
                first.push(keep(item));
            }
            count += 1;
        }
        Self { count, first }
    }
}

impl<T> Default for Listed<T> {
    fn default() -> Self {
        Self {
            count: 0,
            first: Vec::new(),
        }
    }
}

impl Detail {
    /// Everything that a stop came to.
    #[must_use]
    pub fn of(stop: &StopOutcome, policy: &Policy, host_was_continuing: bool) -> Self {
        let input = &stop.input;
        let calls = input.tools.iter().flat_map(Tools::writes);
        let detail = Self {
            policy: policy.clone(),
            has_agent_id: input.report.has_agent_id,
            host_was_continuing,
            advice: stop.warnings.iter().map(ToString::to_string).collect(),
            beside: stop.beside(),
            calls: Listed::of(calls, ToolCall::of),
            block: stop.is_block().then(|| told_with(stop)).flatten(),
            gates: stop.gates.iter().map(Gate::of).collect(),
            criteria: stop.criteria.as_ref().map(Checked::of),
            still_claimed: input.again.iter().map(|it| it.path.clone()).collect(),
            left_running: input.left_running.clone(),
            ..Self::default()
        };
        let with_claim = |detail: Self| detail.with_claim(&input.report.claim, input.report.source);
        match &input.evidence {
            Evidence::NoSnapshot | Evidence::NoClaim => detail,
            Evidence::Failed(why) => detail.unreadable(why),
            Evidence::Unreadable(why) => with_claim(detail).unreadable(why),
            Evidence::Compared(compared) => with_claim(detail).with_compared(compared),
        }
    }

    fn unreadable(self, why: &str) -> Self {
        Self {
            unreadable: Some(escaped(why.as_bytes())),
            ..self
        }
    }

    fn with_compared(self, compared: &Compared) -> Self {
        let verdict = &compared.verdict;
        let findings = verdict.weighed().map(|(found, is_proof)| Judged {
            kind: found.kind,
            claimed: found.claimed.clone(),
            finding: found.finding,
            why: found.why.clone(),
            doubt: found.doubt.as_ref().map(|doubt| doubt.word().to_owned()),
            testimony: found.testimony.clone(),
            is_proof,
        });
        Self {
            findings: findings.collect(),
            delta: Listed::of(verdict.observed.iter(), |(path, change)| Change {
                path: path.to_string(),
                is_deleted: *change == attest_evidence::Change::Deleted,
            }),
            unclaimed: Listed::of(verdict.unclaimed.iter(), ToString::to_string),
            start: Some(compared.start.clone()),
            stop: Some(compared.stop.clone()),
            ..self
        }
    }

    /// Keeps the claim, whose own text may be as long as a message.
    pub(super) fn with_claim(self, claim: &Claim, source: Source) -> Self {
        let mut claim = claim.clone();
        let cut = claim.raw.floor_char_boundary(LONGEST_RAW);
        claim.raw.truncate(cut);
        Self {
            source: Some(source.as_str().to_owned()),
            claim: Some(claim),
            ..self
        }
    }

    /// The criteria that are not met.
    #[must_use]
    pub fn unmet(&self) -> &[Unmet] {
        self.criteria
            .as_ref()
            .map_or(&[], |checked| &checked.not_met)
    }

    /// Whether the work tree had uncommitted changes at the start.
    #[must_use]
    pub fn was_dirty(&self) -> bool {
        self.start.as_ref().is_some_and(Side::is_dirty)
    }

    /// Whether the claim was proven false; `None` where that could not be seen.
    #[must_use]
    pub fn is_false_done(&self) -> Option<bool> {
        let has_proof = || self.findings.iter().any(|judged| judged.is_proof);
        self.unreadable.is_none().then(has_proof)
    }
}
