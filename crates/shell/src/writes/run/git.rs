//! What commands of git write.

use crate::programs::{Effect, Program};

use super::{operands, texts};
use crate::places::{Place, Unknown};
use crate::text::is_one_of;
use crate::writes::argument::Argument;
use crate::writes::reader::Reader;

impl Reader<'_> {
    pub(super) fn git(&mut self, program: Program, words: &[Argument]) {
        let before = self.folders.clone();
        let verb = program.operands(&texts(words)).next();
        let (options, rest) = words.split_at(verb.unwrap_or(words.len()));
        for (at, word) in options.iter().enumerate() {
            let mut folders = ["--git-dir", "--work-tree"].iter();
            match (word.text(), words.get(at + 1)) {
                (Some("-C"), to) => {
                    let to = to.and_then(|word| word.values.as_deref());
                    self.folders.change(to, true);
                }
                (Some("--git-dir" | "--work-tree"), Some(folder)) => self.around(folder),
                _ => {
                    if let Some(folder) = folders.find_map(|option| word.behind(option)) {
                        self.around(&folder);
                    }
                }
            }
        }
        if let Some((verb, words)) = rest.split_first() {
            match verb.text() {
                Some(verb) => self.git_verb(program, verb, words),
                None => self.places.miss(Unknown::Expansion, &verb.shown),
            }
        }
        self.folders = before;
    }

    fn git_verb(&mut self, program: Program, verb: &str, words: &[Argument]) {
        if program.effect(&[verb]) == Effect::Reads {
            return;
        }
        if verb == "clone" {
            return self.clone_into(program, words);
        }
        self.here("git");
        if program.line("brings", &[verb]).is_some() {
            self.places.add(Place::Brought);
        }
        match verb {
            "rm" => operands(words).for_each(|word| self.removed(word)),
            "mv" => {
                let count = operands(words).count().saturating_sub(1);
                operands(words)
                    .take(count)
                    .for_each(|word| self.removed(word));
            }
            "add" | "stage" | "reset" | "restore" => {
                let names = operands(words).flat_map(|word| word.values.iter().flatten());
                let names: Vec<_> = names.filter(|it| *it != ".").cloned().collect();
                if names.is_empty() {
                    self.places.add(Place::Staged(String::new()));
                }
                for name in names {
                    self.places.add(Place::Staged(name));
                }
                if verb == "restore" {
                    operands(words).for_each(|word| self.exact(word));
                }
            }
            // A file of another commit is written as any other.
            "checkout" => {
                let mut words = words.iter();
                words.find(|word| word.text() == Some("--"));
                words.for_each(|word| self.exact(word));
            }
            // It may note that a file is as it was, of which the file shows nothing.
            "update-index" => {
                let names = operands(words).flat_map(|word| word.values.iter().flatten());
                names.for_each(|name| self.places.add(Place::Elsewhere(name.clone())));
            }
            _ => {}
        }
        let runs =
            |word: &Argument| matches!(word.text(), Some("run" | "-x" | "--exec" | "foreach"));
        if is_one_of("bisect filter-branch rebase submodule", verb) && words.iter().any(runs) {
            self.places.miss(Unknown::Script, verb);
        }
        if program.line("named", &[verb]).is_some() {
            for word in words {
                self.named(word);
            }
            // The last word of `git init` need not look like a path.
            if let Some(last) = words.last().filter(|word| !word.is_option()) {
                self.around(last);
            }
        }
    }

    /// A clone is one new folder, whatever it is a copy of: the one that is named, or one called like the copied.
    fn clone_into(&mut self, program: Program, words: &[Argument]) {
        let line = program.line("here", &["clone"]);
        let texts = texts(words);
        let operands = line.iter().flat_map(|line| line.operands(&texts));
        let operands: Vec<_> = operands.map(|at| &words[at]).collect();
        let name = |from: &Argument| {
            let name = from
                .text()?
                .trim_end_matches('/')
                .rsplit(['/', ':'])
                .next()?;
            Some(Argument::of(name.strip_suffix(".git").unwrap_or(name)))
        };
        match operands[..] {
            [_, folder, ..] => self.around(folder),
            [from] => match name(from) {
                Some(folder) => self.around(&folder),
                None => self.here("git"),
            },
            [] => {}
        }
    }
}
