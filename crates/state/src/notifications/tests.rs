use std::path::PathBuf;
use std::thread;

use tempfile::TempDir;

use super::*;

fn state() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("attest/state.db");
    (folder, path)
}

fn key(agent: &str) -> AgentKey {
    AgentKey {
        session: "s".into(),
        agent: agent.into(),
    }
}

fn keep(store: &mut Store, agent: &str, finding: Option<&str>) {
    let key = key(agent);
    store
        .write(|transaction| {
            let advice = Advice {
                agent_type: Some("Explore"),
                finding: finding.map(str::to_owned),
                ..Advice::default()
            };
            advise(transaction, &key, &advice, 1)
        })
        .unwrap();
}

fn lines(told: &[Told]) -> Vec<(&str, &str)> {
    told.iter()
        .map(|told| (told.agent.as_str(), told.finding.as_str()))
        .collect()
}

#[test]
fn the_person_is_told_once_with_all_that_were_verified() {
    let (_folder, path) = state();
    let mut store = Store::open(&path).unwrap();
    keep(&mut store, "a1", None);
    assert_eq!(take_for_person(&mut store, "s", 2).unwrap(), None);
    keep(&mut store, "a2", Some("x"));
    keep(&mut store, "a2", Some("y"));
    assert_eq!(take_for_person(&mut store, "other", 2).unwrap(), None);
    let notice = take_for_person(&mut store, "s", 2).unwrap().unwrap();
    assert_eq!((notice.subagents, notice.turns), (2, 0));
    assert_eq!(lines(&notice.findings), [("a2", "x"), ("a2", "y")]);
    assert_eq!(take_for_person(&mut store, "s", 3).unwrap(), None);
    keep(&mut store, "a3", Some("z"));
    let next = take_for_person(&mut store, "s", 4).unwrap().unwrap();
    assert_eq!((next.subagents, next.turns), (1, 0));
    keep(&mut store, "turn:1", None);
    keep(&mut store, "turn:2", Some("w"));
    keep(&mut store, "a4", None);
    let mixed = take_for_person(&mut store, "s", 5).unwrap().unwrap();
    assert_eq!((mixed.subagents, mixed.turns), (1, 2));
}

#[test]
fn the_parent_is_told_of_one_agent_apart_from_the_person() {
    let (_folder, path) = state();
    let mut store = Store::open(&path).unwrap();
    keep(&mut store, "a1", Some("x"));
    keep(&mut store, "a2", Some("y"));
    take_for_person(&mut store, "s", 2).unwrap().unwrap();
    let told = take_for_parent(&mut store, &key("a1"), 2).unwrap();
    assert_eq!(lines(&told), [("a1", "x")]);
    assert_eq!(told[0].agent_type.as_deref(), Some("Explore"));
    let told = take_for_parent(&mut store, &key("a1"), 3).unwrap();
    assert_eq!(told.len(), 0);
    assert_eq!(take_for_parent(&mut store, &key("a2"), 3).unwrap().len(), 1);
}

#[test]
fn a_stop_that_comes_twice_is_told_once() {
    let (_folder, path) = state();
    let mut store = Store::open(&path).unwrap();
    for finding in ["x", "x", "y"] {
        keep(&mut store, "a1", Some(finding));
    }
    let told = take_for_parent(&mut store, &key("a1"), 2).unwrap();
    assert_eq!(lines(&told), [("a1", "x"), ("a1", "y")]);
    keep(&mut store, "a1", Some("x"));
    let again = take_for_parent(&mut store, &key("a1"), 3).unwrap();
    assert_eq!(lines(&again), [("a1", "x")], "a later stop");
}

#[test]
fn of_many_hooks_at_once_one_tells() {
    let (_folder, path) = state();
    let mut store = Store::open(&path).unwrap();
    for agent in ["a1", "a2", "a3"] {
        keep(&mut store, agent, Some("x"));
    }
    let hooks: Vec<_> = (0..8)
        .map(|_| {
            let path = path.clone();
            thread::spawn(move || {
                let mut store = Store::open(&path).unwrap();
                let person = take_for_person(&mut store, "s", 2).unwrap();
                let parent = take_for_parent(&mut store, &key("a1"), 2).unwrap();
                (
                    person.map_or(0, |notice| notice.findings.len()),
                    parent.len(),
                )
            })
        })
        .collect();
    let told = hooks.into_iter().map(|hook| hook.join().unwrap());
    let sum = told.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert_eq!(sum, (3, 1));
}

#[test]
fn a_remark_is_for_the_person_alone_and_once_in_a_session() {
    let (_folder, path) = state();
    let mut store = Store::open(&path).unwrap();
    let note = |store: &mut Store, session: &str| {
        store
            .write(|transaction| remark_in(transaction, session, "no trust", 1))
            .unwrap();
    };
    note(&mut store, "s");
    note(&mut store, "s");
    let notice = take_for_person(&mut store, "s", 2).unwrap().unwrap();
    assert_eq!((notice.subagents, notice.findings), (0, vec![]));
    assert_eq!(notice.remarks, ["no trust"]);
    note(&mut store, "s");
    assert_eq!(take_for_person(&mut store, "s", 3).unwrap(), None);
    assert_eq!(take_for_parent(&mut store, &key(""), 3).unwrap(), []);
    note(&mut store, "other");
    keep(&mut store, "a1", Some("x"));
    let other = take_for_person(&mut store, "other", 4).unwrap().unwrap();
    assert_eq!(other.remarks.len(), 1);
    let next = take_for_person(&mut store, "s", 4).unwrap().unwrap();
    assert_eq!((next.subagents, next.remarks.len()), (1, 0));
}
