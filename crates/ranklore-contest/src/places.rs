//! Computes places from those that a site or a feed gives.

use crate::contest::Place;

/// Returns the places of rows in the order of the `published` places; equal ones share the lowest
/// place of the tie. Also returns the index of the first row whose place changed.
#[must_use]
pub fn renumber_places(published: impl IntoIterator<Item = u32>) -> (Vec<Place>, Option<usize>) {
    let mut places: Vec<Place> = Vec::new();
    let mut first_changed = None;
    let mut number_above = None;
    for (index, number) in published.into_iter().enumerate() {
        let place = match places.last() {
            Some(&shared) if number_above == Some(number) => shared,
            _ => Place::from_entrants_above(index as u32),
        };
        if place.get() != number && first_changed.is_none() {
            first_changed = Some(index);
        }
        places.push(place);
        number_above = Some(number);
    }
    (places, first_changed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_lowest_place_and_gaps_close() {
        for (given, expected, off) in [
            (&[1, 2, 2, 4][..], &[1, 2, 2, 4][..], None),
            (&[1, 1, 1, 2, 2, 3], &[1, 1, 1, 4, 4, 6], Some(3)),
            (&[1, 3, 5, 6], &[1, 2, 3, 4], Some(1)),
            (&[1, 1, 2, 2], &[1, 1, 3, 3], Some(2)),
            (&[2], &[1], Some(0)),
            (&[], &[], None),
        ] {
            let (found, first_off) = renumber_places(given.iter().copied());
            let found: Vec<u32> = found.into_iter().map(Place::get).collect();
            assert_eq!((found.as_slice(), first_off), (expected, off), "{given:?}");
        }
    }
}
