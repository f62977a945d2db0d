//! Tests with responses of the site. They run if `RANKLORE_REAL_DATA` names the folder with the
//! data.

use std::path::PathBuf;

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_source::Source;

use crate::fixtures::{outcome, places, read, source, standings_of};

fn real_file(name: &str) -> Option<Vec<u8>> {
    let folder = std::env::var_os("RANKLORE_REAL_DATA").filter(|folder| !folder.is_empty());
    let Some(folder) = folder else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return None;
    };
    let path = PathBuf::from(folder).join("atcoder").join(name);
    Some(std::fs::read(path).unwrap())
}

#[test]
fn standings_of_two_finals_are_read() {
    for (contest, entrants, tasks, best) in [
        ("cf17-final", 100, 10, ("tourist", 8_400.0)),
        ("wtf19", 8, 6, ("apiad", 3_400.0)),
    ] {
        let Some(body) = real_file(&format!("{contest}.json")) else {
            return;
        };
        let request = standings_of(contest);
        let reading = read(&request, &body).unwrap();
        assert!(reading.warnings.is_empty() && reading.left_out.is_empty());
        let (rows, _) = outcome(&reading);
        assert_eq!(rows.len(), entrants);
        // No two share a place.
        assert!(places(rows).iter().zip(1..).all(|((_, place), due)| *place == due));
        assert_eq!((&*rows[0].competitor, rows[0].score), (best.0, Some(best.1)));
        // The last made submissions and has no points.
        let last = &rows[entrants - 1];
        assert_eq!((&*last.competitor, last.score), ("cospleermusora", Some(0.0)));

        let minimised = source().minimise(&request.key(), &body);
        assert!(minimised.len() * 4 < body.len(), "{} of {}", minimised.len(), body.len());
        assert_eq!(body.windows(16).filter(|part| part == b"\"TaskScreenName\"").count(), tasks);
        let fixture = Fixture {
            name: contest,
            request: &request,
            status: 200,
            body: &body,
            optional: &["StandingsData", "StandingsData[].TaskResults.wtf19_c1"],
        };
        conformance::check_reading(&source(), &fixture);
        conformance::check_minimise(&source(), &fixture);
        conformance::check_truncation(&source(), &fixture);
        // Changing each field of a hundred rows would take a minute.
        if entrants < 10 {
            conformance::check_fixture(&source(), &fixture);
        }
    }
}
