//! What every word means that a verdict or a report line may hold, with an example and what to do.

mod columns;
mod doubts;
mod fates;
mod findings;
mod hindered;
mod log;
mod others;
mod outcomes;
mod reasons;

use std::collections::BTreeMap;

use attest_snapshot::Doubt as Seen;
use attest_verdict::{Doubt, Unchecked};
use serde::Serialize;

use crate::ui::{Cell, Column, STRONG, Table, hanging, in_signs, styled};

/// A word of an enum, which has its meaning, with more about it, how it comes about, and what a person can do.
type Texts<T> = (T, [&'static str; 3]);
/// A word with its meaning and the same.
type Told = (&'static str, &'static str, [&'static str; 3]);
/// A word of which its meaning says all.
type Brief = (&'static str, &'static str);

/// What is said of one word.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Page {
    pub(super) word: &'static str,
    /// What kind of word it is.
    kind: &'static str,
    /// What it means, in one sentence without its end.
    meaning: &'static str,
    /// More about it.
    #[serde(skip_serializing_if = "str::is_empty")]
    more: &'static str,
    /// How it comes about.
    #[serde(skip_serializing_if = "str::is_empty")]
    example: &'static str,
    /// What a person can do.
    #[serde(skip_serializing_if = "str::is_empty")]
    advice: &'static str,
}

const DOUBT: &str = "doubt";
const UNCHECKED: &str = "why criteria were not checked";
const NO_SAY: &str = "why a gate has no say";

/// Every page, the words of one kind beside each other.
fn all() -> Vec<Page> {
    let page = |kind, word, meaning, [more, example, advice]: [&'static str; 3]| Page {
        word,
        kind,
        meaning,
        more,
        example,
        advice,
    };
    let mut all = Vec::new();
    let outcomes = outcomes::PAGES.iter();
    all.extend(outcomes.map(|(it, texts)| page("outcome", it.as_str(), it.meaning(), *texts)));
    let fates = fates::PAGES.iter();
    all.extend(fates.map(|(it, texts)| page("after a block", it.as_str(), it.meaning(), *texts)));
    let findings = findings::PAGES.iter();
    all.extend(findings.map(|(it, texts)| page("finding", it.as_str(), it.meaning(), *texts)));
    let doubts = doubts::PAGES.iter();
    all.extend(doubts.map(|(word, texts)| page(DOUBT, word, meaning_of_doubt(word), *texts)));
    let unchecked = hindered::CRITERIA.iter();
    all.extend(
        unchecked.map(|(word, texts)| page(UNCHECKED, word, meaning_of_unchecked(word), *texts)),
    );
    let reasons = reasons::PAGES.iter();
    all.extend(reasons.map(|(it, texts)| page("decision", it.as_str(), it.meaning(), *texts)));
    for (kind, pages) in [
        ("report line", others::LINES),
        ("ATTEST_STRICT", others::STRICT),
        (NO_SAY, hindered::GATES),
    ] {
        let pages = pages.iter();
        all.extend(pages.map(|(word, meaning, texts)| page(kind, word, meaning, *texts)));
    }
    for (kind, pages) in [
        ("claimed status", columns::STATUSES),
        ("agent", columns::STATES),
        ("reading", columns::CERTAINTIES),
        ("gate", columns::GATES),
        ("criteria", columns::CRITERIA),
        ("column", columns::COLUMNS),
        ("log", log::PAGES),
    ] {
        let pages = pages.iter();
        all.extend(pages.map(|(word, meaning)| page(kind, word, meaning, [""; 3])));
    }
    all
}

/// Every word that has a page, with what it means.
pub(in crate::cmd) fn all_words() -> BTreeMap<&'static str, &'static str> {
    let pages = all().into_iter();
    pages.map(|page| (page.word, page.meaning)).collect()
}

/// What a doubt means, in one sentence without its end.
pub(in crate::cmd) fn meaning_of_doubt(word: &str) -> &'static str {
    meaning_in(Seen::WORDS.iter().chain(Doubt::WORDS), word)
}

fn meaning_of_unchecked(word: &str) -> &'static str {
    meaning_in(Unchecked::WORDS, word)
}

fn meaning_in(
    words: impl IntoIterator<Item = &'static (&'static str, &'static str)>,
    word: &str,
) -> &'static str {
    let mut words = words.into_iter().filter(|(known, _)| *known == word);
    words.next().map_or("", |(_, meaning)| meaning)
}

/// The pages of a word, however it is typed: one for each kind of word that it is.
pub(super) fn find(text: &str) -> Vec<Page> {
    let of = |text: &str| text.to_ascii_uppercase().replace(['-', ' '], "_");
    let typed = of(text.trim());
    let found = all().into_iter().filter(|page| of(page.word) == typed);
    found.collect()
}

/// Every word with its meaning.
pub(super) fn list(width: Option<usize>) -> String {
    let mut table = Table::new([
        Column::whole("WORD", 9),
        Column::name("KIND", 5),
        Column::prose("MEANING", 1),
    ]);
    for page in all() {
        table.push([page.word, page.kind, page.meaning].map(Cell::new));
    }
    table.render(width)
}

/// The same as JSON.
pub(super) fn json() -> impl Serialize {
    all()
}

/// The pages of one word.
pub(super) fn text(pages: &[Page], width: Option<usize>) -> String {
    let texts: Vec<_> = pages.iter().map(|page| page.text(width)).collect();
    texts.join("\n")
}

impl Page {
    fn text(&self, width: Option<usize>) -> String {
        let title = format!("{} ({})", styled(STRONG, self.word), self.kind);
        let mut text = hanging("", &title, width);
        let sentence = format!("{}.", capital(&in_signs(self.meaning)));
        text.push_str(&hanging("", &sentence, width));
        let parts = [
            ("", self.more),
            ("For example", self.example),
            ("What to do", self.advice),
        ];
        for (title, body) in parts.into_iter().filter(|(_, body)| !body.is_empty()) {
            text.push('\n');
            if !title.is_empty() {
                text.push_str(&format!("{}\n", styled(STRONG, title)));
            }
            text.push_str(&hanging("", &in_signs(body), width));
        }
        text
    }
}

/// The sentence that begins with `text`.
pub(super) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).collect()
}

#[cfg(test)]
mod tests;
