//! `attest log`: the verdicts, the newest first.

use std::path::Path;
use std::thread;
use std::time::Duration;

use attest_snapshot::{escaped, path_bytes, visible_json};
use attest_state::Store;
use attest_state::history::{self, Entry, Filter};
use jiff::Timestamp;
use serde::Serialize;

use super::history::{place, read};
use super::names::{agent_name, short_id};
use super::repository::{repository_name, shown_repository};
use super::scope::{FilterArgs, titled};
use attest_base::env::Env;
use attest_base::error::CommandError;
use attest_base::exit_status::ExitStatus;
use attest_base::export;
use attest_base::record::{Level, Record};
use attest_base::state_file::StateFile;
use attest_base::time::Clock;
use attest_base::ui::{Cell, Column, FAINT, Table, Ui, hanging, styled};

/// Between two looks for new verdicts.
const PAUSE: Duration = Duration::from_millis(300);
/// Verdicts that a person is shown at most unless they say how many: nobody reads more.
const MOST_SHOWN: u32 = 1000;
/// Verdicts that `--follow` shows before it waits, as `tail` does.
const BEFORE_FOLLOWING: u32 = 10;

/// List the verdicts, the newest first
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest log --outcome mismatch,blocked --since 7d\n  \
    attest log --follow\n  \
    attest log --all --json -n 100")]
pub struct LogArgs {
    #[command(flatten)]
    filter: FilterArgs,
    /// At most so many [default: 1000, and all with --json]
    #[arg(long, short = 'n', value_name = "N", value_parser = super::count)]
    limit: Option<u32>,
    /// Print one JSON object per line
    #[arg(long)]
    json: bool,
    /// Print the last ones, then each new one as it comes
    #[arg(long, short)]
    follow: bool,
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &LogArgs) -> Result<ExitStatus, CommandError> {
    let mut scope = args.filter.scope()?;
    let usual = if args.follow {
        Some(BEFORE_FOLLOWING)
    } else {
        // One more tells whether there are more.
        (!args.json).then_some(MOST_SHOWN + 1)
    };
    scope.filter.limit = args.limit.or(usual);
    let place = place(ui, env)?;
    let store = place.open_if_there()?;
    let lines = Lines {
        json: args.json,
        width: ui.width(),
        has_repository: scope.filter.of.repository().is_none(),
        is_followed: args.follow,
    };
    let mut listed = lines.list(store.as_ref(), &scope.filter)?;
    if args.follow {
        listed.reverse();
        if !args.json {
            ui.print(&titled(&scope, lines.width))?;
        }
        ui.print(&lines.text(&listed, true))?;
        let last = listed.iter().map(|it| it.entry.seq).max();
        return follow(ui, &scope.filter, last.unwrap_or(0), &place, &lines);
    }
    if args.json {
        ui.page(&lines.text(&listed, true))?;
    } else if listed.is_empty() {
        scope.say_nothing(ui, store.as_ref())?;
    } else {
        let most = MOST_SHOWN as usize;
        let is_cut = args.limit.is_none() && listed.len() > most;
        listed.truncate(if is_cut { most } else { listed.len() });
        let mut text = titled(&scope, lines.width) + &lines.text(&listed, true);
        if is_cut {
            let rest = format!("these are the newest {most}; `-n` shows more");
            text.push_str(&hanging("", &rest, lines.width));
        }
        ui.page(&text)?;
    }
    Ok(ExitStatus::Success)
}

/// The newest verdicts of the repository of this folder, or of all if it is in none. `None` if there is none.
pub fn last(
    store: Option<&Store>,
    width: Option<usize>,
    most: u32,
) -> Result<Option<String>, CommandError> {
    let mut scope = FilterArgs::default().scope()?;
    scope.filter.limit = Some(most);
    let lines = Lines {
        json: false,
        width,
        has_repository: scope.filter.of.repository().is_none(),
        is_followed: false,
    };
    let listed = lines.list(store, &scope.filter)?;
    if listed.is_empty() {
        return Ok(None);
    }
    let place = scope.here.as_deref().map(shown_repository);
    let title = place.map(|name| hanging("", &styled(FAINT, format!("in {name}")), width));
    Ok(Some(title.unwrap_or_default() + &lines.text(&listed, true)))
}

/// A verdict as `--json` has it: what lists show, and the record that an export has.
#[derive(Serialize)]
struct Flat<'a> {
    #[serde(flatten)]
    entry: &'a Entry,
    #[serde(flatten)]
    record: Record,
}

/// A verdict that is listed.
struct Listed {
    entry: Entry,
    /// Its line with `--json`.
    json: String,
}

/// Waits for verdicts until nobody reads any more.
fn follow(
    ui: &mut Ui,
    filter: &Filter,
    last: i64,
    place: &StateFile,
    lines: &Lines,
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
        let listed = lines.list(store.as_ref(), &filter)?;
        filter.after = listed.last().map(|it| it.entry.seq).or(filter.after);
        ui.print(&lines.text(&listed, false))?;
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

/// How verdicts are listed.
struct Lines {
    json: bool,
    width: Option<usize>,
    /// Whether the verdicts are of more than one repository.
    has_repository: bool,
    /// Whether the columns have to suit verdicts that are still to come.
    is_followed: bool,
}

impl Lines {
    /// The verdicts that `filter` lets through.
    fn list(&self, store: Option<&Store>, filter: &Filter) -> Result<Vec<Listed>, CommandError> {
        let Some(store) = store else {
            return Ok(Vec::new());
        };
        if !self.json {
            let entries = read(history::entries(store, filter))?.into_iter();
            let listed = entries.map(|entry| Listed {
                entry,
                json: String::new(),
            });
            return Ok(listed.collect());
        }
        let records = export::records(store, Level::Full, None)?;
        let recorded = read(history::records(store, filter))?.into_iter();
        let listed = recorded.map(|recorded| {
            let record = records.record(&recorded);
            let entry = recorded.entry;
            let json = serde_json::to_string(&Flat {
                entry: &entry,
                record,
            })?;
            let json = format!("{}\n", visible_json(&json));
            Ok(Listed { entry, json })
        });
        listed.collect()
    }

    fn text(&self, listed: &[Listed], has_header: bool) -> String {
        if self.json {
            return listed.iter().map(|it| &*it.json).collect();
        }
        let mut table = self.table(listed);
        if !has_header {
            table = table.without_header();
        }
        table.render(self.width)
    }

    fn table(&self, listed: &[Listed]) -> Table {
        let least = |width| if self.is_followed { width } else { 0 };
        let mut columns = vec![
            Column::whole("TIME", 7).at_least(least(11)),
            Column::whole("OUTCOME", 9).at_least(least(14)),
            Column::id("ID", 10),
            Column::name("TYPE", 4).at_least(least(15)),
            Column::id("AGENT", 3).at_least(least(8)),
        ];
        if self.has_repository {
            // It is what `--all` was asked for.
            let column = Column::path("REPOSITORY", 6).with_whole_names();
            columns.push(column.at_least(least(16)));
        }
        columns.push(Column::brief("WHAT", 5));
        let mut table = Table::new(columns);
        let clock = Clock::new(self.width);
        for Listed { entry, .. } in listed {
            table.push(self.row(entry, &clock));
        }
        table
    }

    fn row(&self, entry: &Entry, clock: &Clock) -> Vec<Cell> {
        let at: Result<Timestamp, _> = entry.at.parse();
        let at = at.map_or_else(|_| entry.at.clone(), |at| clock.show(at));
        let safe = |text: &String| escaped(text.as_bytes());
        let mut row = vec![
            Cell::styled(FAINT, at),
            Cell::outcome(entry.outcome, entry.is_to_look_at()),
            Cell::new(short_id(&entry.id)),
            Cell::or_dash(entry.agent_type.as_ref().map(safe)),
            Cell::new(agent_name(&entry.agent_id, entry.task.as_deref())),
        ];
        if self.has_repository {
            let name = entry.repository.as_deref().map(repository_name);
            let name = name.and_then(Path::file_name);
            let name = name.map(|name| escaped(&path_bytes(Path::new(name))));
            row.push(Cell::or_dash(name));
        }
        let said = entry.disputed.map(|said| format!("({said}) "));
        row.push(Cell::new(said.unwrap_or_default() + &entry.summary));
        row
    }
}
