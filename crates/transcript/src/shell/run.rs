//! What each simple command may write, by the program that it runs.

mod builtins;
mod files;
mod git;
mod languages;
mod prefixes;
mod tasks;

pub(super) use prefixes::options_with_value;

use super::argument::Argument;
use super::programs::{self, Class, class, is_one_of};
use super::reader::{Command, Reader};
use crate::places::{Unknown, looks_like_path};

impl Reader<'_> {
    /// Reads a command: the program and its words.
    pub(super) fn dispatch(&mut self, words: &[Argument], command: &Command) {
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let Some(path) = program.text() else {
            return self.places.miss(Unknown::Script, &program.shown);
        };
        let path = path.strip_suffix(".exe").unwrap_or(path);
        let name = match path.rsplit_once(['/', '\\']) {
            None => path,
            Some((folder, name))
                if programs::is_of_a_tool(folder) || programs::is_wrapper(name) =>
            {
                name
            }
            Some((_, name)) => return self.script(path, name, words),
        };
        match class(name) {
            Class::Reads => self.run_reader(name, words),
            Class::Operands { skip } => {
                operands(words).skip(skip).for_each(|word| self.exact(word));
            }
            Class::Copies => self.copy(name, words),
            Class::Options(options) => self.options(name, options, words),
            Class::Here => self.work(name, words),
            Class::Tasks => self.task(name, words, command),
            Class::Runs => self.prefix(name, words, command),
            Class::RunsWithInput => self.with_input(words),
            Class::Shell => self.shell(name, words, command),
            Class::Interpreter => self.interpret(name, words, command),
            Class::Edits => self.edit(name, words),
            Class::Elsewhere => self.elsewhere(name, words),
            Class::Git => self.git(words),
            Class::Find => self.find(words, command),
            Class::ChangesFolder => self.change_folder(name, words),
            Class::Sources => self.source(words),
            Class::Assigns => self.set(words),
            Class::Declares => self.declare(words),
            Class::Evaluates => self.evaluate(name, words),
        }
    }

    /// A program that reads, but for some of what it can be told.
    fn run_reader(&mut self, name: &str, words: &[Argument]) {
        let has = |list: &str| {
            let mut texts = words.iter().filter_map(Argument::text);
            texts.any(|text| is_one_of(list, text))
        };
        match name {
            "printf" if has("-v") => self.set(&words[1..]),
            "fd" | "fdfind" if has("-x -X --exec --exec-batch") => {
                self.places.miss(Unknown::Expansion, name);
            }
            "gh" | "glab" | "hub" if has("clone checkout download fork sync co") => {
                self.work(name, words);
            }
            _ => {}
        }
    }

    /// A program that writes in the folder that it runs in, and where its words say.
    fn work(&mut self, name: &str, words: &[Argument]) {
        let asks = |word: &Argument| {
            word.text()
                .is_some_and(|it| is_one_of("--version --help -V version help", it))
        };
        if matches!(words, [word] if asks(word)) {
            return;
        }
        self.here(name);
        for word in words {
            self.named(word);
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
                });
            }
        }
    }

    /// A program by its path: nobody knows what it does, unless its name says that it only checks.
    fn script(&mut self, path: &str, name: &str, words: &[Argument]) {
        let stem = name.split('.').next().unwrap_or(name);
        if !programs::only_checks(stem) {
            self.places.miss(Unknown::Script, path);
        }
        self.work(name, words);
    }

    /// A program that runs others on another machine, or in a container, unless it only looks after these.
    fn elsewhere(&mut self, name: &str, words: &[Argument]) {
        let verbs = operands(words).filter_map(Argument::text);
        let verb = verbs.into_iter().find(|verb| {
            is_one_of("exec run cp attach ssh debug", verb)
                || is_one_of("build ps logs images get describe up down pull", verb)
        });
        let only_looks = is_one_of("docker podman kubectl nerdctl docker-compose vagrant", name)
            && verb.is_none_or(|verb| !is_one_of("exec run cp attach ssh debug", verb));
        if !only_looks {
            self.places.miss(Unknown::Machine, name);
        }
    }
}

/// The words that are no options.
fn operands(words: &[Argument]) -> impl Iterator<Item = &Argument> {
    words.iter().filter(|word| !word.is_option())
}
