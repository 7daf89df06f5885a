//! Editing a host's settings file: our hooks in, our hooks out, everything else as it was.
//!
//! The text is parsed to a syntax tree that keeps every byte, and the tree is edited. So no key, value,
//! order or comment of anybody else changes; only white space and commas beside our hooks may. What
//! uninstalling gives back to the byte is the backup.

mod diff;
mod document;
mod edit;
mod entry;
mod error;
mod file;
mod hosts;
mod inspect;
mod shell;

use std::str;

pub(crate) use diff::unified;
pub(crate) use edit::Change;
pub(crate) use entry::is_attest;
pub(crate) use error::{ContentError, SettingsError};
pub(crate) use file::SettingsFile;
pub(crate) use hosts::{
    CLAUDE_CODE, CLAUDE_CODE_CORE, CallForm, HookSpec, Host, Program, claude_code_settings,
};
pub(crate) use inspect::{Entry, Inspection, inspect};

const BYTE_ORDER_MARK: &str = "\u{feff}";

/// What a file that does not exist yet is taken for.
const NEW_FILE: &str = "{}\n";

/// A merge that was computed and not yet written.
#[derive(Debug)]
pub(crate) struct Merged {
    pub(crate) bytes: Vec<u8>,
    /// Empty when the file is already as it should be.
    pub(crate) changes: Vec<Change>,
}

/// A removal that was computed and not yet written.
#[derive(Debug)]
pub(crate) struct Removed {
    /// `None` when the file was made by attest and holds nothing else, so that it can go as well.
    pub(crate) bytes: Option<Vec<u8>>,
    /// Empty when there was nothing to remove.
    pub(crate) events: Vec<String>,
}

/// Merges the hooks of `host`, which run `program`, into the content of a settings file.
pub(crate) fn install(
    original: &[u8],
    host: &Host,
    program: Program<'_>,
) -> Result<Merged, ContentError> {
    let (mark, text) = decode(original)?;
    let text = if text.trim().is_empty() {
        NEW_FILE
    } else {
        text
    };
    let (merged, changes) = edit::merge(text, host, program)?;
    Ok(Merged {
        bytes: encode(mark, &merged),
        changes,
    })
}

/// Removes our hooks from the content of a settings file.
///
/// The text alone does not tell whether an object that is empty now was there before, nor how it
/// was written. So where a backup is exactly what this file was before the installation, its bytes
/// are the answer. They are compared, never assumed: a file that was edited since matches none.
pub(crate) fn uninstall(
    original: &[u8],
    backups: impl IntoIterator<Item = Vec<u8>>,
) -> Result<Removed, ContentError> {
    let (mark, text) = decode(original)?;
    if text.trim().is_empty() {
        return Ok(Removed {
            bytes: Some(original.to_vec()),
            events: Vec::new(),
        });
    }
    let (rest, events) = edit::unmerge(text)?;
    if events.is_empty() {
        return Ok(Removed {
            bytes: Some(original.to_vec()),
            events,
        });
    }
    let path = inspect::first_program(text)?.unwrap_or_default();
    // The shell form, or the one with `args` that earlier versions wrote everywhere.
    let forms = [CallForm::Shell, CallForm::Exec];
    let leads_here = |before: &[u8]| {
        let by = |host, form| {
            let program = Program { path: &path, form };
            install(before, host, program).is_ok_and(|merged| merged.bytes == original)
        };
        let mut forms = forms.into_iter();
        forms.any(|form| by(&CLAUDE_CODE, form) || by(&CLAUDE_CODE_CORE, form)) && !has_own(before)
    };
    let bytes = match backups.into_iter().find(|backup| leads_here(backup)) {
        Some(backup) => Some(backup),
        None if leads_here(b"") => None,
        None => Some(encode(mark, &rest)),
    };
    Ok(Removed { bytes, events })
}

fn has_own(content: &[u8]) -> bool {
    decode(content)
        .is_ok_and(|(_, text)| edit::unmerge(text).is_ok_and(|(_, events)| !events.is_empty()))
}

fn decode(content: &[u8]) -> Result<(&'static str, &str), ContentError> {
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

fn encode(mark: &str, text: &str) -> Vec<u8> {
    [mark.as_bytes(), text.as_bytes()].concat()
}

#[cfg(test)]
mod tests;
