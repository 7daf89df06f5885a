//! What each simple command may write, by the program that it runs.

mod builtins;
mod elsewhere;
mod files;
mod git;
mod languages;
mod prefixes;
mod requests;
mod tasks;

use crate::programs::{self, Effect, Part};

use super::argument::Argument;
use super::reader::{Input, Reader};
use crate::patch;
use crate::places::{Unknown, looks_like_path};
use crate::tasks::{only_checks, program_at};
use crate::text::is_one_of;

/// What reading a word counts as, in bytes.
const WORD: usize = 400;

impl Reader<'_> {
    /// Reads a command: the program and its words, which count again wherever another program is given them.
    pub(super) fn dispatch(&mut self, words: &[Argument], input: Input<'_>) {
        if !self.places.may_make(WORD * words.len()) {
            return;
        }
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let Some(path) = program.text() else {
            return self.places.miss(Unknown::Script, &program.shown);
        };
        let path = path.strip_suffix(".exe").unwrap_or(path);
        let (name, known, is_elsewhere) = program_at(path);
        if is_elsewhere {
            return self.script(path, name, words);
        }
        let Some(program) = known else {
            return self.unknown(name, words, input);
        };
        if program.is("removes") {
            operands(words).for_each(|word| self.removed(word));
        }
        if let Some(line) = program.line("asks", &texts(words)) {
            self.request(line, words, input);
        }
        let only_looks = program.effect(&texts(words)) == Effect::Reads;
        match program.effect(&[]) {
            Effect::Code | Effect::Elsewhere if only_looks => {}
            Effect::Reads => self.run_reader(name, words),
            Effect::Names { skip } => {
                operands(words).skip(skip).for_each(|word| self.exact(word));
            }
            Effect::Copies => self.copy(name, words),
            Effect::Into => self.options(name, program, words),
            Effect::Here => self.work(name, words),
            Effect::Tasks => self.task(name, program, words, input),
            Effect::Runs => self.deeper(|it| it.prefix(name, program, words, input)),
            Effect::RunsWithInput => self.with_input(name, words),
            Effect::Shell => self.shell(name, words, input),
            Effect::Code => self.interpret(name, program, words, input),
            Effect::Edits => self.edit(name, words),
            Effect::Elsewhere => self.elsewhere(name, program, words, input),
            Effect::Git => self.git(program, words),
            Effect::Finds => self.find(words, input),
            Effect::Folder => self.change_folder(name, words),
            Effect::Sources => self.source(words),
            Effect::Sets => self.set(name, words),
            Effect::Declares => self.declare(words),
            Effect::Evaluates => self.evaluate(name, words),
        }
    }

    /// A program that is not known. One that applies a patch writes where that says.
    fn unknown(&mut self, name: &str, words: &[Argument], input: Input<'_>) {
        let texts = words.iter().filter_map(Argument::text).chain(input.text);
        let targets = patch::applied(name, texts);
        if targets.is_empty() {
            return self.work(name, words);
        }
        for target in targets {
            let path = Argument::of(&target.path);
            if target.is_removed {
                self.removed(&path);
            } else {
                self.exact(&path);
            }
        }
    }

    /// A program that reads, but for some of what it can be told.
    fn run_reader(&mut self, name: &str, words: &[Argument]) {
        let has = |list: &str| {
            let mut texts = words.iter().filter_map(Argument::text);
            texts.any(|text| is_one_of(list, text))
        };
        match name {
            "printf" if has("-v") => self.set(name, &words[1..]),
            "fd" | "fdfind" if has("-x -X --exec --exec-batch") => {
                self.places.miss(Unknown::Expansion, name);
            }
            "gh" | "glab" | "hub" if has("clone checkout download fork sync co") => {
                self.work(name, words);
            }
            _ => {}
        }
    }

    /// A program that writes in the folder that it runs in, and where its words say. What is given to a check is what it
    /// looks at.
    fn work(&mut self, name: &str, words: &[Argument]) {
        let asks = |word: &Argument| {
            word.text()
                .is_some_and(|it| is_one_of("--version --help -V version help", it))
        };
        if matches!(words, [word] if asks(word)) {
            return;
        }
        self.here(name);
        let known = programs::of(name).map(|program| program.part(&texts(words)));
        let checks = matches!(known, Some((_, Part::Check(_))));
        let mut is_value = false;
        for word in words {
            let is_given = word.text().is_some_and(|text| !text.contains('='));
            if !checks || is_value || word.is_option() || !is_given {
                self.named(word);
            }
            is_value = word.is_option();
        }
    }

    /// Adds the places that a word may name.
    pub(super) fn named(&mut self, word: &Argument) {
        let Some(values) = &word.values else {
            return self.places.miss(Unknown::Expansion, &word.shown);
        };
        let pieces = values.iter().flat_map(|value| {
            let glued = ["-C", "-o", "-O", "-d", "-P", "-t"]
                .iter()
                .find_map(|option| value.strip_prefix(option));
            let colons = value.split(':').filter(|_| !value.contains("://"));
            value
                .split(['=', ',', ';'])
                .chain(colons)
                .chain(glued)
                .map(str::to_owned)
        });
        let pieces: Vec<_> = pieces.collect();
        for piece in pieces {
            if looks_like_path(&piece) {
                self.around(&Argument {
                    values: Some(vec![piece]),
                    shown: word.shown.clone(),
                    in_new_folder: None,
                });
            }
        }
    }

    /// A program by its path: nobody knows what it does, unless its name says that it only checks.
    fn script(&mut self, path: &str, name: &str, words: &[Argument]) {
        let stem = name.split('.').next().unwrap_or(name);
        if !only_checks(stem) {
            self.unread(path, path);
        }
        self.work(name, words);
    }

    /// A program at a place, or in the folder that it runs in, that is not read.
    fn unread(&mut self, path: &str, words: &str) {
        self.places.unread(path, &self.folders.known, words);
    }
}

/// The words that are no options.
fn operands(words: &[Argument]) -> impl Iterator<Item = &Argument> {
    words.iter().filter(|word| !word.is_option())
}

/// The words as far as they are known.
fn texts(words: &[Argument]) -> Vec<&str> {
    words
        .iter()
        .map(|word| word.text().unwrap_or_default())
        .collect()
}
