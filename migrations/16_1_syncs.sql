-- Syncs that withdraw or restore contests, or fail, say so.
-- This file is never edited once landed; what changes is a new migration.

-- Rated contests that the site took back.
ALTER TABLE sync_run ADD COLUMN withdrawn INTEGER NOT NULL DEFAULT 0;

-- Withdrawn contests that are rated again.
ALTER TABLE sync_run ADD COLUMN restored INTEGER NOT NULL DEFAULT 0;

-- Reason why a sync with a site stopped early; NULL: it did not.
ALTER TABLE sync_run ADD COLUMN failure TEXT;
