use std::path::PathBuf;
use std::thread;
use std::{fs, io};

use tempfile::TempDir;

use super::*;

fn place() -> (TempDir, PathBuf) {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("attest/state.db");
    (folder, path)
}

#[test]
fn many_first_starts_at_once_all_open() {
    for _ in 0..10 {
        let (_folder, path) = place();
        let openers: Vec<_> = (0..8)
            .map(|_| {
                let path = path.clone();
                thread::spawn(move || Store::open(&path).map(drop))
            })
            .collect();
        for opener in openers {
            opener.join().unwrap().unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn what_it_makes_is_private() {
    use std::os::unix::fs::MetadataExt;
    let (_folder, path) = place();
    Store::open(&path).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    let parent = path.parent().unwrap();
    assert_eq!(fs::metadata(parent).unwrap().mode() & 0o777, 0o700);
}

#[cfg(unix)]
#[test]
fn open_folder_is_refused_and_left_alone() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let (_folder, path) = place();
    let parent = path.parent().unwrap();
    fs::create_dir(parent).unwrap();
    fs::set_permissions(parent, fs::Permissions::from_mode(0o777)).unwrap();
    assert!(matches!(
        Store::open(&path),
        Err(StoreError::OpenToOthers { mode: 0o777, .. })
    ));
    assert_eq!(fs::metadata(parent).unwrap().mode() & 0o777, 0o777);
}

#[cfg(unix)]
#[test]
fn link_in_its_place_is_refused() {
    let (folder, path) = place();
    fs::create_dir(path.parent().unwrap()).unwrap();
    let target = folder.path().join("elsewhere");
    fs::write(&target, "").unwrap();
    std::os::unix::fs::symlink(&target, &path).unwrap();
    assert!(matches!(
        Store::open(&path),
        Err(StoreError::NotAFile { .. })
    ));
}

#[test]
fn directory_in_its_place_is_refused() {
    let (_folder, path) = place();
    fs::create_dir_all(&path).unwrap();
    assert!(Store::open(&path).is_err());
}

#[test]
fn corrupt_file_is_an_error_and_stays_as_it_is() {
    let (_folder, path) = place();
    fs::create_dir(path.parent().unwrap()).unwrap();
    let garbage = vec![0x5a_u8; 8192];
    fs::write(&path, &garbage).unwrap();
    assert!(Store::open(&path).is_err());
    assert_eq!(fs::read(&path).unwrap(), garbage);
}

/// An error with all that caused it, as a person reads it.
fn chain(error: &StoreError) -> String {
    let mut text = error.to_string();
    let mut next = std::error::Error::source(error);
    while let Some(cause) = next {
        text.push_str(&format!(": {cause}"));
        next = cause.source();
    }
    text
}

#[cfg(unix)]
#[test]
fn nobody_is_told_to_close_the_folder_of_everybody() {
    use std::os::unix::fs::PermissionsExt as _;
    let hint_at = |mode: u32| {
        let folder = tempfile::TempDir::new().unwrap();
        let held = folder.path().join("held");
        fs::create_dir(&held).unwrap();
        fs::set_permissions(&held, fs::Permissions::from_mode(mode)).unwrap();
        Store::open(&held.join("state.db")).unwrap_err().hint()
    };
    assert_eq!(hint_at(0o777), "run `chmod go-w` on it");
    assert_eq!(hint_at(0o1777), "name another file in ATTEST_STATE_DB");
}

#[test]
fn errors_are_one_line_in_words() {
    let (_folder, path) = place();
    drop(Store::open(&path).unwrap());
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch("DROP TABLE snapshots").unwrap();
    connection.pragma_update(None, "user_version", 1).unwrap();
    drop(connection);
    let error = chain(&Store::open(&path).unwrap_err());
    assert_eq!(
        error,
        "cannot migrate the state file: it has no table snapshots"
    );

    fs::write(&path, vec![0x5a_u8; 8192]).unwrap();
    let error = chain(&Store::open(&path).unwrap_err());
    assert!(
        error.ends_with("is not a SQLite database; it was left as it is"),
        "{error}"
    );

    let connection = Connection::open_in_memory().unwrap();
    let error = connection.prepare("SELECT *\nFROM nowhere").unwrap_err();
    assert_eq!(chain(&error.into()), "state file: it has no table nowhere");
}

#[test]
fn failed_work_leaves_nothing() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let result: Result<(), StoreError> = store.write_durably(|transaction| {
        transaction.execute("INSERT INTO session_blocks VALUES ('s', x'00', 1, 0)", [])?;
        Err(StoreError::NoFileName { path: "x".into() })
    });
    assert!(result.is_err());
    let rows: i64 = store
        .connection
        .query_row("SELECT count(*) FROM session_blocks", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 0);
}

/// A transaction without a write ends well on a full disk, and in a file that may only be read.
#[test]
fn whether_the_file_can_be_written_to_is_found_out_by_a_write() {
    let (_folder, path) = place();
    let mut store = Store::open(&path).unwrap();
    let log = path.with_file_name("state.db-wal");
    let before = fs::metadata(&log).unwrap().len();
    store.check_write().unwrap();
    assert!(fs::metadata(&log).unwrap().len() > before);
}

#[test]
fn what_to_do_depends_on_what_is_wrong() {
    let system = |kind: io::ErrorKind| StoreError::Prepare {
        path: "/x".into(),
        source: kind.into(),
    };
    let sqlite = |code| rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None);
    let full = StoreError::Sqlite(sqlite(rusqlite::ffi::SQLITE_FULL));
    let forbidden = StoreError::Sqlite(sqlite(rusqlite::ffi::SQLITE_READONLY));
    let damaged = StoreError::Sqlite(sqlite(rusqlite::ffi::SQLITE_CORRUPT));
    assert_eq!(full.hint(), system(io::ErrorKind::StorageFull).hint());
    assert_eq!(
        forbidden.hint(),
        system(io::ErrorKind::PermissionDenied).hint()
    );
    let different = [&full, &forbidden, &damaged].map(StoreError::hint);
    let different: std::collections::BTreeSet<_> = different.into_iter().collect();
    assert_eq!(different.len(), 3);
    // What is no database may be somebody else's.
    let not_one = StoreError::NotADatabase { path: "/x".into() };
    assert!(
        not_one
            .hint()
            .starts_with("name another file in ATTEST_STATE_DB; if this one was attest's")
    );
}

#[cfg(unix)]
#[test]
fn what_others_have_where_sqlite_writes_is_refused_and_stays() {
    for end in ["-wal", "-shm", "-journal"] {
        let folder = TempDir::new().unwrap();
        let path = folder.path().join("state.db");
        let beside = folder.path().join(format!("state.db{end}"));
        fs::write(&beside, "my notes").unwrap();
        let error = Store::open(&path).unwrap_err();
        assert!(
            matches!(error, StoreError::NotADatabase { .. }),
            "{end}: {error}"
        );
        assert_eq!(fs::read(&beside).unwrap(), b"my notes");
        fs::remove_file(&beside).unwrap();
        let theirs = folder.path().join("theirs");
        fs::write(&theirs, "theirs").unwrap();
        for is_new in [true, false] {
            if !is_new {
                drop(Store::open(&path).unwrap());
                let _ = fs::remove_file(&beside);
            }
            std::os::unix::fs::symlink(&theirs, &beside).unwrap();
            let error = Store::open(&path).unwrap_err();
            assert!(
                matches!(error, StoreError::NotAFile { .. }),
                "{end}: {error}"
            );
            assert!(fs::read_link(&beside).is_ok());
            assert_eq!(fs::read(&theirs).unwrap(), b"theirs");
            fs::remove_file(&beside).unwrap();
        }
    }
}

/// Somebody removed the state file and left what was beside it.
#[test]
fn what_is_left_of_a_database_that_is_gone_is_no_obstacle() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("state.db");
    drop(Store::open(&path).unwrap());
    fs::remove_file(&path).unwrap();
    assert!(folder.path().join("state.db-wal").exists());
    Store::open(&path).unwrap();
}
