//! Systems with one number per competitor: Elo and gradient steps on a likelihood. Imports no other
//! family.

pub(crate) mod elo_pairwise;
pub(crate) mod elo_srm;
pub(crate) mod plackett_luce;
pub(crate) mod single_parameter;
pub(crate) mod thurstone;
pub(crate) mod two_player;
