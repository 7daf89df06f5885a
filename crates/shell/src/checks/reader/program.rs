//! What a program with its words does to the checks of a command.

use crate::programs::{Effect, Line, Part, Program};

use super::super::changes::{changes_code, changes_settings, installs};
use super::super::kinds::{CommandKind, kind, runs_nothing};
use super::super::settings::{self, UNKNOWN};
use super::super::{MAX_RUNS, MAX_WORDS_BYTES, SeenCheck, Sight, changed};
use super::{Reader, Text};
use crate::run::{More, Run};
use crate::tasks::program_at;
use crate::text::is_one_of;

/// Between the words in the name of a task.
const NO_LETTER: fn(char) -> bool = |it| !it.is_alphanumeric();

impl Reader<'_> {
    /// A program and its words, with what it reads.
    pub(super) fn program(&mut self, words: &[Text], input: Option<&str>, sight: Sight) {
        let Some((program, words)) = words.split_first() else {
            return;
        };
        let path = program.text.strip_suffix(".exe").unwrap_or(&program.text);
        let (name, known, is_elsewhere) = program_at(path);
        let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        if program.is_known && path.len() == name.len() && runs_nothing(known, &texts) {
            return;
        }
        match known {
            Some(known) if program.is_known && !is_elsewhere => {
                self.known(name, known, (program, words), input, sight);
            }
            _ if self.own(program, words, sight) => {}
            _ => self.anything(),
        }
    }

    /// A program of the table.
    fn known(
        &mut self,
        name: &str,
        known: Program,
        (program, words): (&Text, &[Text]),
        input: Option<&str>,
        sight: Sight,
    ) {
        let texts: Vec<_> = words.iter().map(|word| word.text.as_str()).collect();
        match kind(name, known, &texts) {
            CommandKind::Check(run) => {
                let typed = [&[program.text.as_str()], texts.as_slice()].concat();
                let typed = typed.join(" ");
                self.check(known, Run { typed, ..run }, sight);
            }
            CommandKind::Runs(at) => self.inner((program, words), at, input, sight),
            CommandKind::MayRun(at) => {
                self.is_disguised = true;
                self.inner((program, words), at, input, sight);
            }
            CommandKind::Hooks => {
                if changes_code(name, known, &texts) {
                    self.changes_code();
                }
                self.command.more = self.command.more.max(More::Hooks);
                self.command.prints = true;
            }
            CommandKind::Mends => {
                // A recipe, and what rewrites code, may change more than its form.
                let is_formatter = |(line, part): (Option<Line>, Part)| {
                    part == Part::Mends && !line.is_some_and(|it| it.is("rewrites"))
                };
                if !is_formatter(known.part(&texts)) {
                    self.changes_code();
                }
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
                // What `builtin` runs may be `cd`.
                self.is_disguised |=
                    name == "builtin" || in_this_shell.contains(&known.effect(&[]));
                self.anything();
            }
        }
    }

    fn check(&mut self, program: Program, run: Run, sight: Sight) {
        let says_fix = run.is_task && run.family.split(NO_LETTER).any(|it| it == "fix");
        let mends = says_fix || run.words.iter().any(|word| has(program, word, "mends"));
        self.command.changes.mends |= mends;
        let mut words = run.words.iter();
        self.command.changes.tools |= words.any(|word| has(program, word, "alters"));
        // What a list of tasks does if it is told none is not said by any name.
        let is_unnamed = program.is("goals") && !run.family.contains(' ');
        if mends || is_unnamed {
            self.changes_code();
        }
        // A variable among the words of `make` decides as one in front of it does.
        self.is_disguised |= run.words.iter().any(|word| {
            let assigned = word.split_once('=');
            assigned.is_some_and(|(name, value)| settings::disguises_if_shared(name, value))
        });
        self.add(run, sight);
    }

    /// The program behind the words of another one, which may set variables for it.
    fn inner(
        &mut self,
        (program, words): (&Text, &[Text]),
        at: usize,
        input: Option<&str>,
        sight: Sight,
    ) {
        let (front, words) = words.split_at(at.min(words.len()));
        let told = [program].into_iter().chain(front);
        self.front.extend(told.map(|word| word.text.clone()));
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
        let Some(run) = self.own.run(&texts) else {
            return false;
        };
        let typed = texts.join(" ");
        self.add(Run { typed, ..run }, sight);
        true
    }

    fn add(&mut self, mut run: Run, sight: Sight) {
        run.folder.clone_from(&self.folder);
        run.front.clone_from(&self.front);
        let words = run.words.iter().chain([&run.family, &run.folder]);
        // What a variable holds may be another thing each time.
        let is_known = words.clone().all(|word| !word.contains(UNKNOWN));
        let sight = Sight {
            of_success: sight.of_success && is_known && !self.is_disguised,
            of_failure: sight.of_failure && is_known,
        };
        let words = words.chain(&run.front);
        let is_long = words.map(String::len).sum::<usize>() > MAX_WORDS_BYTES;
        if run.typed.len() > MAX_WORDS_BYTES {
            run.typed = run.shown();
        }
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
        let named = installs(program, &texts);
        self.command.changes.tools |= named.is_some_and(|named| !named.is_empty());
        if changes_settings(program, &texts) {
            self.writes(&Text::known("package.json"));
        }
        let is_of_others = |name: &str| settings::disguises_if_shared(name, "");
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

/// Whether a line with an option says this.
fn has(program: Program, option: &str, class: &str) -> bool {
    option.starts_with('-') && program.lines_with(option).any(|line| line.is(class))
}
