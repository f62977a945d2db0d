//! Golden vectors of Elo-MMR(ρ) and Elo-MMX: with finite ρ from the authors' implementation in its
//! exact mode, with infinite ρ and for Elo-MMX from another implementation of the paper's
//! equations.

use crate::golden::check_vectors;
use ranklore_rating::{EloMmr, EloMmx};

const CONTESTS: [&str; 4] = ["small", "ties", "weighted", "large"];

#[test]
fn elo_mmr_matches_golden_vectors() {
    let vectors = include_str!("gold/elo-mmr.json");
    let compared = check_vectors(vectors, &CONTESTS, 1e-8, |params| {
        Box::new(EloMmr::new(serde_json::from_value(params.clone()).unwrap()).unwrap())
    });
    assert!(compared > 8000, "{compared} ratings compared");
}

#[test]
fn elo_mmx_matches_golden_vectors() {
    let vectors = include_str!("gold/elo-mmx.json");
    let compared = check_vectors(vectors, &CONTESTS, 1e-8, |params| {
        Box::new(EloMmx::new(serde_json::from_value(params.clone()).unwrap()).unwrap())
    });
    assert!(compared > 3000, "{compared} ratings compared");
}
