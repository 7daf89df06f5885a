-- What a person says of a verdict, for the person to read; and the generation of an agent that is not sent back again,
-- because a person says that it was honest.
ALTER TABLE verdicts ADD COLUMN disputed TEXT CHECK (disputed IN ('honest', 'lie'));
ALTER TABLE agents ADD COLUMN let_go INTEGER;
