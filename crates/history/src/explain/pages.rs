//! What every word means that a verdict or a report line may hold, with an example and what to do. All of it stands in
//! `words/`, but for the meaning of a word of an enum, which is the documentation of its variant.

use std::collections::BTreeMap;

use attest_snapshot::Doubt as Seen;
use attest_verdict::{Doubt, Fate, Finding, Outcome, ReasonCode, Unchecked};
use serde::Serialize;

use attest_base::ui::{Cell, Column, STRONG, Table, hanging, in_signs, styled};

/// A word as `words/` has it.
struct Said {
    kind: &'static str,
    word: &'static str,
    tier: u8,
    /// Its meaning if no enum has it, and more about it.
    told: &'static [&'static str],
    example: &'static str,
    advice: &'static str,
}

const WORDS: &[Said] = include!(concat!(env!("OUT_DIR"), "/words.rs"));

/// What is said of one word.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct Page {
    pub(super) word: &'static str,
    /// What kind of word it is.
    kind: &'static str,
    /// 1 if everybody who uses attest has to know it, 2 if it is enough to look it up.
    tier: u8,
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

/// Every page, the words of one kind beside each other.
fn all() -> impl Iterator<Item = Page> {
    WORDS.iter().map(|it| {
        let (meaning, more) = match (meaning(it.kind, it.word), it.told) {
            (Some(meaning), told) => (meaning, told.first()),
            (None, [meaning, more @ ..]) => (*meaning, more.first()),
            (None, []) => ("", None),
        };
        Page {
            word: it.word,
            kind: it.kind,
            tier: it.tier,
            meaning,
            more: more.copied().unwrap_or_default(),
            example: it.example,
            advice: it.advice,
        }
    })
}

/// The meaning of a word of an enum.
fn meaning(kind: &str, word: &str) -> Option<&'static str> {
    macro_rules! of {
        ($words:ty) => {{
            let found = <$words>::ALL.into_iter().find(|it| it.as_str() == word);
            found.map(<$words>::meaning)
        }};
    }
    match kind {
        "outcome" => of!(Outcome),
        "after a block" => of!(Fate),
        "finding" => of!(Finding),
        "decision" => of!(ReasonCode),
        DOUBT => Some(meaning_of_doubt(word)),
        UNCHECKED => Some(meaning_in(Unchecked::WORDS, word)),
        _ => None,
    }
}

/// Every word that has a page, with what it means.
#[must_use]
pub fn all_words() -> BTreeMap<&'static str, &'static str> {
    all().map(|page| (page.word, page.meaning)).collect()
}

/// What a person can do about a word.
pub(crate) fn advice_of(word: &str) -> &'static str {
    let page = WORDS.iter().find(|page| page.word == word);
    page.map_or("", |page| page.advice)
}

/// What a doubt means, in one sentence without its end.
fn meaning_of_doubt(word: &str) -> &'static str {
    meaning_in(Seen::WORDS.iter().chain(Doubt::WORDS), word)
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
    all().filter(|page| of(page.word) == typed).collect()
}

/// Every word with its meaning, those that everybody has to know before the others.
pub(super) fn list(width: Option<usize>) -> String {
    let tiers = [(1, "to know"), (2, "to look up")];
    let tables = tiers.map(|(tier, title)| {
        let mut table = Table::new([
            Column::whole("WORD", 9),
            Column::name("KIND", 5),
            Column::prose("MEANING", 1),
        ]);
        for page in all().filter(|page| page.tier == tier) {
            table.push([page.word, page.kind, page.meaning].map(Cell::new));
        }
        format!("{}\n{}", styled(STRONG, title), table.render(width))
    });
    tables.join("\n")
}

/// The same as JSON.
pub(super) fn json() -> impl Serialize {
    all().collect::<Vec<_>>()
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
pub(crate) fn capital(text: &str) -> String {
    let mut rest = text.chars();
    let first = rest.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(rest).collect()
}

#[cfg(test)]
mod tests;
