use tempfile::TempDir;

use super::*;
use crate::Store;

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state.db");
    (folder, path)
}

/// A database of another program, with so many of our marks.
fn other(path: &Path, sql: &str) {
    let connection = Connection::open(path).unwrap();
    connection.execute_batch(sql).unwrap();
}

#[test]
fn a_state_file_is_shown_to_be_ours() {
    let (_folder, path) = place();
    assert!(matches!(prove(&path), Err(NotOurs::Missing)));
    drop(Store::open(&path).unwrap());
    prove(&path).unwrap();
}

#[test]
fn a_state_file_of_every_version_is_known_by_its_tables() {
    for version in 1..=schema::newest() {
        let (_folder, path) = place();
        let mut connection = Connection::open(&path).unwrap();
        schema::bring_to(&mut connection, version);
        drop(connection);
        prove(&path).unwrap();
        drop(Store::open(&path).unwrap());
        prove(&path).unwrap();
    }
}

#[test]
fn what_somebody_else_wrote_is_not_ours_and_stays_as_it_is() {
    let not_ours = [
        "CREATE TABLE agents (id INTEGER); PRAGMA user_version = 1;",
        "CREATE TABLE agents (id INTEGER); PRAGMA user_version = 9;",
        "CREATE TABLE agents (id INTEGER); PRAGMA application_id = 7;",
        "PRAGMA application_id = 7; PRAGMA user_version = 3;",
        "CREATE VIEW mine AS SELECT 1; PRAGMA user_version = 5;",
    ];
    for sql in not_ours {
        let (_folder, path) = place();
        other(&path, sql);
        let before = fs::read(&path).unwrap();
        assert!(matches!(prove(&path), Err(NotOurs::OfAnother)), "{sql}");
        let error = Store::open(&path).unwrap_err();
        assert!(
            matches!(error, StoreError::Foreign { .. }),
            "{sql}: {error}"
        );
        assert_eq!(fs::read(&path).unwrap(), before, "{sql}");
    }
}

#[test]
fn a_table_that_a_person_added_keeps_the_file() {
    let (_folder, path) = place();
    drop(Store::open(&path).unwrap());
    other(&path, "CREATE TABLE my_notes (text TEXT)");
    assert!(matches!(prove(&path), Err(NotOurs::UnknownTables)));
    // It is used all the same.
    Store::open(&path).unwrap();
}

#[test]
fn no_file_that_is_not_a_database_is_ours() {
    let (folder, path) = place();
    fs::write(&path, "").unwrap();
    assert!(matches!(prove(&path), Err(NotOurs::NotADatabase)));
    fs::write(&path, "my notes").unwrap();
    assert!(matches!(prove(&path), Err(NotOurs::NotADatabase)));
    assert!(matches!(prove(folder.path()), Err(NotOurs::NotAFile)));
    #[cfg(unix)]
    {
        let link = folder.path().join("link");
        drop(Store::open(&folder.path().join("real.db")).unwrap());
        std::os::unix::fs::symlink("real.db", &link).unwrap();
        assert!(matches!(prove(&link), Err(NotOurs::NotAFile)));
    }
}
