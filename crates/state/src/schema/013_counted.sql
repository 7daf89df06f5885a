-- The host of the run. NULL in rows of earlier versions, as is `counted`.
ALTER TABLE verdicts ADD COLUMN harness TEXT;
-- What of `detail` is counted, in JSON; '' if there is nothing.
ALTER TABLE verdicts ADD COLUMN counted TEXT;
-- Everything that is counted: a row is a tenth of one with its detail, and those of an agent lie beside each other.
CREATE INDEX verdicts_counted ON verdicts (
    agent_id, session, at, agent_type, repository, harness, outcome, reason, is_claim, asked, blocks_before, judged, counted
);
