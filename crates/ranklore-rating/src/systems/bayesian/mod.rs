//! Systems with a Gaussian belief per competitor: Glicko, BAR, TrueSkill. Imports no other family.

pub(crate) mod bar;
pub(crate) mod glicko;
pub(crate) mod glicko2;
pub(crate) mod trueskill;
pub(crate) mod trueskill_spb;
