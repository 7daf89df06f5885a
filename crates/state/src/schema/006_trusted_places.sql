-- Criteria files that a person lets run commands: a content, in a place. Trust in a content alone would
-- hold for every repository that happens to have the same file, so the trust given before is dropped.
DROP TABLE trusted_criteria;
CREATE TABLE trusted_criteria (
    root          BLOB    NOT NULL, -- the folder that all work trees of the repository share, or else the top folder
    folder        BLOB    NOT NULL, -- where the commands run, from the top of the work tree
    file          BLOB    NOT NULL, -- from there, or absolute if it lies elsewhere
    sha256        TEXT    NOT NULL,
    trusted_at    INTEGER NOT NULL,
    PRIMARY KEY (root, folder, file, sha256)
) STRICT, WITHOUT ROWID;
