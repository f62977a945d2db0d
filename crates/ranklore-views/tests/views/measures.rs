//! Experiments that measure systems, against the rows of runs.

use std::collections::BTreeMap;

use ranklore_replay::{NoProgress, SystemSpec};
use ranklore_store::{CompetitorId, RatingRow, RunId};
use ranklore_test_support::{RunSpec, World, at, select_sources, source};
use ranklore_views::{
    ComparisonRequest, EvaluationSettings, GroupSizeRequest, InflationRequest, Metric,
    PerformanceRequest, SystemPerformances, Train, compare_systems, measure_group_sizes,
    measure_inflation, measure_performances,
};
use serde_json::json;

/// Rates a club by Elo-SRM. Returns its rows, contest by contest.
fn rate_elo_srm(world: &mut World) -> Vec<Vec<RatingRow>> {
    let run = RunSpec {
        system: SystemSpec::parse("elo-srm").unwrap().system,
        ..RunSpec::elo_mmr(&json!({}))
    };
    let run_id: RunId = run.rate(&mut world.store, &NoProgress).unwrap().run_id;
    let contests = world.store.run_contests(run_id).unwrap();
    let rows = contests.iter().map(|contest| {
        let mut rows = Vec::new();
        let push = |row| rows.push(row);
        world.store.for_each_rating_row(run_id, contest.contest_id, push).unwrap();
        rows
    });
    rows.collect()
}

fn performances(world: &World, systems: &str) -> Vec<SystemPerformances> {
    let request = PerformanceRequest {
        source: source("club"),
        systems: SystemSpec::parse_list(systems).unwrap(),
    };
    let report = measure_performances(&world.store, &request, &NoProgress).unwrap();
    assert_eq!(report.contests, 60);
    assert_eq!(report.left_out, []);
    report.systems
}

fn assert_near(actual: f64, expected: f64) {
    assert!((actual - expected).abs() < 1e-9, "{actual} for {expected}");
}

/// The performance of a row of Elo-SRM is the rating before it and 400·log₁₀ 2 points per win.
#[test]
fn performances_are_those_of_the_rows() {
    let mut world = World::with_random_contests(60);
    for id in 1..=60 {
        let division = if id % 3 == 0 { "A" } else { "B" };
        world.edit_contest(&id.to_string(), |contest| contest.division = Some(division.into()));
    }
    let contests = rate_elo_srm(&mut world);
    let mut ratings: BTreeMap<CompetitorId, f64> = BTreeMap::new();
    let mut careers: BTreeMap<CompetitorId, u64> = BTreeMap::new();
    let mut results: BTreeMap<String, (u64, f64, f64, f64)> = BTreeMap::new();
    let mut highest = f64::NEG_INFINITY;
    for (id, rows) in (1..).zip(contests) {
        for row in rows {
            let before = ratings.insert(row.competitor_id, row.mu).unwrap_or(1200.0);
            let career = careers.entry(row.competitor_id).or_default();
            *career += 1;
            let wins = (row.performance.unwrap() - before) / (400.0 * 2.0_f64.log10());
            let band = match *career {
                1 => "first contest",
                2..=7 => "2-7 contests",
                8..=24 => "8-24 contests",
                25..=74 => "25-74 contests",
                more => panic!("{more} of 60 contests"),
            };
            let division = if id % 3 == 0 {
                "division A"
            } else {
                "division B"
            };
            let existing = ["existing", division].map(|group| (*career > 1).then_some(group));
            for group in existing.into_iter().flatten().chain(["all", band]) {
                let sums = results.entry(group.to_owned()).or_default();
                sums.0 += 1;
                sums.1 += row.mu - before;
                sums.2 += wins;
                sums.3 += wins.abs();
            }
            highest = row.mu.max(highest);
        }
    }
    let system = &performances(&world, "elo-srm")[0];
    let find = |group: &str| system.groups.iter().find(|row| row.group == group).unwrap();
    for (group, (count, change, wins, error)) in &results {
        let row = find(group);
        assert_eq!(row.results, *count, "{group}");
        let count = *count as f64;
        assert_near(row.change.unwrap(), change / count);
        assert_near(row.performance, wins / count);
        assert_near(row.error, error / count);
    }
    for group in ["existing", "division A", "division B"] {
        let halves = ["upper", "lower"].map(|half| find(&format!("{group}, {half} half")));
        assert_eq!(halves[0].results + halves[1].results, find(group).results);
        assert!(halves[0].performance > 0.0 && halves[1].performance < 0.0, "{halves:?}");
    }
    assert_eq!(system.groups.len(), results.len() + 6);
    assert_near(system.error, find("all").error);
    assert_near(system.change, find("all").change.unwrap());
    assert_eq!((system.highest, system.initial), (highest, 1200.0));
    let below = ratings.values().filter(|&&mu| mu < system.median).count();
    let above = ratings.values().filter(|&&mu| mu > system.median).count();
    assert_eq!(below, above);
    assert!(system.better.is_empty());
}

#[test]
fn contests_predicted_better_are_those_of_comparisons() {
    let mut world = World::with_random_contests(60);
    let systems = performances(&world, "topcoder-official,elo-srm,elo-srm2");
    let better = &systems[1].better[0];
    assert_eq!((&*better.group, better.contests), ("all", 60));
    for (metric, percent) in [
        (Metric::KendallTau, better.kendall_tau),
        (Metric::SpearmanRho, better.spearman_rho),
    ] {
        let request = ComparisonRequest {
            selection: select_sources(&["club"]),
            systems: SystemSpec::parse_list("topcoder-official,elo-srm").unwrap(),
            settings: EvaluationSettings {
                train: Some(Train::Percent(0.0)),
                ..EvaluationSettings::default()
            },
            metric,
            slice: Some("all".to_owned()),
            against_official: false,
            now: at(7),
        };
        let compared = compare_systems(&mut world.store, &request, &NoProgress).unwrap();
        let won = |system: &str| {
            let row = compared.systems.iter().find(|row| row.system == system).unwrap();
            row.contests_won
        };
        let expected = won("elo-srm").unwrap_or_else(|| 100.0 - won("topcoder-official").unwrap());
        assert_near(percent.unwrap(), expected);
    }
    // Newcomers of elo-srm2 start higher with each of the 60 events.
    assert_near(systems[2].initial, 1200.0 + 0.63 * 60.0);
}

#[test]
fn levels_are_those_of_the_rows() {
    let mut world = World::with_random_contests(60);
    let contests = rate_elo_srm(&mut world);
    let request = InflationRequest {
        source: source("club"),
        systems: SystemSpec::parse_list("elo-srm,elo-mmr").unwrap(),
    };
    let report = measure_inflation(&world.store, &request, &NoProgress).unwrap();
    let years = &report.systems[0].years;
    // The contests are at the end of each week since 1970.
    assert_eq!(years.iter().map(|year| &*year.year).collect::<Vec<_>>(), ["1970", "1971"]);
    assert_eq!(years.iter().map(|year| year.contests).collect::<Vec<_>>(), [52, 8]);
    let mut ratings: BTreeMap<CompetitorId, f64> = BTreeMap::new();
    for (year, contests) in years.iter().zip([&contests[..52], &contests[52..]]) {
        let mut active: BTreeMap<CompetitorId, f64> = BTreeMap::new();
        active.extend(contests.iter().flatten().map(|row| (row.competitor_id, row.mu)));
        ratings.extend(active.clone());
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        let mut active: Vec<f64> = active.into_values().collect();
        active.sort_by(|a, b| b.total_cmp(a));
        let all: Vec<f64> = ratings.values().copied().collect();
        assert_eq!((year.competitors, year.active), (all.len() as u64, active.len() as u64));
        assert_near(year.mean, mean(&all));
        assert_near(year.active_mean, mean(&active));
        assert_near(year.top_1, active[0]);
        assert_near(year.top_10.unwrap(), mean(&active[..10]));
        assert_eq!(year.top_100, None);
    }
}

#[test]
fn groups_of_whole_contests_are_evaluated_as_they_were() {
    let mut world = World::with_random_contests(60);
    let request = GroupSizeRequest {
        source: source("club"),
        systems: SystemSpec::parse_list("elo-mmr,glicko").unwrap(),
        sizes: vec![Some(3), Some(1000), None],
        seed: 1,
    };
    let report = measure_group_sizes(&world.store, &request, &NoProgress).unwrap();
    let comparison = ComparisonRequest {
        selection: select_sources(&["club"]),
        systems: request.systems.clone(),
        settings: EvaluationSettings::default(),
        metric: Metric::Concordance,
        slice: None,
        against_official: false,
        now: at(7),
    };
    let compared = compare_systems(&mut world.store, &comparison, &NoProgress).unwrap();
    assert_eq!(report.slice, compared.slice);
    for size in &report.sizes {
        for row in &size.systems {
            let mut systems = compared.systems.iter();
            let whole = systems.find(|system| system.system == row.system).unwrap();
            let whole = whole.slice(&report.slice).unwrap();
            if size.size == Some(3) {
                assert!(row.accuracy.contests > 3 * whole.contests);
                // Some groups have a single experienced entrant.
                assert!(row.accuracy.results < whole.results);
            } else {
                assert_eq!(row.accuracy.metrics, whole.metrics, "{:?}", size.size);
                assert_eq!(row.accuracy.contests, whole.contests);
            }
        }
    }
    let other = GroupSizeRequest { seed: 2, ..request };
    let other = measure_group_sizes(&world.store, &other, &NoProgress).unwrap();
    let metrics = |report: &ranklore_views::GroupSizeReport, size: usize| {
        report.sizes[size].systems[0].accuracy.metrics
    };
    assert_ne!(metrics(&other, 0), metrics(&report, 0));
    assert_eq!(
        metrics(&other, 2).get(Metric::Concordance),
        metrics(&report, 2).get(Metric::Concordance)
    );
}
