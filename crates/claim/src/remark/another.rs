//! Whether a clause is about another file, or about what is no file: a ticket, a request, those who call.

use super::token::{Clause, Token, is_participle};
use crate::Operation;
use crate::path::shape::is_file;
use crate::words;

impl Clause {
    /// "merged into src/b.py", "documentation updated in the wiki", "opened an issue", "PR merged", "removed imports of it".
    pub(super) fn is_of_another(&self) -> bool {
        let is_beside = |at| self.leads_elsewhere(at) || self.takes_from_file(at);
        !self.tells_what_it_does() && (0..self.words.len()).any(is_beside)
            || self.has_outside_object()
            || self.has_outside_subject()
            || self.is_outside_alone()
            || self.ends_with_itself()
    }

    /// "reads from src/b.py", but not "tests added in src/b.py": the file itself does something with the other one.
    fn tells_what_it_does(&self) -> bool {
        let at = self.count_leads(&["lead"]);
        let (head, next) = (self.word(at), self.word(at + 1));
        let is_doing =
            head.ends_with('s') && (words::verb(head).is_some() || words::describes(head));
        let is_past = is_participle(next) || words::verb(next).is_some() && !words::is_demand(next);
        is_doing && !is_past && !words::ROLES.has(head, "unit")
    }

    /// Whether it leads to another file: "folded into src/b.py".
    pub(super) fn names_another_file(&self) -> bool {
        (0..self.words.len()).any(|at| self.is_goal(at) && self.has_file_behind(at))
    }

    /// Whether this word leads to another file, or to what is no file: "in src/b.py", "to the ticket".
    fn leads_elsewhere(&self, at: usize) -> bool {
        let end = self.end_of_phrase(at + 1);
        let is_outside = end > at + 1 && self.is_outside(end - 1);
        self.is_goal(at) && (is_outside || self.has_file_behind(at))
    }

    fn is_goal(&self, at: usize) -> bool {
        words::ROLES.has(self.word(at), "goal")
    }

    /// Whether a file is named in what belongs to this word.
    fn has_file_behind(&self, at: usize) -> bool {
        (at + 1..self.end_of_phrase(at + 1)).any(|at| self.names_file(at))
    }

    /// "removed from src/b.py", "the default from src/b.py"; but what is "extracted from src/b.py" is here now.
    fn takes_from_file(&self, at: usize) -> bool {
        let is_taken = |word: &String| {
            words::verb(word).is_some_and(|operation| operation != Operation::Deleted)
        };
        at > 0
            && self.word(at) == "from"
            && self.has_file_behind(at)
            && !self.words[..at].iter().any(is_taken)
    }

    /// "created a ticket", "opened PR 12"; but what resolves an issue is work on files.
    fn has_outside_object(&self) -> bool {
        let lead = self.count_leads(&["lead"]);
        let head = self.word(lead);
        let is_made = words::verb(head) == Some(Operation::Created)
            || words::ROLES.has(head, "handling")
            || matches!(words::mark(head), Some(Operation::Created));
        let end = self.end_of_phrase(lead + 1);
        is_made && end > lead + 1 && self.is_outside(end - 1)
    }

    /// "issue closed", "all callers updated"
    fn has_outside_subject(&self) -> bool {
        let is_done = |at: &usize| {
            let (at, word) = (*at, self.word(*at));
            let is_past = words::verb(word).is_some() && !words::is_demand(word);
            is_past
                && self.end_of_phrase(at + 1) == at + 1
                && !word.ends_with('s')
                && !words::ROLES.has(word, "settling")
        };
        let at = (1..self.words.len()).find(is_done);
        at.is_some_and(|at| self.is_outside(at - 1))
    }

    /// "previous session", "PR 12"
    fn is_outside_alone(&self) -> bool {
        let is_told = |word: &str| words::change(word).is_some() || words::describes(word);
        let end = self.end_of_phrase(0);
        let is_all = self.tokens.iter().skip(end).all(|it| *it == Token::Number);
        end > 0 && is_all && !is_told(self.word(0)) && self.is_outside(end - 1)
    }

    /// "removed imports of it": the file is what it is said of, and not where it is.
    fn ends_with_itself(&self) -> bool {
        let head = self.word(self.count_leads(&["lead"]));
        let [.., before, last] = self.words.as_slice() else {
            return false;
        };
        let is_of_it = last == "it" && words::CLOSED.has(before, "preposition");
        is_of_it && words::verb(head) == Some(Operation::Deleted)
    }

    /// Where the words end that belong to what begins here: at the next closed word or number.
    fn end_of_phrase(&self, from: usize) -> usize {
        let is_end = |at: &usize| {
            let class = words::closed(self.word(*at));
            class.is_some_and(|class| class != "verb") || self.tokens[*at] == Token::Number
        };
        let end = (from..self.words.len()).find(is_end);
        end.unwrap_or(self.words.len())
    }

    fn names_file(&self, at: usize) -> bool {
        self.tokens[at] == Token::File || is_file(self.word(at))
    }

    /// Whether a word, or it and the one in front of it, names what is no file: "tickets", "pull request".
    fn is_outside(&self, at: usize) -> bool {
        let word = self.word(at);
        let single = word.strip_suffix('s').unwrap_or(word);
        let has = |word: &str| words::ROLES.has(word, "outside");
        let pair = at.checked_sub(1).map(|before| self.word(before));
        has(word) || has(single) || pair.is_some_and(|before| has(&format!("{before}_{single}")))
    }
}
