-- Undo: imports undone, sources removed, contests withdrawn because their file lost them.
-- This file is never edited once landed; what changes is a new migration.

-- SQLite cannot change a CHECK, so the table is written anew, with two more acts and the imported
-- document that made a decision. References to it: none.
CREATE TABLE decision_10 (
    decision_id  INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source,
    decided_at   INTEGER NOT NULL,
    act          TEXT NOT NULL CHECK (act IN
                     ('merge', 'split', 'rename', 'withdraw', 'restore', 'undo', 'remove')),
    kind         TEXT CHECK (kind IN ('person', 'team', 'couple')),  -- only of a competitor
    subject      TEXT NOT NULL,             -- the competitor, contest, document or source
    object       TEXT,                      -- merge: into whom; rename: the new name
    note         TEXT,                      -- why, in the words of who decided
    document_id  INTEGER REFERENCES document,  -- whose import decided; NULL: the user
    CHECK ((kind IS NULL) = (act NOT IN ('merge', 'split', 'rename'))),
    CHECK ((object IS NULL) = (act NOT IN ('merge', 'rename')))
) STRICT;
INSERT INTO decision_10 (decision_id, source_id, decided_at, act, kind, subject, object, note)
SELECT decision_id, source_id, decided_at, act, kind, subject, object, note
FROM decision ORDER BY decision_id;
DROP TABLE decision;
ALTER TABLE decision_10 RENAME TO decision;
CREATE INDEX decision_by_source ON decision (source_id, decision_id);
CREATE INDEX decision_by_document ON decision (document_id) WHERE document_id IS NOT NULL;

-- When the source was removed. It keeps its tombstones and their key, in case its name is used
-- again, and is shown nowhere.
ALTER TABLE source ADD COLUMN removed_at INTEGER;

-- The documents that an import wrote have the ids from the first to the last: no other process
-- writes meanwhile. An id may be of a document deleted since, so neither refers to it.
ALTER TABLE sync_run ADD COLUMN first_document_id INTEGER;
ALTER TABLE sync_run ADD COLUMN last_document_id INTEGER
    CHECK ((last_document_id IS NULL) = (first_document_id IS NULL));
