//! Recognises cells that are the places of one ranking.

use crate::table::values::cells::parse_place;

/// True if the cells are places of a ranking in which ties share the lowest place: 1, 2, 2, 4 in
/// any order. 3.0 is a score.
pub(super) fn are_ranking<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let Some(places) = sorted_places(cells) else {
        return false;
    };
    let mut shared = 0;
    places.iter().zip(1..).all(|(&place, due)| {
        if place != shared {
            shared = due;
        }
        place == shared
    })
}

/// True if the cells are places from 1 without gaps, in any order: those of a ranking, or of one
/// that counts ties as one place (1, 2, 2, 3), or of several rankings (1, 1, 2, 2, 3).
pub(super) fn are_gapless_places<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let Some(places) = sorted_places(cells) else {
        return false;
    };
    let mut above = 0;
    (1..).zip(places).all(|(position, place)| {
        let follows = place == above || place == above + 1 || place == position;
        above = place;
        follows
    })
}

/// Returns whole places in order, or `None` if a cell is none.
fn sorted_places<'c>(cells: impl Iterator<Item = &'c str>) -> Option<Vec<u32>> {
    let whole =
        |cell: &'c str| parse_place(cell).filter(|_| !cell.trim_end_matches('.').contains('.'));
    let mut places = cells.map(whole).collect::<Option<Vec<u32>>>()?;
    places.sort_unstable();
    Some(places)
}
