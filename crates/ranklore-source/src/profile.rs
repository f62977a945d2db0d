//! The static data of a source.

use std::time::Duration;

use crate::{Request, SourceOption, Terms};

/// The static data of a source, the same for all its documents.
///
/// ```
/// use ranklore_source::{NameDisplay, Profile, Terms};
///
/// static PROFILE: Profile = Profile {
///     ..Profile::new("harbour", Terms {
///         attribution: "Harbour Games (https://harbour.example)",
///         licence: "Results may be used by anybody.",
///         names: NameDisplay::AsPublished,
///         ..Terms::new("https://harbour.example")
///     })
/// };
/// assert!(PROFILE.options.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The name of the source, valid as a `SourceName`.
    pub name: &'static str,
    /// The terms of access to the site.
    pub terms: Terms,
    /// The timeout of one attempt at a request, from connecting to the last byte. The head of the
    /// response may take half of it.
    pub timeout: Duration,
    /// The options of a sync, in addition to those that all sources have.
    pub options: &'static [SourceOption],
    /// The files in which users saved answers of the site, if their names are known.
    pub saved_files: Option<SavedFiles>,
    /// True if archives of the site, kept by others, can be imported instead of a sync.
    pub imports_archives: bool,
    /// True if the site rates each division apart. Then no run has contests of two divisions.
    pub separates_divisions: bool,
    /// The wording for contests without a part that was requested.
    pub partial: PartialWording,
    /// Returns the name of a team that is known only by its members, given in the order of their
    /// names. `None` if teams have names of their own, which stay when a member is forgotten.
    pub team_name: fn(&[String]) -> Option<String>,
}

impl Profile {
    /// Returns a source without options, with a timeout of 2 minutes.
    #[must_use]
    pub const fn new(name: &'static str, terms: Terms) -> Self {
        Self {
            name,
            terms,
            timeout: Duration::from_mins(2),
            options: &[],
            saved_files: None,
            imports_archives: false,
            separates_divisions: false,
            partial: PartialWording::DEFAULT,
            team_name: |_| None,
        }
    }

    /// Returns the option that lists require, if the source has one.
    #[must_use]
    pub fn listing_option(&self) -> Option<&'static SourceOption> {
        self.options.iter().find(|option| option.enables_lists)
    }
}

/// Files in which users saved answers of a site.
#[derive(Clone, Copy, Debug)]
pub struct SavedFiles {
    /// Returns the request that a file answers, if the file name is one that the site gives.
    pub request: fn(file_name: &str) -> Option<Request>,
    /// The name of the file with the list of contests.
    pub list: &'static str,
}

/// The wording for contests without a part that was requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartialWording {
    /// The words after the number of contests: `without standings`.
    pub what: &'static str,
    /// The sync option that requests the part again.
    pub option: &'static str,
}

impl PartialWording {
    /// The wording for parts that only a full sync requests again.
    pub const DEFAULT: Self = Self {
        what: "read in part",
        option: "--full",
    };
}
