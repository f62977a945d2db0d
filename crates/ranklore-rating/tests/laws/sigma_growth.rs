//! Laws of the growth of sigma between contests, compared with contests after an absence.

use ranklore_rating::{InitialRating, RatedEntrant, SigmaGrowth};
use serde_json::json;

use crate::configs::SystemConfig;
use crate::history::OwnedRound;

const SECONDS_PER_DAY: i64 = 86_400;

/// Rates a contest of the competitors 0, 1 and 2 at a time, in this order.
fn contest_at(ends_at: i64) -> OwnedRound {
    OwnedRound {
        ends_at,
        ..OwnedRound::new(&[0, 1, 2], &[1, 2, 3])
    }
}

/// Returns the row of `competitor` after a contest at `ends_at` that all start as newcomers with
/// the rating of `rows` and with these sigmas.
fn row_from(
    form: &SystemConfig,
    rows: &[RatedEntrant],
    sigmas: &[f64],
    competitor: usize,
    ends_at: i64,
) -> RatedEntrant {
    let mut form = form.clone();
    // A newcomer of Glicko-2 has no volatility of its own; that of opponents does not matter.
    if form.about.name == "glicko2" {
        let volatility = rows[competitor].volatility;
        form.parameters.insert("initial_volatility".to_owned(), json!(volatility));
    }
    let mut system = form.build();
    for ((id, row), &sigma) in (0..).zip(rows).zip(sigmas) {
        let start = InitialRating {
            mu: row.mu,
            sigma: Some(sigma),
        };
        system.set_initial_rating(id, start);
    }
    contest_at(ends_at).rate(system.as_mut())[competitor]
}

/// A contest after an absence gives those who were away the same uncertainty as newcomers who start
/// it with the grown sigma, and the same rating if the system keeps no history.
pub(crate) fn is_that_of_replay(form: &SystemConfig) {
    let growth = form.build().sigma_growth();
    if growth == SigmaGrowth::None {
        return;
    }
    let rows = contest_at(0).rate(form.build().as_mut());
    for days in [0, 1, 3, 40, 3_285, 200_000] {
        let ends_at = days * SECONDS_PER_DAY + 17;
        let mut system = form.build();
        contest_at(0).rate(system.as_mut());
        let after_absence = contest_at(ends_at).rate(system.as_mut());
        let sigmas: Vec<f64> = rows
            .iter()
            .map(|row| growth.sigma_after(row.sigma, row.volatility, ends_at))
            .collect();
        for (competitor, actual) in after_absence.iter().enumerate() {
            let expected = row_from(form, &rows, &sigmas, competitor, ends_at);
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0);
            assert!(
                near(actual.sigma, expected.sigma)
                    && (form.about.name == "elo-mmr" || near(actual.mu, expected.mu)),
                "{days} days: {actual:?} instead of {expected:?}"
            );
        }
    }
}

/// Sigma never falls with time, and stays the same to the last bit in no time.
pub(crate) fn never_shrinks(form: &SystemConfig) {
    let growth = form.build().sigma_growth();
    for (sigma, volatility) in [(1e-3, 1e-6), (80.0, 0.06), (350.0, 0.3), (1e6, 10.0)] {
        let after = |seconds| growth.sigma_after(sigma, Some(volatility), seconds);
        for seconds in [i64::MIN, -1, 0] {
            assert_eq!(after(seconds).to_bits(), f64::to_bits(sigma));
        }
        let times = [0, 1, 3_600, 86_399, 86_400, 31_536_000, 283_824_000];
        let grown = times.map(after);
        assert!(grown.is_sorted(), "{grown:?}");
        assert!(after(i64::MAX).is_finite());
    }
}
