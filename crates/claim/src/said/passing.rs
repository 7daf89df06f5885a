//! Whether a sentence says that all tests pass, the build or another check.

use attest_shell::text;

use super::prose::as_written;
use crate::sentence::{Sentence, Token};
use crate::words::CHECKS;
use crate::{Assertion, Check, Checked, Says};

/// What stands between "all" and "tests", in front of "suite" or "build", and between "tests" and "pass": other checks are
/// no exception.
const OF_ALL: &str = "of the your our project project's existing";
const WHOLE: &str =
    "the your our entire full whole complete existing project project's production release";
const NOW: &str = "are is have has now still successfully all and lint linting check checks checking types typecheck \
    typechecks build builds";
const PASS: &str = "pass passes passed passing green";
/// What makes what stands behind it no statement about now.
const AT_ANOTHER_TIME: &str = "before once when without";

/// What a sentence says of checks that pass.
pub(super) fn passing(sentence: &Sentence<'_>) -> Vec<Assertion> {
    if sentence.is_too_long() {
        return Vec::new();
    }
    let tests = says_that_tests_pass(sentence).then_some(Checked::Tests);
    let passed: Vec<_> = tests.into_iter().chain(others(&sentence.tokens)).collect();
    // Most sentences say nothing of it.
    if passed.is_empty() || !is_plain(sentence) {
        return Vec::new();
    }
    let assertion = |of| Assertion {
        raw: as_written(sentence),
        says: Says::Check(Check {
            of,
            passed: true,
            command: None,
        }),
    };
    passed.into_iter().map(assertion).collect()
}

/// Whether a sentence says that all tests pass.
pub(crate) fn all_tests_pass(sentence: &Sentence<'_>) -> bool {
    !sentence.is_too_long() && says_that_tests_pass(sentence) && is_plain(sentence)
}

/// Whether it is neither asked, nor taken back, nor of others.
fn is_plain(sentence: &Sentence<'_>) -> bool {
    !sentence.is_asked() && !sentence.is_guarded() && !sentence.is_ascribed()
}

/// The other checks that are said to pass: "The build succeeds", "Lint is clean", "… and type checks pass".
fn others(tokens: &[Token<'_>]) -> impl Iterator<Item = Checked> {
    let is = move |at: usize, list: &str| is_one_of(tokens, at, list);
    let skip = move |at: usize, list: &str| (at..tokens.len()).find(|at| !is(*at, list));
    (0..tokens.len()).filter_map(move |at| {
        let noun = skip(at, WHOLE).filter(|_| begins(tokens, at))?;
        let of = CHECKS.class(&tokens[noun].word).and_then(Checked::of)?;
        let pass = skip(noun + 1, NOW)?;
        let passes = CHECKS.class(&tokens[pass].word) == Some("passed");
        let is_of_now = !(0..at).any(|before| is(before, AT_ANOTHER_TIME));
        let is_said = of != Checked::Tests && passes && is_of_now && is_whole(tokens, pass);
        is_said.then_some(of)
    })
}

/// "All 12 tests pass.", "… and all tests are green", "The tests pass.", "2/2 tests pass", "The full suite is green",
/// "Tests: all pass".
fn says_that_tests_pass(sentence: &Sentence<'_>) -> bool {
    let tokens = &sentence.tokens;
    let is = |at: usize, list: &str| is_one_of(tokens, at, list);
    let skip = |at: usize, list: &str| (at..tokens.len()).find(|at| !is(*at, list));
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
        let pass = skip(subject(all)?, NOW)?;
        (begins(tokens, all) && is(pass, PASS)).then_some(pass)
    };
    let says_bare = || {
        let tests = usize::from(is(0, "the"));
        let pass = skip(tests + 1, NOW)?;
        (is(tests, "tests") && is(pass, PASS) && (ends(&tokens[pass]) || is(pass + 1, "and")))
            .then_some(pass)
    };
    let says_labelled = |tests: usize| {
        let is_label = is(tests, "tests") && tokens[tests].text.contains(':');
        (is_label && is(tests + 1, "all") && is(tests + 2, PASS)).then_some(tests + 2)
    };
    let mut found = (0..tokens.len()).filter_map(|at| says(at).or_else(|| says_labelled(at)));
    found.any(|pass| is_whole(tokens, pass)) || says_bare().is_some()
}

fn is_one_of(tokens: &[Token<'_>], at: usize, list: &str) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|it| text::is_one_of(list, &it.word))
}

/// Whether a statement may begin there.
fn begins(tokens: &[Token<'_>], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| &tokens[before]);
    before.is_none_or(|it| it.word == "and" || it.text.ends_with([':', ',']))
        || tokens[at].follows_dash
}

fn ends(token: &Token<'_>) -> bool {
    token.text.ends_with(['.', ',', ';', '!', ')', '*'])
}

/// Whether nothing behind "pass" says of what: what else is said of checks leaves it as it is, "with 0 failures", "and
/// linting is clean".
fn is_whole(tokens: &[Token<'_>], pass: usize) -> bool {
    let behind = &tokens[pass + 1..];
    let is_of_checks = |it: &Token<'_>| CHECKS.contains(&it.word) || is_number(&it.word);
    let has_failed = |pair: &[Token<'_>]| {
        let is_none = pair[0].word.bytes().all(|it| it == b'0');
        is_number(&pair[0].word) && !is_none && CHECKS.class(&pair[1].word) == Some("failed")
    };
    !behind.windows(2).any(has_failed)
        && (ends(&tokens[pass])
            || behind
                .first()
                .is_none_or(|it| it.word == "and" || it.text.starts_with('('))
            || behind.iter().all(is_of_checks))
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|it| it.is_ascii_digit())
}

/// Whether it says that a number of tests is all of them: "12/12".
fn is_every(word: &str) -> bool {
    let of = word.split_once('/');
    of.is_some_and(|(some, all)| some == all && is_number(all))
}
