use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use attest_claim::{Certainty, Status};
use attest_state::history::CriteriaResult;
use attest_verdict::{Decision, Fate, Finding, Outcome, ReasonCode, Strict};
use serde::de::DeserializeOwned;

use super::*;

/// The names of all variants: they are in the error about one that is not there.
fn variants<T: DeserializeOwned + std::fmt::Debug>() -> BTreeSet<String> {
    let error = serde_json::from_str::<T>("\"no such\"").unwrap_err();
    let text = error.to_string();
    let (_, list) = text.split_once("expected").unwrap();
    let words = list.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

fn words(kind: &str) -> BTreeSet<String> {
    let of_kind = all().filter(|page| page.kind == kind);
    of_kind.map(|page| page.word.to_owned()).collect()
}

fn owned<'w>(words: impl IntoIterator<Item = &'w str>) -> BTreeSet<String> {
    words.into_iter().map(str::to_owned).collect()
}

/// Fails unless `kind` has a page of each of these words, and no other.
#[track_caller]
fn assert_pages(kind: &str, expected: &BTreeSet<String>) {
    let pages = words(kind);
    let missing: Vec<_> = expected.difference(&pages).collect();
    let left: Vec<_> = pages.difference(expected).collect();
    let is_whole = missing.is_empty() && left.is_empty();
    assert!(
        is_whole,
        "{kind} in crates/history/words/: no page for {missing:?}, and one for {left:?}, which no word has"
    );
}

/// Each enum whose words people read, and nothing else.
#[test]
fn every_word_of_an_enum_has_one_page() {
    assert_pages("outcome", &variants::<Outcome>());
    assert_pages("finding", &variants::<Finding>());
    assert_pages("decision", &variants::<ReasonCode>());
    assert_pages("after a block", &variants::<Fate>());
    assert_pages("claimed status", &variants::<Status>());
    assert_pages("reading", &variants::<Certainty>());
    assert_pages("criteria", &variants::<CriteriaResult>());
    let doubts = Seen::WORDS.iter().chain(Doubt::WORDS);
    assert_pages(DOUBT, &owned(doubts.map(|(word, _)| *word)));
    let unchecked = Unchecked::WORDS.iter();
    assert_pages(UNCHECKED, &owned(unchecked.map(|(word, _)| *word)));
    let gates = words("gate");
    assert!(gates.contains(Decision::Continue.as_str()) && gates.len() == 4);
    for word in words("ATTEST_STRICT") {
        let strict: Strict = word.parse().unwrap();
        assert_ne!(strict, Strict::default(), "{word}");
    }
    let known = "x".parse::<Strict>().unwrap_err().to_string();
    for word in known
        .split(|c: char| !c.is_ascii_lowercase())
        .skip_while(|it| *it != "expected")
    {
        let is_word = !["expected", "or", ""].contains(&word);
        assert!(!is_word || words("ATTEST_STRICT").contains(word), "{word}");
    }
}

/// The Rust files of the crates that speak to a person, but for tests.
fn sources() -> Vec<String> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let crates = ["attest", "base", "history", "setup"].map(|name| crates.join(name).join("src"));
    let mut folders = Vec::from(crates);
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_test = path.file_stem().is_some_and(|name| name == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") && !is_test {
                let text = fs::read_to_string(path).unwrap();
                let code = text.split("#[cfg(test)]").next().unwrap();
                texts.push(code.split_whitespace().collect::<Vec<_>>().join(" "));
            }
        }
    }
    texts
}

/// The texts in quotes that follow `before`.
fn quoted_after<'t>(text: &'t str, before: &'t str) -> impl Iterator<Item = &'t str> {
    let rest = text.split(before).skip(1);
    rest.filter_map(|rest| rest.split('"').next())
}

/// Each word that the program uses has a page, and no page is of a word that it does not use.
#[track_caller]
fn assert_same(known: &BTreeSet<String>, used: &BTreeSet<String>) {
    let missing: Vec<_> = used.difference(known).collect();
    assert!(
        missing.is_empty(),
        "no page says what these mean: {missing:?}"
    );
    let unused: Vec<_> = known.difference(used).collect();
    assert!(unused.is_empty(), "nothing uses these: {unused:?}");
}

#[test]
fn every_heading_of_a_list_has_a_page() {
    let known = words("column");
    let mut used = BTreeSet::new();
    for text in sources() {
        for kind in [
            "whole", "name", "path", "id", "prose", "number", "brief", "bar",
        ] {
            let before = format!("Column::{kind}(\"");
            used.extend(quoted_after(&text, &before).map(str::to_owned));
        }
    }
    used.remove("");
    used.retain(|heading| heading.starts_with(|first: char| first.is_ascii_uppercase()));
    assert!(used.len() > 30, "{used:?}");
    assert_same(&known, &used);
}

#[test]
fn every_code_of_the_log_has_a_page() {
    let known = words("log");
    let mut used = BTreeSet::new();
    for text in sources() {
        let is_code = |code: &&str| {
            code.len() > 3 && code.chars().all(|c| c.is_ascii_uppercase() || c == '_')
        };
        for call in [".write(", "shrug(", ".error(", "log("] {
            let calls = text.split(call).skip(1);
            let codes = calls.filter_map(|rest| rest.split('"').nth(1));
            used.extend(codes.filter(is_code).map(str::to_owned));
        }
        for before in ["=> \"", "{ \""] {
            used.extend(
                quoted_after(&text, before)
                    .filter(is_code)
                    .map(str::to_owned),
            );
        }
    }
    for level in [
        "ERROR",
        "WARN",
        "INFO",
        "DEBUG",
        "HOME",
        "NAME",
        "USERPROFILE",
    ] {
        used.remove(level);
    }
    assert!(used.len() > 30, "{used:?}");
    // Some are told elsewhere, too.
    let told = words(UNCHECKED)
        .into_iter()
        .chain(words("why a gate has no say"));
    for word in told {
        used.remove(&word);
    }
    assert_same(&known, &used);
}

#[test]
fn fifteen_words_are_to_be_known() {
    assert_eq!(all().filter(|page| page.tier == 1).count(), 15);
}

#[test]
fn every_page_is_whole_and_one_of_its_kind() {
    let mut seen = BTreeSet::new();
    for page in all() {
        assert!(
            seen.insert((page.kind, page.word.to_ascii_uppercase())),
            "{page:?}"
        );
        for sentence in [page.more, page.example, page.advice] {
            assert!(
                sentence.is_empty() || sentence.ends_with('.'),
                "{}: {sentence}",
                page.word
            );
        }
        assert!(
            page.meaning.contains(' ') && !page.meaning.ends_with('.'),
            "{page:?}"
        );
        assert!(find(page.word).iter().any(|found| found.kind == page.kind));
    }
    assert_eq!(find("scope-creep")[0].word, "SCOPE_CREEP");
    let blocked: Vec<_> = find("blocked").iter().map(|page| page.kind).collect();
    assert_eq!(blocked, ["outcome", "claimed status", "column"]);
    let lost: Vec<_> = find("lost").iter().map(|page| page.kind).collect();
    assert_eq!(lost, ["finding", "ATTEST_STRICT", "agent"]);
    assert!(find("0a1b").is_empty());
}
