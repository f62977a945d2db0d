-- Keeping up: what people decided about the results, what a run was made of, who is forgotten.
-- This file is never edited once landed; what changes is a new migration.

-- Contests that a document tells of and that are not believed, although it may be the newest:
-- another document of the same import told of them before.
CREATE TABLE disbelieved (
    document_id  INTEGER NOT NULL REFERENCES document,
    external_id  TEXT NOT NULL,
    PRIMARY KEY (document_id, external_id)
) WITHOUT ROWID, STRICT;

-- A document in which somebody was forgotten is kept with a blank in place of the name. blake3
-- and length stay those of the bytes that came, so that the same bytes are known again; these
-- are of the bytes that are kept, and how those are to be read. NULL where nobody was.
ALTER TABLE document ADD COLUMN kept_blake3 BLOB;
ALTER TABLE document ADD COLUMN kept_length INTEGER;
ALTER TABLE document ADD COLUMN kept_reading TEXT
    CHECK (kept_reading IS NULL OR json_valid(kept_reading));

-- The competitor whose results this one's count as; followed until it is NULL.
ALTER TABLE competitor ADD COLUMN merged_into INTEGER REFERENCES competitor;
CREATE INDEX competitor_merged ON competitor (source_id) WHERE merged_into IS NOT NULL;
CREATE INDEX competitor_started ON competitor (source_id) WHERE start_mu IS NOT NULL;

-- When a person took the contest out of rating; the source still has it.
ALTER TABLE contest ADD COLUMN withdrawn_at INTEGER;

-- With what names are hashed, so that they can be known again without being kept: 32 random bytes.
ALTER TABLE source ADD COLUMN name_key BLOB;

-- What people decided, in order, never changed: a rebuild does it again. Names are external ids.
CREATE TABLE decision (
    decision_id  INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source,
    decided_at   INTEGER NOT NULL,
    act          TEXT NOT NULL CHECK (act IN ('merge', 'split', 'rename', 'withdraw', 'restore')),
    kind         TEXT CHECK (kind IN ('person', 'team', 'couple')),  -- NULL for a contest
    subject      TEXT NOT NULL,             -- whom or what it is about
    object       TEXT,                      -- merge: into whom; rename: the new name
    note         TEXT,                      -- why, in the words of who decided
    CHECK ((kind IS NULL) = (act IN ('withdraw', 'restore'))),
    CHECK ((object IS NULL) = (act NOT IN ('merge', 'rename')))
) STRICT;
CREATE INDEX decision_by_source ON decision (source_id, decision_id);

-- Persons who are forgotten: known again by a keyed hash, called by a blank.
CREATE TABLE tombstone (
    source_id     INTEGER NOT NULL REFERENCES source,
    name_hash     BLOB NOT NULL,            -- BLAKE3 of the name, keyed by source.name_key
    blank         TEXT NOT NULL,            -- such as forgotten-1
    forgotten_at  INTEGER NOT NULL,
    swept_at      INTEGER,                  -- when the pages that held the name were given back
    PRIMARY KEY (source_id, name_hash),
    UNIQUE (source_id, blank)
) WITHOUT ROWID, STRICT;

-- The contests of a run in the order of replay. Where the chain of a run and that of the
-- results part, rating goes on.
CREATE TABLE run_contest (
    run_id      INTEGER NOT NULL REFERENCES rating_run,
    position    INTEGER NOT NULL,           -- 0 for the first
    contest_id  INTEGER NOT NULL REFERENCES contest,
    results     INTEGER NOT NULL,           -- rows of rating; 0 for a contest without an order
    chain       BLOB NOT NULL,              -- hash of everything up to and with this contest
    PRIMARY KEY (run_id, position)
) WITHOUT ROWID, STRICT;
