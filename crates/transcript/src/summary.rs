//! What a run of tests prints of itself in the end: "2 failed, 40 passed".

mod errors;
mod nothing;

use attest_shell::text::is_one_of;
pub(crate) use errors::ends_in_errors;
pub(crate) use nothing::says_nothing;

/// Words for those that failed, by themselves or by an error, those that passed, those that did not run, and all.
const FAILED: &str = "failed failing failures failure fail";
const ERRORS: &str = "error errors";
const PASSED: &str = "passed passing pass succeeded";
const NOT_RUN: &str =
    "skipped skips excluded ignored pending deselected disabled todo todos xfailed";
const ALL: &str = "tests test examples example specs spec items scenarios run runs";
/// Those that not every runner calls so.
const BY_NAME: &str = "examples example specs spec items scenarios run runs";
/// The same where it stands beside tests; a table of what is covered has it too.
const TOTAL: &str = "total";
/// Words for what tests are in: "Test Suites: 4 passed".
const GROUPS: &str = "suites suite files";
/// Words for what tests look at.
const LOOKS: &str = "assertions assertion";
/// What may follow a word for tests that stands behind a number: "2 failed jobs" are jobs.
const COUNTED: &str = "and assertion assertions case cases example examples in of out passed spec specs target targets test tests total";

/// How many failed by the last line that counts them or those that passed; zero if it counts errors, or ends in words
/// that some failed, and `None` if it says so of none.
pub(crate) fn failed(text: &str) -> Option<u32> {
    let first = |line: &str, words: &str| counts(line, words).first().copied();
    let said = |line: &str| {
        if !may_count(line) {
            return None;
        }
        let (passed, failed) = (first(line, PASSED), first(line, FAILED));
        let is_said = passed.is_some() || failed.is_some() || is_of_errors(line);
        is_said.then(|| (failed, first(line, ERRORS)))
    };
    let (failed, errors) = text.lines().rev().find_map(said).unwrap_or_default();
    let has_errors = errors > Some(0) || ends_in_failure(text);
    failed
        .filter(|it| *it > 0)
        .or_else(|| has_errors.then_some(0))
}

/// Whether it has the beginning of a word for tests that passed or failed, or for errors. Most lines have none, and need
/// not be taken apart.
fn may_count(line: &str) -> bool {
    line.as_bytes().windows(4).any(|four| {
        [b"pass", b"fail", b"erro", b"succ"]
            .iter()
            .any(|it| it.eq_ignore_ascii_case(four))
    })
}

/// Whether it is the line of a run that counts only errors: "1 error in 0.1s".
fn is_of_errors(line: &str) -> bool {
    let line = line.trim_matches([' ', '=']);
    line.split_once(" in ").is_some_and(|(errors, time)| {
        let time = time.strip_suffix('s').unwrap_or_default();
        !counts(errors, ERRORS).is_empty() && time.parse::<f64>().is_ok()
    })
}

/// Whether its last line is what a run says in the end that does not count.
fn ends_in_failure(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    // Go, Cargo and Flutter.
    last == "FAIL"
        || last.starts_with("error: test failed")
        || last.ends_with(": Some tests failed.")
}

/// Whether it counts any that failed, or errors.
pub(crate) fn counts_failed(text: &str) -> bool {
    let words = format!("{FAILED} {ERRORS}");
    let mut found = text.lines().flat_map(|line| beside(line, &words));
    found.any(|it| it.number > Some(0))
}

/// Whether a line names what failed, as test runners mark it.
pub(crate) fn tells_of_failure(line: &str) -> bool {
    ["FAIL", "✕", "✗", "×", "not ok"]
        .iter()
        .any(|mark| line.contains(mark))
}

/// Whether a run of tests says that none of them passed.
pub(crate) fn is_of_none(text: &str) -> bool {
    // Some name each one that passed.
    let is_named = |line: &str| {
        let is_it = line.starts_with("ok ") || line.starts_with("ok\t");
        let is_counted = !counts(line, PASSED).is_empty();
        is_it && !is_counted && !says_nothing(line) && !line.to_lowercase().contains("# skip")
    };
    let most = |words: &str| of_tests(text).flat_map(|line| counts(line, words)).max();
    let (passed, not_run) = (most(PASSED), most(NOT_RUN).unwrap_or(0));
    let all = most(ALL);
    if passed > Some(0) {
        return false;
    }
    if not_run == 0 && nothing::only_skips(text) || most(LOOKS) == Some(0) {
        return true;
    }
    if text.lines().any(is_named) {
        return false;
    }
    match all.max(passed) {
        Some(all) => all <= not_run,
        None => not_run > 0 || says_nothing(text),
    }
}

/// Whether a run counts so many of what the word says: that passed, which is all where it tells of none that did not run,
/// or that are something else. Of several lines that count those that passed, the last one or all of them say how many.
pub(crate) fn says_so_many(text: &str, number: u32, word: &str) -> bool {
    let has_passed = || {
        let counted: Vec<_> = of_tests(text)
            .filter_map(|line| counts(line, PASSED).first().copied())
            .collect();
        let all = counted
            .iter()
            .fold(0_u32, |all, it| all.saturating_add(*it));
        counted.last() == Some(&number) || !counted.is_empty() && all == number
    };
    let has = |words: &str| of_tests(text).any(|line| counts(line, words).contains(&number));
    let has_all = || has(ALL) || has(TOTAL);
    if is_one_of(BY_NAME, word) {
        return has(word);
    }
    if word == TOTAL || is_one_of(ALL, word) {
        return has_passed() || has_all();
    }
    if !word.is_empty() && !is_one_of(PASSED, word) {
        return text
            .lines()
            .any(|line| counts(line, word).contains(&number));
    }
    has_passed() || has_all() && ran_all(text)
}

/// Whether a run tells of none that did not run.
pub(crate) fn ran_all(text: &str) -> bool {
    of_tests(text).all(|line| counts(line, NOT_RUN).iter().all(|it| *it == 0))
}

/// Whether a run names so many anywhere of what the word says, or of tests.
pub(crate) fn names_so_many(text: &str, number: u32, word: &str) -> bool {
    let has = |line: &str, words: &str| counts(line, words).contains(&number);
    let of_all = format!("{PASSED} {ALL} {TOTAL}");
    of_tests(text).any(|line| has(line, &of_all)) || text.lines().any(|line| has(line, word))
}

/// Whether a run says that there are none of what the word says, singular or plural; not if it counts others, or tells
/// of them without a number that is read. `None` if it does not tell of them.
pub(crate) fn says_none(text: &str, word: &str) -> Option<bool> {
    let text = text.to_lowercase().replace("no ", "0 ");
    let word = word.trim_end_matches('s');
    let words = format!("{word} {word}s");
    let found: Vec<_> = text.lines().flat_map(|line| beside(line, &words)).collect();
    let mut numbers = found.iter().filter_map(|it| it.number).peekable();
    let is_counted = numbers.peek().is_some();
    (!found.is_empty()).then(|| is_counted && numbers.all(|number| number == 0))
}

/// The lines that do not count what tests are in.
fn of_tests(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter(|line| {
        let words = line.split(|c: char| !c.is_alphanumeric());
        let mut first = words.filter(|word| !word.is_empty()).take(2);
        !first.any(|word| is_one_of(GROUPS, &word.to_lowercase()))
    })
}

/// The numbers beside these words, as far as they count tests.
fn counts(line: &str, words: &str) -> Vec<u32> {
    let found = beside(line, words).into_iter();
    let found = found.filter(|it| it.is_of_tests);
    found.filter_map(|it| it.number).collect()
}

/// What stands beside a word.
struct Beside {
    number: Option<u32>,
    /// Whether what follows leaves it the number of tests.
    is_of_tests: bool,
}

/// What stands beside each of these words: in front of it, or behind it and a sign.
fn beside(line: &str, words: &str) -> Vec<Beside> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut before: Option<u32> = None;
    // The number in front of "of".
    let mut some: Option<u32> = None;
    let (mut rest, mut last) = (line, "");
    while let Some(begin) = rest.find(is_part) {
        let (gap, behind) = rest.split_at(begin);
        // "0/12 passed"
        let is_share = gap == "/" && last.parse::<u32>().is_ok();
        // "Total 12, Failed 2", "100% tests passed"
        before = before.filter(|_| gap.trim().is_empty() || is_share);
        rest = behind;
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        let is_of = |words: &str| {
            let mut words = words.split(' ');
            words.any(|each| each.eq_ignore_ascii_case(word))
        };
        if is_of(words) {
            let is_label = behind.starts_with([':', '=']) || before.is_none();
            let next = behind.trim_start_matches([':', '=', ' ']);
            let digits = next
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(next.len());
            let (behind_it, rest) = next.split_at(digits);
            let is_time = rest
                .strip_prefix('.')
                .is_some_and(|it| it.starts_with(|c: char| c.is_ascii_digit()));
            let behind_it = behind_it.parse().ok().filter(|_| !is_time);
            found.push(Beside {
                number: if is_label { behind_it } else { before },
                is_of_tests: is_label || is_counted(behind),
            });
        }
        // "2 tests failed", but not "100% tests passed"
        let is_noun = is_of(ALL);
        let number = word.parse().ok().filter(|_| !behind.starts_with('%'));
        // "0 of 12 passed"
        let is_share = number.is_some() && (is_share || last.eq_ignore_ascii_case("of"));
        some = before
            .filter(|_| word.eq_ignore_ascii_case("of"))
            .or(some.filter(|_| is_share));
        before = before
            .filter(|_| is_noun || is_share)
            .or(some.filter(|_| is_share));
        before = before.or(number);
        (rest, last) = (behind, word);
    }
    found
}

/// Whether what follows a number and such a word leaves it the number of tests.
fn is_counted(behind: &str) -> bool {
    let next = behind.trim_start_matches(' ');
    let end = next.find(|c: char| !c.is_alphabetic());
    let next = &next[..end.unwrap_or(next.len())];
    next.is_empty() || is_one_of(COUNTED, &next.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_of_tests_has_one_of_the_beginnings() {
        for word in [PASSED, FAILED, ERRORS]
            .iter()
            .flat_map(|list| list.split(' '))
        {
            assert!(may_count(&format!("2 {word}")), "{word}");
        }
    }

    #[test]
    fn the_last_line_that_counts_says_how_many_failed() {
        for (text, count) in [
            ("=== 2 failed, 40 passed in 1.2s ===", Some(2)),
            (
                "test result: FAILED. 1 passed; 3 failed; 0 ignored",
                Some(3),
            ),
            (
                "Tests:       2 failed, 40 passed, 42 total\nTime: 3 s",
                Some(2),
            ),
            ("  40 passing (1s)\n  1 failing\n", Some(1)),
            ("10 examples, 2 failures", Some(2)),
            ("Tests: 5, Assertions: 7, Failures: 2.", Some(2)),
            ("FAILED (failures=2)", Some(2)),
            (
                "Failed!  - Failed:     2, Passed:    40, Total: 42",
                Some(2),
            ),
            ("# pass 40\n# fail 2\n# skipped 0", Some(2)),
            ("2 failed tests in 3 s", Some(2)),
            (
                "83% tests passed, 2 tests failed out of 12\n\nThe following tests FAILED:",
                Some(2),
            ),
            (
                "[error] Failed: Total 12, Failed 2, Errors 0, Passed 10",
                Some(2),
            ),
            ("=== 1 error in 0.1s ===", Some(0)),
            ("3 passed, 1 error in 0.12s", Some(0)),
            ("Tests run: 10, Failures: 0, Errors: 2, Skipped: 0", Some(0)),
            (
                "--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tx/a\t0.1s\nok  \tx/b\t0.1s\nFAIL\n",
                Some(0),
            ),
            (
                "test result: ok. 3 passed; 0 failed\nerror: test failed, to rerun pass `--lib`",
                Some(0),
            ),
            ("00:03 +10 -2: Some tests failed.", Some(0)),
            // It is not the run that says so.
            ("FAIL\nok  \tx/b\t0.1s", None),
            ("100% tests passed, 0 tests failed out of 12", None),
            ("12 passed\nfound 3 errors in 2 files", None),
            ("12 passed\nthe page says that Some tests failed.", None),
            // What failed is no test.
            ("ok 11 reports 3 failed jobs\nok 12 ends", None),
            (
                "Tests: 12 passed, 12 total\nconsole.warn: 1 failed request was retried",
                None,
            ),
            (
                "12 examples, 0 failures\nCoverage: 1 failed threshold",
                None,
            ),
            // A later line, or another word.
            ("1 failed, retrying\n=== 42 passed in 1.2s ===", None),
            ("42 passed, 2 xfailed, 0 failed", None),
            ("Failed: 0, Passed: 40", None),
            ("test_2_failed PASSED\nall is well", None),
            ("", None),
        ] {
            assert_eq!(failed(text), count, "{text}");
        }
    }

    #[test]
    fn a_run_says_that_none_passed() {
        for none in [
            "Ran 0 tests in 0.000s\n\nOK",
            "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out",
            "test result: ok. 0 passed; 0 failed; 5 ignored",
            "  0 passing (1ms)",
            "0 examples, 0 failures",
            "sss  [100%]\n3 skipped in 0.01s",
            "collected 3 items / 3 skipped\n\n=== 3 skipped in 0.02s ===",
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 5",
            "Ran 3 tests in 0.001s\n\nOK (skipped=3)",
            "Tests:       3 skipped, 3 total",
            "?   \tx\t[no test files]",
            "ok  \tx\t0.003s [no tests to run]",
            "No tests found, exiting with code 0",
            "No test files found, exiting with code 0",
            "make: 'test' is up to date.",
            "make: Nothing to be done for 'test'.",
            "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS",
            "1..2\nok 1 a # SKIP\nok 2 b # skip\n# tests 2\n# pass 0\n# skipped 2",
            "3 tests, 0 failures, 3 excluded",
            "2 runs, 0 assertions, 0 failures, 0 errors, 2 skips",
        ] {
            assert!(is_of_none(none), "{none}");
        }
        for some in [
            "",
            "OK",
            "3 passed, 42 skipped in 0.1s",
            "running 0 tests\n0 passed; 0 failed\nrunning 3 tests\ntest result: ok. 3 passed; 0 failed",
            "Ran 12 tests in 0.1s\n\nOK (skipped=3)",
            "?   \tx\t[no test files]\nok  \ty\t0.003s",
            "12 examples, 0 failures, 2 pending",
            "4 runs, 1 assertions, 0 failures, 0 errors, 3 skips",
            "OK (5 tests, 7 assertions)",
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 1",
            "1..1\nok 1 a",
            "all is well",
            "up to date, audited 3 packages in 1s\nAlready up to date.",
        ] {
            assert!(!is_of_none(some), "{some}");
        }
        for (text, is_nothing) in [
            (
                "warning: No Python files found under the given path(s)",
                true,
            ),
            ("make: Nothing to be done for 'all'.", true),
            ("All checks passed!", false),
        ] {
            assert_eq!(says_nothing(text), is_nothing, "{text}");
        }
    }

    #[test]
    fn a_number_is_of_what_it_stands_beside() {
        for (text, number, word, is_said) in [
            ("42 passed in 0.3s", 42, "passed", true),
            ("42 passed in 0.3s", 42, "", true),
            ("42 passed in 0.3s", 42, "tests", true),
            ("142 passed", 42, "passed", false),
            ("3 passed, 42 skipped", 42, "passed", false),
            ("3 passed, 42 skipped", 42, "skipped", true),
            ("3 passed, 42 skipped", 3, "skipped", false),
            ("42 deselected, 3 passed of 45 items", 42, "tests", false),
            (
                "Test Suites: 42 passed, 42 total\nTests: 3 passed, 3 total",
                42,
                "tests",
                false,
            ),
            (
                "Test Suites: 42 passed, 42 total\nTests: 3 passed, 3 total",
                42,
                "suites",
                true,
            ),
            (
                " Test Files  42 passed (42)\n      Tests  3 passed (3)",
                42,
                "",
                false,
            ),
            (
                " Test Files  2 passed (2)\n      Tests  42 passed (42)",
                42,
                "",
                true,
            ),
            (
                "platform linux -- Python 3.11.42\n3 passed in 0.2s",
                42,
                "passed",
                false,
            ),
            ("ok. 3 passed; 0 failed; 42 ignored", 42, "passed", false),
            ("Ran 42 tests in 0.1s\n\nOK", 42, "passed", true),
            (
                "Ran 42 tests in 0.1s\n\nOK (skipped=40)",
                42,
                "passed",
                false,
            ),
            ("Ran 42 tests in 0.1s\n\nOK (skipped=40)", 42, "tests", true),
            ("42 examples, 0 failures", 42, "", true),
            ("Tests:       42 passed, 42 total", 42, "total", true),
            ("OK (42 tests, 80 assertions)", 42, "passed", true),
            ("3 passed, 12 warnings in 0.1s", 12, "warnings", true),
            ("took 42 s", 42, "", false),
            (
                "previously: 42 passed\n3 passed in 0.1s",
                42,
                "passed",
                false,
            ),
            (
                "ok. 40 passed; 0 failed\nok. 2 passed; 0 failed",
                42,
                "passed",
                true,
            ),
            (
                "ok. 42 passed; 0 failed\nok. 2 passed; 0 failed",
                42,
                "passed",
                false,
            ),
            ("42 passed in 0.1s", 42, "specs", false),
            ("42 examples, 0 failures", 42, "examples", true),
        ] {
            assert_eq!(
                says_so_many(text, number, word),
                is_said,
                "{text}: {number} {word}"
            );
        }
    }

    #[test]
    fn none_is_said_of_what_has_no_other_number() {
        for (text, word, is_none) in [
            (
                "✖ 12 problems (0 errors, 12 warnings)",
                "warnings",
                Some(false),
            ),
            (
                "✖ 12 problems (0 errors, 12 warnings)",
                "errors",
                Some(true),
            ),
            ("    12 Warning(s)\n    0 Error(s)", "warnings", Some(false)),
            ("    0 Warning(s)\n    0 Error(s)", "warnings", Some(true)),
            ("Errors: 0, Warnings: 12", "warnings", Some(false)),
            (
                "warning: unused\nwarning: `x` (lib) generated 1 warning (run `cargo fix`)",
                "warnings",
                Some(false),
            ),
            ("Compiled with warnings.", "warnings", Some(false)),
            ("warning: old\n0 errors, 0 warnings", "warnings", Some(true)),
            (
                "Found 12 violations, 0 serious in 3 files.",
                "violation",
                Some(false),
            ),
            (
                "Success: no issues found in 3 source files",
                "issues",
                Some(true),
            ),
            ("3 passed, 5 skipped in 0.1s", "skipped", Some(false)),
            ("3 passed in 0.1s", "skipped", None),
            ("", "warnings", None),
        ] {
            assert_eq!(says_none(text, word), is_none, "{text}: {word}");
        }
    }
}
