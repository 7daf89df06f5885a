//! The words of a command: quotations, escapes and what a shell expands.

use super::{Lexer, MAX_DEPTH, Part, Word};

impl Lexer<'_> {
    pub(super) fn word(&mut self) -> Word {
        let mut word = Word::default();
        while let Some(char) = self.peek() {
            match char {
                '<' | '>' if self.rest[1..].starts_with('(') => {
                    self.rest = &self.rest[2..];
                    let inner = self.nested();
                    word.parts.push(inner);
                }
                '(' if word.parts == [Part::Glob] => {
                    // A pattern such as `@(a|b)`, or something that no shell takes.
                    self.next();
                    word.parts.push(Part::Unknown);
                }
                char if char.is_whitespace() || ";&|<>()".contains(char) => break,
                '\'' => {
                    self.next();
                    word.is_quoted = true;
                    self.single_quoted(&mut word);
                }
                '"' => {
                    self.next();
                    word.is_quoted = true;
                    self.double_quoted(&mut word);
                }
                '\\' => {
                    self.next();
                    self.escaped(&mut word);
                }
                '$' => self.dollar(&mut word),
                '`' => {
                    self.next();
                    let inner = self.back_ticked();
                    word.parts.push(inner);
                }
                '*' | '?' => {
                    self.next();
                    word.parts.push(Part::Glob);
                }
                '[' | '{' => {
                    self.next();
                    let is_text = self.rest.is_empty()
                        || self
                            .rest
                            .starts_with(|it: char| it.is_whitespace() || it == '[')
                        || char == '{' && self.rest.starts_with('}');
                    if is_text {
                        word.push(char);
                    } else {
                        word.parts.push(Part::Glob);
                    }
                }
                other => {
                    self.next();
                    word.push(other);
                }
            }
        }
        if word.parts.is_empty() {
            word.parts.push(Part::Text(String::new()));
        }
        word
    }

    fn single_quoted(&mut self, word: &mut Word) {
        let end = self.rest.find('\'');
        self.is_broken |= end.is_none();
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
        while let Some(char) = self.peek() {
            match char {
                '"' => {
                    self.next();
                    return;
                }
                '$' => self.dollar(word),
                '`' => {
                    self.next();
                    let inner = self.back_ticked();
                    word.parts.push(inner);
                }
                '\\' => {
                    self.next();
                    match self.next() {
                        Some('\n') | None => {}
                        Some(char @ ('$' | '`' | '"' | '\\')) => word.push(char),
                        Some(char) => {
                            word.push('\\');
                            word.push(char);
                        }
                    }
                }
                other => {
                    self.next();
                    word.push(other);
                }
            }
        }
        self.is_broken = true;
    }

    fn escaped(&mut self, word: &mut Word) {
        match self.next() {
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

    fn dollar(&mut self, word: &mut Word) {
        self.next();
        let part = match self.peek() {
            Some('(') if self.rest.starts_with("((") => {
                self.skip_to("))");
                Part::Glob
            }
            Some('(') => {
                self.next();
                self.nested()
            }
            Some('{') => self.braced(),
            Some('\'') => {
                self.next();
                self.ansi_quoted()
            }
            // A text that is translated.
            Some('"') => return,
            // Numbers: of processes, of arguments, the status.
            Some('$' | '?' | '#' | '!') => {
                self.next();
                Part::Glob
            }
            Some(char) if char.is_ascii_digit() || "@*-".contains(char) => {
                self.next();
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
        let is_name = !name.is_empty() && name.chars().all(|it| it.is_alphanumeric() || it == '_');
        if is_name && !name.starts_with(|it: char| it.is_ascii_digit()) {
            Part::Variable(name.to_owned())
        } else {
            Part::Unknown
        }
    }

    fn ansi_quoted(&mut self) -> Part {
        let mut text = String::new();
        while let Some(char) = self.next() {
            match char {
                '\'' => return Part::Text(text),
                '\\' => match self.next() {
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
        if self.depth >= MAX_DEPTH {
            self.rest = "";
            self.is_broken = true;
            return Part::Unknown;
        }
        self.depth += 1;
        let pending = std::mem::take(&mut self.pending);
        let tokens = self.tokens(Some(')'));
        self.pending = pending;
        self.depth -= 1;
        Part::Commands(tokens)
    }

    fn back_ticked(&mut self) -> Part {
        let mut text = String::new();
        while let Some(char) = self.next() {
            match char {
                '`' => break,
                '\\' => match self.next() {
                    Some(char @ ('`' | '\\' | '$')) => text.push(char),
                    Some(char) => text.extend(['\\', char]),
                    None => {}
                },
                other => text.push(other),
            }
        }
        if self.depth >= MAX_DEPTH {
            self.is_broken = true;
            return Part::Unknown;
        }
        let mut inner = Lexer::new(&text, self.depth + 1);
        let tokens = inner.tokens(None);
        self.is_broken |= inner.is_broken;
        Part::Commands(tokens)
    }
}
