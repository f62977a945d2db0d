-- Runs to which only new contests are to be added, without a look at all contests before them.
-- This file is never edited once landed; what changes is a new migration.

-- Number of transactions that changed or deleted a contest or competitor on which ratings depend.
-- Transactions that only inserted contests are counted in changes only.
ALTER TABLE source ADD COLUMN corrections INTEGER NOT NULL DEFAULT 0;

-- Sum of source.corrections when the run was rated; NULL: an earlier version rated.
ALTER TABLE rating_run ADD COLUMN source_corrections INTEGER;

-- Largest id of a contest when the run was rated; NULL: an earlier version rated.
ALTER TABLE rating_run ADD COLUMN newest_contest_id INTEGER;
