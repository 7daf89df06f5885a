//! What a run of tests prints of itself in the end: "2 failed, 40 passed".

/// Words for those that failed and those that passed.
const FAILED: [&str; 5] = ["failed", "failing", "failures", "failure", "fail"];
const PASSED: [&str; 4] = ["passed", "passing", "pass", "succeeded"];
/// What may follow such a word behind a number: "2 failed jobs" are jobs.
const COUNTED: [&str; 15] = [
    "and",
    "assertion",
    "assertions",
    "case",
    "cases",
    "example",
    "examples",
    "in",
    "of",
    "out",
    "spec",
    "specs",
    "test",
    "tests",
    "total",
];

/// How many failed by the last line that counts them or those that passed; `None` if none did or no line does.
pub(crate) fn failed(text: &str) -> Option<u32> {
    let counts = |line: &str| {
        let (passed, failed) = (count(line, &PASSED), count(line, &FAILED));
        (passed.is_some() || failed.is_some()).then_some(failed.unwrap_or(0))
    };
    let failed = text.lines().rev().find_map(counts)?;
    (failed > 0).then_some(failed)
}

/// The number beside one of these words: in front of it, or behind it and a sign.
fn count(line: &str, words: &[&str]) -> Option<u32> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut before: Option<u32> = None;
    let mut rest = line;
    while let Some(begin) = rest.find(is_part) {
        rest = &rest[begin..];
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        if words.contains(&word.to_lowercase().as_str()) {
            let is_label = behind.starts_with([':', '=']) || before.is_none();
            let next = behind.trim_start_matches([':', '=', ' ']);
            let digits = next
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(next.len());
            let number = if is_label {
                next[..digits].parse().ok()
            } else {
                before.filter(|_| is_counted(behind))
            };
            if number.is_some() {
                return number;
            }
        }
        before = word.parse().ok();
        rest = behind;
    }
    None
}

/// Whether what follows a number and such a word leaves it the number of tests.
fn is_counted(behind: &str) -> bool {
    let next = behind.trim_start_matches(' ');
    let end = next.find(|c: char| !c.is_alphabetic());
    let next = &next[..end.unwrap_or(next.len())];
    next.is_empty() || COUNTED.contains(&next.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
