-- One row per agent of a session. `open` is 1 from a start until a stop that was let through.
CREATE TABLE agents (
    id            INTEGER PRIMARY KEY,
    session       TEXT    NOT NULL,
    agent         TEXT    NOT NULL,
    harness       TEXT    NOT NULL,
    agent_type    TEXT,
    worktree      BLOB,
    transcript    BLOB,
    generation    INTEGER NOT NULL DEFAULT 1,
    open          INTEGER NOT NULL DEFAULT 1,
    block_count   INTEGER NOT NULL DEFAULT 0,
    started_at    INTEGER NOT NULL, -- nanoseconds since the epoch, as every time here
    stopped_at    INTEGER,
    UNIQUE (session, agent)
) STRICT;

-- What an agent's work tree was. `unreadable` says why there is no content.
CREATE TABLE snapshots (
    id            INTEGER PRIMARY KEY,
    agent         INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    kind          TEXT    NOT NULL CHECK (kind IN ('baseline')),
    taken_at      INTEGER NOT NULL,
    unreadable    TEXT,
    header        TEXT, -- JSON: root, head, refs, worktrees, clock, reader
    UNIQUE (agent, kind)
) STRICT;

CREATE TABLE snapshot_files (
    snapshot      INTEGER NOT NULL REFERENCES snapshots (id) ON DELETE CASCADE,
    path          BLOB    NOT NULL,
    fingerprint   TEXT    NOT NULL,
    PRIMARY KEY (snapshot, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE session_blocks (
    session       TEXT    NOT NULL,
    repository    BLOB    NOT NULL,
    blocks        INTEGER NOT NULL,
    raised_at     INTEGER NOT NULL,
    PRIMARY KEY (session, repository)
) STRICT, WITHOUT ROWID;
