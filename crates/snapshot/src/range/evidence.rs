//! What a range shows of a path. Only what it certainly never touched counts against a claim.

use std::ops::RangeInclusive;
use std::path::Path;

use attest_evidence::{
    Before, ChangedElsewhere, CommitEvidence, CommitPlace, EvidenceSource, FolderPlace, Held,
    PathEvidence, RangeSource, RepositorySource, Touch, fold,
};

use super::Range;
use super::touched::in_doubt;
use crate::bounds::{self, Count};
use crate::comparison::names::Names;
use crate::odb::{GITLINK, Item, LINK, Oid};
use crate::{Change, Doubt, KnownPaths, RepoPath, Repository, Unreadable, odb, place};

impl Range<'_> {
    /// The path in the work tree that a text means.
    fn path_of(&self, text: &str) -> Result<RepoPath, Doubt> {
        let text = text.replace('\\', "/");
        let is_absolute = text.starts_with(['/', '~']) || text.get(1..2) == Some(":");
        let inside = Path::new(&text).strip_prefix(&self.repository.root);
        let path = match inside {
            Ok(path) => path,
            Err(_) if is_absolute => return Err(Doubt::Outside),
            Err(_) => Path::new(text.as_str()),
        };
        place::relative(path).ok_or(Doubt::NoPlace)
    }

    /// What is there at the end, or `None`.
    fn at_end(&self, path: &RepoPath) -> Result<Option<Item>, Doubt> {
        let found = self.odb.at(self.head_tree, path.as_bytes());
        found.map_err(in_doubt)
    }

    fn changed(&self, path: &RepoPath) -> Option<PathEvidence> {
        let path = self.names.get(&path.folded()?)?.clone();
        let is_written = self.net.get(&path).is_some_and(|it| it.new.is_some());
        let change = if is_written {
            Change::Written
        } else {
            Change::Deleted
        };
        Some(PathEvidence::Changed { path, change })
    }

    fn judged(&self, path: &RepoPath) -> Result<PathEvidence, Doubt> {
        if let Some(changed) = self.changed(path) {
            return Ok(changed);
        }
        let folded = path.folded().ok_or(Doubt::NoPlace)?;
        let touched = self.touched()?;
        let is_removed = touched.removed.get(&folded);
        match (touched.names.get(&folded), is_removed) {
            (Some(_), Some(is_plain)) if self.at_end(path)?.is_none() => {
                let gone = is_plain.then(|| PathEvidence::Absent(path.clone()));
                return gone.ok_or(Doubt::InHistory);
            }
            (Some(touched), _) => {
                let landed = ChangedElsewhere::History(touched.clone());
                return Ok(PathEvidence::ChangedElsewhere(landed));
            }
            (None, _) => {}
        }
        if touched.names.may_be_unspeakable(&folded) {
            return Err(Doubt::UnspeakableName);
        }
        let untouched = self.untouched(path, &folded);
        let Some(same) = touched.names.same_basename(&folded) else {
            return untouched;
        };
        let doubt = match untouched {
            Ok(PathEvidence::Absent(_)) => None,
            Ok(_) => Some(Doubt::KnownAtStart),
            Err(doubt) => Some(doubt),
        };
        Ok(PathEvidence::SameBasename {
            path: path.clone(),
            is_suffix: same.is_suffix,
            changed: same.all(),
            is_gone: false,
            doubt,
        })
    }

    /// What is known of a path that no commit of the range touches.
    fn untouched(&self, path: &RepoPath, folded: &str) -> Result<PathEvidence, Doubt> {
        // It may have come into the branch another way, and the text have been written before that.
        if self.beside()?.get(folded).is_some() {
            return Err(Doubt::InHistory);
        }
        self.check_way(path)?;
        if let Some(item) = self.at_end(path)? {
            let touch = match item.mode {
                LINK | GITLINK => Touch::Possible,
                _ => Touch::Untouched,
            };
            return Ok(self.as_it_was(path, touch));
        }
        let there = self.there()?;
        if let Some(same) = there.get(folded) {
            return Ok(self.as_it_was(same, Touch::Untouched));
        }
        if let Some(same) = there.same_basename(folded).filter(|it| it.is_suffix) {
            return Ok(self.as_it_was(&same.changed, Touch::Untouched));
        }
        self.check_ignored(path)?;
        Ok(PathEvidence::Absent(path.clone()))
    }

    fn as_it_was(&self, path: &RepoPath, touch: Touch) -> PathEvidence {
        PathEvidence::OnDisk {
            path: path.under(&self.repository.root).unwrap_or_default(),
            touch,
            namesakes: Vec::new(),
        }
    }

    /// The folders above the path, in both trees: what is below a link or in another repository is not in these
    /// commits.
    fn check_way(&self, path: &RepoPath) -> Result<(), Doubt> {
        if path.is_in_git_dir() {
            return Err(Doubt::OtherRepository);
        }
        for tree in [Some(self.head_tree), self.base_tree].into_iter().flatten() {
            for folder in path.ancestors() {
                let item = self.odb.at(tree, folder.as_bytes()).map_err(in_doubt)?;
                match item.map(|item| item.mode) {
                    Some(GITLINK) => return Err(Doubt::OtherRepository),
                    Some(LINK) => return Err(Doubt::SymbolicLink),
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// Whether a rule of the checkout keeps the path out of all commits.
    fn check_ignored(&self, path: &RepoPath) -> Result<(), Doubt> {
        let asked = || -> Result<bool, Unreadable> {
            let repository = Repository::discover(&self.repository.root, self.limits)?;
            let known = KnownPaths::read(repository, None, self.limits)?;
            Ok(known.is_ignored(path)? || known.is_ignored_folder(path)?)
        };
        match asked() {
            Ok(false) => Ok(()),
            Ok(true) => Err(Doubt::Ignored),
            Err(why) => Err(in_doubt(why)),
        }
    }

    /// What others did to the branch since the range left it.
    fn beside(&self) -> Result<&Names, Doubt> {
        let read = || {
            let Some(tip) = self.tip else {
                return Ok(Names::default());
            };
            let (own, others) = (std::iter::once(self.head).collect(), [tip].into());
            let paths = odb::commits_between(&self.odb, &own, &others)
                .and_then(|commits| crate::history::paths_of(&self.odb, &commits));
            Ok(paths.map_err(in_doubt)?.iter().collect())
        };
        self.beside.get_or_init(read).as_ref().map_err(Doubt::clone)
    }

    /// Every path of both trees.
    fn there(&self) -> Result<&Names, Doubt> {
        let read = || -> Result<Names, Doubt> {
            let mut names = Names::default();
            let mut count = Count::of(bounds::NAMES);
            for tree in [Some(self.head_tree), self.base_tree].into_iter().flatten() {
                let read = odb::differing(&self.odb, b"", None, Some(tree), |at| {
                    count.add(1)?;
                    names.add(&at.path);
                    Ok(())
                });
                read.map_err(in_doubt)?;
            }
            Ok(names)
        };
        self.there.get_or_init(read).as_ref().map_err(Doubt::clone)
    }

    fn content(&self, tree: Option<Oid>, path: &RepoPath, most: u64) -> Option<(u64, Vec<u8>)> {
        let item = self.odb.at(tree?, path.as_bytes()).ok()??;
        let (_, size) = self.odb.find(item.oid).ok()??;
        let bytes = if size <= most && item.is_file() {
            self.odb.blob(item.oid, most).ok()?
        } else {
            None
        };
        item.is_file().then(|| (size, bytes.unwrap_or_default()))
    }
}

impl EvidenceSource for Range<'_> {
    fn name(&self, text: &str) -> String {
        match self.path_of(text) {
            Ok(path) if text.ends_with('/') => format!("{path}/"),
            Ok(path) => path.to_string(),
            Err(_) => text.to_owned(),
        }
    }

    fn evidence_for(&self, text: &str) -> PathEvidence {
        let judged = self.path_of(text).and_then(|path| self.judged(&path));
        judged.unwrap_or_else(PathEvidence::Inconclusive)
    }

    fn exact_evidence_for(&self, text: &str) -> Option<PathEvidence> {
        let path = self.path_of(text).ok()?;
        if let Some(changed) = self.changed(&path) {
            return Some(changed);
        }
        let touched = self.touched().ok()?.names.get(&path.folded()?);
        if let Some(touched) = touched {
            let landed = ChangedElsewhere::History(touched.clone());
            return Some(PathEvidence::ChangedElsewhere(landed));
        }
        let item = self.at_end(&path).ok()?;
        item.map(|_| self.as_it_was(&path, Touch::Possible))
    }

    fn has_folder(&self, text: &str) -> bool {
        let text = text.replace('\\', "/");
        let first = text.split_once('/').map(|(first, _)| fold(first));
        let own = self.repository.root.file_name();
        first.is_none_or(|first| {
            matches!(first.as_str(), "" | "." | "..")
                || own.is_some_and(|own| fold(&own.to_string_lossy()) == first)
                || self.names.get(&first).is_some()
                || self.there().is_ok_and(|there| there.get(&first).is_some())
        })
    }

    fn differed_at_start(&self, _: &str) -> bool {
        false
    }
}

/// What it began with and what it ends with stand for the start and the stop of an agent.
impl RepositorySource for Range<'_> {
    fn uncommitted(&self) -> Vec<RepoPath> {
        Vec::new()
    }

    fn left_before(&self) -> Option<RepoPath> {
        None
    }

    fn held_now(&self, paths: &[&RepoPath], most: u64) -> Vec<Option<Held>> {
        let held = paths.iter().map(|path| {
            let (size, bytes) = self.content(Some(self.head_tree), path, most)?;
            let bytes = (size <= most).then_some(bytes);
            Some(Held { size, bytes })
        });
        held.collect()
    }

    fn held_before(&self, paths: &[&RepoPath]) -> Vec<Option<Before>> {
        let held = paths.iter().map(|path| {
            if self.net.get(*path)?.old.is_none() {
                return Some(Before::Missing);
            }
            let (size, _) = self.content(self.base_tree, path, 0)?;
            Some(Before::Bytes(size))
        });
        held.collect()
    }

    fn noted_size(&self, _: &RepoPath) -> Option<u64> {
        None
    }

    fn bytes_before(&self, path: &RepoPath, most: u64) -> Option<Vec<u8>> {
        let (size, bytes) = self.content(self.base_tree, path, most)?;
        (size <= most).then_some(bytes)
    }

    fn commit(&self, _: &str) -> CommitEvidence {
        CommitEvidence::Inconclusive(Doubt::NotACommit)
    }

    fn has_branch(&self, _: &str) -> Result<bool, Doubt> {
        Err(Doubt::PartOfHistory)
    }

    fn may_run_hooks(&self) -> bool {
        true
    }

    fn changed(&self) -> Vec<(RepoPath, Option<i128>)> {
        self.net.keys().map(|path| (path.clone(), None)).collect()
    }

    fn is_pushed(&self, _: Option<&str>) -> bool {
        false
    }

    fn folder(&self, _: &str) -> FolderPlace {
        FolderPlace::Elsewhere
    }
}

impl RangeSource for Range<'_> {
    fn is_gone_again(&self, text: &str) -> bool {
        let is_gone = |path: RepoPath| {
            let is_plain = self.touched().ok()?.removed.get(&path.folded()?)?;
            Some(*is_plain && self.at_end(&path).ok()?.is_none())
        };
        let path = self.path_of(text).ok();
        path.and_then(is_gone).unwrap_or(false)
    }

    fn place_of(&self, hash: &str) -> Result<CommitPlace, Doubt> {
        self.place_of_commit(hash)
    }

    fn file_counts(&self) -> Result<Vec<RangeInclusive<u64>>, Doubt> {
        self.count_files()
    }

    fn may_have_tests(&self) -> bool {
        self.has_signs_of_tests()
    }
}
