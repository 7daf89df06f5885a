//! From the text of a command to its tree, in one pass.

mod token;
mod words;

use crate::tree::{
    Group, GroupKind, Join, List, Node, Part, Pipeline, Redirect, Script, Simple, Statement, Word,
};
use token::{End, Token};

/// The longest command that is read for what it does, in bytes.
pub(crate) const MAX_BYTES: usize = 1024 * 1024;
/// Commands in commands.
const MAX_DEPTH: usize = 16;
/// Words that end the commands in front of them.
const CLOSING: [&str; 8] = ["then", "elif", "else", "fi", "do", "done", "esac", "}"];

/// The tree of a command. It takes a time that grows with the text and no faster.
#[must_use]
pub fn parse(text: &str) -> Script {
    let mut parser = Parser::new(text, 0);
    let mut list = parser.list();
    // What closes nothing.
    while parser.peek().is_some() {
        parser.next();
        parser.is_whole = false;
        list.statements.extend(parser.list().statements);
    }
    let is_whole = parser.is_whole;
    Script { list, is_whole }
}

struct Parser<'t> {
    rest: &'t str,
    peeked: Option<Token>,
    depth: usize,
    /// What follows the bodies of the here-documents that were announced on this line.
    behind_bodies: Option<&'t str>,
    is_whole: bool,
}

impl<'t> Parser<'t> {
    fn new(rest: &'t str, depth: usize) -> Self {
        Self {
            rest,
            peeked: None,
            depth,
            behind_bodies: None,
            is_whole: true,
        }
    }

    fn peek(&mut self) -> Option<&Token> {
        if self.peeked.is_none() {
            self.peeked = self.token();
        }
        self.peeked.as_ref()
    }

    fn next(&mut self) -> Option<Token> {
        self.peek();
        self.peeked.take()
    }

    fn peek_bare(&mut self) -> Option<&str> {
        self.peek().and_then(bare)
    }

    /// The next one, if it is such.
    fn next_if(&mut self, is_wanted: impl FnOnce(&Token) -> bool) -> Option<Token> {
        self.peek();
        self.peeked.take_if(|token| is_wanted(token))
    }

    fn next_word(&mut self) -> Option<Word> {
        match self.next_if(|token| matches!(token, Token::Word(_))) {
            Some(Token::Word(word)) => Some(word),
            _ => None,
        }
    }

    fn eat(&mut self, wanted: &Token) -> bool {
        self.next_if(|token| token == wanted).is_some()
    }

    fn eat_bare(&mut self, wanted: &str) -> bool {
        self.next_if(|token| bare(token) == Some(wanted)).is_some()
    }

    fn skip_lines(&mut self) {
        while self.eat(&Token::End(End::Statement)) {}
    }

    /// Gives up.
    fn stop(&mut self) {
        self.rest = "";
        self.peeked = None;
        self.is_whole = false;
    }

    /// Whether one more command may be in this one.
    fn enter(&mut self) -> bool {
        let may = self.depth < MAX_DEPTH;
        if may {
            self.depth += 1;
        } else {
            self.stop();
        }
        may
    }

    /// Commands up to what closes them.
    fn list(&mut self) -> List {
        let mut list = List::default();
        loop {
            match self.peek() {
                None | Some(Token::Close | Token::End(End::Case)) => return list,
                Some(Token::End(End::Statement | End::Background)) => drop(self.next()),
                Some(token) if bare(token).is_some_and(|it| CLOSING.contains(&it)) => return list,
                Some(_) => list.statements.extend(self.statement()),
            }
        }
    }

    fn statement(&mut self) -> Option<Statement> {
        let mut statement = Statement::default();
        let mut join = Join::First;
        loop {
            statement.is_background |= self.eat_bare("coproc");
            let pipeline = self.pipeline();
            if !pipeline.nodes.is_empty() {
                statement.pipelines.push((join, pipeline));
            }
            join = match self.peek() {
                Some(Token::End(End::And)) => Join::And,
                Some(Token::End(End::Or)) => Join::Or,
                _ => break,
            };
            self.next();
            self.skip_lines();
        }
        statement.is_background |= self.eat(&Token::End(End::Background));
        (!statement.pipelines.is_empty()).then_some(statement)
    }

    fn pipeline(&mut self) -> Pipeline {
        let mut pipeline = Pipeline::default();
        loop {
            if self.eat_bare("!") {
                pipeline.is_negated = true;
                continue;
            }
            if self.eat_bare("time") {
                self.eat_bare("-p");
                continue;
            }
            pipeline.nodes.extend(self.node());
            if !self.eat(&Token::End(End::Pipe)) {
                return pipeline;
            }
            self.skip_lines();
        }
    }

    fn node(&mut self) -> Option<Node> {
        if self.eat(&Token::Open) {
            // `((…))` computes, and may not be what it looks like.
            let kind = match self.peek() {
                Some(Token::Open) => GroupKind::Braces,
                _ => GroupKind::Subshell,
            };
            return self.group(kind, |parser, group| {
                group.lists.push(parser.list());
                parser.expect(&Token::Close);
            });
        }
        let kind = match self.peek_bare() {
            Some("{") => GroupKind::Braces,
            Some("if") => GroupKind::If,
            Some("while" | "until") => GroupKind::Loop,
            Some("for" | "select") => GroupKind::For,
            Some("case") => GroupKind::Case,
            Some("function") => GroupKind::Function,
            Some("[[") => return Some(self.test()),
            Some(word) if CLOSING.contains(&word) => return None,
            _ => return self.simple(),
        };
        self.next();
        self.group(kind, |parser, group| match kind {
            GroupKind::Braces => {
                group.lists.push(parser.list());
                parser.expect_bare("}");
            }
            GroupKind::If => parser.branches(group),
            GroupKind::Loop => {
                group.lists.push(parser.list());
                parser.body(group);
            }
            GroupKind::For => parser.values(group),
            GroupKind::Case => parser.cases(group),
            GroupKind::Function | GroupKind::Subshell => {
                parser.next();
                if parser.eat(&Token::Open) {
                    parser.expect(&Token::Close);
                }
                parser.function(group);
            }
        })
    }

    fn group(&mut self, kind: GroupKind, read: impl FnOnce(&mut Self, &mut Group)) -> Option<Node> {
        if !self.enter() {
            return None;
        }
        let mut group = Group {
            kind,
            words: Vec::new(),
            lists: Vec::new(),
            redirects: Vec::new(),
        };
        read(self, &mut group);
        self.depth -= 1;
        let is_redirect = |token: &Token| matches!(token, Token::Redirect(_));
        while let Some(Token::Redirect(redirect)) = self.next_if(is_redirect) {
            group.redirects.push(redirect);
        }
        Some(Node::Group(group))
    }

    fn expect(&mut self, wanted: &Token) {
        self.is_whole &= self.eat(wanted);
    }

    fn expect_bare(&mut self, wanted: &str) {
        self.is_whole &= self.eat_bare(wanted);
    }

    /// `do … done`
    fn body(&mut self, group: &mut Group) {
        self.skip_lines();
        self.expect_bare("do");
        group.lists.push(self.list());
        self.expect_bare("done");
    }

    fn branches(&mut self, group: &mut Group) {
        loop {
            group.lists.push(self.list());
            match self.peek_bare() {
                Some("then" | "elif" | "else") => drop(self.next()),
                _ => return self.expect_bare("fi"),
            }
        }
    }

    /// The variable and the values of a `for`, and what is done with them.
    fn values(&mut self, group: &mut Group) {
        if self.eat(&Token::Open) {
            // `for ((…))`, which sets a number.
            while !self.eat(&Token::Close) && self.next().is_some() {}
            self.eat(&Token::Close);
        }
        while self.peek_bare() != Some("do")
            && let Some(word) = self.next_word()
        {
            group.words.push(word);
        }
        self.body(group);
    }

    fn cases(&mut self, group: &mut Group) {
        if let Some(Token::Word(word)) = self.next() {
            group.words.push(word);
        }
        self.skip_lines();
        self.expect_bare("in");
        loop {
            self.skip_lines();
            if self.peek().is_none() || self.peek_bare() == Some("esac") {
                return self.expect_bare("esac");
            }
            self.eat(&Token::Open);
            let is_pattern = |it: &Token| matches!(it, Token::Word(_) | Token::End(End::Pipe));
            while let Some(token) = self.next_if(is_pattern) {
                if let Token::Word(word) = token {
                    group.words.push(word);
                }
            }
            if !self.eat(&Token::Close) {
                return self.is_whole = false;
            }
            group.lists.push(self.list());
            while self.eat(&Token::End(End::Case)) {}
        }
    }

    /// The body of a function.
    fn function(&mut self, group: &mut Group) {
        self.skip_lines();
        let body = Pipeline {
            nodes: self.node().into_iter().collect(),
            is_negated: false,
        };
        self.is_whole &= !body.nodes.is_empty();
        let statement = Statement {
            pipelines: vec![(Join::First, body)],
            is_background: false,
        };
        group.lists.push(List {
            statements: vec![statement],
        });
    }

    /// `[[ … ]]`, in which signs of the shell mean other things.
    fn test(&mut self) -> Node {
        let mut simple = Simple::default();
        loop {
            match self.next() {
                Some(Token::Word(word)) => {
                    let is_end = word.bare() == Some("]]");
                    simple.words.push(word);
                    if is_end {
                        break;
                    }
                }
                Some(Token::Redirect(redirect)) => simple.words.push(redirect.target),
                Some(_) => {}
                None => {
                    self.is_whole = false;
                    break;
                }
            }
        }
        Node::Simple(simple)
    }

    fn simple(&mut self) -> Option<Node> {
        let mut simple = Simple::default();
        let is_part = |it: &Token| matches!(it, Token::Word(_) | Token::Redirect(_) | Token::Open);
        while let Some(token) = self.next_if(is_part) {
            match token {
                Token::Word(word) => simple.words.push(word),
                Token::Redirect(redirect) => simple.redirects.push(redirect),
                _ if simple.words.len() == 1 && self.eat(&Token::Close) => {
                    return self.group(GroupKind::Function, Self::function);
                }
                _ if simple.words.last().is_some_and(begins_list) => {
                    self.values_of_list(&mut simple);
                }
                _ => self.is_whole = false,
            }
        }
        let is_empty = simple.words.is_empty() && simple.redirects.is_empty();
        (!is_empty).then_some(Node::Simple(simple))
    }

    /// `A=(a b)`: what stands in it is not followed.
    fn values_of_list(&mut self, simple: &mut Simple) {
        let mut parts = vec![Part::Unknown];
        loop {
            match self.next() {
                Some(Token::Word(word)) => {
                    let is_run = |part: &Part| matches!(part, Part::Commands(_));
                    parts.extend(word.parts.into_iter().filter(is_run));
                }
                Some(Token::Close) => break,
                Some(_) => {}
                None => {
                    self.is_whole = false;
                    break;
                }
            }
        }
        if let Some(word) = simple.words.last_mut() {
            word.parts.extend(parts);
        }
    }
}

fn bare(token: &Token) -> Option<&str> {
    match token {
        Token::Word(word) => word.bare(),
        _ => None,
    }
}

fn begins_list(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Text(text)] if text.ends_with('='))
        && word.assignment().is_some()
}

#[cfg(test)]
mod tests;
