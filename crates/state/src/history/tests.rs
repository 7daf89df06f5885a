use attest_verdict::Source;
use jiff::tz::TimeZone;
use tempfile::TempDir;

use super::*;
use crate::names::path_bytes;
use crate::{Start, Store};

mod sums;
mod verified;

struct Kept {
    _folder: TempDir,
    store: Store,
}

impl Kept {
    fn new() -> Self {
        let folder = TempDir::new().unwrap();
        let store = Store::open(&folder.path().join("attest/state.db")).unwrap();
        Self {
            _folder: folder,
            store,
        }
    }

    fn start(&mut self, agent: &str, second: i64) {
        let key = key(agent);
        let start = Start {
            agent_type: Some("Explore"),
            cwd: Some(Path::new("/repo")),
            repository: Some(Path::new("/repo/.git")),
            at: at(second),
            ..Start::at(&key, 0)
        };
        self.store.write(|t| record_start(t, &start)).unwrap();
    }

    fn stop(&mut self, agent: &str, second: i64, outcome: Outcome, reason: ReasonCode) -> String {
        let key = key(agent);
        let detail = Detail::default();
        let stop = Stop {
            key: &key,
            agent_type: Some("Explore"),
            task: None,
            harness: "claude-code",
            transcript: Some(Path::new("/t.jsonl")),
            cwd: Some(Path::new("/repo")),
            repository: Some(Path::new("/repo/.git")),
            at: at(second),
            outcome,
            reason,
            is_end: !reason.is_block(),
            blocks_before: 0,
            is_first: false,
            summary: "ghost.py",
            detail: &detail,
        };
        self.store.write(|t| record_stop(t, &stop)).unwrap()
    }

    fn ids(&self, filter: &Filter) -> Vec<String> {
        let found = entries(&self.store, filter).unwrap();
        found.into_iter().map(|entry| entry.id).collect()
    }
}

/// Counted by the type of agent.
fn tally(store: &Store, filter: &Filter) -> Result<Vec<Tally>, crate::StoreError> {
    let by = By::Type;
    let before = None;
    let question = Question { filter, by, before };
    Ok(Stops::of(store, filter)?.stats(&question)?.tallies)
}

fn key(agent: &str) -> AgentKey {
    AgentKey {
        session: "session-1".into(),
        agent: agent.into(),
    }
}

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

const ALLOWED: ReasonCode = ReasonCode::AllowNotFalseDone;
const BLOCKED: ReasonCode = ReasonCode::BlockFalseDone;

#[test]
fn a_blocked_stop_leaves_the_run_open_and_the_next_one_ends_it() {
    let mut kept = Kept::new();
    kept.start("a1", 10);
    kept.stop("a1", 20, Outcome::Blocked, BLOCKED);
    let filter = Filter::default();
    let open = agents(&kept.store, &filter, &[]).unwrap();
    assert_eq!(open[0].stopped_at, None);
    assert_eq!(open[0].outcome, Some(Outcome::Blocked));
    kept.stop("a1", 30, Outcome::Ok, ALLOWED);
    let over = agents(&kept.store, &filter, &[]).unwrap();
    assert_eq!(over.len(), 1);
    assert_eq!(over[0].started_at, Some(at(10)));
    assert_eq!(over[0].stopped_at, Some(at(30)));
    assert_eq!(over[0].outcome, Some(Outcome::Ok));
}

#[test]
fn each_start_is_a_run_and_a_stop_without_one_too() {
    let mut kept = Kept::new();
    kept.start("resumed", 10);
    kept.stop("resumed", 20, Outcome::Ok, ALLOWED);
    kept.start("resumed", 30);
    kept.stop("unseen", 40, Outcome::NoSnapshot, ALLOWED);
    let filter = Filter::default();
    let all = runs(&kept.store, &filter).unwrap();
    let times: Vec<_> = all
        .iter()
        .map(|run| (run.agent_id.as_str(), run.started_at, run.stopped_at))
        .collect();
    assert_eq!(
        times,
        [
            ("unseen", None, Some(at(40))),
            ("resumed", Some(at(30)), None),
            ("resumed", Some(at(10)), Some(at(20))),
        ]
    );
    assert_eq!(agents(&kept.store, &filter, &[]).unwrap().len(), 2);
    let last = |since| last_of_each_host(&kept.store, at(since)).unwrap();
    assert_eq!(last(10)["claude-code"], at(40));
    assert_eq!(last(10).len(), 1);
    assert!(last(41).is_empty());
}

#[test]
fn filters_narrow_and_the_newest_comes_first() {
    let mut kept = Kept::new();
    let ok = kept.stop("a1", 10, Outcome::Ok, ALLOWED);
    let lie = kept.stop("a2", 20, Outcome::Mismatch, ALLOWED);
    let all = Filter::default();
    assert_eq!(kept.ids(&all), [lie.clone(), ok.clone()]);
    let cases = [
        (
            Filter {
                outcomes: vec![Outcome::Ok, Outcome::Warn],
                ..all.clone()
            },
            vec![&ok],
        ),
        (
            Filter {
                session: Some("session".into()),
                agent_type: Some("explore".into()),
                of: Of::Repository("/repo/.git".into()),
                ..all.clone()
            },
            vec![&lie, &ok],
        ),
        (
            Filter {
                session: Some("other".into()),
                ..all.clone()
            },
            vec![],
        ),
        (
            Filter {
                since: Some(at(20)),
                ..all.clone()
            },
            vec![&lie],
        ),
        (
            Filter {
                until: Some(at(20)),
                ..all.clone()
            },
            vec![&ok],
        ),
        (
            Filter {
                after: Some(0),
                limit: Some(1),
                ..all.clone()
            },
            vec![&ok],
        ),
    ];
    for (filter, expected) in cases {
        assert_eq!(
            kept.ids(&filter),
            expected.into_iter().cloned().collect::<Vec<_>>(),
            "{filter:?}"
        );
    }
}

#[test]
fn an_id_may_be_shortened_while_it_is_one() {
    let mut kept = Kept::new();
    let ids: Vec<_> = (0..40)
        .map(|n| kept.stop("zz", n, Outcome::Ok, ALLOWED))
        .collect();
    let connection = &kept.store;
    for id in &ids {
        let upper = id.to_ascii_uppercase();
        assert_eq!(&find(connection, None, &upper).unwrap().0.id, id);
    }
    // Of 40 ids two begin with the same of 16 digits.
    let first = |id: &String| id[..1].to_owned();
    let shared = ids
        .iter()
        .map(first)
        .find(|digit| ids.iter().filter(|id| first(id) == *digit).count() > 1)
        .unwrap();
    assert!(matches!(
        find(connection, None, &shared),
        Err(LookupError::Ambiguous { .. })
    ));
    assert!(matches!(
        find(connection, None, "no such"),
        Err(LookupError::Unknown(_))
    ));
    assert_eq!(
        &find(connection, None, "zz").unwrap().0.id,
        ids.last().unwrap()
    );
    let all = Filter::default();
    assert_eq!(&newest(connection, &all).unwrap().0.id, ids.last().unwrap());
}

#[test]
fn an_agent_may_be_named_by_the_beginning_of_its_id() {
    let mut kept = Kept::new();
    for (second, agent) in [(1, "xx-one"), (2, "xx-two"), (3, "xx-one"), (4, "x")] {
        kept.stop(agent, second, Outcome::Ok, ALLOWED);
    }
    let found = |id| find(&kept.store, None, id).map(|(entry, _)| (entry.agent_id, entry.at));
    let at = |second| crate::times::stored(at(second));
    assert_eq!(found("xx-o").unwrap(), ("xx-one".to_owned(), at(3)));
    assert_eq!(found("x").unwrap(), ("x".to_owned(), at(4)));
    let Err(LookupError::Ambiguous { ids, .. }) = found("xx-") else {
        panic!("two agents begin so");
    };
    assert_eq!(ids, ["xx-one", "xx-two"]);
}

#[test]
fn a_turn_is_one_of_this_repository_and_of_one_session() {
    let mut kept = Kept::new();
    let there = kept.stop("turn:5", 1, Outcome::Ok, ALLOWED);
    let agent = kept.stop("a1", 1, Outcome::Ok, ALLOWED);
    let put = |kept: &mut Kept, session: &str, repository: &str| {
        let id = kept.stop("turn:5", 2, Outcome::Ok, ALLOWED);
        let sql = "UPDATE verdicts SET session = ?1, repository = ?2 WHERE id = ?3";
        let values = (session, path_bytes(Path::new(repository)), &id);
        kept.store.connection.execute(sql, values).unwrap();
        id
    };
    put(&mut kept, "s2", "/here/.git");
    let here = put(&mut kept, "s2", "/here/.git");
    let found = |kept: &Kept, of: &str, id: &str| {
        find(&kept.store, Some(Path::new(of)), id).map(|(entry, _)| entry.id)
    };
    assert_eq!(found(&kept, "/repo/.git", "turn:5").unwrap(), there);
    assert_eq!(found(&kept, "/here/.git", "turn:5").unwrap(), here);
    assert_eq!(found(&kept, "/here/.git", "a1").unwrap(), agent);
    assert!(matches!(
        found(&kept, "/none/.git", "turn:5"),
        Err(LookupError::Unknown(_))
    ));
    let other = put(&mut kept, "s3", "/here/.git");
    let Err(LookupError::Ambiguous { ids, .. }) = found(&kept, "/here/.git", "turn:5") else {
        panic!("two sessions have it");
    };
    assert_eq!(ids, [other, here]);
}

/// As lists name it. What is called so by its id is meant before that.
#[test]
fn an_agent_is_found_by_its_task() {
    let mut kept = Kept::new();
    kept.stop("a1", 10, Outcome::Ok, ALLOWED);
    let last = kept.stop("a1", 20, Outcome::Ok, ALLOWED);
    kept.stop("a2", 30, Outcome::Ok, ALLOWED);
    let sql = "UPDATE verdicts SET task = CASE agent_id WHEN 'a1' THEN 'the parser' ELSE 'a1' END";
    kept.store.connection.execute(sql, []).unwrap();
    let found = |id: &str| find(&kept.store, None, id).map(|(entry, _)| entry.id);
    assert_eq!(found("the parser").unwrap(), last);
    assert_eq!(found("a1").unwrap(), last);
    assert!(found("the pars").is_err());
}

/// Values that are all there are.
fn few<const N: usize>(first: [&str; N]) -> Values {
    Values {
        first: first.map(str::to_owned).to_vec(),
        has_more: false,
    }
}

#[test]
fn a_list_that_was_cut_says_so() {
    let mut kept = Kept::new();
    let narrowed = Filter {
        agent: Some("x".into()),
        ..Filter::default()
    };
    for (number, has_more) in [(10, false), (11, true)] {
        for agent in 0..number {
            kept.stop(&format!("zz{agent:02}"), agent, Outcome::Ok, ALLOWED);
        }
        let agents = seen(&kept.store, &Filter::default(), &narrowed)
            .unwrap()
            .agents;
        assert_eq!((agents.first.len(), agents.has_more), (10, has_more));
    }
    let Err(error) = find(&kept.store, None, "zz") else {
        panic!("several agents begin so");
    };
    let error = error.to_string();
    assert!(error.ends_with(", and more"), "{error}");
    let known = known(&kept.store, &Filter::default(), Known::Agent, "ZZ1", 9).unwrap();
    assert_eq!(known, ["zz10"]);
}

#[test]
fn what_lists_can_be_narrowed_to_is_known() {
    let mut kept = Kept::new();
    kept.stop("a1", 10, Outcome::Ok, ALLOWED);
    kept.stop("a2", 20, Outcome::Mismatch, ALLOWED);
    kept.stop("a3", 30, Outcome::Ok, ALLOWED);
    let narrowed = Filter {
        session: Some("x".into()),
        agent_type: Some("x".into()),
        outcomes: vec![Outcome::Blocked],
        ..Filter::default()
    };
    let all = seen(&kept.store, &Filter::default(), &narrowed).unwrap();
    let expected = Extent {
        verdicts: 3,
        first: Some(at(10)),
        last: Some(at(30)),
        without_claim: 3,
        without_start: 0,
        agent_types: few(["Explore"]),
        outcomes: vec![Outcome::Ok, Outcome::Mismatch],
        sessions: few(["session-1"]),
        agents: few([]),
    };
    assert_eq!(all, expected);
    let nothing = Filter {
        until: Some(at(5)),
        ..Filter::default()
    };
    let none = seen(&kept.store, &nothing, &narrowed).unwrap();
    assert_eq!(none, Extent::default());
    let unasked = seen(&kept.store, &Filter::default(), &nothing).unwrap();
    assert_eq!((unasked.verdicts, unasked.sessions), (3, few([])));
}

#[test]
fn stops_are_counted_by_the_day_or_the_hour() {
    let mut kept = Kept::new();
    for (agent, second, outcome) in [
        ("a1", 10, Outcome::Ok),
        ("a2", 20, Outcome::Ok),
        ("a3", 3700, Outcome::Ok),
        ("a4", 90_000, Outcome::Mismatch),
    ] {
        kept.stop(agent, second, outcome, ALLOWED);
    }
    let all = Filter::default();
    let stops = Stops::of(&kept.store, &all).unwrap();
    let hours = stops.by_hour(&all, &TimeZone::UTC);
    let counted = |found: Periods| {
        let of = |(period, sum): (String, InPeriod)| {
            let stops = Outcome::ALL.into_iter().zip(sum.stops);
            let stops = stops.filter(|(_, stops)| *stops > 0);
            stops.map(move |(outcome, stops)| (period.clone(), outcome, stops))
        };
        found.into_iter().flat_map(of).collect::<Vec<_>>()
    };
    let at = |period: &str, outcome, stops| (period.to_owned(), outcome, stops);
    assert_eq!(
        counted(by_day(&hours)),
        [
            at("1970-01-01", Outcome::Ok, 3),
            at("1970-01-02", Outcome::Mismatch, 1)
        ]
    );
    assert_eq!(
        counted(hours),
        [
            at("1970-01-01T00", Outcome::Ok, 2),
            at("1970-01-01T01", Outcome::Ok, 1),
            at("1970-01-02T01", Outcome::Mismatch, 1)
        ]
    );
    // Five hours and three quarters behind, as the person who looks at it.
    let offset = jiff::tz::Offset::from_seconds(-20_700).unwrap();
    let hours = stops.by_hour(&all, &TimeZone::fixed(offset));
    assert_eq!(
        counted(by_day(&hours)),
        [
            at("1969-12-31", Outcome::Ok, 3),
            at("1970-01-01", Outcome::Mismatch, 1)
        ]
    );
    assert_eq!(counted(hours)[0], at("1969-12-31T18", Outcome::Ok, 2));
}

#[test]
fn a_detail_reads_back_as_it_was() {
    let claim = attest_claim::parse("Status: DONE\nFiles changed: a.py, b -> c.py, *.rs, src/");
    let detail = Detail {
        findings: vec![Judged {
            kind: attest_claim::Kind::Files,
            claimed: "a.py".into(),
            finding: attest_verdict::Finding::Absent,
            why: None,
            doubt: None,
            testimony: Some("no tool call touched it".into()),
            is_proof: true,
        }],
        delta: Listed::of(0..3000, |n: i32| Change {
            path: n.to_string(),
            is_deleted: false,
        }),
        ..Detail::default().with_claim(&claim, Source::Payload)
    };
    let text = serde_json::to_string(&detail).unwrap();
    assert_eq!(serde_json::from_str::<Detail>(&text).unwrap(), detail);
    assert_eq!((detail.delta.count, detail.delta.first.len()), (3000, 1000));
    assert_eq!(detail.is_false_done(), Some(true));
}

#[test]
fn a_long_claim_is_cut_between_characters() {
    let text = format!("Status: DONE\nFiles changed: a.py\n{}", "é".repeat(60_000));
    let mut claim = attest_claim::parse(&text);
    claim.raw = format!("x{}", "é".repeat(60_000));
    let kept = Detail::default()
        .with_claim(&claim, Source::Payload)
        .claim
        .unwrap();
    assert_eq!(kept.raw.len(), 64 * 1024 - 1);
}

/// What SQLite does for a query, without the query.
fn plan(kept: &Kept, filter: &Filter) -> String {
    let (sql, values) = verdicts::query(filter, "seq, summary");
    let mut explain = kept
        .store
        .connection
        .prepare(&format!("EXPLAIN QUERY PLAN {sql}"))
        .unwrap();
    let rows = explain.query_map(rusqlite::params_from_iter(values), |row| {
        row.get::<_, String>(3)
    });
    rows.unwrap()
        .map(Result::unwrap)
        .collect::<Vec<_>>()
        .join("; ")
}

#[test]
fn lists_read_an_index_and_sort_little() {
    let kept = Kept::new();
    let all = Filter::default();
    let newest = plan(&kept, &all);
    assert!(newest.contains("USING INDEX verdicts_by_time"), "{newest}");
    assert!(!newest.contains("TEMP B-TREE"), "{newest}");
    let since = Filter {
        since: Some(at(1)),
        ..all.clone()
    };
    let since = plan(&kept, &since);
    assert!(
        since.contains("SEARCH verdicts USING INDEX verdicts_by_time (at>?)"),
        "{since}"
    );
    assert!(!since.contains("TEMP B-TREE"), "{since}");
    let after = Filter {
        after: Some(7),
        ..all
    };
    let after = plan(&kept, &after);
    assert!(
        after.contains("USING INTEGER PRIMARY KEY (rowid>?)"),
        "{after}"
    );
    assert!(!after.contains("TEMP B-TREE"), "{after}");
}

/// A host is blind while its newest stops are of agents whose start was not seen, and no longer.
#[test]
fn a_host_is_blind_until_a_start_is_seen() {
    let mut kept = Kept::new();
    let blind = |kept: &Kept| {
        let found = blind(&kept.store, at(0)).unwrap();
        found
            .into_iter()
            .next()
            .map(|it| (it.stops, it.is_nameless))
    };
    kept.start("a1", 10);
    assert_eq!(blind(&kept), None);
    kept.stop("a1", 20, Outcome::Ok, ALLOWED);
    assert_eq!(blind(&kept), None);
    kept.stop("a2", 30, Outcome::NoSnapshot, ALLOWED);
    assert_eq!(blind(&kept), Some((1, false)));
    kept.start("type:task", 40);
    kept.stop("a3", 50, Outcome::NoSnapshot, ALLOWED);
    assert_eq!(blind(&kept), Some((2, true)));
    kept.start("a4", 60);
    kept.stop("a4", 70, Outcome::NoClaim, ALLOWED);
    assert_eq!(blind(&kept), None);
    let all = Filter::default();
    let seen = Stops::of(&kept.store, &all).unwrap().seen(&all);
    assert_eq!(
        (seen.verdicts, seen.without_claim, seen.without_start),
        (4, 2, 2)
    );
}
