//! From the text of a value to its parts, each with one outcome.

use attest_shell::programs::{self, Of};

use super::Checked;
use crate::path::shape::is_file;
use crate::words::{CHECKS, closed};

/// The longest value that is read, in bytes.
const MAX_BYTES: usize = 400;
/// The most back-ticks of a value: around eleven commands.
const MAX_TICKS: usize = 22;
/// What separates a command without back-ticks from what is said of it.
const BEHIND_COMMAND: [&str; 10] = [
    " (", ": ", ", ", " — ", " – ", " - ", " → ", " -> ", " => ", " = ",
];

/// One outcome, with all that it is of.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) commands: Vec<String>,
    pub(super) things: Vec<Checked>,
    pub(super) passed: Option<bool>,
}

/// The parts of a value, if every word of it is understood.
pub(super) fn read(text: &str) -> Option<Vec<Part>> {
    let ticks = || text.matches('`').count();
    if text.len() > MAX_BYTES || ticks() > MAX_TICKS || ticks() % 2 == 1 || has_note(text) {
        return None;
    }
    let parts: Option<Vec<_>> = clauses(text).into_iter().map(read_clause).collect();
    Some(parts?.into_iter().flatten().collect())
}

/// Whether more is said at the foot: "pass*", "pass[1]".
fn has_note(text: &str) -> bool {
    let is_star = text.ends_with(['*', '†', '¹']) && text.matches('*').count() < 2;
    let number = text.strip_suffix(']').and_then(|it| it.rsplit_once('['));
    is_star || number.is_some_and(|(_, it)| it.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A value, cut in front of each command without back-ticks but the first: "pytest -q (5 passed), npm test (3 passed)".
fn clauses(text: &str) -> Vec<&str> {
    let (mut depth, mut from, mut clauses) = (0, 0, Vec::new());
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' | ';' if depth == 0 && begins_with_check(&text[at + 1..]) => {
                clauses.push(&text[from..at]);
                from = at + 1;
            }
            _ => {}
        }
    }
    clauses.push(&text[from..]);
    clauses
}

fn read_clause(text: &str) -> Option<Vec<Part>> {
    // What is said before any command.
    let mut loose = Part::default();
    let mut parts = Vec::new();
    let rest = match bare_command(text) {
        Some((command, rest)) => {
            add_command(&mut parts, command)?;
            rest
        }
        None => text,
    };
    for (at, piece) in rest.split('`').enumerate() {
        if at % 2 == 1 {
            add_command(&mut parts, piece.trim())?;
        } else {
            parts.last_mut().unwrap_or(&mut loose).read(piece)?;
        }
    }
    match parts.as_mut_slice() {
        [] => parts.push(loose),
        // "All pass (`npm test`)"; but what is said of none of several commands is not said of all.
        [only] if only.passed.is_none() => {
            loose.commands = std::mem::take(&mut only.commands);
            *only = loose;
        }
        _ => {}
    }
    Some(parts)
}

/// A command or a file in front: "cargo test (42 passed)", "npm test — all pass", "flake8 clean", "t/a.py: 1 passed".
fn bare_command(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| !c.is_ascii() || c == '*' || c.is_whitespace());
    let text = text.strip_prefix("ran ").unwrap_or(text);
    let first = text.split_whitespace().next()?;
    let first = first.trim_end_matches([':', ',']);
    let program = first.rsplit('/').next()?;
    if !begins_with_check(first) && !is_file(first) {
        return None;
    }
    let ends = BEHIND_COMMAND.iter().filter_map(|sign| text.find(sign));
    let (command, rest) = text.split_at(ends.min().or_else(|| outcome_at(text, program))?);
    let is_plain = |c: char| c.is_ascii() && !matches!(c, '`' | ',' | ';' | '*' | '(');
    command.chars().all(is_plain).then_some((command, rest))
}

fn begins_with_check(text: &str) -> bool {
    let kinds = ["said", "tests", "lint", "types", "build", "mends"];
    let first = text.split_whitespace().next().unwrap_or_default();
    let program = first.trim_end_matches([':', ',']).rsplit('/').next();
    let known = program.and_then(programs::of);
    known.is_some_and(|it| kinds.iter().any(|kind| it.is(kind)))
}

/// Where the outcome begins that follows a command without a sign, and of which every word is understood.
fn outcome_at(text: &str, program: &str) -> Option<usize> {
    let starts = text.match_indices(' ').map(|(at, _)| at);
    let words: Vec<(usize, &str)> = starts
        .map(|at| (at, text[at + 1..].split(' ').next().unwrap_or_default()))
        .collect();
    // "cargo test should pass" names no command alone.
    let is_prose = |word: &str| {
        let class = closed(&word.to_lowercase());
        matches!(
            class,
            Some("modal" | "negation" | "auxiliary" | "pronoun" | "conjunction" | "adverb")
        )
    };
    // "make clean" is a command, as is "npm run clean".
    let is_check = |at: usize| {
        let command: Vec<_> = text[..at].split(' ').collect();
        let ends = (0..command.len()).map(|first| &command[first..]);
        let last = command.last().unwrap_or(&"");
        ends.filter_map(<[_]>::split_first).any(is_of_form)
            || CHECKS.has_any(last, &["lint", "types"])
    };
    (0..words.len()).find_map(|index| {
        let (at, said) = words[index];
        let before = index
            .checked_sub(1)
            .map_or(program, |before| words[before].1);
        let is_outcome = match word(said.trim_end_matches(['.', '!', ';'])) {
            Some(Word::Text("passed")) => said != "clean" || is_check(at),
            Some(Word::Text("failed" | "nothing" | "exit") | Word::Share(..)) => true,
            // "pytest -n 4"
            Some(Word::Number(_)) => !before.starts_with('-'),
            _ => false,
        };
        // "npm test all pass"
        let linked = words[..index].iter().rev();
        let links = linked
            .take_while(|(_, word)| CHECKS.has(word, "link"))
            .count();
        let (command, (at, _)) = (&words[..index - links], words[index - links]);
        let is_command = !command.iter().any(|(_, word)| is_prose(word));
        (is_outcome && is_command && self::words(&text[at..]).is_some()).then_some(at)
    })
}

/// Whether a program with these words is a check, or mends what one finds, and none of its words is a task: "eslint .".
fn is_of_form((program, words): (&&str, &[&str])) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    programs::of(name).is_some_and(|it| {
        let is_form = match it.part(words).1 {
            programs::Part::Check(of) => matches!(of, Of::Tests | Of::Lint | Of::Types),
            part => part == programs::Part::Mends,
        };
        is_form && !it.is("goals")
    })
}

/// Adds a command to the last part, or begins a new one behind an outcome.
fn add_command(parts: &mut Vec<Part>, command: &str) -> Option<()> {
    (!command.is_empty()).then_some(())?;
    match parts.last_mut() {
        Some(last) if last.passed.is_none() => last.commands.push(command.to_owned()),
        _ => parts.push(Part {
            commands: vec![command.to_owned()],
            ..Part::default()
        }),
    }
    Some(())
}

impl Part {
    /// Takes the words between commands.
    fn read(&mut self, text: &str) -> Option<()> {
        let words = words(text)?;
        let mut words = words.into_iter().peekable();
        // The number in front of a word, and that in front of "of".
        let (mut count, mut some) = (None, None);
        let mut awaits_status = false;
        while let Some(word) = words.next() {
            match word {
                Word::Number(number) if std::mem::take(&mut awaits_status) => {
                    self.add(number == 0);
                }
                Word::Number(all) if let Some(some) = some.take() => {
                    self.add_share(some, all);
                    count = None;
                }
                Word::Number(number) => count = Some(number),
                Word::Share(some, all) => {
                    self.add_share(some, all);
                    count = None;
                }
                Word::Text("share") => some = count,
                Word::Text("exit") => awaits_status = true,
                Word::Text(outcome @ ("passed" | "failed")) => {
                    // "Failed: 0" has its count behind it.
                    if let (None, Some(Word::Number(number))) = (count, words.peek()) {
                        count = Some(*number);
                        words.next();
                    }
                    let is_none = count.take() == Some(0);
                    if outcome == "passed" && is_none {
                        return None;
                    }
                    self.add(outcome == "passed" || is_none);
                }
                Word::Text("neutral") => count = None,
                // "4 new", but not "4 new tests pass".
                Word::Text("part") => {
                    let is_end = !matches!(words.peek(), Some(Word::Text(_)));
                    count.take().filter(|_| is_end)?;
                }
                Word::Text("worse") if count.take() == Some(0) => {}
                Word::Text("worse") => self.add(false),
                Word::Text("nothing") => count = Some(0),
                Word::Text(class) => {
                    let thing = Checked::of(class).filter(|thing| !self.things.contains(thing));
                    self.things.extend(thing);
                }
            }
        }
        (!awaits_status).then_some(())
    }

    /// "40/42 passed" failed in two.
    fn add_share(&mut self, some: u64, all: u64) {
        if (some, all) != (0, 0) {
            self.add(some == all);
        }
    }

    /// What failed once did not pass.
    fn add(&mut self, passed: bool) {
        self.passed = Some(passed && self.passed != Some(false));
    }
}

enum Word {
    /// The class of a word.
    Text(&'static str),
    Number(u64),
    /// So many of so many.
    Share(u64, u64),
}

/// The words of a prose; `None` if there is something that is not one.
fn words(text: &str) -> Option<Vec<Word>> {
    let text = text.replace("→", " ").replace("->", " ").replace("=>", " ");
    let is_gap = |c: char| c.is_whitespace() || "()[],;:.!*_—–=|&+\u{fe0f}".contains(c);
    // A figure with a point is one word.
    let pieces = text
        .split_whitespace()
        .filter(|piece| !is_figure(piece.trim_matches(is_gap)));
    let pieces = pieces.flat_map(|piece| piece.split(is_gap));
    let words = pieces.flat_map(|piece| piece.split_inclusive(['✅', '✓', '✔', '❌', '✗', '✘']));
    let says_more = |word: &&str| *word != "-" && !is_figure(word);
    words.filter(says_more).map(word).collect()
}

/// A time, a share in percent or a fraction, which says nothing: "0.32s", "100%".
fn is_figure(text: &str) -> bool {
    let units = ["ms", "s", "sec", "secs", "seconds", "min", "m", "%"];
    let is_number = |text: &str| {
        text.contains(|c: char| c.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || c == '.')
    };
    is_number(text) && text.contains('.')
        || units
            .iter()
            .any(|unit| text.strip_suffix(unit).is_some_and(is_number))
}

fn word(text: &str) -> Option<Word> {
    if let Some((some, all)) = text.split_once('/')
        && let (Ok(some), Ok(all)) = (some.parse(), all.parse())
    {
        return Some(Word::Share(some, all));
    }
    if let Ok(number) = text.parse() {
        return Some(Word::Number(number));
    }
    CHECKS
        .class(&text.to_lowercase().replace('-', ""))
        .map(Word::Text)
}
