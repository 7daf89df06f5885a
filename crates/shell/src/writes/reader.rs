//! From the tree of a command to simple commands, with the folder that each runs in and the values of the variables
//! that were set before it.

mod names;

use std::collections::HashMap;

use crate::parser::parse;
use crate::tree::{Group, GroupKind, Join, List, Node, Pipeline, Redirect, Script, Simple, Word};

use super::argument::{Argument, MAX_VALUES, part_before_any};
use super::folders::Folders;
use crate::places::{Place, Places, Unknown};
use names::Names;

/// Reads commands one by one.
#[derive(Debug)]
pub(super) struct Reader<'p> {
    pub(super) places: &'p mut Places,
    pub(super) folders: Folders,
    /// What each variable may be; `None` if that is not known.
    pub(super) variables: HashMap<String, Option<Vec<String>>>,
    /// Conditions and loops around the command.
    blocks: usize,
    pub(super) depth: usize,
    /// What stands in front of the command.
    join: Join,
    /// The folders that what follows the statement may run in, if what is behind a "&&" in it did not run.
    pub(super) otherwise: Option<Folders>,
    /// Whether what a command reads comes from where it is not seen.
    pub(super) is_fed: bool,
    /// The names of files that are what it reads.
    pub(super) fed: Option<Names>,
    /// A file that was written right before the next command, with all of its text.
    pub(super) written: Option<(String, String)>,
}

/// What a simple command reads.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Input<'t> {
    pub(super) text: Option<&'t str>,
    pub(super) is_pipe: bool,
    /// The text, if no shell has changed it.
    pub(super) plain: Option<&'t str>,
    /// A file that was written right before, with all of its text.
    pub(super) written: Option<&'t (String, String)>,
}

impl<'t> Input<'t> {
    /// The text of a file, if it was written right before.
    pub(super) fn text_of(self, file: &Argument) -> Option<&'t str> {
        let (path, text) = self.written?;
        (file.text() == Some(path)).then_some(text)
    }
}

impl<'p> Reader<'p> {
    pub(super) fn new(folders: Folders, places: &'p mut Places) -> Self {
        Self {
            places,
            folders,
            variables: HashMap::new(),
            blocks: 0,
            depth: 0,
            join: Join::First,
            otherwise: None,
            is_fed: false,
            fed: None,
            written: None,
        }
    }

    /// Reads a command whose words need no shell.
    pub(super) fn words(&mut self, words: &[String]) {
        let arguments: Vec<_> = words.iter().map(|word| Argument::of(word)).collect();
        self.dispatch(&arguments, Input::default());
    }

    pub(super) fn tree(&mut self, script: &Script) {
        if !script.is_whole {
            self.places
                .miss(Unknown::Syntax, "it is not read to its end");
        }
        self.list(&script.list);
    }

    fn list(&mut self, list: &List) {
        for statement in &list.statements {
            let around = self.otherwise.take();
            for (join, pipeline) in &statement.pipelines {
                if *join == Join::Or {
                    self.may_be_otherwise();
                }
                self.pipeline(*join, pipeline);
            }
            self.may_be_otherwise();
            self.otherwise = around;
        }
    }

    fn pipeline(&mut self, join: Join, pipeline: &Pipeline) {
        let around = self.fed.clone();
        let mut before: Option<&Node> = None;
        for node in &pipeline.nodes {
            if let Some(before) = before {
                self.fed = self.names_of(before);
            }
            let mut redirects = node.redirects().iter();
            if redirects.any(|it| it.reads() || it.body.is_some()) {
                self.fed = None;
            }
            self.join = join;
            match node {
                Node::Simple(simple) => self.simple(simple, before.is_some()),
                Node::Group(group) => self.group(group),
            }
            before = Some(node);
        }
        self.fed = around;
    }

    fn may_be_otherwise(&mut self) {
        if let Some(folders) = self.otherwise.take() {
            self.folders.or(folders);
        }
    }

    fn group(&mut self, group: &Group) {
        self.redirects(&group.redirects);
        let is_block = !matches!(group.kind, GroupKind::Subshell | GroupKind::Braces);
        self.blocks += usize::from(is_block);
        match group.kind {
            GroupKind::For => self.begin_loop(&group.words),
            _ => group
                .words
                .iter()
                .for_each(|word| drop(self.argument(word))),
        }
        if group.kind == GroupKind::Subshell {
            self.keep_folders(1);
            let before = self.folders.clone();
            group.lists.iter().for_each(|list| self.list(list));
            self.folders = before;
        } else {
            group.lists.iter().for_each(|list| self.list(list));
        }
        self.blocks -= usize::from(is_block);
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            let target = self.argument(&redirect.target);
            if redirect.writes {
                self.exact(&target);
            }
        }
    }

    fn simple(&mut self, simple: &Simple, is_pipe: bool) {
        let written = self.written.take();
        self.redirects(&simple.redirects);
        let rest = simple.behind_assignments();
        let assigned = simple.words.len() - rest.len();
        for (name, value) in simple.words[..assigned].iter().filter_map(Word::assignment) {
            let value = self.argument(&value);
            if !rest.is_empty() {
                // The program reads it, and may write there.
                self.named(&value);
            }
            self.assign(name, value.into_values());
        }
        let arguments: Vec<_> = rest.iter().map(|word| self.argument(word)).collect();
        let is_pipe = is_pipe || self.is_fed || simple.redirects.iter().any(Redirect::reads);
        if !arguments.is_empty() {
            let input = Input {
                text: simple.input(),
                is_pipe,
                plain: simple.plain_input().filter(|_| !is_pipe),
                written: written.as_ref(),
            };
            self.dispatch(&arguments, input);
            self.written = match &arguments[..] {
                [cat] if cat.text() == Some("cat") => self.made_of_text(simple, input),
                // It only changes the folder.
                [cd, ..] if cd.text() == Some("cd") => written,
                _ => None,
            };
        }
    }

    /// The file that gets what a command reads, with all of its text.
    fn made_of_text(&mut self, simple: &Simple, input: Input<'_>) -> Option<(String, String)> {
        let mut opened = simple.redirects.iter().filter(|redirect| redirect.writes);
        let only = opened.next().filter(|_| opened.next().is_none());
        let whole = only.filter(|redirect| !redirect.appends)?;
        let path = self.argument(&whole.target).text()?.to_owned();
        Some((path, input.plain?.to_owned()))
    }

    fn begin_loop(&mut self, words: &[Word]) {
        let Some((name, values)) = words.split_first() else {
            return;
        };
        let is_in = |word: &Word| word.bare() == Some("in");
        let mut all = values.first().is_some_and(is_in).then(Vec::new);
        for word in values.iter().skip(1) {
            let more = self.argument(word).values;
            all = all.zip(more).map(|(mut all, more)| {
                all.extend(more);
                all
            });
        }
        if let Some(name) = name.bare() {
            self.assign(name, all);
        }
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

    /// Whether a command that follows in the statement runs after this one for certain.
    pub(super) fn is_certain(&self) -> bool {
        self.join != Join::Or && self.blocks == 0
    }

    /// The folder changes, unless the command behind a "&&" does not run: then what is behind the next one does not
    /// either.
    pub(super) fn keep_otherwise(&mut self) {
        if self.join == Join::And && self.otherwise.is_none() {
            self.otherwise = Some(self.folders.clone());
        }
    }

    /// Goes one command deeper, unless there are too many in each other.
    pub(super) fn deeper(&mut self, run: impl FnOnce(&mut Self)) {
        if self.depth >= super::MAX_DEPTH {
            return self
                .places
                .miss(Unknown::Syntax, "too many commands in each other");
        }
        self.depth += 1;
        run(self);
        self.depth -= 1;
    }

    /// Runs commands that leave the folder and the variables of this shell as they are.
    pub(super) fn nested(&mut self, list: &List) {
        let variables = self.variables.values().flatten().map(Vec::len);
        let size = variables.sum::<usize>() + self.variables.len();
        if !self.places.may_make(64 * size + self.folders.size()) {
            return;
        }
        self.deeper(|reader| {
            let mut inner = Reader {
                variables: reader.variables.clone(),
                depth: reader.depth,
                is_fed: reader.is_fed,
                fed: reader.fed.clone(),
                ..Reader::new(reader.folders.clone(), reader.places)
            };
            inner.list(list);
        });
    }

    /// Runs commands that are given as a text, in this shell.
    pub(super) fn inline_text(&mut self, text: &str) {
        let join = self.join;
        self.deeper(|reader| reader.tree(&parse(text)));
        self.join = join;
    }

    /// Runs commands that are given as a text, in a shell of their own.
    pub(super) fn nested_text(&mut self, text: &str) {
        let script = parse(text);
        if !script.is_whole {
            self.places.miss(Unknown::Syntax, text);
        }
        self.nested(&script.list);
    }

    /// It writes what the word names.
    pub(super) fn exact(&mut self, word: &Argument) {
        if let Some(path) = &word.in_new_folder {
            // It is a file of that name, which goes with the folder.
            let path = path.trim_start_matches('/').to_owned();
            return self.places.add(Place::Elsewhere(path));
        }
        self.write(word, |place| match part_before_any(&place) {
            None => Place::Exact(place),
            Some(folder) => Place::Around(folder),
        });
    }

    /// It takes away what the word names. What that is need not be known: nothing is missing for it.
    pub(super) fn removed(&mut self, word: &Argument) {
        let values = word.values.iter().flatten();
        self.keep_folders(values.clone().count());
        for value in values {
            let value = part_before_any(value).unwrap_or_else(|| value.clone());
            let all: Vec<_> = self.folders.joined(&value).collect();
            for each in all {
                self.places.add(Place::Removed(each));
            }
        }
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
