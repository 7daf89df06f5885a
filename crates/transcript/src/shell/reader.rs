//! From the parts of a command to simple commands, with the folder that each runs in and the values of the
//! variables that were set before it.

use std::collections::HashMap;

use super::argument::{Argument, MAX_VALUES, part_before_any};
use super::folders::Folders;
use super::lexer::{End, Part, Token, Word};
use crate::places::{Place, Places, Unknown};

/// Reads commands one by one.
#[derive(Debug)]
pub(super) struct Reader<'p> {
    pub(super) places: &'p mut Places,
    pub(super) folders: Folders,
    /// What each variable may be; `None` if that is not known.
    pub(super) variables: HashMap<String, Option<Vec<String>>>,
    scopes: Vec<Scope>,
    /// Conditions and loops around the command.
    blocks: usize,
    pub(super) depth: usize,
    command: Command,
    is_conditional: bool,
}

/// What a parenthesis closes.
#[derive(Debug)]
enum Scope {
    /// Commands that leave the folder of the shell as it was.
    Subshell(Folders),
    /// The pattern of a `case`.
    Case,
}

/// One simple command.
#[derive(Debug, Default)]
pub(super) struct Command {
    words: Vec<Word>,
    redirects: Vec<(bool, Word)>,
    pub(super) input: Option<String>,
    pub(super) reads_pipe: bool,
}

impl<'p> Reader<'p> {
    pub(super) fn new(folders: Folders, places: &'p mut Places) -> Self {
        Self {
            places,
            folders,
            variables: HashMap::new(),
            scopes: Vec::new(),
            blocks: 0,
            depth: 0,
            command: Command::default(),
            is_conditional: false,
        }
    }

    /// Reads a command whose words need no shell.
    pub(super) fn words(&mut self, words: &[String]) {
        let arguments: Vec<_> = words.iter().map(|word| Argument::of(word)).collect();
        self.dispatch(&arguments, &Command::default());
    }

    pub(super) fn run(&mut self, tokens: Vec<Token>) {
        for token in tokens {
            match token {
                Token::Word(word) => self.add(word),
                Token::Redirect { writes, target } => self.command.redirects.push((writes, target)),
                Token::Input(text) => self.command.input = Some(text),
                Token::End(end) => {
                    self.end();
                    self.is_conditional = matches!(end, End::And | End::Or);
                    self.command.reads_pipe = end == End::Pipe;
                }
                Token::Open => {
                    self.end();
                    self.keep_folders(1);
                    self.scopes.push(Scope::Subshell(self.folders.clone()));
                }
                Token::Close => self.close(),
                Token::Broken => self.places.miss(Unknown::Syntax, "it ends in the middle"),
            }
        }
        self.end();
    }

    fn close(&mut self) {
        if let Some(Scope::Case) = self.scopes.last() {
            self.command.words.clear();
            return;
        }
        self.end();
        if let Some(Scope::Subshell(folders)) = self.scopes.pop() {
            self.folders = folders;
        }
    }

    fn add(&mut self, word: Word) {
        if !self.command.words.is_empty() {
            return self.command.words.push(word);
        }
        match word.bare() {
            Some("if" | "while" | "until") => self.blocks += 1,
            Some("fi" | "done") => self.blocks = self.blocks.saturating_sub(1),
            Some("esac") => {
                self.blocks = self.blocks.saturating_sub(1);
                if let Some(Scope::Case) = self.scopes.last() {
                    self.scopes.pop();
                }
            }
            Some(
                "then" | "else" | "elif" | "do" | "!" | "{" | "}" | "function" | "time" | "coproc",
            ) => {}
            _ => self.command.words.push(word),
        }
    }

    /// Reads the simple command that ends here.
    fn end(&mut self) {
        let mut command = std::mem::take(&mut self.command);
        let words = std::mem::take(&mut command.words);
        let redirects = std::mem::take(&mut command.redirects);
        let is_test = words.first().and_then(Word::bare) == Some("[[");
        for (writes, target) in redirects {
            let target = self.argument(&target);
            if writes && !is_test {
                self.exact(&target);
            }
        }
        match words.first().and_then(Word::bare) {
            Some("for" | "select") => return self.begin_loop(&words),
            Some("case") => {
                self.blocks += 1;
                self.scopes.push(Scope::Case);
                return;
            }
            _ => {}
        }
        let mut assigned = 0;
        for word in &words {
            let Some((name, value)) = assignment(word) else {
                break;
            };
            assigned += 1;
            let value = self.argument(&value);
            if assigned < words.len() {
                // The program reads it, and may write there.
                self.named(&value);
            }
            self.assign(&name, value.values);
        }
        let arguments: Vec<_> = words[assigned..]
            .iter()
            .map(|word| self.argument(word))
            .collect();
        if !arguments.is_empty() {
            self.dispatch(&arguments, &command);
        }
    }

    fn begin_loop(&mut self, words: &[Word]) {
        self.blocks += 1;
        let Some(name) = words.get(1).and_then(Word::bare).map(str::to_owned) else {
            return;
        };
        let mut values = Some(Vec::new());
        if words.get(2).and_then(Word::bare) != Some("in") {
            values = None;
        }
        for word in words.iter().skip(3) {
            let more = self.argument(word).values;
            values = values.zip(more).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        self.assign(&name, values);
    }

    /// Adds to what a variable may be: which of its assignments ran is not known.
    pub(super) fn assign(&mut self, name: &str, values: Option<Vec<String>>) {
        let values = values.filter(|values| values.len() <= MAX_VALUES);
        let count = values.as_ref().map_or(0, Vec::len);
        let known = self.variables.get(name).into_iter().flatten().map(Vec::len);
        let values = values.filter(|_| self.places.may_make(count * known.sum::<usize>()));
        let all = self
            .variables
            .entry(name.to_owned())
            .or_insert_with(|| Some(Vec::new()));
        *all = all.take().zip(values).map(|(mut all, values)| {
            let new: Vec<_> = values
                .into_iter()
                .filter(|value| !all.contains(value))
                .collect();
            all.extend(new);
            all
        });
    }

    /// Forgets the folders if there are too many of them to be used so many times.
    pub(super) fn keep_folders(&mut self, times: usize) {
        if !self
            .places
            .may_make(self.folders.size().saturating_mul(times))
        {
            self.folders.forget();
        }
    }

    /// Whether a command that follows runs after this one for certain.
    pub(super) fn is_certain(&self) -> bool {
        !self.is_conditional && self.blocks == 0
    }

    /// Runs commands that leave the folder of this shell as it is.
    pub(super) fn nested(&mut self, tokens: Vec<Token>) {
        if self.depth >= super::MAX_DEPTH {
            return self
                .places
                .miss(Unknown::Syntax, "too many commands in each other");
        }
        if !self.places.may_make(0) {
            return;
        }
        let variables = self.variables.values().flatten().map(Vec::len);
        let size = variables.sum::<usize>() + self.variables.len();
        if !self.places.may_make(64 * size + self.folders.size()) {
            return;
        }
        let mut inner = Reader {
            variables: self.variables.clone(),
            depth: self.depth + 1,
            ..Reader::new(self.folders.clone(), self.places)
        };
        inner.run(tokens);
    }

    /// Runs commands that are given as a text, in this shell.
    pub(super) fn inline_text(&mut self, text: &str) {
        if self.depth >= super::MAX_DEPTH {
            return self
                .places
                .miss(Unknown::Syntax, "too many commands in each other");
        }
        let is_conditional = self.is_conditional;
        self.depth += 1;
        self.run(super::lexer::tokens(text));
        self.depth -= 1;
        self.is_conditional = is_conditional;
    }

    /// Runs commands that are given as a text, in a shell of their own.
    pub(super) fn nested_text(&mut self, text: &str) {
        self.nested(super::lexer::tokens(text));
    }

    /// It writes what the word names.
    pub(super) fn exact(&mut self, word: &Argument) {
        self.write(word, |place| match part_before_any(&place) {
            None => Place::Exact(place),
            Some(folder) => Place::Around(folder),
        });
    }

    /// It writes what the word names, or in its neighbourhood.
    pub(super) fn around(&mut self, word: &Argument) {
        self.write(word, |place| {
            Place::Around(part_before_any(&place).unwrap_or(place))
        });
    }

    fn write(&mut self, word: &Argument, place: impl Fn(String) -> Place) {
        let Some(values) = &word.values else {
            return self.places.miss(Unknown::Expansion, &word.shown);
        };
        self.keep_folders(values.len());
        for value in values {
            if value.starts_with('~') && value.len() > 1 && !value.starts_with("~/") {
                self.places.miss(Unknown::Expansion, value);
            }
            if self.folders.is_unknown && !crate::places::is_whole(value) && !value.is_empty() {
                self.places.miss(Unknown::Expansion, &word.shown);
            }
            let all: Vec<_> = self.folders.joined(value).collect();
            for each in all {
                self.places.add(place(each));
            }
        }
    }

    /// It writes something in the folder that it runs in.
    pub(super) fn here(&mut self, name: &str) {
        if self.folders.is_unknown {
            self.places
                .miss(Unknown::Expansion, &format!("the folder of {name}"));
        }
        for folder in &self.folders.known {
            self.places.add(Place::Around(folder.clone()));
        }
    }
}

/// The name and the value, if the word assigns one to a variable.
pub(super) fn assignment(word: &Word) -> Option<(String, Word)> {
    let (first, rest) = word.parts.split_first()?;
    let Part::Text(first) = first else {
        return None;
    };
    let (name, value) = first.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let is_name = name
        .chars()
        .all(|it| it.is_ascii_alphanumeric() || it == '_');
    if !is_name || name.is_empty() || name.starts_with(|it: char| it.is_ascii_digit()) {
        return None;
    }
    let parts = std::iter::once(Part::Text(value.to_owned())).chain(rest.iter().cloned());
    let value = Word {
        parts: parts.collect(),
        is_quoted: word.is_quoted,
    };
    Some((name.to_owned(), value))
}
