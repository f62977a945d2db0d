//! The rating systems, grouped by family. They import `solve`, `numerics` and the modules
//! beside this folder; a family may import another that stands before it in this list: elo, mmr,
//! bayesian, sites.

pub(crate) mod bayesian;
pub(crate) mod elo;
pub(crate) mod mmr;
pub(crate) mod sites;
