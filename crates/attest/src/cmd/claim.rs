//! `attest claim`: the parsed claim of a message, as JSON.

use std::path::PathBuf;

use attest_claim::{Claim, Entry, Form, Meaning, Status, Target};
use serde::Serialize;

use super::{ExitStatus, read_text};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::Ui;

/// Print the claim that a message makes
#[derive(Debug, clap::Args)]
pub(crate) struct ClaimArgs {
    /// The message; `-` reads standard input
    #[arg(long, value_name = "FILE", default_value = "-")]
    file: PathBuf,
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
}

pub(super) fn run(ui: &mut Ui, _: &Env, args: &ClaimArgs) -> Result<ExitStatus, CommandError> {
    ui.speak_json();
    let claim = attest_claim::parse(&read_text(&args.file)?);
    ui.json(&Printed {
        status: claim.status,
        files_changed: names(&claim),
        blockers: claim.blockers.as_deref(),
        ran_tests: claim.ran_tests.as_deref(),
        source: claim.form,
        raw: &claim.raw,
        entries: &claim.entries,
    })?;
    Ok(ExitStatus::Success)
}

/// The preferred reading of each entry.
pub(crate) fn names(claim: &Claim) -> Vec<String> {
    let name = |entry: &Entry| match &entry.meaning {
        Meaning::Unresolvable(_) => entry.raw.clone(),
        Meaning::Paths(readings) => match readings.first().map(|reading| &reading.target) {
            Some(Target::File(text) | Target::Dir(text)) => text.clone(),
            Some(Target::Rename { from, to }) => format!("{from} -> {to}"),
            None => entry.raw.clone(),
        },
    };
    claim.entries.iter().map(name).collect()
}
