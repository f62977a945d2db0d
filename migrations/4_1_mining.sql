-- Mining: how hosts want to be treated, and what they say themselves.
-- This file is never edited once landed; what changes is a new migration.

-- What is remembered of a host between runs: the pace is kept across them, and one that put up
-- a wall or asked for patience is left alone for a while.
CREATE TABLE host (
    host             TEXT PRIMARY KEY,
    last_request_at  INTEGER,
    not_before_at    INTEGER
) WITHOUT ROWID, STRICT;

-- In rows of the run `official`: the rating before the contest, as the site says it.
ALTER TABLE rating ADD COLUMN mu_before REAL;
