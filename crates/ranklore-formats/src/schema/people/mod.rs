//! The columns that name competitors: names, parts of names, ids, members of teams; and their genders.

pub(crate) mod bare_id;
pub(crate) mod crews;
pub(crate) mod genders;
pub(crate) mod identities;
pub(crate) mod line_breaks;
pub(crate) mod member_columns;
pub(crate) mod name_parts;
pub(crate) mod names;
pub(crate) mod paired_names;
pub(crate) mod second_person;
pub(crate) mod separators;
pub(crate) mod side_columns;
pub(crate) mod side_results;
pub(crate) mod unnamed;
