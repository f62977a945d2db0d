//! A source as others find and open it.

use crate::{InvalidOption, OptionValues, Profile, Source};

/// A source as it is registered: its data, and the ways to open it.
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    /// Its data.
    pub profile: &'static Profile,
    /// Opens the source for a sync with these options.
    ///
    /// # Errors
    /// [`InvalidOption`] if options do not fit each other or the site.
    pub open: fn(&OptionValues) -> Result<Box<dyn Source>, InvalidOption>,
    /// Opens the source for an archive whose documents have these keys, in any order and perhaps
    /// more than once: it begins with everything that was ever asked for, whatever the options
    /// were.
    pub of_archive: fn(request_keys: &[String]) -> Box<dyn Source>,
}
