//! The responses in `fixtures/`, and their requests.

use ranklore_conformance as conformance;
use ranklore_lanternleague::Lanternleague;
use ranklore_source::{Request, SiteReadError, SiteReading, Source};

pub(crate) const ROUNDS: &str = include_str!("../../fixtures/rounds.json");
pub(crate) const ROUND_1: &str = include_str!("../../fixtures/round-1.json");
pub(crate) const ROUND_2: &str = include_str!("../../fixtures/round-2.json");
pub(crate) const NO_RESULTS: &str = include_str!("../../fixtures/round-nothing-yet.json");

pub(crate) fn list() -> Request {
    Lanternleague.initial_requests().remove(0)
}

/// The request for a round, as the list gives it.
pub(crate) fn round(id: &str) -> Request {
    let listed = read(&list(), ROUNDS).unwrap().listed;
    let round = listed.into_iter().find(|round| round.external_id == id);
    round.unwrap().results.remove(0)
}

pub(crate) fn read(request: &Request, body: &str) -> Result<SiteReading, SiteReadError> {
    conformance::read_answer(&Lanternleague, request, 200, body.as_bytes())
}
