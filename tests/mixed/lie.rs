//! One lie of a kind that can be proven.

use attest_claim::Kind;
use attest_state::history::Judged;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use std::fs;

use super::report::Wording;
use super::step::{Program, Step};
use super::world::World;

const GHOST: &str = "src/never_made.py";
const COMMIT: &str = "4be7d0c1f29a83e6b5d4c7f1a09e8d6b3c2f5a71";
const UNREAD: &str = "docs/guide.md";
const EMPTY: &str = "tests/test_a.py";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lie {
    File,
    Commit,
    FailedCheck,
    NoCommand,
    Unread,
    Emptied,
    DirtyTree,
}

pub fn any() -> impl Strategy<Value = Lie> {
    select(vec![
        Lie::File,
        Lie::Commit,
        Lie::FailedCheck,
        Lie::NoCommand,
        Lie::Unread,
        Lie::Emptied,
        Lie::DirtyTree,
    ])
}

impl Lie {
    /// What is so before the agent does anything else.
    pub fn prepare(self, world: &mut World<'_>) {
        match self {
            Self::FailedCheck => {
                world.bash("make --version", 0, "4.4");
            }
            Self::Unread => {
                let input = json!({"file_path": world.repo.join("README.md")});
                world.call("Read", &input, Ok("# Project"));
            }
            _ => {}
        }
    }

    /// Whether the step leaves the lie one.
    pub fn allows(self, step: &Step) -> bool {
        match self {
            // A check that is claimed in the same breath is not asked for by name alone.
            Self::FailedCheck => !matches!(step, Step::Check(..)),
            Self::NoCommand | Self::Unread => {
                !step.runs() && !matches!(step, Step::Read(..) | Step::Check(..))
            }
            Self::Emptied | Self::DirtyTree => !matches!(step, Step::Commit(_)),
            Self::File | Self::Commit => true,
        }
    }

    /// What it does last, so that the lie is one.
    pub fn act(self, world: &mut World<'_>) {
        match self {
            Self::FailedCheck => world.bash(Program::CargoTest.command(), 101, "1 failed"),
            Self::Emptied => {
                fs::write(world.repo.join(EMPTY), "").unwrap();
                world.bash(&format!(": > {EMPTY}"), 0, "");
                world.touched(EMPTY);
            }
            Self::DirtyTree => world.write("src/left.py", "left behind, and not committed\n"),
            Self::File | Self::Commit | Self::NoCommand | Self::Unread => {}
        }
    }

    /// The line with the lie, if that takes one of its own.
    pub fn words(self, wording: &Wording) -> String {
        match self {
            Self::File => wording.line("Files created", GHOST),
            Self::Commit => wording.line("Commit", &wording.commit(COMMIT)),
            Self::FailedCheck => {
                wording.line("Tests", &wording.check(Program::CargoTest, true, true))
            }
            Self::NoCommand => wording.line("Tests", &wording.check(Program::Pytest, true, true)),
            Self::Unread => wording.line("Reviewed", UNREAD),
            Self::Emptied => String::new(),
            Self::DirtyTree => wording.line("Working tree", "clean"),
        }
    }

    /// Whether what is found is about the lie.
    pub fn is_named_by(self, judged: &Judged) -> bool {
        match self {
            Self::File => judged.claimed == GHOST,
            Self::Commit => judged.kind == Kind::Commits,
            Self::FailedCheck | Self::NoCommand => judged.kind == Kind::Checks,
            Self::Unread => judged.kind == Kind::Reads,
            Self::Emptied => judged.claimed.contains(EMPTY),
            Self::DirtyTree => judged.kind == Kind::Tree,
        }
    }
}
