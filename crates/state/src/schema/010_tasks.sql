-- What an agent was asked to do, in the few words that its host gave the task; NULL where it gave none.
ALTER TABLE runs ADD COLUMN task TEXT;
ALTER TABLE verdicts ADD COLUMN task TEXT;
ALTER TABLE advisories ADD COLUMN task TEXT;
