//! `attest claim`: the parsed claim of a message, as JSON.

use std::path::PathBuf;

use attest_claim::{Entry, Form, Status};
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
        files_changed: claim.names(),
        blockers: claim.blockers.as_deref(),
        ran_tests: claim.ran_tests.as_deref(),
        source: claim.form,
        raw: &claim.raw,
        entries: &claim.entries,
    })?;
    Ok(ExitStatus::Success)
}
