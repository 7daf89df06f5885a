//! A remark as clauses of words.

use crate::path::shape::{is_file, is_path, trim_end};
use crate::words;

/// A word of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    Word,
    /// A word in capitals.
    Capital,
    /// Code, or a name in a program: a thing, whatever it is called.
    Thing,
    /// Code that is the name of a file.
    File,
    Number,
}

/// The words between two signs.
#[derive(Debug, Default)]
pub(super) struct Clause {
    pub(super) tokens: Vec<Token>,
    /// The words, in lower case.
    pub(super) words: Vec<String>,
    pub(super) is_question: bool,
    /// A colon or a dash follows.
    pub(super) is_announced: bool,
}

pub(super) fn clauses(text: &str) -> Vec<Clause> {
    let (mut clauses, mut clause) = (Vec::new(), Clause::default());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let code = rest.strip_prefix('`').and_then(|rest| rest.find('`'));
        let length = if let Some(inside) = code {
            // Code is one word, whatever is in it.
            let is_name = is_file(&rest[1..=inside]);
            let token = if is_name { Token::File } else { Token::Thing };
            clause.push(token, "`".to_owned());
            inside + "``".len()
        } else if let Some(length) = word_length(rest) {
            clause.push_word(&rest[..length]);
            length
        } else {
            clause.is_question |= first == '?';
            clause.is_announced |= matches!(first, ':' | '-' | '—' | '–' | '|');
            if !first.is_whitespace() && !"`*\"'’“”~#$%@><=×・·".contains(first) {
                clauses.push(std::mem::take(&mut clause));
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    clauses.push(clause);
    clauses.retain(|clause| !clause.tokens.is_empty());
    clauses
}

/// The length of the word that the text begins with: letters and digits, and the signs between them that
/// names have. It may be a path from another folder: "../a.patch".
fn word_length(text: &str) -> Option<usize> {
    let above = ["../", "./", "~/"].iter().find(|it| text.starts_with(**it));
    if let Some(above) = above {
        return Some(above.len() + word_length(&text[above.len()..])?);
    }
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let is_inner = |c: char| matches!(c, '.' | '-' | '/' | '\'' | '’' | '@' | ':' | '\\' | '=');
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let next = chars.peek().map(|(_, next)| *next);
        let is_part = is_letter(c)
            || is_inner(c) && at > 0 && next.is_some_and(is_letter)
            || c == ','
                && text[..at].ends_with(|c: char| c.is_ascii_digit())
                && next.is_some_and(|next| next.is_ascii_digit());
        // "run()" and "a.py(new)" differ by what is in the brackets.
        if c == '(' && next == Some(')') && at > 0 {
            return Some(at + 2);
        }
        if !is_part {
            return (at > 0).then_some(at);
        }
    }
    Some(text.len())
}

impl Clause {
    fn push(&mut self, token: Token, lower: String) {
        self.tokens.push(token);
        self.words.push(lower);
    }

    fn push_word(&mut self, word: &str) {
        if matches!(word, "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE") {
            return self.push(Token::Thing, "`".to_owned());
        }
        let lower = word.to_lowercase().replace('’', "'");
        let is_known = || words::closed(&lower).is_some() || words::change(&lower).is_some();
        // "L12-L40"
        let number = word.strip_prefix('L').unwrap_or(word);
        let token = if number.starts_with(|c: char| c.is_ascii_digit()) {
            Token::Number
        } else if is_of_program(word) && !is_path(trim_end(word)) && !is_known() {
            Token::Thing
        } else if word.chars().all(char::is_uppercase) {
            Token::Capital
        } else {
            Token::Word
        };
        self.push(token, lower);
    }

    pub(super) fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", String::as_str)
    }
}

/// Whether a word is a name in a program or an acronym: `useAuth`, `run()`, `S3`, "API".
fn is_of_program(word: &str) -> bool {
    let inner = &word[word.chars().next().map_or(0, char::len_utf8)..];
    let has_sign = word.contains(['_', '.', '/', '(', '@', '\\', '=', ':']);
    let has_inner_capital = inner.contains(|c: char| c.is_ascii_uppercase());
    let is_capital = !word.contains(|c: char| c.is_lowercase());
    // "EPERM" and "v2" alone say nothing.
    (has_sign || has_inner_capital && (!is_capital || word.len() < 5)) && word.len() > 2
}

/// "deferred", but not "file-based".
pub(super) fn is_participle(word: &str) -> bool {
    word.ends_with("ed") && !word.ends_with("eed") && !word.contains('-')
}
