-- The files of a snapshot and what they were known by, in one value: they are only ever read
-- together. A baseline of the older form counts as none.
DELETE FROM snapshots;
DROP TABLE snapshot_files;
ALTER TABLE snapshots ADD COLUMN content BLOB;
