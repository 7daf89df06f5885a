//! A remark as clauses of words.

use crate::path::shape::{is_path, trim_end};
use crate::words;

/// A word of a remark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token<'a> {
    Word(&'a str),
    /// Code, or a name in a program: a thing, whatever it is called.
    Thing,
    Number,
}

/// The words between two signs.
#[derive(Debug, Default)]
pub(super) struct Clause<'a> {
    pub(super) tokens: Vec<Token<'a>>,
    /// The words, in lower case.
    pub(super) words: Vec<String>,
    pub(super) is_question: bool,
    /// A colon or a dash follows.
    pub(super) is_announced: bool,
}

pub(super) fn clauses(text: &str) -> Vec<Clause<'_>> {
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
            if !matches!(
                first,
                '~' | '#' | '$' | '%' | '@' | '>' | '<' | '=' | '×' | '・' | '·'
            ) {
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
