//! What a message says beside its claim of tests that pass, where nothing of it may except some.

use attest_shell::text;

use crate::markdown::Document;
use crate::message::asserted;
use crate::said::told;
use crate::{Assertion, Check, Checked, Claim, MAX_MESSAGE_BYTES, Says, words};

/// Words anywhere in a message by which some tests need not pass, or tests of several kinds are spoken of.
const OTHERWISE: &str = "acceptance apart aside baseline besides broken e2e except exception exceptions excluded \
    excluding existing fail failed failing fails failure failures flaky flake integration intermittent known most partial \
    partially preexisting red regression skip skipped skipping smoke some stash suite suites timed timeout unit unrelated";
/// Words that say so where tests are spoken of.
const OTHERWISE_OF_TESTS: &str = "affected before but ci earlier environment expected locally my network new other others \
    previously related relevant rest sandbox still";

/// What a message says of tests beside a claim that says of no check how it went: in lists and tables of how checks went,
/// or in a sentence. Nothing if a word of it may except some tests.
#[must_use]
pub fn passing(claim: &Claim, message: &str) -> Vec<Assertion> {
    let is_check = |it: &Assertion| it.check().is_some();
    let is_judged = claim.is_claim() && claim.assertions.iter().any(is_check);
    if is_judged || message.len() > MAX_MESSAGE_BYTES || may_except(message) {
        return Vec::new();
    }
    let of_tests = |it: &Assertion| {
        let check = it.check().filter(|check| check.passed);
        check.is_some_and(|check| match check.of {
            Checked::Tests => true,
            Checked::Anything => check.command.is_some(),
            _ => false,
        })
    };
    let mut all = asserted(&Document::parse(message));
    all.retain(of_tests);
    all.extend(told(message).passing.map(|raw| {
        let of = Checked::Tests;
        let (passed, command) = (true, None);
        let says = Says::Check(Check {
            of,
            passed,
            command,
        });
        Assertion { raw, says }
    }));
    all
}

/// Whether a message has a word by which some tests need not pass. That none failed is no such word.
fn may_except(message: &str) -> bool {
    message.lines().any(|line| {
        let words: Vec<_> = words::words_of(line, "").map(str::to_lowercase).collect();
        let is_of_tests = words.iter().any(|word| word.starts_with("test"));
        words.iter().enumerate().any(|(at, word)| {
            let before = at
                .checked_sub(1)
                .map_or("", |before| words[before].as_str());
            let is_none = matches!(before, "0" | "no" | "zero");
            text::is_one_of(OTHERWISE, word) && !is_none
                || is_of_tests && text::is_one_of(OTHERWISE_OF_TESTS, word)
        })
    })
}
