//! SQLite helpers shared with the crate that exports SQLite files.
//!
//! Nothing here opens the database for writing; only a [`Writer`](crate::Writer) does. Convert
//! failures into an [`Error`](crate::Error) with [`Error::from_sqlite`](crate::Error::from_sqlite),
//! [`Error::from_io_write`](crate::Error::from_io_write) or
//! [`Error::from_io_read`](crate::Error::from_io_read).

pub use crate::file::immutable::open_immutable;
pub use crate::file::open::resolve_path;
pub use crate::file::pragmas::set_common_pragmas;
pub use crate::results::row_inserter::{RowInserter, RowInserts};
