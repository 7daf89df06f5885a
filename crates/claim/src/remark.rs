//! What the words beside a path say of it.
//!
//! Only what is understood can be held against an agent: that work was done on the file, or what the
//! file is. There are endless ways to say that a file is not here, so none of them is listed.

use serde::{Deserialize, Serialize};

use crate::Operation;
use crate::path::shape::{is_path, trim_end};
use crate::words::{self, Closed};

/// The words beside a path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Remark {
    /// The words as the agent wrote them.
    pub text: String,
    /// How they are understood.
    pub sense: Sense,
}

/// How a remark about a path is understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sense {
    /// It says that the file was worked on: "new", "+12 −3", "fixed the date picker".
    Work(Operation),
    /// It says what the file is or does: "unit tests for the parser".
    Description,
    /// It says plainly that nothing was done to the file: "unchanged".
    Untouched,
    /// It is not understood, so that the path proves nothing.
    Other,
}

impl Sense {
    /// Whether a path with such a remark is claimed as worked on.
    #[must_use]
    pub fn is_understood(self) -> bool {
        matches!(self, Self::Work(_) | Self::Description)
    }
}

impl Remark {
    /// Reads the words beside a path. `None` if there are none.
    #[must_use]
    pub fn of(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_text =
            text.chars().any(|c| c.is_alphanumeric() || !c.is_ascii()) && !is_filler(text);
        is_text.then(|| Self {
            text: undressed(text).to_owned(),
            sense: read(text),
        })
    }
}

/// The words without the sign in front of them and the brackets around them.
fn undressed(text: &str) -> &str {
    let text = text.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '—' | '–' | '-' | ':' | '|')
    });
    let inside = text
        .strip_prefix('(')
        .and_then(|text| text.strip_suffix(')'));
    inside
        .filter(|inside| !inside.contains(['(', ')']))
        .unwrap_or(text)
}

/// "a.py only", "b.py too", "c.py as well"
fn is_filler(text: &str) -> bool {
    const FILLERS: &[&str] = &["also", "as", "itself", "only", "too", "well"];
    let mut words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some()
        && text.is_ascii()
        && words.all(|word| FILLERS.contains(&word.to_ascii_lowercase().as_str()))
}

/// How many bytes of a remark are read: what follows is no longer about the path.
const MAX_REMARK_BYTES: usize = 1_000;
/// Signs for what is open, rejected or only looked at.
const OPEN_SIGNS: &[char] = &[
    '❌', '✗', '✘', '☐', '⬜', '🔲', '◻', '🚫', '⛔', '⏳', '⌛', '🔜', '⏭', '⏸', '✖', '❓', '⭕',
    '💤', '➖', '💡', '🤔', '👀', '🔍', '⚠', '✋', '🔒', '🙈', '🛑', '🗓', '📌',
];
/// Signs for what is done or new.
const DONE_SIGNS: &[char] = &['✅', '✓', '✔', '🆕', '➕', '✏', '📝', '☑', '✨', '🗑', '🔧'];

/// What may be done to a file so that it is not here in the end.
const UNDONE: &[&str] = &[
    "abandoned",
    "backed",
    "cleaned",
    "deleted",
    "discarded",
    "dropped",
    "gone",
    "lost",
    "moved",
    "overwritten",
    "parked",
    "removed",
    "reverted",
    "rm'd",
    "rolled",
    "scrapped",
    "shelved",
    "stashed",
    "superseded",
    "taken",
    "thrown",
    "trashed",
    "undid",
    "undone",
    "unlinked",
    "wiped",
    "withdrawn",
];

/// Understands a remark.
pub(crate) fn read(text: &str) -> Sense {
    let text = &text[..text.floor_char_boundary(MAX_REMARK_BYTES)];
    if text.contains(OPEN_SIGNS) || text.contains("[ ]") || text.starts_with("~~") {
        return Sense::Untouched;
    }
    if is_diff(text) {
        return Sense::Work(Operation::Changed);
    }
    let clauses = clauses(text);
    let senses: Vec<_> = clauses.iter().map(|clause| clause.sense()).collect();
    if senses.contains(&Sense::Untouched) {
        return Sense::Untouched;
    }
    if clauses.is_empty() {
        let is_done = text.contains(DONE_SIGNS)
            || !text.chars().any(char::is_alphanumeric) && text.is_ascii();
        return if is_done {
            Sense::Work(Operation::Changed)
        } else {
            Sense::Other
        };
    }
    if text.contains(words::is_dense) {
        return dense(text);
    }
    whole(&clauses, &senses)
}

/// "+12 −3", "+12/-3": the figures of a diff, not all of them zero.
fn is_diff(text: &str) -> bool {
    let is_sign = |c: char| matches!(c, '+' | '-' | '\u{2212}' | '±');
    let is_part = |c: char| {
        c.is_ascii_digit() || is_sign(c) || matches!(c, ' ' | '/' | ',' | '(' | ')' | '[' | ']')
    };
    text.contains(is_sign) && text.contains(|c| matches!(c, '1'..='9')) && text.chars().all(is_part)
}

/// A remark in a script that is written without spaces: a mark in front or at the end, and no negation.
fn dense(text: &str) -> Sense {
    let plain = text.trim_matches(|c: char| !c.is_alphanumeric());
    match words::mark_within(plain) {
        Some(operation) if !words::is_negated_within(plain) => Sense::Work(operation),
        _ => Sense::Other,
    }
}

/// What the clauses say together: work is not taken back by what is told of it, unless it is undone; a
/// description counts only if nothing else is said.
fn whole(clauses: &[Clause<'_>], senses: &[Sense]) -> Sense {
    let is_undone =
        clauses.iter().skip(1).any(Clause::undoes) || clauses.iter().any(Clause::ends_undone);
    if is_undone || clauses.iter().any(|clause| clause.is_question) {
        return Sense::Other;
    }
    // "Twilio: tightened the check", "12 lines, adds the parser"
    let lead = senses
        .iter()
        .zip(clauses)
        .take_while(|(sense, clause)| match sense {
            Sense::Description => true,
            Sense::Work(_) => false,
            Sense::Untouched | Sense::Other => clause.is_label(),
        })
        .count();
    match senses.get(lead) {
        Some(work @ Sense::Work(_)) => *work,
        None if senses.contains(&Sense::Description) => Sense::Description,
        // "Unit tests (13 cases), parser and lexer": the parts of a list of things need not all be known.
        _ if senses.contains(&Sense::Description) && clauses.iter().all(Clause::is_plain) => {
            Sense::Description
        }
        _ => Sense::Other,
    }
}

/// A word of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'a> {
    Word(&'a str),
    /// Code, or a name in a program: a thing, whatever it is called.
    Thing,
    Number,
}

/// The words between two signs.
#[derive(Debug, Default)]
struct Clause<'a> {
    tokens: Vec<Token<'a>>,
    /// The words, in lower case.
    words: Vec<String>,
    is_question: bool,
    /// A colon or a dash follows.
    is_announced: bool,
}

fn clauses(text: &str) -> Vec<Clause<'_>> {
    let mut clauses = vec![Clause::default()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let last = clauses.len() - 1;
        let clause = &mut clauses[last];
        // Code is one word, whatever is in it.
        if first == '`'
            && let Some((_, behind)) = rest[1..].split_once('`')
        {
            clause.push(Token::Thing, "`");
            rest = behind;
        } else if first.is_whitespace() || matches!(first, '`' | '*' | '"' | '\'' | '’' | '“' | '”')
        {
            rest = &rest[first.len_utf8()..];
        } else if let Some(length) = word_length(rest) {
            let (word, behind) = rest.split_at(length);
            clause.push_word(word);
            rest = behind;
        } else {
            clause.is_question |= first == '?';
            clause.is_announced |= matches!(first, ':' | '-' | '—' | '–' | '|');
            rest = &rest[first.len_utf8()..];
            if !matches!(first, '~' | '#' | '$' | '%' | '@' | '>' | '<' | '=' | '×') {
                clauses.push(Clause::default());
            }
        }
    }
    clauses.retain(|clause| !clause.tokens.is_empty());
    clauses
}

/// The length of the word that the text begins with: letters and digits, and the signs between them that
/// names have.
fn word_length(text: &str) -> Option<usize> {
    let is_inner = |c: char| {
        matches!(
            c,
            '.' | '_' | '-' | '/' | '\'' | '’' | '@' | ':' | '\\' | '='
        )
    };
    let mut end = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_part = c.is_alphanumeric()
            || c == '_'
            || is_inner(c)
                && end > 0
                && next.is_some_and(|next| next.is_alphanumeric() || next == '_')
            || c == ','
                && text[..at].ends_with(|c: char| c.is_ascii_digit())
                && next.is_some_and(|next| next.is_ascii_digit());
        // "run()" and "a.py(new)" differ by what is in the brackets.
        if c == '(' && next == Some(')') && end > 0 {
            return Some(at + 2);
        }
        if !is_part {
            break;
        }
        end = at + c.len_utf8();
    }
    (end > 0).then_some(end)
}

impl<'a> Clause<'a> {
    fn push(&mut self, token: Token<'a>, lower: &str) {
        self.tokens.push(token);
        self.words.push(lower.to_owned());
    }

    fn push_word(&mut self, word: &'a str) {
        let lower = word.to_lowercase().replace('’', "'");
        let is_known = words::closed(&lower).is_some() || words::change(&lower).is_some();
        let is_method = matches!(word, "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE");
        if is_method {
            return self.push(Token::Thing, "`");
        }
        // "L12-L40"
        let number = word.strip_prefix('L').unwrap_or(word);
        let token = if number.starts_with(|c: char| c.is_ascii_digit()) {
            Token::Number
        } else if !is_known && is_of_program(word) && !is_path(trim_end(word)) {
            Token::Thing
        } else {
            Token::Word(word)
        };
        self.push(token, &lower);
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }

    fn is_capital(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some(Token::Word(word)) if word.chars().all(char::is_uppercase))
    }

    fn closed(&self, at: usize) -> Option<Closed> {
        words::closed(self.word(at))
    }

    /// Whether a word of one of these classes is anywhere in it.
    fn has(&self, classes: &[Closed]) -> bool {
        self.words
            .iter()
            .any(|word| words::closed(word).is_some_and(|class| classes.contains(&class)))
    }

    fn sense(&self) -> Sense {
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
    fn is_plain(&self) -> bool {
        use Closed::{Adverb, Auxiliary, Conjunction, Modal, Negation, Preposition, Pronoun, Verb};
        let begins = match self.closed(0) {
            Some(Preposition | Verb) => true,
            None => is_participle(self.word(0)) && words::verb(self.word(0)).is_none(),
            _ => false,
        };
        let is_english = self.words.iter().all(|word| word.is_ascii());
        is_english
            && !begins
            && !self.has(&[Adverb, Auxiliary, Conjunction, Modal, Negation, Pronoun])
            && !self.is_sentence()
    }

    /// "user declined the edit", "generated by the build": somebody does something in it.
    fn is_sentence(&self) -> bool {
        self.words.windows(2).any(|pair| {
            let is_past = is_participle(&pair[0])
                || words::verb(&pair[0]).is_some_and(|(_, is_base)| !is_base);
            pair[1] == "by" || is_past && (is_article(&pair[1]) || pair[1] == "to")
        })
    }

    /// Whether the noun that the phrase is about is a thing that files hold: the last one in front of the first
    /// preposition.
    fn has_thing(&self) -> bool {
        let end = (1..self.words.len())
            .find(|at| self.closed(*at) == Some(Closed::Preposition) || self.word(*at) == "and");
        let head = self.word(end.unwrap_or(self.words.len()) - 1);
        let head = head.rsplit('-').next().unwrap_or(head);
        words::is_thing(head)
    }

    /// "Backend" in "Backend: added the route".
    fn is_label(&self) -> bool {
        self.is_announced && self.words.len() <= 3 && self.is_plain()
    }

    /// "then deleted again", but not "removed the lock": what was done to the file is undone.
    fn undoes(&self) -> bool {
        let lead = self
            .words
            .iter()
            .take_while(|word| is_lead_of_undoing(word))
            .count();
        let is_participle = |word: &str| {
            is_participle(word)
                || words::verb(word).is_some()
                || matches!(word, "checked" | "there" | "here")
        };
        // "not committed", "never written"
        let is_denied = self.closed(lead) == Some(Closed::Negation)
            && is_participle(self.word(lead + 1))
            && self.words.len() <= 5;
        is_denied || self.undoes_at(lead)
    }

    /// "created and deleted", "added but reverted"
    fn ends_undone(&self) -> bool {
        (1..self.words.len()).any(|at| {
            matches!(
                self.word(at - 1),
                "and" | "then" | "but" | "was" | "now" | "since"
            ) && self.undoes_at(at)
        })
    }

    fn undoes_at(&self, at: usize) -> bool {
        UNDONE.contains(&self.word(at))
            && match self.closed(at + 1) {
                Some(Closed::Preposition) => !matches!(self.word(at + 1), "with"),
                Some(_) => true,
                None => self.words.len() == at + 1,
            }
    }
}

/// "deferred", but not "file-based".
fn is_participle(word: &str) -> bool {
    word.ends_with("ed") && !word.contains('-')
}

fn is_article(word: &str) -> bool {
    matches!(word, "the" | "a" | "an")
}

fn is_file_word(word: &str) -> bool {
    matches!(word, "file" | "entirely" | "completely")
}

fn is_lead_of_undoing(word: &str) -> bool {
    matches!(
        word,
        "then"
            | "later"
            | "finally"
            | "again"
            | "also"
            | "just"
            | "subsequently"
            | "it"
            | "was"
            | "have"
            | "has"
            | "been"
            | "i"
            | "we"
            | "but"
            | "and"
            | "since"
            | "immediately"
            | "now"
    )
}

/// Whether a word is a name in a program or an acronym: "useAuth", "run()", "S3", "API".
fn is_of_program(word: &str) -> bool {
    let inner = &word[word.chars().next().map_or(0, char::len_utf8)..];
    let has_sign = word.contains(['_', '.', '/', '(', '@', '\\', '=', ':']);
    let has_inner_capital = inner.contains(|c: char| c.is_ascii_uppercase());
    let is_capital = !word.contains(|c: char| c.is_lowercase());
    // "EPERM" and "v2" alone say nothing.
    (has_sign || has_inner_capital && (!is_capital || word.len() < 5)) && word.len() > 2
}
