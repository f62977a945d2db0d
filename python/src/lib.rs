//! The compiled part of the Python package `ranklore`: the types of its module `_ranklore`.
//!
//! Arrow and Python objects are converted at this border; everything else is done by the crates
//! that the command uses.

mod database;
mod error;
mod evidence;
mod output;
mod rate;
mod results;
mod run;
mod step;
mod table;
mod threads;

use pyo3::prelude::*;

/// The compiled part of the package.
#[pymodule(gil_used = false)]
mod _ranklore {
    #[pymodule_export]
    use crate::database::Database;
    #[pymodule_export]
    use crate::error::Error;
    #[pymodule_export]
    use crate::evidence::{describe, evaluate, tune};
    #[pymodule_export]
    use crate::output::given::from_columns;
    #[pymodule_export]
    use crate::output::lists::to_columns;
    #[pymodule_export]
    use crate::run::{RatedTable, rate};
    #[pymodule_export]
    use crate::step::{StepSystem, system_names};
    #[pymodule_export]
    use crate::table::values::read_time;
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    const ENGINE_VERSION: &str = ranklore_rating::ENGINE_VERSION;
}
