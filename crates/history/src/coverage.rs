//! How much of what agents reported could be judged.

use attest_claim::Kind;
use attest_state::history::{Coverage, Share};

use attest_base::ui::counted;

/// The share of stops at which something could be judged, and by what claims are about: nothing for a history of an
/// earlier attest, which did not record it. Kinds that nobody claims are not named.
pub(super) fn sentence(coverage: &Coverage) -> Option<String> {
    let Share { stops, judged, .. } = coverage.all;
    let kinds = Kind::ALL.into_iter().filter_map(|kind| {
        let count = coverage
            .kinds
            .get(&kind)
            .copied()
            .filter(|count| *count > 0)?;
        Some(format!("{} at {}", kind.as_str(), part(count, stops)))
    });
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    let kinds = if kinds.is_empty() {
        kinds
    } else {
        format!(": {kinds}")
    };
    (stops > 0).then(|| {
        let of = counted(stops as usize, "stop");
        format!(
            "something that was claimed could be judged at {judged} of {of} ({}){kinds}",
            percent(coverage.all)
        )
    })
}

/// The share in whole percent; a dash for no stops.
pub(super) fn percent(share: Share) -> String {
    part(share.judged, share.stops)
}

pub(super) fn part(some: u32, stops: u32) -> String {
    if stops == 0 {
        return "-".to_owned();
    }
    let part = f64::from(some) * 100.0 / f64::from(stops);
    format!("{part:.0}%")
}

/// How many claimed something of those that were asked for it, and of those that were not.
pub(super) fn of_asked(coverage: &Coverage) -> Option<String> {
    let of = |share: Share| {
        format!(
            "{} of {}",
            share.claims,
            counted(share.stops as usize, "stop")
        )
    };
    (coverage.asked.stops > 0).then(|| {
        let rest = match coverage.not_asked {
            Share { stops: 0, .. } => String::new(),
            share => format!(", and in {} of those that were not", of(share)),
        };
        let asked = of(coverage.asked);
        format!("agents that were asked for a report claimed something in {asked}{rest}")
    })
}
