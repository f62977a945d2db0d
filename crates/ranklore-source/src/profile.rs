//! The data of a source.

use std::time::Duration;

use crate::{Request, SourceOption, Terms};

/// The data of a source, the same for all its documents.
///
/// ```
/// use ranklore_source::{Names, Profile, Terms};
///
/// static PROFILE: Profile = Profile {
///     ..Profile::new("harbour", Terms {
///         attribution: "Harbour Games (https://harbour.example)",
///         licence: "Results may be used by anybody.",
///         names: Names::AsTheyAre,
///         ..Terms::new("https://harbour.example")
///     })
/// };
/// assert!(PROFILE.options.is_empty());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Profile {
    /// The name of the source, by the rules of `SourceName`.
    pub name: &'static str,
    /// The terms on which the site may be asked.
    pub terms: Terms,
    /// The longest that one try of a request may take, from connecting to the last byte.
    pub timeout: Duration,
    /// The options of a sync, beyond those that all sources have.
    pub options: &'static [SourceOption],
    /// The files in which people saved answers of the site, if their names are known.
    pub saved_files: Option<SavedFiles>,
    /// True if archives that others keep of the site can be imported in place of asking it.
    pub archives: bool,
    /// The words for contests that lack a part that was asked for.
    pub in_part: InPart,
    /// Returns the name of a team that is known by its people alone, who come in the order of
    /// their names. `None` where teams have names of their own, which stay when one of their
    /// people is forgotten.
    pub team_name: fn(&[String]) -> Option<String>,
}

impl Profile {
    /// A source without options whose answers come within two minutes.
    #[must_use]
    pub const fn new(name: &'static str, terms: Terms) -> Self {
        Self {
            name,
            terms,
            timeout: Duration::from_mins(2),
            options: &[],
            saved_files: None,
            archives: false,
            in_part: InPart::DEFAULT,
            team_name: |_| None,
        }
    }

    /// Returns the option without which nothing is listed, if the source has one.
    #[must_use]
    pub fn lists_by(&self) -> Option<&'static SourceOption> {
        self.options.iter().find(|option| option.lists)
    }
}

/// The files in which people saved answers of a site.
#[derive(Clone, Copy, Debug)]
pub struct SavedFiles {
    /// Returns the request that a file of this name answers, if the name is one that the site
    /// gives.
    pub request: fn(file_name: &str) -> Option<Request>,
    /// The name of the file that lists the contests.
    pub list: &'static str,
}

/// The words for contests that lack a part that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InPart {
    /// The contests in words, behind their number: `without standings`.
    pub what: &'static str,
    /// The option of a sync that asks for the part again.
    pub option: &'static str,
}

impl InPart {
    /// Parts that only a whole sync asks for again.
    pub const DEFAULT: Self = Self {
        what: "read in part",
        option: "--full",
    };
}
