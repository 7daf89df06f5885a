//! From the text of a shell command to its words and operators, in one pass: what a shell would run is not run
//! here, and what is not understood is a part that nobody knows.

mod words;

use std::collections::VecDeque;

/// Commands in words in commands.
const MAX_DEPTH: usize = 8;

/// One part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    Word(Word),
    /// What ends a simple command.
    End(End),
    /// `(`
    Open,
    /// `)`
    Close,
    /// A file that is opened, and whether it may be written.
    Redirect {
        writes: bool,
        target: Word,
    },
    /// What is handed to standard input: the body of a here-document.
    Input(String),
    /// The text ended inside a quotation, or is nested too deep.
    Broken,
}

/// What ends a simple command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// A newline or `;`.
    Statement,
    /// `&`: what follows does not wait for it.
    Background,
    /// `&&`: what follows runs if this passes.
    And,
    /// `||`: what follows runs if this fails.
    Or,
    /// `|`: what follows reads what this says.
    Pipe,
}

/// One word, before it is expanded.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) parts: Vec<Part>,
    /// Whether any of it stands in quotes, so that it is no keyword.
    pub(super) is_quoted: bool,
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// A letter behind a backslash, which may be a separator of Windows.
    Escaped(char),
    /// What becomes names of the file system, or a number: it has no separator.
    Glob,
    /// The value of a variable.
    Variable(String),
    /// What these commands say.
    Commands(Vec<Token>),
    /// Something else.
    Unknown,
}

impl Word {
    /// The word, if it is nothing but text without quotes.
    pub(super) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text(text)] if !self.is_quoted => Some(text),
            _ => None,
        }
    }

    fn push(&mut self, char: char) {
        match self.parts.last_mut() {
            Some(Part::Text(text)) => text.push(char),
            _ => self.parts.push(Part::Text(char.to_string())),
        }
    }
}

/// The parts of `text`.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer::new(text, 0);
    let mut tokens = lexer.tokens(None);
    if lexer.is_broken {
        tokens.push(Token::Broken);
    }
    tokens
}

struct Lexer<'t> {
    rest: &'t str,
    depth: usize,
    /// The ends of here-documents whose bodies begin at the next line.
    pending: VecDeque<String>,
    is_broken: bool,
}

impl<'t> Lexer<'t> {
    fn new(rest: &'t str, depth: usize) -> Self {
        Self {
            rest,
            depth,
            pending: VecDeque::new(),
            is_broken: false,
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let char = self.peek()?;
        self.rest = &self.rest[char.len_utf8()..];
        Some(char)
    }

    fn eat(&mut self, start: &str) -> bool {
        let rest = self.rest.strip_prefix(start);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Reads to the end, or to the parenthesis that closes what is read.
    fn tokens(&mut self, closing: Option<char>) -> Vec<Token> {
        let (mut tokens, mut open) = (Vec::new(), 0_usize);
        while let Some(char) = self.peek() {
            match char {
                '\n' => {
                    self.next();
                    tokens.extend(self.bodies().into_iter().map(Token::Input));
                    tokens.push(Token::End(End::Statement));
                }
                char if char.is_whitespace() => drop(self.next()),
                '#' => self.skip_line(),
                ')' if open == 0 && closing == Some(')') => {
                    self.next();
                    return tokens;
                }
                '(' | ')' => {
                    self.next();
                    let is_open = char == '(';
                    open = if is_open {
                        open + 1
                    } else {
                        open.saturating_sub(1)
                    };
                    tokens.push(if is_open { Token::Open } else { Token::Close });
                }
                _ => tokens.push(self.token()),
            }
        }
        tokens
    }

    fn token(&mut self) -> Token {
        const ENDS: [(&str, End); 7] = [
            ("&&", End::And),
            ("||", End::Or),
            ("|&", End::Pipe),
            ("|", End::Pipe),
            (";;&", End::Statement),
            (";;", End::Statement),
            (";", End::Statement),
        ];
        if let Some(redirect) = self.redirect() {
            return redirect;
        }
        let end = ENDS.into_iter().find(|(text, _)| self.eat(text));
        match end {
            Some((_, end)) => Token::End(end),
            None if self.eat("&") => Token::End(End::Background),
            None => Token::Word(self.word()),
        }
    }

    /// A redirection, if one begins here, perhaps behind the number of a file.
    fn redirect(&mut self) -> Option<Token> {
        let before = self.rest;
        self.rest = self
            .rest
            .trim_start_matches(|char: char| char.is_ascii_digit());
        let both = self.rest.len() == before.len() && self.eat("&>");
        if both {
            self.eat(">");
            return Some(self.redirect_to(true));
        }
        if ["<(", ">("]
            .iter()
            .any(|start| self.rest.starts_with(start))
        {
            self.rest = before;
            return None;
        }
        if self.eat("<<<") {
            self.skip_blanks();
            self.word();
            return Some(Token::Input(String::new()));
        }
        if self.eat("<<") {
            self.eat("-");
            self.skip_blanks();
            let end = self.word();
            self.pending.push_back(plain(&end));
            // Its body comes with the end of the line.
            return Some(Token::Redirect {
                writes: false,
                target: Word::default(),
            });
        }
        for (operator, writes) in [
            ("<>", true),
            (">>", true),
            (">|", true),
            (">", true),
            ("<", false),
        ] {
            if self.eat(operator) {
                if self.eat("&")
                    && self
                        .peek()
                        .is_some_and(|it| it.is_ascii_digit() || it == '-')
                {
                    self.word();
                    return Some(Token::Redirect {
                        writes: false,
                        target: Word::default(),
                    });
                }
                return Some(self.redirect_to(writes));
            }
        }
        self.rest = before;
        None
    }

    fn redirect_to(&mut self, writes: bool) -> Token {
        self.skip_blanks();
        let target = self.word();
        Token::Redirect { writes, target }
    }

    /// The bodies of the here-documents that were announced on the line that ends here.
    fn bodies(&mut self) -> Vec<String> {
        let mut bodies = Vec::new();
        while let Some(end) = self.pending.pop_front() {
            let mut body = String::new();
            while !self.rest.is_empty() {
                let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
                self.rest = rest;
                if line.trim_start_matches('\t').trim_end_matches('\r') == end {
                    break;
                }
                body.push_str(line);
                body.push('\n');
            }
            bodies.push(body);
        }
        bodies
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
    }

    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }
}

/// The text of the word that ends a here-document.
fn plain(word: &Word) -> String {
    let texts = word.parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Escaped(char) => char.to_string(),
        Part::Variable(name) => format!("${name}"),
        Part::Glob | Part::Commands(_) | Part::Unknown => String::new(),
    });
    texts.collect()
}
