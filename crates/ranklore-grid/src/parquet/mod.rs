//! Reads Parquet files as tables: `footer` and `pages` bound what the parser of the library gets,
//! `batches` reads through both, `columns` chooses columns, `cells` writes values as texts, `read`
//! makes rows of them, and `search` finds names.

mod batches;
mod cells;
mod columns;
mod footer;
mod pages;
mod read;
mod search;

pub use read::read_parquet;
pub(crate) use search::search;

/// The first bytes of a Parquet file.
pub(crate) const SIGNATURE: &[u8] = b"PAR1";
