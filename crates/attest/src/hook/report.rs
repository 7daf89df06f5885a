//! The lines that a stop prints. Their form is a contract; see docs/DESIGN.md.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use attest_claim::{Claim, Meaning, Target};
use attest_snapshot::{Unreadable, escaped};
use attest_verdict::{Outcome, ReasonCode, Verdict, statement};

use crate::advice::Advice;

/// Where the agent's message was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    Payload,
    Transcript,
}

impl Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Payload => "payload",
            Self::Transcript => "transcript",
        })
    }
}

/// The report on one stop.
#[derive(Debug)]
pub(super) struct Report {
    key: String,
    source: Source,
}

impl Report {
    pub(super) fn new(key: &str, source: Source) -> Self {
        let key = escaped(key.as_bytes());
        Self { key, source }
    }

    pub(super) fn no_snapshot(key: &str) -> String {
        let key = escaped(key.as_bytes());
        format!(
            "attest: stop: no snapshot found for {key} (start event may have been missed) — \
             skipping verification"
        )
    }

    pub(super) fn no_claim(key: &str) -> String {
        let key = escaped(key.as_bytes());
        format!(
            "attest: stop: {key}: claim source=none — cannot verify (never treating as false DONE)"
        )
    }

    /// The finding of a verdict that sends nothing back. `would_block` says what enforcement
    /// would make of it.
    pub(super) fn verdict(
        &self,
        verdict: &Verdict,
        is_ambiguous: bool,
        would_block: Result<(), ReasonCode>,
    ) -> String {
        let finding = finding(verdict, would_block);
        let claimed = list(
            verdict
                .findings
                .iter()
                .map(|found| escaped(found.claimed.as_bytes())),
        );
        let observed = list(&verdict.observed);
        let Self { key, source } = self;
        let mut text = format!(
            "attest: stop: {key}: CLAIMED [{claimed}] OBSERVED [{observed}] -> {finding} \
             [source={source}]"
        );
        if is_ambiguous {
            text.push_str(&format!(
                "\nattest: stop: {key}: WARNING: the work tree had uncommitted changes at the start"
            ));
        }
        text
    }

    /// What came of the completion criteria.
    pub(super) fn criteria(key: &str, result: &str) -> String {
        let (key, result) = (escaped(key.as_bytes()), escaped(result.as_bytes()));
        format!("attest: stop: {key}: CRITERIA {result}")
    }

    pub(super) fn unverifiable(&self, claim: &Claim, why: &Unreadable) -> String {
        let claimed = list(claim.entries.iter().map(|entry| {
            match &entry.meaning {
                Meaning::Paths(readings) => readings
                    .first()
                    .map_or_else(String::new, |reading| name(&reading.target)),
                Meaning::Unresolvable(_) => escaped(entry.raw.as_bytes()),
            }
        }));
        let why = escaped(why.to_string().as_bytes());
        let Self { key, source } = self;
        format!(
            "attest: stop: {key}: CLAIMED [{claimed}] OBSERVED [(none)] -> UNVERIFIABLE: {why} \
             [source={source}]"
        )
    }

    /// What the agent's tools say of the paths without a change, one line each.
    pub(super) fn tools(&self, verdict: &Verdict) -> Vec<String> {
        let known = verdict
            .unchanged()
            .filter(|found| found.testimony.is_some());
        known
            .map(|found| format!("attest: stop: {}: TOOLS: {}", self.key, statement(found)))
            .collect()
    }

    pub(super) fn advice(&self, advice: &Advice) -> String {
        format!("attest: stop: {}: ADVICE: {advice}", self.key)
    }

    pub(super) fn blocked(&self, verdict: &Verdict) -> String {
        format!(
            "attest: stop: {}: BLOCKED false DONE: {}",
            self.key,
            proofs(verdict)
        )
    }

    pub(super) fn not_blocking(&self, code: ReasonCode) -> String {
        let key = &self.key;
        match code {
            ReasonCode::AllowCounterNotDurable => format!(
                "attest: stop: {key}: would block but counter persist failed — failing open \
                 (no block)"
            ),
            code => format!(
                "attest: stop: {key}: detected false DONE but NOT blocking (decision={code})"
            ),
        }
    }
}

/// The gravest thing to say.
fn finding(verdict: &Verdict, would_block: Result<(), ReasonCode>) -> String {
    match verdict.outcome() {
        Outcome::Mismatch => {
            let would = match would_block {
                Ok(()) => "would block in enforce mode".to_owned(),
                Err(code) => format!("would not block in enforce mode: {code}"),
            };
            let disproved = match (verdict.proofs().next(), verdict.unmet()) {
                (None, _) => format!("{} not met", unmet(verdict)),
                (Some(_), []) => format!("{} claimed-but-unchanged", paths(verdict)),
                (Some(_), _) => format!(
                    "{} claimed-but-unchanged, {} not met",
                    paths(verdict),
                    unmet(verdict)
                ),
            };
            format!("MISMATCH: {disproved} ({would})")
        }
        Outcome::Warn => {
            let unchanged = verdict.unchanged();
            let unchanged = list(unchanged.map(|found| escaped(found.claimed.as_bytes())));
            let status = verdict.status.map_or("?", |status| status.as_str());
            format!("WARN: {unchanged} claimed but not in delta (status={status})")
        }
        Outcome::ScopeCreep => {
            let unclaimed = list(&verdict.unclaimed);
            format!("SCOPE_CREEP: {unclaimed} observed-but-unclaimed")
        }
        other => other.to_string(),
    }
}

/// Everything that disproves the claim.
fn proofs(verdict: &Verdict) -> String {
    let parts = [paths(verdict), unmet(verdict)];
    let parts = parts.into_iter().filter(|part| part != NONE);
    parts.collect::<Vec<_>>().join(", ")
}

fn unmet(verdict: &Verdict) -> String {
    let names = verdict.unmet().iter().map(|unmet| &unmet.name);
    list(names.map(|name| format!("criterion \"{}\"", escaped(name.as_bytes()))))
}

fn paths(verdict: &Verdict) -> String {
    list(
        verdict
            .proofs()
            .map(|found| escaped(found.claimed.as_bytes())),
    )
}

fn name(target: &Target) -> String {
    match target {
        Target::File(text) | Target::Dir(text) => escaped(text.as_bytes()),
        Target::Rename { from, to } => escaped(format!("{from} -> {to}").as_bytes()),
    }
}

const NONE: &str = "(none)";

fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let sorted: BTreeSet<String> = items.into_iter().map(|item| item.to_string()).collect();
    if sorted.is_empty() {
        return NONE.to_owned();
    }
    sorted.into_iter().collect::<Vec<_>>().join(", ")
}
