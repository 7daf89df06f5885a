//! The work that was seen when agents stopped, so that a later stop of the session can tell that it is gone.

use attest_evidence::RepoPath;
use attest_snapshot::Content;
use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::agents::{AGENT_COLUMNS, agent_of};
use crate::beside::LONGEST_NS;
use crate::names::path_bytes;
use crate::{Agent, AgentKey, Store, StoreError};

/// Files of one agent that are kept.
pub const MOST_OF_ONE: usize = 200;
/// Files of a session that are looked at, the newest first.
const MOST_OF_ALL: u32 = 500;

/// A file that an agent had changed when it stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Work {
    /// The row id of the agent.
    pub agent: i64,
    /// When it was seen, in nanoseconds since the epoch.
    pub seen_at: i64,
    /// The file.
    pub path: RepoPath,
    /// What it held.
    pub content: Content,
}

/// What a later stop found of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Looked {
    /// The row id of its agent.
    pub agent: i64,
    /// The file.
    pub path: RepoPath,
    /// What it holds now; `None` if it is gone, and that is all that there is to say of it.
    pub now: Option<Content>,
}

/// The work of the other subagents of the session, in the work tree of `agent`.
pub fn work_of_others(
    store: &Store,
    key: &AgentKey,
    agent: &Agent,
) -> Result<Vec<Work>, StoreError> {
    let Some(worktree) = &agent.worktree else {
        return Ok(Vec::new());
    };
    let sql = format!(
        "SELECT agent, seen_at, path, blob FROM work
         WHERE session = ?1 AND worktree = ?2 AND agent <> ?3 ORDER BY agent DESC LIMIT {MOST_OF_ALL}"
    );
    let mut select = store.connection.prepare(&sql)?;
    let of = params![key.session, path_bytes(worktree), agent.id];
    let rows = select.query_map(of, |row| {
        let (agent, seen_at) = (row.get(0)?, row.get(1)?);
        let (path, blob): (Vec<u8>, Option<String>) = (row.get(2)?, row.get(3)?);
        let path = RepoPath::from_git(&path);
        Ok(path.map(|path| Work {
            agent,
            seen_at,
            path,
            content: blob.map_or(Content::Nothing, Content::Blob),
        }))
    })?;
    let work: Result<Vec<_>, _> = rows.collect();
    Ok(work?.into_iter().rev().flatten().collect())
}

/// The agent with this row id, and its name within its session.
pub fn agent_with(store: &Store, id: i64) -> Result<Option<(Agent, String)>, StoreError> {
    let sql = format!("SELECT {AGENT_COLUMNS}, agent FROM agents WHERE id = ?1");
    let found = store
        .connection
        .query_row(&sql, [id], |row| Ok((agent_of(row)?, row.get(8)?)));
    Ok(found.optional()?)
}

/// Whether another subagent is at work in the work tree of `agent`. One that died never stops, and is not waited for
/// longer than a day.
pub fn has_others_open(store: &Store, agent: &Agent, now: i64) -> Result<bool, StoreError> {
    let Some(worktree) = &agent.worktree else {
        return Ok(false);
    };
    let sql = "SELECT EXISTS (SELECT 1 FROM agents WHERE worktree = ?1 AND id <> ?2 AND turn IS NULL AND open = 1
               AND coalesce(opened_at, started_at) >= ?3 - ?4)";
    let of = params![path_bytes(worktree), agent.id, now, LONGEST_NS];
    Ok(store.connection.query_row(sql, of, |row| row.get(0))?)
}

/// Keeps what is seen of an agent's work at its stop, in the place of what was seen before.
pub(crate) fn keep(
    transaction: &Transaction<'_>,
    (key, agent): (&AgentKey, &Agent),
    seen: &[(RepoPath, Content)],
    now: i64,
) -> Result<(), StoreError> {
    if agent.generation > 1 {
        transaction.execute("DELETE FROM work WHERE agent = ?1", [agent.id])?;
    }
    let Some(worktree) = agent.worktree.as_ref().filter(|_| !seen.is_empty()) else {
        return Ok(());
    };
    let sql = "INSERT OR REPLACE INTO work (agent, session, worktree, path, blob, seen_at)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    let mut insert = transaction.prepare(sql)?;
    let worktree = path_bytes(worktree);
    for (path, content) in seen.iter().take(MOST_OF_ONE) {
        let (path, blob) = (path.as_bytes(), blob(content));
        insert.execute(params![agent.id, key.session, worktree, path, blob, now])?;
    }
    Ok(())
}

/// Keeps what a stop found of the work of others.
pub(crate) fn look(transaction: &Transaction<'_>, looked: &[Looked]) -> Result<(), StoreError> {
    for Looked { agent, path, now } in looked {
        let of = params![agent, path.as_bytes()];
        match now {
            None => transaction.execute("DELETE FROM work WHERE agent = ?1 AND path = ?2", of)?,
            Some(content) => transaction.execute(
                "UPDATE work SET blob = ?3 WHERE agent = ?1 AND path = ?2",
                params![agent, path.as_bytes(), blob(content)],
            )?,
        };
    }
    Ok(())
}

fn blob(content: &Content) -> Option<&str> {
    match content {
        Content::Nothing => None,
        Content::Blob(name) => Some(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents;
    use crate::agents::tests::{agent, start, store};

    fn path(text: &str) -> RepoPath {
        RepoPath::from_git(text.as_bytes()).unwrap()
    }

    fn key(name: &str) -> AgentKey {
        AgentKey::of_id("s", name)
    }

    fn keep_all(store: &mut Store, name: &str, seen: &[(RepoPath, Content)]) {
        let agent = agent(store, name);
        store
            .write(|t| keep(t, (&key(name), &agent), seen, 20))
            .unwrap();
    }

    #[test]
    fn work_is_kept_until_it_is_known_to_be_gone() {
        let (_folder, mut store) = store();
        let first = start(&mut store, "first", "/repo", 10);
        start(&mut store, "second", "/repo", 11);
        let seen = [
            (path("a.py"), Content::Blob("1".repeat(40))),
            (path("b.py"), Content::Nothing),
        ];
        keep_all(&mut store, "first", &seen);
        let is_beside =
            |store: &Store, now| has_others_open(store, &agent(store, "second"), now).unwrap();
        assert!(is_beside(&store, 20) && !is_beside(&store, 20 + LONGEST_NS));
        store.write(|t| agents::close(t, first, 20)).unwrap();
        assert!(!is_beside(&store, 20));
        let of = |store: &Store| {
            let work = work_of_others(store, &key("second"), &agent(store, "second")).unwrap();
            let work = work.into_iter().map(|it| (it.path, it.content));
            work.collect::<Vec<_>>()
        };
        assert_eq!(of(&store), seen);
        let now = Content::Blob("2".repeat(40));
        let looked = [
            Looked {
                agent: first,
                path: path("a.py"),
                now: Some(now.clone()),
            },
            Looked {
                agent: first,
                path: path("b.py"),
                now: None,
            },
        ];
        store.write(|t| look(t, &looked)).unwrap();
        assert_eq!(of(&store), [(path("a.py"), now)]);
        // Nobody is told of work of its own, and what an agent leaves at its next stop takes the place of it.
        keep_all(&mut store, "second", &seen);
        assert_eq!(of(&store).len(), 1);
        start(&mut store, "first", "/repo", 30);
        keep_all(&mut store, "first", &[]);
        assert_eq!(of(&store), []);
    }

    #[test]
    fn work_elsewhere_is_not_looked_at_and_none_outlives_its_agent() {
        let (_folder, mut store) = store();
        let seen = [(path("a.py"), Content::Nothing)];
        for (name, tree) in [("here", "/repo"), ("there", "/other")] {
            start(&mut store, name, tree, 10);
            keep_all(&mut store, name, &seen);
        }
        start(&mut store, "me", "/repo", 30);
        let me = agent(&store, "me");
        let found = work_of_others(&store, &key("me"), &me).unwrap();
        let here = found[0].agent;
        assert_eq!(found.len(), 1);
        assert_eq!(agent_with(&store, here).unwrap().unwrap().1, "here");
        store.write(|t| agents::forget(t, here)).unwrap();
        assert_eq!(work_of_others(&store, &key("me"), &me).unwrap(), []);
        assert_eq!(agent_with(&store, here).unwrap(), None);
    }
}
