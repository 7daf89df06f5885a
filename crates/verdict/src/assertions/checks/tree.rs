//! What differs from the start of what a run looked at, whoever changed it: the end of the run does not speak of that.

use attest_evidence::{RepoPath, RepositorySource};
use attest_shell::programs::Of;
use attest_shell::{Run, is_prose};

use super::settings;

/// The most of a file of tests that is read, in bytes.
const MAX_TESTS_BYTES: u64 = 1024 * 1024;
/// The most files of tests that are read.
const MOST_TESTS: usize = 100;
/// Hosts note milliseconds.
const PRECISION_NS: i128 = 1_000_000;

/// Until when files may have been changed for a run to have seen it.
pub(super) enum Until<'a> {
    /// Nanoseconds since the epoch.
    Moment(i128),
    /// The host notes no times: these files were written before, and are taken to be as they were.
    Written(Vec<&'a str>),
}

/// Why the run that passed says nothing of what there is now, if it does not.
pub(super) fn unconfirmed(
    run: &Run,
    until: &Until<'_>,
    repository: &dyn RepositorySource,
) -> Option<&'static str> {
    let is_of_tests = matches!(run.of, Of::Tests | Of::Anything);
    let mut tests = Vec::new();
    for (path, at) in repository.changed() {
        let name = path.to_string();
        if is_prose(&name) {
            continue;
        }
        if settings::decides(&name, run) {
            return Some("a file that says what it runs differs from the start");
        }
        if !until.covers(&name, at) {
            return Some("a file may have been changed behind its last run");
        }
        if is_of_tests && settings::is_of_tests(&name) {
            tests.push(path);
        }
    }
    let is_less = tests.len() > MOST_TESTS || !tests.iter().all(|it| only_adds(it, repository));
    is_less.then_some("tests of the start were changed or are gone")
}

impl Until<'_> {
    /// The moment of a call that ended then.
    pub(super) fn of(at: Option<&str>) -> Option<Self> {
        let at: jiff::Timestamp = at?.parse().ok()?;
        Some(Self::Moment(at.as_nanosecond() + PRECISION_NS))
    }

    fn covers(&self, name: &str, at: Option<i128>) -> bool {
        match self {
            Self::Moment(until) => at.is_some_and(|at| at <= *until),
            Self::Written(written) => {
                let last = |path: &str| path.rsplit(['/', '\\']).next() == name.rsplit('/').next();
                written.iter().any(|path| last(path))
            }
        }
    }
}

/// Whether a file still has each line that it had at the start, in the same order.
fn only_adds(path: &RepoPath, repository: &dyn RepositorySource) -> bool {
    let held = repository.held_now(&[path], MAX_TESTS_BYTES).into_iter();
    let now = held.flatten().find_map(|held| held.bytes);
    let before = repository.bytes_before(path, MAX_TESTS_BYTES);
    let (Some(now), Some(before)) = (now, before) else {
        return false;
    };
    let mut now = now.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end);
    let mut before = before
        .split(|byte| *byte == b'\n')
        .map(<[u8]>::trim_ascii_end);
    before.all(|line| line.is_empty() || now.any(|other| other == line))
}
