//! The words of a command: quotations, escapes and what a shell expands.

use super::Parser;
use super::token::Token;
use crate::tree::{Part, Word, is_name};

impl Parser<'_> {
    pub(super) fn word(&mut self) -> Word {
        let mut word = Word::default();
        while let Some(char) = self.peek_char() {
            let runs_inner = matches!(char, '<' | '>') && self.rest[1..].starts_with('(');
            let is_of_pattern = char == '(' && word.parts == [Part::Glob];
            let is_end = char.is_whitespace() || ";&|<>()".contains(char);
            if is_end && !runs_inner && !is_of_pattern {
                break;
            }
            self.next_char();
            match char {
                '<' | '>' => {
                    self.next_char();
                    let inner = self.nested();
                    word.parts.push(inner);
                }
                // A pattern such as `@(a|b)`, or something that no shell takes.
                '(' => word.parts.push(Part::Unknown),
                '\'' => {
                    word.is_quoted = true;
                    self.single_quoted(&mut word);
                }
                '"' => {
                    word.is_quoted = true;
                    self.double_quoted(&mut word);
                }
                '\\' => self.escaped(&mut word),
                '$' => self.dollar(&mut word),
                '`' => self.back_ticked(&mut word),
                '*' | '?' => word.push_glob(),
                '[' | '{' => {
                    let is_text = self.rest.is_empty()
                        || self
                            .rest
                            .starts_with(|it: char| it.is_whitespace() || it == '[')
                        || char == '{' && self.rest.starts_with('}');
                    if is_text {
                        word.push(char);
                    } else {
                        word.push_glob();
                    }
                }
                other => word.push(other),
            }
        }
        if word.parts.is_empty() {
            word.parts.push(Part::Text(String::new()));
        }
        word
    }

    fn single_quoted(&mut self, word: &mut Word) {
        let end = self.rest.find('\'');
        self.is_whole &= end.is_some();
        let end = end.unwrap_or(self.rest.len());
        self.rest[..end].chars().for_each(|char| word.push(char));
        self.rest = self.rest.get(end + 1..).unwrap_or_default();
        if word.parts.is_empty() {
            word.parts.push(Part::Text(String::new()));
        }
    }

    fn double_quoted(&mut self, word: &mut Word) {
        if word.parts.is_empty() {
            word.parts.push(Part::Text(String::new()));
        }
        while let Some(char) = self.next_char() {
            match char {
                '"' => return,
                '$' => self.dollar(word),
                '`' => self.back_ticked(word),
                '\\' => match self.next_char() {
                    Some('\n') | None => {}
                    Some(char @ ('$' | '`' | '"' | '\\')) => word.push(char),
                    Some(char) => {
                        word.push('\\');
                        word.push(char);
                    }
                },
                other => word.push(other),
            }
        }
        self.is_whole = false;
    }

    fn escaped(&mut self, word: &mut Word) {
        match self.next_char() {
            Some('\n') | None => {}
            Some(char) if char.is_alphanumeric() || char == '.' => {
                word.parts.push(Part::Escaped(char));
            }
            Some(char) => {
                word.is_quoted = true;
                word.push(char);
            }
        }
    }

    /// What stands behind a `$`.
    fn dollar(&mut self, word: &mut Word) {
        let part = match self.peek_char() {
            Some('(') if self.rest.starts_with("((") => {
                self.skip_to("))");
                Part::Glob
            }
            Some('(') => {
                self.next_char();
                self.nested()
            }
            Some('{') => self.braced(),
            Some('\'') => {
                self.next_char();
                self.ansi_quoted()
            }
            // A text that is translated.
            Some('"') => return,
            // Numbers: of processes, of arguments, the status.
            Some('$' | '?' | '#' | '!') => {
                self.next_char();
                Part::Glob
            }
            Some(char) if char.is_ascii_digit() || "@*-".contains(char) => {
                self.next_char();
                Part::Unknown
            }
            Some(char) if char.is_alphabetic() || char == '_' => {
                let is_of_name = |char: char| char.is_alphanumeric() || char == '_';
                let end = self.rest.find(|char| !is_of_name(char));
                let (name, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
                self.rest = rest;
                Part::Variable(name.to_owned())
            }
            _ => {
                word.push('$');
                return;
            }
        };
        word.parts.push(part);
    }

    /// `${…}`, of which only a plain name is understood.
    fn braced(&mut self) -> Part {
        let text = self.rest;
        self.skip_to("}");
        let inner = &text[1..text.len() - self.rest.len()];
        let name = inner.strip_suffix('}').unwrap_or(inner);
        if is_name(name) {
            Part::Variable(name.to_owned())
        } else {
            Part::Unknown
        }
    }

    fn ansi_quoted(&mut self) -> Part {
        let mut text = String::new();
        while let Some(char) = self.next_char() {
            match char {
                '\'' => return Part::Text(text),
                '\\' => match self.next_char() {
                    Some(char @ ('\'' | '"' | '\\')) => text.push(char),
                    Some('n') => text.push('\n'),
                    Some('t') => text.push('\t'),
                    _ => {
                        self.skip_to("'");
                        return Part::Unknown;
                    }
                },
                other => text.push(other),
            }
        }
        Part::Unknown
    }

    /// Skips past the next `end`.
    fn skip_to(&mut self, end: &str) {
        let at = self.rest.find(end).map(|at| at + end.len());
        self.rest = &self.rest[at.unwrap_or(self.rest.len())..];
    }

    /// The commands up to the parenthesis that closes them.
    fn nested(&mut self) -> Part {
        if !self.enter() {
            return Part::Unknown;
        }
        let list = self.list();
        self.expect(&Token::Close);
        self.depth -= 1;
        Part::Commands(list)
    }

    fn back_ticked(&mut self, word: &mut Word) {
        let mut text = String::new();
        while let Some(char) = self.next_char() {
            match char {
                '`' => break,
                '\\' => match self.next_char() {
                    Some(char @ ('`' | '\\' | '$')) => text.push(char),
                    Some(char) => text.extend(['\\', char]),
                    None => {}
                },
                other => text.push(other),
            }
        }
        if !self.enter() {
            return word.parts.push(Part::Unknown);
        }
        let mut inner = Parser::new(&text, self.depth);
        let list = inner.list();
        self.is_whole &= inner.is_whole && inner.peek().is_none();
        self.depth -= 1;
        word.parts.push(Part::Commands(list));
    }

    /// What a shell expands in the body of a here-document.
    pub(super) fn expanded(&mut self, body: &str) -> Word {
        let mut word = Word::default();
        if !body.contains(['$', '`']) || !self.enter() {
            return word;
        }
        let mut inner = Parser::new(body, self.depth);
        while let Some(at) = inner.rest.find(['$', '`', '\\']) {
            inner.rest = &inner.rest[at..];
            match inner.next_char() {
                Some('$') => inner.dollar(&mut word),
                Some('`') => inner.back_ticked(&mut word),
                _ => drop(inner.next_char()),
            }
        }
        self.is_whole &= inner.is_whole;
        self.depth -= 1;
        word
    }
}
