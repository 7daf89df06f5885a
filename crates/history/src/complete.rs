//! What a shell offers behind `attest`: it asks by running attest itself, with the words typed so far.
//!
//! The scripts that do so are those of `attest completions`. What they are told is one line that says what is
//! offered, `values`, `files` or `folders`, and then a value a line, with a tab and what it means behind it.
//! Files and folders are left to the shell, which knows how to quote them.

mod line;
mod values;

use std::ffi::{OsStr, OsString};
use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::Command;
use clap_complete::CompletionCandidate;
use clap_complete::engine::complete;

use attest_base::env::Env;
use line::Typed;
pub use values::is_free;
use values::{FILES, FOLDERS};

/// The first word with which a shell asks. It is no command: nobody types it, and no list has it.
pub const ASKS: &str = "__complete";

/// The answer to a shell that asks; `None` if none does.
pub fn answer(env: &Env, command: impl FnOnce() -> Command) -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    words.next().filter(|word| word == ASKS)?;
    // Whatever is wrong, a shell that completes is no place to say so.
    if let Some(text) = Typed::of(words).map(|typed| offered(command(), &typed, env)) {
        let _ = io::stdout().write_all(text.as_bytes());
    }
    Some(ExitCode::SUCCESS)
}

fn offered(command: Command, typed: &Typed, env: &Env) -> String {
    let mut command = values::offered_by(command, typed, env);
    let words: Vec<OsString> = typed.words.iter().map(OsString::from).collect();
    let last = words.len().saturating_sub(1);
    let found = complete(&mut command, words, last, None).unwrap_or_default();
    let ends = |mark: &str| {
        let mark = OsStr::new(mark).as_encoded_bytes();
        let mut values = found.iter().map(CompletionCandidate::get_value);
        values.any(|value| value.as_encoded_bytes().ends_with(mark))
    };
    // An option has begun that may stand before a file.
    let is_option = typed.last().starts_with('-') && !typed.last().contains('=');
    if ends(FILES) && !is_option {
        return "files\n".to_owned();
    }
    if ends(FOLDERS) && !is_option {
        return "folders\n".to_owned();
    }
    let mut text = "values\n".to_owned();
    for candidate in fitting(&found, typed) {
        let value = candidate.get_value().to_string_lossy();
        // The rest of the word stands on the line already.
        let value = value.strip_prefix(&typed.before).unwrap_or(&value);
        let help = candidate.get_help().map(ToString::to_string);
        let help = help.unwrap_or_default();
        let help = help.lines().next().unwrap_or_default();
        text.push_str(&format!("{value}\t{help}\n"));
    }
    text
}

/// What is worth offering: nothing that is hidden, and options only where something else is not meant.
fn fitting<'a>(found: &'a [CompletionCandidate], typed: &Typed) -> Vec<&'a CompletionCandidate> {
    let is_mark = |it: &CompletionCandidate| it.get_value() == FILES || it.get_value() == FOLDERS;
    let shown = found.iter().filter(|it| !it.is_hide_set() && !is_mark(it));
    let is_option =
        |candidate: &&CompletionCandidate| candidate.get_value().to_string_lossy().starts_with('-');
    let (options, others): (Vec<_>, Vec<_>) = shown.partition(is_option);
    if others.is_empty() || typed.last().starts_with('-') {
        return [others, options].concat();
    }
    others
}
