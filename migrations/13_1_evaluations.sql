-- Evaluations with any number of metrics and slices, of runs and of systems that were compared.
-- This file is never edited once landed; what changes is a new migration.

-- It had a column per metric. `ranklore evaluate` computes evaluations again.
DROP TABLE evaluation;
INSERT OR REPLACE INTO table_hash (name, hash) VALUES ('evaluation', 0);

CREATE TABLE evaluation (
    evaluation_id   INTEGER PRIMARY KEY,
    run_id          INTEGER REFERENCES rating_run,  -- NULL: compared without a run
    system          TEXT NOT NULL,
    parameters      TEXT NOT NULL,      -- canonical JSON
    selection       TEXT NOT NULL,      -- canonical JSON
    settings        TEXT NOT NULL,      -- canonical JSON: the contests that count, the seed and others
    evaluated_at    INTEGER NOT NULL,
    seconds         REAL,               -- duration of the replay
    bytes           INTEGER,            -- memory of the states of all competitors
    source_changes  INTEGER             -- sum of source.changes when it was evaluated
) STRICT;

CREATE TABLE evaluation_metric (
    evaluation_id  INTEGER NOT NULL REFERENCES evaluation,
    slice          TEXT NOT NULL,       -- the entrants and contests
    metric         TEXT NOT NULL,
    value          REAL NOT NULL,
    low            REAL,                -- 95 % interval; NULL: not computed
    high           REAL,
    PRIMARY KEY (evaluation_id, slice, metric)
) WITHOUT ROWID, STRICT;
