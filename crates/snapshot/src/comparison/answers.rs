//! What is asked of git and of the disk only when a claimed path needs the answer, and only once.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use attest_evidence::Searched;

use super::knowledge::{LedTo, Made, OtherTree, Others, Touched};
use super::names::Names;
use super::outside::{Outside, Search};
use super::{Comparison, before};
use crate::history;
use crate::objects::{Before, NewWork};
use crate::odb::{Commit, ObjectKind, Odb, Oid, commits_between};
use crate::presence::{self, Presence};
use crate::reader::refs;
use crate::{Doubt, KnownPaths, Limits, RepoPath, Repository, Touch, Unreadable, WorkTree};

/// An answer, or the doubt that remains without one.
pub(super) type Known<'a, T> = Result<&'a T, Doubt>;

impl Comparison<'_> {
    /// The paths touched by commits and stashes that appeared or disappeared since the start.
    pub(super) fn touched(&self) -> Known<'_, Touched> {
        known(&self.knowledge.touched, || {
            let (old, new) = (tips(self.start), tips(&self.stop));
            if old == new {
                return Ok(Touched::default());
            }
            let odb = self.repository.odb(&self.limits);
            let commits = commits_between(&odb, &history::oids(&old)?, &history::oids(&new)?)?;
            let mut paths = history::paths_of(&odb, &commits)?;
            // An amended or reset branch no longer reaches what it did.
            let left = history::touched(&odb, &new, &old)?;
            let (names, dropped) = (paths.iter().collect(), left.iter().collect());
            paths.extend(left);
            Ok(Touched {
                paths,
                commits: commits.into_iter().collect(),
                names,
                dropped,
            })
        })
    }

    /// What git knows by name, and what it ignores.
    pub(super) fn known_paths(&self) -> Known<'_, KnownPaths> {
        known(&self.knowledge.known_paths, || {
            // Only the start commit still has what was staged for removal since.
            let commit = self.start.head.oid.as_deref();
            let (repository, basis) = (Rc::clone(&self.repository), self.basis.clone());
            KnownPaths::of(repository, basis, commit, &self.limits)
        })
    }

    /// What the newest commits before the start touched.
    pub(super) fn touched_before(&self) -> Known<'_, BTreeSet<RepoPath>> {
        known(&self.knowledge.touched_before, || {
            let odb = self.repository.odb(&self.limits);
            before::touched(&odb, tips(self.start), self.start.head.oid.as_deref())
        })
    }

    /// What was written to object stores since the start.
    pub(super) fn made(&self) -> Known<'_, Made> {
        let others = self.others()?;
        known(&self.knowledge.made, || {
            let own = NewWork::list(
                &self.repository.odb(&self.limits),
                &self.repository.common_dir,
                &self.start.taken_at,
                &Before {
                    store: self.start.store.as_ref(),
                    trail: self.start.trail.as_ref(),
                    head: self.start.head.oid.as_deref(),
                    tips: tips(self.start),
                    has_dropped_a_branch: has_dropped_a_branch(self.start, &self.stop),
                    is_known: None,
                },
            )?;
            let work: Vec<_> = std::iter::once(own).chain(others.work.clone()).collect();
            let names = work.iter().flat_map(|work| &work.paths).collect();
            let elsewhere = work.iter().skip(1).flat_map(|work| &work.paths).collect();
            Ok(Made {
                work,
                names,
                elsewhere,
            })
        })
    }

    /// What is touched by commits that came since the start and that anything at all leads to.
    pub(super) fn led_to(&self) -> Known<'_, LedTo> {
        known(&self.knowledge.led_to, || {
            let odb = self.repository.odb(&self.limits);
            let mut leading = refs::leading(&self.repository, &self.limits)?;
            leading.extend(history::oids(&tips(&self.stop))?);
            leading.extend(self.stashes()?);
            let before = history::oids(&tips(self.start))?;
            let commits = commits_between(&odb, &before, &leading)?;
            Ok(LedTo {
                names: history::paths_of(&odb, &commits)?.iter().collect(),
                commits: commits.into_iter().collect(),
                tips: leading,
            })
        })
    }

    /// Everything that is known to have changed, wherever it is.
    pub(super) fn changed_names(&self) -> Known<'_, Names> {
        let (touched, made, others) = (self.touched()?, self.made()?, self.others()?);
        known(&self.knowledge.changed, || {
            let here = self.delta.iter().map(|(path, _)| path);
            let committed = touched.paths.iter();
            let dropped = made.work.iter().flat_map(|work| &work.paths);
            Ok(here
                .chain(committed)
                .chain(dropped)
                .chain(&others.changed)
                .collect())
        })
    }

    /// What differed from HEAD at the start, or does now.
    pub(super) fn recorded(&self) -> &Names {
        let find = || {
            let both = self.start.files.keys().chain(self.stop.files.keys());
            both.collect()
        };
        self.knowledge.recorded.get_or_init(find)
    }

    /// What was written since the start at the places that the agent's calls name.
    pub(super) fn outside(&self) -> &Searched<Outside> {
        let search = || Search::new(&self.start.root, &self.start.taken_at, &self.limits);
        self.knowledge
            .outside
            .get_or_init(|| search().of(&self.mentions.places))
    }

    /// Whether another work tree of the repository was read, and git has there what is at `path`.
    pub(super) fn is_listed_clean(&self, root: &Path, path: &RepoPath) -> bool {
        self.other_tree(root)
            .is_some_and(|tree| !tree.differing.contains(path))
    }

    /// Another work tree of the repository, if it was read.
    pub(super) fn other_tree(&self, root: &Path) -> Option<&OtherTree> {
        self.others().ok()?.trees.get(root)
    }

    pub(super) fn others(&self) -> Known<'_, Others> {
        known(&self.knowledge.others, || {
            let mut others = Others::default();
            let mut seen = vec![self.start.root.clone()];
            let ground = self.ground();
            for root in &ground.roots {
                self.read_other(root, &mut seen, &mut others)?;
            }
            for root in ground.nested.found() {
                match self.read_other(root, &mut seen, &mut others) {
                    Ok(()) => {}
                    // If nothing at all has changed there, no work can have landed there.
                    Err(_) if self.is_all_at_rest(root)? => {}
                    Err(why) => return Err(why),
                }
            }
            Ok(others)
        })
    }

    fn read_other(
        &self,
        root: &Path,
        seen: &mut Vec<PathBuf>,
        others: &mut Others,
    ) -> Result<(), Unreadable> {
        let repository = match Repository::discover(root, &self.limits) {
            Ok(repository) if !seen.contains(&repository.root) => repository,
            Ok(_) | Err(Unreadable::NotARepository(_) | Unreadable::Bare(_)) => return Ok(()),
            Err(why) => return Err(why),
        };
        seen.push(repository.root.clone());
        // Only the names matter, so nothing needs to be hashed.
        let limits = Limits {
            max_hash_bytes: 0,
            ..self.limits.clone()
        };
        let tree = WorkTree::read(&repository, &limits, None)?;
        let changed = tree.files.keys();
        let changed = changed.filter(|path| self.is_new(&tree.root, path));
        others.changed.extend(changed.cloned());
        if repository.common_dir == self.repository.common_dir {
            let other = OtherTree {
                differing: tree.files.into_keys().collect(),
                head: tree.head.oid,
            };
            others.trees.insert(tree.root, other);
        } else {
            let own = self.repository.odb(&self.limits);
            others.work.push(NewWork::list(
                &repository.odb(&self.limits),
                &repository.common_dir,
                &self.start.taken_at,
                &Before {
                    head: tree.head.oid.as_deref(),
                    is_known: Some(&|oid| self.had_commit(&own, oid)),
                    ..Before::default()
                },
            )?);
        }
        Ok(())
    }

    /// Whether the repository had a commit at the start, by the age of it.
    fn had_commit(&self, odb: &Odb<'_>, oid: Oid) -> bool {
        let found = odb.find(oid);
        matches!(found, Ok(Some((ObjectKind::Commit, _))))
            && odb
                .commit(oid)
                .is_ok_and(|commit| self.is_of_before(oid, &commit))
    }

    /// Whether a commit is older than the start, or was at the end of a branch then.
    pub(super) fn is_of_before(&self, oid: Oid, commit: &Commit) -> bool {
        let began = self.start.taken_at.wall_ns / 1_000_000_000;
        let before = || {
            let tips = tips(self.start).into_iter();
            tips.filter_map(|tip| Oid::from_hex(tip.as_bytes()))
                .collect()
        };
        commit.time < began
            || self
                .knowledge
                .tips_before
                .get_or_init(before)
                .contains(&oid)
    }

    /// Whether a file of another work tree may have been written since the start.
    fn is_new(&self, root: &Path, path: &RepoPath) -> bool {
        let Some(place) = path.under(root) else {
            return true;
        };
        match presence::at(&place) {
            Presence::Here(place, metadata) => {
                self.touch(&place, &metadata, Some(root), || false) == Touch::Possible
            }
            // Deleted there, at an unknown time.
            Presence::Missing | Presence::Unknown(_) => true,
        }
    }
}

/// Calls `find` the first time, and also remembers a failure.
pub(super) fn known<T>(
    cell: &OnceCell<Result<T, String>>,
    find: impl FnOnce() -> Result<T, Unreadable>,
) -> Known<'_, T> {
    cell.get_or_init(|| find().map_err(|why| why.to_string()))
        .as_ref()
        .map_err(|why| Doubt::Unreadable(why.clone()))
}

/// Whether a local branch is gone.
fn has_dropped_a_branch(start: &WorkTree, stop: &WorkTree) -> bool {
    let branches = start.refs.keys();
    let mut branches = branches.filter(|name| name.starts_with("refs/heads/"));
    branches.any(|name| !stop.refs.contains_key(name))
}

/// Every commit that a ref of the repository points to.
pub(super) fn tips(tree: &WorkTree) -> BTreeSet<&str> {
    let detached = tree.worktrees.iter().map(|other| other.head.as_str());
    let detached = detached.filter(|head| head.bytes().all(|byte| byte.is_ascii_hexdigit()));
    tree.refs
        .values()
        .map(String::as_str)
        .chain(tree.head.oid.as_deref())
        .chain(detached.filter(|head| head.len() >= 40))
        .collect()
}
