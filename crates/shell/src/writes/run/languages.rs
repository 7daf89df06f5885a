//! Shells, and programs in other languages.

use crate::programs::{self, Program};

use super::operands;
use crate::places::{Place, Unknown, add_named};
use crate::text::{is_one_of, is_short_option, last_part};
use crate::writes::argument::Argument;
use crate::writes::code::{may_lead_out, only_runs};
use crate::writes::reader::{Input, Reader};

/// Options of `sqlite3` that say how it prints.
const OF_OUTPUT: &str = "header noheader csv json line list column box table markdown html quote tabs ascii readonly batch \
    bail echo safe";
/// Its commands that write no file, and what does in its language.
const LOOKS: &str = "tables schema fullschema mode header headers indexes indices databases width timeout timer nullvalue \
    show stats eqp explain bail echo print dump help quit exit";
const WRITERS: [&str; 5] = ["attach", "vacuum", "writefile", "load_extension", "edit("];

impl Reader<'_> {
    pub(super) fn shell(&mut self, name: &str, words: &[Argument], input: Input<'_>) {
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.text() {
                Some("--version" | "--help" | "-n") => return,
                Some("-o" | "+o" | "--rcfile" | "--init-file") => {
                    words.next();
                }
                Some("-s" | "-") => break,
                Some(text) if is_short_option(text) && text.ends_with('c') => {
                    let text = words.next();
                    return match text.map(|word| word.text().ok_or(&word.shown)) {
                        Some(Ok(text)) => self.nested_text(text),
                        Some(Err(shown)) => self.places.miss(Unknown::Script, shown),
                        None => {}
                    };
                }
                _ if word.is_option() => {}
                _ => match input.text_of(word) {
                    Some(text) => return self.nested_text(text),
                    None => return self.script_of(word, words.as_slice()),
                },
            }
        }
        match input.text {
            Some(text) if !input.is_pipe && !text.is_empty() => self.nested_text(text),
            Some(_) => self.places.miss(Unknown::Script, name),
            None if input.is_pipe => self.places.miss(Unknown::Script, name),
            None => {}
        }
    }

    /// A program in another language: code among its words is read for what it names.
    pub(super) fn interpret(
        &mut self,
        name: &str,
        program: Program,
        words: &[Argument],
        input: Input<'_>,
    ) {
        if let Some(database) = only_database(name, words, input) {
            return self.exact(database);
        }
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            match word.text() {
                Some("--version" | "-V" | "-v" | "--help") => return,
                Some("-m") => return self.module(name, rest.as_slice()),
                Some("-") => break,
                Some(text) if is_code_option(program, text) => {
                    self.code(program, rest.next());
                    if program.is("in-place") {
                        // They may edit these.
                        operands(rest.as_slice()).for_each(|word| self.exact(word));
                    }
                    return;
                }
                Some("-F" | "-f" | "-W" | "-X" | "-I" | "-r" | "--require") => {
                    rest.next();
                }
                _ if word.is_option() => {}
                _ if program.is("awk") => return self.awk(word, words),
                _ => match input.text_of(word) {
                    Some(text) => return self.read_code(program, text),
                    None => return self.script_of(word, rest.as_slice()),
                },
            }
        }
        match input.text {
            Some(text) if !input.is_pipe && !text.is_empty() => self.read_code(program, text),
            Some(_) => self.places.miss(Unknown::Code, name),
            None if input.is_pipe => self.places.miss(Unknown::Code, name),
            None => {}
        }
    }

    /// The file of a script.
    fn script_of(&mut self, file: &Argument, words: &[Argument]) {
        let Some(path) = file.text() else {
            return self.places.miss(Unknown::Script, &file.shown);
        };
        let name = last_part(path);
        if programs::of(name).is_some_and(|it| it.is("wrapper")) {
            self.work(name, words);
        } else {
            self.script(path, name, words);
        }
    }

    fn module(&mut self, name: &str, words: &[Argument]) {
        match words.split_first() {
            Some((module, words)) if module.text().is_some_and(is_module) => {
                self.work(name, words);
            }
            Some((module, _)) if module.text().is_some() => {
                self.unread("", &format!("{name} -m {}", module.shown));
                self.work(name, words);
            }
            _ => self.places.miss(Unknown::Script, &format!("{name} -m")),
        }
    }

    fn awk(&mut self, program: &Argument, words: &[Argument]) {
        let code = program.text().unwrap_or_default();
        if program.values.is_none() || code.contains("system(") || code.contains("| \"") {
            return self.places.miss(Unknown::Code, &program.shown);
        }
        if code.contains('>') {
            add_named(code, "", self.places);
        }
        if words.iter().any(|word| word.text() == Some("inplace")) {
            operands(words).for_each(|word| self.exact(word));
        }
    }

    fn code(&mut self, program: Program, code: Option<&Argument>) {
        match code.map(|code| code.text().ok_or(&code.shown)) {
            Some(Ok(text)) => self.read_code(program, text),
            Some(Err(shown)) => self.places.miss(Unknown::Code, shown),
            None => {}
        }
    }

    fn read_code(&mut self, program: Program, text: &str) {
        if let Some(commands) = only_runs(program, text) {
            for words in commands {
                let words: Vec<_> = words.iter().map(|word| Argument::of(word)).collect();
                self.deeper(|it| it.fed(&words));
            }
            return;
        }
        if self.folders.is_unknown || may_lead_out(text) {
            self.places.miss(Unknown::Code, text);
        }
        let folders = self.folders.known.clone();
        for folder in folders {
            add_named(text, &folder, self.places);
            self.places.add(Place::Around(folder));
        }
    }

    /// Runs a command that reads what is not seen.
    fn fed(&mut self, words: &[Argument]) {
        let before = std::mem::replace(&mut self.is_fed, true);
        let input = Input {
            is_pipe: true,
            ..Input::default()
        };
        self.dispatch(words, input);
        self.is_fed = before;
    }
}

/// The database that `sqlite3` opens, if what it is told can write nothing else.
fn only_database<'w>(name: &str, words: &'w [Argument], input: Input<'_>) -> Option<&'w Argument> {
    let is_of_output = |word: &Argument| {
        let option = word.text().map(|text| text.trim_start_matches('-'));
        option.is_some_and(|option| is_one_of(OF_OUTPUT, option))
    };
    let has_other = || words.iter().any(|it| it.is_option() && !is_of_output(it));
    if name != "sqlite3" || input.is_pipe || has_other() {
        return None;
    }
    let mut operands = operands(words);
    let database = operands.next()?;
    let told = operands.map(Argument::text).collect::<Option<Vec<_>>>()?;
    let mut told = told.into_iter().chain(input.text);
    told.all(writes_no_file).then_some(database)
}

fn writes_no_file(told: &str) -> bool {
    let told = told.to_lowercase();
    let first = |line: &str| {
        line.split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned()
    };
    let mut commands = told.lines().map(first).filter(|word| word.starts_with('.'));
    commands.all(|command| is_one_of(LOOKS, &command[1..]))
        && !WRITERS.iter().any(|writer| told.contains(writer))
}

/// Whether a module of Python is a tool.
fn is_module(name: &str) -> bool {
    programs::of(name).is_some_and(|it| it.is("module"))
}

/// Whether the word behind the option is code. A letter may stand at the end of others: `-Ic`.
fn is_code_option(program: Program, option: &str) -> bool {
    let is_it = |known: &str| {
        known == option
            || !known.starts_with('-') && is_short_option(option) && option.ends_with(known)
    };
    program.list("inline").any(is_it)
}
