//! What the name of a task says that somebody wrote: `test:unit`, `build-all`.

use crate::programs::{self, Of, Part, Program};

use crate::text::is_one_of;

/// Whether one of the words of a name says this.
fn has(task: &str, class: &str) -> bool {
    words(task).any(|word| programs::word_of_task(&word).is_some_and(|line| line.is(class)))
}

/// Whether a task of that name only looks at a project: `test`, `lint-all`, `check:types`.
pub(crate) fn only_checks(task: &str) -> bool {
    has(task, "checks") && !has(task, "makes")
}

/// Whether a task of that name builds the project that it is of.
pub(crate) fn is_usual(task: &str) -> bool {
    let is_usual =
        |word: String| programs::word_of_task(&word).is_some_and(|line| line.is("usual"));
    only_checks(task) || words(task).next().is_some() && words(task).all(is_usual)
}

/// What a task of this name checks; `None` if it may do anything.
pub(crate) fn of_task(task: &str) -> Option<Of> {
    if has(task, "runs-on") {
        return None;
    }
    let says = |word: &str| words(task).any(|it| it == word);
    if says("type") && says("check") && !has(task, "tests") {
        return Some(Of::Types);
    }
    let checks = says("check") && has(task, "mends") && !says("fix");
    let all = [Of::Tests, Of::Types, Of::Lint, Of::Build, Of::Anything];
    let is_of = |of: &Of| {
        let is_of_word = |word: String| {
            programs::word_of_task(&word).and_then(programs::Line::part) == Some(Part::Check(*of))
        };
        *of == Of::Lint && checks || words(task).any(is_of_word)
    };
    all.into_iter().find(is_of)
}

/// Whether a word in the name of a task that checks this may make it smaller than all of that: `test:unit`.
pub(crate) fn is_of_part(task: &str, of: Of) -> bool {
    !words(task).all(|word| {
        programs::word_of_task(&word).is_some_and(|line| match line.part() {
            Some(Part::Check(it)) => (it == of || it == Of::Anything) && !line.is("part"),
            _ => line.is("whole"),
        })
    })
}

/// Whether a task of this name may mend what a check finds, and runs none.
pub(crate) fn only_mends(task: &str) -> bool {
    has(task, "mends") && of_task(task).is_none()
}

/// Whether a task of this name runs no check.
pub(crate) fn checks_nothing(task: &str) -> bool {
    programs::word_of_task(task).is_some_and(|line| line.is("nothing"))
}

/// The words of a name.
fn words(name: &str) -> impl Iterator<Item = String> {
    let words = name.split(|char: char| !char.is_alphanumeric());
    words
        .filter(|word| !word.is_empty())
        .map(str::to_ascii_lowercase)
}

/// The name of the program at a path, what is known of one that is called so, and whether it may be another one, since
/// it lies where anybody may have put it.
pub(crate) fn program_at(path: &str) -> (&str, Option<Program>, bool) {
    let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
    let is_elsewhere = path.len() > name.len() && !is_of_a_tool(folder);
    // A version may follow: `python3.12`.
    let (_, version) = name.rsplit_once('.').unwrap_or_default();
    let is_version = !version.is_empty() && version.bytes().all(|it| it.is_ascii_digit());
    let name = if is_version {
        name.trim_end_matches(|it: char| it == '.' || it.is_ascii_digit())
    } else {
        name
    };
    let known = programs::of(name);
    let is_wrapper = known.is_some_and(|it| it.is("wrapper"));
    (name, known, is_elsewhere && !is_wrapper)
}

/// Where the programs of the system lie, and those of tools that a project has installed.
pub(crate) fn is_of_a_tool(folder: &str) -> bool {
    const SYSTEM: &str =
        "/bin /sbin /usr/bin /usr/sbin /usr/local/bin /opt/homebrew/bin ~/.cargo/bin ~/.local/bin";
    const INSTALLED: &str = "node_modules/.bin venv/bin .venv/bin venv/Scripts vendor/bin";
    is_one_of(SYSTEM, folder) || INSTALLED.split(' ').any(|end| folder.ends_with(end))
}

/// Where the program stands that `poetry run` or `npm exec` runs.
pub(crate) fn inner_program(program: Program, words: &[&str]) -> Option<usize> {
    let line = program.line("inner", words)?;
    let verbs = line.words().filter(|word| !word.starts_with('-')).count();
    let at = program.operands(words).nth(verbs.checked_sub(1)?)?;
    let rest = &words[at + 1..];
    let next = program.operands(rest).next();
    Some(at + 1 + next.unwrap_or(rest.len()))
}
