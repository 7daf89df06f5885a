-- Criteria files that a person lets run commands, by their content.
CREATE TABLE trusted_criteria (
    sha256        TEXT    NOT NULL PRIMARY KEY,
    path          BLOB    NOT NULL, -- where it was; only to be shown
    trusted_at    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The criteria file that an agent found when it first started, where it was trusted.
CREATE TABLE agent_criteria (
    agent         INTEGER PRIMARY KEY REFERENCES agents (id) ON DELETE CASCADE,
    sha256        TEXT    NOT NULL
) STRICT;
