//! Packed contests are those that were packed.

use super::json_round_trip::contest;
use proptest::prelude::*;
use ranklore_contest::{Contest, Side};
use ranklore_formats::PackedContests;

fn contests() -> impl Strategy<Value = Vec<Contest>> {
    let side = prop::sample::select(vec![
        None,
        Some(Side::White),
        Some(Side::Away),
        Some(Side::Second),
    ]);
    let contest = (contest(), side).prop_map(|(mut contest, side)| {
        contest.entrants[0].side = side;
        contest
    });
    prop::collection::vec(contest, 0..6)
}

proptest! {
    #[test]
    fn all_fields_come_back(contests in contests()) {
        let packed: PackedContests = contests.iter().cloned().collect();
        prop_assert_eq!(packed.len(), contests.len());
        prop_assert_eq!(packed.is_empty(), contests.is_empty());
        prop_assert_eq!(&packed.to_vec(), &contests);
        let reversed: Vec<Contest> = contests.iter().rev().cloned().collect();
        prop_assert_eq!(packed.iter().rev().collect::<Vec<_>>(), reversed);
        for (index, contest) in contests.iter().enumerate() {
            prop_assert_eq!(packed.get(index), Some(contest.clone()));
        }
        prop_assert_eq!(packed.get(contests.len()), None);
        let ids: Vec<&str> = contests.iter().map(|contest| &*contest.external_id).collect();
        prop_assert_eq!(packed.external_ids().collect::<Vec<_>>(), ids);
    }

    #[test]
    fn json_is_that_of_the_contests(contests in contests()) {
        let packed: PackedContests = contests.iter().cloned().collect();
        let json = serde_json::to_string(&packed).unwrap();
        prop_assert_eq!(&json, &serde_json::to_string(&contests).unwrap());
        prop_assert_eq!(serde_json::from_str::<PackedContests>(&json).unwrap(), packed);
    }

    #[test]
    fn retained_contests_are_those_of_a_vector(
        contests in contests(),
        keeps in prop::collection::vec(any::<bool>(), 6),
    ) {
        let mut packed: PackedContests = contests.iter().cloned().collect();
        let mut checked_ids = Vec::new();
        packed.retain(|index, id| {
            checked_ids.push((index, id.to_owned()));
            keeps[index]
        });
        let ids = contests.iter().map(|contest| contest.external_id.clone());
        prop_assert_eq!(checked_ids, ids.enumerate().collect::<Vec<_>>());
        let retained = contests.iter().zip(&keeps).filter(|(_, keeps)| **keeps);
        let retained: PackedContests = retained.map(|(contest, _)| contest.clone()).collect();
        prop_assert_eq!(packed, retained);
    }
}
