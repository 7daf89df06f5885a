//! Reading transcripts, several at once, each in memory that does not grow with it.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use attest_claim::{Claim, Status};
use attest_host::{About, Host, Object, Of};
use attest_shell::Place;
use attest_snapshot::{Budget, Doubt};
use attest_transcript::{self as transcript, Said, Whose, Written};
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
    /// Whether no report was reached.
    pub(super) is_cut: bool,
    /// Final reports in the time that is looked at.
    pub(super) reports: usize,
    /// Those that claim something.
    pub(super) claims: usize,
    /// Those that name files which are said to have changed.
    pub(super) named: Vec<Named>,
    pub(super) touched: Vec<String>,
    /// Where commands may have written more than they name, by [`ends`].
    pub(super) around: HashSet<String>,
    /// Why a file that is not found proves nothing.
    pub(super) doubt: Option<Doubt>,
}

/// A report that names files which are said to have changed.
pub(super) struct Named {
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
    let cut = all.iter().filter(|session| session.is_cut).count();
    let unreadable = files.len() - count + (count - all.len()) + cut;
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
    let is_in_time = |said: &&Said| moment(said.at.as_deref()).is_none_or(|at| at >= since);
    // Of a subagent only the last report counts.
    let messages: Vec<_> = if is_subagent {
        let last = kept.final_messages().next_back();
        last.into_iter().filter(is_in_time).collect()
    } else {
        kept.final_messages().filter(is_in_time).collect()
    };
    let written = kept.tool_calls.written();
    let (touched, around) = places(&kept, written.found());
    let of_paths = touched.iter().chain(&around).map(|path| path.len() * PART);
    room.take(of_paths.sum::<usize>() * KEPT).ok()?;
    let may_have_written = may_have_written(file.host, &kept, &about);
    let (mut claims, mut named) = (0, Vec::new());
    for said in &messages {
        let claim = attest_claim::parse(&said.text);
        claims += usize::from(claim.is_claim());
        if let Some(claim) = of_changes(claim, &said.text, may_have_written) {
            let bytes = claim.raw.len() + claim.entries.len() * ENTRY;
            room.take(bytes * KEPT).ok()?;
            named.push(Named {
                claim,
                at: moment(said.at.as_deref()),
                line: said.line,
            });
        }
    }
    let doubt = match named.as_slice() {
        [] => None,
        _ => doubt(&kept, &about)
            .or_else(|| written.complete().err().cloned())
            .or_else(|| kept.unread().map(Doubt::ProgramUnread)),
    };
    Some(Session {
        host: file.host,
        path: file.path.clone(),
        is_subagent,
        began: moment(kept.began.as_deref()),
        is_cut: kept.gap.is_some() && kept.final_messages().next().is_none(),
        reports: messages.len(),
        claims,
        named,
        touched,
        around,
        doubt,
        about,
    })
}

/// What a report says to have changed: its list, or else its sentences, as at a stop.
fn of_changes(claim: Claim, message: &str, may_have_written: bool) -> Option<Claim> {
    let is_list = match claim.status {
        Some(Status::Done) => true,
        Some(_) => return None,
        None => claim.says_what_was_done,
    };
    if is_list && !claim.entries.is_empty() {
        return Some(claim);
    }
    let said = may_have_written.then(|| attest_claim::said(message))?;
    attest_claim::Said::claim(&said, message)
}

/// Whether what its sentences say of files may be of its own work.
fn may_have_written(host: &dyn Host, kept: &transcript::Session, about: &About) -> bool {
    let agent_type = about.agent_type.as_deref();
    let only_reads = agent_type.is_some_and(|agent_type| host.only_reads(agent_type));
    !only_reads && !kept.offers_no_writer(host.profile().transcripts)
}

/// The files that its calls name, and the last parts of the folders in which they may have written others.
fn places(kept: &transcript::Session, written: &[Written<'_>]) -> (Vec<String>, HashSet<String>) {
    let mut touched: Vec<_> = kept.touched().map(str::to_owned).collect();
    let mut around = HashSet::new();
    for place in written {
        let Written::Place(place) = place else {
            continue;
        };
        match place {
            Place::Exact(text)
            | Place::Removed(text)
            | Place::Staged(text)
            | Place::Elsewhere(text) => touched.push(text.clone()),
            Place::Moved { from, to } => {
                touched.extend([from.clone(), to.clone()]);
                around.extend(ends(to));
            }
            Place::Around(text) => around.extend(ends(text)),
            // Those are doubts of their own, or in the commits that are looked at.
            Place::Program { .. } | Place::Brought => {}
        }
    }
    (touched, around)
}

/// The last part of a place, and that of the folder which it is in. A dot stands for the folder of the agent; nothing,
/// for a place that is this folder itself.
fn ends(place: &str) -> impl Iterator<Item = String> {
    let place = attest_snapshot::fold(&place.replace('\\', "/"));
    let mut parts = place
        .rsplit('/')
        .filter(|part| !part.is_empty() && *part != ".");
    let last = parts.next().unwrap_or_default().to_owned();
    let above = parts.next().unwrap_or(".").to_owned();
    [last, above].into_iter()
}

/// Why the transcript does not show all that its agent can have written.
fn doubt(kept: &transcript::Session, about: &About) -> Option<Doubt> {
    let why = if let Some(unseen) = kept.unseen() {
        unseen.to_string()
    } else if let Some(gap) = kept.gap {
        format!("its transcript was not read in full: {gap}")
    } else if about.goes_on {
        "it goes on from a conversation in another file".to_owned()
    } else if about.has_more_folders {
        "it worked in more folders than are looked at".to_owned()
    } else {
        return None;
    };
    Some(Doubt::UnknownPlace(why))
}

fn moment(at: Option<&str>) -> Option<Timestamp> {
    at?.parse().ok()
}
