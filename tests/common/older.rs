//! State files as earlier versions left them.

use rusqlite::Connection;

/// What each version of the schema added, the newest first.
const ADDED: [(i64, &[&str]); 7] = [
    (19, &["advisories beside"]),
    (17, &["verdicts disputed", "agents let_go"]),
    (13, &["verdicts harness", "verdicts counted"]),
    (12, &["runs asked", "verdicts asked", "verdicts judged"]),
    (11, &["runs failure"]),
    (10, &["runs task", "verdicts task", "advisories task"]),
    (9, &[]),
];

/// Takes back what versions of the schema after this one have added.
pub fn take_back_to(connection: &Connection, version: i64) {
    if version < 19 {
        connection.execute_batch("DROP TABLE work").unwrap();
    }
    if version < 18 {
        connection.execute_batch("DROP TABLE origins").unwrap();
    }
    if version < 16 {
        connection.execute_batch("DROP TABLE instance").unwrap();
    }
    if version < 15 {
        connection.execute_batch("DROP TABLE while_off").unwrap();
    }
    if version < 14 {
        let sql = "DROP TABLE folded; DROP INDEX verdicts_of_agent";
        connection.execute_batch(sql).unwrap();
    }
    for (_, columns) in ADDED.iter().filter(|(added, _)| *added > version) {
        for column in *columns {
            let (table, name) = column.split_once(' ').unwrap();
            let sql = format!("ALTER TABLE {table} DROP COLUMN {name}");
            connection.execute_batch(&sql).unwrap();
        }
    }
    if version < 9 {
        connection
            .execute_batch("PRAGMA application_id = 0")
            .unwrap();
    }
    let sql = format!("PRAGMA user_version = {version}");
    connection.execute_batch(&sql).unwrap();
}
