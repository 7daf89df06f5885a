//! Files that are again what they were at the start, although they had changed since.

use std::collections::BTreeSet;

use super::answers::tips;
use super::{Comparison, unreadable};
use crate::history::paths_of;
use crate::odb::{Oid, commits_between};
use crate::presence::{self, Presence};
use crate::regular::read_regular;
use crate::{Doubt, RepoPath, Unreadable, WorkTree, bounds};

/// The name of the newest stash, and where the names of all are.
const STASH: &str = "refs/stash";
const LOG: &str = "logs/refs/stash";

/// Where the change of a file is that is again what it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    /// In no commit that anything leads to, in no stash, and in no other work tree.
    Nowhere,
    /// In a stash.
    Stashed,
}

impl Comparison<'_> {
    /// Which of these files are again what they were at the start, in the work tree and in what leads to commits.
    /// A change that may be in a commit or in another work tree is not among them.
    pub fn back<'p>(&self, paths: &[&'p RepoPath]) -> Result<Vec<(&'p RepoPath, Back)>, Doubt> {
        let mut back = paths.to_vec();
        back.retain(|path| self.delta.find(path).is_none());
        if back.is_empty() {
            return Ok(Vec::new());
        }
        let (kept, stashed) = self.kept().map_err(|why| unreadable(&why))?;
        let elsewhere = &self.others()?.changed;
        back.retain(|path| !kept.contains(*path) && !elsewhere.contains(*path));
        let back = back.into_iter().map(|path| {
            let is_stashed = stashed.contains(path);
            (
                path,
                if is_stashed {
                    Back::Stashed
                } else {
                    Back::Nowhere
                },
            )
        });
        Ok(back.collect())
    }

    /// What commits touch that came since the start and that something leads to, and what stashes do.
    fn kept(&self) -> Result<(BTreeSet<RepoPath>, BTreeSet<RepoPath>), Unreadable> {
        let odb = self.repository.odb(&self.limits);
        let newest = self.stop.refs.get(STASH).and_then(|oid| named(oid));
        let (old, mut new) = (oids(self.start), oids(&self.stop));
        new.retain(|oid| Some(*oid) != newest);
        let kept = paths_of(&odb, &commits_between(&odb, &old, &new)?)?;
        Ok((kept, paths_of(&odb, &self.stashes()?)?))
    }

    /// The stashes that came since the start: only the log of their name has all of them.
    pub(super) fn stashes(&self) -> Result<Vec<Oid>, Unreadable> {
        let log = self.repository.common_dir.join(LOG);
        let text = read_regular(&log, bounds::CONFIG).map_err(|why| Unreadable::io(&log, why))?;
        let text = text.unwrap_or_default();
        let began = self.start.taken_at.wall_ns / 1_000_000_000;
        let lines = text.split(|byte| *byte == b'\n');
        let stashes = lines.filter_map(|line| {
            let made = line.split(|byte| *byte == b' ').nth(1)?;
            let (_, behind) = line.split_at_checked(memchr::memchr(b'>', line)? + 2)?;
            let at = behind.split(|byte| *byte == b' ').next()?;
            let at: i64 = std::str::from_utf8(at).ok()?.parse().ok()?;
            (at >= began).then(|| Oid::from_hex(made)).flatten()
        });
        Ok(stashes.collect())
    }

    /// Whether nothing is at the path now.
    #[must_use]
    pub fn is_missing(&self, path: &RepoPath) -> bool {
        let place = path.under(&self.start.root);
        place.is_some_and(|place| matches!(presence::at(&place), Presence::Missing))
    }

    /// Whether git has a blob of this name.
    #[must_use]
    pub fn has_blob(&self, blob: &str) -> bool {
        let odb = self.repository.odb(&self.limits);
        let found = named(blob).map(|oid| odb.find(oid));
        matches!(found, Some(Ok(Some(_))))
    }
}

fn oids(tree: &WorkTree) -> BTreeSet<Oid> {
    tips(tree).into_iter().filter_map(named).collect()
}

fn named(oid: &str) -> Option<Oid> {
    Oid::from_hex(oid.as_bytes())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::Limits;
    use crate::scratch::Scratch;

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    /// What is back behind commands of git, of an edited and a new file.
    fn back(commands: &[&[&str]]) -> Vec<(String, Back)> {
        let scratch = Scratch::new(&["old.py", "other.py"]);
        let start = scratch.start();
        scratch.write("old.py", "changed\n");
        scratch.write("new.py", "new\n");
        for command in commands {
            scratch.git(command);
        }
        let comparison = Comparison::with(&start, &scratch.root, &Limits::default()).unwrap();
        let paths = ["new.py", "old.py"].map(path);
        let back = comparison.back(&paths.each_ref()).unwrap().into_iter();
        back.map(|(path, back)| (path.to_string(), back)).collect()
    }

    fn both(back: Back) -> Vec<(String, Back)> {
        ["new.py", "old.py"].map(|it| (it.to_owned(), back)).into()
    }

    #[test]
    fn what_was_taken_back_is_in_a_stash_or_nowhere() {
        assert_eq!(
            back(&[&["checkout", "-q", "."]]),
            [("old.py".to_owned(), Back::Nowhere)]
        );
        assert_eq!(
            back(&[&["clean", "-fdq"]]),
            [("new.py".to_owned(), Back::Nowhere)]
        );
        assert_eq!(back(&[&["stash", "-qu"]]), both(Back::Stashed));
        let twice: [&[&str]; 4] = [
            &["stash", "-qu"],
            &["rm", "-q", "other.py"],
            &["stash", "-q"],
            &["status"],
        ];
        assert_eq!(back(&twice), both(Back::Stashed));
        assert_eq!(
            back(&[&["stash", "-qu"], &["stash", "drop", "-q"]]),
            both(Back::Nowhere)
        );
        let staged: [&[&str]; 2] = [&["add", "-A"], &["reset", "-q", "--hard"]];
        assert_eq!(back(&staged), both(Back::Nowhere));
        let dropped: [&[&str]; 3] = [
            &["add", "-A"],
            &["commit", "-qm", "work"],
            &["reset", "-q", "--hard", "HEAD~1"],
        ];
        assert_eq!(back(&dropped), both(Back::Nowhere));
    }

    #[test]
    fn what_is_there_or_in_a_commit_is_not_back() {
        for commands in [
            &[][..],
            &[&["add", "-A"][..], &["commit", "-qm", "work"]],
            &[&["stash", "-qu"], &["stash", "pop", "-q"]],
            &[
                &["checkout", "-qb", "side"],
                &["add", "-A"],
                &["commit", "-qm", "work"],
                &["checkout", "-q", "-"],
            ],
        ] {
            assert_eq!(back(commands), [], "{commands:?}");
        }
    }

    #[test]
    fn a_change_in_a_linked_work_tree_is_not_gone() {
        let scratch = Scratch::new(&["old.py"]);
        let start = scratch.start();
        scratch.git(&["worktree", "add", "-q", "../linked", "-b", "side"]);
        fs::write(
            scratch.root.with_file_name("linked").join("old.py"),
            "changed\n",
        )
        .unwrap();
        let comparison = Comparison::with(&start, &scratch.root, &Limits::default()).unwrap();
        let old = path("old.py");
        assert_eq!(comparison.back(&[&old]).unwrap(), []);
        assert!(!comparison.has_blob(&"0".repeat(40)));
    }

    #[test]
    fn what_was_staged_can_be_had_from_git() {
        let scratch = Scratch::new(&["old.py"]);
        let start = scratch.start();
        scratch.write("new.py", "new\n");
        let blob = scratch.ask(&["hash-object", "new.py"], b"");
        let has = |start: &WorkTree| {
            let comparison = Comparison::with(start, &scratch.root, &Limits::default());
            comparison.unwrap().has_blob(&blob)
        };
        assert!(!has(&start));
        scratch.git(&["add", "new.py"]);
        assert!(has(&start));
    }
}
