//! SQLite handling for the crate that exports SQLite files, which is the same for the database.
//!
//! Nothing here opens the database for writing: that is done by a [`Writer`](crate::Writer) alone.
//! A failure becomes an [`Error`](crate::Error) by [`Error::from_sqlite`](crate::Error::from_sqlite),
//! [`Error::from_io`](crate::Error::from_io) or [`Error::from_reading`](crate::Error::from_reading).

pub use crate::file::frozen::open_immutable;
pub use crate::file::open::resolve_path;
pub use crate::file::pragmas::set_common;
pub use crate::results::rows::RowInserter;
