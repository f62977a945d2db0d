-- Games of two: the side of each entrant, and the volatility with which an uncertainty grows.
-- This file is never edited once landed; what changes is a new migration.

-- NULL: not known, or no game of two.
ALTER TABLE standing ADD COLUMN side TEXT
    CHECK (side IN ('white', 'black', 'home', 'away', 'first', 'second'));

-- As in rating, after the last contest.
ALTER TABLE current_rating ADD COLUMN volatility REAL;
