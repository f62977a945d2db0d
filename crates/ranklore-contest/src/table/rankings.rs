//! Recognises cells that are the places of one ranking.

use crate::table::values::cells::parse_place;

/// True if the cells are places of a ranking in which ties share the lowest place: 1, 2, 2, 4 in
/// any order. 3.0 is a score.
pub(super) fn are_ranking<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let whole =
        |cell: &'c str| parse_place(cell).filter(|_| !cell.trim_end_matches('.').contains('.'));
    let Some(mut places) = cells.map(whole).collect::<Option<Vec<u32>>>() else {
        return false;
    };
    places.sort_unstable();
    let mut shared = 0;
    places.iter().zip(1..).all(|(&place, due)| {
        if place != shared {
            shared = due;
        }
        place == shared
    })
}
