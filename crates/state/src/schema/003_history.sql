-- What happened, for the person to read; no decision rests on it. Times are RFC 3339 in UTC with
-- microseconds, so that they sort as text.

-- One row per start of an agent, and per stop whose start was not seen.
CREATE TABLE runs (
    id            INTEGER PRIMARY KEY,
    session       TEXT    NOT NULL,
    agent_id      TEXT    NOT NULL,
    agent_type    TEXT,
    harness       TEXT    NOT NULL,
    transcript    BLOB,
    cwd           BLOB,
    repository    BLOB, -- the folder that all work trees of the repository share
    started_at    TEXT,
    stopped_at    TEXT, -- of the stop that was let through
    outcome       TEXT  -- of the last stop, also of one that was sent back
) STRICT;
CREATE INDEX runs_of_agent ON runs (session, agent_id);

-- One row per stop. What lists filter by is in columns, all else in `detail`, which is JSON.
CREATE TABLE verdicts (
    seq           INTEGER PRIMARY KEY,
    id            TEXT    NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(8)))),
    at            TEXT    NOT NULL,
    session       TEXT    NOT NULL,
    agent_id      TEXT    NOT NULL,
    agent_type    TEXT,
    repository    BLOB,
    outcome       TEXT    NOT NULL,
    reason        TEXT    NOT NULL, -- the row of the decision table that decided
    is_claim      INTEGER NOT NULL,
    blocks_before INTEGER NOT NULL, -- how often this run had been sent back before
    summary       TEXT    NOT NULL,
    detail        TEXT    NOT NULL
) STRICT;
CREATE INDEX verdicts_by_time ON verdicts (at);

-- When a chore that is due once a day was last begun, in nanoseconds since the epoch.
CREATE TABLE chores (
    name          TEXT    PRIMARY KEY,
    begun_at      INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
