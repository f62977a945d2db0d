//! The value of a row in a column of a table.

use ranklore_rating::Display;

use crate::rows::format::{format_change, format_day, format_points};

/// The value of a row in a column of a table. Text and pages show it in their own ways.
#[derive(Clone, Debug, PartialEq)]
pub enum CellValue {
    /// No value.
    Empty,
    /// An unknown value: a dash in text.
    Unknown,
    /// Words of the program, or a number as it is written.
    Words(String),
    /// The reason for a missing value, which pages show in another colour.
    Remark(&'static str),
    /// A text from outside.
    Text(String),
    /// Rating points with the decimals of the system.
    Points(f64, u8),
    /// A rating change with the decimals of the system; `None` by the first contest.
    Change(Option<f64>, u8),
    /// A displayed rating with its decimals, and the mark behind it: a question mark if it is
    /// provisional.
    Rating(f64, u8, RatingMark),
    /// A day, in Unix seconds.
    Day(i64),
}

/// The mark behind a displayed rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RatingMark {
    /// The rating is established.
    None,
    /// A space aligns the digits with those before question marks.
    Space,
    /// The rating is provisional.
    Provisional,
}

impl CellValue {
    /// Returns a text from outside.
    pub fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// Returns a displayed rating.
    #[must_use]
    pub const fn rating(display: &Display, rating: f64, provisional: bool) -> Self {
        let mark = if provisional {
            RatingMark::Provisional
        } else {
            RatingMark::None
        };
        Self::Rating(rating, display.rating_decimals(), mark)
    }

    /// Aligns an established rating with the provisional ones of its column, if there are any.
    #[must_use]
    pub fn aligned_with(self, has_provisional: bool) -> Self {
        match self {
            Self::Rating(rating, decimals, RatingMark::None) if has_provisional => {
                Self::Rating(rating, decimals, RatingMark::Space)
            }
            other => other,
        }
    }
}

/// Words of the program.
impl From<String> for CellValue {
    fn from(words: String) -> Self {
        Self::Words(words)
    }
}

/// Words of the program.
impl From<&str> for CellValue {
    fn from(words: &str) -> Self {
        Self::Words(words.to_owned())
    }
}

impl<C: Into<Self>> From<Option<C>> for CellValue {
    fn from(value: Option<C>) -> Self {
        value.map_or(Self::Empty, Into::into)
    }
}

/// Writes the value as text.
impl std::fmt::Display for CellValue {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match self {
            Self::Empty => return Ok(()),
            Self::Unknown => "–",
            Self::Remark(text) => text,
            Self::Words(text) | Self::Text(text) => text,
            &Self::Points(points, decimals) => &format_points(points, decimals),
            &Self::Change(change, decimals) => &format_change(change, decimals),
            &Self::Rating(rating, decimals, mark) => {
                let mark = match mark {
                    RatingMark::None => "",
                    RatingMark::Space => " ",
                    RatingMark::Provisional => "?",
                };
                &(format_points(rating, decimals) + mark)
            }
            &Self::Day(seconds) => &format_day(seconds),
        };
        formatter.write_str(text)
    }
}
