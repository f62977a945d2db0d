-- Spellings: forgotten persons are known in any case and Unicode form, and within longer texts.
-- This file is never edited once landed; what changes is a new migration.

CREATE TABLE tombstone_spelling (
    source_id  INTEGER NOT NULL REFERENCES source,
    name_hash  BLOB NOT NULL,      -- BLAKE3 of the folded name, keyed by source.name_key
    words      INTEGER,            -- of a name searched for within texts; NULL: a whole name
    blank      TEXT NOT NULL,      -- such as forgotten-1
    PRIMARY KEY (source_id, name_hash)
) WITHOUT ROWID, STRICT;
