//! Places from the ranks the site gives.

use ranklore_contest::Place;

/// Returns the places of rows sorted by rank (ties share the lowest place), and true if any rank
/// differs from its place.
pub(crate) fn rank_places(ranks: impl IntoIterator<Item = u32>) -> (Vec<Place>, bool) {
    let mut places: Vec<Place> = Vec::new();
    let mut gaps = false;
    let mut above = None;
    for (index, rank) in ranks.into_iter().enumerate() {
        let place = match (above, places.last()) {
            (Some(above), Some(&shared)) if above == rank => shared,
            _ => Place::from_entrants_above(index as u32),
        };
        gaps |= place.get() != rank;
        places.push(place);
        above = Some(rank);
    }
    (places, gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_lowest_place() {
        for (ranks, expected, gaps) in [
            (&[1, 2, 2, 4][..], &[1, 2, 2, 4][..], false),
            (&[5, 7, 7, 9], &[1, 2, 2, 4], true),
            (&[1, 3, 4], &[1, 2, 3], true),
            (&[], &[], false),
        ] {
            let (found, any) = rank_places(ranks.iter().copied());
            let found: Vec<u32> = found.into_iter().map(Place::get).collect();
            assert_eq!((found.as_slice(), any), (expected, gaps), "{ranks:?}");
        }
    }
}
