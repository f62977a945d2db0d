//! Tells competitors apart: by ids, or by their names together with another column.

pub(super) mod bare_id;
pub(super) mod dated_names;
pub(super) mod identities;
pub(super) mod second_person;
