//! The registration of a source.

use crate::{InvalidOption, OptionValues, Profile, Source};

/// A registered source: its data, and functions that open it.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    /// The data of the source.
    pub profile: &'static Profile,
    /// Opens the source for a sync with these options.
    ///
    /// # Errors
    /// [`InvalidOption`] if options do not fit each other or the site.
    pub open: fn(&OptionValues) -> Result<Box<dyn Source>, InvalidOption>,
    /// Opens the source for an archive whose documents have these keys, in any order and perhaps
    /// repeated. Its initial requests include everything that was ever requested, with any options.
    pub open_archive: fn(request_keys: &[String]) -> Box<dyn Source>,
}
