//! Files for which an agent was sent back, that are still not there, and that its next message goes on to claim: told,
//! and no proof.

use std::collections::BTreeSet;
use std::fmt;

use attest_claim::{Status, insisted};
use jiff::Timestamp;

use crate::facts::{Facts, Since, Unseen};
use crate::lost::time;
use crate::missing::whereabouts;
use crate::weigh::weigh_since;
use crate::{Finding, Report, Strict, quoted};

/// A stop that was sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SentBack {
    /// When.
    pub at: Timestamp,
    /// The paths that were proven absent, as the report named them.
    pub absent: Vec<String>,
}

/// A path that is still claimed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again {
    /// The path.
    pub path: String,
    /// When the stop was sent back for it.
    pub at: Timestamp,
}

/// As one sentence.
impl fmt::Display for Again {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, at) = (quoted(&self.path), time(Some(&self.at.to_string())));
        write!(
            out,
            "{path}, for which the stop was sent back{at}, is still not there"
        )
    }
}

/// The paths for which the stop before this one was sent back and that are still absent, of those that the report goes on
/// to call there by name or without one, or all of them if it says that all is done and nothing else. `since` is the agent's
/// start, if that was compared.
pub(crate) fn still_claimed<'f>(
    report: &Report,
    facts: &'f dyn Facts,
    since: &mut Option<Box<dyn Since + 'f>>,
    strict: Strict,
) -> Result<Vec<Again>, Unseen> {
    let (message, claim) = (&report.message, &report.claim);
    let is_open = matches!(claim.status, Some(Status::Blocked | Status::NeedsContext));
    let Some(sent) = facts.sent_back().filter(|_| !is_open) else {
        return Ok(Vec::new());
    };
    let since = match since {
        Some(since) => since,
        none => none.insert(facts.since_start()?),
    };
    let said = insisted(message, claim);
    let files = said.files.iter();
    let named: BTreeSet<_> = files.map(|name| since.paths().name(name)).collect();
    let mut held = sent.absent;
    let is_of_all = said.is_of_all || said.is_of_it && held.len() == 1;
    held.retain(|path| is_of_all || named.contains(path));
    if held.is_empty() {
        return Ok(Vec::new());
    }
    let listed = format!("Status: DONE\nFiles created:\n- {}", held.join("\n- "));
    let verdict = weigh_since(&attest_claim::parse(&listed), strict, &mut **since, facts)?;
    let known = whereabouts(&**since, &verdict, message);
    let absent = verdict.findings.iter().filter(|found| {
        let is_proven = found.finding == Finding::Absent && found.doubt.is_none();
        is_proven && held.contains(&found.claimed) && !known.contains_key(&found.claimed)
    });
    let again = absent.map(|found| Again {
        path: found.claimed.clone(),
        at: sent.at,
    });
    Ok(again.collect())
}
