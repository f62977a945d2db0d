//! Rate limiting: the interval between requests, and the quotas of a site.
//! Uses the modules beside this folder. Sends nothing.

pub(crate) mod clock;
pub(crate) mod pace;
pub(crate) mod quota;
