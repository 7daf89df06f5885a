//! What is looked for in the lines of a transcript while it is read, since nobody reads it again: whether an agent was
//! shown a text, such as the name of a commit, and whether it may know what a file holds without a call of its own
//! that shows it.

use std::collections::HashSet;

use attest_evidence::{Budget, TooMuch};
use memchr::memmem;

use crate::record::{Block, Event, Line};

/// How a line that holds a picture says so: nobody can search one.
const PICTURE: &str = "\"type\":\"image\"";
/// Lines of a file that are looked for in what an agent was told.
const MOST_LINES: usize = 500;
/// The shortest of them, in bytes: others stand in many files.
const SHORTEST: usize = 8;
/// The longest line of a transcript in which they are looked for.
const MOST_TOLD: usize = 256 * 1024;
/// What the host notes of a prompt or of a request: it repeats what the agent was told.
const REPEATS: [&str; 4] = [
    "\"prompt_snapshot\"",
    "\"api-request",
    "\"queue-operation\"",
    "\"last-prompt\"",
];

/// What is looked for.
#[derive(Clone, Debug, Default)]
pub struct Sought {
    /// Texts, in whatever case.
    pub texts: Vec<String>,
    /// Files.
    pub files: Vec<SoughtFile>,
    /// What is in the host's feedback that attest itself has given: it shows no text.
    pub feedback: &'static str,
    /// What going through the lines may cost.
    pub budget: Budget,
}

/// A file that an agent may know.
#[derive(Clone, Debug)]
pub struct SoughtFile {
    /// What it is asked for by.
    pub file: String,
    /// The last part of its path.
    pub name: String,
    /// What it holds.
    pub text: String,
}

/// What may have shown a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Anything but the agent itself, and but feedback of attest's own.
    Others,
    /// That, and what the agent gave to its tools.
    Calls,
}

/// What was found of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// It was shown.
    Yes,
    /// Every line was read, and none shows it.
    No,
    /// A line could not be read, or the host's transcripts do not keep what tools answer.
    Unknown,
}

/// What was found so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    texts: Vec<Text>,
    files: Vec<Known>,
    feedback: &'static str,
    /// Whether a line is of a form whose lines have all that was shown.
    is_kept: bool,
    /// Whether a line may have shown anything.
    is_unknown: bool,
    budget: Budget,
}

#[derive(Clone, Debug)]
struct Text {
    /// In lower case.
    lower: String,
    by_others: bool,
    by_calls: bool,
    is_unknown: bool,
}

#[derive(Clone, Debug)]
struct Known {
    file: String,
    name: String,
    /// Lines of it that are its own, and stand in JSON as they are.
    samples: Vec<String>,
    is_given: bool,
}

impl Search {
    pub(super) fn of(sought: Sought) -> Self {
        let texts = sought.texts.iter().map(|text| Text {
            lower: text.to_ascii_lowercase(),
            by_others: false,
            by_calls: false,
            is_unknown: false,
        });
        let files = sought.files.into_iter().map(|sought| {
            let samples = samples(&sought.text);
            Known {
                is_given: samples.is_empty() || !is_plain(&sought.name),
                file: sought.file,
                name: sought.name,
                samples,
            }
        });
        Self {
            texts: texts.collect(),
            files: files.collect(),
            feedback: sought.feedback,
            budget: sought.budget,
            ..Self::default()
        }
    }

    pub(super) fn shown(&self, text: &str, source: Source, is_whole: bool) -> Shown {
        let text = text.to_ascii_lowercase();
        let Some(found) = self.texts.iter().find(|it| it.lower == text) else {
            return Shown::Unknown;
        };
        let is_shown = match source {
            Source::Others => found.by_others,
            Source::Calls => found.by_calls,
        };
        let is_known = is_whole && self.is_kept && !self.is_unknown && !found.is_unknown;
        match (is_shown, is_known) {
            (true, _) => Shown::Yes,
            (false, true) => Shown::No,
            (false, false) => Shown::Unknown,
        }
    }

    /// What was not looked for may be known.
    pub(super) fn is_given(&self, file: &str) -> bool {
        let known = self.files.iter().find(|known| known.file == file);
        known.is_none_or(|known| known.is_given)
    }

    pub(super) fn add(&mut self, text: &str, line: &Line) {
        let of_texts = self.find_texts(text, line);
        if of_texts.and_then(|()| self.find_files(text, line)).is_err() {
            // What is not looked for any more may be shown, and known.
            self.texts.clear();
            self.files.clear();
        }
    }

    fn find_texts(&mut self, text: &str, line: &Line) -> Result<(), TooMuch> {
        if self.texts.is_empty() {
            return Ok(());
        }
        self.budget.take(text.len() * self.texts.len())?;
        let voice = Voice::of(line);
        let is_kept = line.is_own.is_some();
        self.is_kept |= is_kept;
        let is_own = matches!(voice, Voice::Own | Voice::Call);
        self.is_unknown |= !is_own && memmem::find(text.as_bytes(), PICTURE.as_bytes()).is_some();
        self.is_unknown |= !is_kept && voice == Voice::Answer;
        let is_feedback =
            voice == Voice::Other && !self.feedback.is_empty() && text.contains(self.feedback);
        for sought in &mut self.texts {
            if !has_in_any_case(text.as_bytes(), sought.lower.as_bytes()) {
                continue;
            }
            sought.is_unknown |= !is_kept;
            sought.by_others |= is_kept && !is_own && !is_feedback;
            sought.by_calls |= is_kept && voice != Voice::Own;
        }
        Ok(())
    }

    fn find_files(&mut self, text: &str, line: &Line) -> Result<(), TooMuch> {
        let has = |part: &str| memmem::find(text.as_bytes(), part.as_bytes()).is_some();
        for known in self.files.iter_mut().filter(|known| !known.is_given) {
            let has_any = || {
                let samples = &known.samples;
                self.budget.take(text.len() * samples.len())?;
                Ok::<_, TooMuch>(text.len() > MOST_TOLD || samples.iter().any(|sample| has(sample)))
            };
            self.budget.take(text.len())?;
            let is_given = match &line.event {
                // What the agent says itself, or asks tools for.
                Event::Assistant(_) => false,
                Event::User(results) if !results.is_empty() => has(&known.name),
                // A summary takes the place of what was said before.
                Event::User(_) => line.is_summary || has_any()?,
                Event::Other if REPEATS.iter().any(|kind| has(kind)) => has_any()?,
                Event::Other => has(&known.name),
            };
            known.is_given = is_given;
        }
        Ok(())
    }
}

/// Whose words a line has.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    /// The agent's, or a repetition of them.
    Own,
    /// The agent's, to a tool.
    Call,
    /// The answer of a tool.
    Answer,
    /// Those of anybody else.
    Other,
}

impl Voice {
    fn of(line: &Line) -> Self {
        let is_call = |block: &Block| matches!(block, Block::ToolUse(_));
        match &line.event {
            Event::Assistant(reply) if reply.blocks.iter().any(is_call) => Self::Call,
            Event::User(results) if !results.is_empty() => Self::Answer,
            _ if line.is_own == Some(true) => Self::Own,
            _ => Self::Other,
        }
    }
}

/// Whether a text has what is given in lower case. It is compared where it may begin; if that is at so many places that it
/// may cost more than to go through the text, a copy in lower case is searched.
fn has_in_any_case(text: &[u8], lower: &[u8]) -> bool {
    let Some(first) = lower.first() else {
        return true;
    };
    let mut places = memchr::memchr2_iter(*first, first.to_ascii_uppercase(), text);
    let is_at = |at: usize| {
        let part = text.get(at..at + lower.len());
        part.is_some_and(|part| part.eq_ignore_ascii_case(lower))
    };
    places.by_ref().take(text.len() / lower.len()).any(is_at)
        || places.next().is_some() && memmem::find(&text.to_ascii_lowercase(), lower).is_some()
}

/// Lines of a file that are its own, and stand in JSON as they are. Each once.
fn samples(text: &str) -> Vec<String> {
    let lines = text.lines().map(str::trim);
    let mut seen = HashSet::new();
    let own = lines.filter(|line| line.len() >= SHORTEST && is_plain(line) && seen.insert(*line));
    own.take(MOST_LINES).map(str::to_owned).collect()
}

/// Whether a text is the same in JSON.
fn is_plain(text: &str) -> bool {
    text.chars()
        .all(|c| matches!(c, ' '..='~') && !matches!(c, '"' | '\\'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_found_in_any_case_however_long_it_is() {
        let long = "ab".repeat(64);
        for (text, lower, is_there) in [
            ("x 3 Passed, PASSE", "passed", true),
            ("x 3 passe", "passed", false),
            ("", "passed", false),
            ("x", "", true),
            (&format!("x{}", long.to_uppercase()), long.as_str(), true),
            (&long[1..], long.as_str(), false),
            // Where it may begin nearly everywhere.
            (&"AAAA".repeat(9), "aaab", false),
            (&format!("{}b", "AAAA".repeat(9)), "aaab", true),
        ] {
            assert_eq!(
                has_in_any_case(text.as_bytes(), lower.as_bytes()),
                is_there,
                "{text} {lower}"
            );
        }
    }
}
