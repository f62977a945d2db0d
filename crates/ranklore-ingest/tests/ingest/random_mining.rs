//! Property test: after random syncs a rebuild gives the same database.

use proptest::prelude::*;

use super::ctftime_site::{Change, MinedCtftime, ResponseMode, Step};

fn event() -> impl Strategy<Value = u32> {
    prop::sample::select(vec![500, 501, 510, 511])
}

fn team() -> impl Strategy<Value = u32> {
    1..=5_u32
}

fn change() -> impl Strategy<Value = Change> {
    let teams = prop::sample::subsequence(vec![1, 2, 3, 4, 5], 2..=5).prop_shuffle();
    prop_oneof![
        4 => (event(), any::<bool>(), teams)
            .prop_map(|(event, late, teams)| Change::SetResult { event, late, teams }),
        2 => (event(), any::<bool>()).prop_map(|(event, late)| Change::RemoveEvent { event, late }),
        2 => (event(), any::<bool>()).prop_map(|(event, late)| Change::MakeUnreadable { event, late }),
        4 => (team(), team()).prop_map(|(from, into)| Change::MergeTeams { from, into }),
        2 => (team(), prop::sample::select(vec!["Eve", "Fay", "Gil"]))
            .prop_map(|(team, name)| Change::RenameTeam { team, name }),
        2 => (event(), 1..5_i64).prop_map(|(event, days)| Change::SetDetails { event, days }),
        1 => event().prop_map(|event| Change::RemoveDetails { event }),
    ]
}

fn response_mode() -> impl Strategy<Value = ResponseMode> {
    prop_oneof![
        12 => Just(ResponseMode::Ok),
        1 => Just(ResponseMode::NotFound),
        3 => Just(ResponseMode::UnknownLayout),
        1 => Just(ResponseMode::AccessDenied),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let changes = prop::collection::vec(change(), 0..4);
    let days = prop::sample::select(vec![0, 1, 7, 31, 70]);
    let limit = prop_oneof![4 => Just(None), 1 => Just(Some(2))];
    (changes, response_mode(), response_mode(), response_mode(), days, limit).prop_map(
        |(changes, early, late, teams, days, limit)| Step {
            changes,
            early,
            late,
            teams,
            days,
            limit,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn rebuild_equals_random_syncs(steps in prop::collection::vec(step(), 1..8)) {
        let mut mined = MinedCtftime::new();
        let last = steps.len() - 1;
        for (index, mut step) in steps.into_iter().enumerate() {
            // A sync that stops early has not written everything yet.
            if index == last {
                step.limit = None;
                for how in [&mut step.early, &mut step.late, &mut step.teams] {
                    if matches!(how, ResponseMode::AccessDenied) {
                        *how = ResponseMode::UnknownLayout;
                    }
                }
            }
            mined.sync(step);
        }
        mined.assert_rebuild_is_stable();
    }
}
