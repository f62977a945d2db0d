-- Hashes: rows that were damaged, or altered by another program, are found.
-- This file is never edited once landed; what changes is a new migration.

-- The program fills both from the rows that it finds when it upgrades a file.

-- Of the rows of `rating` of the contest in this run: the first 8 bytes of a BLAKE3.
ALTER TABLE run_contest ADD COLUMN rows_hash INTEGER NOT NULL DEFAULT 0;

-- Of every table whose rows have no hash elsewhere.
CREATE TABLE table_hash (
    name  TEXT PRIMARY KEY,  -- of the table
    hash  INTEGER NOT NULL   -- sum of the hashes of its rows, modulo 2^64
) WITHOUT ROWID, STRICT;
