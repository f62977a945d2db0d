//! Leaderboards compared with the rating rows of each competitor.

use ranklore_replay::{LeaderboardRequest, RankedCompetitor, load_leaderboard};
use ranklore_store::{CompetitorId, RunId, Writer};
use ranklore_test_support::{DAY, World, at};
use serde_json::Value;

/// Computes a leaderboard row from the rating rows of a competitor up to a time.
fn fold_row(
    store: &Writer,
    run: RunId,
    competitor: CompetitorId,
    until: i64,
    k: f64,
) -> Option<RankedCompetitor> {
    let mut rows = Vec::new();
    for contest in store.all_contests().unwrap() {
        if contest.ends_at.unwrap() > until {
            continue;
        }
        store
            .for_each_rating(run, [contest.contest_id], |_, of| {
                let own = of.iter().filter(|row| row.competitor_id == competitor);
                rows.extend(own.map(|&row| (contest.clone(), row)));
            })
            .unwrap();
    }
    let (contest, last) = rows.last()?;
    let before = rows.len().checked_sub(2).map(|index| rows[index].1.mu);
    Some(RankedCompetitor {
        place: 0,
        competitor_id: competitor,
        conservative: last.mu - k * last.sigma,
        mu: last.mu,
        sigma: last.sigma,
        contests: rows.len() as u32,
        last_change: before.map(|mu| last.mu - mu),
        last_contest_at: contest.ends_at.unwrap(),
    })
}

#[test]
fn leaderboard_matches_rating_rows() {
    let mut world = World::with_random_contests(40);
    let run = world.rate_elo_mmr(&Value::Null).run_id;
    let store = &world.store;
    for (as_of, min_contests, inactive_days, k) in [
        (None, 1, 365, None),
        (None, 10, 14, None),
        (Some(20 * 7 * DAY), 1, 21, Some(0.0)),
        (Some(20 * 7 * DAY - 1), 3, 0, Some(1.5)),
    ] {
        let request = LeaderboardRequest {
            as_of: as_of.map(at),
            min_contests,
            inactive_after_days: inactive_days,
            k,
            ..LeaderboardRequest::from_run(run)
        };
        let board = load_leaderboard(store, &request).unwrap();
        let others = LeaderboardRequest {
            inactive: true,
            ..request
        };
        let others = load_leaderboard(store, &others).unwrap();
        assert_eq!((board.run.run_id, board.stale), (run, false));
        let until = as_of.unwrap_or(i64::MAX);
        let k = k.unwrap_or(3.0);
        let newest = (1..=40)
            .map(|id| id * 7 * DAY)
            .filter(|&at| at <= until)
            .max();
        assert_eq!(board.newest_contest_at, newest);
        let mut everybody: Vec<RankedCompetitor> = (1..=60)
            .filter_map(|id| fold_row(store, run, CompetitorId::new(id), until, k))
            .filter(|row| row.contests >= min_contests)
            .collect();
        let since = newest.unwrap() - i64::from(inactive_days) * DAY;
        let (mut active, mut inactive) = (Vec::new(), Vec::new());
        for row in everybody.drain(..) {
            if row.last_contest_at >= since {
                active.push(row);
            } else {
                inactive.push(row);
            }
        }
        assert!(active.len() > 3, "too few to be conclusive");
        for (found, mut expected) in [(board, active), (others, inactive)] {
            let mut found: Vec<_> = found.rows.into_iter().map(|row| row.standing).collect();
            assert!(found.is_sorted_by(|a, b| a.conservative >= b.conservative));
            for index in 0..expected.len() {
                let above =
                    |row: &&RankedCompetitor| row.conservative > expected[index].conservative;
                let place = expected.iter().filter(above).count() as u32 + 1;
                expected[index].place = place;
            }
            found.sort_by_key(|row| row.competitor_id);
            expected.sort_by_key(|row| row.competitor_id);
            assert_eq!(found, expected);
        }
    }
}
