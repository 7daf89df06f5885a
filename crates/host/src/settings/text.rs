//! The text of a settings file, with what an edit leaves as it was.

use std::str;

use super::ContentError;
use super::document;

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What a file that does not exist yet is taken for.
pub(super) const NEW_FILE: &str = "{}\n";

/// The text of a file, or that of a new one if there is nothing in it.
pub(super) fn or_new(text: &str) -> &str {
    if text.trim().is_empty() {
        NEW_FILE
    } else {
        text
    }
}

/// The text after an edit, with the line ends of the text before: an edit that leaves nothing of a container may
/// have others.
pub(super) fn with_line_ends_of(before: &str, after: String) -> String {
    let returns = before.matches("\r\n").count();
    if returns == 0 || returns != before.matches('\n').count() {
        return after;
    }
    after.replace("\r\n", "\n").replace('\n', "\r\n")
}

pub(super) fn decode(content: &[u8]) -> Result<(&'static str, &str), ContentError> {
    let text = str::from_utf8(content).map_err(|error| {
        let valid = content.get(..error.valid_up_to()).unwrap_or_default();
        let valid = str::from_utf8(valid).unwrap_or_default();
        let (line, column) = document::end_of(valid);
        ContentError::NotUtf8 { line, column }
    })?;
    Ok(match text.strip_prefix(BYTE_ORDER_MARK) {
        Some(text) => (BYTE_ORDER_MARK, text),
        None => ("", text),
    })
}

pub(super) fn encode(mark: &str, text: &str) -> Vec<u8> {
    [mark.as_bytes(), text.as_bytes()].concat()
}
