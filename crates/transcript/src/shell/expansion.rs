//! From a word to all values that it may have.

use super::argument::{ANY, Argument, MAX_VALUES};
use super::lexer::{Part, Token, Word};
use super::reader::Reader;
use crate::places::leads_out;

impl Reader<'_> {
    pub(super) fn argument(&mut self, word: &Word) -> Argument {
        for part in &word.parts {
            if let Part::Commands(tokens) = part {
                self.nested(tokens.clone());
            }
        }
        let mut values = self.expand(word, false);
        if word
            .parts
            .iter()
            .any(|part| matches!(part, Part::Escaped(_)))
        {
            let kept = self.expand(word, true);
            values = values
                .zip(kept)
                .map(|(values, kept)| [values, kept].concat());
        }
        Argument {
            values,
            shown: shown(word),
        }
    }

    fn expand(&mut self, word: &Word, keeps_backslashes: bool) -> Option<Vec<String>> {
        let mut values = vec![String::new()];
        for part in &word.parts {
            let is_text = matches!(part, Part::Text(_) | Part::Escaped(_) | Part::Glob);
            if !is_text && !self.places.may_make(0) {
                return None;
            }
            let more = match part {
                Part::Text(text) => vec![text.clone()],
                Part::Escaped(char) if keeps_backslashes => vec![format!("\\{char}")],
                Part::Escaped(char) => vec![char.to_string()],
                Part::Glob => vec![ANY.to_string()],
                Part::Variable(name) => self.value(name)?,
                Part::Commands(tokens) => self.said(tokens)?,
                Part::Unknown => return None,
            };
            let count = values.len().saturating_mul(more.len());
            let longest = |values: &[String]| values.iter().map(String::len).max().unwrap_or(0);
            let bytes = count.saturating_mul(longest(&values) + longest(&more) + 64);
            if count > MAX_VALUES || !is_text && !self.places.may_make(bytes) {
                return None;
            }
            let joined = values
                .iter()
                .flat_map(|value| more.iter().map(move |more| format!("{value}{more}")));
            values = joined.collect();
        }
        Some(values)
    }

    fn value(&self, name: &str) -> Option<Vec<String>> {
        match (self.variables.get(name), name) {
            (Some(values), _) => values.clone(),
            (None, "HOME") => Some(vec!["~".to_owned()]),
            (None, "PWD") => self.folder(),
            (None, _) => None,
        }
    }

    /// The folder that the command runs in, as a word names it.
    fn folder(&self) -> Option<Vec<String>> {
        let known = self.folders.known.iter();
        let known = known.map(|folder| {
            if folder.is_empty() {
                ".".to_owned()
            } else {
                folder.clone()
            }
        });
        (!self.folders.is_unknown).then(|| known.collect())
    }

    /// What commands say, where that is known.
    fn said(&self, tokens: &[Token]) -> Option<Vec<String>> {
        let words = tokens.iter().map(|token| match token {
            Token::Word(word) => word.bare(),
            _ => None,
        });
        match words.collect::<Option<Vec<_>>>()?.as_slice() {
            ["pwd"] | ["pwd", "-P" | "-L"] => self.folder(),
            // That of the work tree, which is read, or of one that a command has changed to.
            ["git", "rev-parse", "--show-toplevel"] => self
                .folder()
                .filter(|folders| !folders.iter().any(|folder| leads_out(folder))),
            [
                "date" | "whoami" | "id" | "uname" | "nproc" | "hostname",
                ..,
            ]
            | ["git", "rev-parse", "HEAD"]
            | ["git", "rev-parse", "--short" | "--abbrev-ref", "HEAD"] => {
                Some(vec![ANY.to_string()])
            }
            _ => None,
        }
    }
}

/// The word for a reason.
fn shown(word: &Word) -> String {
    let parts = word.parts.iter().map(|part| match part {
        Part::Text(text) => text.clone(),
        Part::Escaped(char) => char.to_string(),
        Part::Glob => "*".to_owned(),
        Part::Variable(name) => format!("${name}"),
        Part::Commands(_) => "$(…)".to_owned(),
        Part::Unknown => "${…}".to_owned(),
    });
    parts.collect()
}
