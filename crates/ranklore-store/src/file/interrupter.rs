//! Interruption of queries from another thread.

use std::fmt;

use rusqlite::InterruptHandle;

use crate::file::open::Store;

/// Ends the queries of a [`Store`] that another thread uses.
pub struct Interrupter(InterruptHandle);

impl Interrupter {
    /// Ends the queries that run now with an error. Without one it has no effect, also not on later
    /// queries.
    pub fn interrupt(&self) {
        self.0.interrupt();
    }
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Interrupter")
    }
}

impl Store {
    /// Returns the handle that ends the queries of this store.
    #[must_use]
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.connection.get_interrupt_handle())
    }
}
