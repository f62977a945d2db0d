//! Elo-MMR, Elo-MMX and the draft that preceded them: a performance for each contest, and a belief.
//! Imports no other family.

pub(crate) mod elo_mmr;
pub(crate) mod elo_mmx;
pub(crate) mod elo_r;
