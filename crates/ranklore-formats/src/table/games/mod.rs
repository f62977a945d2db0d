//! Reads tables of games: one row per game of two, with a column for each competitor.
//!
//! Each row becomes a contest by itself, so nothing is grouped or ranked.
//!
//! Imports within this folder: `read` uses all others, `verdicts` uses `outcomes` and `refusals`,
//! `columns` and `outcomes` use `headings`.

mod columns;
mod competitors;
mod headings;
mod outcomes;
mod read;
mod refusals;
mod rounds;
mod schedule;
mod verdicts;

pub(crate) use columns::{find_game_header, states_games};
pub(super) use read::read;

/// The position of a competitor in a row: of the two columns that name them, the first or the
/// second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seat {
    One,
    Two,
}

impl Seat {
    const BOTH: [Self; 2] = [Self::One, Self::Two];

    const fn index(self) -> usize {
        self as usize
    }

    const fn other(self) -> Self {
        match self {
            Self::One => Self::Two,
            Self::Two => Self::One,
        }
    }

    fn from_digit(mark: &str) -> Option<Self> {
        match mark {
            "1" => Some(Self::One),
            "2" => Some(Self::Two),
            _ => None,
        }
    }

    /// Returns the seat of `1`, `2`, `a` or `b`.
    fn from_mark(mark: &str) -> Option<Self> {
        match mark {
            "a" => Some(Self::One),
            "b" => Some(Self::Two),
            mark => Self::from_digit(mark),
        }
    }
}
