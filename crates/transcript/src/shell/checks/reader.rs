//! From statements to the checks that they run, each with what the exit status of all says of it.

use attest_shell::programs::{self, Effect, Program};
use attest_shell::{
    Group, GroupKind as Taken, Join, List, Node, Part, Pipeline, Redirect, Script, Simple,
};
use attest_shell::{Statement, Word, parse};

use super::changes::{changes_code, changes_settings};
use super::kinds::{CommandKind, kind, runs_nothing};
use super::own::OwnChecks;
use super::settings;
use super::{Command, MAX_DEPTH, MAX_NAMES, MAX_RUNS, MAX_WORDS_BYTES, SeenCheck, Sight, changed};
use crate::ran::{More, Run, RunEnding, is_prose};
use crate::shell::tasks::{is_of_a_tool, is_one_of};

/// Stands for what is not known in a folder or a word.
pub(super) const UNKNOWN: &str = "…";

#[derive(Debug)]
pub(super) struct Reader<'o> {
    pub(super) command: Command,
    pub(super) folder: String,
    depth: usize,
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
        self.deeper(|reader| reader.list(list, sight));
        (self.folder, self.options) = before;
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
                let before =
                    (group.kind == Taken::Subshell).then(|| (self.folder.clone(), self.options));
                for list in &group.lists {
                    self.list(list, sight);
                }
                if let Some(before) = before {
                    (self.folder, self.options) = before;
                }
            }
        }
    }

    fn simple(&mut self, simple: &Simple, sight: Sight) {
        simple.words.iter().for_each(|word| self.inside(word));
        self.redirects(&simple.redirects);
        let texts: Vec<_> = simple.behind_assignments().iter().map(Text::of).collect();
        let (assigned, _) = simple.words.split_at(simple.words.len() - texts.len());
        let mut assigned = assigned.iter().filter_map(Word::assignment);
        // What only this shell knows no program gets, unless it has the variable already.
        let is_kept = texts.is_empty();
        self.is_disguised |= assigned.any(|(name, value)| {
            let value = Text::of(&value).text;
            settings::disguises(name, &value) && (!is_kept || settings::is_shared(name))
        });
        self.program(&texts, simple.input(), sight);
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for redirect in redirects {
            self.inside(&redirect.target);
            if redirect.writes {
                let file = Text::of(&redirect.target);
                self.writes(&file);
                if !file.text.starts_with("/dev/") && !is_prose(&file.text) {
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
        let name = file.text.rsplit(['/', '\\']).next().unwrap_or_default();
        let is_kept = name.len() <= MAX_WORDS_BYTES && changes.names.len() < MAX_NAMES;
        if is_kept && !name.is_empty() {
            changes.names.push(name.to_owned());
        }
    }

    fn program(&mut self, words: &[Text], input: Option<&str>, sight: Sight) {
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let path = program.text.strip_suffix(".exe").unwrap_or(&program.text);
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        let known = programs::of(name);
        let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        if program.is_known && path.len() == name.len() && runs_nothing(&texts) {
            return;
        }
        let is_elsewhere = path.len() > name.len()
            && !is_of_a_tool(folder)
            && known.is_none_or(|it| !it.is("wrapper"));
        if !program.is_known || is_elsewhere || known.is_none() {
            if !self.own(program, words, sight) {
                self.anything();
            }
            return;
        }
        let Some(known) = known else {
            return;
        };
        match kind(name, known, &texts) {
            CommandKind::Check {
                family,
                of,
                is_task,
                rest,
            } => {
                let run = Run {
                    family,
                    words: rest,
                    folder: self.folder.clone(),
                    of,
                    is_task,
                    ending: RunEnding::Unknown,
                    is_changed_behind: false,
                };
                self.command.changes.mends |= run.words.iter().any(|word| mends(known, word));
                // A variable among the words of `make` decides as one in front of it does.
                self.is_disguised |= run.words.iter().any(|word| {
                    let assigned = word.split_once('=');
                    assigned.is_some_and(|(name, value)| {
                        settings::is_shared(name) && settings::disguises(name, value)
                    })
                });
                self.add(run, sight);
            }
            CommandKind::Runs(at) => self.inner(words, at, input, sight),
            CommandKind::MayRun(at) => {
                self.is_disguised = true;
                self.inner(words, at, input, sight);
            }
            CommandKind::Hooks => {
                if changes_code(name, known, &texts) {
                    self.changes_code();
                }
                self.command.more = self.command.more.max(More::Hooks);
                self.command.prints = true;
            }
            CommandKind::Mends => {
                self.command.changes.mends = true;
                self.command.prints = true;
            }
            CommandKind::Nothing => {
                self.command.prints |= !self.is_behind && prints(name, known, &texts);
                self.other(name, known, words, sight);
            }
            CommandKind::Anything if self.own(program, words, sight) => {}
            CommandKind::Shell => self.shell(words, input, sight),
            // It tells how one went elsewhere.
            CommandKind::Anything if matches!(known.effect(&[]), Effect::Reads | Effect::Into) => {
                self.command.more = More::Anything;
                if changes_code(name, known, &texts) {
                    self.changes_code();
                }
            }
            CommandKind::Anything => {
                let in_this_shell = [Effect::Sources, Effect::Evaluates];
                self.is_disguised |= in_this_shell.contains(&known.effect(&[]));
                self.anything();
            }
        }
    }

    /// The program behind the words of another one, which may set variables for it.
    fn inner(&mut self, words: &[Text], at: usize, input: Option<&str>, sight: Sight) {
        let (front, words) = words.split_at(at.min(words.len()));
        let mut front = front.iter().filter(|word| !word.text.starts_with('-'));
        self.is_disguised |= front.any(|word| {
            let assigned = word.text.split_once('=');
            assigned.is_some_and(|(name, value)| settings::disguises(name, value))
        });
        self.deeper(|reader| reader.program(words, input, sight));
    }

    /// Takes what a person says is a check; false if it is none.
    fn own(&mut self, program: &Text, words: &[Text], sight: Sight) -> bool {
        let words = [program].into_iter().chain(words);
        let texts: Vec<_> = words.map(|word| word.text.as_str()).collect();
        let Some(run) = self.own.run(&texts, &self.folder) else {
            return false;
        };
        self.add(run, sight);
        true
    }

    fn add(&mut self, run: Run, sight: Sight) {
        let words = run.words.iter().chain([&run.family, &run.folder]);
        // What a variable holds may be another thing each time.
        let is_known = words.clone().all(|word| !word.contains(UNKNOWN));
        let sight = Sight {
            of_success: sight.of_success && is_known && !self.is_disguised,
            of_failure: sight.of_failure && is_known,
        };
        let is_long = words.map(String::len).sum::<usize>() > MAX_WORDS_BYTES;
        if is_long || self.command.seen.len() >= MAX_RUNS {
            return self.anything();
        }
        self.command.seen.push(SeenCheck { run, sight });
    }

    /// A program that runs no check, but may change what those behind it are.
    fn other(&mut self, name: &str, program: Program, words: &[Text], sight: Sight) {
        let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        let is_changing = changes_code(name, program, &texts);
        if is_changing {
            self.changes_code();
        }
        if changes_settings(program, &texts) {
            self.writes(&Text::known("package.json"));
        }
        let is_of_others = |name: &str| settings::disguises(name, "") && settings::is_shared(name);
        match (name, program.effect(&texts)) {
            (_, Effect::Names { .. } | Effect::Copies | Effect::Edits) => {
                let files = words.iter().filter(|word| !word.text.starts_with('-'));
                if program.effect(&texts) == Effect::Edits && !is_changing {
                    // What it only shows may be read for what it edits, and excuses as much.
                    self.command.changes.any = true;
                } else {
                    files.for_each(|file| self.writes(file));
                }
            }
            // What git puts back may be what a check has found.
            ("git", Effect::Here) if texts.first() != Some(&"add") => {
                self.command.changes.any = true;
            }
            ("set", _) => self.set(&texts),
            ("shopt", _) if !settings::are_usual_of_shopt(&texts) => {
                self.is_disguised = true;
                self.anything();
            }
            (_, Effect::Declares) => {
                let assigned = |word: &&str| !word.starts_with('-');
                self.is_disguised |= texts.iter().filter(|it| assigned(it)).any(|word| {
                    let (name, value) = word.split_once('=').unwrap_or((word, ""));
                    settings::disguises(name.trim_end_matches('+'), value)
                });
            }
            (_, Effect::Sets) => {
                self.is_disguised |= texts.iter().any(|it| is_of_others(it));
            }
            ("printf", _) if texts.first().is_some_and(|it| it.starts_with("-v")) => {
                self.is_disguised |= texts.iter().any(|it| is_of_others(it));
            }
            ("cd" | "pushd" | "chdir", _) => {
                let to = words.iter().find(|word| !word.text.starts_with('-'));
                let to = to.map_or("~", |word| word.text.as_str());
                self.folder = changed(&self.folder, to);
            }
            (_, Effect::Evaluates) => {
                match words.iter().find(|word| !word.is_known) {
                    None => self.deeper(|reader| reader.text(&texts.join(" "), sight)),
                    Some(_) => self.anything(),
                }
                // It may have made functions and aliases.
                self.is_disguised = true;
            }
            _ => {}
        }
    }

    fn shell(&mut self, words: &[Text], input: Option<&str>, sight: Sight) {
        let mut options = Vec::new();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            if !text.starts_with('-') {
                return self.anything();
            }
            options.push(text);
            if !text.starts_with("--") && text.contains('c') {
                return match rest.next() {
                    Some(text) if text.is_known => self.text_of_shell(&text.text, sight, &options),
                    _ => self.anything(),
                };
            }
            if text.ends_with('o') {
                options.extend(rest.next().map(|word| word.text.as_str()));
            }
        }
        match input {
            Some(text) if !text.is_empty() => self.text_of_shell(text, sight, &options),
            _ => self.anything(),
        }
    }

    /// Takes the options of a shell: `-euo pipefail`. With one that is not known it may run nothing of what follows, or
    /// something else.
    fn set(&mut self, texts: &[&str]) {
        let mut texts = texts.iter();
        while let Some(text) = texts.next().filter(|text| **text != "--") {
            let is_on = text.starts_with('-');
            if !is_on && !text.starts_with('+') {
                continue;
            }
            let mut is_known = settings::are_usual(text);
            if text.contains('e') && !text.starts_with("--") {
                self.options.ends_early = is_on;
            }
            if text.ends_with('o') {
                match texts.next() {
                    Some(&"pipefail") => self.options.has_pipefail = is_on,
                    Some(&"errexit") => self.options.ends_early = is_on,
                    name => is_known &= name.is_none_or(|name| settings::is_usual_name(name)),
                }
            }
            if !is_known {
                self.is_disguised = true;
                self.anything();
            }
        }
    }
}

impl Sight {
    const OF_SUCCESS: Self = Self {
        of_success: true,
        of_failure: false,
    };
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
    let pipelines = list.statements.iter().flat_map(|it| &it.pipelines);
    let mut nodes = pipelines.flat_map(|(_, it)| &it.nodes).rev().skip(1);
    nodes.any(|node| is(node, "decides"))
}

/// Whether a program that runs no check may print how one went.
fn prints(name: &str, program: Program, words: &[&str]) -> bool {
    const QUIET: &str = "true false : exit return sleep wait set test [ tee";
    if matches!(name, "echo" | "printf") {
        let mut words = words.iter().map(|word| word.to_lowercase());
        return words.any(|word| word.contains("fail") || word.contains("pass"));
    }
    let is_quiet = matches!(
        program.effect(words),
        Effect::Folder
            | Effect::Sets
            | Effect::Declares
            | Effect::Names { .. }
            | Effect::Copies
            | Effect::Edits
    );
    !is_quiet && !is_one_of(QUIET, name)
}

/// Whether an option has a check mend what it finds.
fn mends(program: Program, option: &str) -> bool {
    option.starts_with('-') && program.lines_with(option).any(|line| line.is("mends"))
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
