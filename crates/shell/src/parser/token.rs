//! The words and signs of a command.

use super::{Parser, Redirect};
use crate::tree::Word;

/// A word or a sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// What ends a simple command.
    End(End),
    /// `(`
    Open,
    /// `)`
    Close,
    Redirect(Redirect),
}

/// What ends a simple command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A newline or `;`.
    Statement,
    /// `;;`
    Case,
    /// `&`
    Background,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `|`
    Pipe,
}

impl Parser<'_> {
    pub(super) fn peek_char(&self) -> Option<char> {
        self.rest.chars().next()
    }

    pub(super) fn next_char(&mut self) -> Option<char> {
        let char = self.peek_char()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    fn eat_text(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    pub(super) fn token(&mut self) -> Option<Token> {
        const SIGNS: [(&str, Token); 11] = [
            ("&&", Token::End(End::And)),
            ("||", Token::End(End::Or)),
            ("|&", Token::End(End::Pipe)),
            ("|", Token::End(End::Pipe)),
            (";;&", Token::End(End::Case)),
            (";;", Token::End(End::Case)),
            (";&", Token::End(End::Case)),
            (";", Token::End(End::Statement)),
            ("(", Token::Open),
            (")", Token::Close),
            ("&", Token::End(End::Background)),
        ];
        loop {
            match self.peek_char()? {
                '\n' => {
                    self.next_char();
                    self.rest = self.behind_bodies.take().unwrap_or(self.rest);
                    return Some(Token::End(End::Statement));
                }
                char if char.is_whitespace() => drop(self.next_char()),
                '\\' if self.rest[1..].starts_with('\n') => self.rest = &self.rest[2..],
                '#' => {
                    let end = self.rest.find('\n').unwrap_or(self.rest.len());
                    self.rest = &self.rest[end..];
                }
                _ => break,
            }
        }
        let may_redirect = |it: char| matches!(it, '<' | '>' | '&') || it.is_ascii_digit();
        if self.rest.starts_with(may_redirect)
            && let Some(redirect) = self.redirect()
        {
            return Some(Token::Redirect(redirect));
        }
        if !self.rest.starts_with(['&', '|', ';', '(', ')']) {
            return Some(Token::Word(self.word()));
        }
        let sign = SIGNS.into_iter().find(|(text, _)| self.eat_text(text));
        sign.map(|(_, sign)| sign)
    }

    /// A redirection, if one begins here, perhaps behind the number of a file.
    fn redirect(&mut self) -> Option<Redirect> {
        const OPERATORS: [(&str, bool); 5] = [
            ("<>", true),
            (">>", true),
            (">|", true),
            (">", true),
            ("<", false),
        ];
        let before = self.rest;
        self.rest = self
            .rest
            .trim_start_matches(|char: char| char.is_ascii_digit());
        if self.rest.len() == before.len() && self.eat_text("&>") {
            let appends = self.eat_text(">");
            return Some(Redirect {
                appends,
                ..self.redirect_to(true)
            });
        }
        let is_process = ["<(", ">("].iter().any(|it| self.rest.starts_with(it));
        if !is_process && self.eat_text("<<<") {
            let redirect = self.redirect_to(false);
            let body = Some(String::new());
            return Some(Redirect { body, ..redirect });
        }
        if !is_process && self.eat_text("<<") {
            self.eat_text("-");
            return Some(self.here_document());
        }
        let mut operators = OPERATORS.into_iter().filter(|_| !is_process);
        let Some((operator, writes)) = operators.find(|(operator, _)| self.eat_text(operator))
        else {
            self.rest = before;
            return None;
        };
        let is_number = |it: char| it.is_ascii_digit() || it == '-';
        if self.eat_text("&") && self.rest.starts_with(is_number) {
            self.word();
            return Some(Redirect::default());
        }
        Some(Redirect {
            appends: matches!(operator, ">>" | "<>"),
            ..self.redirect_to(writes)
        })
    }

    fn redirect_to(&mut self, writes: bool) -> Redirect {
        self.skip_blanks();
        Redirect {
            writes,
            target: self.word(),
            ..Redirect::default()
        }
    }

    /// A here-document, whose body begins behind the line.
    fn here_document(&mut self) -> Redirect {
        self.skip_blanks();
        let end = self.word();
        let behind_line = || self.rest.split_once('\n').map_or("", |(_, behind)| behind);
        let text = self.behind_bodies.unwrap_or_else(behind_line);
        let (mut rest, name) = (text, end.shown());
        let mut body = None;
        while !rest.is_empty() {
            let begin = text.len() - rest.len();
            let (line, behind) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = behind;
            if line.trim_start_matches('\t').trim_end_matches('\r') == name {
                body = Some(&text[..begin]);
                break;
            }
        }
        self.behind_bodies = Some(rest);
        let Some(body) = body else {
            // A text that nobody ends may be read for each of its beginnings.
            self.stop();
            return Redirect::default();
        };
        let target = if end.is_quoted {
            Word::default()
        } else {
            self.expanded(body)
        };
        Redirect {
            target,
            body: Some(body.to_owned()),
            ..Redirect::default()
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }
}
