//! The rating systems, grouped by family. They import `solve`, `numerics` and the modules in the
//! parent folder; a family may import those before it in this list: elo, mmr, bayesian, sites.

pub(crate) mod bayesian;
pub(crate) mod elo;
pub(crate) mod mmr;
pub(crate) mod sites;
