-- Daily use: current ratings, defaults of sources, names of runs, and a count of changes.
-- This file is never edited once landed; what changes is a new migration.

-- The system that views show; NULL: elo-mmr.
ALTER TABLE source ADD COLUMN default_system TEXT;
-- A rating of fewer contests, or with a larger sigma, is provisional; NULL: the rule of the system.
ALTER TABLE source ADD COLUMN provisional_contests INTEGER;
ALTER TABLE source ADD COLUMN provisional_sigma REAL;
-- Grows with every commit that changes a contest or a competitor of the source.
ALTER TABLE source ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

ALTER TABLE rating_run ADD COLUMN name TEXT;             -- given by the user
ALTER TABLE rating_run ADD COLUMN source_changes INTEGER;  -- sum of source.changes when it was rated
ALTER TABLE rating_run ADD COLUMN competitors INTEGER;   -- rows of current_rating; NULL: not written yet

-- The last rating of each competitor of a run. It follows from `rating`.
CREATE TABLE current_rating (
    run_id           INTEGER NOT NULL REFERENCES rating_run,
    competitor_id    INTEGER NOT NULL REFERENCES competitor,
    mu               REAL NOT NULL,
    sigma            REAL NOT NULL,
    contests         INTEGER NOT NULL,      -- rated ones
    change           REAL,                  -- of mu by the last contest; NULL after the first
    peak_mu          REAL NOT NULL,         -- highest mu
    last_contest_at  INTEGER NOT NULL,      -- end of the last contest
    PRIMARY KEY (run_id, competitor_id)
) WITHOUT ROWID, STRICT;
