//! `attest report`: the history as one page that needs nothing but a browser.

mod page;
mod timeline;

use std::io::Write;
use std::path::{Path, PathBuf};

use attest_state::history::{self, Detail, Entry, Filter, Run, Tally};
use attest_verdict::Outcome;
use jiff::Timestamp;

use super::history::{FilterArgs, not_found, open, read};
use super::{ExitStatus, counted};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::Ui;

/// Runs that the timeline shows at most, and false DONEs that are told in full: a page with more is
/// slow in the browser, and nobody reads it.
const MOST_SHOWN: u32 = 200;

/// Write the history as one HTML page
#[derive(Debug, clap::Args)]
pub(crate) struct ReportArgs {
    /// The file to write; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    html: PathBuf,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Everything that the page shows.
#[derive(Debug, Default)]
struct Report {
    made_at: Timestamp,
    tallies: Vec<Tally>,
    runs: Vec<Run>,
    lies: Vec<(Entry, Detail)>,
}

#[derive(Debug, thiserror::Error)]
#[error("cannot write {path:?}")]
struct WriteError {
    path: PathBuf,
    source: std::io::Error,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ReportArgs) -> Result<ExitStatus, CommandError> {
    let report = gather(ui, env, &args.filter.scope()?.filter)?;
    let page = page::page(&report).into_string();
    write(&args.html, &page).map_err(|source| WriteError {
        path: args.html.clone(),
        source,
    })?;
    let name = attest_snapshot::escaped(&attest_snapshot::path_bytes(&args.html));
    let stops: u32 = report.tallies.iter().map(|tally| tally.stops).sum();
    ui.say(&format!(
        "wrote {name}: {}",
        counted(stops as usize, "stop")
    ))?;
    Ok(ExitStatus::Success)
}

fn gather(ui: &mut Ui, env: &Env, filter: &Filter) -> Result<Report, CommandError> {
    let made_at = Timestamp::now();
    let Some(store) = open(ui, env)? else {
        return Ok(Report {
            made_at,
            ..Report::default()
        });
    };
    let shown = Filter {
        limit: Some(MOST_SHOWN),
        ..filter.clone()
    };
    let is_asked =
        |outcome: &Outcome| filter.outcomes.is_empty() || filter.outcomes.contains(outcome);
    let false_dones: Vec<_> = Outcome::ALL
        .into_iter()
        .filter(|outcome| outcome.is_false_done() && is_asked(outcome))
        .collect();
    let lies = if false_dones.is_empty() {
        Vec::new()
    } else {
        let told = Filter {
            outcomes: false_dones,
            ..shown.clone()
        };
        history::details(&store, &told).map_err(not_found)?
    };
    Ok(Report {
        made_at,
        tallies: read(history::tally(&store, filter))?,
        runs: read(history::runs(&store, &shown))?,
        lies,
    })
}

/// Writes the whole file or none of it.
fn write(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut file = tempfile::Builder::new()
        .prefix(".attest-")
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.persist(path)?;
    Ok(())
}
