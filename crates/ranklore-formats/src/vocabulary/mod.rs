//! The vocabulary of tables: headings, their meanings, and other words. Imports nothing of the crate.

pub(crate) mod extra_time;
pub(crate) mod field_roles;
pub(crate) mod genders;
pub(crate) mod headings;
pub(crate) mod kinds;
pub(crate) mod leagues;
pub(crate) mod meanings;
pub(crate) mod member_headings;
pub(crate) mod nobody;
pub(crate) mod places;
pub(crate) mod rounds;
pub(crate) mod seats;
pub(crate) mod weekdays;
pub(crate) mod words;
