//! The systems of sites, as the literature compares them and as deployed. Imports no other family.

pub(crate) mod codeforces;
pub(crate) mod codeforces_official;
pub(crate) mod titles;
pub(crate) mod topcoder;
pub(crate) mod topcoder_official;
