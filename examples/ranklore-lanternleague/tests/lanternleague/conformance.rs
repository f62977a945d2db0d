//! The conformance tests of every source, over all fixtures.

use ranklore_conformance::{self as conformance, Fixture};
use ranklore_lanternleague::Lanternleague;

use crate::fixtures::{NO_RESULTS, ROUND_1, ROUND_2, ROUNDS, list, round};

#[test]
fn requests_conform() {
    conformance::check_requests(&Lanternleague);
}

#[test]
fn fixtures_conform() {
    for (name, request, body) in [
        ("rounds.json", list(), ROUNDS),
        ("round-1.json", round("1"), ROUND_1),
        ("round-2.json", round("2"), ROUND_2),
        ("round-nothing-yet.json", round("3"), NO_RESULTS),
    ] {
        conformance::check_fixture(
            &Lanternleague,
            &Fixture {
                name,
                request: &request,
                status: 200,
                body: body.as_bytes(),
                // Null for a competitor who gave up.
                optional: &["rows[].rank"],
            },
        );
    }
}
