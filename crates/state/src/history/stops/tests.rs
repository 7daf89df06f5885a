use std::path::PathBuf;

use proptest::prelude::*;
use rusqlite::{OptionalExtension as _, params};
use tempfile::TempDir;

use super::*;
use crate::history::noticed::put;
use crate::history::{self, Noticed, Of};

/// What is kept of a stop, with its texts.
type Whole = (i64, i64, u128, [Option<Vec<u8>>; COLUMNS], u8);

impl Stops<'_> {
    fn wholes(&self) -> Vec<Whole> {
        let whole = |stop: &Stopped| {
            let texts = stop
                .names
                .map(|name| self.texts.bytes(name).map(<[u8]>::to_vec));
            (stop.seq, stop.at, stop.agent, texts, stop.facts.0)
        };
        let mut all: Vec<_> = self.all.iter().map(whole).collect();
        all.sort();
        all
    }
}

/// Every row, whatever is folded.
fn rows(store: &Store) -> Vec<Whole> {
    let mut all = Stops {
        store,
        texts: Texts::default(),
        all: Vec::new(),
        by_agent: OnceCell::new(),
    };
    all.read(&store.connection, "", Vec::new()).unwrap();
    all.wholes()
}

fn spans(store: &Store) -> i64 {
    let sql = "SELECT count(*) FROM folded";
    store
        .connection
        .query_row(sql, [], |row| row.get(0))
        .unwrap()
}

/// What happens to a history.
#[derive(Debug, Clone)]
enum Event {
    Stop(Box<Row>),
    /// Somebody counts.
    Count,
    /// A notice is followed, by the place of the verdict.
    Followed(u8),
    /// The oldest go.
    Purged(u8),
    /// The newest go, whose numbers are then given again.
    Taken(u8),
    Emptied,
    Compacted,
    Damaged,
}

#[derive(Debug, Clone)]
struct Row {
    agent: u8,
    session: u8,
    hour: u8,
    agent_type: Option<u8>,
    repository: Option<u8>,
    host: Option<bool>,
    outcome: usize,
    is_claim: bool,
    asked: Option<bool>,
    blocks: u8,
    judged: Option<bool>,
    counted: Option<u8>,
}

fn row() -> impl Strategy<Value = Row> {
    let who = (
        0..4_u8,
        0..3_u8,
        0..48_u8,
        prop::option::of(0..3_u8),
        prop::option::of(0..3_u8),
    );
    let what = (
        any::<Option<bool>>(),
        0..Outcome::ALL.len(),
        any::<bool>(),
        any::<Option<bool>>(),
        0..2_u8,
        any::<Option<bool>>(),
        prop::option::of(0..3_u8),
    );
    (who, what).prop_map(|(who, what)| Row {
        agent: who.0,
        session: who.1,
        hour: who.2,
        agent_type: who.3,
        repository: who.4,
        host: what.0,
        outcome: what.1,
        is_claim: what.2,
        asked: what.3,
        blocks: what.4,
        judged: what.5,
        counted: what.6,
    })
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        12 => row().prop_map(|row| Event::Stop(Box::new(row))),
        3 => Just(Event::Count),
        1 => any::<u8>().prop_map(Event::Followed),
        1 => (0..6_u8).prop_map(Event::Purged),
        1 => (0..6_u8).prop_map(Event::Taken),
        1 => Just(Event::Emptied),
        1 => Just(Event::Compacted),
        1 => Just(Event::Damaged),
    ]
}

fn repository(number: u8) -> PathBuf {
    format!("/repo{number}/.git").into()
}

fn insert(store: &Store, row: &Row) {
    let agents = ["a0", "a1", "b0", "type:Explore"];
    let sql = "INSERT INTO verdicts (at, session, agent_id, agent_type, repository, outcome, reason, is_claim,
                                     blocks_before, summary, detail, asked, judged, harness, counted)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'ALLOW_AMBIGUOUS', ?7, ?8, ?13, '{}', ?9, ?10, ?11, ?12)";
    let counted = row.counted.map(|number| match number {
        0 => String::new(),
        number => format!("{{\"doubts\":{{\"IGNORED\":{number}}}}}"),
    });
    let at = Timestamp::from_second(i64::from(row.hour) * 1800).unwrap();
    let values = params![
        crate::times::stored(at),
        format!("s{}", row.session),
        agents[usize::from(row.agent)],
        row.agent_type.map(|number| format!("Type{number}")),
        row.repository
            .map(|it| repository(it).to_string_lossy().into_owned().into_bytes()),
        Outcome::ALL[row.outcome].as_str(),
        row.is_claim,
        row.blocks,
        row.asked,
        row.judged
            .map(|is_judged| if is_judged { " files " } else { "" }),
        row.host
            .map(|is_usual| if is_usual { "claude-code" } else { "codex" }),
        counted,
        if row.hour.is_multiple_of(3) {
            "criteria not met: types"
        } else {
            "a.py"
        },
    ];
    store.connection.execute(sql, values).unwrap();
}

fn happen(store: &Store, event: &Event) {
    let run = |sql: &str| store.connection.execute_batch(sql).unwrap();
    match event {
        Event::Stop(row) => insert(store, row),
        Event::Count => drop(Stops::of(store, &Filter::default()).unwrap()),
        Event::Followed(place) => follow(store, *place),
        Event::Purged(most) => remove(store, &format!("ORDER BY at LIMIT {most}")),
        Event::Taken(most) => remove(store, &format!("ORDER BY seq DESC LIMIT {most}")),
        Event::Emptied => run("DELETE FROM folded WHERE first % 3 = 0"),
        Event::Compacted => run("VACUUM"),
        Event::Damaged => run(
            "UPDATE folded SET content = substr(content, 1, length(content) - 7) WHERE first % 2 = 0",
        ),
    }
}

fn remove(store: &Store, which: &str) {
    let transaction = store.connection.unchecked_transaction().unwrap();
    let which = format!("SELECT seq FROM verdicts {which}");
    history::remove(&transaction, &which, &[]).unwrap();
    transaction.commit().unwrap();
}

/// The parent of an agent was told, and its turn has ended.
fn follow(store: &Store, place: u8) {
    let sql = "SELECT seq FROM verdicts ORDER BY seq
               LIMIT 1 OFFSET ?1 % (SELECT count(*) + 1 FROM verdicts)";
    let number = store
        .connection
        .query_row(sql, [place], |row| row.get(0))
        .optional();
    let noticed = Noticed {
        missing: 2,
        there: 1,
    };
    let counted = Counted {
        noticed: Some(noticed),
        ..Counted::default()
    };
    if let Some(number) = number.unwrap() {
        put(&store.connection, number, &counted).unwrap();
    }
}

/// Filters of every kind that counts know.
fn filters() -> Vec<Filter> {
    let all = Filter::default();
    let at = |hour: i64| Timestamp::from_second(hour * 1800).ok();
    let (since, until) = (at(9), at(31));
    vec![
        all.clone(),
        Filter {
            since,
            until,
            ..all.clone()
        },
        Filter {
            agent_type: Some("tYPE1".to_owned()),
            ..all.clone()
        },
        Filter {
            of: Of::Repository(repository(1)),
            since,
            ..all.clone()
        },
        Filter {
            has_unmet_criteria: true,
            ..all.clone()
        },
        Filter {
            of: Of::NoRepository,
            ..all.clone()
        },
        Filter {
            outcomes: vec![Outcome::Mismatch, Outcome::Blocked],
            until,
            ..all.clone()
        },
        Filter {
            session: Some("s1".to_owned()),
            agent: Some("a".to_owned()),
            ..all
        },
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn what_is_folded_is_what_the_rows_say(events in prop::collection::vec(event(), 0..60)) {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
        for event in &events {
            happen(&store, event);
        }
        let expected = rows(&store);
        // The first may fold some, and the second reads that.
        for _ in 0..2 {
            let stops = Stops::of(&store, &Filter::default()).unwrap();
            prop_assert_eq!(stops.wholes(), expected.clone());
        }
        for filter in filters() {
            let stops = Stops::of(&store, &filter).unwrap();
            let condition = filter.condition("at");
            let sql = format!("SELECT seq FROM verdicts WHERE {} ORDER BY at DESC, seq DESC", condition.sql);
            let mut select = store.connection.prepare(&sql).unwrap();
            let rows = select.query_map(params_from_iter(condition.values), |row| row.get(0)).unwrap();
            let numbers: Vec<i64> = rows.map(Result::unwrap).collect();
            prop_assert_eq!(stops.numbers(&filter), numbers, "{:?}", filter);
        }
    }
}

fn kept(stops: u8) -> (TempDir, Store) {
    let folder = TempDir::new().unwrap();
    let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
    for number in 0..stops {
        let row = Row {
            agent: 0,
            session: 0,
            hour: number,
            agent_type: Some(1),
            repository: None,
            host: Some(true),
            outcome: 0,
            is_claim: true,
            asked: None,
            blocks: 0,
            judged: Some(true),
            counted: Some(0),
        };
        insert(&store, &row);
    }
    (folder, store)
}

#[test]
fn full_spans_are_folded_once_and_go_with_their_rows() {
    let (_folder, store) = kept(10);
    assert_eq!(spans(&store), 0);
    happen(&store, &Event::Count);
    // 1 to 3 and 4 to 7; 8 to 11 is not full.
    assert_eq!(spans(&store), 2);
    happen(&store, &Event::Followed(4));
    assert_eq!(spans(&store), 1);
    happen(&store, &Event::Count);
    assert_eq!(spans(&store), 2);
    happen(&store, &Event::Purged(1));
    assert_eq!(spans(&store), 1);
}

/// Counting waits for nobody, and does not keep what may be out of date.
#[test]
fn whatever_is_damaged_in_a_span_its_rows_are_counted() {
    let (_folder, store) = kept(9);
    let expected = rows(&store);
    let content = "SELECT content FROM folded ORDER BY first LIMIT 1";
    let get = || {
        let found = store.connection.query_row(content, [], |row| row.get(0));
        found.optional().unwrap().unwrap_or_else(Vec::<u8>::new)
    };
    drop(Stops::of(&store, &Filter::default()).unwrap());
    let whole = get();
    assert!(whole.len() > 100);
    let damage = |set: &str, value: &dyn rusqlite::ToSql| {
        let sql =
            format!("UPDATE folded SET {set} = ?1 WHERE first = (SELECT min(first) FROM folded)");
        store.connection.execute(&sql, [value]).unwrap();
        assert_eq!(
            Stops::of(&store, &Filter::default()).unwrap().wholes(),
            expected,
            "{set}"
        );
        store.connection.execute("DELETE FROM folded", []).unwrap();
        drop(Stops::of(&store, &Filter::default()).unwrap());
        assert_eq!(get(), whole);
    };
    for at in 0..whole.len() {
        let mut other = whole.clone();
        other[at] ^= 1;
        damage("content", &other);
        damage("content", &&whole[..at]);
    }
    damage("last", &i64::MAX);
    damage("last", &1);
    damage("first", &0);
}

#[test]
fn nothing_is_folded_while_somebody_else_writes() {
    let (folder, store) = kept(10);
    let other = Connection::open(folder.path().join("attest/state.db")).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let begun = std::time::Instant::now();
    let stops = Stops::of(&store, &Filter::default()).unwrap();
    assert!(begun.elapsed() < std::time::Duration::from_secs(1));
    assert_eq!((stops.all.len(), spans(&store)), (10, 0));
    other.execute_batch("ROLLBACK").unwrap();
    let stops = Stops::of(&store, &Filter::default()).unwrap();
    assert_eq!((stops.all.len(), spans(&store)), (10, 2));
}

#[test]
fn what_many_stops_have_in_common_takes_no_room_in_each() {
    let (_folder, store) = kept(100);
    let stops = Stops::of(&store, &Filter::default()).unwrap();
    let sql = "SELECT sum(length(content)) FROM folded";
    let bytes: i64 = store
        .connection
        .query_row(sql, [], |row| row.get(0))
        .unwrap();
    assert_eq!((stops.all.len(), spans(&store)), (100, 25));
    assert!(bytes < 100 * 100, "{bytes}");
}

#[test]
fn a_time_of_any_form_is_the_same_number() {
    let at: Timestamp = "2026-01-31T01:02:03.456789Z".parse().unwrap();
    for text in [
        "2026-01-31T01:02:03.456789Z",
        "2026-01-31T02:02:03.456789+01:00",
        "2026-01-31 01:02:03.456789Z",
    ] {
        assert_eq!(microseconds(text), at.as_microsecond(), "{text}");
    }
    assert_eq!(microseconds("some day"), 0);
}
