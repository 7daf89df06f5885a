use attest_snapshot::{Snapshot, Unreadable};
use rusqlite::Transaction;
use tempfile::TempDir;

use super::*;
use crate::agents::{close, register, rest};
use crate::{Start, TurnStart, baselines};

const SENT: &str = "attest: the report says Status: DONE, but\n- \"ghost.py\": not on disk\n";

fn prompt(turn_id: Option<&'static str>) -> Prompt<'static> {
    Prompt {
        turn_id,
        text: Some("go on"),
        is_report: false,
    }
}

fn report(turn_id: Option<&'static str>) -> Prompt<'static> {
    Prompt {
        is_report: true,
        ..prompt(turn_id)
    }
}

fn asks(text: &str) -> Prompt<'_> {
    Prompt {
        turn_id: Some("another"),
        text: Some(text),
        is_report: false,
    }
}

struct Session {
    _folder: TempDir,
    store: Store,
    clock: i64,
}

impl Session {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
        Self {
            _folder: folder,
            store,
            clock: 0,
        }
    }

    fn start(&mut self, key: &AgentKey, turn: Option<TurnStart<'_>>) -> i64 {
        self.clock += 1;
        let start = Start {
            turn,
            ..Start::at(key, self.clock)
        };
        self.store.write(|t| register(t, &start)).unwrap().0
    }

    fn begin(&mut self, number: u32, id: Option<&str>) -> i64 {
        let turn = TurnStart { number, id };
        self.start(&turn_key("s", number), Some(turn))
    }

    fn subagent(&mut self, name: &str) -> i64 {
        let key = AgentKey {
            session: "s".into(),
            agent: name.into(),
        };
        self.start(&key, None)
    }

    fn stop(&mut self, id: i64) {
        self.clock += 1;
        let now = self.clock;
        self.store.write(|t| close(t, id, now)).unwrap();
    }

    fn rest(&mut self, id: i64) {
        self.clock += 1;
        let now = self.clock;
        self.store.write(|t| rest(t, id, now)).unwrap();
    }

    fn send(&mut self, id: i64) {
        let sql = "UPDATE agents SET sent = ?2 WHERE id = ?1";
        let connection = &self.store.connection;
        connection.execute(sql, params![id, SENT]).unwrap();
    }

    fn last(&self) -> Turn {
        last_turn(&self.store, "s").unwrap().unwrap()
    }

    fn next(&self, prompt: Prompt<'_>) -> Next {
        next(last_turn(&self.store, "s").unwrap().as_ref(), prompt)
    }
}

#[test]
fn the_first_prompt_begins_the_first_turn() {
    let session = Session::new();
    assert_eq!(session.next(prompt(None)), Next::Begun(1));
    assert_eq!(session.next(report(Some("p"))), Next::Begun(1));
}

#[test]
fn a_prompt_in_the_middle_changes_nothing() {
    for id in [None, Some("p1")] {
        let mut session = Session::new();
        session.begin(1, id);
        for prompt in [prompt(id), prompt(None), report(Some("p2")), report(None)] {
            assert_eq!(session.next(prompt), Next::Same, "{id:?} {prompt:?}");
        }
    }
}

#[test]
fn a_prompt_after_the_stop_begins_a_turn() {
    for (id, next) in [(None, None), (Some("p1"), Some("p2")), (Some("p1"), None)] {
        let mut session = Session::new();
        let turn = session.begin(1, id);
        session.stop(turn);
        assert_eq!(session.next(prompt(next)), Next::Begun(2), "{id:?}");
    }
}

#[test]
fn a_turn_that_was_interrupted_is_known_by_its_id() {
    let mut session = Session::new();
    session.begin(1, Some("p1"));
    assert_eq!(session.next(prompt(Some("p2"))), Next::Begun(2));
    session.begin(2, Some("p2"));
    assert_eq!(session.last().number, 2);
    let first = crate::find(&session.store, &turn_key("s", 1)).unwrap();
    assert!(!first.unwrap().is_open, "nobody waits for it");
}

/// The same id after the stop: another hook of the host keeps the agent at work.
#[test]
fn a_turn_that_has_stopped_gets_no_fresh_retries_by_its_own_id() {
    let mut session = Session::new();
    let turn = session.begin(1, Some("p1"));
    session.stop(turn);
    assert_eq!(session.next(prompt(Some("p1"))), Next::Same);
}

#[test]
fn our_own_reason_is_no_new_turn_whatever_the_host_puts_around_it() {
    let mut session = Session::new();
    let turn = session.begin(1, Some("p1"));
    assert_eq!(session.next(asks(SENT)), Next::Begun(2), "nothing was sent");
    session.send(turn);
    let wrapped = format!("<hook_prompt>{}</hook_prompt>", SENT.trim_end());
    for text in [SENT, SENT.trim(), &wrapped] {
        assert_eq!(session.next(asks(text)), Next::Same, "{text}");
    }
    assert_eq!(session.next(asks("attest: thanks")), Next::Begun(2));
}

#[test]
fn what_subagents_report_goes_to_the_turn_that_they_worked_for() {
    let mut session = Session::new();
    let turn = session.begin(1, Some("p1"));
    session.subagent("a");
    session.rest(turn);
    assert_eq!(session.next(report(Some("p2"))), Next::Resumed);
    assert_eq!(session.next(prompt(Some("p2"))), Next::Begun(2));
    assert_eq!(session.next(prompt(None)), Next::Begun(2));
    session.begin(1, Some("p2"));
    let resumed = session.last();
    assert_eq!((resumed.agent.id, resumed.agent.generation), (turn, 1));
    assert_eq!(
        session.next(prompt(None)),
        Next::Same,
        "it is at work again"
    );
    session.stop(turn);
    assert_eq!(session.next(report(Some("p3"))), Next::Resumed);
    session.begin(1, Some("p3"));
    assert_eq!(session.last().agent.generation, 2);
}

#[test]
fn only_subagents_of_this_turn_are_waited_for() {
    let mut session = Session::new();
    session.begin(1, Some("p1"));
    let killed = session.subagent("killed");
    session.begin(2, Some("p2"));
    let at_work = |session: &Session| has_subagent_at_work(&session.store, &session.last());
    assert!(!at_work(&session).unwrap());
    let own = session.subagent("own");
    assert!(at_work(&session).unwrap());
    session.stop(own);
    assert!(!at_work(&session).unwrap());
    session.stop(killed);
    session.subagent("killed");
    assert!(at_work(&session).unwrap(), "it was resumed in this turn");
}

/// The host announces no stop of an agent that failed, and hands on that it did.
#[test]
fn a_subagent_that_was_reported_is_not_waited_for() {
    let mut session = Session::new();
    session.begin(1, Some("p1"));
    session.subagent("failed");
    session.subagent("other");
    let reported = ["failed", "unknown", "turn:1"].map(str::to_owned);
    end_reported(&mut session.store, "s", &reported, 100).unwrap();
    let turn = session.last();
    assert!(turn.agent.is_open);
    assert!(
        has_subagent_at_work(&session.store, &turn).unwrap(),
        "the other one"
    );
    end_reported(&mut session.store, "s", &["other".into()], 100).unwrap();
    assert!(!has_subagent_at_work(&session.store, &turn).unwrap());
}

/// However long a session is, it keeps the baseline of its first turn and that of its last.
#[test]
fn a_long_session_does_not_pile_up_baselines() {
    let mut session = Session::new();
    let mut first = None;
    for number in 1..=5 {
        let turn = session.begin(number, None);
        session.store.write(|t| keep_baseline(t, turn)).unwrap();
        first = first.or(Some(turn));
        session.stop(turn);
    }
    let last = session.last().agent;
    let earlier = first_baselines(&session.store, "s", &last).unwrap();
    assert_eq!(earlier, Vec::from_iter(first));
    let kept: Vec<i64> = (1..=5)
        .map(|number| crate::find(&session.store, &turn_key("s", number)))
        .map(|turn| turn.unwrap().unwrap().id)
        .filter(|turn| {
            crate::load_baseline(&session.store, *turn)
                .unwrap()
                .is_some()
        })
        .collect();
    assert_eq!(kept, [first.unwrap(), session.last().agent.id]);
}

fn keep_baseline(transaction: &Transaction<'_>, turn: i64) -> Result<(), StoreError> {
    let snapshot = Snapshot::Unreadable(Unreadable::Recorded("on purpose".into()));
    baselines::save(transaction, turn, 0, &snapshot)
}

#[test]
fn sessions_have_their_own_turns() {
    let mut session = Session::new();
    session.begin(1, None);
    assert_eq!(last_turn(&session.store, "other").unwrap(), None);
    let last = session.last().agent;
    let earlier = first_baselines(&session.store, "s", &last).unwrap();
    assert_eq!(earlier, [0; 0], "no baseline");
}

/// A session may go to another work tree, whose first baseline is not that of the session.
#[test]
fn the_first_baselines_are_those_of_the_session_and_of_the_work_tree() {
    let mut session = Session::new();
    let mut ids = Vec::new();
    for (number, worktree) in [(1, "/one"), (2, "/two"), (3, "/two"), (4, "/two")] {
        let id = session.begin(number, None);
        let sql = "UPDATE agents SET worktree = ?2 WHERE id = ?1";
        let connection = &session.store.connection;
        connection
            .execute(sql, params![id, worktree.as_bytes()])
            .unwrap();
        session.store.write(|t| keep_baseline(t, id)).unwrap();
        ids.push(id);
    }
    let last = session.last().agent;
    let earlier = first_baselines(&session.store, "s", &last).unwrap();
    assert_eq!(earlier, ids[..2]);
    let third = Agent { id: ids[1], ..last };
    let earlier = first_baselines(&session.store, "s", &third).unwrap();
    assert_eq!(earlier, ids[..1], "not its own");
}

#[test]
fn the_transcripts_of_other_sessions_come_newest_first() {
    let mut session = Session::new();
    for name in ["one", "two", "s"] {
        let id = session.start(
            &turn_key(name, 1),
            Some(TurnStart {
                number: 1,
                id: None,
            }),
        );
        let sql = "UPDATE agents SET transcript = ?2 WHERE id = ?1";
        let connection = &session.store.connection;
        connection
            .execute(sql, params![id, format!("/t/{name}").into_bytes()])
            .unwrap();
    }
    let others = transcripts_of_others(&session.store, "s").unwrap();
    let expected = ["two", "one"].map(|name| (name.to_owned(), format!("/t/{name}").into()));
    assert_eq!(others, expected);
}

/// Hosts choose the ids of agents, and some let a person or a model name them.
#[test]
fn no_agent_has_the_key_of_a_turn_or_of_another_agent() {
    let ids = [
        "turn:1",
        "id:turn:1",
        "id:id:turn:1",
        "type:Explore",
        "id:",
        "a1",
        "Turn:1",
    ];
    let keys: std::collections::BTreeSet<_> = ids
        .iter()
        .map(|id| AgentKey::of_id("s", id).agent)
        .collect();
    assert_eq!(keys.len(), ids.len(), "{keys:?}");
    let of_attest = [turn_key("s", 1), AgentKey::of_type("s", Some("Explore"))];
    for own in of_attest {
        assert!(!keys.contains(&own.agent), "{keys:?}");
    }
    assert!(keys.contains("a1") && keys.contains("Turn:1"), "{keys:?}");
}
