//! What `attest check` prints: while it checks, and at the end.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use attest_checklist::{Event, ItemResult, Report, SEPARATOR};
use attest_snapshot::escaped;
use serde::Serialize;

use super::CheckArgs;
use crate::error::CommandError;
use crate::ui::Ui;
use crate::ui::progress::Spinners;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Lines,
}

/// Prints results as they come in, and the whole at the end.
pub(super) struct Show<'u> {
    form: Form,
    state: Mutex<State<'u>>,
}

/// Results are printed in the order of the file, so one that ends early waits for those before it.
struct State<'u> {
    ui: &'u mut Ui,
    next: usize,
    waiting: BTreeMap<usize, ItemResult>,
    spinners: Spinners,
    /// Why a result could not be printed.
    failed: Option<CommandError>,
}

/// A line of `--jsonl`.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'a> {
    Check(&'a ItemResult),
    Report(&'a Report),
}

impl<'u> Show<'u> {
    pub(super) fn new(ui: &'u mut Ui, args: &CheckArgs) -> Self {
        Self {
            form: match (args.json, args.jsonl) {
                (true, _) => Form::Json,
                (_, true) => Form::Lines,
                _ => Form::Text,
            },
            state: Mutex::new(State {
                ui,
                next: 0,
                waiting: BTreeMap::new(),
                spinners: Spinners::default(),
                failed: None,
            }),
        }
    }

    pub(super) fn event(&self, event: &Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Started { index, name } => state.spinners.begin(*index, name),
            Event::Finished { index, result } => {
                state.spinners.end(*index);
                state.waiting.insert(*index, (*result).clone());
                while let Some(result) = state.take_next() {
                    state.print(self.form, &result);
                }
            }
        }
    }

    pub(super) fn report(self, report: &Report) -> Result<(), CommandError> {
        let state = self.state.into_inner();
        let State { ui, failed, .. } = state.unwrap_or_else(PoisonError::into_inner);
        if let Some(error) = failed {
            return Err(error);
        }
        match self.form {
            Form::Text => ui.print(&summary(report)),
            Form::Lines => ui.json_line(&Line::Report(report)),
            Form::Json => ui.json(report),
        }
    }
}

impl State<'_> {
    fn take_next(&mut self) -> Option<ItemResult> {
        let result = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some(result)
    }

    fn print(&mut self, form: Form, result: &ItemResult) {
        let printed = self.spinners.aside(|| match form {
            Form::Text => self.ui.print(&text(result)),
            Form::Lines => self.ui.json_line(&Line::Check(result)),
            Form::Json => Ok(()),
        });
        if let Err(error) = printed {
            self.failed.get_or_insert(error);
        }
    }
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
