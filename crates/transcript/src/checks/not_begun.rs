//! Whether a check could not begin, by what was printed in its place.

use attest_shell::Run;
use attest_shell::text::{is_one_of, last_part};

/// Who says, as the first word of a line, that what was to be run is not there: a shell, or what begins other programs.
const STARTERS: &str =
    "sh bash dash ash zsh ksh fish (eval) cd env timeout python command script task";
/// What they say of it, as does the program of the check itself.
const NOT_THERE: [&str; 6] = [
    "not found",
    "o such file",
    "annot find",
    "No module named",
    "ermission denied",
    "can't cd to",
];
/// What is said of nothing else, whoever says it.
const NOTHING_TO_RUN: [&str; 7] = [
    "issing script",
    "no such command",
    "No rule to make target",
    "could not find `Cargo.toml`",
    "Failed to spawn",
    "is not recognized as",
    "The system cannot find",
];
/// The statuses of a shell that finds no program, or cannot run it.
const NO_PROGRAM: [i32; 2] = [126, 127];

/// Whether a run that ended so could not begin.
pub(super) fn is_not_begun(run: &Run, status: i32, printed: &str) -> bool {
    NO_PROGRAM.contains(&status) || printed.lines().any(|line| says_so(line, run))
}

/// Whether all that a run with a hidden status printed says so. What has begun prints more, and tests print such lines of
/// what they try.
pub(super) fn prints_that_it_has_not_begun(run: &Run, printed: &str) -> bool {
    let mut lines = printed.lines().filter(|line| !line.trim().is_empty());
    let says_why = printed.lines().any(|line| says_so(line, run));
    says_why && lines.all(|line| is_of_starter(line, run))
}

/// Whether a line says that what was to be run could not begin, rather than what a check found: that files or names are
/// missing is what checks find every day.
fn says_so(line: &str, run: &Run) -> bool {
    let has = |list: &[&str]| list.iter().any(|part| line.contains(part));
    is_of_starter(line, run) && has(&NOT_THERE) || has(&NOTHING_TO_RUN)
}

/// Whether a line is of what begins other programs, or of the program itself, by its first word.
fn is_of_starter(line: &str, run: &Run) -> bool {
    let line = line.trim_start();
    let bare = ["error: ", "error "].iter();
    let mut bare = bare.filter_map(|it| line.strip_prefix(it));
    let mut words = bare.next().unwrap_or(line).split([':', '[', ' ']);
    let who = last_part(words.next().unwrap_or_default()).to_lowercase();
    // "python3.12"
    let who = who.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    is_one_of(STARTERS, who.trim_start_matches('-')) || who == run.program()
}
