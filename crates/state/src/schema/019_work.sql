-- What was seen of an agent's work when it stopped, until it is known to be gone.
CREATE TABLE work (
    agent         INTEGER NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
    session       TEXT    NOT NULL, -- those of the agent, so that every stop asks one table
    worktree      BLOB    NOT NULL,
    path          BLOB    NOT NULL,
    blob          TEXT, -- git's name for what the file held; NULL if it had been deleted
    seen_at       INTEGER NOT NULL,
    PRIMARY KEY (agent, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX work_of_session ON work (session);
-- 1 for what is not about the report of the agent at whose stop it was seen.
ALTER TABLE advisories ADD COLUMN beside INTEGER NOT NULL DEFAULT 0;
