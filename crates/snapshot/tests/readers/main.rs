//! All readers agree with each other and with `git status`, on generated work trees.

#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    unreachable_pub,
    reason = "a test that cannot go on fails, and git has to be found"
)]

mod names;
mod reuse;
mod scratch;
mod step;

use std::collections::BTreeSet;
use std::fs;
use std::thread;
use std::time::Duration;

use attest_snapshot::{Fingerprint, RepoPath, Unreadable, WorkTree};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use scratch::{Layout, Scratch, Who};
use step::{Step, step};

/// Longer than two times have to lie apart to show which came first.
const REST: Duration = Duration::from_millis(120);

fn layout() -> impl Strategy<Value = Layout> {
    prop_oneof![
        3 => Just(Layout::Plain),
        1 => Just(Layout::Linked),
        1 => Just(Layout::Separate),
        1 => Just(Layout::Named),
        2 => Just(Layout::Sparse),
    ]
}

fn steps(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(), 1..most)
}

fn paths(tree: &WorkTree) -> BTreeSet<Vec<u8>> {
    let paths = tree.files.keys();
    paths.map(|path| path.as_bytes().to_vec()).collect()
}

/// What the paths hold, without what each was known by: between two readings that comes to rest.
fn contents(tree: &WorkTree) -> Vec<(&RepoPath, &Fingerprint)> {
    let files = tree.files.iter();
    files
        .map(|(path, state)| (path, &state.fingerprint))
        .collect()
}

/// What the fastest reader finds; nothing if it would have to ask git about an index for which git
/// writes.
fn fastest(
    scratch: &Scratch,
    earlier: Option<&WorkTree>,
) -> Result<Option<WorkTree>, TestCaseError> {
    match scratch.try_read(Who::Fastest, earlier) {
        Ok(tree) => Ok(Some(tree)),
        Err(Unreadable::WouldWrite(_)) => Ok(None),
        Err(why) => Err(TestCaseError::fail(why.to_string())),
    }
}

/// `got` is what one reader found; the git program and `git status` say what is right.
fn agrees(scratch: &Scratch, got: &WorkTree) -> Result<(), TestCaseError> {
    let program = match scratch.try_read(Who::Program, None) {
        Ok(program) => program,
        // A hook never lets git read a split index; the test may.
        Err(Unreadable::WouldWrite(_)) => {
            prop_assert_eq!(paths(got), scratch.status(), "{:?}", got.reader);
            return Ok(());
        }
        Err(why) => return Err(TestCaseError::fail(why.to_string())),
    };
    prop_assert_eq!(paths(&program), scratch.status(), "the git program");
    prop_assert_eq!(contents(got), contents(&program), "{:?}", got.reader);
    prop_assert_eq!(&got.head, &program.head);
    prop_assert_eq!(&got.refs, &program.refs);
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_first_reading_is_what_git_says(layout in layout(), steps in steps(30)) {
        let scratch = Scratch::new(layout);
        scratch.apply_all(&steps);
        if let Some(tree) = fastest(&scratch, None)? {
            agrees(&scratch, &tree)?;
        }
    }

    #[test]
    fn a_reading_that_builds_on_another_is_what_git_says(
        layout in layout(),
        stages in proptest::collection::vec((steps(12), any::<bool>()), 2..4),
    ) {
        let scratch = Scratch::new(layout);
        let mut earlier = None;
        for (steps, rest) in stages {
            scratch.apply_all(&steps);
            if rest {
                thread::sleep(REST);
            }
            let Some(tree) = fastest(&scratch, earlier.as_ref())? else {
                return Ok(());
            };
            agrees(&scratch, &tree)?;
            earlier = Some(tree);
        }
    }

    #[test]
    fn libgit2_says_what_git_says(steps in steps(30)) {
        let scratch = Scratch::new(Layout::Plain);
        scratch.apply_all(steps.iter().filter(|step| is_for_libgit2(step)));
        agrees(&scratch, &scratch.read(Who::LibGit2, None))?;
    }
}

/// What it answers otherwise than git, without an error, is in docs/LIMITATIONS.md.
fn is_for_libgit2(step: &Step) -> bool {
    !matches!(
        step,
        Step::AssumeUnchanged(..)
            | Step::SkipWorktree(..)
            | Step::Submodule(..)
            | Step::NestedRepository(..)
            | Step::Attributes(..)
            | Step::Set(..)
            | Step::Pipe(..)
            | Step::Exclude(..)
            | Step::Ignore(1.., _)
    )
}

/// What a reader cannot do is left to git, so most trees have to be within its reach.
#[cfg(unix)]
#[test]
fn the_fast_reader_reads_what_people_have() {
    for layout in [
        Layout::Plain,
        Layout::Linked,
        Layout::Separate,
        Layout::Named,
        Layout::Sparse,
    ] {
        let scratch = Scratch::new(layout);
        scratch.apply_all(&[
            Step::Write(0, 1),
            Step::Ignore(0, 3),
            Step::Attributes(0, 1),
            Step::StageAll,
            Step::Commit,
            Step::Write(0, 2),
            Step::Write(4, 1),
            Step::Submodule(0),
            Step::NestedRepository(4),
        ]);
        assert_eq!(
            scratch.read(Who::Fastest, None).reader,
            attest_snapshot::ReaderKind::Fast,
            "{layout:?}"
        );
    }
}

/// A folder is ignored, a file in it is tracked, and a later rule names another one.
#[test]
fn nothing_in_an_ignored_folder_is_brought_back() {
    let scratch = Scratch::new(Layout::Plain);
    fs::create_dir(scratch.root.join("a")).unwrap();
    fs::write(scratch.root.join("a/c"), "tracked").unwrap();
    scratch.git(&["add", "--all"]);
    fs::write(scratch.root.join(".gitignore"), "/a\n!a/d.log\n").unwrap();
    fs::write(scratch.root.join("a/d.log"), "ignored").unwrap();
    let program = scratch.read(Who::Program, None);
    for who in [Who::Fastest, Who::LibGit2] {
        assert_eq!(contents(&scratch.read(who, None)), contents(&program));
    }
}

/// A file that is only intended to be added, and of which git is told to look away as well.
#[test]
fn what_is_looked_away_from_is_not_intended_either() {
    for flag in ["--skip-worktree", "--assume-unchanged"] {
        let scratch = Scratch::new(Layout::Plain);
        fs::write(scratch.root.join("a"), "new").unwrap();
        scratch.git(&["add", "--intent-to-add", "a"]);
        scratch.git(&["update-index", flag, "a"]);
        agrees(&scratch, &scratch.read(Who::Fastest, None)).unwrap();
    }
}

/// The same few cases each time, so that a change is what makes a test fail. `PROPTEST_CASES` asks for that many new ones.
fn config() -> ProptestConfig {
    let asked = std::env::var("PROPTEST_CASES").ok();
    let asked = asked.and_then(|text| text.parse().ok());
    ProptestConfig {
        cases: asked.unwrap_or(attest_clock::size(12, 100)),
        rng_seed: asked.map_or(RngSeed::Fixed(1), |_| RngSeed::Random),
        max_shrink_iters: 200,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

/// The most that a file of four bytes for each number can be: nothing of it is read but its head.
#[test]
fn a_huge_index_that_is_none_costs_nothing() {
    for head in [
        &b""[..],
        b"DIRC\0\0\0\x02\x04\0\0\0",
        b"DIRC\0\0\0\x03\xff\xff\xff\xff",
    ] {
        let scratch = Scratch::new(Layout::Plain);
        let index = scratch.root.join(".git/index");
        fs::write(&index, head).unwrap();
        fs::File::options()
            .write(true)
            .open(&index)
            .unwrap()
            .set_len(3 << 30)
            .unwrap();
        let began = std::time::Instant::now();
        assert!(scratch.try_read(Who::Fastest, None).is_err());
        assert!(began.elapsed() < Duration::from_mins(1));
    }
}
