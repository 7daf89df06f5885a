//! What `attest check` prints: while it checks, and at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use anstyle::Style;
use attest_checklist::{Criteria, Event, ItemResult, Outcome, Report, SEPARATOR};
use attest_snapshot::escaped;
use serde::Serialize;

use super::CheckArgs;
use attest_base::error::CommandError;
use attest_base::ui::progress::Spinners;
use attest_base::ui::{BAD, DOUBTFUL, FAINT, GOOD, STRONG, Ui, hanging, styled};

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
    /// The checks of which only one has to pass.
    alternatives: BTreeSet<String>,
    /// Those of them that did not pass: they are of interest only if no other did.
    held_back: Vec<ItemResult>,
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
    pub(super) fn new(ui: &'u mut Ui, args: &CheckArgs, criteria: &Criteria) -> Self {
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
                alternatives: criteria.alternatives(),
                held_back: Vec::new(),
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
        let state = state.unwrap_or_else(PoisonError::into_inner);
        let State {
            ui,
            failed,
            held_back,
            ..
        } = state;
        if let Some(error) = failed {
            return Err(error);
        }
        match self.form {
            Form::Text => {
                let counts = |it: &&ItemResult| {
                    report.failures.contains(&it.item) || report.errors.contains(&it.item)
                };
                let open = held_back.iter().filter(counts);
                let width = ui.width();
                let lines: String = open.map(|result| text(result, width)).collect();
                ui.print(&(lines + &summary(report, width)))
            }
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
        if form == Form::Text && !result.passed && self.alternatives.contains(&result.item) {
            self.held_back.push(result.clone());
            return;
        }
        let width = self.ui.width();
        let printed = self.spinners.aside(|| match form {
            Form::Text => self.ui.print(&text(result, width)),
            Form::Lines => self.ui.json_line(&Line::Check(result)),
            Form::Json => Ok(()),
        });
        if let Err(error) = printed {
            self.failed.get_or_insert(error);
        }
    }
}

/// The line of one check, and what its commands printed where it did not pass.
fn text(result: &ItemResult, width: Option<usize>) -> String {
    let word = result.outcome.word();
    let lead = styled(style_of_result(result.outcome), format_args!("{word:<8}"));
    let (name, evidence) = (&result.item, &result.evidence);
    let line = escaped(format!("{name}: {evidence}").as_bytes());
    let mut text = hanging(&lead, &line, width);
    if let Some(output) = result.output_summary.as_ref().filter(|_| !result.passed) {
        for line in output.lines() {
            text.push_str(&format!("        | {}\n", escaped(line.as_bytes())));
        }
    }
    text
}

fn style_of_result(outcome: Outcome) -> Style {
    match outcome {
        Outcome::Pass => GOOD,
        Outcome::Fail => BAD,
        Outcome::Error => DOUBTFUL,
        Outcome::Skipped => FAINT,
    }
}

fn summary(report: &Report, width: Option<usize>) -> String {
    let (style, word) = if report.passed {
        (GOOD, "passed:")
    } else {
        (BAD, "not passed:")
    };
    let line = |label: String, rest: &str| {
        hanging("", &format!("{label} {}", escaped(rest.as_bytes())), width)
    };
    let mut text = line(styled(style, word), &report.evidence);
    for (what, names) in [
        ("failed:", &report.failures),
        ("could not be checked:", &report.errors),
    ] {
        if !names.is_empty() {
            text.push_str(&line(styled(STRONG, what), &names.join(", ")));
        }
    }
    if report.requires_user_confirmation {
        let mut names = Vec::new();
        to_confirm(&report.checklist, "", &mut names);
        let what = styled(STRONG, "a person has to confirm:");
        text.push_str(&line(what, &names.join(", ")));
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
