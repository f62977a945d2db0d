//! Dates in several columns. Imports `date_parts` → `yearless_dates`.

pub(crate) mod date_parts;
pub(crate) mod yearless_dates;
