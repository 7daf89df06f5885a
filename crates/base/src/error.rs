//! Why a command did not do what it was asked for, and what the person can do about it.

use std::error::Error;

use attest_process::without_number;

use crate::log;

/// An error of any kind, with the hints that were attached where it arose.
#[derive(Debug)]
pub struct CommandError {
    error: Box<dyn Error + Send + Sync>,
    hints: Vec<String>,
}

impl<E: Error + Send + Sync + 'static> From<E> for CommandError {
    fn from(error: E) -> Self {
        Self {
            error: Box::new(error),
            hints: Vec::new(),
        }
    }
}

/// What a line about an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// What went wrong.
    Error,
    /// Why.
    Cause,
    /// What to do.
    Hint,
}

impl Part {
    /// What a person reads before it.
    #[must_use]
    pub fn label(self) -> &'static str {
        match self {
            Self::Error => "error:",
            Self::Cause => "caused by:",
            Self::Hint => "hint:",
        }
    }
}

impl CommandError {
    /// Says what to do as well.
    #[must_use]
    pub fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// For a person: the error, what caused it, and what to do, each with what is said before it.
    #[must_use]
    pub fn lines(&self) -> Vec<(Part, String)> {
        let mut lines = vec![(Part::Error, without_number(&self.error.to_string()))];
        let mut next = self.error.source();
        while let Some(cause) = next {
            let text = without_number(&cause.to_string());
            // Some errors quote their own cause.
            if !lines.iter().any(|(_, line)| line.ends_with(&text)) {
                lines.push((Part::Cause, text));
            }
            next = cause.source();
        }
        lines.extend(self.hints.iter().map(|hint| (Part::Hint, hint.clone())));
        lines
    }

    /// On one line, for a command that goes on all the same: what to do would be said of what it has done already.
    #[must_use]
    pub fn plain(&self) -> String {
        let lines = self.lines().into_iter();
        let said = lines.filter_map(|(part, text)| match part {
            Part::Error => Some(text),
            Part::Cause => Some(format!("{} {text}", part.label())),
            Part::Hint => None,
        });
        said.collect::<Vec<_>>().join("; ")
    }

    /// For a program: the error and what caused it as one JSON object.
    #[must_use]
    pub fn json(&self) -> String {
        let chain = without_number(&log::chain(&*self.error));
        serde_json::json!({ "error": chain }).to_string()
    }
}

/// Attaches a hint to a result that is an error.
pub trait Hint<T> {
    /// Says what to do if it failed.
    fn hint(self, hint: impl Into<String>) -> Result<T, CommandError>;
}

impl<T, E: Into<CommandError>> Hint<T> for Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> Result<T, CommandError> {
        self.map_err(|error| error.into().hinted(hint))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("outside")]
    struct Outside(#[from] std::fmt::Error);

    #[test]
    fn causes_and_hints_have_lines_of_their_own() {
        let error = Err::<(), _>(Outside(std::fmt::Error))
            .hint("one")
            .hint("two")
            .unwrap_err();
        let cause = std::fmt::Error.to_string();
        let lines = error.lines();
        let lines: Vec<_> = lines
            .iter()
            .map(|(part, text)| (part.label(), text.as_str()))
            .collect();
        let expected = [
            ("error:", "outside"),
            ("caused by:", &cause),
            ("hint:", "one"),
            ("hint:", "two"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(error.plain(), format!("outside; caused by: {cause}"));
        let json = format!("{{\"error\":\"outside: {cause}\"}}");
        assert_eq!(error.json(), json);
    }

    #[test]
    fn what_an_error_quotes_of_its_cause_is_not_said_again() {
        #[derive(Debug, thiserror::Error)]
        #[error("not a number: {0}")]
        struct Quoting(#[source] std::num::ParseIntError);
        let cause = "x".parse::<u8>().unwrap_err();
        let error = CommandError::from(Quoting(cause.clone()));
        assert_eq!(
            error.lines(),
            [(Part::Error, format!("not a number: {cause}"))]
        );
    }
}
