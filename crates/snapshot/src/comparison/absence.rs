//! Whether a missing path proves that nothing was done.

use super::{Comparison, unreadable};
use crate::presence::{self, Obstacle, Presence};
use crate::touch;
use crate::{Doubt, PathEvidence, ReaderKind, RepoPath};

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
    pub(super) fn check_way(&self, path: &RepoPath) -> Result<(), Doubt> {
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
        let place = rules.under(&self.start.root);
        let metadata = place.and_then(|place| std::fs::symlink_metadata(place).ok());
        let is_young =
            metadata.is_some_and(|it| it.is_file() && touch::is_young(&it, &self.start.taken_at));
        // Asked last, since few files are young.
        is_young && !self.start.files.contains_key(rules) && !self.is_tracked(rules)
    }

    /// The rules of the start are compared only by attest's own reader.
    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "as on the other systems")]
    fn may_matter(&self, _rules: &RepoPath, _path: &RepoPath) -> bool {
        true
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
