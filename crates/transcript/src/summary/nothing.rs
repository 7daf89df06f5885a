//! What a run prints that found nothing to do, or did none of what it found.

use attest_shell::text::is_one_of;

use super::{PASSED, counts};

/// What it says then, in small letters.
const PHRASES: [&str; 7] = [
    "tests are skipped",
    "nothing to be done",
    "nothing to do",
    "' is up to date",
    "\" is up to date",
    "notests",
    "out of 0",
];
/// What it says that there is none of.
const THINGS: &str = "test tests task tasks session sessions file files example examples project projects spec specs";
/// What follows where there is none that is something: "no tests failed".
const IS_GOOD: &str = "failed failing failure failures error errors changed changes";
/// What it looks at, other than tests.
const LOOKED_AT: &str = "file files task tasks";
/// Words for a test that did not run, or would run otherwise, beside which no number stands.
const SKIPPED: &str = "skip skipped skipping excluded disabled dry would";
/// What was skipped.
const TESTS: &str = "test tests session";

/// Whether a run says that there was nothing to do.
pub(crate) fn says_nothing(text: &str) -> bool {
    let small = text.to_lowercase();
    let looked_at = text.lines().flat_map(|line| counts(line, LOOKED_AT));
    PHRASES.iter().any(|words| small.contains(words))
        || small
            .lines()
            .any(|line| has_none(line) || is_empty_plan(line))
        || looked_at.max() == Some(0)
}

/// Whether a run names tests that did not run, and none that passed.
pub(super) fn only_skips(text: &str) -> bool {
    text.lines().any(names_skipped) && !text.lines().any(names_passed)
}

/// "No tests were run", "no Python files", in small letters.
fn has_none(line: &str) -> bool {
    let words: Vec<_> = words(line).collect();
    let none = words.iter().enumerate().filter(|(_, word)| **word == "no");
    none.map(|(at, _)| &words[at + 1..]).any(|rest| {
        let thing = rest.iter().take(2).position(|it| is_one_of(THINGS, it));
        thing.is_some_and(|at| !rest.get(at + 1).is_some_and(|it| is_one_of(IS_GOOD, it)))
    })
}

/// The plan of a file of tests that has none (TAP).
fn is_empty_plan(line: &str) -> bool {
    line == "1..0" || line.starts_with("1..0 ")
}

fn names_skipped(line: &str) -> bool {
    let small = line.to_lowercase();
    let has = |list: &str| words(&small).any(|word| is_one_of(list, word));
    let is_skipped =
        has(SKIPPED) && counts(line, SKIPPED).is_empty() || small.contains("no-source");
    let is_first = words(&small)
        .next()
        .is_some_and(|word| is_one_of(SKIPPED, word));
    is_skipped && (is_first || has(TESTS))
}

/// Whether a line names one that passed, as `--- PASS: TestA` does, or a line of TAP.
fn names_passed(line: &str) -> bool {
    let is_it = |word: &str| word.starts_with('P') && is_one_of(PASSED, &word.to_lowercase());
    let is_word = words(line).any(is_it) && words(line).nth(1).is_some();
    let is_ok = line.starts_with("ok ") && !line.contains('\t');
    (is_word || is_ok) && counts(line, PASSED).is_empty() && !line.to_lowercase().contains("# skip")
}

fn words(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|it: char| !it.is_alphanumeric());
    words.filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::is_of_none;
    use super::*;

    #[test]
    fn a_run_that_only_skipped_is_of_none() {
        for none in [
            "2 runs, 0 assertions, 0 failures, 0 errors, 2 skips",
            "0 runs, 0 assertions, 0 failures, 0 errors, 0 skips",
            "> Task :compileJava\n> Task :test NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
            "> Task :test SKIPPED\n\nBUILD SUCCESSFUL in 1s",
            "Finished in 0.01 seconds\n5 tests, 0 failures, 5 excluded",
            "All tests have been excluded.\n\n3 tests, 0 failures (3 excluded)",
            "ok | 0 passed | 0 failed (0ms)",
            "ok | 0 passed | 0 failed | 3 ignored (5ms)",
            "1/1 Test #1: a ...***Skipped   0.0 sec\n\n100% tests passed, 0 tests failed out of 1",
            "1/1 Test #1: a .....***Not Run (Disabled)   0.00 sec\n\n100% tests passed, 0 tests failed out of 1",
            "100% tests passed, 0 tests failed out of 0",
            "00:01 +0 ~3: All tests skipped.",
            "=== RUN   TestA\n--- SKIP: TestA (0.00s)\nPASS\nok  \tx\t0.002s",
            "No tasks were executed as part of this run.\n\n Tasks:    0 successful, 0 total",
            "NX   No tasks were run",
            "nox > Session tests skipped: no python.\nnox > Session tests was skipped.",
            "nox > No sessions selected.",
            "No projects matched the filters in \"/x\"",
            "1..0",
            "  Tests:    3 todos (0 assertions)",
            "Files=0, Tests=0\nResult: NOTESTS",
            "Test run with 0 tests passed after 0.001 seconds.",
            "./test.sh\nSkipping tests: DATABASE_URL is not set",
            "Skipping: CI only",
            "docker: command not found, skipping tests",
            "[dry-run] would run 12 tests",
            "Running 0 of 12 tests",
            "0 of 12 passed",
            "0/12 passed",
            "INFO: Found 3 targets and 0 test targets...",
        ] {
            assert!(is_of_none(none), "{none}");
        }
        for some in [
            "4 runs, 1 assertions, 0 failures, 0 errors, 3 skips",
            "> Task :processTestResources NO-SOURCE\n> Task :test\n\nBUILD SUCCESSFUL in 1s",
            "5 tests, 0 failures, 2 excluded",
            "ok | 3 passed | 0 failed (5ms)",
            "1/2 Test #1: a ...***Skipped   0.0 sec\n2/2 Test #2: b ...   Passed    0.00 sec\n\n100% tests passed, 0 tests failed out of 2",
            "100% tests passed, 0 tests failed out of 10",
            "00:01 +3 ~1: All tests passed!",
            "--- SKIP: TestA (0.00s)\n--- PASS: TestB (0.00s)\nPASS\nok  \tx\t0.002s",
            "No tests failed.",
            " Tasks:    2 successful, 2 total",
            "1..2\nok 1 test a # SKIP\nok 2 b",
            "test_a (x) ... skipped 'no db'\ntest_b (x) ... ok\nRan 2 tests in 0.1s\n\nOK (skipped=1)",
            "Executed 3 tests, with 0 failures\nTest run with 0 tests in 0 suites passed",
            "skipping tests of the database\n3 passed in 0.1s",
            "12 of 12 passed",
            "3/12 passed",
            "Found 1 test target...\nExecuted 1 out of 1 test: 1 test passes.",
        ] {
            assert!(!is_of_none(some), "{some}");
        }
    }

    #[test]
    fn a_check_of_no_files_is_of_nothing() {
        for (text, is_nothing) in [
            ("Checked 0 files in 1ms. No fixes applied.", true),
            ("Checked 3 files in 1ms. No fixes applied.", false),
            ("0 files would be reformatted, 3 files left", false),
            (
                "warning: No Python files found under the given path(s)",
                true,
            ),
            ("No files changed", false),
        ] {
            assert_eq!(says_nothing(text), is_nothing, "{text}");
        }
    }
}
