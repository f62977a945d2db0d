//! Identities of competitors: merges and names from users and documents, redaction. Imports
//! the errors beside this folder, and neither `derive` nor `mine`.

pub(crate) mod claims;
pub(crate) mod redaction;
pub(crate) mod user_names;
