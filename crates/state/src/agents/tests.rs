use tempfile::TempDir;

use super::*;

impl<'a> Start<'a> {
    /// The start of an agent of which nothing is known, so many nanoseconds after the epoch.
    pub(crate) fn at(key: &'a AgentKey, nanoseconds: i64) -> Self {
        Self {
            key,
            harness: "claude-code",
            agent_type: None,
            cwd: None,
            transcript: None,
            likely_transcript: None,
            worktree: None,
            repository: None,
            origin: None,
            turn: None,
            asked: None,
            at: Timestamp::from_nanosecond(nanoseconds.into()).unwrap(),
        }
    }
}

pub(crate) fn start(store: &mut Store, agent: &str, worktree: &str, now: i64) -> i64 {
    let key = AgentKey {
        session: "s".into(),
        agent: agent.into(),
    };
    let start = Start {
        agent_type: Some("general-purpose"),
        worktree: Some(Path::new(worktree)),
        ..Start::at(&key, now)
    };
    store
        .write(|transaction| register(transaction, &start))
        .unwrap()
        .0
}

pub(crate) fn agent(store: &Store, agent: &str) -> Agent {
    let key = AgentKey {
        session: "s".into(),
        agent: agent.into(),
    };
    find(store, &key).unwrap().unwrap()
}

pub(crate) fn store() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
    (folder, store)
}

#[test]
fn others_count_while_their_work_overlaps() {
    let (_folder, mut store) = store();
    let early = start(&mut store, "early", "/repo", 10);
    store.write(|t| close(t, early, 20)).unwrap();
    start(&mut store, "me", "/repo", 30);
    let me = agent(&store, "me");
    assert_eq!(others_at_work(&store, &me).unwrap(), 0);
    start(&mut store, "elsewhere", "/other", 31);
    let late = start(&mut store, "late", "/repo", 31);
    assert_eq!(others_at_work(&store, &me).unwrap(), 1);
    store.write(|t| close(t, late, 40)).unwrap();
    assert_eq!(others_at_work(&store, &me).unwrap(), 1);
}

#[test]
fn the_last_agent_of_a_work_tree_is_looked_for_among_the_newest() {
    let (_folder, mut store) = store();
    start(&mut store, "first", "/repo", 1);
    let last = start(&mut store, "last", "/repo", 2);
    start(&mut store, "elsewhere", "/other", 3);
    let latest = |store: &Store| latest_in(store, Path::new("/repo")).unwrap();
    assert_eq!(latest(&store), Some(last));
    for number in 0..100 {
        start(&mut store, &format!("later{number}"), "/other", 4);
    }
    assert_eq!(latest(&store), None);
}

#[test]
fn an_agent_that_is_forgotten_is_new_the_next_time() {
    let (_folder, mut store) = store();
    let first = start(&mut store, "type:explore", "/repo", 1);
    let other = start(&mut store, "other", "/repo", 1);
    store.write(|t| forget(t, first)).unwrap();
    let key = AgentKey {
        session: "s".into(),
        agent: "type:explore".into(),
    };
    assert!(find(&store, &key).unwrap().is_none());
    assert_eq!(agent(&store, "other").id, other);
}
