//! Places from the ranks the site gives.

use ranklore_contest::Place;

/// No round has had a hundredth of it: a rank above is no rank.
pub(crate) const MAX_RANK: u32 = 10_000_000;

/// The places of rows in the order of their ranks: equal ranks share the lowest place of the
/// tie. And the first row, from 0, whose rank is not its place.
pub(crate) fn places(ranks: impl IntoIterator<Item = u32>) -> (Vec<Place>, Option<usize>) {
    let mut places: Vec<Place> = Vec::new();
    let mut first_off = None;
    let mut above = None;
    for (index, rank) in ranks.into_iter().enumerate() {
        let place = match (above, places.last()) {
            (Some(above), Some(&shared)) if above == rank => shared,
            _ => Place::below(index as u32),
        };
        if place.get() != rank && first_off.is_none() {
            first_off = Some(index);
        }
        places.push(place);
        above = Some(rank);
    }
    (places, first_off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_the_lowest_place() {
        for (ranks, expected, off) in [
            (&[1, 2, 2, 4][..], &[1, 2, 2, 4][..], None),
            (&[1, 1, 2, 2], &[1, 1, 3, 3], Some(2)),
            (&[1, 3, 4], &[1, 2, 3], Some(1)),
            (&[5], &[1], Some(0)),
            (&[], &[], None),
        ] {
            let (found, first_off) = places(ranks.iter().copied());
            let found: Vec<u32> = found.into_iter().map(Place::get).collect();
            assert_eq!((found.as_slice(), first_off), (expected, off), "{ranks:?}");
        }
    }
}
