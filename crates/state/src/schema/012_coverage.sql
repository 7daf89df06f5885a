-- Whether the agent was asked for a report at its start: 1 or 0, NULL in rows of earlier versions.
ALTER TABLE runs ADD COLUMN asked INTEGER;
ALTER TABLE verdicts ADD COLUMN asked INTEGER;
-- The kinds of claims of which something could be judged, each between spaces; NULL in rows of earlier versions.
ALTER TABLE verdicts ADD COLUMN judged TEXT;
