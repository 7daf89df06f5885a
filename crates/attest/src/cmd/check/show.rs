//! What `attest check` prints: while it checks, and at the end.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use attest_checklist::{Event, ItemResult, Report, SCHEMA, SEPARATOR};
use attest_snapshot::{escaped, path_bytes};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde::Serialize;

use super::CheckArgs;

/// How often the spinner turns.
const TICK: Duration = Duration::from_millis(120);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Lines,
}

/// Prints results as they come in, and the whole at the end.
pub(super) struct Show {
    form: Form,
    spinners: MultiProgress,
    state: Mutex<State>,
}

/// Results are printed in the order of the file, so one that ends early waits for those before it.
#[derive(Default)]
struct State {
    next: usize,
    waiting: BTreeMap<usize, ItemResult>,
    running: BTreeMap<usize, ProgressBar>,
}

/// A line of `--jsonl`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Check(&'a ItemResult),
    Report(&'a Report),
}

impl Show {
    pub(super) fn new(args: &CheckArgs) -> Self {
        Self {
            form: match (args.json, args.jsonl) {
                (true, _) => Form::Json,
                (_, true) => Form::Lines,
                _ => Form::Text,
            },
            // On standard error, and only where that is a terminal.
            spinners: MultiProgress::new(),
            state: Mutex::default(),
        }
    }

    pub(super) fn event(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { index, name } => {
                let spinner = self.spinners.add(ProgressBar::new_spinner());
                if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                    spinner.set_style(style);
                }
                spinner.set_message(escaped(name.as_bytes()));
                spinner.enable_steady_tick(TICK);
                state.running.insert(*index, spinner);
            }
            Event::Finished { index, result } => {
                if let Some(spinner) = state.running.remove(index) {
                    spinner.finish_and_clear();
                }
                state.waiting.insert(*index, (*result).clone());
                while let Some(result) = state.take_next() {
                    // A reader that has seen enough closes the pipe; the exit status still counts.
                    let _ = self.spinners.suspend(|| self.print(&result));
                }
            }
        }
    }

    fn print(&self, result: &ItemResult) -> io::Result<()> {
        let out = &mut anstream::stdout().lock();
        match self.form {
            Form::Text => write!(out, "{}", text(result)),
            Form::Lines => writeln!(out, "{}", line(&Line::Check(result))),
            Form::Json => Ok(()),
        }
    }

    pub(super) fn report(&self, report: &Report) -> io::Result<()> {
        let out = &mut anstream::stdout().lock();
        let printed = match self.form {
            Form::Text => write!(out, "{}", summary(report)),
            Form::Lines => writeln!(out, "{}", line(&Line::Report(report))),
            Form::Json => writeln!(out, "{}", crate::cmd::to_json(report)),
        };
        match printed {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other,
        }
    }
}

impl State {
    fn take_next(&mut self) -> Option<ItemResult> {
        let result = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(result)
    }
}

fn line(line: &Line<'_>) -> String {
    // Strings, numbers and lists of them always have a JSON form.
    serde_json::to_string(line).unwrap_or_default()
}

/// The line of one check, and what its commands printed where it did not pass.
fn text(result: &ItemResult) -> String {
    let (word, name) = (result.outcome.word(), escaped(result.item.as_bytes()));
    let mut text = format!("{word:<8}{name}: {}\n", escaped(result.evidence.as_bytes()));
    if let Some(output) = result.output_summary.as_ref().filter(|_| !result.passed) {
        for line in output.lines() {
            text.push_str(&format!("        | {}\n", escaped(line.as_bytes())));
        }
    }
    text
}

fn summary(report: &Report) -> String {
    let word = if report.passed {
        "passed"
    } else {
        "not passed"
    };
    let mut text = format!("{word}: {}\n", escaped(report.evidence.as_bytes()));
    for (what, names) in [
        ("failed", &report.failures),
        ("could not be checked", &report.errors),
    ] {
        if !names.is_empty() {
            text.push_str(&format!(
                "{what}: {}\n",
                escaped(names.join(", ").as_bytes())
            ));
        }
    }
    if report.requires_user_confirmation {
        text.push_str("a person has to confirm: ");
        let mut names = Vec::new();
        to_confirm(&report.checklist, "", &mut names);
        text.push_str(&escaped(names.join(", ").as_bytes()));
        text.push('\n');
    }
    text
}

fn to_confirm(results: &[ItemResult], parents: &str, names: &mut Vec<String>) {
    for result in results {
        let name = if parents.is_empty() {
            result.item.clone()
        } else {
            format!("{parents}{SEPARATOR}{}", result.item)
        };
        if result.kind == "assertion" {
            names.push(name);
        } else {
            to_confirm(result.below(), &name, names);
        }
    }
}

pub(super) fn schema() -> io::Result<()> {
    write!(anstream::stdout().lock(), "{SCHEMA}")
}

pub(super) fn starter(path: &Path) -> io::Result<()> {
    let path = escaped(&path_bytes(path));
    writeln!(
        anstream::stdout().lock(),
        "wrote {path}\nedit it, then: attest trust && attest check"
    )
}
