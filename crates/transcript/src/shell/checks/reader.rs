//! From statements to the checks that they run, each with what the exit status of all says of it.

use super::own::OwnChecks;
use super::programs::{Kind, kind};
use super::tree::{List, Node, Pipeline, Statement, parse, shown};
use super::{Command, MAX_DEPTH, MAX_RUNS, MAX_WORDS_BYTES, Seen, Sight, changed};
use crate::ran::{More, Run, RunEnding};
use crate::shell::lexer::{self, Part, Token, Word};
use crate::shell::programs::{self, Class, class, is_one_of};
use crate::shell::reader::assignment;
use crate::shell::run::options_with_value;

/// Programs behind a pipe that pass on what they read, and say nothing of it.
const FILTERS: &str = "tail cat tee sed tr sort uniq cut wc nl column fold";
/// Programs that cannot fail, or print first that they did.
const SURE: &str = "cd pushd popd source . export set shopt unset echo printf true : pwd date sleep umask ulimit clear";
/// What git does that runs hooks.
const WITH_HOOKS: &str = "commit push merge rebase pull am cherry-pick revert";
const OF_GIT: &str = "status diff log show add rm mv restore reset stash branch switch checkout tag fetch remote \
    rev-parse ls-files grep blame config clean worktree init clone describe shortlog cat-file reflog apply submodule \
    notes rev-list symbolic-ref check-ignore diff-tree ls-tree ls-remote show-ref name-rev update-index sparse-checkout \
    format-patch archive count-objects gc help version";

/// Stands for what is not known in a folder or a word.
const UNKNOWN: &str = "…";

#[derive(Debug)]
pub(super) struct Reader<'o> {
    pub(super) command: Command,
    pub(super) folder: String,
    depth: usize,
    /// What `set -o pipefail` and `set -e` have switched on.
    options: Options,
    own: &'o OwnChecks,
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
        }
    }

    /// Reads a text that a shell runs which was started with these options.
    pub(super) fn text(&mut self, text: &str, sight: Sight, options: &[&str]) {
        self.tokens(lexer::tokens(text), sight, options);
    }

    fn tokens(&mut self, tokens: Vec<Token>, sight: Sight, options: &[&str]) {
        if self.depth >= MAX_DEPTH {
            return self.anything();
        }
        self.depth += 1;
        let before = std::mem::take(&mut self.options);
        self.set(options);
        self.list(&parse(tokens), sight);
        self.options = before;
        self.depth -= 1;
    }

    pub(super) fn plain_words(&mut self, words: &[String], sight: Sight) {
        let words: Vec<_> = words.iter().map(|word| Text::known(word)).collect();
        self.program(&words, None, sight);
    }

    fn anything(&mut self) {
        self.command.more = More::Anything;
    }

    fn list(&mut self, list: &List, sight: Sight) {
        let end = list.statements.len().saturating_sub(1);
        let mut are_sure = true;
        for (at, statement) in list.statements.iter().enumerate() {
            let own = match (at == end, self.options.ends_early) {
                _ if list.is_opaque || statement.is_background => Sight::default(),
                // With `set -e` the one that failed may be another one.
                (true, true) if !are_sure => sight.and(Sight::OF_SUCCESS),
                (true, _) => sight,
                (false, true) => sight.and(Sight::OF_SUCCESS),
                (false, false) => Sight::default(),
            };
            self.statement(statement, own);
            are_sure &= statement.pipelines.iter().all(is_sure);
        }
    }

    fn statement(&mut self, statement: &Statement, sight: Sight) {
        let count = statement.pipelines.len();
        let others_are_sure = |at: usize| {
            let all = statement.pipelines.iter().enumerate();
            all.filter(|(other, _)| *other != at)
                .all(|(_, pipeline)| is_sure(pipeline))
        };
        let before = (self.command.seen.len(), self.command.more);
        for (at, pipeline) in statement.pipelines.iter().enumerate() {
            let own = if statement.has_or {
                Sight::default()
            } else if count > 1 && !others_are_sure(at) {
                sight.and(Sight::OF_SUCCESS)
            } else {
                sight
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
        for (at, node) in pipeline.nodes.iter().enumerate() {
            let mut others = pipeline.nodes.iter().enumerate();
            let pass_on = others.all(|(other, node)| other == at || is_filter(node));
            let own = match (at == last, self.options.has_pipefail) {
                (true, false) => sight,
                (_, true) if pass_on => sight,
                (_, true) => sight.and(Sight::OF_SUCCESS),
                (false, false) => Sight::default(),
            };
            self.node(node, own);
        }
    }

    fn node(&mut self, node: &Node, sight: Sight) {
        match node {
            Node::Subshell(list) => {
                let before = (self.folder.clone(), self.options);
                self.list(list, sight);
                (self.folder, self.options) = before;
            }
            Node::Simple { words, input } => self.simple(words, input.as_deref(), sight),
        }
    }

    fn simple(&mut self, words: &[Word], input: Option<&str>, sight: Sight) {
        for word in words {
            self.inside(word);
        }
        let assigned = words.iter().take_while(|word| assignment(word).is_some());
        let rest = &words[assigned.count()..];
        let texts: Vec<_> = rest.iter().map(Text::of).collect();
        self.program(&texts, input, sight);
    }

    /// The commands in a word, whose ending nobody sees.
    fn inside(&mut self, word: &Word) {
        for part in &word.parts {
            if let Part::Commands(tokens) = part {
                let folder = self.folder.clone();
                self.tokens(tokens.clone(), Sight::default(), &[]);
                self.folder = folder;
            }
        }
    }

    fn program(&mut self, words: &[Text], input: Option<&str>, sight: Sight) {
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let path = program.text.strip_suffix(".exe").unwrap_or(&program.text);
        let name = match path.rsplit_once(['/', '\\']) {
            None => path,
            Some((folder, name))
                if programs::is_of_a_tool(folder) || is_one_of("gradlew mvnw", name) =>
            {
                name
            }
            Some(_) if self.own(program, words, sight) => return,
            Some(_) => return self.anything(),
        };
        if !program.is_known {
            return self.anything();
        }
        let texts: Vec<_> = words.iter().map(Text::known_text).collect();
        match kind(name, &texts) {
            Kind::Check {
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
                };
                self.add(run, sight);
            }
            Kind::Runs(at) => self.program(words.get(at..).unwrap_or_default(), None, sight),
            Kind::Nothing => {}
            Kind::Anything if self.own(program, words, sight) => {}
            Kind::Anything => self.other(name, words, input, sight),
        }
    }

    /// Takes what a person says is a check; false if it is none.
    fn own(&mut self, program: &Text, words: &[Text], sight: Sight) -> bool {
        let words = [program].into_iter().chain(words);
        let texts: Vec<_> = words.map(Text::known_text).collect();
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
        let sight = if is_known { sight } else { Sight::default() };
        let is_long = words.map(String::len).sum::<usize>() > MAX_WORDS_BYTES;
        if is_long || self.command.seen.len() >= MAX_RUNS {
            return self.anything();
        }
        self.command.seen.push(Seen { run, sight });
    }

    /// A program that runs no check itself.
    fn other(&mut self, name: &str, words: &[Text], input: Option<&str>, sight: Sight) {
        let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        let first = texts.first().copied().unwrap_or_default();
        match (class(name), name) {
            (_, "set") => self.set(&texts),
            // They tell how a check went that ran elsewhere.
            (_, "gh" | "glab" | "hub" | "curl" | "wget" | "fg" | "bg" | "watch") => self.anything(),
            (Class::Runs, _) => {
                let at = behind_prefix(name, &texts);
                self.program(words.get(at..).unwrap_or_default(), input, sight);
            }
            (Class::Shell, _) => self.shell(words, input, sight),
            (Class::ChangesFolder, "cd" | "pushd" | "chdir") => {
                let to = words.iter().find(|word| !word.text.starts_with('-'));
                let to = to.map_or("~", Text::known_text);
                self.folder = changed(&self.folder, to);
            }
            (Class::Git, _) => self.git(&texts),
            (Class::Find, _) => {
                if texts
                    .iter()
                    .any(|text| text.starts_with("-exec") || text.starts_with("-ok"))
                {
                    self.anything();
                }
            }
            (Class::Sources, _) => {
                let file = first.rsplit(['/', '\\']).next().unwrap_or(first);
                if !programs::sets_up(file) {
                    self.anything();
                }
            }
            (Class::Interpreter, "awk" | "gawk" | "mawk" | "nawk") if !first.contains("system") => {
            }
            (
                Class::Reads
                | Class::Operands { .. }
                | Class::Copies
                | Class::Options(_)
                | Class::Edits
                | Class::Assigns
                | Class::Declares
                | Class::ChangesFolder,
                _,
            ) => {}
            _ => self.anything(),
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
            if !text.starts_with("--") && text.ends_with('c') {
                return match rest.next() {
                    Some(text) if text.is_known => {
                        let folder = self.folder.clone();
                        self.text(&text.text, sight, &options);
                        self.folder = folder;
                    }
                    _ => self.anything(),
                };
            }
            if text.ends_with('o') {
                options.extend(rest.next().map(|word| word.text.as_str()));
            }
        }
        match input {
            Some(text) if !text.is_empty() => self.text(text, sight, &options),
            _ => self.anything(),
        }
    }

    fn git(&mut self, texts: &[&str]) {
        let mut at = 0;
        while let Some(text) = texts.get(at) {
            at += match *text {
                "-C" | "-c" | "--git-dir" | "--work-tree" => 2,
                text if text.starts_with('-') => 1,
                _ => break,
            };
        }
        let skips_hooks = texts.contains(&"--no-verify");
        match texts.get(at) {
            None => {}
            Some(verb) if is_one_of(WITH_HOOKS, verb) && !skips_hooks => {
                self.command.more = self.command.more.max(More::Hooks);
            }
            Some(verb) if is_one_of(WITH_HOOKS, verb) || is_one_of(OF_GIT, verb) => {}
            // An alias may run anything.
            Some(_) => self.anything(),
        }
    }

    /// Takes the options of a shell: `-euo pipefail`.
    fn set(&mut self, texts: &[&str]) {
        let mut texts = texts.iter();
        while let Some(text) = texts.next() {
            let is_on = text.starts_with('-') && !text.starts_with("--");
            if !is_on && !text.starts_with('+') {
                continue;
            }
            if text.contains('e') {
                self.options.ends_early = is_on;
            }
            if text.ends_with('o') {
                match texts.next() {
                    Some(&"pipefail") => self.options.has_pipefail = is_on,
                    Some(&"errexit") => self.options.ends_early = is_on,
                    _ => {}
                }
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
        let (text, is_known) = shown(word);
        Self { text, is_known }
    }

    fn known_text(&self) -> &str {
        if self.is_known { &self.text } else { UNKNOWN }
    }

    fn known(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            is_known: true,
        }
    }
}

/// Where the words of the program begin which a prefix runs.
fn behind_prefix(name: &str, texts: &[&str]) -> usize {
    let mut at = 0;
    while let Some(text) = texts.get(at) {
        let sets_variable = is_one_of("env sudo doas cross-env", name) && text.contains('=');
        let is_duration =
            is_one_of("timeout gtimeout", name) && text.starts_with(|it: char| it.is_ascii_digit());
        at += if is_one_of(options_with_value(name), text) {
            2
        } else if text.starts_with('-') || sets_variable || is_duration {
            1
        } else {
            break;
        };
    }
    at
}

/// The first word, if it is all that decides what runs.
fn program_of(node: &Node) -> Option<String> {
    let Node::Simple { words, .. } = node else {
        return None;
    };
    let mut words = words.iter().skip_while(|word| assignment(word).is_some());
    let first = words.next()?;
    Some(shown(first).0)
}

fn is_filter(node: &Node) -> bool {
    program_of(node).is_some_and(|name| is_one_of(FILTERS, &name))
}

/// Whether the pipeline does not fail without saying so first.
fn is_sure(pipeline: &Pipeline) -> bool {
    let is_sure = |node: &Node| match node {
        Node::Subshell(_) => false,
        // Without a program it only assigns.
        Node::Simple { words, .. } => {
            let is_plain = |word: &Word| {
                let mut parts = word.parts.iter();
                !parts.any(|part| matches!(part, Part::Commands(_)))
            };
            let name = program_of(node);
            words.iter().all(is_plain) && name.is_none_or(|name| is_one_of(SURE, &name))
        }
    };
    pipeline.nodes.iter().all(is_sure)
}
