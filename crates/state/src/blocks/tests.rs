use std::path::PathBuf;
use std::thread;

use tempfile::TempDir;

use super::*;
use crate::agents::{close, register};
use crate::{AgentKey, Start, find};

pub(super) struct State {
    _folder: TempDir,
    path: PathBuf,
}

impl State {
    pub(super) fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("attest/state.db");
        Self {
            _folder: folder,
            path,
        }
    }

    /// The same where nothing waits for a disk, if there is such a place.
    pub(super) fn in_memory() -> Self {
        let folder = TempDir::new_in("/dev/shm").or_else(|_| TempDir::new());
        let folder = folder.unwrap();
        let path = folder.path().join("attest/state.db");
        Self {
            _folder: folder,
            path,
        }
    }

    pub(super) fn open(&self) -> Store {
        Store::open(&self.path).unwrap()
    }

    fn start(&self, agent: &str) -> i64 {
        let key = key(agent);
        let start = Start::at(&key, 0);
        let (id, _) = self.open().write(|t| register(t, &start)).unwrap();
        id
    }

    fn stop(&self, id: i64) {
        self.open()
            .write(|transaction| close(transaction, id, 1))
            .unwrap();
    }

    fn block(&self, id: i64, policy: &Policy) -> Result<BlockPermit, ReasonCode> {
        self.ask(&request(&self.agent(id)), policy)
    }

    /// The agent as a hook finds it now.
    fn agent(&self, id: i64) -> Agent {
        let sql = "SELECT agent FROM agents WHERE id = ?1";
        let store = self.open();
        let name = store.connection.query_row(sql, [id], |row| row.get(0));
        let name: Option<String> = name.optional().unwrap();
        let found = name.and_then(|name| find(&store, &key(&name)).unwrap());
        found.unwrap_or_else(|| unknown(id))
    }

    fn ask(&self, request: &BlockRequest<'_>, policy: &Policy) -> Result<BlockPermit, ReasonCode> {
        commit_block(&mut self.open(), policy, request).map_err(|refusal| refusal.code())
    }
}

pub(super) fn key(agent: &str) -> AgentKey {
    AgentKey {
        session: "s".into(),
        agent: agent.into(),
    }
}

fn unknown(id: i64) -> Agent {
    Agent {
        id,
        generation: 1,
        is_open: true,
        block_count: 0,
        started_at: 0,
        resumed_at: None,
        agent_type: None,
        worktree: None,
    }
}

fn request(agent: &Agent) -> BlockRequest<'_> {
    BlockRequest {
        agent,
        session: "s",
        repository: b"/repo/.git",
        reason: "attest: there is no ghost.py",
        host_is_continuing: false,
        deadline: None,
        now: 0,
    }
}

#[test]
fn an_agent_is_sent_back_once() {
    let state = State::new();
    let id = state.start("a");
    assert!(state.block(id, &Policy::default()).is_ok());
    let second = state.block(id, &Policy::default());
    assert_eq!(second.unwrap_err(), ReasonCode::AllowRetryCap);
}

/// A host may run the hook of one stop twice, at the same time.
#[test]
fn one_stop_uses_one_retry_however_many_hooks_it_has() {
    let state = State::new();
    let policy = Policy {
        max_retries: 2,
        ..Policy::default()
    };
    let id = state.start("a");
    let seen = state.agent(id);
    assert!(state.ask(&request(&seen), &policy).is_ok());
    assert_eq!(
        state.ask(&request(&seen), &policy).unwrap_err(),
        ReasonCode::AllowAlreadySent
    );
    assert_eq!(state.agent(id).block_count, 1);
    assert!(state.block(id, &policy).is_ok(), "the next stop");
}

#[test]
fn zero_retries_never_block() {
    let state = State::new();
    let policy = Policy {
        max_retries: 0,
        ..Policy::default()
    };
    let id = state.start("a");
    assert_eq!(
        state.block(id, &policy).unwrap_err(),
        ReasonCode::AllowRetryCap
    );
}

#[test]
fn a_start_in_the_middle_gives_no_fresh_retries() {
    let state = State::new();
    let id = state.start("a");
    assert!(state.block(id, &Policy::default()).is_ok());
    assert_eq!(state.start("a"), id);
    assert!(state.block(id, &Policy::default()).is_err());
}

#[test]
fn a_start_after_an_allowed_stop_does() {
    let state = State::new();
    let id = state.start("a");
    assert!(state.block(id, &Policy::default()).is_ok());
    state.stop(id);
    assert_eq!(state.start("a"), id);
    let agent = find(&state.open(), &key("a")).unwrap().unwrap();
    assert_eq!((agent.generation, agent.block_count), (2, 0));
    assert!(state.block(id, &Policy::default()).is_ok());
}

#[test]
fn the_host_that_continues_is_not_blocked_again() {
    let state = State::new();
    let id = state.start("a");
    let policy = Policy {
        max_retries: 5,
        ..Policy::default()
    };
    let agent = state.agent(id);
    let continuing = BlockRequest {
        host_is_continuing: true,
        ..request(&agent)
    };
    let refused = state.ask(&continuing, &policy);
    assert_eq!(refused.unwrap_err(), ReasonCode::AllowStopHookActive);
    let agent = find(&state.open(), &key("a")).unwrap().unwrap();
    assert_eq!(agent.block_count, 0, "a refusal raises nothing");
}

#[test]
fn after_the_deadline_nothing_is_recorded() {
    let state = State::new();
    let id = state.start("a");
    let agent = state.agent(id);
    let late = BlockRequest {
        deadline: Some(Instant::now()),
        ..request(&agent)
    };
    let refused = state.ask(&late, &Policy::default());
    assert_eq!(refused.unwrap_err(), ReasonCode::AllowDeadline);
    assert!(state.block(id, &Policy::default()).is_ok());
}

#[test]
fn twenty_stops_at_once_get_as_many_blocks_as_the_ceiling() {
    let state = State::new();
    let policy = Policy {
        session_ceiling: 5,
        ..Policy::default()
    };
    let ids: Vec<_> = (0..20).map(|n| state.start(&format!("a{n}"))).collect();
    let blocked = thread::scope(|scope| {
        let stops: Vec<_> = ids
            .iter()
            .map(|id| scope.spawn(|| state.block(*id, &policy).is_ok()))
            .collect();
        stops
            .into_iter()
            .map(|stop| stop.join().unwrap())
            .filter(|blocked| *blocked)
            .count()
    });
    assert_eq!(blocked, 5);
}

#[test]
fn the_ceiling_is_of_one_session_and_repository() {
    let state = State::new();
    let policy = Policy {
        session_ceiling: 1,
        ..Policy::default()
    };
    let (first, second) = (state.start("a"), state.start("b"));
    assert!(state.block(first, &policy).is_ok());
    assert_eq!(
        state.block(second, &policy).unwrap_err(),
        ReasonCode::AllowSessionCeiling
    );
    let agent = state.agent(second);
    let elsewhere = BlockRequest {
        repository: b"/other/.git",
        ..request(&agent)
    };
    assert!(state.ask(&elsewhere, &policy).is_ok());
}

#[test]
fn the_last_block_is_the_newest_of_its_session_wherever_it_was() {
    let state = State::new();
    let last = |session: &str| last_block_at(&state.open(), session).unwrap();
    assert_eq!(last("s"), None);
    let (first, second) = (state.start("a"), state.start("b"));
    for (id, repository, now) in [(first, b"/repo/.git", 70), (second, b"/deep/.git", 50)] {
        let agent = state.agent(id);
        let request = BlockRequest {
            repository,
            now,
            ..request(&agent)
        };
        assert!(state.ask(&request, &Policy::default()).is_ok());
    }
    assert_eq!((last("s"), last("t")), (Some(70), None));
}

#[test]
fn an_agent_that_is_not_recorded_cannot_be_blocked() {
    let state = State::new();
    let refused = state.block(4711, &Policy::default());
    assert_eq!(refused.unwrap_err(), ReasonCode::AllowCounterNotDurable);
}

#[test]
fn a_lock_that_is_held_is_a_refusal() {
    let state = State::new();
    let id = state.start("a");
    let holder = state.open();
    holder.connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = state.block(id, &Policy::default());
    assert_eq!(refused.unwrap_err(), ReasonCode::AllowCounterNotDurable);
}
