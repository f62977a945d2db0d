//! The parameters of views, as options of commands, in the query of a URL and in JSON.

pub(crate) mod parse;
pub mod values;
