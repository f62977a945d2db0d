//! From the site, imitated on this machine, to ratings in a database.

use std::time::Duration;

use ranklore_contest::{SourceName, UnixSeconds};
use ranklore_ingest::{MineRequest, mine, plan};
use ranklore_lanternleague::Lanternleague;
use ranklore_replay::{NoProgress, RateRequest, RunSelection, SYSTEMS, rate};
use ranklore_store::Store;
use ranklore_test_support::{Reply, Server};
use ranklore_views::{LeaderboardRequest, load_leaderboard};
use serde_json::Map;

use crate::fixtures::{ROUND_1, ROUND_2, ROUNDS};

/// The time of mining: during the third round.
fn now() -> UnixSeconds {
    UnixSeconds::new(1_736_943_000).unwrap()
}

/// Imitates the site, with the first two rounds.
fn serve_rounds() -> Server {
    let site = Server::new();
    for (target, body) in [
        ("GET /api/rounds", ROUNDS),
        ("GET /api/rounds/1", ROUND_1),
        ("GET /api/rounds/2", ROUND_2),
    ] {
        site.set_replies(target, [Reply::new(200, "application/json", body)]);
    }
    site
}

#[test]
fn site_is_mined_and_rated() {
    let site = serve_rounds();
    let request = MineRequest {
        base_url: Some(site.url().to_owned()),
        interval: Some(Duration::ZERO),
        ..MineRequest::default()
    };
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open_writer(folder.path().join("ranklore.sqlite"), "a test").unwrap();

    // Same as `--limit 1`: one round, the oldest.
    let one = MineRequest {
        limit: Some(1),
        ..request.clone()
    };
    let report = mine(&mut store, &Lanternleague, &one, now, &NoProgress).unwrap();
    assert_eq!((report.contests.with_results.added, report.left, report.stopped), (1, 1, None));
    assert_eq!(site.take_targets(), ["GET /robots.txt", "GET /api/rounds", "GET /api/rounds/1"]);
    // Same as `--dry-run`: the remaining requests. The first round is past its appeals.
    let plan = plan(Some(&store), &Lanternleague, &request, now()).unwrap();
    let due: Vec<&str> = plan.due.iter().map(|due| due.name.as_str()).collect();
    assert_eq!(due, ["Mill Round"]);
    assert_eq!(site.take_targets(), [""; 0]);

    let report = mine(&mut store, &Lanternleague, &request, now, &NoProgress).unwrap();
    assert_eq!((report.contests.with_results.added, report.left), (1, 0));
    assert!(report.refused.is_empty(), "{:?}", report.refused);

    let name = SourceName::new("lanternleague").unwrap();
    let rated = RateRequest {
        selection: RunSelection {
            sources: vec![name],
            ..RunSelection::default()
        },
        system: SYSTEMS[0].with_parameters(&Map::new()).unwrap(),
        skip_unsupported: false,
        now: now(),
    };
    let report = rate(&mut store, rated, &NoProgress).unwrap();
    assert_eq!((report.contests, report.results), (2, 9));
    let request = LeaderboardRequest::from_run(report.run_id);
    let board = load_leaderboard(&store, &request).unwrap();
    assert_eq!(board.active, 6);
    assert_eq!(store.check().unwrap(), []);
}
