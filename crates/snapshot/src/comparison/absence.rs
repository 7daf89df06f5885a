//! Whether a missing path, or a file unchanged since the start, proves that nothing was done.

use std::path::Path;

use super::knowledge::Made;
use super::names::Names;
use super::{Comparison, unreadable};
use crate::place::Places;
use crate::presence::{self, Obstacle, Presence};
use crate::{
    Change, ChangedElsewhere, Doubt, LinkedWorktree, PathEvidence, ReaderKind, RepoPath, Touch,
};
use crate::{path_bytes, touch};

impl Comparison<'_> {
    /// Nothing is at any of the paths. Does that prove that nothing was done?
    pub(super) fn absence(&self, paths: &[RepoPath]) -> PathEvidence {
        let mut same_basename = None;
        for path in paths {
            match self.check_absence(path) {
                Ok(None) => {}
                Ok(Some(seen @ PathEvidence::SameBasename { .. })) => {
                    same_basename = Some(match same_basename {
                        Some(before) => best_of(before, seen),
                        None => seen,
                    });
                }
                Ok(Some(seen)) => return seen,
                Err(doubt) => return PathEvidence::Inconclusive(doubt),
            }
        }
        match (same_basename, paths.first()) {
            (Some(mut same), _) => {
                let mut all = paths.iter();
                if let PathEvidence::SameBasename { is_gone, doubt, .. } = &mut same
                    && let Err(beside) = all.try_for_each(|it| self.check_beside(it))
                {
                    *is_gone = false;
                    beside.add_to(doubt);
                }
                same
            }
            (None, Some(path)) => match paths.iter().try_for_each(|it| self.check_beside(it)) {
                Ok(()) => PathEvidence::Absent(path.clone()),
                Err(doubt) => PathEvidence::Inconclusive(doubt),
            },
            (None, None) => PathEvidence::Inconclusive(Doubt::NoPlace),
        }
    }

    /// What a path that nothing has is the end of: it may be written from a folder that is not named. Of more files than
    /// these none is looked at.
    pub(super) fn end_of(&self, places: &Places) -> Option<PathEvidence> {
        const MOST: usize = 16;
        let end = places.relative.as_ref()?;
        let tracked = self.known_paths().and_then(|known| {
            let found = known.ending_in(end, MOST + 1);
            found.map_err(|why| unreadable(&why))
        });
        let mut found = match tracked {
            Ok(found) => found,
            Err(doubt) => return Some(PathEvidence::Inconclusive(doubt)),
        };
        let folded = end.folded()?;
        let recorded = self.recorded().same_basename(&folded);
        found.extend(recorded.filter(|it| it.is_suffix).map(|it| it.changed));
        let path = found.first()?.clone();
        let is_still =
            |path: &RepoPath| !self.start.files.contains_key(path) && self.is_untouched(path);
        let is_untouched = found.len() <= MOST && found.iter().all(is_still);
        let touch = if is_untouched {
            Touch::Untouched
        } else {
            Touch::Possible
        };
        Some(PathEvidence::EndOf { path, touch })
    }

    /// Whether the file is there, and proves that nothing was done to it.
    fn is_untouched(&self, path: &RepoPath) -> bool {
        let places = Places {
            inside: vec![path.clone()],
            ..Places::default()
        };
        let look = self.look(&places);
        let is_written = look.written().is_some() || look.doubt.is_some();
        let place = look.path().filter(|_| !is_written);
        place.is_some_and(|place| {
            let seen = self.untouched(place, &places);
            matches!(
                seen,
                PathEvidence::OnDisk {
                    touch: Touch::Untouched,
                    ..
                }
            )
        })
    }

    /// The file at `place` was not written. Does that prove that nothing was done to what the agent
    /// names?
    pub(super) fn untouched(&self, place: &Path, places: &Places) -> PathEvidence {
        let on_disk = |touch, namesakes| PathEvidence::OnDisk {
            path: place.to_owned(),
            touch,
            namesakes,
        };
        let outside = places.outside.iter().filter_map(|place| {
            let bytes = path_bytes(place);
            RepoPath::from_git(bytes.strip_prefix(b"/").unwrap_or(&bytes))
        });
        let paths: Vec<_> = match places.inside.as_slice() {
            [] => outside.collect(),
            inside => inside.to_vec(),
        };
        let mut namesakes = Vec::new();
        for path in &paths {
            let is_inside = !places.inside.is_empty();
            let way = if is_inside {
                self.check_way(path)
            } else {
                Ok(())
            };
            match way.and_then(|()| self.excuse(path)) {
                // What differed at the start may be in the index now, or no longer, and be as it was.
                Ok(_)
                    if self.mentions.is_removed_elsewhere(path)
                        || self.start.files.contains_key(path) && self.mentions.is_staged(path) =>
                {
                    return on_disk(Touch::Possible, Vec::new());
                }
                Ok(None) => {}
                Ok(Some(PathEvidence::SameBasename {
                    changed,
                    is_suffix: false,
                    doubt: None,
                    ..
                })) => namesakes = changed,
                Ok(Some(landed @ PathEvidence::ChangedElsewhere(_))) => return landed,
                Ok(Some(_)) | Err(_) => return on_disk(Touch::Possible, Vec::new()),
            }
        }
        if namesakes.is_empty() {
            on_disk(Touch::Untouched, namesakes)
        } else {
            on_disk(Touch::Possible, namesakes)
        }
    }

    fn check_absence(&self, path: &RepoPath) -> Result<Option<PathEvidence>, Doubt> {
        self.check_start(path)?;
        self.check_way(path)?;
        self.check_known(path)?;
        let excuse = self.excuse(path)?;
        if !matches!(excuse, Some(PathEvidence::ChangedElsewhere(_))) {
            let names = self.changed_names()?;
            names.check_patterns(path, &self.limits.budget)?;
        }
        // Behind all that speaks for the agent: of what only the rules leave open is told.
        let rules = self.check_rules(path).err();
        match (excuse, rules) {
            (None, Some(doubt)) => Err(doubt),
            (Some(mut seen), Some(rules)) => {
                if let PathEvidence::SameBasename { doubt, .. } = &mut seen {
                    rules.add_to(doubt);
                }
                Ok(Some(seen))
            }
            (excuse, None) => Ok(excuse),
        }
    }

    /// What git has under the name, or would not list.
    fn check_known(&self, path: &RepoPath) -> Result<(), Doubt> {
        let known = self.known_paths()?;
        let doubts = [
            (known.in_submodule(path), Doubt::OtherRepository),
            (known.is_tracked(path), Doubt::Tracked),
            (known.is_ignored(path), Doubt::Ignored),
            (known.is_ignored_folder(path), Doubt::Ignored),
        ];
        for (answer, doubt) in doubts {
            if answer.map_err(|why| unreadable(&why))? {
                return Err(doubt);
            }
        }
        Ok(())
    }

    /// What was there at the start, or may have been.
    fn check_start(&self, path: &RepoPath) -> Result<(), Doubt> {
        let is_recorded = |path: &RepoPath| {
            self.start.files.contains_key(path) || self.stop.files.contains_key(path)
        };
        let spelling = path.folded();
        let is_known = spelling.is_none_or(|path| self.recorded().get(&path).is_some());
        if is_known || path.ancestors().any(|folder| is_recorded(&folder)) {
            return Err(Doubt::KnownAtStart);
        }
        self.check_folder(path)?;
        let Some(unlisted) = &self.start.unlisted else {
            return Ok(());
        };
        match unlisted.around(path) {
            Some(folder) if unlisted.modules.contains(folder) => Err(Doubt::OtherRepository),
            Some(folder) if unlisted.ignored.contains(folder) => Err(Doubt::Ignored),
            // Nothing has changed in it, so it ignores now what it ignored then.
            Some(folder) if self.is_at_rest(folder) && folder != path => Ok(()),
            Some(_) => Err(Doubt::Unlisted),
            None => Ok(()),
        }
    }

    /// What the other readers do not record at the start. libgit2 does not record folders that
    /// ignore themselves, and a missing folder may have been one. None of them records empty
    /// folders, and the path itself may have been one unless its name is that of a file.
    fn check_folder(&self, path: &RepoPath) -> Result<(), Doubt> {
        let unlisted = self.start.unlisted.as_ref();
        let tells = unlisted.is_some_and(|unlisted| unlisted.rules.is_some());
        if tells || self.start.reader == ReaderKind::Fast {
            // Or a document, or a baseline that an earlier version wrote.
            return Ok(());
        }
        let is_there = |folder: &RepoPath| {
            let place = folder.under(&self.start.root);
            place.is_some_and(|place| matches!(presence::at(&place), Presence::Here(..)))
        };
        let dot = path.basename().iter().rposition(|byte| *byte == b'.');
        let is_file = dot.is_some_and(|at| at > 0);
        match path.ancestors().next() {
            _ if !is_file => Err(Doubt::FolderMissing),
            Some(folder) if self.start.unlisted.is_none() && !is_there(&folder) => {
                Err(Doubt::FolderMissing)
            }
            _ => Ok(()),
        }
    }

    fn is_at_rest(&self, folder: &RepoPath) -> bool {
        let place = folder.under(&self.start.root);
        let metadata = place.and_then(|place| std::fs::symlink_metadata(place).ok());
        metadata.is_some_and(|it| it.is_dir() && !touch::is_young(&it, &self.start.taken_at))
    }

    /// The folders between the root and the path.
    fn check_way(&self, path: &RepoPath) -> Result<(), Doubt> {
        if path.is_in_git_dir() {
            return Err(Doubt::OtherRepository);
        }
        match presence::obstacle(&self.start.root, path) {
            None => Ok(()),
            Some(Obstacle::Link) => Err(Doubt::SymbolicLink),
            Some(Obstacle::Repository) => Err(Doubt::OtherRepository),
            Some(Obstacle::Unreadable) => Err(Doubt::UnreadableFolder),
        }
    }

    /// Whether the rules that apply to the path have changed since the start.
    fn check_rules(&self, path: &RepoPath) -> Result<(), Doubt> {
        let rules = |tree: &crate::WorkTree| tree.unlisted.as_ref().and_then(|it| it.rules);
        let (before, after) = (rules(self.start), rules(&self.stop));
        let changed = before.is_some() && after.is_some() && before != after;
        let mut files = rule_files(path);
        if changed || files.any(|file| self.have_changed(&file) && self.may_matter(&file, path)) {
            return Err(Doubt::IgnoreRulesChanged);
        }
        Ok(())
    }

    /// Whether a rule file changed. One that ignores itself is not listed, so its times decide.
    fn have_changed(&self, rules: &RepoPath) -> bool {
        if self.delta.find(rules).is_some() {
            return true;
        }
        let is_known = self.start.files.contains_key(rules) || self.is_tracked(rules);
        let place = rules.under(&self.start.root).filter(|_| !is_known);
        let metadata = place.and_then(|place| std::fs::symlink_metadata(place).ok());
        metadata.is_some_and(|it| it.is_file() && touch::is_young(&it, &self.start.taken_at))
    }

    /// The rules of the start are compared only by attest's own reader.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as on the other systems")]
    fn may_matter(&self, _rules: &RepoPath, _path: &RepoPath) -> bool {
        true
    }

    /// What is left of a path behind a folder that the work tree does not have: that may be the name of another
    /// repository. One name alone may be anything.
    fn behind_unknown_folder(&self, path: &RepoPath) -> Option<RepoPath> {
        let bytes = path.as_bytes();
        let at = bytes.iter().position(|byte| *byte == b'/')?;
        let (folder, rest) = (&bytes[..at], &bytes[at + 1..]);
        let place = RepoPath::from_git(folder)?.under(&self.start.root)?;
        let is_unknown = rest.contains(&b'/') && matches!(presence::at(&place), Presence::Missing);
        is_unknown.then(|| RepoPath::from_git(rest)).flatten()
    }

    /// Anything that supports the agent, wherever its file is or is not.
    fn excuse(&self, path: &RepoPath) -> Result<Option<PathEvidence>, Doubt> {
        let removed =
            |was: &LinkedWorktree| !self.stop.worktrees.iter().any(|is| is.path == was.path);
        if self.start.worktrees.iter().any(removed) {
            return Err(Doubt::WorktreeRemoved);
        }
        let outside = self.outside();
        let is_outside = |path: &RepoPath| outside.found().ending_in(path).next().is_some();
        let is_of_another = self
            .behind_unknown_folder(path)
            .is_some_and(|rest| outside.found().has_gone(&rest) || is_outside(&rest));
        if self.mentions.has_elsewhere(path) || outside.found().has_gone(path) || is_of_another {
            return Err(Doubt::WrittenElsewhere);
        }
        let Some(folded) = path.folded() else {
            return Err(Doubt::NoPlace);
        };
        let made = self.made()?;
        if let Some(path) = made.names.get(&folded) {
            return self.landed(path, &folded, made).map(Some);
        }
        if self.touched()?.dropped.get(&folded).is_some() {
            return Err(Doubt::Dropped);
        }
        let names = self.changed_names()?;
        if names.may_be_unspeakable(&folded) {
            return Err(Doubt::UnspeakableName);
        }
        let is_in_new_tree = made.work.iter().any(|work| work.has(path.basename()));
        if let Some(it) = names.same_basename(&folded) {
            // Where the folder is that the path names, the path is no short form of another one.
            let is_suffix = it.is_suffix || it.is_short && !self.has_folder_of(path);
            return Ok(Some(PathEvidence::SameBasename {
                path: path.clone(),
                changed: it.all(),
                is_suffix,
                is_gone: self.are_gone(names, &folded) && !is_in_new_tree,
                doubt: self.check_searched(made).err(),
            }));
        }
        if is_in_new_tree {
            return Ok(Some(PathEvidence::ChangedElsewhere(
                ChangedElsewhere::Object(path.clone()),
            )));
        }
        self.check_searched(made)?;
        Ok(None)
    }

    /// A commit or a stash that is new, or was there at the start, touches the path. What nothing leads to any more is no
    /// place for work.
    fn landed(&self, path: &RepoPath, folded: &str, made: &Made) -> Result<PathEvidence, Doubt> {
        let is_of_another = made.elsewhere.get(folded).is_some();
        let is_led_to = |names: &Names| names.get(folded).is_some();
        if !is_of_another && !self.led_to().map_or(true, is_led_to) {
            return Err(Doubt::Dropped);
        }
        let landing = ChangedElsewhere::History(path.clone());
        Ok(PathEvidence::ChangedElsewhere(landing))
    }

    /// Whether all that changed and has this last part was in the work tree, and is not there any more. Of more than so
    /// many that is not asked.
    fn are_gone(&self, names: &Names, folded: &str) -> bool {
        const MOST: usize = 16;
        let all: Vec<_> = names.of_basename(folded).take(MOST + 1).collect();
        let is_gone = |(known, path): (&str, &RepoPath)| {
            let depth = known.matches('/').count();
            let mut ends = std::iter::once(path.clone()).chain(path.ancestors());
            let end = ends.find(|end| end.to_string().matches('/').count() == depth);
            let place = end.and_then(|end| end.under(&self.start.root));
            let is_missing = place.is_some_and(|it| matches!(presence::at(&it), Presence::Missing));
            is_missing && matches!(self.delta.find(path), Some((_, Change::Deleted)))
        };
        all.len() <= MOST && all.into_iter().all(is_gone)
    }

    /// Whether the folder in which the path would be is in the work tree.
    fn has_folder_of(&self, path: &RepoPath) -> bool {
        let folder = path.ancestors().next();
        let folder = folder.and_then(|folder| folder.under(&self.start.root));
        folder.is_some_and(|folder| folder.is_dir())
    }

    /// Whether everything was searched that may have the path.
    fn check_searched(&self, made: &Made) -> Result<(), Doubt> {
        self.ground().nested.complete().map_err(Doubt::clone)?;
        self.ground().unlisted.complete().map_err(Doubt::clone)?;
        let mentions = self.mentions.check();
        if mentions.as_ref().is_err_and(|why| !why.is_told()) {
            return mentions;
        }
        self.outside().complete().map_err(Doubt::clone)?;
        if made.work.iter().any(|work| work.incomplete) {
            return Err(Doubt::ObjectsPacked);
        }
        mentions
    }
}

/// Of two meanings of one text the one that ends a changed path, or the first, with why either proves nothing.
fn best_of(before: PathEvidence, seen: PathEvidence) -> PathEvidence {
    let is_end = |it: &PathEvidence| {
        matches!(
            it,
            PathEvidence::SameBasename {
                is_suffix: true,
                ..
            }
        )
    };
    let (mut best, other) = if is_end(&seen) && !is_end(&before) {
        (seen, before)
    } else {
        (before, seen)
    };
    if let (
        PathEvidence::SameBasename { doubt, .. },
        PathEvidence::SameBasename {
            doubt: Some(why), ..
        },
    ) = (&mut best, other)
    {
        why.add_to(doubt);
    }
    best
}

/// Where the rules for a path may be in the work tree.
fn rule_files(path: &RepoPath) -> impl Iterator<Item = RepoPath> {
    let above = path.ancestors().chain([path.clone()]);
    let above = above
        .filter_map(|folder| RepoPath::from_git(&[folder.as_bytes(), b"/.gitignore"].concat()));
    above.chain(RepoPath::from_git(b".gitignore"))
}
