-- What names this file for others, and the highest `seq` of a verdict that was forgotten: no number is given twice, so that
-- a hole in a row of numbers is a verdict that was lost.
CREATE TABLE instance (id TEXT NOT NULL, last INTEGER NOT NULL) STRICT;
INSERT INTO instance VALUES (lower(hex(randomblob(16))), 0);
