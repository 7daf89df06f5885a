//! Whether a report tells itself of what a check found, beside the claim that it passed.

use attest_shell::Run;
use attest_shell::programs::Of;

/// Words for tests that failed.
const FAILED: [&str; 7] = [
    "fail",
    "失败",
    "失敗",
    "fehlgeschlagen",
    "échou",
    "fallid",
    "falh",
];
/// Words for what builds, linters and checks of types find.
const FOUND: [&str; 7] = [
    "error",
    "problem",
    "issue",
    "warning",
    "violation",
    "offense",
    "complain",
];
/// Words for what could not run, or came to no end.
const NOT_RUN: [&str; 10] = [
    "not found",
    "not installed",
    "not available",
    "not run",
    "unavailable",
    "could not",
    "couldn't",
    "unable",
    "timed out",
    "denied",
];
const MENDED: &str = "fix fixes fixed mended repaired resolved resolves addressed addresses";
const STILL: &str = "still same already before unrelated known flaky without existing remaining expected baseline main";

/// Whether a line of the report says that some failed, or fail as they did before. That none did is no such word, and
/// neither is that what failed was mended: "fixed the 2 failing tests".
pub(super) fn says_of_failures(message: &str, run: &Run) -> bool {
    let of_tests = matches!(run.of, Of::Tests | Of::Anything);
    let found = if of_tests { &[][..] } else { &FOUND[..] };
    let is_failure = |word: &str| FAILED.iter().chain(found).any(|it| word.contains(it));
    let message = message.to_lowercase();
    message.lines().any(|line| {
        let words: Vec<_> = line.split(|c: char| !c.is_alphanumeric()).collect();
        let says = |at: usize, word: &str| {
            let before = at.checked_sub(1).map_or("", |at| words[at]);
            is_failure(word) && !matches!(before, "0" | "no" | "zero")
        };
        let is_count = |word: &str| word.parse::<u32>().is_ok_and(|count| count > 0);
        let tells = |word: &&str| is_count(word) || STILL.split(' ').any(|it| it == *word);
        let is_mended = || {
            words
                .iter()
                .any(|word| MENDED.split(' ').any(|it| it == *word))
        };
        words.iter().enumerate().any(|(at, word)| says(at, word))
            && words.iter().any(tells)
            && !is_mended()
    })
}

/// Whether the report says that something could not run.
pub(super) fn says_of_trouble(message: &str) -> bool {
    let message = message.to_lowercase().replace('’', "'");
    NOT_RUN.iter().any(|words| message.contains(words))
}
