//! What became of a notice: whether the files that a report named and that were missing are there when the turn ends in
//! which the parent was told.
//!
//! A file that is there was not always made by the parent, and one that is not may have another name by now: only what
//! was seen is kept.

use std::path::{Path, PathBuf};

use attest_claim::{Claim, Kind, Meaning, Target};
use attest_verdict::{Finding, Outcome};
use rusqlite::{Connection, OptionalExtension, params};

use super::counted::{Counted, Noticed};
use super::{Detail, Entry, stops};
use crate::names::path_in;
use crate::{AgentKey, Store, StoreError};

/// What was missing when an agent stopped, looked for again.
#[derive(Debug)]
pub struct Again {
    number: i64,
    counted: Counted,
    files: Vec<Missing>,
}

/// A claimed file that was not on disk.
#[derive(Debug)]
struct Missing {
    /// As the agent wrote it.
    claimed: String,
    /// What it may be called.
    names: Vec<String>,
    /// Whether that disproved the report.
    is_proof: bool,
    is_there: bool,
}

impl Again {
    /// The files that are there by now, as the agent wrote them.
    pub fn there(&self) -> impl Iterator<Item = &str> {
        let there = self.files.iter().filter(|file| file.is_there);
        there.map(|file| file.claimed.as_str())
    }
}

/// Looks again for what was missing in the last report of an agent; `None` if nothing was. `folder` is where the parent
/// is at work.
pub fn look_again(
    store: &Store,
    key: &AgentKey,
    folder: Option<&Path>,
    is_there: impl Fn(&Path) -> bool,
) -> Result<Option<Again>, StoreError> {
    let Some((mut again, folders)) = missing(&store.connection, key, folder)? else {
        return Ok(None);
    };
    for file in &mut again.files {
        let mut places = file
            .names
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
        file.is_there = places.any(|place| is_there(&place));
    }
    Ok(Some(again))
}

/// Keeps what was seen of the files that disproved a report of which the parent was told.
pub fn follow(store: &mut Store, again: &Again) -> Result<(), StoreError> {
    let proofs = || again.files.iter().filter(|file| file.is_proof);
    let count = |all: usize| u32::try_from(all).unwrap_or(u32::MAX);
    let noticed = Noticed {
        missing: count(proofs().count()),
        there: count(proofs().filter(|file| file.is_there).count()),
    };
    if noticed.missing == 0 {
        return Ok(());
    }
    let counted = Counted {
        noticed: Some(noticed),
        ..again.counted.clone()
    };
    store.write(|transaction| put(transaction, again.number, &counted))
}

/// Changes what is counted of a verdict.
pub(super) fn put(
    connection: &Connection,
    number: i64,
    counted: &Counted,
) -> Result<(), StoreError> {
    let sql = "UPDATE verdicts SET counted = ?2 WHERE seq = ?1";
    connection.execute(sql, params![number, counted.stored()])?;
    stops::forget(connection, number..=number)
}

/// What was seen after the notice about a verdict, if that is known.
pub fn noticed(store: &Store, verdict: &Entry) -> Result<Option<Noticed>, StoreError> {
    let sql = "SELECT counted FROM verdicts WHERE seq = ?1";
    let mut select = store.connection.prepare_cached(sql)?;
    let found = select.query_row([verdict.seq], |row| row.get::<_, Option<String>>(0));
    let counted = found.optional()?.flatten();
    Ok(counted.and_then(|text| Counted::read(&text).noticed))
}

/// It with the folders that the names are below; `None` if no file was, or if the agent has gone on.
fn missing(
    connection: &Connection,
    key: &AgentKey,
    folder: Option<&Path>,
) -> Result<Option<(Again, Vec<PathBuf>)>, StoreError> {
    let sql = "SELECT seq, outcome, detail, counted, repository,
                   (SELECT cwd FROM runs WHERE runs.session = verdicts.session
                    AND runs.agent_id = verdicts.agent_id ORDER BY id DESC LIMIT 1)
               FROM verdicts WHERE agent_id = ?1 AND session = ?2 ORDER BY seq DESC LIMIT 1";
    let found = connection.query_row(sql, [&key.agent, &key.session], |row| {
        let outcome: String = row.get(1)?;
        let detail: String = row.get(2)?;
        let counted: Option<String> = row.get(3)?;
        let folders = (path_in(row, 4)?, path_in(row, 5)?);
        Ok((row.get(0)?, outcome, detail, counted, folders))
    });
    let Some((number, outcome, detail, Some(counted), (repository, cwd))) = found.optional()?
    else {
        return Ok(None);
    };
    let Ok(detail) = serde_json::from_str::<Detail>(&detail) else {
        return Ok(None);
    };
    let files = files(&detail);
    if files.is_empty() || outcome == Outcome::Blocked.as_str() {
        return Ok(None);
    }
    let top = repository.and_then(|common_dir| common_dir.parent().map(Path::to_owned));
    let folders = top.into_iter().chain(cwd).chain(folder.map(Path::to_owned));
    let again = Again {
        number,
        counted: Counted::read(&counted),
        files,
    };
    Ok(Some((again, folders.collect())))
}

/// The claimed files that were not on disk.
fn files(detail: &Detail) -> Vec<Missing> {
    let missing = detail.findings.iter().filter(|judged| {
        judged.kind == Kind::Files && matches!(judged.finding, Finding::Absent | Finding::Lost)
    });
    let files = missing.map(|judged| Missing {
        claimed: judged.claimed.clone(),
        names: names(detail.claim.as_ref(), &judged.claimed),
        is_proof: judged.is_proof && judged.finding == Finding::Absent,
        is_there: false,
    });
    files.collect()
}

fn names(claim: Option<&Claim>, claimed: &str) -> Vec<String> {
    let entries = claim.into_iter().flat_map(|claim| &claim.entries);
    let mut names = vec![claimed.to_owned()];
    for entry in entries.filter(|entry| entry.raw == claimed) {
        let Meaning::Paths(readings) = &entry.meaning else {
            continue;
        };
        names.extend(readings.iter().map(|reading| match &reading.target {
            Target::File(name) | Target::Dir(name) | Target::Rename { to: name, .. } => {
                name.clone()
            }
        }));
    }
    names
}
