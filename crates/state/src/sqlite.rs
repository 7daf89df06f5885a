//! What SQLite reports, in words of our own: its texts are for whoever writes queries.

use rusqlite::{Error, ErrorCode, ffi};

/// What went wrong, of a file that the words before have named.
pub(crate) fn in_words(error: &Error) -> String {
    let words = match error {
        Error::SqliteFailure(error, text) => {
            return refusal(*error, text.as_deref().unwrap_or_default());
        }
        Error::SqlInputError { error, msg, .. } => return refusal(*error, msg),
        Error::InvalidColumnType(_, name, _) => {
            return format!("its column {name} holds a value that attest did not write");
        }
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::Utf8Error(..) => "it holds a value that attest did not write",
        Error::ToSqlConversionFailure(..) => "a value has no form in it",
        Error::QueryReturnedNoRows => "a row is missing in it",
        Error::InvalidPath(_) | Error::NulError(_) => "its path is not text",
        _ => "a query does not fit it",
    };
    words.to_owned()
}

fn refusal(error: ffi::Error, text: &str) -> String {
    if error.extended_code == ffi::SQLITE_CONSTRAINT_TRIGGER {
        // The words are those of whoever put it there.
        let said = text.lines().next().unwrap_or_default();
        return format!("a trigger in it says {said:?}");
    }
    let words = match error.code {
        ErrorCode::DatabaseBusy
        | ErrorCode::DatabaseLocked
        | ErrorCode::FileLockingProtocolFailed => "another process is using it",
        ErrorCode::DiskFull => "the disk is full",
        ErrorCode::ReadOnly => "it cannot be written to",
        ErrorCode::CannotOpen => "it cannot be opened",
        ErrorCode::NotADatabase => "it is not a SQLite database",
        ErrorCode::DatabaseCorrupt => "it is damaged",
        ErrorCode::PermissionDenied => "the system does not allow access to it",
        ErrorCode::SystemIoFailure => "the system cannot read or write it",
        ErrorCode::OutOfMemory => "there is not enough memory for it",
        ErrorCode::TooBig => "a value is too large for it",
        ErrorCode::ConstraintViolation => "a row does not fit the others in it",
        _ => return other_form(text).unwrap_or_else(|| by_number(error)),
    };
    words.to_owned()
}

/// A file with another schema than the one that attest has given it. SQLite names what is missing in
/// its text only.
fn other_form(text: &str) -> Option<String> {
    let first = text.lines().next()?;
    if let Some(table) = first.strip_prefix("no such table: ") {
        return Some(format!("it has no table {table}"));
    }
    if let Some(column) = first.strip_prefix("no such column: ") {
        return Some(format!("it has no column {column}"));
    }
    let (table, column) = first
        .strip_prefix("table ")?
        .split_once(" has no column named ")?;
    Some(format!("its table {table} has no column {column}"))
}

fn by_number(error: ffi::Error) -> String {
    format!("SQLite refuses with code {}", error.extended_code)
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;

    fn said(sql: &str) -> String {
        let connection = Connection::open_in_memory().unwrap();
        let schema = "CREATE TABLE a (b INTEGER PRIMARY KEY, c TEXT NOT NULL);
             INSERT INTO a VALUES (1, 'x');
             CREATE TRIGGER never BEFORE INSERT ON a WHEN new.b = 7
             BEGIN SELECT raise(FAIL, 'not seven'); END;";
        connection.execute_batch(schema).unwrap();
        let read = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        in_words(&connection.query_row(sql, [], read).unwrap_err())
    }

    #[test]
    fn each_fault_is_in_words_with_the_name_that_helps() {
        for (sql, expected) in [
            ("SELECT *\nFROM nowhere", "it has no table nowhere"),
            ("SELECT d FROM a", "it has no column d"),
            (
                "INSERT INTO a (d) VALUES (1)",
                "its table a has no column d",
            ),
            (
                "SELECT c FROM a",
                "its column c holds a value that attest did not write",
            ),
            ("SELECT b FROM a WHERE b = 2", "a row is missing in it"),
            (
                "INSERT INTO a VALUES (7, 'y')",
                "a trigger in it says \"not seven\"",
            ),
            (
                "INSERT INTO a VALUES (1, 'y')",
                "a row does not fit the others in it",
            ),
            ("SELEKT", "SQLite refuses with code 1"),
        ] {
            assert_eq!(said(sql), expected, "{sql}");
        }
    }

    #[test]
    fn codes_have_words() {
        for (code, expected) in [
            (ffi::SQLITE_BUSY, "another process is using it"),
            (ffi::SQLITE_BUSY_SNAPSHOT, "another process is using it"),
            (ffi::SQLITE_LOCKED, "another process is using it"),
            (ffi::SQLITE_FULL, "the disk is full"),
            (ffi::SQLITE_READONLY, "it cannot be written to"),
            (ffi::SQLITE_CANTOPEN, "it cannot be opened"),
            (ffi::SQLITE_NOTADB, "it is not a SQLite database"),
            (ffi::SQLITE_CORRUPT, "it is damaged"),
            (
                ffi::SQLITE_IOERR_SHORT_READ,
                "the system cannot read or write it",
            ),
            (ffi::SQLITE_MISUSE, "SQLite refuses with code 21"),
        ] {
            let error = Error::SqliteFailure(ffi::Error::new(code), Some("its text".to_owned()));
            assert_eq!(in_words(&error), expected, "{code}");
        }
    }
}
