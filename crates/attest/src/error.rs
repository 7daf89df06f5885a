//! Why a command did not do what it was asked for, and what the person can do about it.

use std::error::Error;

use crate::log;

/// An error of any kind, with the hints that were attached where it arose.
#[derive(Debug)]
pub(crate) struct CommandError {
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

impl CommandError {
    pub(crate) fn hinted(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    /// For a person: the error, what caused it, and what to do, one a line.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("error: {}\n", self.error);
        let mut next = self.error.source();
        while let Some(cause) = next {
            text.push_str(&format!("caused by: {cause}\n"));
            next = cause.source();
        }
        for hint in &self.hints {
            text.push_str(&format!("hint: {hint}\n"));
        }
        text
    }

    /// For a program: the error and what caused it as one JSON object.
    pub(crate) fn json(&self) -> String {
        serde_json::json!({ "error": log::chain(&*self.error) }).to_string()
    }
}

/// Attaches a hint to a result that is an error.
pub(crate) trait Hint<T> {
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
        let text = format!("error: outside\ncaused by: {cause}\nhint: one\nhint: two\n");
        assert_eq!(error.text(), text);
        let json = format!("{{\"error\":\"outside: {cause}\"}}");
        assert_eq!(error.json(), json);
    }
}
