//! Programs that run others on another machine, or in a container.

use crate::programs::{self, Effect, Line, Part, Program};

use super::texts;
use crate::places::{Places, Unknown};
use crate::tasks::only_checks;
use crate::writes::argument::Argument;
use crate::writes::folders::Folders;
use crate::writes::reader::{Input, Reader};

impl Reader<'_> {
    /// What runs there may have written anything, unless it is known to only read.
    pub(super) fn elsewhere(
        &mut self,
        name: &str,
        program: Program,
        words: &[Argument],
        input: Input<'_>,
    ) {
        let all = texts(words);
        let mut enters = program.list("enters").peekable();
        if enters.peek().is_some() && !enters.any(|verb| all.contains(&verb)) {
            return;
        }
        let found =
            program_there(program, &all).filter(|(line, at)| !has(*line, "but", &all[..*at]));
        let Some((line, at)) = found else {
            return self.places.miss(Unknown::Machine, name);
        };
        self.mounts(line, &words[..at]);
        let is_fed = input.is_pipe || input.text.is_some();
        let shown = || format!("{name} {}", all.join(" "));
        if at == words.len() && is_container(line) && !is_fed {
            // What the image does by itself stays in it, but for its mounts.
            if has(line, "mounts", &all) {
                self.unread("", &shown());
            }
        } else if runs_a_check(&all[at..]) && !line.is("joined") {
            self.unread("", &shown());
        } else if !self.only_reads_there(line, &words[at..], input) {
            self.places.miss(Unknown::Machine, name);
        }
    }

    /// Folders of this disk that a container may write.
    fn mounts(&mut self, line: Line, options: &[Argument]) {
        let is_mount = |word: &Argument| line.list("mounts").any(|it| word.text() == Some(it));
        for (at, word) in options.iter().enumerate() {
            let value = match options.get(at + 1) {
                Some(value) if is_mount(word) => Some(value.clone()),
                _ => line.list("mounts").find_map(|option| word.behind(option)),
            };
            if let Some(mut value) = value {
                for text in value.values.iter_mut().flatten() {
                    // Behind it stands where the container has it.
                    let end = text.find(":/").unwrap_or(text.len());
                    text.truncate(end);
                }
                self.named(&value);
            }
        }
    }

    fn only_reads_there(&mut self, line: Line, words: &[Argument], input: Input<'_>) -> bool {
        if line.is("joined") {
            return self.writes_nothing_there(&as_text_of_shell(words), input);
        }
        let name = words.first().and_then(Argument::text);
        let is_program = name.and_then(programs::of).is_some_and(|it| {
            // The image may take what looks like a program for a word of its own: `terraform fmt`.
            !line.is("image")
                || it.is("looks")
                || matches!(it.effect(&[]), Effect::Shell | Effect::Code)
        });
        is_program && self.writes_nothing_there(words, input)
    }

    /// Whether a command writes nothing at all where it runs, which is not here.
    fn writes_nothing_there(&mut self, words: &[Argument], input: Input<'_>) -> bool {
        let before = self.places.made();
        let mut places = Places::default();
        let mut reader = Reader::new(Folders::of("."), &mut places);
        (reader.depth, reader.is_fed) = (self.depth, true);
        let is_pipe = input.is_pipe || input.text.is_none();
        if reader.places.may_make(before) {
            reader.deeper(|it| it.dispatch(words, Input { is_pipe, ..input }));
        }
        let made = places.made().saturating_sub(before);
        self.places.may_make(made) && places.list().complete().is_ok_and(Vec::is_empty)
    }
}

/// Where the program begins among the words of one that runs it there, and the line that says so.
fn program_there(program: Program, words: &[&str]) -> Option<(Line, usize)> {
    let line = program.line("there", words)?;
    // Options of its own may stand behind the word that says where.
    let end = words.iter().position(|word| *word == "--");
    let at = match end.filter(|_| line.words().any(|word| word == "--")) {
        None => program.operands(words).nth(line.words().count())?,
        Some(end) => end,
    };
    Some((line, at + 1))
}

/// Whether it makes a container of its own, which is gone with all that was written in it.
fn is_container(line: Line) -> bool {
    line.list("mounts").next().is_some()
}

/// Whether one of the words is an option of this list of the line.
fn has(line: Line, list: &str, words: &[&str]) -> bool {
    line.list(list)
        .any(|option| words.iter().any(|word| word.starts_with(option)))
}

/// The shell that is given all words as one text, or the one that reads what to do.
fn as_text_of_shell(words: &[Argument]) -> Vec<Argument> {
    let mut shell = vec![Argument::of("sh")];
    if !words.is_empty() {
        let text = words.iter().map(Argument::text).collect::<Option<Vec<_>>>();
        let values = text.map(|texts| vec![texts.join(" ")]);
        let shown = texts(words).join(" ");
        let text = Argument {
            values,
            shown,
            in_new_folder: None,
        };
        shell.extend([Argument::of("-c"), text]);
    }
    shell
}

/// Whether the program that these words name is a check.
fn runs_a_check(words: &[&str]) -> bool {
    let program = words.split_first();
    let program = program.and_then(|(name, words)| Some((words, programs::of(name)?)));
    program.is_some_and(|(words, program)| {
        let tasks = program.operands(words).map(|at| words[at]);
        let mut tasks = tasks.filter(|word| *word != "run").peekable();
        let is_task = program.effect(&[]) == Effect::Tasks;
        matches!(program.part(words).1, Part::Check(_))
            || is_task && tasks.peek().is_some() && tasks.all(only_checks)
    })
}
