//! Whether a report tells itself of what a check found, beside the claim that it passed.

use attest_claim::tells_of_change;
use attest_shell::Run;
use attest_shell::programs::Of;
use attest_shell::text::is_one_of;

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
/// Labels of what did not pass, or did not run: "Known issue: the test of the network".
const LABELS: &str = "failing failed failures skipped deselected excluded known issue issues caveat caveats exception \
    exceptions limitation limitations not run runnable flaky";
/// The longest of them, in bytes, and what stands behind one of which there is nothing.
const MAX_LABEL_BYTES: usize = 32;
const NOTHING: &str = "none no nothing 0 n/a na -";
/// Words by which a sentence that names a test which failed says that it passes.
const PASSES: [&str; 4] = ["pass", "green", "fix", "mend"];
/// Words by which a report says that it was others who ran a check.
const OF_OTHERS: [&str; 7] = [
    "run by the",
    "run by you",
    "according to",
    "you ran",
    "you told",
    "as you said",
    "not by me",
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

/// Whether a line of the report lists some that did not pass below a label of their own.
pub(super) fn lists_failures(message: &str) -> bool {
    let message = message.to_lowercase();
    message.lines().any(|line| {
        let Some((label, said)) = line.split_once(':') else {
            return false;
        };
        let label = label.trim_matches(|c: char| !c.is_alphanumeric());
        let mut words = label
            .split(|c: char| !c.is_alphanumeric())
            .filter(|it| !it.is_empty());
        let is_known = |word: &str| is_one_of(LABELS, word);
        let said =
            said.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '.' | '`'));
        let is_some = !said.is_empty()
            && !is_one_of(NOTHING, said.split_whitespace().next().unwrap_or_default());
        is_some && !label.is_empty() && label.len() <= MAX_LABEL_BYTES && words.all(is_known)
    })
}

/// Whether a sentence of the report names a test that failed by what a run printed, and does not say that it passes.
pub(super) fn names_failures(message: &str, failed: &[String]) -> bool {
    let sentences = message
        .lines()
        .flat_map(|line| line.split([';', '!']).flat_map(|it| it.split(". ")));
    let is_told = |text: &str| {
        if !failed.iter().any(|name| text.contains(name.as_str())) {
            return false;
        }
        let lower = text.to_lowercase();
        !PASSES.iter().any(|word| lower.contains(word)) && !tells_of_change(text)
    };
    !failed.is_empty() && sentences.into_iter().any(is_told)
}

/// Whether the report says that others ran it, or told of it.
pub(super) fn says_of_others(message: &str) -> bool {
    let message = message.to_lowercase();
    OF_OTHERS.iter().any(|words| message.contains(words))
}

/// Whether the report says that something could not run.
pub(super) fn says_of_trouble(message: &str) -> bool {
    let message = message.to_lowercase().replace('’', "'");
    NOT_RUN.iter().any(|words| message.contains(words))
}
