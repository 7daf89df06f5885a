//! Whether the absence of a path proves that nothing was done.

use super::{Comparison, unreadable};
use crate::presence::{self, Obstacle};
use crate::{Doubt, Landing, LinkedWorktree, RepoPath, Sighting};

impl Comparison<'_> {
    /// Nothing is at any of the paths. Does that prove that nothing was done?
    pub(super) fn absence(&self, paths: &[RepoPath]) -> Sighting {
        let mut namesake = None;
        for path in paths {
            match self.check_absence(path) {
                Ok(None) => {}
                Ok(Some(sighting @ Sighting::Namesake { .. })) => {
                    namesake.get_or_insert(sighting);
                }
                Ok(Some(sighting)) => return sighting,
                Err(doubt) => return Sighting::Unproven(doubt),
            }
        }
        match (namesake, paths.first()) {
            (Some(namesake), _) => namesake,
            (None, Some(path)) => Sighting::Gone(path.clone()),
            (None, None) => Sighting::Unproven(Doubt::NoPlace),
        }
    }

    fn check_absence(&self, path: &RepoPath) -> Result<Option<Sighting>, Doubt> {
        if path.is_in_git_dir() {
            return Err(Doubt::OtherRepository);
        }
        self.check_start(path)?;
        match presence::obstacle(&self.start.root, path) {
            None => {}
            Some(Obstacle::Link) => return Err(Doubt::SymbolicLink),
            Some(Obstacle::Repository) => return Err(Doubt::OtherRepository),
            Some(Obstacle::Unreadable) => return Err(Doubt::UnreadableFolder),
        }
        self.check_names()?;
        let known = self.known_paths()?;
        if known.in_submodule(path).map_err(|why| unreadable(&why))? {
            return Err(Doubt::OtherRepository);
        }
        if known.is_tracked(path).map_err(|why| unreadable(&why))? {
            return Err(Doubt::Tracked);
        }
        if known.is_ignored(path).map_err(|why| unreadable(&why))? {
            return Err(Doubt::Ignored);
        }
        if let Some(namesake) = self.namesake(path)? {
            return Ok(Some(namesake));
        }
        let new_names = self.new_names()?;
        if new_names.has(path.basename()) {
            return Ok(Some(Sighting::Landed(Landing::Object(path.clone()))));
        }
        if new_names.incomplete {
            return Err(Doubt::ObjectsPacked);
        }
        Ok(None)
    }

    fn check_start(&self, path: &RepoPath) -> Result<(), Doubt> {
        let folded = path.folded();
        let recorded = |path: &RepoPath| {
            self.start.files.contains_key(path) || self.stop.files.contains_key(path)
        };
        let known = recorded(path)
            || path.ancestors().any(|folder| recorded(&folder))
            || self
                .start
                .files
                .keys()
                .any(|known| known.folded() == folded);
        if known {
            return Err(Doubt::KnownAtStart);
        }
        let removed =
            |was: &LinkedWorktree| !self.stop.worktrees.iter().any(|is| is.path == was.path);
        if self.start.worktrees.iter().any(removed) {
            return Err(Doubt::WorktreeRemoved);
        }
        Ok(())
    }

    fn check_names(&self) -> Result<(), Doubt> {
        for (path, _) in self.delta.iter() {
            if path.basename() == b".gitignore" {
                return Err(Doubt::IgnoreRulesChanged);
            }
            if !is_speakable(path) {
                return Err(Doubt::UnspeakableName);
            }
        }
        Ok(())
    }

    /// A changed file of the same name: the agent may have meant that one.
    fn namesake(&self, path: &RepoPath) -> Result<Option<Sighting>, Doubt> {
        let Some(folded) = path.folded() else {
            return Err(Doubt::NoPlace);
        };
        let name = folded.rsplit('/').next().unwrap_or_default();
        let here = self.delta.iter().map(|(path, _)| path);
        let in_history = self.touched()?.values();
        let elsewhere = self.elsewhere()?;
        let namesakes = here
            .chain(in_history)
            .chain(elsewhere)
            .filter_map(|changed| {
                let other = changed.folded()?;
                let same = other.rsplit('/').next() == Some(name);
                same.then(|| {
                    (
                        changed.clone(),
                        other == folded || other.ends_with(&format!("/{folded}")),
                    )
                })
            });
        // One of which the claim is the end says more than any other.
        let best = namesakes.max_by_key(|(_, is_suffix)| *is_suffix);
        Ok(best.map(|(changed, is_suffix)| Sighting::Namesake {
            path: path.clone(),
            changed,
            is_suffix,
        }))
    }
}

/// Whether a report can spell the name such that it is recognised again.
fn is_speakable(path: &RepoPath) -> bool {
    std::str::from_utf8(path.as_bytes()).is_ok_and(|text| {
        !text.contains(['"', '\\', '`', '\u{fffd}']) && crate::escaped(text.as_bytes()) == text
    })
}
