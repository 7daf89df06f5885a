//! Who else worked in the work trees of a repository.

use std::path::PathBuf;

use rusqlite::params;

use crate::names::{path_bytes, path_in};
use crate::{Agent, Store, StoreError};

/// How many others are told apart, the newest first.
const MOST: u32 = 64;

/// How long before another one an agent may have begun that is said to be at work: one that died never stops.
pub(crate) const LONGEST_NS: i64 = 24 * 60 * 60 * 1_000_000_000;

/// A subagent that was at work while another one was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Beside {
    /// Row id.
    pub id: i64,
    /// Its name within its session.
    pub agent: String,
    /// The host that runs it.
    pub harness: String,
    /// Nanoseconds since the epoch, of its first start.
    pub started_at: i64,
    /// Its transcript, or where that should be.
    pub transcript: Option<PathBuf>,
}

/// The other subagents that were at work in one of these work trees while `agent` was, the newest first.
pub fn beside(
    store: &Store,
    agent: &Agent,
    worktrees: &[PathBuf],
) -> Result<Vec<Beside>, StoreError> {
    let worktrees: Vec<_> = worktrees.iter().map(|path| path_bytes(path)).collect();
    let mut select = store.connection.prepare_cached(
        "SELECT id, agent, harness, started_at, coalesce(transcript, (
             SELECT transcript FROM runs
             WHERE runs.session = agents.session AND runs.agent_id = agents.agent AND transcript NOT NULL
             ORDER BY runs.id DESC LIMIT 1)), worktree
         FROM agents
         WHERE id <> ?1 AND turn IS NULL AND (open = 1 OR stopped_at >= ?2)
             AND coalesce(opened_at, started_at) >= ?2 - ?4
         ORDER BY id DESC LIMIT ?3",
    )?;
    let rows = select.query_map(
        params![agent.id, agent.started_at, MOST, LONGEST_NS],
        |row| {
            let worktree: Option<Vec<u8>> = row.get(5)?;
            let other = Beside {
                id: row.get(0)?,
                agent: row.get(1)?,
                harness: row.get(2)?,
                started_at: row.get(3)?,
                transcript: path_in(row, 4)?,
            };
            Ok((other, worktree))
        },
    )?;
    let mut found = Vec::new();
    for row in rows {
        let (other, worktree) = row?;
        if worktree.is_some_and(|it| worktrees.iter().any(|tree| **tree == *it)) {
            found.push(other);
        }
    }
    Ok(found)
}

/// The first subagent of the session that has its baseline, if it began in the same work tree before this one.
pub fn first_subagent(
    store: &Store,
    session: &str,
    before: &Agent,
) -> Result<Option<i64>, StoreError> {
    let Some(worktree) = &before.worktree else {
        return Ok(None);
    };
    let sql = "SELECT min(agents.id) FROM agents JOIN snapshots ON snapshots.agent = agents.id
               WHERE session = ?1 AND agents.id < ?2 AND turn IS NULL AND worktree = ?3";
    let values = params![session, before.id, path_bytes(worktree)];
    let first = store.connection.query_row(sql, values, |row| row.get(0))?;
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::tests::{agent, start, store};
    use crate::baselines;
    use attest_snapshot::{Snapshot, Unreadable};

    #[test]
    fn others_are_those_of_the_same_repository_while_their_work_overlaps() {
        let (_folder, mut store) = store();
        let early = start(&mut store, "early", "/repo", 10);
        store.write(|t| crate::agents::close(t, early, 20)).unwrap();
        start(&mut store, "me", "/repo", 30);
        start(&mut store, "elsewhere", "/other", 31);
        start(&mut store, "linked", "/linked", 32);
        let late = start(&mut store, "late", "/repo", 33);
        store.write(|t| crate::agents::close(t, late, 40)).unwrap();
        let trees = ["/repo", "/linked"].map(PathBuf::from);
        let found = beside(&store, &agent(&store, "me"), &trees).unwrap();
        let names: Vec<_> = found.iter().map(|other| other.agent.as_str()).collect();
        assert_eq!(names, ["late", "linked"]);
    }

    #[test]
    fn the_first_subagent_is_of_the_same_session_and_work_tree() {
        let (_folder, mut store) = store();
        let tree = Snapshot::Unreadable(Unreadable::Recorded("on purpose".into()));
        let mut ids = Vec::new();
        for (name, worktree) in [
            ("a", "/other"),
            ("b", "/repo"),
            ("c", "/repo"),
            ("d", "/repo"),
        ] {
            let id = start(&mut store, name, worktree, 10);
            store.write(|t| baselines::save(t, id, 10, &tree)).unwrap();
            ids.push(id);
        }
        let first = |session, name| first_subagent(&store, session, &agent(&store, name)).unwrap();
        assert_eq!([first("s", "c"), first("s", "d")], [Some(ids[1]); 2]);
        assert_eq!(
            [first("s", "b"), first("s", "a"), first("other", "d")],
            [None; 3]
        );
    }

    #[test]
    fn others_in_a_folder_whose_name_has_a_line_break_are_found() {
        let (_folder, mut store) = store();
        start(&mut store, "me", "/my\nrepo", 10);
        start(&mut store, "other", "/my\nrepo", 11);
        let found = beside(&store, &agent(&store, "me"), &["/my\nrepo".into()]).unwrap();
        assert_eq!(found.len(), 1);
    }
}
