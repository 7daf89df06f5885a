//! What a verdict rests on, as a hook records it.

use std::collections::BTreeMap;

use attest_claim::{Claim, Kind};
use attest_state::history::{Change, Detail, Judged, Listed, Side};
use attest_verdict::{Finding, Outcome, ReasonCode};

use crate::Stop;

/// Claims by their text: many agents say the same, and reading it takes longest.
#[derive(Debug, Default)]
pub(crate) struct Claims(BTreeMap<String, Claim>);

impl Claims {
    fn of(&mut self, stop: &Stop) -> Claim {
        let has = |kind| stop.claims.iter().any(|(it, _)| *it == kind);
        let mut text = format!("Status: DONE\nFiles changed: {}\n", stop.files.join(", "));
        if has(Kind::Checks) {
            text += "Tests: `pytest` passed\n";
        }
        if has(Kind::Commits) {
            text += "Commits: 4f2a9c1\n";
        }
        if has(Kind::Tree) {
            text += "Working tree: clean\n";
        }
        let read = || attest_claim::parse(&text);
        self.0.entry(text.clone()).or_insert_with(read).clone()
    }
}

/// Everything that the verdict on a stop rests on.
pub(crate) fn of(stop: &Stop, claims: &mut Claims) -> Detail {
    let mut detail = Detail {
        has_agent_id: true,
        host_was_continuing: stop.blocks_before > 0,
        ..Detail::default()
    };
    detail.policy.enforce = stop.reason != ReasonCode::AllowNotEnforcing;
    if !stop.is_claim() {
        return detail;
    }
    detail.source = Some("payload".to_owned());
    detail.claim = Some(claims.of(stop));
    if stop.outcome == Outcome::Unverifiable {
        detail.unreadable = Some("the index cannot be read".to_owned());
        return detail;
    }
    detail.findings = findings(stop);
    let is_there = |it: &&Judged| it.kind == Kind::Files && it.finding == Finding::Changed;
    let written = detail.findings.iter().filter(is_there);
    let more = (stop.outcome == Outcome::ScopeCreep).then_some("src/cache.tmp");
    let written = written.map(|it| it.claimed.as_str()).chain(more);
    let written: Vec<_> = written.map(str::to_owned).collect();
    detail.delta = Listed::of(written.into_iter(), |path| Change {
        path,
        is_deleted: false,
    });
    detail.unclaimed = Listed::of(more.into_iter(), str::to_owned);
    let side = |at: jiff::Timestamp| Side {
        taken_at: at.as_nanosecond().try_into().unwrap_or(0),
        head: Some("8f14e45fceea167a5a36dedd4bea2543b1b2c3d4".to_owned()),
        branch: Some("refs/heads/main".to_owned()),
        differing: usize::from(stop.reason == ReasonCode::AllowAmbiguous) * 2,
        of_hosts: 0,
    };
    detail.start = Some(side(stop.started));
    detail.stop = Some(side(stop.at));
    if stop.outcome == Outcome::Blocked {
        let what =
            "attest: the report says Status: DONE, but the git work tree disproves part of it";
        detail.block = Some(what.to_owned());
    }
    detail
}

fn findings(stop: &Stop) -> Vec<Judged> {
    let mut all = Vec::new();
    for (kind, is_so) in &stop.claims {
        if *kind == Kind::Files {
            let last = stop.files.len().saturating_sub(1);
            let files = stop.files.iter().enumerate();
            all.extend(files.map(|(number, file)| {
                let is_so = if number == last { *is_so } else { Some(true) };
                judged(Kind::Files, file, is_so)
            }));
        } else {
            let what = match kind {
                Kind::Commits => "4f2a9c1",
                Kind::Checks => "pytest",
                Kind::Reads => "docs/style.md",
                _ => "clean",
            };
            all.push(judged(*kind, what, *is_so));
        }
    }
    all
}

fn judged(kind: Kind, claimed: &str, is_so: Option<bool>) -> Judged {
    let (finding, doubt) = match (kind, is_so) {
        (Kind::Files, Some(true)) => (Finding::Changed, None),
        (Kind::Files, Some(false)) => (Finding::Absent, None),
        (Kind::Files, None) => (Finding::Unproven, Some("IGNORED")),
        (Kind::Commits, Some(true)) => (Finding::CommitFound, None),
        (Kind::Commits, Some(false)) => (Finding::CommitMissing, None),
        (Kind::Checks, Some(true)) => (Finding::CheckSeen, None),
        (Kind::Checks, Some(false)) => (Finding::CheckFailed, None),
        (Kind::Reads, Some(true)) => (Finding::FileRead, None),
        (Kind::Reads, Some(false)) => (Finding::NotOpened, None),
        (Kind::Tree, Some(true)) => (Finding::TreeClean, None),
        (Kind::Tree, Some(false)) => (Finding::TreeDirty, None),
        _ => (Finding::NotJudged, Some("CALLS_UNKNOWN")),
    };
    // What a person allows to count against a DONE, of whom most things may.
    let proves = matches!(
        finding,
        Finding::Absent | Finding::CommitMissing | Finding::CheckFailed
    );
    Judged {
        kind,
        claimed: claimed.to_owned(),
        finding,
        why: None,
        doubt: doubt.map(str::to_owned),
        testimony: None,
        is_proof: proves,
    }
}
