-- What is counted of spans of `verdicts` in few bytes, so that not every row is taken apart by every command that counts.
-- It is made by those commands, never by a hook, and is made anew where it is missing: it holds nothing of its own.
CREATE TABLE folded (
    first         INTEGER PRIMARY KEY, -- the lowest `seq` of the span
    last          INTEGER NOT NULL,    -- the highest; a verdict that is recorded later has a higher one
    content       BLOB    NOT NULL
) STRICT;

-- With a change of a row its span goes, whoever changes it.
CREATE TRIGGER folded_changed AFTER UPDATE ON verdicts
BEGIN
    DELETE FROM folded
    WHERE first = (SELECT max(first) FROM folded WHERE first <= OLD.seq) AND last >= OLD.seq;
    DELETE FROM folded
    WHERE first = (SELECT max(first) FROM folded WHERE first <= NEW.seq) AND last >= NEW.seq;
END;
CREATE TRIGGER folded_forgotten AFTER DELETE ON verdicts
BEGIN
    DELETE FROM folded
    WHERE first = (SELECT max(first) FROM folded WHERE first <= OLD.seq) AND last >= OLD.seq;
END;
