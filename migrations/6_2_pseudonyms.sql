-- Pseudonyms: which people are not to be shown by name, whatever their source is called.
-- This file is never edited once landed; what changes is a new migration.

-- 1 where results are from a site on whose terms they may not be published with names; pseudonyms
-- are made with name_key, so there is one.
ALTER TABLE source ADD COLUMN pseudonyms INTEGER NOT NULL DEFAULT 0
    CHECK (pseudonyms = 0 OR pseudonyms = 1 AND name_key IS NOT NULL);

-- Until now that went by the name of the one site of this kind.
UPDATE source SET pseudonyms = 1, name_key = coalesce(name_key, randomblob(32))
WHERE name = 'o2cm' OR EXISTS (
    SELECT 1 FROM document
    WHERE document.source_id = source.source_id AND document.reading = '{"site":"o2cm"}'
);
