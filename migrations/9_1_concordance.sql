-- Concordance: the headline metric of evaluations, and its baseline.
-- This file is never edited once landed; what changes is a new migration.

-- Both in percent; NULL in evaluations by an earlier version. The second is the concordance of
-- predictions by the place in the previous contest.
ALTER TABLE evaluation ADD COLUMN concordance REAL;
ALTER TABLE evaluation ADD COLUMN previous_place_concordance REAL;
