//! The lines that a stop prints. Their form is a contract; see docs/DESIGN.md.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use attest_claim::{Claim, Meaning, Target};
use attest_snapshot::{Printable, Unreadable, Untrusted};
use attest_verdict::{Outcome, ReasonCode, Verdict, statement};

use crate::advice::Advice;

macro_rules! printable {
    ($($words:tt)*) => {
        Printable::new(&format!($($words)*))
    };
}

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
    key: Untrusted<'static>,
    source: Source,
}

impl Report {
    pub(super) fn new(key: &str, source: Source) -> Self {
        let key = Untrusted::shown(key);
        Self { key, source }
    }

    pub(super) fn no_snapshot(key: &str) -> Printable {
        let key = Untrusted::new(key);
        printable!(
            "attest: stop: no snapshot found for {key} (start event may have been missed) — \
             skipping verification"
        )
    }

    pub(super) fn no_claim(key: &str) -> Printable {
        let key = Untrusted::new(key);
        printable!(
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
    ) -> Printable {
        let finding = finding(verdict, would_block);
        let claimed = list(
            verdict
                .findings
                .iter()
                .map(|found| Untrusted::new(&found.claimed)),
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
        Printable::new(&text)
    }

    /// What came of the completion criteria.
    pub(super) fn criteria(key: &str, result: &str) -> Printable {
        let (key, result) = (Untrusted::new(key), Untrusted::new(result));
        printable!("attest: stop: {key}: CRITERIA {result}")
    }

    pub(super) fn unverifiable(&self, claim: &Claim, why: &Unreadable) -> Printable {
        let claimed = list(claim.entries.iter().map(|entry| {
            match &entry.meaning {
                Meaning::Paths(readings) => readings
                    .first()
                    .map_or_else(|| Untrusted::new(""), |reading| name(&reading.target)),
                Meaning::Unresolvable(_) => Untrusted::new(&entry.raw),
            }
        }));
        let why = Untrusted::shown(why);
        let Self { key, source } = self;
        printable!(
            "attest: stop: {key}: CLAIMED [{claimed}] OBSERVED [(none)] -> UNVERIFIABLE: {why} \
             [source={source}]"
        )
    }

    /// What the agent's tools say of the paths without a change, one line each.
    pub(super) fn tools(&self, verdict: &Verdict) -> Vec<Printable> {
        let known = verdict
            .unchanged()
            .filter(|found| found.testimony.is_some());
        known
            .map(|found| printable!("attest: stop: {}: TOOLS: {}", self.key, statement(found)))
            .collect()
    }

    pub(super) fn advice(&self, advice: &Advice) -> Printable {
        printable!("attest: stop: {}: ADVICE: {advice}", self.key)
    }

    pub(super) fn blocked(&self, verdict: &Verdict) -> Printable {
        printable!(
            "attest: stop: {}: BLOCKED false DONE: {}",
            self.key,
            proofs(verdict)
        )
    }

    pub(super) fn not_blocking(&self, code: ReasonCode) -> Printable {
        let key = &self.key;
        match code {
            ReasonCode::AllowCounterNotDurable => printable!(
                "attest: stop: {key}: would block but counter persist failed — failing open \
                 (no block)"
            ),
            code => printable!(
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
            let unchanged = list(unchanged.map(|found| Untrusted::new(&found.claimed)));
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
    list(names.map(|name| format!("criterion \"{}\"", Untrusted::new(name))))
}

fn paths(verdict: &Verdict) -> String {
    list(verdict.proofs().map(|found| Untrusted::new(&found.claimed)))
}

fn name(target: &Target) -> Untrusted<'_> {
    match target {
        Target::File(text) | Target::Dir(text) => Untrusted::new(text),
        Target::Rename { from, to } => Untrusted::shown(format_args!("{from} -> {to}")),
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
