//! What an audit found, in the form in which it is printed.

use std::collections::BTreeSet;

use jiff::Timestamp;
use serde::Serialize;

/// Reports that are listed.
const MOST_REPORTS: usize = 200;

/// What came of all sessions.
#[derive(Default, Serialize)]
pub(super) struct Audit {
    pub(super) since: Timestamp,
    /// The folders of the hosts.
    pub(super) folders: Vec<String>,
    pub(super) transcripts: usize,
    pub(super) packed: usize,
    pub(super) unreadable: usize,
    pub(super) reports: usize,
    pub(super) claims: usize,
    /// Reports that name files which are said to have changed.
    pub(super) named: usize,
    /// Reports that name a file of which nothing is found, and could be.
    pub(super) not_found: Vec<Report>,
    /// How many there are that are not in the list.
    pub(super) more_not_found: usize,
    /// The same where only a program that was not read may have made it.
    pub(super) unread: Vec<Report>,
    pub(super) more_unread: usize,
    /// The same where something else unseen may have.
    pub(super) doubtful: Vec<Report>,
    pub(super) more_doubtful: usize,
    pub(super) not_looked_at: Vec<NotLookedAt>,
    pub(super) is_installed: bool,
    pub(super) is_interrupted: bool,
}

/// A folder of sessions that cannot be looked at.
#[derive(Serialize)]
pub(super) struct NotLookedAt {
    pub(super) folder: String,
    pub(super) why: String,
    pub(super) reports: usize,
}

impl Audit {
    /// Counts reports of a folder that cannot be looked at.
    pub(super) fn leave_out(&mut self, folder: String, why: String, reports: usize) {
        let mut known = self.not_looked_at.iter_mut();
        match known.find(|it| it.folder == folder && it.why == why) {
            Some(known) => known.reports += reports,
            None => self.not_looked_at.push(NotLookedAt {
                folder,
                why,
                reports,
            }),
        }
    }

    /// Puts the lists in order when all is in them.
    pub(super) fn settle(&mut self) {
        self.more_not_found = settle(&mut self.not_found);
        self.more_unread = settle(&mut self.unread);
        self.more_doubtful = settle(&mut self.doubtful);
        self.not_looked_at.sort_by(|a, b| {
            let most = b.reports.cmp(&a.reports);
            most.then_with(|| (&a.folder, &a.why).cmp(&(&b.folder, &b.why)))
        });
    }
}

/// Leaves the newest, each once: a conversation that was forked has the same report in two files. Says how many more
/// there are.
fn settle(list: &mut Vec<Report>) -> usize {
    list.sort_by(|a, b| {
        b.at.cmp(&a.at)
            .then_with(|| a.transcript.cmp(&b.transcript))
    });
    let mut seen = BTreeSet::new();
    list.retain(|it| it.at.is_none() || seen.insert((it.at, it.host, it.files.clone())));
    let more = list.len().saturating_sub(MOST_REPORTS);
    list.truncate(MOST_REPORTS);
    more
}

/// A report with files of which nothing is found.
#[derive(Serialize)]
pub(super) struct Report {
    pub(super) at: Option<Timestamp>,
    pub(super) host: &'static str,
    pub(super) session: Option<String>,
    pub(super) agent: Option<String>,
    pub(super) agent_type: Option<String>,
    pub(super) is_subagent: bool,
    pub(super) repository: String,
    pub(super) transcript: String,
    pub(super) line: u64,
    pub(super) files: Vec<MissingFile>,
    pub(super) more_files: usize,
    /// Why it proves nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) why: Option<String>,
}

/// A path with the line of the report that names it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(super) struct MissingFile {
    pub(super) path: String,
    pub(super) line: String,
}
