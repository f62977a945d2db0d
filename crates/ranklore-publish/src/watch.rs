//! Whoever watches something that takes long.

/// Is told how far something has come, and may end it.
pub trait Watch: Sync {
    /// Something begins that has so many rows, if that is known.
    fn begin(&self, what: &str, rows: Option<u64>) {
        let _ = (what, rows);
    }

    /// So many of them are done.
    fn advanced(&self, rows: u64) {
        let _ = rows;
    }

    /// Whether it should end.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Watches nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Watch for Silent {}
