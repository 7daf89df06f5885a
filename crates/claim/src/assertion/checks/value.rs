//! From the text of a value to its parts, each with one outcome.

use super::Checked;
use super::words::{Meaning, is_program, meaning};

/// The longest value that is read, in bytes.
const MAX_BYTES: usize = 400;
/// The most commands of a value.
const MAX_COMMANDS: usize = 12;
/// What separates a command without back-ticks from what is said of it.
const BEHIND_COMMAND: [&str; 9] = [
    " (", ": ", " — ", " – ", " - ", " → ", " -> ", " => ", " = ",
];

/// One outcome, with all that it is of.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) commands: Vec<String>,
    pub(super) things: Vec<Checked>,
    pub(super) passed: bool,
}

/// The parts of a value, if every word of it is understood.
pub(super) fn read(text: &str) -> Option<Vec<Part>> {
    if text.len() > MAX_BYTES {
        return None;
    }
    let mut reader = Reader::default();
    let text = text.trim();
    let rest = match bare_command(text) {
        Some((command, rest)) => {
            reader.command(command)?;
            rest
        }
        None => text,
    };
    for (at, piece) in rest.split('`').enumerate() {
        if at % 2 == 1 {
            reader.command(piece.trim())?;
        } else {
            reader.prose(piece)?;
        }
    }
    (rest.matches('`').count() % 2 == 0).then_some(())?;
    reader.finish()
}

/// A command in front: "cargo test (42 passed)", "npm test — all pass".
fn bare_command(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start_matches(|c: char| !c.is_ascii() || c == ' ' || c == '*');
    let first = text.split_whitespace().next()?.trim_end_matches(':');
    is_program(first).then_some(())?;
    let ends = BEHIND_COMMAND.iter().filter_map(|sign| text.find(sign));
    let end = ends.min()?;
    let (command, rest) = text.split_at(end);
    let is_plain = |c: char| c.is_ascii() && !matches!(c, '`' | ',' | ';' | '*' | '(');
    command.chars().all(is_plain).then_some((command, rest))
}

#[derive(Debug, Default)]
struct Reader {
    parts: Vec<Part>,
    /// What is said before any command.
    loose: Said,
    commands: Vec<String>,
    said: Said,
}

/// What the words of a part come to.
#[derive(Debug, Default)]
struct Said {
    things: Vec<Checked>,
    has_passed: bool,
    has_failed: bool,
}

impl Said {
    fn passed(&self) -> Option<bool> {
        (self.has_passed || self.has_failed).then_some(!self.has_failed)
    }
}

impl Reader {
    fn command(&mut self, command: &str) -> Option<()> {
        (!command.is_empty() && self.count() < MAX_COMMANDS).then_some(())?;
        if !self.commands.is_empty() && self.said.passed().is_some() {
            self.end();
        }
        self.commands.push(command.to_owned());
        Some(())
    }

    fn count(&self) -> usize {
        let done = self.parts.iter().map(|part| part.commands.len());
        done.sum::<usize>() + self.commands.len()
    }

    /// Ends the part that has an outcome.
    fn end(&mut self) {
        let said = std::mem::take(&mut self.said);
        let commands = std::mem::take(&mut self.commands);
        self.parts.extend(said.passed().map(|passed| Part {
            commands,
            things: said.things,
            passed,
        }));
    }

    fn finish(mut self) -> Option<Vec<Part>> {
        if self.commands.is_empty() {
            self.said = std::mem::take(&mut self.loose);
        } else if self.said.passed().is_none() {
            // "All pass (`npm test`)"; but what is said of none of several commands is not said of all.
            (self.parts.is_empty() && self.loose.passed().is_some()).then_some(())?;
            self.said = std::mem::take(&mut self.loose);
        }
        self.end();
        Some(self.parts)
    }

    /// Takes the words between commands.
    fn prose(&mut self, text: &str) -> Option<()> {
        let said = if self.commands.is_empty() {
            &mut self.loose
        } else {
            &mut self.said
        };
        let words = words(text)?;
        let mut words = words.iter().peekable();
        let mut count = Count::None;
        let mut awaits_status = false;
        while let Some(word) = words.next() {
            let word = match word {
                Word::Number(number) if std::mem::take(&mut awaits_status) => {
                    said.add(Meaning::Failed, Count::Of(*number))?;
                    continue;
                }
                Word::Number(number) => {
                    count = Count::Of(*number);
                    continue;
                }
                Word::Share(some, all) => {
                    // "40/42 passed" failed in two.
                    said.has_passed |= some == all && *all > 0;
                    said.has_failed |= some != all;
                    count = Count::None;
                    continue;
                }
                Word::Text(word) => meaning(word)?,
            };
            let follows = match words.peek() {
                Some(Word::Number(number)) if count == Count::None => Some(*number),
                _ => None,
            };
            match word {
                Meaning::Exit => awaits_status = true,
                Meaning::Passed | Meaning::Failed => {
                    // "Failed: 0" has its count behind it.
                    if let Some(number) = follows {
                        words.next();
                        count = Count::Of(number);
                    }
                    said.add(word, std::mem::take(&mut count))?;
                }
                Meaning::Neutral => count = Count::None,
                Meaning::Nothing => count = Count::Of(0),
                Meaning::Thing(thing) if !said.things.contains(&thing) => said.things.push(thing),
                Meaning::Thing(_) | Meaning::Filler => {}
            }
        }
        (!awaits_status).then_some(())
    }
}

/// The number in front of a word.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Count {
    #[default]
    None,
    Of(u64),
}

impl Said {
    fn add(&mut self, word: Meaning, count: Count) -> Option<()> {
        match (word, count) {
            (Meaning::Passed, Count::Of(0)) => return None,
            (Meaning::Passed, _) | (Meaning::Failed, Count::Of(0)) => {
                self.has_passed = true;
            }
            _ => self.has_failed = true,
        }
        Some(())
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Word {
    Text(String),
    Number(u64),
    /// So many of so many.
    Share(u64, u64),
}

/// The words of a prose; `None` if there is something that is not one.
fn words(text: &str) -> Option<Vec<Word>> {
    let text = text.replace("→", " ").replace("->", " ").replace("=>", " ");
    let is_gap = |c: char| c.is_whitespace() || "()[],;:.!*_—–=|&+\u{fe0f}".contains(c);
    let mut words = Vec::new();
    // A figure with a point is one word.
    let pieces = text.split_whitespace().flat_map(|piece| {
        let core = piece.trim_matches(is_gap);
        if is_figure(core) {
            vec![core]
        } else {
            piece.split(is_gap).collect()
        }
    });
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        let unmarked = piece.trim_start_matches(['✅', '✓', '✔', '❌', '✗', '✘']);
        for mark in piece[..piece.len() - unmarked.len()].chars() {
            let is_good = matches!(mark, '✅' | '✓' | '✔');
            words.push(Word::Text(if is_good { "ok" } else { "failed" }.to_owned()));
        }
        words.extend(word(unmarked).ok()?);
    }
    Some(words)
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

/// The word, or none if it is one that says nothing; an error if it is no word.
fn word(text: &str) -> Result<Option<Word>, ()> {
    if text.is_empty() || text == "-" || is_figure(text) {
        return Ok(None);
    }
    if let Some((some, all)) = text.split_once('/')
        && let (Ok(some), Ok(all)) = (some.parse(), all.parse())
    {
        return Ok(Some(Word::Share(some, all)));
    }
    if text.starts_with(|c: char| c.is_ascii_digit()) {
        return text.parse().map(|it| Some(Word::Number(it))).map_err(drop);
    }
    let is_word = |c: char| c.is_alphabetic() || c == '-';
    if !text.chars().all(is_word) {
        return Err(());
    }
    Ok(Some(Word::Text(text.to_lowercase().replace('-', ""))))
}
