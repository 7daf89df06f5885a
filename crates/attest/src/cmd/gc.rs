//! `attest gc`: forget what was last heard of long ago.

use std::fs;
use std::path::Path;

use attest_state::Store;
use attest_state::retention::{self, Forgotten};
use jiff::SignedDuration;

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::state_file::StateFile;
use attest_base::ui::counted;
use attest_base::ui::{Ui, megabytes};
use attest_base::{exit_status::ExitStatus, time};

/// What a person is told of that was given back to the disk, in bytes.
const WORTH_TELLING: u64 = 100_000;

/// Forget agents and verdicts that are old, and give their space back to the disk
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest gc --dry-run\n  \
    attest gc --older-than 7d")]
pub(crate) struct GcArgs {
    /// How long ago, such as 30d, 12h or "1 week"
    #[arg(long, value_name = "AGE", default_value = "30d", value_parser = time::parse_age)]
    older_than: SignedDuration,
    /// Only say how many there are
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &GcArgs) -> Result<ExitStatus, CommandError> {
    let config = Config::of_command(ui, env);
    let file = StateFile::of(&config, "gc")?;
    let text = match file.open_if_there()? {
        None => "nothing to forget: there is no state file yet".to_owned(),
        Some(mut store) => forget(args, config.most_state, &file, &mut store)?,
    };
    ui.say(&text)?;
    Ok(ExitStatus::Success)
}

/// Forgets what is older than is asked for, and what is above `most` bytes.
fn forget(
    args: &GcArgs,
    most: u64,
    file: &StateFile,
    store: &mut Store,
) -> Result<String, CommandError> {
    let before = time::before_now(args.older_than);
    let words = |count: Forgotten| {
        let agents = counted(count.agents, "agent");
        let verdicts = counted(count.verdicts, "verdict");
        format!("{agents} and {verdicts}")
    };
    if args.dry_run {
        let count = file.used(retention::count_older(store, before))?;
        return Ok(format!("would forget {}", words(count)));
    }
    let size = size_of(&file.path);
    let count = file.used(retention::forget(store, before, most))?;
    file.used(store.compact())?;
    let mut text = format!("forgot {}", words(count));
    let smaller = size.saturating_sub(size_of(&file.path));
    if smaller >= WORTH_TELLING {
        let megabytes = megabytes(smaller);
        text.push_str(&format!("; the state file is {megabytes} smaller"));
    }
    Ok(text)
}

/// The file and what is beside it.
fn size_of(path: &Path) -> u64 {
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    size(path) + size(Path::new(&log))
}
