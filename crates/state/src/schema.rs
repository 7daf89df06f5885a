//! The append-only list of migrations, and the switch to WAL.

use std::collections::BTreeSet;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use rusqlite_migration::{M, Migrations};

use crate::error::is_busy;
use crate::tables::Tables;
use crate::{Patience, StoreError, tables};

const STEPS: &[M<'_>] = &[
    M::up(include_str!("schema/001_core.sql")),
    M::up(include_str!("schema/002_snapshot_content.sql")),
    M::up(include_str!("schema/003_history.sql")),
    M::up(include_str!("schema/004_advisories.sql")),
    M::up(include_str!("schema/005_criteria.sql")),
    M::up(include_str!("schema/006_trusted_places.sql")),
    M::up(include_str!("schema/007_shared_trees.sql")),
    M::up(include_str!("schema/008_turns.sql")),
    M::up(include_str!("schema/009_application.sql")),
    M::up(include_str!("schema/010_tasks.sql")),
    M::up(include_str!("schema/011_failures.sql")),
    M::up(include_str!("schema/012_coverage.sql")),
    M::up(include_str!("schema/013_counted.sql")),
    M::up(include_str!("schema/014_folded.sql")),
    M::up(include_str!("schema/015_off.sql")),
    M::up(include_str!("schema/016_instance.sql")),
    M::up(include_str!("schema/017_disputed.sql")),
    M::up(include_str!("schema/018_origins.sql")),
    M::up(include_str!("schema/019_work.sql")),
];
const MIGRATIONS: Migrations<'_> = Migrations::from_slice(STEPS);

/// Turns WAL on.
///
/// SQLite does not honour the busy timeout while it changes the journal mode, so
/// processes that meet on a new file have to try again themselves.
pub(crate) fn enter_wal(connection: &Connection, patience: Patience) -> Result<(), StoreError> {
    let wait = patience.begin();
    loop {
        let changed = connection.pragma_update_and_check(None, "journal_mode", "wal", |_| Ok(()));
        match changed {
            Err(error) if is_busy(&error) && !wait.is_over() => {
                std::thread::sleep(Duration::from_millis(5));
            }
            other => return Ok(other?),
        }
    }
}

/// Brings the schema up to date; costs one look at `user_version` when it is.
pub(crate) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let known = newest();
    let found = user_version(connection)?;
    if found == known {
        return Ok(());
    }
    if found > known {
        return Err(StoreError::Newer { found, known });
    }
    connection.set_transaction_behavior(TransactionBehavior::Exclusive);
    match MIGRATIONS.to_latest(connection) {
        Ok(()) => Ok(()),
        // The version is read before the lock is taken: another process may have done the work.
        Err(_) if user_version(connection)? == known => Ok(()),
        Err(error) => Err(StoreError::Migrate(Box::new(error))),
    }
}

/// Writes the version that the file has.
pub(crate) fn write_version(connection: &Connection) -> Result<(), StoreError> {
    let version = user_version(connection)?;
    Ok(connection.pragma_update(None, "user_version", version)?)
}

/// The version that this attest brings a file to.
pub(crate) fn newest() -> i64 {
    i64::try_from(STEPS.len()).unwrap_or(i64::MAX)
}

/// The tables of a file of this version; `None` if there is no such version.
pub(crate) fn tables_of(version: i64) -> Result<Option<Tables>, StoreError> {
    let Some(version) = usize::try_from(version)
        .ok()
        .filter(|it| *it <= STEPS.len())
    else {
        return Ok(None);
    };
    let mut connection = Connection::open_in_memory()?;
    let made = MIGRATIONS.to_version(&mut connection, version);
    made.map_err(|error| StoreError::Migrate(Box::new(error)))?;
    tables::of(&connection).map(Some)
}

/// The names of all tables that any version has.
pub(crate) fn all_tables() -> Result<BTreeSet<String>, StoreError> {
    let mut names = BTreeSet::new();
    for version in 1..=newest() {
        names.extend(
            tables_of(version)?
                .into_iter()
                .flatten()
                .map(|(name, _)| name),
        );
    }
    Ok(names)
}

pub(crate) fn user_version(connection: &Connection) -> Result<i64, StoreError> {
    Ok(connection.pragma_query_value(None, "user_version", |row| row.get(0))?)
}

/// Makes a database what a version of attest made it.
#[cfg(test)]
pub(crate) fn bring_to(connection: &mut Connection, version: i64) {
    let version = usize::try_from(version).unwrap();
    MIGRATIONS.to_version(connection, version).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn migrations_are_valid() {
        MIGRATIONS.validate().unwrap();
    }

    #[test]
    fn migrate_twice() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection).unwrap();
        migrate(&mut connection).unwrap();
        let known = i64::try_from(STEPS.len()).unwrap();
        assert_eq!(user_version(&connection).unwrap(), known);
    }

    /// It was for a content wherever that is, which nobody was asked.
    #[test]
    fn trust_without_a_place_is_forgotten() {
        let mut connection = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_version(&mut connection, 5).unwrap();
        let trusted = "INSERT INTO trusted_criteria VALUES ('abc', x'2f', 1)";
        connection.execute_batch(trusted).unwrap();
        migrate(&mut connection).unwrap();
        let count = "SELECT count(*) FROM trusted_criteria";
        let rows: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 0);
    }

    #[test]
    fn an_agent_of_an_earlier_version_is_no_turn_and_was_sent_nothing() {
        let mut connection = Connection::open_in_memory().unwrap();
        MIGRATIONS.to_version(&mut connection, 7).unwrap();
        let agent = "INSERT INTO agents (session, agent, harness, started_at, block_count)
            VALUES ('s', 'a', 'claude-code', 1, 1), ('s', 'b', 'claude-code', 2, 0)";
        connection.execute_batch(agent).unwrap();
        migrate(&mut connection).unwrap();
        let count = "SELECT count(*) FROM agents WHERE turn IS NULL AND turn_id IS NULL
            AND sent IS NULL AND opened_at IS NULL AND open = 1";
        let rows: i64 = connection.query_row(count, [], |row| row.get(0)).unwrap();
        assert_eq!(rows, 2);
    }

    /// Whatever step somebody comes from: nothing that a decision or the history rests on is lost.
    #[test]
    fn a_file_of_every_earlier_version_keeps_its_rows() {
        let agents = "INSERT INTO agents (session, agent, harness, started_at, block_count)
            VALUES ('s', 'a', 'claude-code', 1, 1)";
        let blocks = "INSERT INTO session_blocks VALUES ('s', x'2f', 3, 1)";
        let history = "INSERT INTO runs (session, agent_id, harness) VALUES ('s', 'a', 'claude-code');
            INSERT INTO verdicts (at, session, agent_id, outcome, reason, is_claim, blocks_before, summary, detail)
            VALUES ('2026', 's', 'a', 'OK', 'ALLOW_NOT_FALSE_DONE', 1, 0, '', '{}')";
        let baseline = "INSERT INTO snapshots (agent, kind, taken_at, content) VALUES (1, 'baseline', 1, x'00')";
        let finding =
            "INSERT INTO advisories (session, agent, finding, made_at) VALUES ('s', 'a', 'f', 1)";
        // Each with the version that made its table what it is.
        let rows = [
            (1, agents, "agents WHERE block_count = 1"),
            (1, blocks, "session_blocks WHERE blocks = 3"),
            (2, baseline, "snapshots WHERE content = x'00'"),
            (3, history, "runs JOIN verdicts USING (session, agent_id)"),
            (4, finding, "advisories WHERE told_parent IS NULL"),
        ];
        for version in 1..STEPS.len() {
            let mut connection = Connection::open_in_memory().unwrap();
            MIGRATIONS.to_version(&mut connection, version).unwrap();
            let there: Vec<_> = rows
                .iter()
                .filter(|(since, ..)| *since <= version)
                .collect();
            for (_, insert, _) in &there {
                connection.execute_batch(insert).unwrap();
            }
            migrate(&mut connection).unwrap();
            for (_, _, kept) in there {
                let sql = format!("SELECT count(*) FROM {kept}");
                let count: i64 = connection.query_row(&sql, [], |row| row.get(0)).unwrap();
                assert_eq!(count, 1, "{kept} of version {version}");
            }
        }
    }

    #[test]
    fn newer_file_is_refused() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection
            .pragma_update(None, "user_version", 1000)
            .unwrap();
        assert!(matches!(
            migrate(&mut connection),
            Err(StoreError::Newer { found: 1000, .. })
        ));
    }
}
