//! Every interleaving of three agents' hooks, with a crash before, in and after each of their
//! writes. The writes are the real ones: each that can be asked of a state file is made once, on a
//! state file, by a connection of its own. What is played is only who comes next, and who dies.

use std::collections::{HashMap, HashSet};

use attest_clock::size;

use super::tests::{State as File, key};
use super::*;
use crate::agents::{close, register};
use crate::{AgentKey, find};

const AGENTS: usize = 3;

/// A hook of an agent that lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hook {
    Start,
    Stop,
}
use Hook::{Start, Stop};

/// The hooks that run one after another, of one agent. The last line is the second run of a stop, as
/// some hosts make it, beside the first.
const PROCESSES: [(usize, &[Hook]); 4] = [
    (0, &[Start, Stop, Stop, Start, Stop]),
    (1, &[Start, Stop, Stop, Start]),
    (2, &[Start, Start, Stop]),
    (0, &[Stop]),
];

/// What the state file holds of an agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Row {
    generation: u32,
    is_open: bool,
    blocks: u32,
}

/// What the state file holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Held {
    agents: [Option<Row>; AGENTS],
    of_session: u32,
}

/// A write of one hook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Write {
    Register,
    /// By a hook that found the agent like this.
    Block(Row),
    Close,
}

/// What came of a write that asked for a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Leave {
    Given,
    Refused,
    /// Another hook of the same stop has it.
    Taken,
}

/// How far a process is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Position {
    hook: usize,
    step: Step,
    /// What its hook found of the agent.
    seen: Option<Row>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
enum Step {
    #[default]
    Begin,
    Decide,
    Send,
    Close,
}

/// One moment: the state file, the processes, and what is known of what they did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Moment {
    held: Held,
    processes: [Position; PROCESSES.len()],
    /// Blocks of each agent that were counted, and that were sent.
    counted: [u32; AGENTS],
    sent: [u32; AGENTS],
}

/// The state file, and what each write made of it.
struct World {
    file: File,
    /// Sets what is held, and looks at it.
    observer: Store,
    policy: Policy,
    made: HashMap<(Held, usize, Write), (Held, Leave)>,
}

impl World {
    /// Makes a write, once cut off in the middle and once to its end. Returns what is held then, and
    /// whether it gave a permit.
    fn make(&mut self, held: Held, agent: usize, write: Write) -> (Held, Leave) {
        if let Some(made) = self.made.get(&(held, agent, write)) {
            return *made;
        }
        self.restore(held);
        self.cut_off(agent, write);
        assert_eq!(self.look(), held, "a write that was cut off leaves nothing");
        let leave = self.run(agent, write);
        let made = (self.look(), leave);
        self.made.insert((held, agent, write), made);
        made
    }

    fn run(&self, agent: usize, write: Write) -> Leave {
        let mut store = self.file.open();
        match write {
            Write::Register => {
                let begun = store.write(|transaction| registered(transaction, agent));
                begun.unwrap();
                Leave::Refused
            }
            Write::Block(seen) => {
                let seen = found(agent, seen);
                match commit_block(&mut store, &self.policy, &request(&seen)) {
                    Ok(_) => Leave::Given,
                    Err(Refusal::Rule(ReasonCode::AllowAlreadySent)) => Leave::Taken,
                    Err(Refusal::Rule(_)) => Leave::Refused,
                    Err(Refusal::NotDurable(error)) => panic!("{error}"),
                }
            }
            Write::Close => {
                store
                    .write(|transaction| close(transaction, id(agent), 1))
                    .unwrap();
                Leave::Refused
            }
        }
    }

    /// The process dies when all is written and nothing is committed.
    fn cut_off(&self, agent: usize, write: Write) {
        let mut store = self.file.open();
        let died: Result<(), Refusal> = store.write_durably(|transaction| {
            match write {
                Write::Register => registered(transaction, agent)?,
                Write::Block(seen) => {
                    raise(transaction, &self.policy, &request(&found(agent, seen)))?;
                }
                Write::Close => close(transaction, id(agent), 1)?,
            }
            Err(Refusal::Rule(ReasonCode::AllowDeadline))
        });
        died.unwrap_err();
    }

    fn restore(&self, held: Held) {
        let connection = &self.observer.connection;
        let empty = "DELETE FROM agents; DELETE FROM session_blocks;";
        connection.execute_batch("BEGIN").unwrap();
        connection.execute_batch(empty).unwrap();
        for (number, row) in held.agents.into_iter().enumerate() {
            let Some(row) = row else { continue };
            let AgentKey { session, agent } = name(number);
            let sql = "INSERT INTO agents
                (id, session, agent, harness, generation, open, block_count, started_at)
                VALUES (?1, ?2, ?3, 'claude-code', ?4, ?5, ?6, 0)";
            let values = params![
                id(number),
                session,
                agent,
                row.generation,
                row.is_open,
                row.blocks
            ];
            connection.execute(sql, values).unwrap();
        }
        if held.of_session > 0 {
            let sql = "INSERT INTO session_blocks VALUES ('s', ?1, ?2, 0)";
            let values = params![REPOSITORY, held.of_session];
            connection.execute(sql, values).unwrap();
        }
        connection.execute_batch("COMMIT").unwrap();
    }

    fn look(&self) -> Held {
        let connection = &self.observer.connection;
        let row = |number| {
            let agent = find(&self.observer, &name(number)).unwrap()?;
            Some(Row {
                generation: agent.generation,
                is_open: agent.is_open,
                blocks: agent.block_count,
            })
        };
        let sql = "SELECT coalesce(sum(blocks), 0) FROM session_blocks";
        Held {
            agents: std::array::from_fn(row),
            of_session: connection.query_row(sql, [], |row| row.get(0)).unwrap(),
        }
    }

    /// Everything that one process may do next, dying included.
    fn next(&mut self, moment: Moment, process: usize) -> Vec<Moment> {
        let (agent, hooks) = PROCESSES[process];
        let position = moment.processes[process];
        let Some(hook) = hooks.get(position.hook) else {
            return Vec::new();
        };
        let at = |moment: Moment, position| {
            let mut moment = moment;
            moment.processes[process] = position;
            moment
        };
        let ended = Position {
            hook: position.hook + 1,
            ..Position::default()
        };
        let step = |step| Position { step, ..position };
        // Whatever it is about to do, it may die before.
        let mut all = vec![at(moment, ended)];
        match (hook, position.step) {
            (Start, _) => all.push(at(self.written(moment, agent, Write::Register).0, ended)),
            (Stop, Step::Begin) => {
                let seen = moment.held.agents[agent];
                let decides = Position {
                    seen,
                    ..step(Step::Decide)
                };
                all.extend(seen.map(|_| at(moment, decides)));
            }
            (Stop, Step::Decide) => {
                let (after, leave) =
                    self.written(moment, agent, Write::Block(position.seen.unwrap()));
                all.push(match leave {
                    Leave::Given => at(after, step(Step::Send)),
                    Leave::Refused => at(after, step(Step::Close)),
                    Leave::Taken => at(after, ended),
                });
            }
            (Stop, Step::Send) => {
                let mut after = moment;
                after.sent[agent] += 1;
                all.push(at(after, ended));
            }
            (Stop, Step::Close) => all.push(at(self.written(moment, agent, Write::Close).0, ended)),
        }
        all
    }

    fn written(&mut self, moment: Moment, agent: usize, write: Write) -> (Moment, Leave) {
        let (held, leave) = self.make(moment.held, agent, write);
        let mut after = Moment { held, ..moment };
        after.counted[agent] += held.of_session - moment.held.of_session;
        check_write(moment.held, held, agent, write, leave);
        (after, leave)
    }

    fn check(&self, moment: &Moment) {
        let held = moment.held;
        assert!(held.of_session <= self.policy.session_ceiling, "{moment:?}");
        let counted: u32 = moment.counted.iter().sum();
        assert_eq!(held.of_session, counted, "{moment:?}");
        for row in held.agents.into_iter().flatten() {
            assert!(row.blocks <= self.policy.max_retries, "{moment:?}");
        }
        for (sent, counted) in moment.sent.into_iter().zip(moment.counted) {
            assert!(sent <= counted, "a block without its count: {moment:?}");
        }
    }
}

fn check_write(before: Held, after: Held, agent: usize, write: Write, leave: Leave) {
    let raised = after.of_session - before.of_session;
    let given = leave == Leave::Given;
    assert_eq!(raised, u32::from(given), "{write:?} {before:?}");
    let (was, is) = (before.agents[agent], after.agents[agent].unwrap());
    if let Write::Block(seen) = write {
        let is_new =
            was.is_some_and(|was| (was.generation, was.blocks) == (seen.generation, seen.blocks));
        assert_eq!(
            leave == Leave::Taken,
            !is_new,
            "one revision, once: {before:?}"
        );
    }
    for other in (0..AGENTS).filter(|other| *other != agent) {
        assert_eq!(before.agents[other], after.agents[other], "{write:?}");
    }
    let Some(was) = was else {
        assert_eq!((is.generation, is.is_open, is.blocks), (1, true, 0));
        return;
    };
    if is.generation == was.generation {
        assert_eq!(is.blocks, was.blocks + raised, "{write:?} {before:?}");
    } else {
        // Fresh retries come only with a start behind a stop that was let through.
        assert!(write == Write::Register && !was.is_open, "{before:?}");
        assert_eq!((is.generation, is.blocks), (was.generation + 1, 0));
    }
}

const REPOSITORY: &[u8] = b"/repo/.git";

/// The row id that an agent has where its hooks find it.
fn id(agent: usize) -> i64 {
    i64::try_from(agent).unwrap() + 1
}

fn name(number: usize) -> AgentKey {
    key(&format!("a{number}"))
}

fn found(number: usize, seen: Row) -> Agent {
    Agent {
        id: id(number),
        generation: seen.generation,
        is_open: seen.is_open,
        block_count: seen.blocks,
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
        repository: REPOSITORY,
        reason: "attest: there is no ghost.py",
        host_is_continuing: false,
        deadline: None,
        now: 0,
    }
}

fn registered(transaction: &Transaction<'_>, agent: usize) -> Result<(), StoreError> {
    let key = name(agent);
    let start = crate::Start::at(&key, 0);
    register(transaction, &start).map(drop)
}

/// Plays everything. Returns how many moments there are, and the most blocks that were sent.
fn play(max_retries: u32, session_ceiling: u32) -> (usize, u32) {
    let file = File::in_memory();
    let mut world = World {
        observer: file.open(),
        file,
        policy: Policy {
            max_retries,
            session_ceiling,
            ..Policy::default()
        },
        made: HashMap::new(),
    };
    let mut seen = HashSet::from([Moment::default()]);
    let mut open = vec![Moment::default()];
    let mut most = 0;
    while let Some(moment) = open.pop() {
        world.check(&moment);
        most = most.max(moment.sent.iter().sum());
        for process in 0..PROCESSES.len() {
            let next = world.next(moment, process);
            open.extend(next.into_iter().filter(|moment| seen.insert(*moment)));
        }
    }
    (seen.len(), most)
}

#[test]
fn whoever_comes_next_and_dies_no_block_is_without_its_count_and_no_limit_is_passed() {
    hold(size(&[(1, 2, 2)], &[(1, 10, 4), (1, 2, 2)]));
}

#[test]
fn with_more_retries_or_none_no_limit_is_passed_either() {
    hold(size(&[(2, 3, 3)], &[(2, 3, 3), (0, 3, 0)]));
}

/// Retries, the ceiling of a session, and the blocks that are sent at most.
fn hold(limits: &[(u32, u32, u32)]) {
    for &(retries, ceiling, most) in limits {
        let (moments, sent) = play(retries, ceiling);
        // All that the limits allow can be sent: what never blocks would hold every promise.
        assert_eq!(sent, most, "{retries} {ceiling}");
        assert!(moments > 10_000, "{moments}");
    }
}
