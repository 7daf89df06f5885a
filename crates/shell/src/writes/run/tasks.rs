//! Runners of tasks, and of programs with a project around them.

use crate::programs::{self, Program};

use super::texts;
use crate::places::{Unknown, leads_out};
use crate::tasks;
use crate::writes::argument::Argument;
use crate::writes::reader::{Input, Reader};

impl Reader<'_> {
    /// A runner of tasks: a task that has no usual name may be any script.
    pub(super) fn task(
        &mut self,
        name: &str,
        program: Program,
        words: &[Argument],
        input: Input<'_>,
    ) {
        if let Some(at) = tasks::inner_program(program, &texts(words)) {
            return self.deeper(|reader| reader.dispatch(&words[at..], input));
        }
        let is_usual = if program.is("goals") {
            all_are_usual(program, words)
        } else {
            is_usual_verb(program, words)
        };
        if !is_usual {
            let shown: Vec<_> = words.iter().map(|word| word.shown.as_str()).collect();
            let shown = format!("{name} {}", shown.join(" "));
            // A folder that is named is that of the task.
            let values = words.iter().flat_map(|word| word.values.iter().flatten());
            let mut folders = values.map(|value| value.rsplit('=').next().unwrap_or(value));
            if folders.any(leads_out) {
                self.places.miss(Unknown::Script, &shown);
            } else {
                self.unread("", &shown);
            }
        }
        self.work(name, words);
    }
}

/// The words that say what is to be done.
fn verbs<'w>(program: Program, words: &'w [&'w str]) -> impl Iterator<Item = &'w str> {
    let texts = program.operands(words).map(|at| words[at]);
    // A folder is the value of an option in front.
    texts.filter(|text| !text.contains(['=', '/']))
}

fn all_are_usual(program: Program, words: &[Argument]) -> bool {
    let words = texts(words);
    let is_valued = |word: &&str| program.list("valued").any(|it| it == *word);
    let mut tasks = program.operands(&words).map(|at| words[at]);
    !words.last().is_some_and(is_valued)
        && tasks.all(|task| task.contains('=') || tasks::is_usual(task))
}

fn is_usual_verb(program: Program, words: &[Argument]) -> bool {
    let words = texts(words);
    let mut verbs = verbs(program, &words);
    let has = |verb: &str, class: &str| program.line(class, &[verb]).is_some();
    match verbs.next().unwrap_or_default() {
        "run" | "run-script" if program.is("scripts") => verbs.next().is_none_or(tasks::is_usual),
        "run" | "generate" | "xtask" | "task" | "script" | "r" => false,
        verb if program.is("bare") => {
            let is_tool = programs::of(verb).is_some_and(|it| it.is("tool"));
            verb.is_empty() || tasks::is_usual(verb) || is_tool || has(verb, "nothing")
        }
        verb => !has(verb, "makes"),
    }
}
