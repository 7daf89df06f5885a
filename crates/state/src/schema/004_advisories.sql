-- One row per stop that was judged and let through: what still has to be told to whom. `finding` is
-- one line per thing that did not hold, NULL where all held.
CREATE TABLE advisories (
    id            INTEGER PRIMARY KEY,
    session       TEXT    NOT NULL,
    agent         TEXT    NOT NULL,
    agent_type    TEXT,
    finding       TEXT,
    made_at       INTEGER NOT NULL,
    told_person   INTEGER,
    told_parent   INTEGER
) STRICT;

CREATE INDEX advisories_for_person ON advisories (session) WHERE told_person IS NULL;
CREATE INDEX advisories_for_parent ON advisories (session, agent)
    WHERE told_parent IS NULL AND finding IS NOT NULL;
