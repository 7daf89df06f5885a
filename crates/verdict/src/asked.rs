//! What the prompt of an agent says has to be there in the end, below "Done when:".

use attest_claim::{Denied, Status, Wanted};
use attest_evidence::{Change, PathEvidence, Touch};

use crate::facts::{Facts, Since};
use crate::missing::{MOST_FILES, may_have_been};
use crate::{Report, Unmet, may_write};

/// What the prompt asks for and is certainly not there.
pub(crate) fn unmet(report: &Report, since: &mut dyn Since, facts: &dyn Facts) -> Vec<Unmet> {
    // An agent that says it is not done may leave something out.
    if !matches!(report.claim.status, None | Some(Status::Done)) {
        return Vec::new();
    }
    let mut open = open(since, facts.wanted());
    // One that was told more may have been told to leave something out.
    if open.is_empty() || !facts.has_one_prompt() || is_reader(facts) {
        return Vec::new();
    }
    let denied = Denied::of(&report.message);
    open.retain(|it| !denied.has(&it.wanted.path));
    if open.is_empty() {
        return Vec::new();
    }
    since.add_calls();
    open = still_open(since, open);
    let running = facts.running();
    let may_come = |path: &str| running.iter().any(|command| may_write(command, path));
    open.retain(|it| !may_come(&it.wanted.path));
    if !open.is_empty() {
        let wanted: Vec<_> = open.iter().map(|it| &it.wanted).collect();
        // A prompt may name a file from a folder that it speaks of elsewhere.
        let mut are_nowhere = since.are_nowhere(&wanted).into_iter();
        open.retain(|_| are_nowhere.next() == Some(true));
    }
    open.truncate(MOST_FILES);
    let search = since.search();
    open.retain(|it| it.is_there || !may_have_been(&*search, since.root(), &it.wanted.path));
    open.into_iter().map(Open::told).collect()
}

/// Whether the agent is one that only reads, whose prompt has what others are to do.
fn is_reader(facts: &dyn Facts) -> bool {
    let session = facts.whole_session();
    session.is_some_and(|session| facts.only_reads(&session))
}

/// Something that is asked for and was not found.
struct Open {
    wanted: Wanted,
    /// Whether the file is there, without the text.
    is_there: bool,
}

impl Open {
    fn told(self) -> Unmet {
        let why = if self.is_there {
            "the file does not contain it"
        } else {
            "it is not on disk"
        };
        Unmet {
            name: self.wanted.name(),
            why: why.to_owned(),
            is_of_prompt: true,
        }
    }
}

fn still_open(since: &dyn Since, open_now: Vec<Open>) -> Vec<Open> {
    open(since, open_now.into_iter().map(|it| it.wanted).collect())
}

/// What of it was not found, as far as the work tree alone tells.
fn open(since: &dyn Since, wanted: Vec<Wanted>) -> Vec<Open> {
    let open = wanted.into_iter().filter_map(|wanted| {
        let place = match since.paths().evidence_for(&wanted.path) {
            PathEvidence::Absent(_) => {
                let is_there = false;
                return Some(Open { wanted, is_there });
            }
            PathEvidence::Changed {
                path,
                change: Change::Written,
            } => path.under(since.root())?,
            PathEvidence::OnDisk {
                path,
                touch: Touch::Untouched,
                ..
            } => path,
            _ => return None,
        };
        let text = wanted.contains.as_deref()?;
        since.lacks(&place, text).then_some(Open {
            wanted,
            is_there: true,
        })
    });
    open.collect()
}
