//! What a message says beside its claim: of checks that pass, and of what git keeps.

use std::cell::LazyCell;

use attest_shell::text;

use crate::markdown::Document;
use crate::message::asserted;
use crate::said::{Told, all_tests_pass};
use crate::sentence::sentences;
use crate::{Assertion, Check, Checked, Claim, Kind, MAX_MESSAGE_BYTES, Says, words};

/// Words by which some tests need not pass, wherever they stand.
const FAILING: &str = "baseline e2e fail failed failing fails failure failures flaky flake intermittent preexisting skip skipped \
    skipping unrelated";
/// How words begin that speak of tests, and of other checks.
const OF_TESTS: [&str; 2] = ["test", "suite"];
const OF_OTHERS: [&str; 5] = ["build", "check", "compil", "lint", "type"];
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

/// What a message says of checks or of commits beside a claim that says nothing of them: of checks that pass, in lists and
/// tables of how checks went or in a sentence, unless a word of it may except some, of what was committed and pushed, and of
/// the work tree. `told` is asked only if it may say any of this.
#[must_use]
pub fn aside<'t>(
    kind: Kind,
    claim: &Claim,
    message: &str,
    told: impl FnOnce() -> &'t Told,
) -> Vec<Assertion> {
    let excepts = [&OF_TESTS[..], &OF_OTHERS[..]]
        .map(|words| LazyCell::new(move || may_except(message, words)));
    let has_any = |words: &[&str]| words.iter().any(|it| message.contains(it));
    let is_heard = || match kind {
        Kind::Checks => excepts.iter().any(|excepts| !**excepts),
        Kind::Commits => {
            let is_of_tree = || has_any(&["tree", "tatus", "irectory"]);
            has_any(&["ommit", "ushed"]) || has_any(&["clean"]) && is_of_tree()
        }
        _ => false,
    };
    if claim.has(kind) || message.len() > MAX_MESSAGE_BYTES || !is_heard() {
        return Vec::new();
    }
    let told = told();
    let mut all = asserted(&Document::parse(message));
    // A sentence that is a line of its own was read already.
    for said in told.passing.iter().chain(&told.kept) {
        if !all.iter().any(|it| is_same(&it.says, &said.says)) {
            all.push(said.clone());
        }
    }
    all.retain(|it| match &it.says {
        Says::Check(check) => {
            let of_others = usize::from(!may_be_of_tests(check));
            kind == Kind::Checks && check.passed && !*excepts[of_others]
        }
        Says::Commit { .. } | Says::Pushed => kind == Kind::Commits,
        Says::CleanTree | Says::Committed => kind == Kind::Commits && !claim.has(Kind::Tree),
        _ => false,
    });
    all
}

/// Whether both say the same, or of the same command.
fn is_same(first: &Says, second: &Says) -> bool {
    let is_of_same = match (first, second) {
        (Says::Check(first), Says::Check(second)) => {
            first.command.is_some() && first.command == second.command
        }
        _ => false,
    };
    is_of_same || first == second
}

fn may_be_of_tests(check: &Check) -> bool {
    matches!(check.of, Checked::Tests | Checked::Anything)
}

/// Whether a message has a word by which some of the checks that it speaks of need not pass. That none failed is no such
/// word.
fn may_except(message: &str, of_checks: &[&str]) -> bool {
    let mut is_behind = false;
    sentences(message).any(|sentence| {
        let texts = sentence.tokens.iter().map(|it| it.text);
        let words = texts.flat_map(|text| words::words_of(text, ""));
        let words: Vec<_> = words.map(str::to_lowercase).collect();
        if words.is_empty() {
            return false;
        }
        let is_of = |word: &String| of_checks.iter().any(|of| word.starts_with(of));
        let is_of_them = words.iter().any(is_of);
        let is_near = std::mem::replace(&mut is_behind, is_of_them) || is_of_them;
        let is_mended = || !is_near && words.iter().any(|word| text::is_one_of(MENDED, word));
        let is_of_all = |word: &str| text::is_one_of(OF_ALL, word) && all_tests_pass(&sentence);
        words.iter().enumerate().any(|(at, word)| {
            let before = at
                .checked_sub(1)
                .map_or("", |before| words[before].as_str());
            let is_none = matches!(before, "0" | "no" | "zero");
            text::is_one_of(FAILING, word) && !is_none && !is_mended()
                || is_near && text::is_one_of(OTHERWISE, word) && !is_none && !is_of_all(word)
                || is_of_them && text::is_one_of(OTHERWISE_OF_TESTS, word)
        })
    })
}
