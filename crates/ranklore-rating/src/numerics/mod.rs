//! Arithmetic with fixed bits: lanes, sums in two doubles, polynomials, root finding, the normal
//! distribution. Imports nothing else of this crate.

pub(crate) mod chebyshev;
pub(crate) mod dispatch;
pub(crate) mod lanes;
pub(crate) mod normal;
pub(crate) mod polynomial;
pub(crate) mod root;
pub(crate) mod two_double;
