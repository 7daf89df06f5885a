-- What is counted of spans of `verdicts` in few bytes, so that not every row is taken apart by every command that counts.
-- It is made by those commands, never by a hook, and is made anew where it is missing: it holds nothing of its own. Who
-- changes or removes a verdict drops its span; a trigger would be parsed by each opening.
-- `first` and `last` are the lowest and the highest `seq` of the span; a verdict that is recorded later has a higher one.
CREATE TABLE folded (first INTEGER PRIMARY KEY, last INTEGER NOT NULL, content BLOB NOT NULL) STRICT;

-- All that is left to an index is to find the rows of an agent, for which each stop writes less.
DROP INDEX verdicts_counted;
CREATE INDEX verdicts_of_agent ON verdicts (agent_id, session);
