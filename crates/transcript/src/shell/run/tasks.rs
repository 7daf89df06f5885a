//! Runners of tasks, and of programs with a project around them.

use super::operands;
use crate::places::Unknown;
use crate::shell::argument::Argument;
use crate::shell::programs::{self, is_one_of};
use crate::shell::reader::{Command, Reader};

/// They run each of their words as a task.
const OF_TASKS: &str = "make gmake just task rake invoke inv mage poe nox";
/// They run a program in the environment of a project.
const OF_PROGRAMS: &str = "poetry uv pipenv bundle hatch pdm rye conda mise";
/// They run what a project calls so.
const OF_SCRIPTS: &str = "npm pnpm yarn bun composer turbo nx";
/// Options of the first with a value.
const WITH_VALUE: &str = "-C --directory -f --file -j -I -o -l -s";

impl Reader<'_> {
    /// A runner of tasks: a task that has no usual name may be any script.
    pub(super) fn task(&mut self, name: &str, words: &[Argument], command: &Command) {
        if let Some(program) = inner_program(name, words) {
            return self.dispatch(program, command);
        }
        let is_usual = if is_one_of(OF_TASKS, name) {
            all_are_usual(words)
        } else {
            is_usual_verb(name, words)
        };
        if !is_usual {
            let shown: Vec<_> = words.iter().map(|word| word.shown.as_str()).collect();
            let shown = format!("{name} {}", shown.join(" "));
            self.places.miss(Unknown::Script, &shown);
        }
        self.work(name, words);
    }
}

/// The words that say what is to be done.
fn verbs(words: &[Argument]) -> impl Iterator<Item = &str> {
    let texts = operands(words).map(|word| word.text().unwrap_or_default());
    // A folder is the value of an option in front.
    texts.filter(|text| !text.starts_with('+') && !text.contains(['=', '/']))
}

/// The program that `poetry run` or `npm exec` runs.
fn inner_program<'w>(name: &str, words: &'w [Argument]) -> Option<&'w [Argument]> {
    let verb = verbs(words).next()?;
    let runs = is_one_of("exec x dlx", verb)
        || is_one_of(OF_PROGRAMS, name) && is_one_of("run tool", verb);
    let at = words.iter().position(|word| word.text() == Some(verb))?;
    let rest = &words[at + 1..];
    let options = rest.iter().take_while(|word| word.is_option()).count();
    runs.then(|| &rest[options..])
}

fn all_are_usual(words: &[Argument]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let is_usual = match word.text() {
            Some(text) if is_one_of(WITH_VALUE, text) => words.next().is_some(),
            Some(text) => text.starts_with('-') || text.contains('=') || programs::is_usual(text),
            None => false,
        };
        if !is_usual {
            return false;
        }
    }
    true
}

fn is_usual_verb(name: &str, words: &[Argument]) -> bool {
    let mut verbs = verbs(words);
    match verbs.next().unwrap_or_default() {
        "run" | "run-script" if is_one_of(OF_SCRIPTS, name) => {
            verbs.next().is_none_or(programs::is_usual)
        }
        "run" | "generate" | "xtask" | "task" | "script" | "r" => false,
        verb if is_one_of("yarn pnpm bun", name) => {
            verb.is_empty() || programs::is_usual(verb) || programs::is_of_packages(verb)
        }
        "g" | "runner" | "new" => !is_one_of("rails mix", name),
        _ => true,
    }
}
