-- What work trees held, each once: agents that begin in the same one share it. A baseline of the
-- older form keeps its own.
CREATE TABLE trees (
    id            INTEGER PRIMARY KEY,
    sha256        BLOB    NOT NULL UNIQUE, -- of `content`
    content       BLOB    NOT NULL
) STRICT;

ALTER TABLE snapshots ADD COLUMN tree INTEGER REFERENCES trees (id);
CREATE INDEX snapshots_of_tree ON snapshots (tree) WHERE tree IS NOT NULL;

-- With the last agent that has it a tree goes, however that agent goes.
CREATE TRIGGER trees_that_nobody_has AFTER DELETE ON snapshots WHEN OLD.tree IS NOT NULL
BEGIN
    DELETE FROM trees
    WHERE id = OLD.tree AND NOT EXISTS (SELECT 1 FROM snapshots WHERE tree = OLD.tree);
END;
