//! How one clause of a remark is understood.

use super::Sense;
use super::token::{Clause, Token, is_participle};
use super::undone::UNDONE;
use crate::Operation;
use crate::words::{self, Closed, TitleWord};

impl Clause<'_> {
    fn is_capital(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(word)) if word.chars().all(char::is_uppercase))
    }

    pub(super) fn closed(&self, at: usize) -> Option<Closed> {
        words::closed(self.word(at))
    }

    /// Whether a word of one of these classes is anywhere in it.
    fn has(&self, classes: &[Closed]) -> bool {
        self.words
            .iter()
            .any(|word| words::closed(word).is_some_and(|class| classes.contains(&class)))
    }

    pub(super) fn sense(&self) -> Sense {
        if self.is_untouched() {
            return Sense::Untouched;
        }
        if self.is_figure() {
            return Sense::Work(Operation::Changed);
        }
        match self.work() {
            Some(operation) => Sense::Work(operation),
            None if self.is_result() => Sense::Work(Operation::Changed),
            None if self.is_description() => Sense::Description,
            None => Sense::Other,
        }
    }

    /// "unchanged", "both unchanged", "was not needed": words that lead up to the phrase say nothing more.
    fn is_untouched(&self) -> bool {
        const LEADS: &[&str] = &[
            "all", "are", "been", "both", "file", "files", "has", "is", "it", "still", "was",
            "were", "yet",
        ];
        let words: Vec<_> = self
            .words
            .iter()
            .map(String::as_str)
            .filter(|word| !LEADS.contains(word))
            .collect();
        words::is_untouched(&self.words.join(" ")) || words::is_untouched(&words.join(" "))
    }

    /// "12 lines", "4.9 KB", "+12": sizes and counts.
    fn is_figure(&self) -> bool {
        const UNITS: &[&str] = &[
            "b",
            "bytes",
            "cases",
            "changed",
            "changes",
            "checks",
            "chars",
            "deletion",
            "deletions",
            "edit",
            "edits",
            "file",
            "files",
            "insertion",
            "insertions",
            "kb",
            "l",
            "line",
            "lines",
            "loc",
            "mb",
            "passed",
            "rows",
            "skipped",
            "as",
            "well",
            "too",
            "test",
            "tests",
            "total",
            "words",
        ];
        let is_zero = |word: &String| word.trim_start_matches(['+', '-']) == "0";
        self.tokens.contains(&Token::Number)
            && !self.words.iter().any(is_zero)
            && self
                .tokens
                .iter()
                .zip(&self.words)
                .all(|(token, word)| *token == Token::Number || UNITS.contains(&word.as_str()))
            && (self.words.len() > 1 || !self.word(0).chars().all(|c| c.is_ascii_digit()))
    }

    /// What was done, if the clause begins with a verb of doing or a mark that is about the content of the file.
    fn work(&self) -> Option<Operation> {
        const LEADS: &[&str] = &[
            "i",
            "we",
            "i've",
            "we've",
            "also",
            "just",
            "now",
            "fully",
            "completely",
            "heavily",
            "slightly",
            "minor",
            "major",
            "small",
            "properly",
            "partially",
            "then",
            "file",
            "it",
            "is",
            "was",
            "were",
            "are",
            "has",
            "have",
            "been",
        ];
        let lead = self
            .words
            .iter()
            .take_while(|word| LEADS.contains(&word.as_str()))
            .count();
        let head = self.word(lead);
        let is_alone = self.words.len() == lead + 1;
        let (operation, is_base) = match (words::mark(head), words::verb(head)) {
            (_, Some(verb)) if !(is_alone && words::mark(head).is_some()) => verb,
            // The letters of git: "M", but not "a parser".
            (Some(_), _) if head.len() == 1 && !(is_alone && self.is_capital(lead)) => return None,
            (Some(operation), _) => (operation, false),
            (None, verb) => verb?,
        };
        if is_alone {
            // "(CREATE)" asks for what "(created)" tells of.
            return (!is_base).then_some(operation);
        }
        if !head.is_ascii() && !words::is_thing(self.word(lead + 1)) {
            return None;
        }
        let of_content = if is_file_word(self.word(lead + 1)) {
            lead + 2
        } else {
            lead + 1
        };
        let is_whole = of_content > lead + 1 || matches!(head, "new" | "newly");
        let operation = if is_whole || operation == Operation::Changed {
            operation
        } else {
            Operation::Changed
        };
        self.is_about_content(of_content).then_some(operation)
    }

    /// "cache invalidation added", "timeout raised to 30 s": a thing, and what was done to it.
    fn is_result(&self) -> bool {
        let is_done = |word: &str| {
            words::verb(word)
                .is_some_and(|(operation, is_base)| !is_base && operation != Operation::Deleted)
                && !word.ends_with('s')
        };
        let at = (1..self.words.len()).find(|at| is_done(self.word(*at)));
        at.is_some_and(|at| {
            let is_end = at + 1 == self.words.len();
            let is_subject = |word: &String| words::closed(word).is_none() && !is_article(word);
            self.words[..at].iter().all(is_subject)
                && words::verb(self.word(0)).is_none()
                && (is_end
                    || self.closed(at + 1) == Some(Closed::Preposition)
                        && self.is_about_content(at + 1))
        })
    }

    /// Whether what follows a verb at this place is what it was done to, or with, or for: where, when, by whom and
    /// under which condition a file was written leaves open whether it is here.
    fn is_about_content(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        if self.is_by_another(at) {
            return false;
        }
        match self.closed(at) {
            // "dropped the idea"
            None if is_article(self.word(at)) => {
                !matches!(next, "attempt" | "idea" | "ideas" | "plan")
            }
            None => !UNDONE.contains(&self.word(at)),
            Some(Closed::Preposition) => match self.word(at) {
                // "cleaned up the imports", but not "cleaned up"
                "up" | "out" | "down" => {
                    !next.is_empty() && next != "by" && self.closed(at + 1).is_none()
                }
                "with" | "for" | "from" | "so" | "as" | "of" => {
                    !next.is_empty()
                        && self
                            .closed(at + 1)
                            .is_none_or(|class| class == Closed::Preposition)
                }
                // "extended to cover the parser", "migrated to vitest", but not "moved to the wiki"
                "to" => {
                    let is_goal = words::verb(next).is_some_and(|(_, is_base)| is_base);
                    let is_place = self.closed(at + 1).is_some() || is_article(next);
                    !is_place && (is_goal || !words::moves(self.word(at - 1)))
                }
                "by" => true,
                _ => false,
            },
            Some(Closed::Adverb | Closed::Verb) => matches!(
                self.word(at),
                "only" | "optional" | "temporary" | "external"
            ),
            Some(Closed::Pronoun) => {
                matches!(self.word(at), "its" | "their" | "both" | "it" | "them")
            }
            Some(Closed::Negation | Closed::Modal | Closed::Auxiliary | Closed::Conjunction) => {
                false
            }
        }
    }

    /// "generated by the build", but not "simplified by splitting it", "by me", "by 10 %".
    fn is_by_another(&self, at: usize) -> bool {
        let by = self
            .words
            .iter()
            .skip(at)
            .take(4)
            .position(|word| word == "by");
        by.is_some_and(|by| {
            let who = self.word(at + by + 1);
            !(matches!(who, "me" | "us")
                || who.ends_with("ing")
                || self.tokens.get(at + by + 1) == Some(&Token::Number))
        })
    }

    /// Whether it is a noun phrase about a thing that files hold, or says what the file does.
    fn is_description(&self) -> bool {
        let has_code = self.tokens.contains(&Token::Thing);
        self.is_plain() && (has_code || self.has_thing() || words::describes(self.word(0)))
    }

    /// Whether no word says where, when, whether or by whom.
    pub(super) fn is_plain(&self) -> bool {
        use Closed::{Adverb, Auxiliary, Conjunction, Modal, Negation, Preposition, Pronoun, Verb};
        let begins = match self.closed(0) {
            Some(Preposition | Verb) => true,
            // "shared types", but not "deferred" or "planned cleanup"
            None => {
                is_participle(self.word(0))
                    && words::verb(self.word(0)).is_none()
                    && !self.is_attribute()
            }
            _ => false,
        };
        let is_english = self.words.iter().all(|word| word.is_ascii());
        is_english
            && !begins
            && !self.has(&[Adverb, Auxiliary, Conjunction, Modal, Negation, Pronoun])
            && !self.is_sentence()
    }

    /// Whether the participle in front says what the thing is like: "shared types", but not "planned types".
    fn is_attribute(&self) -> bool {
        self.words.len() > 1
            && words::title(self.word(0)).is_none_or(|word| word == TitleWord::Group)
            && self.has_thing()
    }

    /// "user declined the edit", "generated by the build", "write failed": something is done or becomes of something.
    fn is_sentence(&self) -> bool {
        let is_past = |word: &str| {
            is_participle(word) || words::verb(word).is_some_and(|(_, is_base)| !is_base)
        };
        let is_object = |word: &str| is_article(word) || word == "to";
        let is_state = |at: usize| {
            let is_behind =
                at > 0 && is_participle(self.word(at)) && words::verb(self.word(at)).is_none();
            is_behind
                && self
                    .words
                    .get(at + 1)
                    .is_none_or(|next| words::closed(next).is_some())
        };
        let mut pairs = self.words.windows(2);
        pairs.any(|pair| pair[1] == "by" || is_past(&pair[0]) && is_object(&pair[1]))
            || (1..self.words.len()).any(is_state)
    }

    /// Whether a noun of what the phrase is about, in front of its first preposition, is a thing that files hold.
    fn has_thing(&self) -> bool {
        let is_end = |at: &usize| self.closed(*at) == Some(Closed::Preposition);
        let end = (1..self.words.len())
            .find(is_end)
            .unwrap_or(self.words.len());
        let mut parts = self.words[..end].iter().flat_map(|word| word.split('-'));
        parts.any(words::is_thing)
    }

    /// "Backend" in "Backend: added the route".
    pub(super) fn is_label(&self) -> bool {
        self.is_announced && self.words.len() <= 3 && self.is_plain()
    }
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

fn is_file_word(word: &str) -> bool {
    matches!(word, "file" | "entirely" | "completely")
}
