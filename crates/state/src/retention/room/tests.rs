use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::agents::{close, forget, register};
use crate::retention::tests::{at, key, store};
use crate::{Start, Store, find};

const HOUR_NS: i64 = 60 * 60 * 1_000_000_000;

struct State {
    _folder: TempDir,
    store: Store,
}

impl State {
    fn new() -> Self {
        let (folder, store) = store();
        Self {
            _folder: folder,
            store,
        }
    }

    /// An agent that started and stopped, with a tree of its own or a shared one.
    fn agent(&mut self, name: &str, worktree: &str, tree: u8, stopped: Option<i64>) -> i64 {
        let key = key(name);
        let start = Start {
            worktree: Some(Path::new(worktree)),
            ..Start::at(&key, 0)
        };
        let written = self.store.write(|transaction| {
            let (id, _) = register(transaction, &start)?;
            transaction.execute(
                "INSERT INTO trees (sha256, content) VALUES (?1, zeroblob(100000))
                 ON CONFLICT DO NOTHING",
                [[tree]],
            )?;
            transaction.execute(
                "INSERT INTO snapshots (agent, kind, taken_at, header, tree)
                 SELECT ?1, 'baseline', 0, '{}', id FROM trees WHERE sha256 = ?2",
                params![id, [tree]],
            )?;
            if let Some(stopped) = stopped {
                close(transaction, id, stopped)?;
                transaction.execute(
                    "INSERT INTO work (agent, session, worktree, path, seen_at)
                     VALUES (?1, 's', x'2f', x'61', ?2)",
                    params![id, stopped],
                )?;
            }
            Ok::<_, StoreError>(id)
        });
        written.unwrap()
    }

    fn list(&self, sql: &str) -> Vec<String> {
        let connection = &self.store.connection;
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(0)).unwrap();
        rows.map(Result::unwrap).collect()
    }

    /// The agents that have a baseline.
    fn kept(&self) -> Vec<String> {
        self.list(
            "SELECT agent FROM agents WHERE id IN (SELECT agent FROM snapshots) ORDER BY agent",
        )
    }

    fn trees(&self) -> usize {
        self.list("SELECT hex(sha256) FROM trees").len()
    }
}

#[test]
fn baselines_of_ended_agents_go_but_the_newest_of_each_work_tree() {
    let mut state = State::new();
    state.agent("a-first", "/one", 1, Some(10));
    state.agent("b-second", "/one", 2, Some(20));
    state.agent("c-young", "/one", 3, Some(90));
    state.agent("d-open", "/one", 4, None);
    state.agent("e-newest", "/two", 5, Some(10));
    let released = state
        .store
        .write(|transaction| release_baselines(transaction, at(50), None));
    assert_eq!(released.unwrap(), 2);
    assert_eq!(state.kept(), ["c-young", "d-open", "e-newest"]);
    assert_eq!(state.trees(), 3);
    let work = "SELECT agents.agent FROM work JOIN agents ON agents.id = work.agent ORDER BY 1";
    assert_eq!(state.list(work), ["c-young", "e-newest"]);
    let known = find(&state.store, &key("a-first")).unwrap();
    assert!(known.is_some(), "it never gets another baseline");
}

#[test]
fn a_shared_tree_stays_until_the_last_agent_goes() {
    let mut state = State::new();
    let first = state.agent("a", "/one", 1, Some(10));
    let second = state.agent("b", "/one", 1, Some(10));
    assert_eq!(state.trees(), 1);
    let mut go = |id| {
        let gone = state.store.write(|transaction| forget(transaction, id));
        gone.unwrap();
        state.trees()
    };
    assert_eq!(go(first), 1);
    assert_eq!(go(second), 0);
}

#[test]
fn room_is_made_from_the_oldest_and_never_from_what_is_fresh() {
    let now = 1000 * HOUR_NS;
    let mut state = State::new();
    state.agent("a-oldest", "/one", 1, Some(now - 30 * HOUR_NS));
    state.agent("b-older", "/two", 2, Some(now - 20 * HOUR_NS));
    state.agent("c-fresh", "/three", 3, Some(now - HOUR_NS / 2));
    state.agent("d-lost", "/four", 4, None);
    let text =
        "INSERT INTO verdicts (at, session, agent_id, outcome, reason, is_claim, blocks_before,
                    summary, detail)
                VALUES (?1, 's', 'a', 'OK', 'ALLOW_NOT_FALSE_DONE', 1, 0, '', '{}')";
    for hours in [30, 0] {
        let at = stored(at(now - hours * HOUR_NS));
        let added = state
            .store
            .write(|transaction| Ok::<_, StoreError>(transaction.execute(text, [at])?));
        added.unwrap();
    }
    let mut step = || {
        let step = state
            .store
            .write(|transaction| make_room(transaction, at(now), 1));
        step.unwrap()
    };
    let baseline = Forgotten {
        baselines: 1,
        ..Forgotten::default()
    };
    let verdict = Forgotten {
        verdicts: 1,
        ..Forgotten::default()
    };
    let steps = [step(), step(), step(), step(), step()];
    let nothing = Forgotten::default();
    assert_eq!(steps, [baseline, baseline, verdict, baseline, nothing]);
    assert_eq!(state.kept(), ["c-fresh"]);
    assert_eq!(state.list("SELECT id FROM verdicts").len(), 1);
}

#[test]
fn what_is_free_is_not_in_use() {
    let mut state = State::new();
    let before = bytes_in_use(&state.store.connection).unwrap();
    let id = state.agent("a", "/one", 1, Some(10));
    let with = bytes_in_use(&state.store.connection).unwrap();
    assert!(with > before + 90_000, "{before} {with}");
    let gone = state.store.write(|transaction| forget(transaction, id));
    gone.unwrap();
    let after = bytes_in_use(&state.store.connection).unwrap();
    assert!(after < before + 20_000, "{before} {after}");
}
