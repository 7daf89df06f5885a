use std::path::Path;

use tempfile::TempDir;

use super::*;
use crate::agents::{close, register};
use crate::{AgentKey, Start, Store, find};

pub(super) fn store() -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
    (folder, store)
}

fn start(store: &mut Store, agent: &str, now: i64) -> i64 {
    let key = key(agent);
    let start = Start::at(&key, now);
    let (id, _) = store.write(|t| register(t, &start)).unwrap();
    id
}

pub(super) fn key(agent: &str) -> AgentKey {
    AgentKey {
        session: "s".into(),
        agent: agent.into(),
    }
}

pub(super) fn at(nanoseconds: i64) -> Timestamp {
    Timestamp::from_nanosecond(i128::from(nanoseconds)).unwrap()
}

#[test]
fn agents_are_collected_by_the_last_that_was_heard_of_them() {
    let (_folder, mut store) = store();
    start(&mut store, "lost", 10);
    let stopped = start(&mut store, "stopped", 10);
    store.write(|t| close(t, stopped, 100)).unwrap();
    let one = Forgotten {
        agents: 1,
        ..Forgotten::default()
    };
    assert_eq!(count_older(&store, at(50)).unwrap(), one);
    assert_eq!(store.write(|t| remove_older(t, at(50), None)).unwrap(), one);
    assert_eq!(find(&store, &key("stopped")).unwrap().unwrap().id, stopped);
}

#[test]
fn a_bounded_removal_takes_the_rest_the_next_time() {
    let (_folder, mut store) = store();
    for n in 0..5 {
        start(&mut store, &format!("a{n}"), 10);
    }
    let mut taken = Vec::new();
    for _ in 0..4 {
        let forgotten = store.write(|t| remove_older(t, at(50), Some(2))).unwrap();
        taken.push(forgotten.agents);
    }
    assert_eq!(taken, [2, 2, 1, 0]);
}

#[test]
fn where_a_repository_was_cloned_from_goes_with_the_last_agent_that_began_there() {
    let (_folder, mut store) = store();
    let key = key("a");
    for (repository, now) in [("/old/.git", 10), ("/new/.git", 10), ("/new/.git", 60)] {
        let start = Start {
            repository: Some(Path::new(repository)),
            origin: Some("host.example/team/project"),
            at: at(now),
            ..Start::at(&key, now)
        };
        store.write(|t| history::record_start(t, &start)).unwrap();
    }
    store.write(|t| remove_older(t, at(50), None)).unwrap();
    let kept = "SELECT cast(repository AS text) FROM origins";
    let kept: String = store
        .connection
        .query_row(kept, [], |row| row.get(0))
        .unwrap();
    assert_eq!(kept, "/new/.git");
}

#[test]
fn a_daily_turn_is_taken_once_a_day() {
    let (_folder, mut store) = store();
    let mut take = |now: i64| {
        let due = is_due(&store.connection, "gc", at(now)).unwrap();
        let taken = store.write(|t| take_turn(t, "gc", at(now))).unwrap();
        assert_eq!(due, taken);
        taken
    };
    let first = 10 * DAY_NS;
    assert!(take(first));
    assert!(!take(first), "twice at once");
    assert!(!take(first - 1), "by a process with an older time");
    assert!(!take(first + DAY_NS));
    assert!(take(first + DAY_NS + 1));
    assert!(take(first - DAY_NS), "a clock that was ahead by days");
}
