//! Reading transcripts, several at once, each in memory that does not grow with it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use attest_claim::{Claim, Status};
use attest_host::{About, Host, Object, Of};
use attest_transcript::{Kept, Report, read_kept};
use jiff::Timestamp;

use super::kept::KeptFile;
use crate::ui::progress::Bar;

/// The longest that one transcript is read.
const PATIENCE: Duration = Duration::from_mins(1);

/// What one transcript says.
pub(super) struct Session {
    pub(super) host: &'static dyn Host,
    pub(super) path: PathBuf,
    pub(super) about: About,
    pub(super) is_subagent: bool,
    /// When its first line was written.
    pub(super) began: Option<Timestamp>,
    /// Final reports in the time that is looked at.
    pub(super) reports: usize,
    /// Those that claim something.
    pub(super) claims: usize,
    /// Those that say DONE and name files.
    pub(super) done: Vec<Done>,
    pub(super) touched: Vec<String>,
    /// Why a file that is not found proves nothing.
    pub(super) doubt: Option<String>,
}

/// A report that says DONE and names files.
pub(super) struct Done {
    pub(super) claim: Claim,
    pub(super) at: Option<Timestamp>,
    pub(super) line: u64,
}

/// What was read, and what could not be.
#[derive(Default)]
pub(super) struct Sessions {
    pub(super) all: Vec<Session>,
    pub(super) unreadable: usize,
}

/// Reads them all, in the order in which they are given.
pub(super) fn all(files: &[KeptFile], since: Timestamp) -> Sessions {
    let bar = Bar::of_bytes(
        files.iter().map(|file| file.bytes).sum(),
        "reading sessions",
    );
    let next = AtomicUsize::new(0);
    let work = || {
        let mut read = Vec::new();
        while let Some((at, file)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            files.get(at).map(|file| (at, file))
        } {
            read.push((at, session(file, since)));
            bar.add(file.bytes);
        }
        read
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut read = thread::scope(|scope| {
        let others: Vec<_> = (1..threads)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok())
            .collect();
        let mut read = work();
        for other in others {
            // A thread that died took its part with it, which is then not read.
            read.extend(other.join().unwrap_or_default());
        }
        read
    });
    drop(bar);
    read.sort_by_key(|(at, _)| *at);
    let count = read.len();
    let all: Vec<_> = read
        .into_iter()
        .filter_map(|(_, session)| session)
        .collect();
    let unreadable = files.len() - count + (count - all.len());
    Sessions { all, unreadable }
}

/// What a final message is, as far as it is kept.
enum Said {
    /// It claims something, and nothing of it is looked for.
    Other,
    Done(Box<Claim>),
}

fn session(file: &KeptFile, since: Timestamp) -> Option<Session> {
    let mut about = About::default();
    let mut look = |line: &Object<'_>| (file.kept.of_line)(line, &mut about);
    let deadline = Instant::now() + PATIENCE;
    let forms = file.host.transcripts();
    let kept = read_kept(&file.path, forms, deadline, &mut look, &said).ok()?;
    if let Some(folder) = &file.folder {
        about.folders.push(folder.clone());
    }
    let is_subagent = file.of == Of::Subagent || about.agent.is_some();
    let doubt = doubt(&kept, &about);
    let is_in_time = |at: Option<&str>| moment(at).is_none_or(|at| at >= since);
    let messages = kept.messages.iter().filter(|at| is_in_time(at.as_deref()));
    let messages = messages.count();
    let has_last = kept
        .messages
        .last()
        .is_some_and(|at| is_in_time(at.as_deref()));
    let counts = |report: &Report<Said>| {
        is_in_time(report.at.as_deref()) && (!is_subagent || report.is_last)
    };
    let reports: Vec<_> = kept.reports.into_iter().filter(counts).collect();
    Some(Session {
        host: file.host,
        path: file.path.clone(),
        is_subagent,
        began: moment(kept.began.as_deref()),
        reports: if is_subagent {
            has_last.into()
        } else {
            messages
        },
        claims: reports.len(),
        done: reports.into_iter().filter_map(done).collect(),
        touched: kept.touched,
        doubt,
        about,
    })
}

/// Reads a final message; `None` if it claims nothing.
fn said(text: &str) -> Option<Said> {
    let claim = attest_claim::parse(text);
    let is_done = claim.status == Some(Status::Done) && !claim.entries.is_empty();
    if !claim.is_claim() {
        None
    } else if is_done {
        Some(Said::Done(Box::new(claim)))
    } else {
        Some(Said::Other)
    }
}

fn done(report: Report<Said>) -> Option<Done> {
    let Said::Done(claim) = report.claim else {
        return None;
    };
    Some(Done {
        claim: *claim,
        at: moment(report.at.as_deref()),
        line: report.line,
    })
}

/// Why the transcript does not show all that its agent can have written.
fn doubt(kept: &Kept<Said>, about: &About) -> Option<String> {
    if let Some(unseen) = &kept.unseen {
        return Some(unseen.to_string());
    }
    if let Some(gap) = kept.gap {
        return Some(format!("its transcript was not read in full: {gap}"));
    }
    if about.goes_on {
        return Some("it goes on from a conversation in another file".to_owned());
    }
    let more = about.has_more_folders;
    more.then(|| "it worked in more folders than are looked at".to_owned())
}

fn moment(at: Option<&str>) -> Option<Timestamp> {
    at?.parse().ok()
}
