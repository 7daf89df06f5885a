//! How one clause of a remark is understood.

use super::Sense;
use super::token::{Clause, Token, is_participle};
use crate::Operation;
use crate::path::shape::is_path;
use crate::words;

impl Clause {
    pub(super) fn sense(&self) -> Sense {
        if self.untouched().is_some() {
            Sense::Untouched
        } else if self.is_dense() {
            self.dense()
        } else if self.is_of_another() {
            Sense::Other
        } else if self.is_figure() || self.is_result() {
            Sense::Work(Operation::Changed)
        } else if let Some(operation) = self.work() {
            if self.leaves_open() {
                Sense::Other
            } else {
                Sense::Work(operation)
            }
        } else if self.is_description() {
            Sense::Description
        } else {
            Sense::Other
        }
    }

    /// The class of "unchanged", "both unchanged", "was not needed": words that lead up to the phrase say nothing more.
    pub(super) fn untouched(&self) -> Option<&'static str> {
        let is_told = |word: &&String| !words::ROLES.has_any(word, &["lead", "aside"]);
        let words: Vec<_> = self.words.iter().filter(is_told).cloned().collect();
        let class = words::UNTOUCHED.class(&self.words.join("_"));
        class.or_else(|| words::UNTOUCHED.class(&words.join("_")))
    }

    /// Whether it is of a script that is written without spaces.
    fn is_dense(&self) -> bool {
        self.words.iter().any(|word| word.contains(words::is_dense))
    }

    /// A mark in front or at the end, or a thing at the end, and no negation.
    fn dense(&self) -> Sense {
        let text = self.words.concat();
        let mut within = words::CLOSED.beyond_ascii();
        let is_denied = within.any(|(word, class)| class == "negation" && text.contains(word));
        if is_denied || self.words.iter().any(|word| words::closed(word).is_some()) {
            return Sense::Other;
        }
        let mut things = words::THINGS.beyond_ascii();
        match words::mark_within(&text) {
            Some(operation) => Sense::Work(operation),
            None if things.any(|(word, _)| text.ends_with(word)) => Sense::Description,
            None => Sense::Other,
        }
    }

    /// Whether it is of a language of which only single words are known.
    pub(super) fn is_foreign(&self) -> bool {
        let is_foreign = |(at, word): (usize, &String)| {
            words::closed(word) == Some("foreign")
                && (at == 0 || !words::CLOSED.has(word, "object"))
        };
        self.is_dense()
            || words::MARKS.has(self.word(0), "foreign")
            || self.words.iter().enumerate().any(is_foreign)
    }

    /// "12 lines", "4.9 KB", "+12", "3 new files": sizes and counts.
    fn is_figure(&self) -> bool {
        let is_part = |(token, word): (&Token, &String)| match token {
            Token::Number => word != "0",
            _ => word == "new" || words::ROLES.has_any(word, &["unit", "filler"]),
        };
        self.tokens.contains(&Token::Number)
            && self.tokens.iter().zip(&self.words).all(is_part)
            && (self.words.len() > 1 || !self.word(0).chars().all(|c| c.is_ascii_digit()))
    }

    /// What was done, if the clause begins with a verb of doing or a mark that is about the content of the file.
    fn work(&self) -> Option<Operation> {
        let lead = self.count_leads(&["lead"]);
        let head = self.word(lead);
        let next = self.word(lead + 1);
        let is_alone = self.words.len() == lead + 1;
        let mark = words::mark(head);
        // The letters of git: "M", but not "a parser".
        if mark.is_some() && head.len() == 1 && !(is_alone && self.tokens[lead] == Token::Capital) {
            return None;
        }
        if self.becomes(lead) {
            return None;
        }
        // "(CREATE)" asks for what "(created)" tells of.
        let verb = words::verb(head).filter(|_| !is_alone || !words::is_demand(head));
        let is_only = |word: &String| words::ROLES.has(word, "filler");
        let is_seen = words::ROLES.has(head, "seen");
        if is_alone || is_seen && self.words.iter().skip(lead + 1).all(is_only) {
            // "rejected empty names" is work, and "rejected" says that the file is not there.
            let is_open = is_seen || words::ROLES.has(head, "absent");
            return mark.or(verb).filter(|_| !is_open);
        }
        let operation = verb.or(mark)?;
        if words::MARKS.has(head, "foreign") {
            // "nouveau fichier", "neu angelegt"
            let is_said =
                |word: &String| words::ROLES.has(word, "filler") || words::mark(word).is_some();
            if self.words[lead + 1..].iter().all(is_said) {
                return Some(operation);
            }
            if !words::is_thing(next) {
                return None;
            }
        }
        let is_of_file = matches!(next, "file" | "entirely" | "completely");
        let is_whole = is_of_file || matches!(head, "new" | "newly");
        let is_about_content = self.is_about_content(lead + 1 + usize::from(is_of_file));
        is_about_content.then_some(if is_whole {
            operation
        } else {
            Operation::Changed
        })
    }

    /// "update skipped", "change request filed", "refactoring planned": what became of what was or is to be done.
    fn becomes(&self, lead: usize) -> bool {
        let (head, last) = (self.word(lead), self.words.len().saturating_sub(1));
        let is_noun = words::is_demand(head) || head.ends_with("ing") || head.ends_with('s');
        let is_whole = || (lead + 1..=last).all(|at| self.closed(at).is_none());
        is_noun && last > lead && is_whole() && (self.is_state(last) || self.is_planned(last))
    }

    fn is_planned(&self, at: usize) -> bool {
        words::TITLES.has(self.word(at), "plan")
    }

    /// How many words in front have one of these roles.
    pub(super) fn count_leads(&self, roles: &[&str]) -> usize {
        let words = self.words.iter();
        words
            .take_while(|word| words::ROLES.has_any(word, roles))
            .count()
    }

    /// Whether a word behind what was done says when, whose or that it did not stay; or, behind a demand, under which
    /// condition: "adds tests later", "add tests once it is stable".
    fn leaves_open(&self) -> bool {
        let lead = self.count_leads(&["lead"]);
        let is_demand = words::is_demand(self.word(lead));
        (lead + 2..self.words.len()).any(|at| match self.closed(at) {
            // "moved the login here", "handles errors from upstream"
            Some("adverb") => self.word(at) != "here" && self.word(at - 1) != "from",
            Some("conjunction" | "modal") if is_demand => true,
            _ => words::ROLES.has(self.word(at), "turn"),
        })
    }

    /// "cache invalidation added", "timeout raised to 30 s": a thing, and what was done to it.
    fn is_result(&self) -> bool {
        let is_done = |word: &str| {
            words::verb(word).is_some_and(|operation| operation != Operation::Deleted)
                && !(words::is_demand(word) || word.ends_with('s'))
                && !words::ROLES.has(word, "undone")
        };
        let at = (1..self.words.len()).find(|at| is_done(self.word(*at)));
        at.is_some_and(|at| {
            let is_subject = |word: &String| words::closed(word).is_none() && !is_article(word);
            let goes_on = || self.closed(at + 1) == Some("preposition");
            self.words[..at].iter().all(is_subject)
                && (at + 1 == self.words.len() || goes_on() && self.is_about_content(at + 1))
        })
    }

    /// Whether what follows a verb at this place is what it was done to, or with, or for: where, when, by whom and
    /// under which condition a file was written leaves open whether it is here.
    fn is_about_content(&self, at: usize) -> bool {
        let (word, next) = (self.word(at), self.word(at + 1));
        let is_known = self.closed(at + 1).is_some();
        let takes = words::verb(self.word(at - 1)) == Some(Operation::Deleted);
        // "dropped from the build", but not "dropped from 12 to 3"
        let is_counted = self.tokens.get(at + 1) == Some(&Token::Number);
        if self.is_by_another(at) || takes && word == "from" && !is_counted {
            false
        } else if words::CLOSED.has(word, "object") {
            true
        } else if words::CLOSED.has(word, "particle") {
            // "cleaned up the imports", but not "cleaned up"
            !next.is_empty() && !is_known
        } else if is_article(word) {
            // "dropped the idea"
            !matches!(next, "attempt" | "idea" | "ideas" | "plan")
        } else if word == "to" {
            // "extended to cover the parser", "migrated to vitest", but not "moved to the wiki"
            let moving = ["created", "moved", "deleted"];
            let moves = words::VERBS.has_any(self.word(at - 1), &moving);
            // "tests to follow", "tests to write"
            let is_end = at + 2 == self.words.len() && words::is_demand(next);
            let is_open = self.word(at - 1).ends_with('s') && is_end;
            !is_known
                && !is_article(next)
                && !self.is_planned(at + 1)
                && !is_open
                && (words::is_demand(next) || !moves)
        } else {
            self.closed(at).is_none() && !words::ROLES.has(word, "undone")
        }
    }

    /// "generated by the build", but not "simplified by splitting it", "by me", "by 10 %".
    pub(super) fn is_by_another(&self, at: usize) -> bool {
        let mut words = self.words.iter().skip(at).take(4);
        words.position(|word| word == "by").is_some_and(|by| {
            let who = self.word(at + by + 1);
            let is_number = self.tokens.get(at + by + 1) == Some(&Token::Number);
            let is_way = who.ends_with("ing") && !words::TITLES.has(who, "ends");
            !(matches!(who, "me" | "us") || is_way || is_number)
        })
    }

    /// Whether it is a noun phrase about a thing that files hold, or says what the file does.
    fn is_description(&self) -> bool {
        self.is_plain() && (self.has_thing() || words::describes(self.word(0)))
    }

    /// "context", "imports": alone, it says why the file is named.
    pub(super) fn is_relation(&self) -> bool {
        let word = self.word(0);
        self.words.len() == 1 && words::TITLES.has(word, "ends") && words::mark(word).is_none()
    }

    /// Whether it goes on with what was said: "and the lexer", "to `get_config()`", "from the datasheet", "falls back to
    /// the defaults", "this file", "see src/b.py".
    pub(super) fn goes_on(&self) -> bool {
        if self.is_of_another() {
            return false;
        }
        let is_pointer = match self.word(0) {
            "see" => is_path(self.word(1)),
            "this" => self.words.len() == 2,
            first => words::describes(first),
        };
        let is_object = self.closed(0) == Some("preposition") && self.has_thing();
        is_pointer || self.is_plain_from(usize::from(is_object || self.word(0) == "from"))
    }

    /// Whether no word says where, when, whether or by whom.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain_from(0)
    }

    fn is_plain_from(&self, first: usize) -> bool {
        let is_plain = |(at, word): (usize, &String)| match words::closed(word) {
            None => !is_of_somebody(word),
            _ if at < first => true,
            Some("preposition" | "verb") => at > 0,
            Some(_) => false,
        };
        // "shared types", but not "deferred" or "planned cleanup"
        let begins_as_state = self.is_state(0) && !self.is_attribute();
        self.words.iter().all(|word| word.is_ascii())
            && self.words.iter().enumerate().all(is_plain)
            && !begins_as_state
            && !self.is_sentence()
    }

    /// Whether the participle in front says what the thing is like: "shared types", but not "planned types".
    fn is_attribute(&self) -> bool {
        !words::TITLES.has_any(self.word(0), &["plan", "ends"]) && self.has_thing()
    }

    /// Whether the word says what became of something, and nothing that was done: "declined".
    fn is_state(&self, at: usize) -> bool {
        let word = self.word(at);
        let is_name = matches!(self.tokens.get(at), Some(Token::Thing | Token::File));
        !is_name && is_participle(word) && words::verb(word).is_none()
    }

    /// "user declined the edit", "generated by the build", "write failed": something is done or becomes of something.
    fn is_sentence(&self) -> bool {
        let is_past = |word: &str| {
            is_participle(word) || words::verb(word).is_some() && !words::is_demand(word)
        };
        let is_told = |pair: &[String]| {
            pair[1] == "by" || is_past(&pair[0]) && (is_article(&pair[1]) || pair[1] == "to")
        };
        let is_end = |at: usize| at + 1 == self.words.len() || self.closed(at + 1).is_some();
        let is_absent = |at: usize| words::ROLES.has(self.word(at), "absent");
        self.words.windows(2).any(is_told)
            || (1..self.words.len()).any(|at| is_end(at) && (self.is_state(at) || is_absent(at)))
    }

    /// Whether a noun of what the phrase is about, in front of its first preposition, is a thing that files hold, or code.
    fn has_thing(&self) -> bool {
        let ends = |at: &usize| *at > 0 && self.closed(*at) == Some("preposition");
        let mut nouns = (0..self.words.len()).take_while(|at| !ends(at));
        nouns.any(|at| {
            matches!(self.tokens[at], Token::Thing | Token::File)
                || self.word(at).split('-').any(words::is_thing)
        })
    }

    /// "Backend" in "Backend: added the route".
    pub(super) fn is_label(&self) -> bool {
        self.is_announced && self.words.len() <= 3 && self.is_plain()
    }

    /// "then deleted again", "not committed", but not "removed the lock": what was done to the file is undone.
    pub(super) fn undoes(&self) -> bool {
        let lead = self.count_leads(&["then", "lead"]);
        let next = self.word(lead + 1);
        let is_done = is_participle(next)
            || words::verb(next).is_some()
            || matches!(next, "checked" | "there" | "here");
        let is_denied = self.closed(lead) == Some("negation");
        is_denied && is_done || self.undoes_at(lead)
    }

    /// "then rolled back", "later folded into src/b.py": what was done to the file was for a while.
    pub(super) fn takes_back(&self) -> bool {
        let lead = self.count_leads(&["then"]);
        let is_in_another = is_participle(self.word(lead)) && self.names_another_file();
        let is_undone = words::ROLES.has(self.word(lead), "undone") && self.undoes_at(lead);
        lead > 0 && (is_undone || is_in_another)
    }

    /// "created and deleted", "added but reverted"
    pub(super) fn ends_undone(&self) -> bool {
        (1..self.words.len())
            .any(|at| words::ROLES.has(self.word(at - 1), "then") && self.undoes_at(at))
    }

    /// "binned it", "scrapped afterwards": what is not known to be work may undo it, if it is about the file itself.
    fn undoes_at(&self, at: usize) -> bool {
        let next = self.word(at + 1);
        let is_end = next.is_empty() || self.closed(at + 1).is_some() && next != "with";
        let is_of_file = || next.is_empty() || words::CLOSED.has_any(next, &["pronoun", "adverb"]);
        words::ROLES.has(self.word(at), "undone") && is_end || self.is_state(at) && is_of_file()
    }

    fn closed(&self, at: usize) -> Option<&'static str> {
        words::closed(self.word(at))
    }
}

/// "Bob's", but not "the parser's".
fn is_of_somebody(word: &str) -> bool {
    let owner = word.strip_suffix("'s");
    owner.is_some_and(|owner| !words::is_thing(owner))
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}
