//! What every word means that a verdict or a report line may hold, with an example and what to do.

mod doubts;
mod findings;
mod hindered;
mod others;
mod outcomes;
mod reasons;

use crate::ui::{Cell, Column, STRONG, Table, hanging, styled};

/// What is said of one word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page {
    pub(super) word: &'static str,
    /// What kind of word it is.
    kind: &'static str,
    /// What it means, in one sentence without its end.
    meaning: &'static str,
    /// More about it.
    more: &'static str,
    /// How it comes about.
    example: &'static str,
    /// What a person can do.
    advice: &'static str,
}

fn all() -> impl Iterator<Item = &'static Page> {
    let pages = [
        outcomes::PAGES,
        findings::PAGES,
        doubts::PAGES,
        reasons::PAGES,
        others::PAGES,
        hindered::PAGES,
    ];
    pages.into_iter().flatten()
}

/// The page of a word, however it is typed.
pub(super) fn find(text: &str) -> Option<&'static Page> {
    let typed = text.to_ascii_uppercase().replace(['-', ' '], "_");
    all().find(|page| page.word.to_ascii_uppercase() == typed)
}

/// What a word means, in one sentence without its end.
pub(in crate::cmd) fn meaning(word: &str) -> Option<&'static str> {
    find(word).map(|page| page.meaning)
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

impl Page {
    pub(super) fn text(&self, width: Option<usize>) -> String {
        let title = format!("{} ({})", styled(STRONG, self.word), self.kind);
        let mut text = hanging("", &title, width);
        let sentence = format!("{}.", capital(self.meaning));
        text.push_str(&hanging("", &sentence, width));
        for (title, body) in [
            ("", self.more),
            ("For example", self.example),
            ("What to do", self.advice),
        ] {
            text.push('\n');
            if !title.is_empty() {
                text.push_str(&format!("{}\n", styled(STRONG, title)));
            }
            text.push_str(&hanging("", body, width));
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
mod tests {
    use attest_verdict::{Finding, Outcome, ReasonCode};
    use serde::de::DeserializeOwned;

    use super::*;

    /// The names of all variants: they are in the error about one that is not there.
    fn variants<T: DeserializeOwned + std::fmt::Debug>() -> Vec<String> {
        let error = serde_json::from_str::<T>("\"no such\"").unwrap_err();
        let text = error.to_string();
        let (_, list) = text.split_once("expected").unwrap();
        let words = list.split('`').skip(1).step_by(2);
        words.map(str::to_owned).collect()
    }

    #[test]
    fn every_word_of_a_verdict_has_a_page() {
        let words = [
            variants::<Outcome>(),
            variants::<Finding>(),
            variants::<ReasonCode>(),
        ];
        assert!(words.iter().all(|kind| kind.len() > 5), "{words:?}");
        for word in words.concat() {
            assert!(find(&word).is_some(), "no page says what {word} means");
        }
    }

    #[test]
    fn every_reason_why_criteria_were_not_checked_has_a_page() {
        for word in attest_verdict::Unchecked::WORDS {
            assert!(find(word).is_some(), "no page says what {word} means");
        }
    }

    #[test]
    fn every_doubt_has_a_word_of_its_own_and_a_page() {
        use attest_snapshot::{Doubt as Seen, RepoPath};
        use attest_verdict::Doubt;
        let seen = [
            Seen::Outside,
            Seen::NoPlace,
            Seen::KnownAtStart,
            Seen::SymbolicLink,
            Seen::OtherRepository,
            Seen::OtherWorktree,
            Seen::UnreadableFolder,
            Seen::Tracked,
            Seen::Ignored,
            Seen::IgnoreRulesChanged,
            Seen::WorktreeRemoved,
            Seen::UnspeakableName,
            Seen::Unlisted,
            Seen::FolderMissing,
            Seen::WrittenElsewhere,
            Seen::TooMany {
                most: 256,
                what: "repositories in the work tree",
            },
            Seen::UnknownPlace("`./deploy.sh`".to_owned()),
            Seen::ObjectsPacked,
            Seen::InHistory,
            Seen::Unreadable("why".to_owned()),
        ];
        let path = RepoPath::from_git(b"a.py").unwrap();
        let own = [
            Doubt::SameName(path),
            Doubt::NeverSeen,
            Doubt::NotAPath,
            Doubt::PerhapsNoPath,
            Doubt::PerhapsNoFolder,
            Doubt::Remark("later".to_owned()),
            Doubt::Title("Elsewhere".to_owned()),
            Doubt::OlderFolder,
        ];
        let all: Vec<_> = seen.into_iter().map(Doubt::from).chain(own).collect();
        for doubt in &all {
            assert_eq!(find(doubt.word()).map(|page| page.kind), Some("doubt"));
            assert!(doubt.to_string().contains(' ') || *doubt.word() == *"UNREADABLE");
        }
        let pages = doubts::PAGES.iter().map(|page| page.word);
        let words = all.iter().map(Doubt::word);
        let words: std::collections::BTreeSet<_> = words.collect();
        assert_eq!(
            words,
            pages.collect(),
            "each word has one page, and no page is left over"
        );
    }

    #[test]
    fn every_page_is_whole_and_is_found_by_its_word_alone() {
        for page in all() {
            let same = all().filter(|other| other.word.eq_ignore_ascii_case(page.word));
            assert_eq!(same.count(), 1, "{}", page.word);
            for sentence in [page.more, page.example, page.advice] {
                assert!(sentence.ends_with('.'), "{}: {sentence}", page.word);
            }
            assert!(!page.meaning.ends_with('.'), "{}", page.word);
            assert!(page.text(Some(80)).contains("What to do"));
        }
        assert_eq!(find("scope-creep").unwrap().word, "SCOPE_CREEP");
        assert!(find("0a1b").is_none());
    }
}
