//! What the agent wrote, took back itself, and claims all the same. It may have had a reason, so it is told and disproves
//! nothing.

use std::cell::LazyCell;
use std::collections::BTreeMap;
use std::fmt;

use attest_claim::TakingBack;

use crate::facts::Since;
use crate::lost::{short, time};
use crate::missing::MOST_FILES;
use crate::{Finding, Gone, Verdict, Was};

/// A file that is again what it was when the agent began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBack {
    /// How the agent wrote it.
    pub was: Was,
    /// Its later call that puts the file back.
    pub by: Gone,
}

/// Behind the name of the file, as one sentence.
impl fmt::Display for TakenBack {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Gone { what, who, at } = &self.by;
        let (what, at) = (short(what), time(at.as_deref()));
        write!(
            out,
            "{} and is again what it was at the start; `{what}` of {who}{at} may have undone it",
            self.was
        )
    }
}

/// What is known of claimed files that are there without a change, by how they are claimed. A report that speaks of
/// taking back may say so of them.
pub(crate) fn taken_back(
    since: &dyn Since,
    verdict: &Verdict,
    message: &str,
) -> BTreeMap<String, TakenBack> {
    let unchanged = verdict.findings.iter().filter(|found| {
        let is_certain = found.doubt.is_none() && !found.is_deletion;
        is_certain
            && found.is_unchanged()
            && found.finding == Finding::Present
            && verdict.counts(found)
    });
    let said = LazyCell::new(|| TakingBack::of(message));
    let names = unchanged
        .take(MOST_FILES)
        .map(|found| found.claimed.as_str());
    let names: Vec<_> = names.filter(|name| !said.may_be_of(name)).collect();
    if names.is_empty() {
        return BTreeMap::new();
    }
    since.search().taken_back(&names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Who;

    #[test]
    fn the_sentence_says_what_was_done_and_by_what_it_may_be_undone() {
        let taken = TakenBack {
            was: Was::Written {
                tool: "Edit".to_owned(),
                at: Some("2026-01-01T14:02:11Z".to_owned()),
            },
            by: Gone {
                what: "git checkout\n -- a.py".to_owned(),
                who: Who::Itself,
                at: Some("2026-01-01T14:05:10.123Z".to_owned()),
            },
        };
        assert_eq!(
            taken.to_string(),
            "was written at 14:02:11 UTC (Edit) and is again what it was at the start; `git checkout -- a.py` of the \
             agent itself at 14:05:10 UTC may have undone it"
        );
    }
}
