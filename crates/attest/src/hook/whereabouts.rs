//! Where claimed files are that are not on disk: what was written and is gone is no lie, and others are at work too.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use attest_snapshot::{Comparison, Trace, path_bytes};
use attest_state::{Agent, Store};
use attest_transcript::{Call, CallKind, Outcome, Place, ToolCalls, Written};
use attest_verdict::{
    ClaimFinding, Doubt, EvidenceSource as _, Finding, Gone, Lost, Tools, Verdict, Was,
    Whereabouts, quoted,
};
use jiff::Timestamp;

use super::transcript::Transcript;
use super::witnesses::{Sought, Witnesses, are_alike, is_same, last_part};

/// Claimed files that are looked for.
const MOST_FILES: usize = 100;
/// Folders in which nothing is meant to stay.
const TEMPORARY: [&str; 8] = [
    "tmp",
    "temp",
    ".tmp",
    ".temp",
    "scratch",
    ".scratch",
    "scratchpad",
    "tmpdir",
];

/// Where systems have folders of that kind.
const SYSTEM: [&str; 4] = ["/tmp", "/var/tmp", "/var/folders", "/private/tmp"];

/// What is looked at to find claimed files, as far as it was needed.
pub(super) struct Search<'a> {
    store: &'a Store,
    agent: &'a Agent,
    transcript: &'a Transcript<'a>,
    comparison: &'a Comparison<'a>,
    witnesses: OnceCell<Witnesses>,
    leftover: OnceCell<Option<String>>,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        store: &'a Store,
        agent: &'a Agent,
        transcript: &'a Transcript<'a>,
        comparison: &'a Comparison<'a>,
    ) -> Self {
        Self {
            store,
            agent,
            transcript,
            comparison,
            witnesses: OnceCell::new(),
            leftover: OnceCell::new(),
        }
    }

    /// What is known of the claimed paths that are not on disk.
    pub(super) fn of(&self, verdict: &Verdict) -> BTreeMap<String, Whereabouts> {
        let missing = verdict.findings.iter().filter(|found| found.is_missing());
        let found = missing.take(MOST_FILES).filter_map(|missing| {
            let known = self.find(missing, verdict)?;
            Some((missing.claimed.clone(), known))
        });
        found.collect()
    }

    /// Whether a file that the agent was asked for was there, or may have been.
    pub(super) fn may_have_been(&self, path: &str) -> bool {
        let missing = Missing {
            name: path,
            is_proof: true,
        };
        self.whereabouts(missing, None).is_some()
    }

    /// Says what may have removed files that the agent wrote and does not claim: what is found under another name, or
    /// lay below a temporary folder or outside of the work tree, is not lost.
    pub(super) fn explain(&self, tools: &mut Tools) {
        let root = &self.comparison.start().root;
        for (path, _) in std::mem::take(&mut tools.lost) {
            let named = tools.names.get(&path).unwrap_or(&path);
            if is_temporary(named, root) || Path::new(named).is_absolute() {
                continue;
            }
            let sought = Sought {
                name: named,
                since: None,
            };
            let removal = self.witnesses().removal(sought);
            if self.moved(named, removal.as_ref(), None).is_none() {
                tools.lost.insert(path, removal.map(|(gone, _)| gone));
            }
        }
    }

    fn find(&self, found: &ClaimFinding, verdict: &Verdict) -> Option<Whereabouts> {
        let missing = Missing {
            name: found.claimed.rsplit(" -> ").next()?,
            is_proof: found.finding == Finding::Absent,
        };
        self.whereabouts(missing, Some(verdict))
    }

    fn whereabouts(&self, missing: Missing<'_>, verdict: Option<&Verdict>) -> Option<Whereabouts> {
        let root = &self.comparison.start().root;
        let session = self.transcript.settled();
        let calls = session.as_ref().map(|session| &session.tool_calls);
        let own = calls.and_then(|calls| self.own_write(calls, missing.name));
        if own.is_none() && !missing.is_proof {
            return None;
        }
        if own.is_some() && is_temporary(missing.name, root) {
            return Some(Whereabouts::Doubted(Doubt::Temporary));
        }
        let witnesses = self.witnesses();
        let was = own.or_else(|| witnesses.met(missing.name));
        let Some(was) = was else {
            let doubt = self.doubt(missing.name, verdict);
            return doubt.map(Whereabouts::Doubted);
        };
        let sought = Sought {
            name: missing.name,
            since: was.at(),
        };
        let removal = witnesses.removal(sought);
        if let Some(moved) = self.moved(missing.name, removal.as_ref(), verdict) {
            return Some(moved);
        }
        let doubt = match &was {
            Was::Written { .. } if witnesses.may_be_own(sought) => Some(Doubt::OwnRemoval),
            Was::Written { .. } if !self.transcript.has_all() => Some(Doubt::CallsUnknown),
            Was::Written { .. } => (!witnesses.is_alone).then_some(Doubt::PerhapsOthers),
            _ => Some(Doubt::NotSeenWritten),
        };
        Some(Whereabouts::Lost(Lost {
            was,
            gone: removal.map(|(gone, _)| gone),
            doubt,
        }))
    }

    fn witnesses(&self) -> &Witnesses {
        self.witnesses.get_or_init(|| {
            let start = self.comparison.start();
            let mut trees = vec![start.root.clone()];
            for tree in [start, self.comparison.stop()] {
                trees.extend(tree.worktrees.iter().map(|other| other.path.clone()));
            }
            Witnesses::of(self.transcript, self.store, self.agent, &trees)
        })
    }

    /// The last call of the agent that wrote a file of this name, or was to, where nothing is now. A call that
    /// failed wrote nothing.
    fn own_write(&self, calls: &ToolCalls, name: &str) -> Option<Was> {
        let wrote = |call: &&Call| {
            let path = call
                .path
                .as_deref()
                .filter(|_| call.kind == CallKind::Write);
            call.result == Outcome::Ok && path.is_some_and(|path| self.is_gone(path, name))
        };
        if let Some(call) = calls.calls.iter().rfind(wrote) {
            let (tool, at) = (call.tool.clone(), call.at.clone());
            return Some(Was::Written { tool, at });
        }
        let (command, at) = calls.command_for(|path| is_same(path, name))?;
        let at = at.map(str::to_owned);
        Some(Was::ToBeWritten { command, at })
    }

    /// Whether the path that a tool was given is that of this name, and nothing is there now. A name in another
    /// folder is not that of the same file, wherever the agent began.
    fn is_gone(&self, path: &str, name: &str) -> bool {
        if last_name(path).is_none_or(|last| !are_alike(last, last_part(name))) {
            return false;
        }
        let root = &self.comparison.start().root;
        let places = || self.transcript.absolute(path, root);
        if is_same(path, name) {
            return places().all(|place| self.lacks(&place));
        }
        places().any(|place| {
            is_same(&self.comparison.name(&place.to_string_lossy()), name) && self.lacks(&place)
        })
    }

    /// Whether there is certainly nothing at the place.
    fn lacks(&self, place: &Path) -> bool {
        self.transcript.context.limits.may_look(place).is_ok() && is_gone(place)
    }

    /// Where what was written went, if it is found under another name.
    fn moved(
        &self,
        name: &str,
        removal: Option<&(Gone, Option<String>)>,
        verdict: Option<&Verdict>,
    ) -> Option<Whereabouts> {
        let content = self.witnesses().content(name);
        if let Some(path) = content.and_then(|content| self.comparison.changed_to(content)) {
            return Some(Whereabouts::Moved {
                to: moved_to(&path.to_string()),
                path: Some(path),
            });
        }
        let (_, to) = removal?;
        let to = to.as_deref()?;
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let root = &self.comparison.start().root;
        let places = self.transcript.absolute(to, root);
        let places = places.flat_map(|place| [place.join(base), place]);
        let may_look = |place: &Path| self.transcript.context.limits.may_look(place).is_ok();
        let mut places = places.into_iter();
        let place = places.find(|place| may_look(place) && is_file(place))?;
        let text = place.strip_prefix(root).unwrap_or(&place).to_string_lossy();
        let changed = verdict.into_iter().flat_map(|it| &it.observed);
        let mut changed = changed.map(|(path, _)| path);
        let path = changed.find(|path| is_same(&path.to_string(), &text));
        let to = path.map_or_else(|| text.to_string(), ToString::to_string);
        Some(Whereabouts::Moved {
            to: moved_to(&to),
            path: path.cloned(),
        })
    }

    /// Why it is not certain that a file was never there of which nothing is known.
    fn doubt(&self, name: &str, verdict: Option<&Verdict>) -> Option<Doubt> {
        if let Some(why) = self.witnesses().cut.get() {
            return Some(attest_snapshot::Doubt::from(*why).into());
        }
        let session = self.transcript.settled();
        let calls = session.as_ref().map(|session| &session.tool_calls);
        let is_known = calls.is_some() && self.transcript.has_all();
        if is_known && !calls.is_some_and(|calls| self.may_have_written(calls, name)) {
            return None;
        }
        let witnesses = self.witnesses();
        let has_others = witnesses.has_others;
        match self.comparison.trace(name, has_others) {
            Trace::AtRest => None,
            // A command of somebody may have taken what a command of the agent may have made.
            _ if is_known => witnesses
                .may_be_of_others(name)
                .then_some(Doubt::MayBeRemoved),
            Trace::NameGone(_) if has_others => Some(Doubt::MayBeRemoved),
            Trace::NameGone(at) => Some(Doubt::NameGone(time(at))),
            Trace::Changed => self.leftover(verdict).map(Doubt::Leftover),
        }
    }

    /// What else shows that something is gone that was there since the start.
    fn leftover(&self, verdict: Option<&Verdict>) -> Option<String> {
        let find = || {
            let claimed = verdict.into_iter().flat_map(|it| &it.findings);
            let missing = claimed.filter(|it| it.is_missing()).take(MOST_FILES);
            let has_others = self.witnesses().has_others;
            let mut traces = missing.map(|it| self.comparison.trace(&it.claimed, has_others));
            let gone = traces.find_map(|trace| match trace {
                Trace::NameGone(at) => Some(format!(
                    "something was removed from another folder of the list at {}",
                    time(at)
                )),
                _ => None,
            });
            let moved = || {
                let (path, at) = self.comparison.moved_of(&verdict?.unclaimed)?;
                let path = quoted(&path.to_string());
                Some(format!(
                    "{path} was given another name, right or time at {}",
                    time(at)
                ))
            };
            let kept = || {
                let keeps = self.comparison.keeps_a_file_of_no_name();
                keeps.then(|| "git keeps a content that no commit and no index names".to_owned())
            };
            gone.or_else(moved).or_else(kept)
        };
        self.leftover.get_or_init(find).clone()
    }

    /// Whether a call of the agent that may write more than it names ran where it may have written the file.
    fn may_have_written(&self, calls: &ToolCalls, name: &str) -> bool {
        let root = &self.comparison.start().root;
        let file = root.join(name);
        let written = calls.written();
        let is_above = |place: &Path| {
            file.starts_with(place) || place.parent().is_some_and(|it| file.starts_with(it))
        };
        !written.is_complete()
            || written.found().iter().any(|written| match written {
                Written::Place(Place::Around(path)) => {
                    let mut places = self.transcript.absolute(path, root);
                    places.any(|place| is_above(&place))
                }
                Written::Place(Place::Removed(_) | Place::Staged(_) | Place::Program { .. }) => {
                    false
                }
                Written::Place(
                    Place::Exact(path) | Place::Elsewhere(path) | Place::Moved { to: path, .. },
                ) => is_same(path, name),
                Written::File(path) | Written::Elsewhere(path) => is_same(path, name),
            })
    }
}

/// The last name that a path has, whatever is left again by "..". One without any names a folder.
fn last_name(path: &str) -> Option<&str> {
    let last = last_part(path);
    if !matches!(last, "" | "." | "..") {
        return Some(last);
    }
    let mut left = 0;
    path.rsplit(['/', '\\']).find(|part| match *part {
        "" | "." => false,
        ".." => {
            left += 1;
            false
        }
        _ if left > 0 => {
            left -= 1;
            false
        }
        _ => true,
    })
}

/// A claimed path that is not on disk.
#[derive(Clone, Copy)]
struct Missing<'a> {
    name: &'a str,
    /// Whether its absence would disprove the claim.
    is_proof: bool,
}

/// A moment in nanoseconds since the epoch.
fn time(at: i64) -> String {
    let at = Timestamp::from_nanosecond(i128::from(at)).unwrap_or_default();
    at.strftime("%H:%M:%S UTC").to_string()
}

fn moved_to(place: &str) -> String {
    format!("what was written to it is in {}", quoted(place))
}

/// Leaves out what lay below a temporary folder, where no work tree tells more.
pub(super) fn leave_out_temporary(tools: &mut Tools) {
    let names = &tools.names;
    tools.lost.retain(|path, _| {
        let shown = names.get(path).unwrap_or(path);
        !is_temporary(shown, Path::new(""))
    });
}

/// Whether nothing is meant to stay at the place.
fn is_temporary(name: &str, root: &Path) -> bool {
    let path = Path::new(name);
    let inside = path.strip_prefix(root).unwrap_or(path);
    let is_outside = inside.is_absolute();
    let mut folders = inside.parent().into_iter().flat_map(Path::components);
    let is_named = folders.any(|folder| {
        let folder = folder.as_os_str().to_string_lossy().to_lowercase();
        TEMPORARY.contains(&folder.as_str())
    });
    is_named || is_outside && SYSTEM.iter().any(|folder| inside.starts_with(folder))
}

fn is_gone(place: &Path) -> bool {
    let metadata = fs::symlink_metadata(place);
    matches!(metadata, Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
}

fn is_file(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok_and(|it| !it.is_dir()) && !path_bytes(place).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_a_path_is_one_that_nothing_leaves_again() {
        for (path, name) in [
            ("/w/a.py", Some("a.py")),
            ("src/b/../a.py", Some("a.py")),
            ("src/a.py/b/..", Some("a.py")),
            ("a/b/../..", None),
            ("..", None),
            ("a.py/.", Some("a.py")),
        ] {
            assert_eq!(last_name(path), name, "{path}");
        }
    }

    #[test]
    fn what_lies_below_a_temporary_folder_is_not_meant_to_stay() {
        let root = Path::new("/w/tmp/repo");
        for name in ["tmp/a.py", "src/.scratch/a.py", "/w/tmp/repo/Temp/a.py"] {
            assert!(is_temporary(name, root), "{name}");
        }
        for name in [
            "tmp.py",
            "src/a.py",
            "/w/tmp/repo/src/a.py",
            "templates/tmp",
        ] {
            assert!(!is_temporary(name, root), "{name}");
        }
    }
}
