//! From the text of a command to its tree, in one pass.

mod token;
mod words;

use crate::tree::{
    Group, GroupKind, Join, List, Node, Part, Pipeline, Redirect, Script, Simple, Statement, Word,
};
use token::{End, Token};

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
        match self.peek() {
            Some(Token::Word(word)) => word.bare(),
            _ => None,
        }
    }

    fn eat(&mut self, wanted: &Token) -> bool {
        let is_next = self.peek() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
    }

    fn eat_bare(&mut self, wanted: &str) -> bool {
        let is_next = self.peek_bare() == Some(wanted);
        if is_next {
            self.next();
        }
        is_next
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
                Some(Token::Word(word)) if word.bare().is_some_and(|it| CLOSING.contains(&it)) => {
                    return list;
                }
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
            match self.peek_bare() {
                Some("!") => {
                    self.next();
                    pipeline.is_negated = true;
                    continue;
                }
                Some("time") => {
                    self.next();
                    self.eat_bare("-p");
                    continue;
                }
                _ => pipeline.nodes.extend(self.node()),
            }
            if !self.eat(&Token::End(End::Pipe)) {
                return pipeline;
            }
            self.skip_lines();
        }
    }

    fn node(&mut self) -> Option<Node> {
        if self.peek() == Some(&Token::Open) {
            self.next();
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
        while let Some(Token::Redirect(_)) = self.peek() {
            if let Some(Token::Redirect(redirect)) = self.next() {
                group.redirects.push(redirect);
            }
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
        while let Some(Token::Word(word)) = self.peek() {
            if word.bare() == Some("do") {
                break;
            }
            if let Some(Token::Word(word)) = self.next() {
                group.words.push(word);
            }
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
            while let Some(Token::Word(_) | Token::End(End::Pipe)) = self.peek() {
                if let Some(Token::Word(word)) = self.next() {
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
        loop {
            match self.peek() {
                Some(Token::Word(_) | Token::Redirect(_)) => match self.next() {
                    Some(Token::Word(word)) => simple.words.push(word),
                    Some(Token::Redirect(redirect)) => simple.redirects.push(redirect),
                    _ => {}
                },
                Some(Token::Open) => {
                    self.next();
                    let is_list = simple.words.last().is_some_and(begins_list);
                    if simple.words.len() == 1 && self.eat(&Token::Close) {
                        return self.group(GroupKind::Function, Self::function);
                    } else if is_list {
                        self.values_of_list(&mut simple);
                    } else {
                        self.is_whole = false;
                    }
                }
                _ => break,
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

fn begins_list(word: &Word) -> bool {
    matches!(word.parts.as_slice(), [Part::Text(text)] if text.ends_with('='))
        && word.assignment().is_some()
}

#[cfg(test)]
mod tests;
