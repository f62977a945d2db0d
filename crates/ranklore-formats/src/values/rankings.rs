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

/// True if the cells, in any order, are a ranking of which some places are unreadable: at most half.
pub(crate) fn may_be_ranking<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let places: Vec<Option<u32>> = cells.map(parse_place).collect();
    let mut readable: Vec<u32> = places.iter().copied().flatten().collect();
    readable.sort_unstable();
    let mut unreadable = places.len() - readable.len();
    let mut position = 1;
    let mut shared = 0;
    2 * readable.len() >= places.len()
        && readable.into_iter().all(|place| {
            // Each unreadable place can fill a gap.
            while place > position && unreadable > 0 {
                unreadable -= 1;
                position += 1;
            }
            let is_next = place == position || place == shared;
            shared = place;
            position += 1;
            is_next
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

/// True if places in order begin with 1, and at most a fifth of those up to the last one is missing,
/// or one.
pub(crate) fn is_nearly_complete(sorted: impl IntoIterator<Item = u32>) -> bool {
    let places: Vec<u32> = sorted.into_iter().collect();
    let last_place = places.last().map_or(0, |&place| place as usize);
    let missing = last_place.saturating_sub(places.len());
    places.first() == Some(&1) && (missing <= 1 || 5 * missing <= last_place)
}

/// True if the cells, in any order, are places that [`is_ranking`] accepts. 3.0 is a score.
pub(crate) fn are_ranking<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    sorted_places(cells).is_some_and(is_ranking)
}

/// True if the cells, in any order, are places that [`is_gapless`] accepts.
pub(crate) fn are_gapless_places<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    sorted_places(cells).is_some_and(is_gapless)
}

/// True if the cells are places that begin with 1 and never fall from one to the next: a ranking of
/// which some rows may be missing.
pub(crate) fn are_rising_places<'c>(cells: impl Iterator<Item = &'c str>) -> bool {
    let places: Option<Vec<u32>> = cells.map(parse_place).collect();
    places.is_some_and(|places| places.first() == Some(&1) && places.is_sorted())
}

/// Returns whole places in order, or `None` if a cell is none.
fn sorted_places<'c>(cells: impl Iterator<Item = &'c str>) -> Option<Vec<u32>> {
    let mut places = cells
        .map(|cell| parse_place(cell).filter(|_| !cell.trim_end_matches('.').contains('.')))
        .collect::<Option<Vec<u32>>>()?;
    places.sort_unstable();
    Some(places)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unreadable_places_fill_gaps() {
        for cells in ["1 2 3", "1 ? 3", "? 2", "2 3 ?", "1 1 ?", "1 2 2 4 x"] {
            assert!(may_be_ranking(cells.split(' ')), "{cells}");
        }
        for cells in ["1 3", "? ? 3", "1 ? 4", "1 1 2 ?", "7 9 ? ?"] {
            assert!(!may_be_ranking(cells.split(' ')), "{cells}");
        }
    }
}
