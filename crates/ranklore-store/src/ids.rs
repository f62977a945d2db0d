//! Row ids: one type per table, so that they cannot be confused.
//!
//! Ids are valid within one database only. Across databases, a source name and an `external_id`
//! identify an object.

use std::fmt;

use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};
use serde::Serialize;

macro_rules! id {
    ($name:ident, $description:literal) => {
        #[doc = $description]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        pub struct $name(i64);

        impl $name {
            /// Creates an id from a number given on a command line or in a URL.
            #[must_use]
            pub const fn new(id: i64) -> Self {
                Self(id)
            }

            /// Returns the number stored in the database.
            #[must_use]
            pub const fn get(self) -> i64 {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                Ok(ToSqlOutput::from(self.0))
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }
    };
}

id!(SourceId, "A row of `source`.");
id!(DocumentId, "A row of `document`.");
id!(ContestId, "A row of `contest`.");
id!(CompetitorId, "A row of `competitor`.");
id!(DecisionId, "A row of `decision`.");
id!(RunId, "A row of `rating_run`; the newer run has the larger id.");
