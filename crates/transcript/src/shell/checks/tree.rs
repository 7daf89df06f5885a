//! From the parts of a command to statements of pipelines of simple commands.

use crate::shell::lexer::{self, End, Part, Token, Word};

/// Commands one after the other.
#[derive(Debug, Default)]
pub(super) struct List {
    pub(super) statements: Vec<Statement>,
    /// Whether there is something among them that decides what runs: a condition, a loop, a function.
    pub(super) is_opaque: bool,
}

/// Pipelines that are joined by `&&` and `||`.
#[derive(Debug, Default)]
pub(super) struct Statement {
    pub(super) pipelines: Vec<Pipeline>,
    pub(super) has_or: bool,
    pub(super) is_background: bool,
}

#[derive(Debug, Default)]
pub(super) struct Pipeline {
    pub(super) nodes: Vec<Node>,
    pub(super) is_negated: bool,
}

#[derive(Debug)]
pub(super) enum Node {
    Simple {
        words: Vec<Word>,
        input: Option<String>,
    },
    Subshell(List),
}

/// The commands of a text.
pub(super) fn parse(tokens: Vec<Token>) -> List {
    let mut tokens = tokens.into_iter();
    Parser::default().list(&mut tokens, 0)
}

/// The words of a text that is one simple command, all of which are known.
pub(super) fn plain_words(text: &str) -> Option<Vec<String>> {
    let mut list = parse(lexer::tokens(text));
    let mut statement = list
        .statements
        .pop()
        .filter(|_| list.statements.is_empty())?;
    let pipeline = statement.pipelines.pop()?;
    let is_one = statement.pipelines.is_empty() && !statement.is_background && !list.is_opaque;
    let [Node::Simple { words, input: None }] = pipeline.nodes.as_slice() else {
        return None;
    };
    let words = words.iter().map(|word| {
        let (text, is_known) = shown(word);
        is_known.then_some(text)
    });
    let words: Vec<_> = words.collect::<Option<_>>()?;
    (is_one && !pipeline.is_negated && !words.is_empty()).then_some(words)
}

#[derive(Debug, Default)]
struct Parser {
    list: List,
    statement: Statement,
    pipeline: Pipeline,
    words: Vec<Word>,
    input: Option<String>,
    /// A subshell that has ended, and is not yet put where it belongs.
    group: Option<List>,
    /// `&&` or `||` was the last.
    joins: bool,
}

impl Parser {
    fn list(mut self, tokens: &mut std::vec::IntoIter<Token>, depth: usize) -> List {
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(word) => self.word(word),
                Token::Redirect { .. } => {}
                Token::Input(text) => self.input = Some(text),
                Token::End(end) => self.end(end),
                Token::Open if self.words.is_empty() && depth < super::MAX_DEPTH => {
                    let inner = Self::default().list(tokens, depth + 1);
                    self.list.is_opaque |= self.group.is_some();
                    self.group = Some(inner);
                }
                Token::Close if depth > 0 => break,
                Token::Open | Token::Close | Token::Broken => self.list.is_opaque = true,
            }
        }
        self.joins = false;
        self.end(End::Statement);
        self.list
    }

    fn word(&mut self, word: Word) {
        self.list.is_opaque |= self.group.is_some();
        if !self.words.is_empty() {
            return self.words.push(word);
        }
        match word.bare() {
            Some("!") => self.pipeline.is_negated = true,
            Some("time") => {}
            Some(
                "if" | "then" | "elif" | "else" | "fi" | "while" | "until" | "do" | "done" | "{"
                | "}" | "[[" | "coproc",
            ) => self.list.is_opaque = true,
            Some("for" | "select" | "case" | "esac" | "function") => {
                self.list.is_opaque = true;
                self.words.push(word);
            }
            _ => self.words.push(word),
        }
    }

    fn end(&mut self, end: End) {
        let words = std::mem::take(&mut self.words);
        let input = self.input.take();
        let is_empty = words.is_empty() && self.group.is_none() && self.pipeline.nodes.is_empty();
        if is_empty && end == End::Statement && self.joins {
            // A line may end behind `&&`.
            return;
        }
        self.joins = matches!(end, End::And | End::Or);
        if let Some(group) = self.group.take() {
            self.pipeline.nodes.push(Node::Subshell(group));
        } else if !words.is_empty() {
            self.pipeline.nodes.push(Node::Simple { words, input });
        }
        if end == End::Pipe {
            return;
        }
        let pipeline = std::mem::take(&mut self.pipeline);
        if !pipeline.nodes.is_empty() {
            self.statement.pipelines.push(pipeline);
        }
        match end {
            End::And => return,
            End::Or => {
                self.statement.has_or = true;
                return;
            }
            _ => {}
        }
        let mut statement = std::mem::take(&mut self.statement);
        statement.is_background = end == End::Background;
        if !statement.pipelines.is_empty() {
            self.list.statements.push(statement);
        }
    }
}

/// A word as it is shown, and whether that is its value.
pub(super) fn shown(word: &Word) -> (String, bool) {
    let mut text = String::new();
    let mut is_known = true;
    for part in &word.parts {
        match part {
            Part::Text(part) => text.push_str(part),
            Part::Escaped(char) => text.push(*char),
            Part::Glob => text.push('*'),
            Part::Variable(name) => {
                is_known = false;
                text.push('$');
                text.push_str(name);
            }
            Part::Commands(_) | Part::Unknown => {
                is_known = false;
                text.push('…');
            }
        }
    }
    (text, is_known)
}
