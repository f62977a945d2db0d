-- Named: how far the archive has been read for who is called how.
-- This file is never edited once landed; what changes is a new migration.

-- The newest document read for it, noted together with the names: a sync that found nothing new
-- since then need not read the others again.
ALTER TABLE source ADD COLUMN named_through INTEGER;
