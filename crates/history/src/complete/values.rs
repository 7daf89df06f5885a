//! Which values an option takes, beyond those that clap knows.

use std::path::{Path, PathBuf};

use attest_host::hosts;
use attest_snapshot::escaped;
use attest_state::history::{self, Filter, Known, Of};
use attest_state::{Patience, Store};
use attest_verdict::Outcome;
use clap::builder::StyledStr;
use clap::{Arg, Command, ValueHint};
use clap_complete::{ArgValueCompleter, CompletionCandidate};

use super::line::Typed;
use crate::explain;
use crate::names::SHORT_ID;
use crate::repository::common_dir;
use attest_base::config::Config;
use attest_base::env::Env;

/// Stand for all files or folders. A control character is in nothing that is offered otherwise.
pub(super) const FILES: &str = "\u{1}files";
pub(super) const FOLDERS: &str = "\u{1}folders";

/// Values of the history that are offered at most: a longer list is not read.
const MOST: u32 = 30;

/// Times that people ask for. Any other form is as good, but these show what there is.
const TIMES: [(&str, &str); 7] = [
    ("today", "since midnight"),
    ("yesterday", "since the midnight before"),
    ("monday", "the last Monday"),
    ("1h", "an hour ago"),
    ("24h", "a day ago"),
    ("7d", "a week ago"),
    ("30d", "a month ago"),
];

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// One of those that the history has.
    Known(Known),
    /// A verdict.
    Verdict,
    /// A verdict, or a word with a page.
    Explained,
    Outcome,
    Host,
    Time,
    File,
    Folder,
    /// A number, or what nothing here knows of.
    Free,
}

/// What an argument takes; `None` if clap knows that itself.
pub(super) fn kind(command: &str, arg: &Arg) -> Option<ValueKind> {
    if !arg.get_possible_values().is_empty() {
        return None;
    }
    let kind = match (command, arg.get_id().as_str()) {
        ("explain", "what") => ValueKind::Explained,
        ("show" | "dispute", "id") => ValueKind::Verdict,
        ("hook", "harness") => ValueKind::Host,
        (_, "session") => ValueKind::Known(Known::Session),
        (_, "agent") => ValueKind::Known(Known::Agent),
        (_, "agent_type" | "agents") => ValueKind::Known(Known::AgentType),
        (_, "outcome") => ValueKind::Outcome,
        (_, "since" | "until" | "older_than") => ValueKind::Time,
        ("plugin-dir", "into") | (_, "repository" | "repo") => ValueKind::Folder,
        _ => match arg.get_value_hint() {
            ValueHint::DirPath => ValueKind::Folder,
            ValueHint::AnyPath | ValueHint::FilePath => ValueKind::File,
            _ => ValueKind::Free,
        },
    };
    Some(kind)
}

/// The command line, each of whose arguments knows its values.
pub(super) fn offered_by(command: Command, typed: &Typed, env: &Env) -> Command {
    let asked = Asked {
        env: env.clone(),
        has_all: typed.has("--all"),
        repository: typed.value_of("--repository").map(PathBuf::from),
    };
    command.mut_subcommands(|command| {
        let name = command.get_name().to_owned();
        let asked = asked.clone();
        command.mut_args(move |arg| match kind(&name, &arg) {
            None | Some(ValueKind::Free) => arg,
            Some(kind) => {
                let asked = asked.clone();
                let offer = move |typed: &std::ffi::OsStr| match typed.to_str() {
                    Some(typed) => asked.values(kind, typed),
                    None => Vec::new(),
                };
                arg.add(ArgValueCompleter::new(offer))
            }
        })
    })
}

/// Of what values are asked.
#[derive(Debug, Clone)]
struct Asked {
    env: Env,
    has_all: bool,
    repository: Option<PathBuf>,
}

impl Asked {
    fn values(&self, kind: ValueKind, typed: &str) -> Vec<CompletionCandidate> {
        match kind {
            ValueKind::File => vec![CompletionCandidate::new(FILES)],
            ValueKind::Folder => vec![CompletionCandidate::new(FOLDERS)],
            ValueKind::Known(known) => self.known(known, typed),
            ValueKind::Verdict => self.verdicts(typed),
            ValueKind::Explained => {
                let mut all = self.verdicts(typed);
                all.extend(in_any_case(explain::all_words(), typed));
                all
            }
            ValueKind::Outcome => {
                let outcomes = Outcome::ALL.into_iter();
                in_any_case(outcomes.map(|it| (it.as_str(), it.meaning())), typed)
            }
            ValueKind::Host => {
                let names = hosts::ALL.iter().map(|host| (host.name(), ""));
                in_any_case(names, typed)
            }
            ValueKind::Time => in_any_case(TIMES, typed),
            ValueKind::Free => Vec::new(),
        }
    }

    fn known(&self, known: Known, typed: &str) -> Vec<CompletionCandidate> {
        let known = |store| history::known(&store, &self.filter(), known, typed, MOST).ok();
        let found = self.store().and_then(known).unwrap_or_default();
        let found = found.into_iter();
        let found = found.filter(|value| is_plain(value));
        found.map(|value| candidate(&value, "")).collect()
    }

    fn verdicts(&self, typed: &str) -> Vec<CompletionCandidate> {
        let filter = Filter {
            // Behind nothing the newest are offered, which no id has to be looked at for.
            verdict: (!typed.is_empty()).then(|| typed.to_ascii_lowercase()),
            limit: Some(MOST),
            ..Filter::default()
        };
        let entries = |store| history::entries(&store, &filter).ok();
        let found = self.store().and_then(entries).unwrap_or_default();
        let verdicts = found.into_iter().map(|entry| {
            let digits = SHORT_ID.max(typed.len());
            let id: String = entry.id.chars().take(digits).collect();
            let kind = entry.agent_type.as_deref().unwrap_or("-");
            let help = format!("{} {kind}: {}", entry.outcome, entry.summary);
            candidate(&id, &help)
        });
        verdicts.collect()
    }

    /// A list is of one repository unless somebody says otherwise.
    fn filter(&self) -> Filter {
        let folder = self.repository.as_deref().unwrap_or(Path::new("."));
        let here = (!self.has_all).then(|| common_dir(folder).ok());
        here.flatten().map_or(Of::Any, Of::Repository).into()
    }

    /// Nobody waits at a prompt for a file that is in use.
    fn store(&self) -> Option<Store> {
        let path = Config::read(&self.env).state_db?;
        let is_there = path.is_file();
        let store = is_there.then(|| Store::open_patiently(&path, Patience::none()));
        store?.ok()
    }
}

/// Those that begin with what is typed, which may be in small letters and with hyphens: they are then offered so.
fn in_any_case<'a>(
    words: impl IntoIterator<Item = (&'a str, &'a str)>,
    typed: &str,
) -> Vec<CompletionCandidate> {
    let is_small = typed.chars().any(char::is_lowercase);
    let words = words.into_iter().filter_map(|(word, help)| {
        let joint = if typed.contains('-') { "-" } else { "_" };
        let word = word.replace(['_', ' '], joint);
        let word = if is_small { word.to_lowercase() } else { word };
        word.starts_with(typed).then(|| candidate(&word, help))
    });
    words.collect()
}

fn candidate(value: &str, help: &str) -> CompletionCandidate {
    let help = escaped(help.as_bytes());
    let help = (!help.is_empty()).then(|| StyledStr::from(help));
    CompletionCandidate::new(value).help(help)
}

/// Whether a value says nothing to a shell: an agent's type is what somebody else has called it, and is
/// typed into a line that a person is about to run.
fn is_plain(value: &str) -> bool {
    let is_plain = |it: char| it.is_alphanumeric() || "-_.:/@+".contains(it);
    !value.starts_with('-') && value.chars().all(is_plain)
}

/// Whether an argument takes whatever is typed, so that nothing is offered.
#[must_use]
pub fn is_free(command: &str, arg: &Arg) -> bool {
    kind(command, arg) == Some(ValueKind::Free)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_offered_that_a_shell_would_run() {
        for plain in ["general-purpose", "plugin:reviewer", "a.b/c@1+2", "Prüfer"] {
            assert!(is_plain(plain), "{plain}");
        }
        for other in [
            "$(id)", "a b", "`id`", "a;b", "-x", "a\nb", "a'b", "*", "~x", "!1", "a\\b",
        ] {
            assert!(!is_plain(other), "{other}");
        }
    }

    #[test]
    fn words_are_offered_as_they_are_typed() {
        let words = |typed| {
            let found = in_any_case([("SCOPE_CREEP", ""), ("MISMATCH", "")], typed);
            let found = found.iter();
            found
                .map(|it| it.get_value().to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(words("SCO"), ["SCOPE_CREEP"]);
        assert_eq!(words("sco"), ["scope_creep"]);
        assert_eq!(words("scope-"), ["scope-creep"]);
        assert_eq!(words("").len(), 2);
    }
}
