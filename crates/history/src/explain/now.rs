//! What a verdict comes to in one sentence, and what the person can do about it.

use attest_claim::Kind;
use attest_snapshot::escaped;
use attest_state::history::{Answer, Detail, Entry, Judged, Said};
use attest_verdict::{Finding, Outcome, ReasonCode, Unmet};

use super::pages::{advice_of, capital};
use super::rests_on::some;
use crate::look_up::Found;
use crate::names::short_id;
use attest_base::ui::counted;

/// What the outcome says, and how much of the claim it rests on.
pub(super) fn headline(entry: &Entry, detail: &Detail) -> String {
    let claims = || detail.findings.iter().filter(|judged| is_claim(judged));
    let all = claims().count();
    let held = claims()
        .filter(|judged| judged.finding.holds() && !is_contradicted(judged, detail))
        .count();
    let proofs = detail.findings.iter().filter(|judged| judged.is_proof);
    let proofs = proofs.count();
    let claims = |count: usize| match (count, all) {
        (1, 1) => "the claim".to_owned(),
        (2, 2) => "both claims".to_owned(),
        (count, all) if count == all => format!("all {all} claims"),
        (count, all) => format!("{count} of {all} claims"),
    };
    let verb = |count: usize, one: &str, more: &str| if count == 1 { one } else { more }.to_owned();
    let all_hold = || format!("{} {}", claims(held), verb(held, "holds", "hold"));
    match entry.outcome {
        Outcome::Ok if held == 0 => "nothing speaks against the report".to_owned(),
        Outcome::Ok => all_hold(),
        Outcome::ScopeCreep if all == 0 => {
            let changed = counted(detail.unclaimed.count, "path");
            format!("no file is claimed, and {changed} changed")
        }
        Outcome::ScopeCreep => {
            let more = counted(detail.unclaimed.count, "path");
            format!(
                "{}, and {more} changed that no claim accounts for",
                all_hold()
            )
        }
        Outcome::Warn => {
            let open = all - held;
            let is_unchanged =
                |judged: &Judged| is_file(judged) && judged.finding != Finding::StillThere;
            let shows = if detail.findings.iter().all(is_unchanged) {
                verb(open, "shows no change", "show no change")
            } else {
                verb(open, "is not borne out", "are not borne out")
            };
            format!("{} {shows}, which disproves nothing", claims(open))
        }
        Outcome::Mismatch | Outcome::Blocked => {
            format!("{} {} disproved", claims(proofs), verb(proofs, "is", "are"))
        }
        Outcome::SentBack => "a gate sent the agent back, and no claim is disproved".to_owned(),
        Outcome::Unverifiable => "it could not be seen what changed".to_owned(),
        Outcome::NoClaim => "the report makes no claim that can be checked".to_owned(),
        Outcome::NoSnapshot => "the start of the agent was not seen".to_owned(),
    }
}

fn is_file(judged: &Judged) -> bool {
    judged.kind == Kind::Files
}

/// Whether it is a claim of its own, and not what a claimed file holds.
fn is_claim(judged: &Judged) -> bool {
    judged.kind != Kind::Content
}

/// Whether what a claimed file holds speaks against it.
fn is_contradicted(claim: &Judged, detail: &Detail) -> bool {
    let mut findings = detail.findings.iter();
    claim.kind == Kind::Files
        && findings
            .any(|it| !is_claim(it) && it.claimed == claim.claimed && it.finding.contradicts())
}

/// What the person can do.
pub(super) fn advice(found: &Found) -> Vec<String> {
    let (entry, detail) = (&found.entry, &found.detail);
    let is_called_honest = match entry.disputed {
        Some(said) => said == Said::Honest,
        None => entry.reason == ReasonCode::AllowDisputed,
    };
    let mut advice = match &found.answer {
        _ if is_called_honest => {
            vec!["Nothing: a person says that the agent was honest.".to_owned()]
        }
        Some(Answer { fate, next: None }) => vec![advice_of(fate.as_str()).to_owned()],
        _ => of_outcome(entry, detail),
    };
    if entry.outcome.is_false_done() {
        let id = short_id(&entry.id);
        let issue = format!("`attest show {id} --redact` is for an issue.");
        advice.push(match entry.disputed {
            None if !is_called_honest => {
                format!("If the report was true, say so: `attest dispute {id} --honest`; {issue}")
            }
            _ => issue,
        });
        advice.push("Anything else: `attest explain questions`.".to_owned());
    }
    let mend = detail.criteria.as_ref();
    let mend = mend.and_then(|checked| checked.mend.as_deref());
    advice.extend(mend.map(|mend| format!("{}.", capital(&escaped(mend.as_bytes())))));
    advice.extend(of_criteria(detail));
    advice
}

/// What the person can do about criteria that are not met.
fn of_criteria(detail: &Detail) -> Vec<String> {
    let unmet = detail.unmet();
    let (of_prompt, of_file): (Vec<_>, Vec<_>) = unmet.iter().partition(|it| it.is_of_prompt);
    let names = |open: &[&Unmet]| {
        let names = open.iter().map(|unmet| &unmet.name);
        (!open.is_empty()).then(|| some(names, open.len()))
    };
    let of_file = names(&of_file).map(|names| format!("`attest check` shows why {names} fails."));
    let of_prompt = names(&of_prompt).map(|names| format!("The prompt asks for {names}."));
    let sends_back = detail.policy.criteria_send_back || unmet.is_empty();
    let block = (!sends_back).then(|| {
        "`ATTEST_CHECK=block` sends such a report of DONE back, with enforcement.".to_owned()
    });
    [of_file, of_prompt, block].into_iter().flatten().collect()
}

/// What is found of files and proves nothing unless a word of `ATTEST_STRICT` says so.
const COUNTED_IF_ASKED: [(Finding, &str, &str); 2] = [
    (
        Finding::Untouched,
        "a claimed file that was never written",
        "untouched",
    ),
    (Finding::Lost, "a file that was there and is gone", "lost"),
];

fn of_outcome(entry: &Entry, detail: &Detail) -> Vec<String> {
    let id = short_id(&entry.id);
    let names = |of: &dyn Fn(&&Judged) -> bool| {
        let found: Vec<_> = detail.findings.iter().filter(of).collect();
        let names = found.iter().map(|judged| &judged.claimed);
        (!found.is_empty()).then(|| some(names, found.len()))
    };
    let is_to_look_at = entry.is_to_look_at();
    let look =
        "Look at what was seen yourself: it was told of, and is no claim of a list.".to_owned();
    match entry.outcome {
        Outcome::Ok if is_to_look_at => vec![look],
        Outcome::NoClaim if is_to_look_at => {
            vec![look, advice_of(entry.outcome.as_str()).to_owned()]
        }
        Outcome::Ok => vec![format!(
            "Nothing. `attest show {id}` has everything that was recorded."
        )],
        Outcome::ScopeCreep => {
            let unclaimed = detail.unclaimed.first.iter();
            let names = some(unclaimed, detail.unclaimed.count);
            vec![format!(
                "Check {names}: the report does not mention the change."
            )]
        }
        Outcome::Warn => {
            let open = names(&|judged| !judged.finding.holds());
            let open = open.map(|names| format!("Look at {names} yourself."));
            let is_asked = |finding: &Finding| finding.disproves(detail.policy.strict);
            let not_asked = COUNTED_IF_ASKED
                .iter()
                .filter(|(finding, ..)| !is_asked(finding));
            let strict = not_asked.filter_map(|(finding, what, word)| {
                let is_there = names(&|judged| is_file(judged) && judged.finding == *finding);
                is_there.map(|_| {
                    format!(
                        "To have {what} count as a false DONE, put `{word}` into ATTEST_STRICT."
                    )
                })
            });
            open.into_iter().chain(strict).collect()
        }
        Outcome::Mismatch => mismatch(entry, detail, names(&|judged| judged.is_proof)),
        Outcome::Blocked => vec![
            "Nothing: the agent was told, and its next stop has a verdict of its own.".to_owned(),
            format!("`attest show {id}` has the words that it was told."),
        ],
        Outcome::SentBack => vec![
            "Nothing: the agent was told, and its next stop has a verdict of its own.".to_owned(),
            format!("`attest show {id}` has what the gate asked for."),
        ],
        Outcome::Unverifiable | Outcome::NoClaim | Outcome::NoSnapshot => {
            vec![advice_of(entry.outcome.as_str()).to_owned()]
        }
    }
}

fn mismatch(entry: &Entry, detail: &Detail, missing: Option<String>) -> Vec<String> {
    let mut advice = Vec::new();
    if let Some(names) = missing {
        advice.push(format!(
            "Do not build on the report: ask for {names}, or for a report without it."
        ));
    }
    if !detail.policy.enforce {
        let kind = entry.agent_type.as_deref().unwrap_or("TYPE");
        let kind = escaped(kind.as_bytes());
        advice.push(format!(
            "`attest enforce on --agent {kind}` sends such a report back to its agent."
        ));
    }
    advice
}
