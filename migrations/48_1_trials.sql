-- Trials of `ranklore tune`, each with the search that it belongs to.
-- This file is never edited once landed; what changes is a new migration.

-- No version has written a row.
DROP TABLE trial;
INSERT OR REPLACE INTO table_hash (name, hash) VALUES ('trial', 0);

CREATE TABLE trial (
    trial_id    INTEGER PRIMARY KEY,
    selection   TEXT NOT NULL,     -- canonical JSON
    system      TEXT NOT NULL,
    search      TEXT NOT NULL,     -- canonical JSON: the sampler, the space, the objective and others
    split       TEXT NOT NULL,     -- canonical JSON: the contests that tune
    standings   BLOB NOT NULL,     -- BLAKE3 of the results that tune
    engine      TEXT NOT NULL,
    seed        INTEGER NOT NULL,
    number      INTEGER NOT NULL,  -- from 0, the default parameters
    parameters  TEXT NOT NULL,     -- canonical JSON
    state       TEXT NOT NULL CHECK (state IN ('running', 'pruned', 'completed', 'failed')),
    rungs       TEXT NOT NULL,     -- JSON: the objective after each part of the contests
    metrics     TEXT,              -- JSON: all metrics after the last of these parts
    tried_at    INTEGER NOT NULL,
    seconds     REAL               -- duration of the replay; NULL: running
) STRICT;

CREATE INDEX trial_by_number ON trial (number);
