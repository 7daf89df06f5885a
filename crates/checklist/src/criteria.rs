//! What a criteria file says.

use std::collections::BTreeSet;
use std::time::Duration;

use regex::bytes::Regex;

use crate::full_name::full_name;
use crate::pattern::PathPattern;
use crate::quality::Rubric;

/// A criteria file that makes sense: it has at least one item, and everything in it can be checked.
#[derive(Debug, Clone)]
pub struct Criteria {
    /// In the order of the file.
    pub items: Vec<Item>,
    /// Commands that count as checks where reports say that checks passed. None of them is ever run.
    pub own_checks: Vec<String>,
}

/// One thing that has to be true.
#[derive(Debug, Clone)]
pub struct Item {
    /// What the file calls it.
    pub name: String,
    /// How it is checked.
    pub node: Node,
}

/// How an item is checked.
#[derive(Debug, Clone)]
pub enum Node {
    /// By a single check.
    Check(Check),
    /// All of these have to pass.
    Group(Vec<Item>),
    /// One of these has to pass.
    AnyOf(Vec<Item>),
}

/// A single check.
#[derive(Debug, Clone)]
pub enum Check {
    /// A command that has to succeed, or, with `must_fail`, to fail.
    Command {
        /// For the shell, as written.
        command: String,
        /// Whether it has to end with a status other than 0.
        must_fail: bool,
        /// How long it may take, if the file says so.
        timeout: Option<Duration>,
    },
    /// A file that has to exist, or, with `must_miss`, must not.
    File {
        /// What is looked for.
        file: Box<FileCheck>,
        /// Whether no file may match it.
        must_miss: bool,
    },
    /// A sentence that only a person can confirm.
    Assertion {
        /// The sentence.
        sentence: String,
        /// Commands whose success supports it.
        test_commands: Vec<String>,
        /// How long each may take, if the file says so.
        timeout: Option<Duration>,
    },
    /// Something that has to be judged.
    Quality(Rubric),
}

impl Check {
    /// The word that the file uses for this type.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Command {
                must_fail: false, ..
            } => "command",
            Self::Command { .. } => "not_command",
            Self::File {
                must_miss: false, ..
            } => "file",
            Self::File { .. } => "not_file",
            Self::Assertion { .. } => "assertion",
            Self::Quality(_) => "quality",
        }
    }

    /// The commands that this check runs.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        let commands = match self {
            Self::Command { command, .. } => std::slice::from_ref(command),
            Self::Assertion { test_commands, .. } => test_commands,
            Self::File { .. } | Self::Quality(_) => &[],
        };
        commands.iter().map(String::as_str)
    }
}

/// A path and the conditions for the file there.
#[derive(Debug, Clone)]
pub struct FileCheck {
    pub(crate) pattern: PathPattern,
    pub(crate) conditions: Conditions,
}

/// The conditions for the content of a regular file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conditions {
    pub(crate) contains: Option<String>,
    pub(crate) matches: Option<Regex>,
    pub(crate) min_bytes: Option<u64>,
    /// In lower-case hex.
    pub(crate) sha256: Option<String>,
}

impl Conditions {
    pub(crate) fn is_empty(&self) -> bool {
        self.contains.is_none()
            && self.matches.is_none()
            && self.min_bytes.is_none()
            && self.sha256.is_none()
    }
}

impl Criteria {
    /// The items called `name`, by their own or their full name, at any level. `None` if there is
    /// no such item.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<Self> {
        let mut items = Vec::new();
        select(&self.items, "", name, &mut items);
        (!items.is_empty()).then(|| Self {
            items,
            own_checks: self.own_checks.clone(),
        })
    }

    /// The full names of all items, groups included.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = Vec::new();
        walk(&self.items, "", &mut |name, _| names.push(name));
        names
    }

    /// The full names of the checks of which only one has to pass.
    #[must_use]
    pub fn alternatives(&self) -> BTreeSet<String> {
        let mut names = BTreeSet::new();
        walk(&self.items, "", &mut |name, item| {
            if let Node::AnyOf(children) = &item.node {
                walk(children, &name, &mut |name, _| _ = names.insert(name));
            }
        });
        names
    }

    /// Whether any check runs a command.
    #[must_use]
    pub fn has_commands(&self) -> bool {
        let mut checks = self.checks().into_iter();
        checks.any(|(_, check)| check.commands().next().is_some())
    }

    /// Every check with its full name.
    #[must_use]
    pub fn checks(&self) -> Vec<(String, &Check)> {
        let mut checks = Vec::new();
        walk(&self.items, "", &mut |name, item| {
            if let Node::Check(check) = &item.node {
                checks.push((name, check));
            }
        });
        checks
    }
}

fn walk<'a>(items: &'a [Item], parents: &str, visit: &mut impl FnMut(String, &'a Item)) {
    for item in items {
        let name = full_name(parents, &item.name);
        visit(name.clone(), item);
        if let Node::Group(children) | Node::AnyOf(children) = &item.node {
            walk(children, &name, visit);
        }
    }
}

fn select(items: &[Item], parents: &str, wanted: &str, found: &mut Vec<Item>) {
    for item in items {
        let name = full_name(parents, &item.name);
        if item.name == wanted || name == wanted {
            let mut item = item.clone();
            item.name = name;
            found.push(item);
        } else if let Node::Group(children) | Node::AnyOf(children) = &item.node {
            select(children, &name, wanted, found);
        }
    }
}
