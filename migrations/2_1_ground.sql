-- The ground: archive, standings, ratings, sync state.
-- Times are UTC in whole seconds and end in _at. Ids and places are INTEGER, external_id is TEXT,
-- names are verbatim. This file is never edited once landed; what changes is a new migration.

-- Where contests come from: a site, or a name the user gave to their own files.
CREATE TABLE source (
    source_id   INTEGER PRIMARY KEY,
    name        TEXT NOT NULL UNIQUE,
    created_at  INTEGER NOT NULL
) STRICT;

-- The archive: every answer of a site and every imported file, never changed or overwritten.
CREATE TABLE document (
    document_id    INTEGER PRIMARY KEY,
    source_id      INTEGER NOT NULL REFERENCES source,
    request_key    TEXT NOT NULL,      -- what was asked for; of one key the newest fetched_at speaks
    url            TEXT,
    fetched_at     INTEGER NOT NULL,
    status         INTEGER,            -- HTTP status; NULL for an imported file
    etag           TEXT,
    last_modified  TEXT,
    media_type     TEXT,
    reading        TEXT CHECK (json_valid(reading)),  -- how it is to be read (format and options)
    blake3         BLOB NOT NULL,      -- of the decoded body
    length         INTEGER NOT NULL,   -- bytes of the decoded body
    body           BLOB,               -- zstd; NULL where body_of holds the same bytes
    body_of        INTEGER REFERENCES document,
    CHECK ((body IS NULL) <> (body_of IS NULL))
) STRICT;
CREATE INDEX document_by_request ON document (source_id, request_key, fetched_at);

CREATE TABLE contest (
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
                             ('announced', 'running', 'provisional', 'final', 'unrated', 'withdrawn', 'refused')),
    rated                INTEGER NOT NULL CHECK (rated IN (0, 1)),
    weight               REAL NOT NULL DEFAULT 1 CHECK (weight > 0),
    site_weight          REAL,
    performance_ceiling  REAL,
    entrants             INTEGER NOT NULL,
    revision             INTEGER NOT NULL,  -- 1 at first, one more for every changed result
    content_hash         BLOB,
    document_id          INTEGER REFERENCES document,  -- what it was read from
    UNIQUE (source_id, external_id),
    CHECK (rated = 0 OR ends_at IS NOT NULL)
) STRICT;

-- Who stands in standings, and the people behind teams and couples.
CREATE TABLE competitor (
    competitor_id  INTEGER PRIMARY KEY,
    source_id      INTEGER NOT NULL REFERENCES source,
    external_id    TEXT NOT NULL,
    kind           TEXT NOT NULL CHECK (kind IN ('person', 'team', 'couple')),
    name           TEXT NOT NULL,
    start_mu       REAL,                    -- a rating brought along from before the first contest
    start_sigma    REAL,
    start_document_id  INTEGER REFERENCES document,  -- what that was read from
    UNIQUE (source_id, external_id, kind)   -- a person may be called what a team is called
) STRICT;

-- Names over time, once a competitor has had more than the one in competitor.name.
CREATE TABLE competitor_name (
    competitor_id  INTEGER NOT NULL REFERENCES competitor,
    name           TEXT NOT NULL,
    first_seen_at  INTEGER NOT NULL,
    last_seen_at   INTEGER NOT NULL,
    PRIMARY KEY (competitor_id, name)
) WITHOUT ROWID, STRICT;

CREATE TABLE standing (
    contest_id     INTEGER NOT NULL REFERENCES contest,
    competitor_id  INTEGER NOT NULL REFERENCES competitor,
    place          INTEGER,                 -- 1-based, ties share the lowest; NULL where status says why
    score          REAL,
    penalty        REAL,
    status         TEXT CHECK (status IN ('dnf', 'dq')),  -- NULL for finishers
    PRIMARY KEY (contest_id, competitor_id),
    CHECK (place IS NOT NULL OR status IS NOT NULL)
) WITHOUT ROWID, STRICT;
CREATE INDEX standing_by_competitor ON standing (competitor_id);

-- Who stood in a team or couple; person_id is a competitor of kind person.
CREATE TABLE member (
    contest_id     INTEGER NOT NULL REFERENCES contest,
    competitor_id  INTEGER NOT NULL REFERENCES competitor,
    ordinal        INTEGER NOT NULL,        -- 1-based, as published; two may be called the same
    person_id      INTEGER NOT NULL REFERENCES competitor,
    PRIMARY KEY (contest_id, competitor_id, ordinal)
) WITHOUT ROWID, STRICT;
CREATE INDEX member_by_person ON member (person_id);

-- One rating system with its parameters over one selection of contests. The same again is the same run.
CREATE TABLE rating_run (
    run_id       INTEGER PRIMARY KEY AUTOINCREMENT,  -- grows: a newer run has the larger id
    system       TEXT NOT NULL,
    parameters   TEXT NOT NULL CHECK (json_valid(parameters)),  -- canonical JSON
    selection    TEXT NOT NULL CHECK (json_valid(selection)),   -- canonical JSON
    engine       TEXT NOT NULL,             -- bumped when any bit of a rating changes
    created_at   INTEGER NOT NULL,
    rated_at     INTEGER NOT NULL,
    contests     INTEGER NOT NULL,          -- rated ones
    results      INTEGER NOT NULL,          -- rating rows
    fingerprint  BLOB NOT NULL,             -- of everything the rows depend on
    UNIQUE (system, parameters, selection)
) STRICT;

-- State of every entrant after every contest. These rows are the checkpoint of a run.
CREATE TABLE rating (
    run_id         INTEGER NOT NULL REFERENCES rating_run,
    contest_id     INTEGER NOT NULL REFERENCES contest,
    competitor_id  INTEGER NOT NULL REFERENCES competitor,
    mu             REAL NOT NULL,
    sigma          REAL NOT NULL,
    performance    REAL,
    volatility     REAL,
    PRIMARY KEY (run_id, contest_id, competitor_id)
) WITHOUT ROWID, STRICT;

-- How well a run predicted.
CREATE TABLE evaluation (
    run_id          INTEGER NOT NULL REFERENCES rating_run,
    slice           TEXT NOT NULL,          -- everybody, experienced, top100
    evaluated_at    INTEGER NOT NULL,
    contests        INTEGER NOT NULL,
    results         INTEGER NOT NULL,
    pair_inversion  REAL,                   -- in percent, 100 is perfect
    rank_deviation  REAL,                   -- in percent, 0 is perfect
    PRIMARY KEY (run_id, slice)
) WITHOUT ROWID, STRICT;

-- One point of a parameter search.
CREATE TABLE trial (
    trial_id        INTEGER PRIMARY KEY,
    study           TEXT NOT NULL,
    system          TEXT NOT NULL,
    parameters      TEXT NOT NULL,
    selection       TEXT NOT NULL,
    tried_at        INTEGER NOT NULL,
    pair_inversion  REAL,
    rank_deviation  REAL,
    seconds         REAL
) STRICT;

-- One run of import, mine or rebuild that changed something.
CREATE TABLE sync_run (
    sync_run_id  INTEGER PRIMARY KEY,
    source_id    INTEGER NOT NULL REFERENCES source,
    kind         TEXT NOT NULL CHECK (kind IN ('import', 'mine', 'rebuild')),
    started_at   INTEGER NOT NULL,
    finished_at  INTEGER NOT NULL,
    added        INTEGER NOT NULL,          -- contests
    revised      INTEGER NOT NULL,
    unchanged    INTEGER NOT NULL,
    refused      INTEGER NOT NULL
) STRICT;

-- What is known of syncing one contest; there is no cursor.
CREATE TABLE contest_sync (
    source_id      INTEGER NOT NULL REFERENCES source,
    external_id    TEXT NOT NULL,
    outcome        TEXT NOT NULL CHECK (outcome IN
                       ('read', 'not yet', 'nothing there', 'gone', 'blocked', 'gave up', 'refused')),
    tried_at       INTEGER NOT NULL,
    read_at        INTEGER,
    due_at         INTEGER,
    reason         TEXT,
    PRIMARY KEY (source_id, external_id)
) WITHOUT ROWID, STRICT;
