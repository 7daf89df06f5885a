-- What names a repository on all machines, where it was cloned from another, and when an agent last began there.
CREATE TABLE origins (
    repository BLOB    PRIMARY KEY,
    origin     TEXT    NOT NULL,
    seen_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
