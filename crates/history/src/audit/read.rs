//! Reading transcripts, several at once, each in memory that does not grow with it.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use attest_claim::{Claim, Status};
use attest_host::{About, Host, Object, Of};
use attest_snapshot::Budget;
use attest_transcript::{self as transcript, Said, Whose};
use jiff::Timestamp;

use super::kept::KeptFile;
use attest_base::ui::progress::Bar;

/// Bytes that are kept of an entry of a claim, and for each byte of a path that was written.
const ENTRY: usize = 512;
const PART: usize = 40;
/// What a byte that is kept costs, so that all together are an eighth of what may be gone through.
const KEPT: usize = 8;

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
pub(super) fn all(files: &[KeptFile], since: Timestamp, budget: &Budget) -> Sessions {
    let kept = budget.afresh();
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
            read.push((at, session(file, since, &kept)));
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

/// What a transcript says. One that there is no time left for, or no room, is not read.
fn session(file: &KeptFile, since: Timestamp, room: &Budget) -> Option<Session> {
    if room.is_over() {
        return None;
    }
    let mut about = About::default();
    let mut look = |line: &Object<'_>| -> Whose { (file.kept.of_line)(line, &mut about) };
    let forms = file.host.profile().transcripts;
    let budget = room.afresh();
    let kept = transcript::Session::read(&file.path, forms, &budget, &mut look).ok()?;
    if let Some(folder) = &file.folder {
        about.folders.push(folder.clone());
    }
    let is_subagent = file.of == Of::Subagent || about.agent.is_some();
    let doubt = doubt(&kept, &about);
    let is_in_time = |said: &&Said| moment(said.at.as_deref()).is_none_or(|at| at >= since);
    // Of a subagent only the last report counts.
    let messages: Vec<_> = if is_subagent {
        let last = kept.final_messages().next_back();
        last.into_iter().filter(is_in_time).collect()
    } else {
        kept.final_messages().filter(is_in_time).collect()
    };
    let of_paths = kept.touched().map(|path| path.len() * PART);
    room.take(of_paths.sum::<usize>() * KEPT).ok()?;
    let mut claims = Vec::new();
    for said in &messages {
        let claim = attest_claim::parse(&said.text);
        if claim.is_claim() {
            let bytes = claim.raw.len() + claim.entries.len() * ENTRY;
            room.take(bytes * KEPT).ok()?;
            claims.push((said, claim));
        }
    }
    Some(Session {
        host: file.host,
        path: file.path.clone(),
        is_subagent,
        began: moment(kept.began.as_deref()),
        reports: messages.len(),
        claims: claims.len(),
        done: claims.into_iter().filter_map(done).collect(),
        touched: kept.touched().map(str::to_owned).collect(),
        doubt,
        about,
    })
}

/// A report that says DONE and names files.
fn done((said, claim): (&&Said, Claim)) -> Option<Done> {
    let is_done = claim.status == Some(Status::Done) && !claim.entries.is_empty();
    is_done.then(|| Done {
        claim,
        at: moment(said.at.as_deref()),
        line: said.line,
    })
}

/// Why the transcript does not show all that its agent can have written.
fn doubt(kept: &transcript::Session, about: &About) -> Option<String> {
    if let Some(unseen) = kept.unseen() {
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
