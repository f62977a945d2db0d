//! Recognises the places of one ranking.

use crate::values::cells::parse_place;

/// True if places in order are a ranking in which ties share the lowest place: 1, 2, 2, 4.
pub(crate) fn is_ranking(sorted: impl IntoIterator<Item = u32>) -> bool {
    let mut shared = 0;
    (1..).zip(sorted).all(|(position, place)| {
        if place != shared {
            shared = position;
        }
        place == shared
    })
}

/// True if places in order run from 1 without gaps: those of a ranking, or of one that counts ties
/// as one place (1, 2, 2, 3), or of several rankings (1, 1, 2, 2, 3).
pub(crate) fn is_gapless(sorted: impl IntoIterator<Item = u32>) -> bool {
    let mut last_place = 0;
    (1..).zip(sorted).all(|(position, place)| {
        let follows = place == last_place || place == last_place + 1 || place == position;
        last_place = place;
        follows
    })
}

/// True if the cells, in any order, are places that [`is_ranking`] accepts. 3.0 is a score.
pub(crate) fn are_ranking<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    sorted_places(cells).is_some_and(is_ranking)
}

/// True if the cells, in any order, are places that [`is_gapless`] accepts.
pub(crate) fn are_gapless_places<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    sorted_places(cells).is_some_and(is_gapless)
}

/// Returns whole places in order, or `None` if a cell is none.
fn sorted_places<'c>(cells: impl Iterator<Item = &'c str>) -> Option<Vec<u32>> {
    let mut places = cells
        .map(|cell| parse_place(cell).filter(|_| !cell.trim_end_matches('.').contains('.')))
        .collect::<Option<Vec<u32>>>()?;
    places.sort_unstable();
    Some(places)
}
