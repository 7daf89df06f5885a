//! The numbers that a report names beside a check.

use attest_transcript::ToolCalls;

/// Words that say what numbers are of, where others stand between.
const KINDS: [&str; 14] = [
    "passed", "passing", "pass", "tests", "test", "total", "examples", "specs", "skipped",
    "ignored", "pending", "suites", "files", "warnings",
];

/// A number, and what it is of.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Count {
    /// None if it is larger than any.
    number: Option<u32>,
    /// In small letters; nothing if it says no more.
    word: String,
}

/// All of them. That nothing failed, its status says as well.
pub(super) fn counts(raw: &str) -> Vec<Count> {
    let outside = raw.split('`').step_by(2);
    let clauses = outside.flat_map(|part| part.split([',', ';', '(', ')', '·', '|']));
    clauses.flat_map(of_clause).collect()
}

/// Those of one part of a sentence.
fn of_clause(clause: &str) -> Vec<Count> {
    let words = clause.split(|c: char| !c.is_alphanumeric());
    let words: Vec<_> = words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let is_number = |word: &&String| word.bytes().all(|c| c.is_ascii_digit());
    let numbers = words.iter().enumerate();
    let numbers = numbers.filter(|(_, word)| is_number(word) && *word != "0");
    let count = |(at, word): (usize, &String)| {
        let behind = &words[at + 1..];
        let is_kind = |word: &&String| KINDS.contains(&word.as_str());
        let before = words[..at].iter().rev();
        let next = behind.iter().find(|word| !is_number(word));
        let kind = behind.iter().find(is_kind).or(next);
        let kind = kind.or_else(|| before.clone().find(is_kind));
        Count {
            number: word.parse().ok(),
            word: kind.cloned().unwrap_or_default(),
        }
    };
    numbers.map(count).collect()
}

impl Count {
    /// Whether what a call printed says so.
    pub(super) fn is_said(&self, calls: &ToolCalls, call: usize) -> bool {
        self.number
            .is_some_and(|number| calls.says_so_many(call, number, &self.word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_of_the_word_that_says_so() {
        for (raw, expected) in [
            ("`pytest -n 4` 42 passed", "42 passed"),
            ("all 42 tests pass", "42 tests"),
            ("42/42 unit tests pass", "42 tests 42 tests"),
            ("42 passed, 3 skipped, 0 failed", "42 passed 3 skipped"),
            ("Passed: 42, skipped: 3", "42 passed 3 skipped"),
            ("npm test (42)", "42"),
            ("npm test (42 green)", "42 green"),
            ("4 suites, 42 tests", "4 suites 42 tests"),
            ("passes", ""),
        ] {
            let found = counts(raw).into_iter().map(|it| {
                let number = it.number.unwrap();
                format!("{number} {}", it.word).trim_end().to_owned()
            });
            assert_eq!(found.collect::<Vec<_>>().join(" "), expected, "{raw}");
        }
    }
}
