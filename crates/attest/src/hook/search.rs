//! Where files may be that are not on disk: what the calls of the agent and of others, the folders and git tell of them.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use attest_snapshot::{Back, Change, Comparison, Doubt, RepoPath, Trace, path_bytes};
use attest_state::{Agent, Store};
use attest_transcript::{Call, ToolCalls};
use attest_verdict::{EvidenceSource as _, Removal, Search, Sought, TakenBack, Was};

use super::alike::{are_alike, is_same, last_name, last_part};
use super::own_writes::OwnWrites;
use super::transcript::Transcript;
use super::witnesses::Witnesses;

/// What is looked at to find files, as far as it was needed.
pub(super) struct FileSearch<'a> {
    store: &'a Store,
    agent: &'a Agent,
    transcript: &'a Transcript<'a>,
    comparison: &'a Comparison<'a>,
    witnesses: &'a OnceCell<Witnesses>,
    own_writes: OnceCell<Option<OwnWrites>>,
}

impl<'a> FileSearch<'a> {
    pub(super) fn new(
        (store, agent): (&'a Store, &'a Agent),
        transcript: &'a Transcript<'a>,
        comparison: &'a Comparison<'a>,
        witnesses: &'a OnceCell<Witnesses>,
    ) -> Self {
        Self {
            store,
            agent,
            transcript,
            comparison,
            witnesses,
            own_writes: OnceCell::new(),
        }
    }

    /// What the calls of the agent wrote, if its transcript is known.
    fn own_writes(&self) -> Option<&OwnWrites> {
        let read = || {
            let session = self.transcript.settled()?;
            let root = &self.comparison.start().root;
            Some(OwnWrites::of(&session, self.transcript, root))
        };
        self.own_writes.get_or_init(read).as_ref()
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

    /// Where the path that a tool was given may be, if it is that of this name and nothing is there now. A name in another
    /// folder is not that of the same file, wherever the agent began.
    fn gone(&self, path: &str, name: &str) -> Option<Vec<String>> {
        if last_name(path).is_none_or(|last| !are_alike(last, last_part(name))) {
            return None;
        }
        let places = self
            .transcript
            .absolute(path, &self.comparison.start().root);
        let named = |place: &PathBuf| self.comparison.name(&place.to_string_lossy());
        let (lacking, others): (Vec<_>, Vec<_>) = places.partition(|place| self.lacks(place));
        let found = lacking.iter().map(named);
        let found: Vec<_> = found.filter(|it| is_same(it, name)).collect();
        let is_gone = if is_same(path, name) {
            others.is_empty()
        } else {
            !found.is_empty()
        };
        is_gone.then_some(found)
    }

    /// The last call of the agent that reported to have written each of these files, as far as one surely names it.
    fn last_writes<'c, 'n>(
        &self,
        calls: &'c ToolCalls,
        names: &[&'n str],
    ) -> BTreeMap<&'n str, &'c Call> {
        let root = &self.comparison.start().root;
        let ends: BTreeSet<_> = names.iter().map(|name| last_part(name)).collect();
        let names: BTreeSet<_> = names.iter().copied().collect();
        let mut written = BTreeMap::new();
        for call in calls.calls.iter().filter(|call| call.has_written()) {
            let path = call.path.as_deref().unwrap_or_default();
            if !ends.contains(last_part(path)) {
                continue;
            }
            let places = self.transcript.absolute(path, root);
            let shown = places.map(|place| self.comparison.name(&place.to_string_lossy()));
            let shown: BTreeSet<_> = shown.collect();
            let only = shown.first().filter(|_| shown.len() == 1);
            if let Some(name) = only.and_then(|only| names.get(only.as_str())) {
                written.insert(*name, call);
            }
        }
        written
    }

    fn is_gone(&self, path: &str, name: &str) -> bool {
        self.gone(path, name).is_some()
    }

    /// Whether there is certainly nothing at the place.
    fn lacks(&self, place: &Path) -> bool {
        self.transcript.context.limits.may_look(place).is_ok() && is_gone(place)
    }
}

impl Search for FileSearch<'_> {
    /// A call that failed wrote nothing.
    fn own_write(&self, name: &str) -> Option<(Was, Vec<String>)> {
        let writes = self.own_writes()?;
        let mut wrote = writes.of_tools(name);
        let wrote = wrote.find_map(|(call, path)| Some((written_by(call), self.gone(path, name)?)));
        if wrote.is_some() {
            return wrote;
        }
        // A command may have changed its folder first: then it wrote in one of two.
        let is_there = |path: &str| is_same(path, name) && !self.is_gone(path, name);
        if writes.command_for(name, is_there).is_some() {
            return None;
        }
        let paths = RefCell::default();
        let (command, at) = writes.command_for(name, |path| {
            let found = self.gone(path, name);
            found.map(|found| paths.replace(found)).is_some()
        })?;
        let at = at.map(str::to_owned);
        Some((Was::ToBeWritten { command, at }, paths.take()))
    }

    fn taken_back(&self, names: &[&str]) -> BTreeMap<String, TakenBack> {
        let session = self.transcript.settled().filter(|_| self.has_all_calls());
        let Some(session) = session else {
            return BTreeMap::new();
        };
        let written = self.last_writes(&session.tool_calls, names);
        let paths = written.keys().filter_map(|name| {
            let path = RepoPath::from_git(name.as_bytes())?;
            self.comparison.is_tracked(&path).then_some((path, *name))
        });
        let paths: BTreeMap<_, _> = paths.collect();
        let back = self.comparison.back(&paths.keys().collect::<Vec<_>>());
        let back = back.unwrap_or_default().into_iter();
        let back = back.filter(|(_, back)| *back == Back::Nowhere);
        let taken = back.filter_map(|(path, _)| {
            let name = paths.get(path)?;
            let call = written.get(name)?;
            let since = call.at.as_deref();
            let by = self.witnesses().putting_back(Sought { name, since })?;
            let was = written_by(call);
            Some(((*name).to_owned(), TakenBack { was, by }))
        });
        taken.collect()
    }

    fn met(&self, name: &str) -> Option<Was> {
        self.witnesses().met(name)
    }

    fn removal(&self, sought: Sought<'_>) -> Option<Removal> {
        self.witnesses().removal(sought)
    }

    fn moved(
        &self,
        name: &str,
        removal: Option<&Removal>,
        changed: &[(RepoPath, Change)],
    ) -> Option<(String, Option<RepoPath>)> {
        let content = self.witnesses().content(name);
        if let Some(path) = content.and_then(|content| self.comparison.changed_to(content)) {
            return Some((path.to_string(), Some(path)));
        }
        let to = removal?.to.as_deref()?;
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let root = &self.comparison.start().root;
        let places = self.transcript.absolute(to, root);
        let places = places.flat_map(|place| [place.join(base), place]);
        let may_look = |place: &Path| self.transcript.context.limits.may_look(place).is_ok();
        let mut places = places.into_iter();
        let place = places.find(|place| may_look(place) && is_file(place))?;
        let text = place.strip_prefix(root).unwrap_or(&place).to_string_lossy();
        let mut changed = changed.iter().map(|(path, _)| path);
        let path = changed.find(|path| is_same(&path.to_string(), &text));
        let shown = path.map_or_else(|| text.to_string(), ToString::to_string);
        Some((shown, path.cloned()))
    }

    fn may_be_own_removal(&self, sought: Sought<'_>) -> bool {
        self.witnesses().may_be_own(sought)
    }

    fn may_be_removed_by_others(&self, name: &str) -> bool {
        self.witnesses().may_be_of_others(name)
    }

    fn has_all_calls(&self) -> bool {
        self.transcript.settled().is_some() && self.transcript.has_all()
    }

    fn may_be_written(&self, name: &str) -> bool {
        let root = &self.comparison.start().root;
        let writes = self.own_writes();
        writes.is_none_or(|writes| writes.may_be(name, root))
    }

    fn may_be_made(&self, name: &str) -> bool {
        let session = self.transcript.settled();
        session.is_some_and(|session| session.tool_calls.may_have_written(name))
    }

    fn has_others(&self) -> bool {
        self.witnesses().has_others
    }

    fn is_alone(&self) -> bool {
        self.witnesses().is_alone
    }

    fn cut(&self) -> Option<Doubt> {
        self.witnesses().cut.get().map(|why| (*why).into())
    }

    fn trace(&self, name: &str) -> Trace {
        self.comparison.trace(name, self.has_others())
    }

    fn renamed_one<'p>(&self, paths: &'p [RepoPath]) -> Option<(&'p RepoPath, i64)> {
        self.comparison.moved_of(paths)
    }

    fn keeps_a_file_of_no_name(&self) -> bool {
        self.comparison.keeps_a_file_of_no_name()
    }
}

fn written_by(call: &Call) -> Was {
    let (tool, at) = (call.tool.clone(), call.at.clone());
    Was::Written { tool, at }
}

fn is_gone(place: &Path) -> bool {
    let metadata = fs::symlink_metadata(place);
    matches!(metadata, Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory))
}

fn is_file(place: &Path) -> bool {
    fs::symlink_metadata(place).is_ok_and(|it| !it.is_dir()) && !path_bytes(place).is_empty()
}
