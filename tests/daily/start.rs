//! What a work tree is when an agent starts.

use std::fs;

use super::step::Day;
use crate::common::scene::write;

/// The kinds of starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    Clean,
    Uncommitted,
    Staged,
    Untracked,
    Deleted,
    /// With a stash that the agent may pop.
    Stashed,
    /// With conflicts.
    Merging,
    Rebasing,
    /// One that began before and goes on.
    AnotherAgent,
    Everything,
}

impl Start {
    /// Makes the work tree what it is to be.
    pub fn prepare(self, day: &mut Day) {
        let put = |path: &str| write(&day.repo.join(path), "left by somebody\n");
        match self {
            Self::Clean => {}
            Self::Uncommitted => put("left/edited.py"),
            Self::Staged => {
                put("left/edited.py");
                put("left/staged.py");
                day.git(&["add", "--all"]);
            }
            Self::Untracked => {
                put("left/draft.py");
                put("notes.txt");
            }
            Self::Deleted => {
                fs::remove_file(day.repo.join("left/edited.py")).unwrap();
                day.git(&["rm", "--quiet", "left/kept.py"]);
            }
            Self::Stashed => {
                put("left/edited.py");
                put("left/draft.py");
                day.git(&["stash", "--quiet", "--include-untracked"]);
            }
            Self::Merging => {
                day.diverge();
                day.git(&["merge", "--quiet", "theirs"]);
            }
            Self::Rebasing => {
                day.diverge();
                day.git(&["rebase", "--quiet", "theirs"]);
            }
            Self::AnotherAgent => {
                put("other/begun.py");
                day.start_another();
            }
            Self::Everything => {
                for start in [
                    Self::Stashed,
                    Self::Staged,
                    Self::Untracked,
                    Self::AnotherAgent,
                ] {
                    start.prepare(day);
                }
                fs::remove_file(day.repo.join("left/kept.py")).unwrap();
            }
        }
    }

    /// What another agent does while this one works.
    pub fn beside(self, day: &mut Day) {
        if matches!(self, Self::AnotherAgent | Self::Everything) {
            write(&day.repo.join("other/begun.py"), "gone on\n");
            write(&day.repo.join("other/more.py"), "more\n");
        }
    }
}
