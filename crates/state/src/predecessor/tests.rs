use tempfile::TempDir;

use super::*;
use crate::Store;

/// The tables of the Python tool 0.1, and of 0.2 and 0.3.
const FIRST: &str = "CREATE TABLE snapshots (agent_key TEXT PRIMARY KEY, snapshot TEXT NOT NULL,
    repo TEXT NOT NULL DEFAULT '', session_id TEXT NOT NULL DEFAULT '',
    meta TEXT NOT NULL DEFAULT '{}', saved_at TEXT NOT NULL DEFAULT '')";
const LAST: &str = "CREATE TABLE snapshots (agent_key TEXT PRIMARY KEY, snapshot TEXT NOT NULL,
    repo TEXT NOT NULL DEFAULT '', session_id TEXT NOT NULL DEFAULT '',
    meta TEXT NOT NULL DEFAULT '{}', block_count INTEGER NOT NULL DEFAULT 0,
    saved_at TEXT NOT NULL DEFAULT '');
    CREATE TABLE session_blocks (session_id TEXT NOT NULL, repo TEXT NOT NULL,
    n INTEGER NOT NULL DEFAULT 0, updated_at TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (session_id, repo))";

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state.db");
    (folder, path)
}

/// The tool as it runs: in WAL, with one snapshot of which nothing is in the file itself yet.
fn python(path: &Path, schema: &str) -> Connection {
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()))
        .unwrap();
    connection.execute_batch(schema).unwrap();
    connection
        .execute(
            "INSERT INTO snapshots (agent_key, snapshot) VALUES ('a1', '{}')",
            [],
        )
        .unwrap();
    connection
}

/// A process that ended without moving its log into the file.
fn abandon(connection: Connection) {
    let setting = rusqlite::config::DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
    connection.set_db_config(setting, true).unwrap();
    drop(connection);
}

fn snapshots(path: &Path) -> i64 {
    let connection = Connection::open(path).unwrap();
    let sql = "SELECT count(*) FROM snapshots WHERE agent_key = 'a1'";
    connection.query_row(sql, [], |row| row.get(0)).unwrap()
}

fn names(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).unwrap();
    let mut names: Vec<_> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_file_of_the_python_tool_is_moved_aside_whole_and_a_new_one_begun() {
    for schema in [FIRST, LAST] {
        let (folder, path) = place();
        abandon(python(&path, schema));
        assert!(names(&folder).contains(&"state.db-wal".to_owned()));
        let store = Store::open(&path).unwrap();
        let aside = store.moved_aside().unwrap().to_owned();
        let name = aside.file_name().unwrap().to_str().unwrap();
        assert!(name.starts_with("state.db.python-2"), "{name}");
        drop(store);
        assert_eq!(snapshots(&aside), 1);
        let store = Store::open(&path).unwrap();
        assert_eq!(store.moved_aside(), None);
        let sql = "SELECT count(*) FROM agents";
        let agents: i64 = store
            .connection
            .query_row(sql, [], |row| row.get(0))
            .unwrap();
        assert_eq!(agents, 0);
    }
}

#[test]
fn one_that_is_in_use_stays_until_it_is_not() {
    let (_folder, path) = place();
    let user = python(&path, LAST);
    assert!(matches!(Store::open(&path), Err(StoreError::InUse)));
    assert_eq!(snapshots(&path), 1);
    drop(user);
    let store = Store::open(&path).unwrap();
    assert_eq!(snapshots(store.moved_aside().unwrap()), 1);
}

#[test]
fn two_in_the_same_second_have_two_names() {
    let (_folder, path) = place();
    let mut asides = Vec::new();
    for _ in 0..3 {
        drop(python(&path, LAST));
        asides.push(
            Store::open(&path)
                .unwrap()
                .moved_aside()
                .unwrap()
                .to_owned(),
        );
        for end in ["", "-wal", "-shm"] {
            let _ = fs::remove_file(format!("{}{end}", path.display()));
        }
    }
    asides.dedup();
    assert_eq!(asides.len(), 3, "{asides:?}");
    assert!(asides.iter().all(|aside| snapshots(aside) == 1));
}

#[test]
fn a_database_of_another_program_stays_as_it_is() {
    let (folder, path) = place();
    let other = Connection::open(&path).unwrap();
    other
        .execute_batch(
            "CREATE TABLE attestations (id INTEGER); CREATE TABLE snapshots (id INTEGER)",
        )
        .unwrap();
    drop(other);
    let before = fs::read(&path).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names(&folder), ["state.db"]);
}

#[test]
fn a_newer_attests_file_stays_whatever_is_in_it() {
    let (folder, path) = place();
    let newer = python(&path, LAST);
    newer.pragma_update(None, "user_version", 1000).unwrap();
    drop(newer);
    assert!(matches!(
        Store::open(&path),
        Err(StoreError::Newer { found: 1000, .. })
    ));
    assert_eq!(snapshots(&path), 1);
    assert!(!names(&folder).iter().any(|name| name.contains("python")));
}
