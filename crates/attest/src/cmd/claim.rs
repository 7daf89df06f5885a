//! `attest claim`: the parsed claim of a message.

use std::path::PathBuf;

use attest_claim::{Assertion, Certainty, Claim, Entry, Form, Meaning, Status, Target};
use attest_snapshot::escaped;
use serde::Serialize;

use super::read_message;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::ui::{Cell, Column, DOUBTFUL, STRONG, Table, Ui, hanging, mark, styled};

/// Print the claim that a message makes
///
/// On a terminal it is printed for a person, elsewhere as JSON.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest claim report.md\n  \
    pbpaste | attest claim        a message from the clipboard\n  \
    attest claim report.md --json | jq .files_changed")]
pub(crate) struct ClaimArgs {
    /// The message; `-` reads standard input
    #[arg(value_name = "FILE", default_value = "-")]
    file: PathBuf,
    /// The message, in place of the argument
    #[arg(long = "file", value_name = "FILE", conflicts_with = "file")]
    named: Option<PathBuf>,
    /// Print JSON on a terminal as well
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Printed<'a> {
    status: Option<Status>,
    files_changed: Vec<String>,
    blockers: Option<&'a str>,
    ran_tests: Option<&'a str>,
    source: Form,
    raw: &'a str,
    entries: &'a [Entry],
    assertions: &'a [Assertion],
}

pub(super) fn run(ui: &mut Ui, _: &Env, args: &ClaimArgs) -> Result<ExitStatus, CommandError> {
    let is_for_program = ui.is_for_program(args.json);
    let file = args.named.as_ref().unwrap_or(&args.file);
    let claim = attest_claim::parse(&read_message(ui, file)?);
    if !is_for_program {
        ui.page(&text(&claim, ui.width()))?;
        return Ok(ExitStatus::Success);
    }
    ui.json(&Printed {
        status: claim.status,
        files_changed: claim.names(),
        blockers: claim.blockers.as_deref(),
        ran_tests: claim.ran_tests.as_deref(),
        source: claim.form,
        raw: &claim.raw,
        entries: &claim.entries,
        assertions: &claim.assertions,
    })?;
    Ok(ExitStatus::Success)
}

/// How a message is understood, for a person.
fn text(claim: &Claim, width: Option<usize>) -> String {
    if !claim.is_claim() {
        let none = format!(
            "{} no claim: the message has neither a status nor a list of files that can be read",
            mark("·", ".")
        );
        let hint = "A report that can be checked ends with `Status: DONE` and `Files changed: a.py, b.py`.";
        return hanging("", &styled(DOUBTFUL, none), width) + &hanging("", hint, width);
    }
    let status = claim.status.map_or("none", |status| status.as_str());
    let form = match claim.form {
        Form::Handoff => "a Handoff section",
        Form::Lines => "lines with a key",
        Form::None => "nothing",
    };
    let mut text = hanging("status  ", &styled(STRONG, status), width);
    text.push_str(&hanging("form    ", form, width));
    let mut table = Table::new([
        Column::path("CLAIMED", 9),
        Column::whole("SURE", 5),
        Column::prose("READ AS", 1),
    ]);
    for entry in &claim.entries {
        let raw = Cell::new(escaped(entry.raw.as_bytes()));
        let (certainty, read) = match &entry.meaning {
            Meaning::Unresolvable(why) => (Cell::dash(), format!("nothing: {why}")),
            Meaning::Paths(readings) => {
                let first = readings.first();
                let certainty = first.map(|reading| attest_base::ui::word(&reading.certainty));
                let mut names: Vec<_> = readings
                    .iter()
                    .map(|reading| shown(&reading.target))
                    .collect();
                names.dedup();
                (Cell::or_dash(certainty), names.join(", or "))
            }
        };
        table.push([raw, certainty, Cell::new(read)]);
    }
    for assertion in &claim.assertions {
        let cell = |text: &str| Cell::new(escaped(text.as_bytes()));
        let certain = Cell::new(attest_base::ui::word(&Certainty::Certain));
        table.push([
            cell(&assertion.raw),
            certain,
            cell(&assertion.says.to_string()),
        ]);
    }
    text.push('\n');
    text + &table.unless_empty(width)
}

fn shown(target: &Target) -> String {
    let safe = |text: &String| escaped(text.as_bytes());
    match target {
        Target::File(name) | Target::Dir(name) => safe(name),
        Target::Rename { from, to } => format!("{} renamed to {}", safe(from), safe(to)),
    }
}
