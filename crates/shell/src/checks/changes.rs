//! Whether a program that runs no check may have changed what one looks at.

use crate::programs::{Effect, Program};

use crate::run::is_prose;
use crate::text::{is_one_of, is_short_option, last_part};

/// What is left behind by programs, and taken away again.
const LEFT: &str = "build dist target out coverage htmlcov node_modules __pycache__ tmp";

/// Whether it may have changed code with these words, or put back other code. What is understood to write only elsewhere,
/// or only prose, has not.
pub(super) fn changes_code(name: &str, program: Program, words: &[&str]) -> bool {
    let operands = || words.iter().filter(|word| !word.starts_with('-'));
    let is_code = |word: &&str| !is_beside_code(word);
    let is_named = |word: &&str| is_code(word) && has_extension(word);
    match program.effect(words) {
        _ if changes_settings(program, words) || installs(program, words).is_some() => true,
        _ if program.is("removes") => operands().any(|word| !is_left(word)),
        // The mode and the owner of a file are not what it holds.
        Effect::Names { skip: 0 } => operands().any(is_named),
        Effect::Copies if name == "mv" => operands().any(is_code),
        Effect::Copies => operands().next_back().is_some_and(is_code),
        Effect::Edits => name == "sd" || words.iter().any(|word| edits_in_place(word)),
        Effect::Finds => !program.looks(words),
        // What `awk` prints may go into a file.
        Effect::Code => words
            .iter()
            .any(|word| word.contains('>') || word.contains("inplace")),
        Effect::Into => words.iter().any(|word| {
            let mut options = program.list("into").chain(["-O", "--remote-name"]);
            options.any(|option| word.starts_with(option))
        }),
        Effect::Reads => {
            let others = match name {
                "fd" | "fdfind" => "-x -X --exec --exec-batch",
                "gh" | "glab" | "hub" => "checkout co clone sync download",
                _ => "",
            };
            words.iter().any(|word| is_one_of(others, word))
        }
        Effect::Here if name == "git" => git_changes(program, words),
        _ => false,
    }
}

/// Whether a manager of packages changes what the tasks of a project do, or what they are run with.
pub(super) fn changes_settings(program: Program, words: &[&str]) -> bool {
    let mut lines = program.part(words).0.into_iter();
    lines.any(|line| line.is("settings"))
        && words
            .iter()
            .any(|word| is_one_of("set delete rm unset fix edit", word))
}

/// What a manager of packages installs, updates or takes away by name: none where it takes what the project lists. `None`
/// if it does none of that.
pub(super) fn installs<'w>(program: Program, words: &[&'w str]) -> Option<Vec<&'w str>> {
    const VERBS: &str = "install i ci add remove rm uninstall update up upgrade link unlink dedupe require sync lock tidy get fix";
    const VALUED: &str = "-r -c --requirement --constraint";
    let mut lines = program.part(words).0.into_iter();
    lines.find(|line| line.is("packages"))?;
    let verb = words.iter().position(|word| is_one_of(VERBS, word))?;
    let named = program.operands(words).filter(|at| *at > verb);
    let named = named.filter(|at| !is_one_of(VALUED, words[at - 1]));
    // The project itself, also with what it lists as extras.
    let is_other = |word: &&str| *word != "." && !word.starts_with(".[");
    Some(named.map(|at| words[at]).filter(is_other).collect())
}

/// Whether a file that is taken away is none of the code.
fn is_left(word: &str) -> bool {
    let name = last_part(word.trim_end_matches('/'));
    let is_hidden = name.starts_with('.') && name.contains(char::is_alphanumeric);
    is_hidden || is_prose(word) || is_one_of(LEFT, name) || is_scratch(word)
}

/// Whether a file is none that a check reads, by its name or as a text that is only for a while.
pub(super) fn is_beside_code(word: &str) -> bool {
    is_prose(word) || is_scratch(word) && word.rsplit('.').next() == Some("txt")
}

fn is_scratch(word: &str) -> bool {
    word.starts_with("/tmp/")
}

fn has_extension(word: &str) -> bool {
    last_part(word)
        .trim_start_matches('.')
        .contains(['.', '…', '*'])
}

fn edits_in_place(word: &str) -> bool {
    is_short_option(word) && word.contains('i') || word.starts_with("--in")
}

/// Whether git changes the files of its work tree, and not only what it keeps itself.
fn git_changes(program: Program, words: &[&str]) -> bool {
    let operands: Vec<_> = program.operands(words).map(|at| words[at]).collect();
    let verb = program.operands(words).next().unwrap_or_default();
    let has = |list: &str| words[verb..].iter().any(|word| is_one_of(list, word));
    match operands.as_slice() {
        [verb, ..] if is_one_of("add commit init archive format-patch bundle worktree", verb) => {
            false
        }
        // A new branch begins here.
        ["checkout" | "switch", _] => !has("-b -B -c -C --create"),
        ["stash", "list" | "show" | "drop", ..] => false,
        ["reset", ..] => has("--hard --merge --keep"),
        ["restore", ..] => !has("--staged -S") || has("--worktree -W"),
        ["rm", ..] => !has("--cached"),
        _ => true,
    }
}
