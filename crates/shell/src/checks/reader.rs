//! From statements to the checks that they run, each with what the exit status of all says of it.

mod program;
mod shells;

use crate::parser::parse;
use crate::programs;
use crate::tree::{
    Group, GroupKind as Taken, Join, List, Node, Part, Pipeline, Redirect, Script, Simple,
};
use crate::tree::{Statement, Word};

use super::changes::is_beside_code;
use super::own::OwnChecks;
use super::settings::UNKNOWN;
use super::{Command, MAX_DEPTH, MAX_NAMES, MAX_WORDS_BYTES, Sight, settings};
use crate::run::More;
use crate::text::last_part;

#[derive(Debug)]
pub(super) struct Reader<'o> {
    pub(super) command: Command,
    pub(super) folder: String,
    depth: usize,
    /// What stands in front of the program that is read, with the variables of all of them.
    front: Vec<String>,
    /// What `set -o pipefail` and `set -e` have switched on.
    options: Options,
    own: &'o OwnChecks,
    /// Whether what is read gets the output of something before it.
    is_behind: bool,
    /// Whether a program may be another one than its name says, or do less: a variable or a file has a say in it.
    is_disguised: bool,
}

#[derive(Debug, Default, Clone, Copy)]
struct Options {
    has_pipefail: bool,
    ends_early: bool,
}

/// A word as the program gets it.
#[derive(Debug, Clone)]
struct Text {
    text: String,
    is_known: bool,
}

impl<'o> Reader<'o> {
    pub(super) fn new(folder: String, own: &'o OwnChecks) -> Self {
        Self {
            command: Command::default(),
            folder,
            depth: 0,
            front: Vec::new(),
            options: Options::default(),
            own,
            is_behind: false,
            is_disguised: false,
        }
    }

    /// Reads a text that this shell runs.
    pub(super) fn text(&mut self, text: &str, sight: Sight) {
        let Script { list, is_whole } = parse(text);
        if !is_whole {
            self.anything();
        }
        let sight = if is_whole { sight } else { Sight::default() };
        self.deeper(|reader| reader.list(&list, sight));
    }

    /// Reads a text that a shell of its own runs, which was started with these options.
    fn text_of_shell(&mut self, text: &str, sight: Sight, options: &[&str]) {
        let before = (self.folder.clone(), std::mem::take(&mut self.options));
        self.set(options);
        self.text(text, sight);
        (self.folder, self.options) = before;
    }

    /// Commands that run in a shell of their own.
    fn shell_of(&mut self, list: &List, sight: Sight) {
        let before = (self.folder.clone(), std::mem::take(&mut self.options));
        let front = self.front.len();
        self.deeper(|reader| reader.list(list, sight));
        (self.folder, self.options) = before;
        self.front.truncate(front);
    }

    fn deeper(&mut self, read: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            return self.anything();
        }
        self.depth += 1;
        read(self);
        self.depth -= 1;
    }

    pub(super) fn plain_words(&mut self, words: &[String], sight: Sight) {
        let words: Vec<_> = words.iter().map(|word| Text::known(word)).collect();
        self.program(&words, None, sight);
    }

    fn anything(&mut self) {
        self.command.more = More::Anything;
        self.changes_code();
    }

    /// From here on what the checks before have looked at may be another thing.
    fn changes_code(&mut self) {
        self.command.changes.code = true;
        for seen in &mut self.command.seen {
            seen.run.is_changed_behind = true;
        }
    }

    fn list(&mut self, list: &List, sight: Sight) {
        let end = list.statements.len().saturating_sub(1);
        let is_opaque = list.statements.iter().any(decides_what_runs) || may_end_early(list);
        let mut are_sure = true;
        for (at, statement) in list.statements.iter().enumerate() {
            let own = match (at == end, self.options.ends_early) {
                _ if is_opaque || statement.is_background => Sight::default(),
                // With `set -e` the one that failed may be another one.
                (true, true) if !are_sure => sight.and(Sight::OF_SUCCESS),
                (true, _) => sight,
                (false, true) => sight.and(Sight::OF_SUCCESS),
                (false, false) => Sight::default(),
            };
            self.statement(statement, own);
            are_sure &= statement.pipelines.iter().all(|(_, it)| is_sure(it));
        }
    }

    fn statement(&mut self, statement: &Statement, sight: Sight) {
        let unsure = |(_, pipeline): &&(Join, Pipeline)| !is_sure(pipeline);
        let unsure = statement.pipelines.iter().filter(unsure).count();
        let has_or = statement
            .pipelines
            .iter()
            .any(|(join, _)| *join == Join::Or);
        let before = (self.command.seen.len(), self.command.more);
        for (_, pipeline) in &statement.pipelines {
            let others = unsure - usize::from(!is_sure(pipeline));
            let own = match (has_or, others) {
                (true, _) => Sight::default(),
                (false, 0) => sight,
                (false, _) => sight.and(Sight::OF_SUCCESS),
            };
            self.pipeline(pipeline, own);
        }
        if statement.is_background && before != (self.command.seen.len(), self.command.more) {
            self.command.is_left_running = true;
        }
    }

    fn pipeline(&mut self, pipeline: &Pipeline, sight: Sight) {
        let sight = if pipeline.is_negated {
            Sight::default()
        } else {
            sight
        };
        let last = pipeline.nodes.len().saturating_sub(1);
        let hide = pipeline
            .nodes
            .iter()
            .filter(|node| !is_filter(node))
            .count();
        for (at, node) in pipeline.nodes.iter().enumerate() {
            let pass_on = hide == usize::from(!is_filter(node));
            let own = match (at == last, self.options.has_pipefail) {
                (true, false) => sight,
                (_, true) if pass_on => sight,
                (_, true) => sight.and(Sight::OF_SUCCESS),
                (false, false) => Sight::default(),
            };
            let before = std::mem::replace(&mut self.is_behind, at > 0);
            self.node(node, own);
            self.is_behind = before;
        }
    }

    fn node(&mut self, node: &Node, sight: Sight) {
        match node {
            Node::Simple(simple) => self.simple(simple, sight),
            Node::Group(group) => {
                group.words.iter().for_each(|word| self.inside(word));
                self.redirects(&group.redirects);
                let front = self.front.len();
                let before =
                    (group.kind == Taken::Subshell).then(|| (self.folder.clone(), self.options));
                for list in &group.lists {
                    self.list(list, sight);
                }
                if let Some(before) = before {
                    (self.folder, self.options) = before;
                    self.front.truncate(front);
                }
            }
        }
    }

    fn simple(&mut self, simple: &Simple, sight: Sight) {
        simple.words.iter().for_each(|word| self.inside(word));
        self.redirects(&simple.redirects);
        let texts: Vec<_> = simple.behind_assignments().iter().map(Text::of).collect();
        let (assigned, _) = simple.words.split_at(simple.words.len() - texts.len());
        let assigned = assigned.iter().filter_map(Word::assignment);
        let assigned: Vec<_> = assigned
            .map(|(name, value)| (name, Text::of(&value).text))
            .collect();
        let disguises = if texts.is_empty() {
            settings::disguises_if_shared
        } else {
            settings::disguises
        };
        let mut variables = assigned.iter();
        self.is_disguised |= variables.any(|(name, value)| disguises(name, value));
        let before = self.front.len();
        let assigned = assigned
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        self.front.extend(assigned);
        self.program(&texts, simple.input(), sight);
        self.front.truncate(before);
        if texts.first().is_some_and(|it| it.text == "export") {
            let exported = texts.iter().map(|word| &word.text);
            let exported = exported.filter(|text| text.contains('='));
            self.front.extend(exported.cloned());
        }
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.inside(&redirect.target);
            if redirect.writes {
                let file = Text::of(&redirect.target);
                self.writes(&file);
                // A file of variables for the commands that follow.
                let is_env = |part: &Part| match part {
                    Part::Variable(name) => name.ends_with("ENV_FILE") || name == "BASH_ENV",
                    _ => false,
                };
                self.command.changes.tools |= redirect.target.parts.iter().any(is_env);
                if !file.text.starts_with("/dev/") && !is_beside_code(&file.text) {
                    self.changes_code();
                }
            }
        }
    }

    /// The commands in a word, whose ending nobody sees.
    fn inside(&mut self, word: &Word) {
        for list in word.commands() {
            self.shell_of(list, Sight::default());
        }
    }

    /// A file is written, or may be.
    fn writes(&mut self, file: &Text) {
        if file.text.starts_with("/dev/") {
            return;
        }
        let changes = &mut self.command.changes;
        changes.any = true;
        let name = last_part(&file.text);
        let is_kept = name.len() <= MAX_WORDS_BYTES && changes.names.len() < MAX_NAMES;
        if is_kept && !name.is_empty() {
            changes.names.push(name.to_owned());
        }
    }
}

impl Text {
    fn of(word: &Word) -> Self {
        let (mut text, mut is_known) = (String::new(), true);
        for part in &word.parts {
            match part {
                Part::Text(part) => text.push_str(part),
                Part::Escaped(char) => text.push(*char),
                Part::Glob => text.push('*'),
                Part::Variable(_) | Part::Commands(_) | Part::Unknown => {
                    is_known = false;
                    text.push_str(UNKNOWN);
                }
            }
        }
        Self { text, is_known }
    }

    fn known(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_known: true,
        }
    }
}

/// Whether there is something in it that decides what runs.
fn decides_what_runs(statement: &Statement) -> bool {
    let mut nodes = statement.pipelines.iter().flat_map(|(_, it)| &it.nodes);
    nodes.any(|node| matches!(node, Node::Group(Group { kind, .. }) if *kind != Taken::Subshell))
}

/// Whether what stands behind something may not run, or be another program than its name says.
fn may_end_early(list: &List) -> bool {
    list.nodes().rev().skip(1).any(|node| is(node, "decides"))
}

/// Whether the first word is a program of which this is said.
fn is(node: &Node, class: &str) -> bool {
    let Node::Simple(simple) = node else {
        return false;
    };
    let first = simple.behind_assignments().first();
    let name = first.and_then(Word::text).unwrap_or_default();
    programs::of(&name).is_some_and(|program| program.is(class))
}

fn is_filter(node: &Node) -> bool {
    is(node, "filter")
}

/// Whether the pipeline does not fail without saying so first.
fn is_sure(pipeline: &Pipeline) -> bool {
    let mut nodes = pipeline.nodes.iter();
    !pipeline.is_negated
        && nodes.all(|node| match node {
            Node::Group(_) => false,
            Node::Simple(simple) => {
                // Without a program it only assigns.
                let only_assigns = simple.behind_assignments().is_empty();
                let is_plain = simple
                    .words
                    .iter()
                    .all(|word| word.commands().next().is_none());
                is_plain && (only_assigns || is(node, "sure"))
            }
        })
}
