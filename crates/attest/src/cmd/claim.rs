//! `attest claim`: the parsed claim of a message, as JSON.

use std::path::PathBuf;

use attest_claim::{Claim, Entry, Form, Meaning, Status, Target};
use serde::Serialize;

use super::{InputError, read_text};

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

pub(crate) fn run(args: &ClaimArgs) -> Result<String, InputError> {
    let claim = attest_claim::parse(&read_text(&args.file)?);
    Ok(super::to_json(&Printed {
        status: claim.status,
        files_changed: names(&claim),
        blockers: claim.blockers.as_deref(),
        ran_tests: claim.ran_tests.as_deref(),
        source: claim.form,
        raw: &claim.raw,
        entries: &claim.entries,
    }))
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
