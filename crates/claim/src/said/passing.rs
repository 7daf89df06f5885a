//! Whether a sentence says that all tests pass.

use attest_shell::text;

use super::prose::as_written;
use crate::sentence::Sentence;

/// What stands between "all" and "tests", and between "tests" and "pass".
const OF_ALL: &str = "of the your our project project's";
const NOW: &str = "are have now still successfully all";
const PASS: &str = "pass passed passing green";

/// The sentence as it is written, if it says that all tests pass: "All 12 tests pass.", "… and all tests are green".
pub(super) fn all_tests_pass(sentence: &Sentence<'_>) -> Option<String> {
    let tokens = &sentence.tokens;
    let is = |at: usize, list: &str| {
        tokens
            .get(at)
            .is_some_and(|it| text::is_one_of(list, &it.word))
    };
    let is_number = |at: usize| {
        let word = tokens.get(at).map_or("", |it| it.word.as_str());
        !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
    };
    let skip = |at: usize, list: &str| (at..tokens.len()).find(|at| !is(*at, list));
    let says = |all: usize| {
        let begins = all == 0 || {
            let before = &tokens[all - 1];
            before.word == "and" || before.text.ends_with([':', ',']) || tokens[all].follows_dash
        };
        let tests = skip(all + 1, OF_ALL)?;
        let tests = tests + usize::from(is_number(tests));
        let pass = skip(tests + 1, NOW)?;
        let is_said = is(all, "all") && begins && is(tests, "tests") && is(pass, PASS);
        let ends = tokens[pass].text.ends_with(['.', ',', ';', '!', ')', '*']);
        let is_whole = ends || pass + 1 == tokens.len();
        (is_said && is_whole).then_some(())
    };
    let is_asked = tokens.last().is_some_and(|it| it.text.ends_with('?'));
    let is_plain = !is_asked && !sentence.is_guarded() && !sentence.is_ascribed();
    let is_said = is_plain && (0..tokens.len()).any(|at| says(at).is_some());
    is_said.then(|| as_written(sentence))
}
