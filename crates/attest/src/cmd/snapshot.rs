//! `attest snapshot`: what the work tree is now. Needs no state file and makes none.

use std::path::PathBuf;

use attest_snapshot::{
    DocumentError, Fingerprint, Format, Snapshot, Unreadable, WorkTree, document, escaped,
    path_bytes,
};

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::in_time::InTime;
use attest_base::ui::counted;
use attest_base::ui::{Cell, Column, Table, Ui, hanging, progress};

/// Print a snapshot of a git work tree
///
/// On a terminal it is printed for a person, elsewhere as JSON that `attest verify` reads.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest snapshot                   how the work tree differs from HEAD\n  \
    attest snapshot > ../before.json     for attest verify --before ../before.json")]
pub(crate) struct SnapshotArgs {
    /// Any folder of the work tree
    #[arg(long, value_name = "DIR", default_value = ".")]
    repo: PathBuf,
    /// What to print: the versioned document, or a flat map from path to hash
    #[arg(long, value_enum)]
    format: Option<FormatArg>,
    /// Print JSON on a terminal as well, as --format does
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum FormatArg {
    Json,
    Flat,
}

#[derive(Debug, thiserror::Error)]
enum SnapshotError {
    #[error("cannot read the work tree")]
    Unreadable(#[source] Unreadable),
    #[error("cannot print the snapshot")]
    Document(#[source] DocumentError),
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &SnapshotArgs) -> Result<ExitStatus, CommandError> {
    let is_for_program = ui.is_for_program(args.json || args.format.is_some());
    let config = Config::of_command(ui, env);
    let format = match args.format {
        None | Some(FormatArg::Json) => Format::Json,
        Some(FormatArg::Flat) => Format::Flat,
    };
    let in_time = InTime::new(ui, &config);
    let take =
        || in_time.run(|limits| Snapshot::take(&args.repo, &limits.trusting(&args.repo), |_| None));
    match progress::during("reading the work tree", take) {
        Snapshot::Readable(tree) if !is_for_program => {
            ui.page(&text(&tree, ui.width()))?;
            Ok(ExitStatus::Success)
        }
        Snapshot::Readable(tree) => {
            ui.json_text(&document(&tree, format).map_err(SnapshotError::Document)?)?;
            Ok(ExitStatus::Success)
        }
        Snapshot::Unreadable(why) => Err(SnapshotError::Unreadable(why).into()),
    }
}

/// The work tree for a person.
fn text(tree: &WorkTree, width: Option<usize>) -> String {
    let safe = |text: &str| escaped(text.as_bytes());
    let head = tree.head.oid.as_deref().unwrap_or("no commit");
    let branch = tree.head.branch.as_deref().unwrap_or("detached");
    let branch = branch.strip_prefix("refs/heads/").unwrap_or(branch);
    let mut text = hanging("work tree  ", &escaped(&path_bytes(&tree.root)), width);
    text.push_str(&hanging(
        "HEAD       ",
        &format!("{} ({})", safe(head), safe(branch)),
        width,
    ));
    let differing = counted(tree.files.len(), "path");
    text.push_str(&hanging(
        "",
        &format!("\n{differing} differ from HEAD"),
        width,
    ));
    let columns = [Column::whole("", 9), Column::path("", 8)];
    let mut table = Table::new(columns).indented(2).without_header();
    for (path, state) in &tree.files {
        let is_deleted = state.fingerprint == Fingerprint::Deleted;
        let kind = if is_deleted { "deleted" } else { "written" };
        table.push([Cell::new(kind), Cell::new(path.to_string())]);
    }
    text + &table.unless_empty(width)
}
