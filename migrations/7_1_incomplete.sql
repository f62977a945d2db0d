-- Incomplete: contests of which much less arrived than their site announced.
-- This file is never edited once landed; what changes is a new migration.

-- SQLite cannot change a CHECK, so the table is written anew: the same columns in the same order,
-- with one more state. References to it are by name, and foreign keys are off (see pragmas.rs).
CREATE TABLE contest_7 (
    contest_id           INTEGER PRIMARY KEY,
    source_id            INTEGER NOT NULL REFERENCES source,
    external_id          TEXT NOT NULL,
    name                 TEXT NOT NULL,
    event                TEXT,              -- groups contests held together
    division             TEXT,
    ordinal              INTEGER,           -- the source's order within the event
    url                  TEXT,
    starts_at            INTEGER,
    ends_at              INTEGER,           -- when the result stood
    state                TEXT NOT NULL CHECK (state IN
                             ('announced', 'running', 'incomplete', 'provisional', 'final',
                              'unrated', 'withdrawn', 'refused')),
    rated                INTEGER NOT NULL CHECK (rated IN (0, 1)),
    weight               REAL NOT NULL DEFAULT 1 CHECK (weight > 0),
    site_weight          REAL,
    performance_ceiling  REAL,
    entrants             INTEGER NOT NULL,
    revision             INTEGER NOT NULL,  -- 1 at first, one more for every changed result
    content_hash         BLOB,
    document_id          INTEGER REFERENCES document,  -- what it was read from
    withdrawn_at         INTEGER,           -- when a person took it out of rating
    UNIQUE (source_id, external_id),
    CHECK (rated = 0 OR ends_at IS NOT NULL)
) STRICT;
INSERT INTO contest_7 (contest_id, source_id, external_id, name, event, division, ordinal, url,
    starts_at, ends_at, state, rated, weight, site_weight, performance_ceiling, entrants, revision,
    content_hash, document_id, withdrawn_at)
SELECT contest_id, source_id, external_id, name, event, division, ordinal, url,
    starts_at, ends_at, state, rated, weight, site_weight, performance_ceiling, entrants, revision,
    content_hash, document_id, withdrawn_at
FROM contest ORDER BY contest_id;
DROP TABLE contest;
ALTER TABLE contest_7 RENAME TO contest;

-- The items (such as comments) of a contest that its site announced, and that arrived. All five
-- are NULL where the site announces nothing.
ALTER TABLE contest_sync ADD COLUMN items TEXT;
ALTER TABLE contest_sync ADD COLUMN announced INTEGER
    CHECK ((announced IS NULL) = (items IS NULL));
ALTER TABLE contest_sync ADD COLUMN arrived INTEGER
    CHECK ((arrived IS NULL) = (items IS NULL));
-- The most that arrived in one sync, and the syncs since then that brought no more.
ALTER TABLE contest_sync ADD COLUMN most_arrived INTEGER
    CHECK ((most_arrived IS NULL) = (items IS NULL) AND most_arrived >= arrived);
ALTER TABLE contest_sync ADD COLUMN fruitless_syncs INTEGER
    CHECK ((fruitless_syncs IS NULL) = (items IS NULL));
