//! Slices: the entrants and contests that a value covers.

use std::fmt::{self, Display, Formatter};

/// A rule that selects entrants and contests. It filters entrants and their opponents alike, and
/// places are counted among the selected entrants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    key: String,
    pub(super) filter: EntrantFilter,
    /// True if the slice has only the contests that name it in
    /// [`Prediction::slices`](super::Prediction::slices).
    pub(super) of_contests: bool,
}

/// A rule that selects the entrants of a contest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntrantFilter {
    /// Bounds of the number of earlier contests.
    pub(super) earlier: Band,
    /// The last place, counted from 1 among the entrants within `earlier`.
    pub(super) last_place: u32,
}

/// The experience of the standard slices, in earlier contests: the bounds of Elo-SRM's tables.
pub const EXPERIENCE_BANDS: [Band; 6] = [
    Band::new(1, 1),
    Band::new(2, 7),
    Band::new(8, 24),
    Band::new(25, 74),
    Band::new(75, 199),
    Band::from(200),
];

/// Sizes of contests, in entrants: the bounds of Elo-SRM's tables 2 and 4.
pub const SIZE_BANDS: [Band; 7] = [
    Band::new(2, 16),
    Band::new(17, 99),
    Band::new(100, 199),
    Band::new(200, 399),
    Band::new(400, 599),
    Band::new(600, 799),
    Band::from(800),
];

impl Slice {
    /// All entrants, also newcomers.
    #[must_use]
    pub fn all() -> Self {
        Self::of_experience("all", Band::from(0))
    }

    /// The entrants with at least one earlier contest.
    #[must_use]
    pub fn everybody() -> Self {
        Self::of_experience("everybody", Band::from(1))
    }

    /// The entrants with at least five earlier contests.
    #[must_use]
    pub fn experienced() -> Self {
        Self::of_experience("experienced", Band::from(5))
    }

    /// The entrants of [`Slice::everybody`] on the first hundred places among them.
    #[must_use]
    pub fn top100() -> Self {
        let mut slice = Self::of_experience("top100", Band::from(1));
        slice.filter.last_place = 100;
        slice
    }

    /// Everybody, but only in the contests that the caller selects by
    /// [`Prediction::slices`](super::Prediction::slices).
    #[must_use]
    pub fn of_contests(key: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            of_contests: true,
            ..Self::everybody()
        }
    }

    /// Returns the slice with newcomers, whatever the experience that it asks for.
    #[must_use]
    pub fn with_newcomers(mut self) -> Self {
        self.filter.earlier.low = 0;
        self
    }

    /// Returns the slices of every evaluation: everybody, experienced, top100 and all.
    #[must_use]
    pub fn standard() -> [Self; 4] {
        [
            Self::everybody(),
            Self::experienced(),
            Self::top100(),
            Self::all(),
        ]
    }

    /// Returns a slice for each of [`EXPERIENCE_BANDS`].
    #[must_use]
    pub fn by_experience() -> [Self; EXPERIENCE_BANDS.len()] {
        EXPERIENCE_BANDS.map(|band| Self::of_experience(format!("experience {band}"), band))
    }

    /// Returns the name in files, tables and output, such as `top100` or `experience 2-7`.
    #[must_use]
    pub fn key(&self) -> &str {
        &self.key
    }

    fn of_experience(key: impl Into<String>, earlier: Band) -> Self {
        Self {
            key: key.into(),
            filter: EntrantFilter {
                earlier,
                last_place: u32::MAX,
            },
            of_contests: false,
        }
    }
}

/// A range of counts, with both ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// The lowest count.
    pub low: u32,
    /// The highest count; `u32::MAX` if there is none.
    pub high: u32,
}

impl Band {
    /// Creates the band of `low` to `high`.
    #[must_use]
    pub const fn new(low: u32, high: u32) -> Self {
        Self { low, high }
    }

    /// Creates the band of `low` and more.
    #[must_use]
    pub const fn from(low: u32) -> Self {
        Self::new(low, u32::MAX)
    }

    /// True if the band has this count.
    #[must_use]
    pub const fn contains(self, count: u32) -> bool {
        self.low <= count && count <= self.high
    }
}

impl Display for Band {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Self {
                low,
                high: u32::MAX,
            } => write!(f, "{low}+"),
            Self { low, high } if low == high => write!(f, "{low}"),
            Self { low, high } => write!(f, "{low}-{high}"),
        }
    }
}
