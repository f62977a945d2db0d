-- Names: when a site was last asked who is called otherwise by now.
-- This file is never edited once landed; what changes is a new migration.

-- Noted together with what came of it: killed before, the next sync asks again.
ALTER TABLE source ADD COLUMN names_asked_at INTEGER;
