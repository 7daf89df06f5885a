//! A verdict for somebody who must not see whose it is: words of attest and numbers, no path and no word of the report.

use attest_base::ui::word;
use attest_state::history::{CriteriaResult, Judged, Side};

use crate::history::Found;

pub(super) fn text(found: &Found) -> String {
    let (entry, detail) = (&found.entry, &found.detail);
    let mut text = String::new();
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<10} {value}\n"));
    let (version, system, processor) = (
        env!("CARGO_PKG_VERSION"),
        std::env::consts::OS,
        std::env::consts::ARCH,
    );
    line("attest", format!("{version}, {system}, {processor}"));
    line("outcome", entry.outcome.to_string());
    line("decision", entry.reason.to_string());
    if let Some(said) = entry.disputed {
        line("a person", format!("says: {said}"));
    }
    if let Some(answer) = &found.answer {
        line("then", answer.fate.to_string());
    }
    line("sent back", format!("{} times before", entry.blocks_before));
    if let Some(claim) = &detail.claim {
        let status = claim.status.map_or("none", |status| status.as_str());
        line(
            "claim",
            format!("form {}, status {status}", word(&claim.form)),
        );
        let source = detail.source.as_deref().filter(|it| *it == "transcript");
        line("read from", source.unwrap_or("payload").to_owned());
    }
    for judged in &detail.findings {
        line("finding", finding(judged));
    }
    let criteria = detail.criteria.as_ref().map(|it| match it.result {
        CriteriaResult::Met => "met",
        CriteriaResult::NotMet => "not met",
        CriteriaResult::NotChecked => "not checked",
        CriteriaResult::Skipped => "nothing to check",
    });
    if let Some(criteria) = criteria {
        line("criteria", criteria.to_owned());
    }
    let sides = [("at start", &detail.start), ("at stop", &detail.stop)];
    for (name, side) in sides {
        if let Some(side) = side {
            line(name, self::side(side));
        }
    }
    let (changed, unclaimed) = (detail.delta.count, detail.unclaimed.count);
    line(
        "changed",
        format!("{changed} paths, {unclaimed} not claimed"),
    );
    line(
        "calls",
        format!("{} that wrote, or may have", detail.calls.count),
    );
    if detail.unreadable.is_some() {
        line("unreadable", "the work tree".to_owned());
    }
    let policy = &detail.policy;
    let agents = match &policy.agents {
        None => "all types".to_owned(),
        Some(agents) => format!("{} types", agents.len()),
    };
    let enforced = if policy.enforce { "on" } else { "off" };
    line("enforced", format!("{enforced}, {agents}"));
    let strict = serde_json::to_value(policy.strict).unwrap_or_default();
    let strict = strict.as_object().into_iter().flatten();
    let strict = strict.filter(|(_, is_on)| **is_on == true);
    let strict: Vec<_> = strict.map(|(word, _)| word.as_str()).collect();
    let strict = if strict.is_empty() {
        "none".to_owned()
    } else {
        strict.join(", ")
    };
    line("strict", strict);
    text
}

fn finding(judged: &Judged) -> String {
    let mut text = format!("{} of {}", word(&judged.finding), word(&judged.kind));
    // A word of attest's own, or of a version that this one does not know.
    let doubt = judged.doubt.as_deref().filter(|doubt| {
        doubt
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    });
    if let Some(doubt) = doubt {
        text.push_str(&format!(", doubt {doubt}"));
    }
    if judged.is_proof {
        text.push_str(", which disproves the DONE");
    }
    text
}

fn side(side: &Side) -> String {
    let head = match (&side.head, &side.branch) {
        (None, _) => "no commit",
        (Some(_), None) => "detached",
        (Some(_), Some(_)) => "on a branch",
    };
    format!("{head}, {} paths uncommitted", side.differing)
}
