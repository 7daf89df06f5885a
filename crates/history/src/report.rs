//! `attest report`: the history as one page that needs nothing but a browser.

mod against;
mod false_dones;
mod filters;
mod open;
mod over_time;
mod page;
mod parts;
mod timeline;
mod types;

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};

use attest_state::history::{
    self, By, Detail, Entry, Filter, Periods, Question, Run, Stops, Tally,
};
use attest_state::{Store, private};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::history::{not_found, place, read};
use super::scope::{FilterArgs, Scope};
use against::Against;
use attest_base::env::Env;
use attest_base::error::{CommandError, Hint as _};
use attest_base::exit_status::ExitStatus;
use attest_base::ui::Ui;
use attest_base::ui::counted;
use over_time::Period;

/// Runs that the timeline shows at most, and false DONEs that are told in full: a page with more is
/// slow in the browser, and nobody reads it.
const MOST_SHOWN: u32 = 200;
/// A shorter history is counted by the hour.
const FEW_DAYS: SignedDuration = SignedDuration::from_hours(48);
/// The file beside the state file if none is named.
pub const USUAL: &str = "report.html";

/// Write the history as one HTML page
///
/// The page is a single file without scripts, and loads nothing. Without a name it is written beside the
/// state file, so that no work tree changes.
#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:\n  \
    attest report --open\n  \
    attest report ~/week.html --since 7d\n  \
    attest report - --all > all.html")]
pub struct ReportArgs {
    /// The file to write; a regular file that is there is replaced, `-` is standard output [default: report.html beside the state file]
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Show it in the browser
    #[arg(long)]
    open: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

/// Bytes of a page, up to its title.
const HEAD: u64 = 1024;

/// Everything that the page shows.
#[derive(Debug)]
struct Report {
    made_at: Timestamp,
    zone: TimeZone,
    /// What the page was narrowed to, in words.
    range: Vec<String>,
    period: Period,
    periods: Periods,
    all: Tally,
    types: Vec<Tally>,
    repositories: Vec<Tally>,
    against: Against,
    runs: Vec<Run>,
    false_dones: Vec<(Entry, Detail)>,
    /// The stops at which a criterion was not met that did not count.
    unmet: Vec<(Entry, Detail)>,
}

#[derive(Debug, thiserror::Error)]
enum WriteError {
    #[error("cannot write {path:?}")]
    Write { path: PathBuf, source: io::Error },
    #[error("{path:?} is there already, and is not a page of attest")]
    NotOurs { path: PathBuf },
}

pub(super) fn run(ui: &mut Ui, env: &Env, args: &ReportArgs) -> Result<ExitStatus, CommandError> {
    let scope = args.filter.scope()?;
    let state = place(ui, env)?;
    let store = state.open_if_there()?;
    let report = gather(store.as_ref(), &scope)?;
    let page = page::page(&report).into_string();
    let named = args.file.as_ref();
    if named.is_some_and(|file| file == Path::new("-")) {
        ui.print(&page)?;
        return Ok(ExitStatus::Success);
    }
    let path = match named {
        Some(path) => path.clone(),
        None => state.path.with_file_name(USUAL),
    };
    // Where a person names the file, they say what is replaced.
    if named.is_none() && path.symlink_metadata().is_ok() && !is_page(&path) {
        let path = path.clone();
        return Err(WriteError::NotOurs { path })
            .hint("name the file to write: attest report FILE");
    }
    write(&path, named.is_none(), &page).map_err(|source| WriteError::Write {
        path: path.clone(),
        source,
    })?;
    let name = attest_snapshot::escaped(&attest_snapshot::path_bytes(&path));
    let stops = counted(report.all.stops as usize, "stop");
    ui.say(&format!("wrote {name}: {stops}"))?;
    if args.open {
        open::in_browser(&path, env)?;
    }
    Ok(ExitStatus::Success)
}

fn gather(store: Option<&Store>, scope: &Scope) -> Result<Report, CommandError> {
    let mut report = Report {
        made_at: Timestamp::now(),
        zone: TimeZone::system(),
        range: scope.words(),
        period: Period::Day,
        periods: Periods::new(),
        all: Tally::default(),
        types: Vec::new(),
        repositories: Vec::new(),
        against: Against::default(),
        runs: Vec::new(),
        false_dones: Vec::new(),
        unmet: Vec::new(),
    };
    let Some(store) = store else {
        return Ok(report);
    };
    let filter = &scope.filter;
    let shown = Filter {
        limit: Some(MOST_SHOWN),
        ..filter.clone()
    };
    let stops = read(Stops::of(store, filter))?;
    let hours = stops.by_hour(filter, &report.zone);
    (report.period, report.periods) = if is_of_few_days(&hours) {
        (Period::Hour, hours)
    } else {
        (Period::Day, history::by_day(&hours))
    };
    let by = |by| {
        let question = Question {
            filter,
            by,
            before: None,
        };
        read(stops.stats(&question))
    };
    let types = by(By::Type)?;
    (report.all, report.types) = (types.all, types.tallies);
    report.repositories = by(By::Repository)?.tallies;
    report.against = Against::of(store, &stops, filter)?;
    report.runs = read(history::runs(store, &shown))?;
    let wholes = |filter: &Filter| {
        let wholes = history::wholes(store, &stops.numbers(filter));
        wholes.map_err(not_found)
    };
    if let Some(false_dones) = shown.of_false_dones() {
        report.false_dones = wholes(&false_dones)?;
    }
    let unmet = Filter {
        has_unmet_criteria: true,
        ..shown
    };
    report.unmet = wholes(&unmet)?;
    Ok(report)
}

/// Whether less time lies between the first and the last stop than a plot of days shows well.
fn is_of_few_days(hours: &Periods) -> bool {
    let time = |hour: &String| format!("{hour}:00:00Z").parse::<Timestamp>().ok();
    let (mut first, mut last) = (hours.keys(), hours.keys().rev());
    let ends = first.next().and_then(time).zip(last.next().and_then(time));
    ends.is_some_and(|(first, last)| last.duration_since(first) < FEW_DAYS)
}

/// Whether the file is a page that this command has written.
pub fn is_page(path: &Path) -> bool {
    let is_file = path.symlink_metadata().is_ok_and(|it| it.is_file());
    let mut head = Vec::new();
    let file = is_file.then(|| File::open(path)).and_then(Result::ok);
    let read = file.map(|file| file.take(HEAD).read_to_end(&mut head));
    let head = String::from_utf8_lossy(&head);
    read.is_some_and(|read| read.is_ok()) && head.contains(page::TITLE)
}

/// Writes the whole file or none of it. Where a link leads is written to; what is there is replaced only if it is a
/// regular file that may be written to, and keeps its permissions.
fn write(path: &Path, makes_folder: bool, text: &str) -> io::Result<()> {
    let path = &if path.is_symlink() {
        attest_snapshot::canonical(path)?
    } else {
        path.to_owned()
    };
    let kept = match path.symlink_metadata() {
        Ok(there) if !there.is_file() => Err(io::Error::other("it is not a regular file")),
        Ok(there) if there.permissions().readonly() => Err(io::Error::other("it is read-only")),
        Ok(there) => Ok(Some(there.permissions())),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }?;
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if makes_folder {
        private::make_folder(folder)?;
    }
    let mut file = tempfile::Builder::new()
        .prefix(".attest-")
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    if let Some(kept) = kept {
        file.as_file().set_permissions(kept)?;
    }
    file.persist(path)?;
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "tests start what they need")]

    use std::fs::{self, Permissions};
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    #[test]
    fn what_is_no_regular_file_or_read_only_stays() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let made = Command::new("mkfifo").arg(at("fifo")).status().unwrap();
        assert!(made.success());
        symlink("fifo", at("to-fifo")).unwrap();
        symlink("gone", at("to-gone")).unwrap();
        fs::write(at("kept"), "mine").unwrap();
        fs::set_permissions(at("kept"), Permissions::from_mode(0o400)).unwrap();
        symlink("kept", at("to-kept")).unwrap();
        fs::create_dir(at("folder")).unwrap();
        for name in ["fifo", "to-fifo", "to-gone", "kept", "to-kept", "folder"] {
            assert!(write(&at(name), false, "page").is_err(), "{name}");
        }
        assert!(at("fifo").symlink_metadata().unwrap().file_type().is_fifo());
        assert_eq!(fs::read(at("kept")).unwrap(), b"mine");
        assert!(at("to-kept").is_symlink());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 6);
    }

    #[test]
    fn a_file_keeps_its_permissions_and_a_link_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("page"), "old").unwrap();
        fs::set_permissions(at("page"), Permissions::from_mode(0o640)).unwrap();
        symlink("page", at("link")).unwrap();
        for (name, text) in [("page", "one"), ("link", "two"), ("new", "three")] {
            write(&at(name), false, text).unwrap();
            assert_eq!(fs::read(at(name)).unwrap(), text.as_bytes());
        }
        assert!(at("link").is_symlink());
        assert_eq!(fs::read(at("page")).unwrap(), b"two");
        let mode = at("page").metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
    }
}
