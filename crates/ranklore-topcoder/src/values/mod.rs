//! Numbers, texts and times in feeds and pages.
//! Imports nothing of this crate.

pub(crate) mod new_york;
pub(crate) mod number;
pub(crate) mod text;
