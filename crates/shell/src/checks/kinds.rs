//! What a program with its words is, as far as checks go.

use crate::programs::{self, Effect, Of, Part, Program};

use crate::run::Run;
use crate::tasks::{checks_nothing, inner_program, is_of_part, of_task, only_mends};
use crate::text::{is_one_of, last_part};

/// What a program with its words is, as far as checks go.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum CommandKind {
    /// A check, in a folder that the words do not name.
    Check(Run),
    /// The program whose words begin here.
    Runs(usize),
    /// The same, but that it may be another one, or do less than its name says.
    MayRun(usize),
    /// The shell commands that it is given.
    Shell,
    /// It may mend what a check finds.
    Mends,
    /// It runs hooks of git.
    Hooks,
    /// It runs no check.
    Nothing,
    /// Nobody knows.
    Anything,
}

/// Words that say only how a program is told, whichever it is.
const OF_NO_CONCERN: &str = "--quiet --verbose --verbose=true --silent --color=always --color=never --color=auto --no-color \
    --colors --no-progress --offline --";
/// Words with which a program runs nothing.
const NO_RUN: &str = "--help --version -V --no-run --collect-only --co --list --list-tests --listTests --dry-run --just-print \
    --showConfig --print-config";
/// Words with which it goes on.
const GOES_ON: &str = "--watch --watchAll -w --looponfail -f";

/// Whether a word says only how the check of a program is told, or in what order it works.
pub(super) fn of_no_concern(program: Option<Program>, word: &str) -> bool {
    is_one_of(OF_NO_CONCERN, word)
        || program.is_some_and(|it| it.list("tells").any(|known| known == word))
}

/// Whether a program does nothing with these words but to tell of itself, or what it would do.
pub(super) fn runs_nothing(program: Option<Program>, texts: &[&str]) -> bool {
    let is_it = |text: &&str| {
        text.starts_with('-') && is_one_of(NO_RUN, text) && !of_no_concern(program, text)
    };
    let Some(at) = texts.iter().position(is_it) else {
        return false;
    };
    // What follows the code that a language is given, or the program of another machine, is for that.
    let others = [Effect::Shell, Effect::Code, Effect::Elsewhere];
    at == 0 || !program.is_some_and(|it| others.contains(&it.effect(&[])))
}

/// What `program`, which is called `name`, does with `texts`.
pub(super) fn kind(name: &str, program: Program, texts: &[&str]) -> CommandKind {
    if runs_nothing(Some(program), texts) {
        return CommandKind::Nothing;
    }
    let watches = |text: &&str| is_one_of(GOES_ON, text) || text.starts_with("--watch");
    if program.is("watches") && texts.iter().any(watches) {
        return CommandKind::Anything;
    }
    if let Some(at) = inner_program(program, texts) {
        // What has the name of a program of the system may be what the project calls so.
        let inner = texts.get(at).and_then(|name| programs::of(name));
        let is_of_system = inner.is_some_and(|it| it.effect(&[]) == Effect::Reads);
        return if is_of_system {
            CommandKind::Anything
        } else {
            runs_inner(program, texts, at)
        };
    }
    match program.part(texts) {
        (Some(line), Part::Check(of)) if !line.is("goal") => {
            let verbs = line.words().filter(|word| !word.starts_with('-')).count();
            let taken: Vec<_> = program.operands(texts).take(verbs).collect();
            let rest = without(texts, &taken);
            check(program, line.family(), of, line.is("task"), &rest)
        }
        (_, Part::Mends) => CommandKind::Mends,
        (_, Part::Hooks) if texts.contains(&"--no-verify") => CommandKind::Nothing,
        (_, Part::Hooks) => CommandKind::Hooks,
        // `awk` may run others.
        (_, Part::Nothing) => {
            nothing_if(!program.is("code") || !texts.iter().any(|it| it.contains("system")))
        }
        (Some(_), Part::Anything) => CommandKind::Anything,
        _ if program.is("scripts") => script(name, program, texts),
        _ if program.is("goals") => goals(name, program, texts),
        _ => by_effect(name, program, texts),
    }
}

fn check(program: Program, family: String, of: Of, is_task: bool, rest: &[&str]) -> CommandKind {
    let rest = rest
        .iter()
        .filter(|word| !of_no_concern(Some(program), word));
    let is_part =
        |task: &str| !matches!(program.part(&[task]).1, Part::Check(_)) && is_of_part(task, of);
    CommandKind::Check(Run {
        is_part: is_task && family.split(' ').skip(1).any(is_part),
        family,
        of,
        is_task,
        words: rest.map(|word| (*word).to_owned()).collect(),
        ..Run::default()
    })
}

/// A program that is none of its words' checks.
fn by_effect(name: &str, program: Program, texts: &[&str]) -> CommandKind {
    let first = texts.first().copied().unwrap_or_default();
    match program.effect(&[]) {
        Effect::Runs => match behind_prefix(program, texts) {
            (at, true) => CommandKind::Runs(at),
            // It says where a program is.
            _ if name == "command"
                && first.trim_start_matches(['-', 'p']).starts_with(['v', 'V']) =>
            {
                CommandKind::Nothing
            }
            _ => CommandKind::Anything,
        },
        Effect::Shell => CommandKind::Shell,
        Effect::Evaluates if name == "eval" => CommandKind::Nothing,
        Effect::Sources => {
            nothing_if(programs::of(last_part(first)).is_some_and(|it| it.is("set-up")))
        }
        Effect::Git | Effect::Tasks if program.operands(texts).next().is_none() => {
            CommandKind::Nothing
        }
        // What it says of a verb is all that it does; an alias may run anything.
        Effect::Git if program.effect(texts) != Effect::Git => CommandKind::Nothing,
        Effect::Finds => {
            let runs = |text: &&str| text.starts_with("-exec") || text.starts_with("-ok");
            nothing_if(!texts.iter().any(runs))
        }
        Effect::Code if program.is("python") => python(texts),
        // A program of the project: `php artisan`.
        Effect::Code if programs::of(last_part(first)).is_some_and(|it| it.is("wrapper")) => {
            CommandKind::Runs(0)
        }
        _ => CommandKind::Anything,
    }
}

/// Managers of packages, which run what a project calls so.
fn script(name: &str, program: Program, texts: &[&str]) -> CommandKind {
    let mut operands = program.operands(texts);
    let Some(verb) = operands.next() else {
        // `yarn` alone installs.
        return nothing_if(name == "yarn" || texts.is_empty());
    };
    let at = match texts[verb] {
        "run" | "run-script" => match operands.next() {
            Some(at) => at,
            None => return CommandKind::Nothing,
        },
        _ => verb,
    };
    let task = if is_one_of("t tst", texts[at]) {
        "test"
    } else {
        texts[at]
    };
    let is_named = at > verb || task == "test";
    let known = programs::of(texts[at]).filter(|_| !is_named && program.is("bare"));
    if known.is_some_and(|it| kind(texts[at], it, &texts[at + 1..]) != CommandKind::Anything) {
        // The program of a package.
        return runs_inner(program, texts, at);
    }
    let front = texts[..at].iter();
    let front = front.filter(|it| !is_one_of("run run-script", it));
    let rest: Vec<_> = front.chain(&texts[at + 1..]).copied().collect();
    match of_task(task).filter(|_| is_named || program.is("bare")) {
        Some(of) => check(program, format!("{name} {task}"), of, true, &rest),
        None if only_mends(task) => CommandKind::Mends,
        None => CommandKind::Anything,
    }
}

/// A runner of tasks, each of its words one.
fn goals(name: &str, program: Program, texts: &[&str]) -> CommandKind {
    let at: Vec<_> = program
        .operands(texts)
        .filter(|at| !texts[*at].contains('='))
        .collect();
    let is_of_java = is_one_of("gradle gradlew mvn mvnw", name);
    let names = at.iter().map(|at| texts[*at]);
    let names: Vec<_> = names
        .filter(|name| !is_of_java || *name != "clean")
        .collect();
    let rest = without(texts, &at);
    let of = |name: &str| {
        let task = name.rsplit(':').next().unwrap_or(name);
        match program.part(&[task]) {
            (_, Part::Check(of)) => Some(of),
            _ => of_task(task),
        }
    };
    let of = match names.as_slice() {
        [] if is_of_java => return CommandKind::Nothing,
        [] if is_one_of("just task invoke inv", name) => return CommandKind::Anything,
        [] => Some(Of::Anything),
        // What follows the name of a recipe are its arguments.
        [first, ..] if name == "just" => of(first),
        [one] => of(one),
        all if all.iter().all(|it| of(it).is_some()) => Some(Of::Anything),
        _ => None,
    };
    match of {
        Some(of) => {
            // The wrapper runs the same.
            let name = program.list("as").next().unwrap_or(name);
            let family = [&[name], names.as_slice()].concat().join(" ");
            check(program, family, of, true, &rest)
        }
        None if names.iter().all(|name| only_mends(name)) => CommandKind::Mends,
        None => nothing_if(names.iter().all(|name| checks_nothing(name))),
    }
}

/// The words that do not stand at these places.
fn without<'t>(texts: &[&'t str], places: &[usize]) -> Vec<&'t str> {
    let rest = texts.iter().enumerate();
    let rest = rest.filter(|(at, _)| !places.contains(at));
    rest.map(|(_, text)| *text).collect()
}

/// It runs no check if this is so; else nobody knows.
fn nothing_if(runs_none: bool) -> CommandKind {
    if runs_none {
        CommandKind::Nothing
    } else {
        CommandKind::Anything
    }
}

fn python(texts: &[&str]) -> CommandKind {
    let is_option = |text: &&str| is_one_of("-u -B -s -I -E", text);
    let options = texts.iter().take_while(|text| is_option(text)).count();
    match &texts[options..] {
        ["-m", ..] => CommandKind::Runs(options + 1),
        [file, ..] if *file == "manage.py" || file.ends_with("/manage.py") => {
            CommandKind::Runs(options)
        }
        _ => CommandKind::Anything,
    }
}

/// Where the words of the program begin which a prefix runs, and whether it does so with all options in front.
pub(crate) fn behind_prefix(program: Program, texts: &[&str]) -> (usize, bool) {
    let (mut at, mut goes_on) = (0, true);
    while let Some(text) = texts.get(at) {
        let sets_variable = program.is("env") && text.contains('=');
        let is_duration = program.is("later") && text.starts_with(|it: char| it.is_ascii_digit());
        if !(text.starts_with('-') || sets_variable || is_duration) {
            break;
        }
        goes_on &= !text.starts_with('-') || with_option(program, text);
        at += if program.list("valued").any(|it| it == *text) {
            2
        } else {
            1
        };
        if *text == "--" {
            break;
        }
    }
    (at, goes_on)
}

/// A program behind the words of one that runs it.
fn runs_inner(program: Program, texts: &[&str], at: usize) -> CommandKind {
    let mut options = texts[..at].iter().filter(|text| text.starts_with('-'));
    let is_known =
        |text: &&str| with_option(program, text) || program.lines_with(text).next().is_some();
    if options.all(is_known) {
        CommandKind::Runs(at)
    } else {
        CommandKind::MayRun(at)
    }
}

/// Whether a program that is told so does the work of another one unchanged. A value may stand in the same word.
fn with_option(program: Program, option: &str) -> bool {
    let is_valued = |known: &str| program.list("valued").any(|it| it == known);
    let is_it = |known: &str| {
        let value = option.strip_prefix(known);
        value.is_some_and(|value| {
            let in_word = if known.starts_with("--") {
                value.starts_with('=')
            } else {
                is_valued(known)
            };
            value.is_empty() || in_word
        })
    };
    option == "--" || program.list("goes").any(is_it)
}
