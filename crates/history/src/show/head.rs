//! What stands above the sections: the fields of a verdict, a line each.

use attest_claim::Claim;
use attest_snapshot::escaped;
use attest_state::history::{Answer, Detail, Entry, Noticed};
use attest_verdict::{Fate, Outcome};
use jiff::Timestamp;

use crate::cost;
use crate::look_up::Found;
use crate::names::{agent_name, short_id};
use crate::repository::shown_repository;
use attest_base::time::{self, ago};
use attest_base::ui::{FAINT, counted, duration, hanging, shown_as, styled};

pub(super) fn head(found: &Found, width: Option<usize>) -> String {
    let (entry, detail) = (&found.entry, &found.detail);
    let field = |name: &str, value: &str| {
        let lead = styled(FAINT, format_args!("{name:<10}"));
        hanging(&format!("{lead} "), value, width)
    };
    let safe = |text: &str| escaped(text.as_bytes());
    let kind = entry
        .agent_type
        .as_deref()
        .map_or_else(String::new, |kind| format!(" ({})", safe(kind)));
    let agent = agent_name(&entry.agent_id, None);
    let (style, mark) = shown_as(entry.outcome, entry.is_to_look_at());
    let outcome = styled(style, format!("{mark} {}", entry.outcome));
    let decision = format!("{}: {}", entry.reason, entry.reason.meaning());
    let disputed = entry.disputed;
    let disputed = disputed.map(|said| format!("a person says: {said}"));
    let repository = entry.repository.as_deref();
    let claim = detail.claim.as_ref();
    let said = |of: fn(&Claim) -> &Option<String>| claim.and_then(|claim| of(claim).as_deref());
    let fields = [
        ("verdict", Some(entry.id.clone())),
        ("outcome", Some(outcome)),
        ("decision", Some(decision)),
        ("disputed", disputed),
        ("then", found.answer.as_ref().map(|it| then(entry, it))),
        ("cost", found.spent.as_ref().map(cost::in_words)),
        ("notice", found.noticed.map(after_notice)),
        ("agent", Some(format!("{agent}{kind}"))),
        ("task", entry.task.as_deref().map(safe)),
        ("session", Some(safe(&entry.session_id))),
        ("time", Some(moment(&entry.at))),
        ("repository", repository.map(shown_repository)),
        ("claim", claim.map(|claim| claimed(claim, detail))),
        ("blockers", said(|claim| &claim.blockers).map(safe)),
        ("ran_tests", said(|claim| &claim.ran_tests).map(safe)),
    ];
    let running = detail.left_running.iter();
    let running = running.map(|command| ("running", Some(safe(command))));
    let fields = fields.into_iter().chain(running);
    let fields = fields.filter_map(|(name, value)| Some(field(name, &value?)));
    fields.collect()
}

/// What became of a block: when, what, and what that came to.
fn then(block: &Entry, answer: &Answer) -> String {
    let fate = answer.fate;
    let Some(next) = &answer.next else {
        return format!("{fate}: {}", fate.meaning());
    };
    let what = match fate {
        Fate::Fixed => "what was missing is there",
        Fate::Withdrawn => "the claim was withdrawn, as a whole or in part",
        Fate::Repeated => "the same was claimed again",
        Fate::Unanswered => "a stop that could not be judged",
    };
    let end = match next.outcome {
        Outcome::Blocked | Outcome::SentBack => ", and sent back once more",
        Outcome::Mismatch => ", and let go",
        _ => "",
    };
    let at: Result<Timestamp, _> = block.at.parse();
    let after = at.map(|at| duration(next.at.duration_since(at)));
    let after = after
        .map(|after| format!("{after} later, "))
        .unwrap_or_default();
    let id = short_id(&next.id);
    format!("{fate}: {after}{what}{end} (verdict {id})")
}

/// What was seen after the parent was told, and no more: who made a file is not known, nor whether it has another name.
fn after_notice(noticed: Noticed) -> String {
    let Noticed { missing, there } = noticed;
    let seen = match (there, missing) {
        (1, 1) => "the missing file was there".to_owned(),
        (0, 1) => "the missing file was not found".to_owned(),
        (there, missing) if there == missing => format!("all {missing} missing files were there"),
        (0, missing) => format!("none of {missing} missing files was found"),
        (there, missing) => format!("{there} of {missing} missing files were there"),
    };
    format!("the parent was told; at the end of its turn {seen}")
}

/// A stored time, and how long ago that was.
fn moment(at: &str) -> String {
    let time: Result<Timestamp, _> = at.parse();
    let shown = time.map(|at| format!("{} ({})", time::second(at), ago(at, Timestamp::now())));
    shown.unwrap_or_else(|_| escaped(at.as_bytes()))
}

fn claimed(claim: &Claim, detail: &Detail) -> String {
    let status = claim.status.map_or("no status", |status| status.as_str());
    let paths = counted(claim.entries.len(), "path");
    let source = detail.source.as_deref().unwrap_or("payload");
    format!("{status}, {paths}, from the {source}")
}
