use attest_state::Store;
use attest_state::history::{By, Filter, Question, Stops};
use rusqlite::Connection;

use super::*;

fn made(verdicts: u32) -> (tempfile::TempDir, PathBuf, Truth) {
    let folder = tempfile::tempdir().unwrap();
    let state = folder.path().join("attest/state.db");
    fs_folder(&state);
    let now = "2026-03-31T12:00:00Z".parse().unwrap();
    let truth = make(&state, &Plan::new(&state, verdicts, now)).unwrap();
    (folder, state, truth)
}

fn fs_folder(state: &Path) {
    std::fs::create_dir_all(state.parent().unwrap()).unwrap();
}

#[test]
fn the_same_plan_makes_the_same_history() {
    let rows = |state: &Path| {
        let connection = Connection::open(state).unwrap();
        let sql = "SELECT group_concat(id || at || agent_id || detail) FROM verdicts";
        let all: String = connection.query_row(sql, [], |row| row.get(0)).unwrap();
        all
    };
    let ((_one, one, truth), (_other, other, _)) = (made(300), made(300));
    assert_eq!(rows(&one), rows(&other));
    assert_eq!(truth.stops.len(), 300);
}

/// What is kept beside the details is what they say.
#[test]
fn an_earlier_attest_would_have_counted_the_same() {
    let (_folder, state, _) = made(2000);
    let count_now = || {
        let store = Store::open(&state).unwrap();
        let filter = Filter::default();
        let question = Question {
            filter: &filter,
            by: By::Type,
            before: None,
        };
        let stops = Stops::of(&store, &filter).unwrap();
        let found = stops.stats(&question).unwrap();
        (found.tallies, found.let_go, found.hindered)
    };
    let now = count_now();
    assert!(
        now.0
            .iter()
            .any(|tally| tally.fixed > 0 && tally.repeated > 0)
    );
    let connection = Connection::open(&state).unwrap();
    let sql = "UPDATE verdicts SET counted = NULL, harness = NULL; DELETE FROM folded";
    connection.execute_batch(sql).unwrap();
    assert_eq!(count_now(), now);
}
