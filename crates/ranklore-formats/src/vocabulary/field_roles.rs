//! Answers what the readers of bytes ask about headings.

use std::collections::BTreeMap;

use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Field, Pairing, Seat, heading_word, parse_seat_heading};
use ranklore_grid::{FieldRole, GameRole, Headings};

/// The known headings, and those whose meaning the user states.
pub(crate) struct TableHeadings<'o>(pub(crate) &'o BTreeMap<String, ColumnMeaning>);

impl Headings for TableHeadings<'_> {
    fn role(&self, heading: &str) -> Option<FieldRole> {
        Some(role(ColumnMeaning::from_heading(heading)?.0))
    }

    fn field_role(&self, path: &str) -> Option<FieldRole> {
        let stated_meaning = self.0.get(path).copied();
        let meaning = stated_meaning.or_else(|| Some(ColumnMeaning::from_path(path)?.0));
        meaning.map(role)
    }

    fn game_role(&self, path: &str) -> Option<GameRole> {
        if let Some(meaning) = self.0.get(path) {
            return stated_game_role(*meaning);
        }
        let word = heading_word(path);
        let Some(heading) = parse_seat_heading(&word) else {
            return stated_game_role(find_game_heading(&word)?.0);
        };
        match heading.field {
            Field::Name(..) | Field::Id(_) => {
                let names_winner =
                    (heading.pairing, heading.seat) == (Some(Pairing::WinnerLoser), Seat::One);
                Some(if names_winner {
                    GameRole::Winner
                } else {
                    GameRole::Competitor
                })
            }
            Field::Score(_) | Field::Won => Some(GameRole::Outcome),
            Field::Shootout => None,
        }
    }

    fn is_stated(&self, heading: &str) -> bool {
        self.0.contains_key(heading)
    }
}

fn stated_game_role(meaning: ColumnMeaning) -> Option<GameRole> {
    use ColumnMeaning::{Outcome, Score1, Score2, Winner};
    match meaning {
        Outcome | Score1 | Score2 => Some(GameRole::Outcome),
        Winner => Some(GameRole::Winner),
        other => Pairing::from_meaning(other).map(|_| GameRole::Competitor),
    }
}

fn role(meaning: ColumnMeaning) -> FieldRole {
    use ColumnMeaning as M;
    match meaning {
        M::Ignore => FieldRole::Ignored,
        M::Competitor | M::Team => FieldRole::Competitor,
        M::Members | M::GivenName | M::Surname => FieldRole::PersonName,
        M::Place | M::Score => FieldRole::Result,
        M::Contest => FieldRole::ContestName,
        M::ContestId | M::Date | M::Event => FieldRole::ContestKey,
        M::Division | M::Ordinal | M::Url | M::Weight => FieldRole::ContestDetail,
        _ => FieldRole::Other,
    }
}
