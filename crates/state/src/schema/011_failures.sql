-- Why a run ended without a stop, in its host's words; NULL where it did not, or the host said nothing.
ALTER TABLE runs ADD COLUMN failure TEXT;
