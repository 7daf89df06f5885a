-- A turn of a session's main agent is a row of its own: `turn` counts the session's, and is NULL for a subagent.
ALTER TABLE agents ADD COLUMN turn INTEGER;
-- The host's id for the turn, if it gives one.
ALTER TABLE agents ADD COLUMN turn_id TEXT;
-- What the agent was last sent back with: a host may hand it on as if a person had asked for it.
ALTER TABLE agents ADD COLUMN sent TEXT;
-- When the generation began, NULL in rows of earlier versions.
ALTER TABLE agents ADD COLUMN opened_at INTEGER;
CREATE UNIQUE INDEX turns ON agents (session, turn) WHERE turn IS NOT NULL;
