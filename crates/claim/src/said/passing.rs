//! Whether a sentence says that all tests pass.

use attest_shell::text;

use super::prose::as_written;
use crate::sentence::Sentence;
use crate::words::CHECKS;
use crate::{Assertion, Check, Checked, Says};

/// What stands between "all" and "tests", in front of "suite", and between "tests" and "pass": other checks are no
/// exception.
const OF_ALL: &str = "of the your our project project's existing";
const WHOLE: &str = "the your our entire full whole complete existing";
const NOW: &str = "are is have has now still successfully all and lint linting types typecheck typechecks checks build builds";
const PASS: &str = "pass passes passed passing green";

/// What a sentence says of tests, if it says that all pass: "All 12 tests pass.", "… and all tests are green",
/// "The tests pass.", "2/2 tests pass", "The full suite is green", "Tests: all pass".
pub(crate) fn all_tests_pass(sentence: &Sentence<'_>) -> Option<Assertion> {
    let tokens = &sentence.tokens;
    let is = |at: usize, list: &str| {
        tokens
            .get(at)
            .is_some_and(|it| text::is_one_of(list, &it.word))
    };
    let skip = |at: usize, list: &str| (at..tokens.len()).find(|at| !is(*at, list));
    let ends = |at: usize| tokens[at].text.ends_with(['.', ',', ';', '!', ')', '*']);
    // What is spoken of, if that is all of them; the word behind it.
    let subject = |at: usize| {
        let is_suite = |suite: usize| is(suite, "suite").then_some(suite + 1);
        let of_all = match &*tokens.get(at)?.word {
            "all" => at + 1,
            word if is_every(word) => at + 1,
            _ => {
                let suite = skip(at, WHOLE)?;
                return is_suite(suite + usize::from(is(suite, "test tests")));
            }
        };
        let tests = skip(of_all, OF_ALL)?;
        let tests = tests + usize::from(is_number(&tokens[tests].word));
        is(tests, "tests").then_some(tests + 1)
    };
    let says = |all: usize| {
        let begins = all == 0 || {
            let before = &tokens[all - 1];
            before.word == "and" || before.text.ends_with([':', ',']) || tokens[all].follows_dash
        };
        let pass = skip(subject(all)?, NOW)?;
        (begins && is(pass, PASS)).then_some(pass)
    };
    let says_bare = || {
        let tests = usize::from(is(0, "the"));
        let pass = skip(tests + 1, NOW)?;
        (is(tests, "tests") && is(pass, PASS) && (ends(pass) || is(pass + 1, "and")))
            .then_some(pass)
    };
    let says_labelled = |tests: usize| {
        let is_label = is(tests, "tests") && tokens[tests].text.contains(':');
        (is_label && is(tests + 1, "all") && is(tests + 2, PASS)).then_some(tests + 2)
    };
    // What else is said of checks behind it leaves it as it is: "with 0 failures", "and linting is clean".
    let is_whole = |pass: usize| {
        let is_of_checks = |word: &str| CHECKS.contains(word) || is_number(word);
        let mut rest = tokens[pass + 1..].iter();
        let is_apart = is(pass + 1, "and")
            || tokens
                .get(pass + 1)
                .is_some_and(|it| it.text.starts_with('('));
        ends(pass) || is_apart || rest.all(|it| is_of_checks(&it.word))
    };
    let is_asked = tokens.last().is_some_and(|it| it.text.ends_with('?'));
    let is_plain = !is_asked && !sentence.is_guarded() && !sentence.is_ascribed();
    let mut found = (0..tokens.len()).filter_map(|at| says(at).or_else(|| says_labelled(at)));
    let is_said = is_plain && (found.any(is_whole) || says_bare().is_some());
    is_said.then(|| Assertion {
        raw: as_written(sentence),
        says: Says::Check(Check {
            of: Checked::Tests,
            passed: true,
            command: None,
        }),
    })
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
}

/// Whether it says that a number of tests is all of them: "12/12".
fn is_every(word: &str) -> bool {
    let of = word.split_once('/');
    of.is_some_and(|(some, all)| some == all && is_number(all))
}
