-- What came to pass while attest was off, and that it was turned off (`off`) and on (`on`): no decision rests on
-- more than that an agent began then.
CREATE TABLE while_off (
    id            INTEGER PRIMARY KEY,
    at            INTEGER NOT NULL,
    event         TEXT    NOT NULL CHECK (event IN ('off', 'start', 'stop', 'on')),
    session       TEXT,
    agent         TEXT,
    agent_type    TEXT,
    harness       TEXT,
    told          INTEGER -- when the person of the session was told; below 0 if attest was off then
) STRICT;
CREATE INDEX while_off_of_session ON while_off (session, agent);
