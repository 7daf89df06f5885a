//! The numbers that a report names beside a check.

use attest_transcript::ToolCalls;

/// Words that say what numbers are of, where others stand between.
const KINDS: [&str; 14] = [
    "passed", "passing", "pass", "tests", "test", "total", "examples", "specs", "skipped",
    "ignored", "pending", "suites", "files", "warnings",
];

/// Those for all, whatever became of them, those for what passed, and those for what did not run.
const TOTALS: [&str; 5] = ["tests", "test", "total", "examples", "specs"];
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
    for count in &mut counts {
        if !is_divided && TOTALS.contains(&count.word.as_str()) {
            PASSED[0].clone_into(&mut count.word);
        }
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
        && counted.all(|it| it.is_said(calls, call))
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

/// What it has more than none of.
fn of_clause(words: &[String]) -> Vec<Count> {
    let numbers = words.iter().enumerate();
    let numbers = numbers.filter(|(_, word)| is_number(word) && *word != "0");
    let is_passed = words.iter().any(|word| PASSED.contains(&word.as_str()));
    let count = |(at, word): (usize, &String)| {
        let behind = &words[at + 1..];
        let is_kind = |word: &&String| KINDS.contains(&word.as_str());
        let before = words[..at].iter().rev();
        let next = behind.iter().find(|word| !is_number(word));
        let kind = behind.iter().find(is_kind).or(next);
        let kind = kind.or_else(|| before.clone().find(is_kind));
        let kind = kind.map_or("", String::as_str);
        let kind = match kind {
            total if is_passed && TOTALS.contains(&total) => PASSED[0],
            kind => kind,
        };
        Count {
            number: word.parse().ok(),
            word: kind.to_owned(),
            is_by_status: false,
        }
    };
    numbers.map(count).collect()
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
    fn none(word: &str, is_by_status: bool) -> Self {
        Self {
            number: Some(0),
            word: word.to_owned(),
            is_by_status,
        }
    }

    /// Whether what a call printed says so.
    pub(super) fn is_said(&self, calls: &ToolCalls, call: usize) -> bool {
        match self.number {
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
            ("42/42 unit tests pass", "42 passed 42 passed"),
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
