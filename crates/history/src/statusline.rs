//! The line that a host shows below its prompt.
//!
//! The host runs it every time something changes on its screen, and shows the first line. So it never fails, says
//! nothing where there is nothing to say, and waits for nobody.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use attest_base::config::Config;
use attest_base::env::Env;
use attest_base::off;
use attest_base::own_settings::OwnSettings;
use attest_base::ui::counted;
use attest_state::history::{self, Of, Settled};
use attest_state::{Patience, Store, turn_number};
use jiff::{SignedDuration, Timestamp, Zoned};
use serde::Deserialize;

use crate::repository::common_dir;

/// What the host says is less; more is of somebody else.
const MOST_SENT: u64 = 1024 * 1024;
/// How long the host may take to say it.
const PATIENCE: Duration = Duration::from_millis(200);
/// An agent that has started before is not at work any more.
const LONGEST_WORK: SignedDuration = SignedDuration::from_hours(24);

/// What the host says, as far as it matters here.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Sent {
    cwd: Option<PathBuf>,
    workspace: Workspace,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Workspace {
    current_dir: Option<PathBuf>,
}

/// The line alone, for a host that waits for it.
#[must_use]
pub fn print(env: &Env) -> ExitCode {
    if let Some(line) = line(env) {
        // Nobody reads a closed pipe.
        let _ = writeln!(io::stdout(), "{line}");
    }
    ExitCode::SUCCESS
}

/// The line of this folder; `None` if there is nothing to say.
#[must_use]
pub fn line(env: &Env) -> Option<String> {
    if off::is_off(env) {
        return Some("attest: off".to_owned());
    }
    let env = &OwnSettings::read(env).below(env, None);
    let path = Config::read(env).state_db.filter(|path| path.is_file())?;
    let folder = folder();
    // Nobody waits for a file that is in use: the next line is a moment away.
    let store = Store::open_patiently(&path, Patience::none()).ok()?;
    let of = folder.and_then(|folder| common_dir(&folder).ok());
    let of = of.map_or(Of::Any, Of::Repository);
    let now = Zoned::now();
    let midnight = now.start_of_day().ok()?.timestamp();
    let settled = history::settled_since(&store, &of, midnight).ok()?;
    let at_work = at_work(&store, &of, now.timestamp())?;
    in_words(at_work, settled)
}

/// Subagents: the turn of the main agent is on the screen already.
fn at_work(store: &Store, of: &Of, now: Timestamp) -> Option<usize> {
    let since = now.saturating_sub(LONGEST_WORK).ok()?;
    let runs = history::open_since(store, of, since).ok()?.into_iter();
    let subagents = runs.filter(|run| turn_number(&run.agent_id).is_none());
    Some(subagents.filter(|run| run.is_at_work(now)).count())
}

fn in_words(at_work: usize, settled: Settled) -> Option<String> {
    let Settled {
        verified,
        unjudged,
        mended,
        false_dones,
    } = settled;
    let work = (at_work > 0).then(|| format!("{} at work", counted(at_work, "subagent")));
    let more = [(mended, "mended"), (unjudged, "with nothing to judge")];
    let more = more.into_iter().filter(|(count, _)| *count > 0);
    let more: Vec<_> = more
        .map(|(count, what)| format!(", {count} {what}"))
        .collect();
    let more = more.concat();
    let today = format!("{verified} verified{more} and {false_dones} false today");
    let is_any = verified + unjudged + mended + false_dones > 0;
    let today = is_any.then_some(today);
    let parts: Vec<_> = work.into_iter().chain(today).collect();
    (!parts.is_empty()).then(|| format!("attest: {}", parts.join(", ")))
}

/// The folder that the host is in, or else this one.
fn folder() -> Option<PathBuf> {
    let sent = sent().unwrap_or_default();
    let named = sent.workspace.current_dir.or(sent.cwd);
    named.or_else(|| std::env::current_dir().ok())
}

/// What the host says; nothing if it does not say it in time. A person at a terminal says nothing.
fn sent() -> Option<Sent> {
    if io::stdin().is_terminal() {
        return None;
    }
    let (to, from) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().take(MOST_SENT).read_to_end(&mut bytes);
        // Nobody waits any more.
        let _ = to.send(read.map(|_| bytes));
    });
    let bytes = from.recv_timeout(PATIENCE).ok()?.ok()?;
    serde_json::from_slice(&bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_what_there_is() {
        let line = |at_work, verified, false_dones| {
            let settled = Settled {
                verified,
                false_dones,
                ..Settled::default()
            };
            in_words(at_work, settled)
        };
        assert_eq!(line(0, 0, 0), None);
        assert_eq!(line(1, 0, 0).unwrap(), "attest: 1 subagent at work");
        assert_eq!(
            line(2, 12, 1).unwrap(),
            "attest: 2 subagents at work, 12 verified and 1 false today"
        );
        assert_eq!(
            line(0, 0, 1).unwrap(),
            "attest: 0 verified and 1 false today"
        );
        let mended = Settled {
            mended: 2,
            ..Settled::default()
        };
        assert_eq!(
            in_words(0, mended).unwrap(),
            "attest: 0 verified, 2 mended and 0 false today"
        );
        let unjudged = Settled {
            unjudged: 4,
            ..mended
        };
        assert_eq!(
            in_words(0, unjudged).unwrap(),
            "attest: 0 verified, 2 mended, 4 with nothing to judge and 0 false today"
        );
    }

    #[test]
    fn whatever_is_sent_is_read() {
        for (sent, folder) in [
            (
                r#"{"cwd":"/a","workspace":{"current_dir":"/b","more":1}}"#,
                Some("/b"),
            ),
            (r#"{"cwd":"/a"}"#, Some("/a")),
            ("{}", None),
        ] {
            let sent: Sent = serde_json::from_str(sent).unwrap();
            let found = sent.workspace.current_dir.or(sent.cwd);
            assert_eq!(found, folder.map(PathBuf::from));
        }
    }
}
