//! The numbers that a report names beside a check.

use attest_transcript::ToolCalls;

/// Words that say what numbers are of, where others stand between.
const KINDS: [&str; 15] = [
    "passed", "passing", "pass", "tests", "test", "total", "examples", "specs", "skipped",
    "ignored", "pending", "suites", "files", "warnings", "cases",
];

/// Words between a number and its unit, or that and what became of it.
const BETWEEN: [&str; 9] = [
    "of", "all", "the", "in", "have", "has", "are", "were", "now",
];

/// Those for all, whatever became of them, those for what passed, and those for what did not run.
const TOTALS: [&str; 5] = ["tests", "test", "total", "case", "cases"];
/// The same that a run has to call so itself.
const BY_NAME: [&str; 2] = ["examples", "specs"];
const PASSED: [&str; 4] = ["passed", "passing", "pass", "passes"];
const NOT_RUN: [&str; 8] = [
    "skipped",
    "skip",
    "ignored",
    "pending",
    "deselected",
    "todo",
    "xfailed",
    "xfail",
];
/// Words for what there is none of where the status is zero.
const BY_STATUS: [&str; 9] = [
    "error",
    "errors",
    "failed",
    "failing",
    "failures",
    "failure",
    "fail",
    "regression",
    "regressions",
];
/// Words for what there is none of where all is clean.
const COMPLAINTS: [&str; 6] = [
    "warnings",
    "errors",
    "problems",
    "issues",
    "violations",
    "offenses",
];
/// Words for a total, of which none may be left out, and what that is called.
const WHOLE: [&str; 3] = ["full", "entire", "whole"];
const LEFT_OUT: &str = "unrun";
/// Words that say where there is none of something.
const OF: [&str; 6] = ["and", "build", "lint", "test", "tests", "type"];

/// A number, and what it is of.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// None if it is larger than any, or a version.
    number: Option<u32>,
    /// In small letters; nothing if it says no more.
    word: String,
    /// Whether the status of a run says as much, unless what it printed says otherwise.
    is_by_status: bool,
}

/// All of them.
pub(super) fn counts(raw: &str) -> Vec<Count> {
    let outside = raw.split('`').step_by(2);
    let clauses = outside.flat_map(|part| part.split([',', ';', '(', ')', '·', '|']));
    let clauses: Vec<_> = clauses.map(words).collect();
    let mut counts: Vec<_> = clauses.iter().flat_map(|words| of_clause(words)).collect();
    // A total is of what passed, unless the report divides it itself.
    let is_divided = counts.iter().any(|it| NOT_RUN.contains(&it.word.as_str()));
    for at in (0..counts.len()).filter(|_| !is_divided) {
        let count = &mut counts[at];
        if TOTALS.contains(&count.word.as_str()) {
            PASSED[0].clone_into(&mut count.word);
        } else if BY_NAME.contains(&count.word.as_str()) {
            let number = count.number;
            counts.push(Count::of(number, PASSED[0]));
        }
    }
    if !is_divided && clauses.iter().any(|words| says_that_all_ran(words)) {
        counts.push(Count::none(LEFT_OUT, false));
    }
    if clauses.iter().flatten().any(|word| word == "clean") {
        counts.extend(COMPLAINTS.map(|word| Count::none(word, true)));
    }
    for words in &clauses {
        counts.extend(none_of_clause(words));
    }
    counts
}

/// Whether what a call printed has the numbers that a report names, and none of what failed. Its status may be of something
/// else than these, such as a limit of what is covered.
pub(super) fn are_borne_out(counts: &[Count], calls: &ToolCalls, call: usize) -> bool {
    let mut counted = counts.iter().filter(|it| it.number != Some(0)).peekable();
    counted.peek().is_some()
        && counted.all(|it| {
            let is_named = |number| calls.names_so_many(call, number, &it.word);
            it.number.is_some_and(is_named)
        })
        && !calls.counts_failed(call)
}

/// The words of one part of a sentence, in small letters. A time and a share are one word.
fn words(clause: &str) -> Vec<String> {
    let words = clause.split(|c: char| !c.is_alphanumeric() && c != '.' && c != '%');
    let words = words.map(|word| word.trim_matches('.').to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

/// Whether it is a number, or a version, which no run counts.
fn is_number(word: &str) -> bool {
    word.bytes().all(|c| c.is_ascii_digit() || c == b'.')
}

/// "The full suite", "5/5", "5 of 5"
fn says_that_all_ran(words: &[String]) -> bool {
    let is_whole = words.iter().any(|word| WHOLE.contains(&word.as_str()));
    let numbers: Vec<_> = words.iter().filter(|word| *word != "of").collect();
    let mut pairs = numbers.windows(2);
    is_whole || pairs.any(|pair| is_number(pair[0]) && pair[0] == pair[1])
}

/// What it has more than none of.
fn of_clause(words: &[String]) -> Vec<Count> {
    let numbers = words.iter().enumerate();
    let numbers = numbers.filter(|(_, word)| is_number(word) && *word != "0");
    let is_passed = words.iter().any(|word| PASSED.contains(&word.as_str()));
    let count = |(at, word): (usize, &String)| {
        let mut before = words[..at].iter().rev().map(String::as_str);
        let unit = unit(&words[at + 1..]).or_else(|| before.find(|word| KINDS.contains(word)));
        let unit = unit.unwrap_or_default();
        let kind = match unit {
            total if is_passed && TOTALS.contains(&total) => PASSED[0],
            kind => kind,
        };
        Count::of(word.parse().ok(), kind)
    };
    numbers.map(count).collect()
}

/// What a number is of by the words behind it: in front of what became of them, "test suites" are suites.
fn unit(behind: &[String]) -> Option<&str> {
    let mut words = behind.iter().map(String::as_str);
    let is_outcome = |word: &&str| PASSED.contains(word) || NOT_RUN.contains(word);
    let outcome = words.clone().find(is_outcome);
    let mut named = words.by_ref().take_while(|word| !is_outcome(word));
    let mut last = None;
    let kind = named.find(|word| {
        if !is_number(word) && !BETWEEN.contains(word) {
            last = Some(*word);
        }
        KINDS.contains(word) && *word != "test"
    });
    kind.or(last).or(outcome)
}

/// What it has none of: "0 errors", "no lint warnings", "clean of warnings", "skipped: 0"; but not "exit code 0".
fn none_of_clause(words: &[String]) -> Vec<Count> {
    let is_of_exit = |at: usize| {
        let before = words[..at].iter().rev().take_while(|word| !is_number(word));
        let mut before = before.map(String::as_str);
        before.any(|word| matches!(word, "exit" | "exited" | "status"))
    };
    let is_none = |at: &usize| match words[*at].as_str() {
        "0" => !is_of_exit(*at),
        "of" => *at > 0 && words[*at - 1] == "clean",
        word => matches!(word, "no" | "zero" | "without"),
    };
    let found = (0..words.len()).filter(is_none).flat_map(|at| {
        let behind = words[at + 1..].iter();
        let behind = behind.take_while(|word| !is_number(word) && *word != "in");
        let mut behind = behind
            .filter(|word| !OF.contains(&word.as_str()))
            .peekable();
        let before = words[..at].last().filter(|_| behind.peek().is_none());
        behind.chain(before)
    });
    found
        .map(|word| Count::none(word, BY_STATUS.contains(&word.as_str())))
        .collect()
}

impl Count {
    fn of(number: Option<u32>, word: &str) -> Self {
        let word = word.to_owned();
        Self {
            number,
            word,
            is_by_status: false,
        }
    }

    fn none(word: &str, is_by_status: bool) -> Self {
        let none = Self::of(Some(0), word);
        Self {
            is_by_status,
            ..none
        }
    }

    /// Whether what a call printed says so.
    pub(super) fn is_said(&self, calls: &ToolCalls, call: usize) -> bool {
        match self.number {
            Some(0) if self.word == LEFT_OUT => calls.ran_all(call),
            Some(0) => calls
                .says_none(call, &self.word)
                .unwrap_or(self.is_by_status),
            Some(number) => calls.says_so_many(call, number, &self.word),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_of_the_word_that_says_so() {
        for (raw, expected) in [
            ("`pytest -n 4` 42 passed", "42 passed"),
            ("all 42 tests pass", "42 passed"),
            ("42/42 unit tests pass", "42 passed 42 passed 0 unrun"),
            ("42 tests", "42 passed"),
            ("42 tests, 3 skipped", "42 tests 3 skipped"),
            ("42 tests pass, 3 skipped", "42 passed 3 skipped"),
            (
                "42 passed, 3 skipped, 0 failed",
                "42 passed 3 skipped 0 failed",
            ),
            ("Passed: 42, skipped: 3", "42 passed 3 skipped"),
            ("npm test (42)", "42"),
            ("npm test (42 green)", "42 green"),
            ("4 suites, 42 tests", "4 suites 42 passed"),
            ("42 test suites pass", "42 suites"),
            ("42 test files passed", "42 files"),
            ("42 test cases pass", "42 passed"),
            ("42 checks pass", "42 checks"),
            ("42 test runs pass", "42 runs"),
            ("42 of 42 tests all pass", "42 passed 42 passed 0 unrun"),
            ("40/40 passed, 2 skipped", "40 passed 40 passed 2 skipped"),
            ("full suite: 42 passed", "42 passed 0 unrun"),
            ("1 test passes", "1 passed"),
            ("42 specs pass", "42 specs 42 passed"),
            ("42 passed in 0.32s (100%)", "42 passed"),
            ("pytest (3.9-3.13) pass", "? ?"),
            ("passes", ""),
            ("exit code 0", ""),
            ("exited with 0 and 0 errors", "0 errors"),
            ("0 errors, no lint warnings", "0 errors 0 warnings"),
            ("no errors & warnings", "0 errors 0 warnings"),
            ("Skipped: 0", "0 skipped"),
            (
                "clean of warnings in 3 files",
                "3 files 0 warnings 0 errors 0 problems 0 issues 0 violations 0 offenses 0 warnings",
            ),
        ] {
            let found = counts(raw).into_iter().map(|it| {
                let number = it.number.map_or("?".to_owned(), |it| it.to_string());
                format!("{number} {}", it.word).trim_end().to_owned()
            });
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{raw}");
        }
    }
}
