//! What a message says beside its claim: of tests that pass, and of what git keeps.

use attest_shell::text;

use crate::markdown::Document;
use crate::message::asserted;
use crate::said::{Told, all_tests_pass};
use crate::sentence::sentences;
use crate::{Assertion, Check, Checked, Claim, Kind, MAX_MESSAGE_BYTES, Says, words};

/// Words by which some tests need not pass, wherever they stand.
const FAILING: &str = "baseline e2e fail failed failing fails failure failures flaky flake intermittent preexisting skip skipped \
    skipping unrelated";
/// What was mended is none of them.
const MENDED: &str = "fix fixed fixes mended repaired resolved";
/// Words that say so in a sentence of tests, or behind one, and by which tests of several kinds are spoken of.
const OTHERWISE: &str = "acceptance apart aside besides broken except exception exceptions excluded excluding existing \
    integration known most partial partially red regression smoke some stash suite suites timed timeout unit";
/// Of those what a sentence may say by which all pass: "the full suite".
const OF_ALL: &str = "existing suite";
/// Words that say so only in one.
const OTHERWISE_OF_TESTS: &str = "affected before but ci earlier environment expected locally my network new other others \
    previously related relevant rest sandbox still";

/// What a message says of checks or of commits beside a claim that says nothing of them: of tests that pass, in lists and
/// tables of how checks went or in a sentence, unless a word of it may except some, and of what was committed and pushed.
/// `told` is asked only if it may say any of this.
#[must_use]
pub fn aside<'t>(
    kind: Kind,
    claim: &Claim,
    message: &str,
    told: impl FnOnce() -> &'t Told,
) -> Vec<Assertion> {
    let is_heard = || match kind {
        Kind::Checks => !may_except(message),
        Kind::Commits => ["ommit", "ushed"].iter().any(|it| message.contains(it)),
        _ => false,
    };
    if claim.has(kind) || message.len() > MAX_MESSAGE_BYTES || !is_heard() {
        return Vec::new();
    }
    let told = told();
    let mut all = asserted(&Document::parse(message));
    all.extend(told.passing.clone());
    // A sentence that is a line of its own was read already.
    for said in &told.kept {
        if !all.iter().any(|it| it.says == said.says) {
            all.push(said.clone());
        }
    }
    all.retain(|it| match &it.says {
        Says::Check(check) => kind == Kind::Checks && says_that_tests_pass(check),
        Says::Commit { .. } | Says::Pushed => kind == Kind::Commits,
        _ => false,
    });
    all
}

fn says_that_tests_pass(check: &Check) -> bool {
    let is_of_tests = match check.of {
        Checked::Tests => true,
        Checked::Anything => check.command.is_some(),
        _ => false,
    };
    check.passed && is_of_tests
}

/// Whether a message has a word by which some tests need not pass. That none failed is no such word.
fn may_except(message: &str) -> bool {
    let mut is_behind = false;
    sentences(message).any(|sentence| {
        let texts = sentence.tokens.iter().map(|it| it.text);
        let words = texts.flat_map(|text| words::words_of(text, ""));
        let words: Vec<_> = words.map(str::to_lowercase).collect();
        if words.is_empty() {
            return false;
        }
        let is_of_tests = words
            .iter()
            .any(|word| word.starts_with("test") || word.starts_with("suite"));
        let is_near = std::mem::replace(&mut is_behind, is_of_tests) || is_of_tests;
        let is_mended = || !is_near && words.iter().any(|word| text::is_one_of(MENDED, word));
        let is_of_all =
            |word: &str| text::is_one_of(OF_ALL, word) && all_tests_pass(&sentence).is_some();
        words.iter().enumerate().any(|(at, word)| {
            let before = at
                .checked_sub(1)
                .map_or("", |before| words[before].as_str());
            let is_none = matches!(before, "0" | "no" | "zero");
            text::is_one_of(FAILING, word) && !is_none && !is_mended()
                || is_near && text::is_one_of(OTHERWISE, word) && !is_none && !is_of_all(word)
                || is_of_tests && text::is_one_of(OTHERWISE_OF_TESTS, word)
        })
    })
}
