//! `attest log`: the verdicts, the newest first.

use std::thread;
use std::time::Duration;

use attest_snapshot::escaped;
use attest_state::history::{self, Entry, Filter};
use jiff::Timestamp;

use super::history::{FilterArgs, SHORT_ID, place, read};
use super::state_file::StateFile;
use super::{ExitStatus, time};
use crate::env::Env;
use crate::error::CommandError;
use crate::ui::{FAINT, Ui, cut, fitted, style_of, styled};

/// Between two looks for new verdicts.
const PAUSE: Duration = Duration::from_millis(300);
/// Verdicts that `--follow` shows before it waits, as `tail` does.
const BEFORE_FOLLOWING: u32 = 10;

/// Columns of a line.
const TIME: usize = 19;
const OUTCOME: usize = 12;
const TYPE: usize = 16;
const AGENT: usize = 17;
/// In a terminal that is narrower the line does without the agent, or without its type as well.
const WITH_AGENT: usize = 100;
const WITH_TYPE: usize = 75;

/// List the verdicts, the newest first
#[derive(Debug, clap::Args)]
pub(crate) struct LogArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// At most so many
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<u32>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Print the last ones, then each new one as it comes
    #[arg(long, short)]
    follow: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &LogArgs) -> Result<ExitStatus, CommandError> {
    let filter = Filter {
        limit: args.limit.or(args.follow.then_some(BEFORE_FOLLOWING)),
        ..args.filter.filter()?
    };
    let place = place(ui, env)?;
    let mut entries = match place.open_if_there()? {
        Some(store) => read(history::entries(&store, &filter))?,
        None => Vec::new(),
    };
    let width = ui.width();
    let lines = |entries: &[Entry]| -> String {
        let lines = entries.iter();
        lines.map(|entry| line(entry, args.json, width)).collect()
    };
    if args.follow {
        entries.reverse();
        let last = entries.iter().map(|entry| entry.seq).max().unwrap_or(0);
        ui.print(&lines(&entries))?;
        return follow(ui, &filter, last, &place, lines);
    }
    if entries.is_empty() && !args.json {
        ui.say("no verdict is recorded")?;
    } else {
        ui.page(&lines(&entries))?;
    }
    Ok(ExitStatus::Success)
}

/// Waits for verdicts until nobody reads any more.
fn follow(
    ui: &mut Ui,
    filter: &Filter,
    last: i64,
    place: &StateFile,
    lines: impl Fn(&[Entry]) -> String,
) -> Result<ExitStatus, CommandError> {
    let mut filter = Filter {
        after: Some(last),
        limit: None,
        ..filter.clone()
    };
    let mut store = None;
    while ui.is_read() && !reader_is_gone(PAUSE) {
        // The first stop of all makes the state file.
        if store.is_none() {
            store = place.open_if_there()?;
        }
        let entries = match &store {
            Some(store) => read(history::entries(store, &filter))?,
            None => Vec::new(),
        };
        filter.after = entries.last().map(|entry| entry.seq).or(filter.after);
        ui.print(&lines(&entries))?;
    }
    Ok(ExitStatus::Success)
}

/// Waits for `pause`, or until nobody reads standard output any more: that is when a pipe reports an
/// error, and writing nothing to it would not find out.
#[cfg(unix)]
fn reader_is_gone(pause: Duration) -> bool {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let out = std::io::stdout();
    // No event is asked for: an error is reported in any case.
    let mut fds = [PollFd::new(&out, PollFlags::empty())];
    let limit = Timespec::try_from(pause).ok();
    let seen = poll(&mut fds, limit.as_ref());
    let [out] = fds;
    match seen {
        Ok(0) => false,
        Ok(_) if out.revents().intersects(PollFlags::ERR | PollFlags::HUP) => true,
        // What cannot be waited for here.
        _ => {
            thread::sleep(pause);
            false
        }
    }
}

#[cfg(not(unix))]
fn reader_is_gone(pause: Duration) -> bool {
    thread::sleep(pause);
    false
}

/// One verdict, with its newline.
fn line(entry: &Entry, json: bool, width: Option<usize>) -> String {
    if json {
        let object = serde_json::to_string(entry).unwrap_or_default();
        return format!("{object}\n");
    }
    let at: Result<Timestamp, _> = entry.at.parse();
    let at = at.map_or_else(|_| entry.at.clone(), time::second);
    let id: String = entry.id.chars().take(SHORT_ID).collect();
    let width = width.unwrap_or(usize::MAX);
    let outcome = format!("{:<OUTCOME$}", entry.outcome);
    let mut text = format!(
        "{} {id} {} ",
        styled(FAINT, fitted(&at, TIME)),
        styled(style_of(entry.outcome), outcome)
    );
    let mut used = TIME + SHORT_ID + OUTCOME + 3;
    let mut column = |name: &str, columns: usize| {
        text.push_str(&fitted(&escaped(name.as_bytes()), columns));
        text.push(' ');
        used += columns + 1;
    };
    if width >= WITH_TYPE {
        column(entry.agent_type.as_deref().unwrap_or("-"), TYPE);
    }
    if width >= WITH_AGENT {
        column(&entry.agent_id, AGENT);
    }
    text.push_str(&cut(&entry.summary, width.saturating_sub(used)));
    format!("{}\n", text.trim_end())
}
