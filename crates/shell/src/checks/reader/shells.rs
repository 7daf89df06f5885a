//! Shells that a command starts, and the options of the one that runs it.

use super::super::{Sight, settings};
use super::{Reader, Text};

impl Reader<'_> {
    pub(super) fn shell(&mut self, words: &[Text], input: Option<&str>, sight: Sight) {
        let mut options = Vec::new();
        let mut rest = words.iter();
        while let Some(word) = rest.next() {
            let text = word.text.as_str();
            if !text.starts_with('-') {
                return self.anything();
            }
            options.push(text);
            if !text.starts_with("--") && text.contains('c') {
                return match rest.next() {
                    Some(text) if text.is_known => self.text_of_shell(&text.text, sight, &options),
                    _ => self.anything(),
                };
            }
            if text.ends_with('o') {
                options.extend(rest.next().map(|word| word.text.as_str()));
            }
        }
        match input {
            Some(text) if !text.is_empty() => self.text_of_shell(text, sight, &options),
            _ => self.anything(),
        }
    }

    /// Takes the options of a shell: `-euo pipefail`. With one that is not known it may run nothing of what follows, or
    /// something else.
    pub(super) fn set(&mut self, texts: &[&str]) {
        let mut texts = texts.iter();
        while let Some(text) = texts.next().filter(|text| **text != "--") {
            let is_on = text.starts_with('-');
            if !is_on && !text.starts_with('+') {
                continue;
            }
            let mut is_known = settings::are_usual(text);
            if text.contains('e') && !text.starts_with("--") {
                self.options.ends_early = is_on;
            }
            if text.ends_with('o') {
                match texts.next() {
                    Some(&"pipefail") => self.options.has_pipefail = is_on,
                    Some(&"errexit") => self.options.ends_early = is_on,
                    name => is_known &= name.is_none_or(|name| settings::is_usual_name(name)),
                }
            }
            if !is_known {
                self.is_disguised = true;
                self.anything();
            }
        }
    }
}
