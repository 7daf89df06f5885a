//! Whether a sentence says that all tests pass, the build or another check.

use attest_shell::text;

use super::grammar::is_deed;
use super::prose::as_written;
use crate::assertion::Topic;
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
/// By which the speaker says to have run all of them.
const ALL_RAN: &str =
    "i i've also then have ran run re-ran reran the full whole entire all existing unit test";
/// What makes what stands behind it no statement about now.
const AT_ANOTHER_TIME: &str = "before once when without";
/// What may stand in a clause in front of it which says when, or of what: "With these changes, all tests pass".
const WHEN: &str = "after with these this the my our your change changes fix fixes edit edits update updates refactor \
    refactoring finally now also additionally overall as a result in addition locally again then done it";
/// What may stand in a label in front of it, beside words of checks.
const LABELS: &str =
    "verification verified validation status summary result results outcome quality ci qa note";
/// How something compiles.
const CLEANLY: &str = "cleanly successfully now fine without errors error warnings or with no";
/// Words by which others say so, or what they ran.
const OF_OTHERS: &str = "according hook log per ran reported reports run runs said says told";
/// What may stand behind it, beside words of checks and numbers: which tests, and when.
const WHICH: &str = "a after again also an as change changes edit edits existing fix here it my new ones the these this too \
    twice well with your";
/// In front of a command that the speaker ran.
const RAN: [&str; 4] = ["I ran ", "I also ran ", "I've run ", "Ran "];
/// Words up to it, at most.
const MOST_IN_FRONT: usize = 4;
/// In front of a command by which it is known.
const BY: &str = "with via using by running";

/// What a sentence says of checks that pass.
pub(super) fn passing(sentence: &Sentence<'_>) -> Vec<Assertion> {
    if sentence.is_too_long() {
        return Vec::new();
    }
    let tests = says_that_tests_pass(sentence).then_some(Checked::Tests);
    let of_kinds = tests.into_iter().chain(others(&sentence.tokens));
    let without = without_errors(&sentence.tokens);
    let of_kinds = of_kinds.chain(without).map(|of| Check {
        of,
        passed: true,
        command: None,
    });
    let passed: Vec<_> = of_kinds.chain(of_commands(sentence)).collect();
    // Most sentences say nothing of it.
    let is_said =
        || is_plain(sentence) || without.is_some() && !sentence.is_asked() && !sentence.goes_on();
    if passed.is_empty() || !is_said() {
        return Vec::new();
    }
    let assertion = |check| Assertion {
        raw: as_written(sentence),
        says: Says::Check(check),
    };
    passed.into_iter().map(assertion).collect()
}

/// The commands that a sentence says to have passed, and nothing else: "`pytest -q` passes.", "I ran `npm test` and everything
/// passes."
fn of_commands(sentence: &Sentence<'_>) -> Vec<Check> {
    // Most sentences name no command.
    let mut begin = sentence.tokens.iter().take(MOST_IN_FRONT);
    if !begin.any(|it| it.text.starts_with('`')) {
        return Vec::new();
    }
    let text = as_written(sentence);
    let mut leads = RAN.iter();
    let rest = leads.find_map(|lead| text.strip_prefix(lead));
    let rest = rest.unwrap_or(&text).trim_end_matches(['.', '!']);
    if !rest.starts_with('`') {
        return Vec::new();
    }
    let said = Topic::Checks(Checked::Anything).read(rest).into_iter();
    let checks = said.filter_map(|it| match it.says {
        Says::Check(check) if check.passed && check.command.is_some() => Some(check),
        _ => None,
    });
    checks.collect()
}

/// Whether a sentence says that all tests pass.
pub(crate) fn all_tests_pass(sentence: &Sentence<'_>) -> bool {
    !sentence.is_too_long() && says_that_tests_pass(sentence) && is_plain(sentence)
}

/// Whether it is neither asked, nor taken back, nor of others, and goes on with nothing: "All tests pass; the status is of
/// the coverage".
fn is_plain(sentence: &Sentence<'_>) -> bool {
    !sentence.goes_on() && !sentence.is_asked() && !sentence.is_guarded() && !sentence.is_ascribed()
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

/// "No type errors.", "The code compiles.", "The project builds without errors.": a sentence that says nothing else.
fn without_errors(tokens: &[Token<'_>]) -> Option<Checked> {
    let words: Vec<_> = tokens.iter().map(|it| it.word.as_str()).collect();
    let is = |word: &&str, list: &str| text::is_one_of(list, word);
    let of = match words[..] {
        ["no", "type" | "typescript", "errors"] => Checked::Types,
        [
            "no",
            "lint" | "linter" | "linting",
            "errors" | "warnings" | "issues",
        ] => Checked::Lint,
        [
            "the",
            "code" | "project" | "crate" | "app" | "package",
            "compiles" | "builds",
            ref rest @ ..,
        ] if rest.iter().all(|it| is(it, CLEANLY)) => Checked::Build,
        _ => return None,
    };
    Some(of)
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
    // "I ran the tests and they all pass."
    let says_of_run = |they: usize| {
        let ran = they.checked_sub(3).filter(|_| is(they, "they"))?;
        let is_run = is(they - 1, "and") && is(they - 2, "tests suite");
        let of_all = &tokens[..=ran];
        let is_all = of_all.iter().all(|it| text::is_one_of(ALL_RAN, &it.word));
        let pass = skip(they + 1, NOW)?;
        (is_run && is_all && is(pass, PASS)).then_some(pass)
    };
    let of = |at| {
        says(at)
            .or_else(|| says_labelled(at))
            .or_else(|| says_of_run(at))
    };
    let found = (0..tokens.len()).filter_map(of);
    found.chain(says_bare()).any(|pass| is_whole(tokens, pass))
}

fn is_one_of(tokens: &[Token<'_>], at: usize, list: &str) -> bool {
    let token = tokens.get(at);
    token.is_some_and(|it| text::is_one_of(list, &it.word))
}

/// Whether a statement may begin there: what stands in front is understood, and says it of nobody else.
fn begins(tokens: &[Token<'_>], at: usize) -> bool {
    let Some((last, _)) = tokens[..at].split_last() else {
        return true;
    };
    let front = &tokens[..at];
    let is = |list: &'static str| move |it: &Token<'_>| text::is_one_of(list, &it.word);
    let is_checked = |it: &Token<'_>| CHECKS.contains(&it.word) || is_number(&it.word);
    let is_speaker = || front.iter().any(is("i i've"));
    if last.text.ends_with(':') {
        front
            .iter()
            .all(|it| text::is_one_of(LABELS, &it.word) || is_checked(it))
    } else if last.text.ends_with(',') {
        let is_known = |it: &Token<'_>| is(WHEN)(it) || is_checked(it);
        is_speaker() || is_deed(&front[0]) || front.iter().all(is_known)
    } else {
        let is_joined = last.word == "and" || tokens[at].follows_dash;
        is_joined && (is_speaker() || !front.iter().any(is(OF_OTHERS)))
    }
}

fn ends(token: &Token<'_>) -> bool {
    token.text.ends_with(['.', ',', ';', '!', ')', '*'])
}

/// Whether nothing behind "pass" says of what: what else is said of checks leaves it as it is, "with 0 failures", "and
/// linting is clean", and so does the command. "(offline)" does not.
fn is_whole(tokens: &[Token<'_>], pass: usize) -> bool {
    let behind = &tokens[pass + 1..];
    let has_failed = |pair: &[Token<'_>]| {
        let is_none = pair[0].word.bytes().all(|it| it == b'0');
        is_number(&pair[0].word) && !is_none && CHECKS.class(&pair[1].word) == Some("failed")
    };
    let is_share = |of: &[Token<'_>]| {
        let [some, all] = [&of[0].word, &of[2].word];
        of[1].word == "of" && is_number(some) && is_number(all) && some != all
    };
    let goes_on = |it: &&Token<'_>| !matches!(&*it.word, "and" | "so");
    let clause = behind.iter().take_while(goes_on).count();
    !behind.windows(2).any(has_failed)
        && !behind.windows(3).any(is_share)
        && is_known(&behind[..clause])
}

/// Whether all words of a clause behind "pass" are understood.
fn is_known(clause: &[Token<'_>]) -> bool {
    let mut is_code = false;
    clause.iter().enumerate().all(|(at, it)| {
        let is_by = || at == 0 || text::is_one_of(BY, &clause[at - 1].word);
        // An option says which of them ran: "with `-k parser`".
        let code = it.text.trim_start_matches('(').strip_prefix('`');
        let begins = code.is_some_and(|it| !it.starts_with('-')) && is_by();
        let is_within = is_code || begins;
        let closes = it.text.trim_end_matches(['.', ',', ';', '!', ')']);
        is_code = is_within && !(closes.ends_with('`') && closes.len() > 1);
        is_within && !it.is_file
            || CHECKS.contains(&it.word)
            || is_every(&it.word)
            || is_number(it.word.trim_end_matches(['s', '.']))
            || it
                .word
                .split('.')
                .all(|part| is_number(part.trim_end_matches('s')))
            || text::is_one_of(WHICH, &it.word)
            || text::is_one_of(BY, &it.word)
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
