//! Search spaces and samplers.

use ranklore_replay::{
    Error, RangeOverride, SYSTEMS, Sampler, SamplerKind, SearchPoint, SearchSpace, Setting,
    SystemSpec,
};
use serde_json::{Value, json};

/// Returns the space of a system with ranges and fixed parameters, each separated by spaces.
fn space(system: &str, ranges: &str, fixed: &str) -> Result<SearchSpace, Error> {
    let ranges: Result<Vec<_>, _> = ranges.split_whitespace().map(RangeOverride::parse).collect();
    let fixed: Result<Vec<_>, _> = fixed.split_whitespace().map(Setting::parse).collect();
    SearchSpace::new(&SystemSpec::parse(system)?, &ranges?, &fixed?)
}

fn names(space: &SearchSpace) -> Vec<&str> {
    space.dimensions().iter().map(|dimension| &*dimension.name).collect()
}

/// The samplers of this build.
fn samplers() -> impl Iterator<Item = SamplerKind> {
    let has_all = cfg!(feature = "model-samplers");
    SamplerKind::ALL
        .into_iter()
        .filter(move |kind| has_all || kind.is_independent())
}

/// A loss with one lowest point, of places in the ranges.
fn loss(space: &SearchSpace, point: &SearchPoint) -> f64 {
    let settings = space.settings(point);
    let numbers = settings.values().map(|value| match value {
        Value::Number(number) => number.as_f64().unwrap_or_default(),
        other => other.to_string().len() as f64,
    });
    numbers.map(|number| (number.abs().ln_1p() - 2.0).powi(2)).sum()
}

/// Asks for all points, batch by batch, and tells their losses; every seventh trial has none.
fn run(sampler: &mut dyn Sampler, space: &SearchSpace) -> Vec<SearchPoint> {
    let mut points: Vec<SearchPoint> = Vec::new();
    while (points.len() as u64) < sampler.trials() {
        let first = points.len() as u64;
        let numbers = first..sampler.batch_end(first);
        assert!(numbers.end > first && numbers.end <= sampler.trials());
        points.extend(numbers.clone().map(|number| sampler.ask(number)));
        for number in numbers {
            let point = &points[number as usize];
            let loss = (number % 7 != 6).then(|| loss(space, point));
            sampler.tell(number, point, loss);
        }
    }
    points
}

#[test]
fn every_system_has_a_space_around_its_defaults() {
    for &system in SYSTEMS {
        let spec = SystemSpec::new(system);
        let space = SearchSpace::new(&spec, &[], &[]).unwrap();
        let default = space.default_point();
        let built = space.spec(&default).build().unwrap();
        assert_eq!(built.parameters, spec.build().unwrap().parameters);
        assert_eq!(space.point(&built.parsed_parameters().unwrap()), Some(default.clone()));
        let name = system.as_str();
        assert_eq!(space.dimensions().is_empty(), name == "codeforces-official", "{name}");
        assert_eq!(space.edges(&default), [], "{name}");
    }
}

#[test]
fn ranges_and_fixed_parameters_replace_declared_ones() {
    let declared = space("elo-mmr", "", "").unwrap();
    let all = [
        "weight_limit",
        "sigma_limit",
        "drift_per_day",
        "rho",
        "split_ties",
    ];
    assert_eq!(names(&declared), all);
    let changed = space(
        "elo-mmr:rho=2",
        "sigma_limit=40..160 initial_sigma=100..500",
        "drift_per_day=3 split_ties=true dnf=drop",
    );
    let changed = changed.unwrap();
    assert_eq!(names(&changed), ["weight_limit", "sigma_limit", "rho", "initial_sigma"]);
    let domains: Vec<String> = changed.dimensions().iter().map(|d| d.domain.to_string()).collect();
    assert_eq!(domains, ["0.02..2 log", "40..160 log", "0.05..20 log", "100..500"]);
    let spec = changed.spec(&changed.default_point());
    assert_eq!(
        spec.to_string(),
        "elo-mmr:dnf=drop:drift_per_day=3:initial_sigma=350:rho=2:sigma_limit=80:split_ties=true\
         :weight_limit=0.2"
    );
    let whole = space("codeforces-official", "initial_mu=1000..2000", "").unwrap();
    assert_eq!(whole.dimensions()[0].domain.to_string(), "1000..2000 whole");
    let point = SamplerKind::Random.sampler(&whole, 2, 1).unwrap().ask(1);
    assert!(whole.settings(&point)["initial_mu"].is_i64());
    whole.spec(&point).build().unwrap();
}

#[test]
fn error_names_parameter_and_remedy() {
    for (system, ranges, fixed, expected) in [
        (
            "elo-mmr",
            "beta=1..2",
            "",
            "there is no parameter `beta`; it has weight_limit, sigma_",
        ),
        (
            "elo-mmr",
            "",
            "beta=1",
            "there is no parameter `beta`; it has weight_limit, sigma_",
        ),
        (
            "elo-mmr",
            "rho=2..4",
            "",
            "rho is 1, outside of the searched 2..4 log; widen the range",
        ),
        ("elo-mmr:rho=inf", "", "", "rho is inf, outside of the searched 0.05..20 log"),
        ("elo-mmr:rho=2", "", "rho=3", "\"rho\" is set twice, by elo-mmr:rho=2 and rho=3"),
        ("elo-mmr", "rho=0..4", "", "rho=0..4 is searched by its logarithm"),
        ("elo-mmr", "rho=1..4 rho=1..5", "", "set twice, by rho=1..4 and rho=1..5"),
        ("elo-mmr", "rho=1..4", "rho=2", "set twice, by rho=2 and rho=1..4"),
        (
            "elo-mmr",
            "split_ties=0..1",
            "",
            "split_ties has no range: it is one of false, true",
        ),
        (
            "elo-mmr",
            "history_limit=1..9",
            "",
            "history_limit is null, and a range needs a number",
        ),
        (
            "elo-mmr",
            "sigma_limit=0.0001..90",
            "",
            "sigma_limit is 0.0001, and must be between",
        ),
        (
            "elo-r",
            "sigma_limit=50..300",
            "",
            "delta is 250.0, and must be more than sigma_limit",
        ),
        (
            "codeforces-official",
            "initial_mu=0.5..2000",
            "",
            "initial_mu is whole, and an end of",
        ),
        ("elo:learning_rate=[[1,2]]", "", "", "learning_rate is [[1.0,2.0]], outside of"),
    ] {
        let error = space(system, ranges, fixed).unwrap_err().to_string();
        assert!(error.contains(expected), "{system} {ranges} {fixed}: {error}");
    }
}

#[test]
fn value_at_edge_comes_with_a_wider_range() {
    let space = space("topcoder", "", "").unwrap();
    let point = |weight: f64, newcomer: f64| {
        let settings = json!({"weight_limit": weight, "newcomer_weight": newcomer});
        space.point(settings.as_object().unwrap()).unwrap()
    };
    assert_eq!(space.edges(&point(0.18, 0.6)), []);
    let edges = space.edges(&point(0.0203, 0.95));
    let wider: Vec<String> = edges.iter().map(|edge| edge.wider.to_string()).collect();
    // newcomer_weight must be below 1: a step of a fifth is too much.
    assert_eq!(wider, ["weight_limit=0.005..0.9"]);
    // A bound of the system is not an edge.
    let drift = self::space("elo-mmr", "drift_per_day=0..50", "").unwrap();
    assert_eq!(drift.edges(&drift.default_point()), []);
}

#[test]
fn points_are_inside_and_reproducible() {
    for &system in SYSTEMS {
        let space = SearchSpace::new(&SystemSpec::new(system), &[], &[]).unwrap();
        for kind in samplers() {
            let sampler = |seed| kind.sampler(&space, 100, seed).unwrap();
            let points = run(&mut *sampler(5), &space);
            assert_eq!(points[0], space.default_point());
            for point in &points {
                assert_eq!(space.point(&space.settings(point)).as_ref(), Some(point));
                space.spec(point).build().unwrap();
            }
            let name = (system.as_str(), kind.as_str());
            assert_eq!(run(&mut *sampler(5), &space), points, "{name:?}");
            let depends_on_seed = kind != SamplerKind::Grid && !space.dimensions().is_empty();
            assert_eq!(run(&mut *sampler(6), &space) != points, depends_on_seed, "{name:?}");
        }
    }
}

#[test]
fn shards_together_are_all_trials() {
    let space = space("trueskill", "", "").unwrap();
    for kind in samplers().filter(|kind| kind.is_independent()) {
        let sampler = || kind.sampler(&space, 200, 9).unwrap();
        let all = run(&mut *sampler(), &space);
        let mut shards = [sampler(), sampler()];
        for (number, point) in all.iter().enumerate().rev() {
            assert_eq!(shards[number % 2].ask(number as u64), *point, "{kind:?} {number}");
        }
    }
}

#[test]
fn losses_of_a_batch_do_not_change_its_points() {
    let space = space("trueskill", "", "").unwrap();
    for kind in samplers() {
        let points = run(&mut *kind.sampler(&space, 60, 9).unwrap(), &space);
        let mut sampler = kind.sampler(&space, 60, 9).unwrap();
        for (number, expected) in (0..).zip(&points) {
            let point = sampler.ask(number);
            assert_eq!(point, *expected, "{kind:?} {number}");
            let loss = (number % 7 != 6).then(|| loss(&space, &point));
            sampler.tell(number, &point, loss);
        }
    }
}

#[test]
fn grid_has_every_combination_once() {
    let space = space("elo", "", "update=likelihood").unwrap();
    assert_eq!(names(&space), ["model", "learning_rate", "advantage"]);
    let mut grid = SamplerKind::Grid.sampler(&space, 60, 0).unwrap();
    // Two models, five rates, five advantages, and the default.
    assert_eq!(grid.trials(), 51);
    let points: Vec<String> =
        (1..51).map(|number| space.spec(&grid.ask(number)).to_string()).collect();
    let distinct: std::collections::BTreeSet<&String> = points.iter().collect();
    assert_eq!(distinct.len(), 50);
    for end in [
        "learning_rate=2:",
        "learning_rate=200:",
        "advantage=-50:",
        "advantage=250:",
    ] {
        assert_eq!(points.iter().filter(|point| point.contains(end)).count(), 10, "{end}");
    }
    let error = SamplerKind::Grid.sampler(&space, 8, 0).err().unwrap().to_string();
    assert!(error.contains("has 9 trials, and 8 are allowed"), "{error}");
}

#[cfg(feature = "model-samplers")]
#[test]
fn samplers_reach_a_fine_grid_in_a_quarter_of_its_trials() {
    let space = space("elo-mmr", "", "drift_per_day=0 rho=1 split_ties=false").unwrap();
    let log_place = |value: &Value, low: f64, high: f64| {
        (value.as_f64().unwrap() / low).ln() / (high / low).ln()
    };
    // A loss in points of concordance, which spans about seven.
    let loss = |point: &SearchPoint| {
        let settings = space.settings(point);
        let weight = log_place(&settings["weight_limit"], 0.02, 2.0);
        let sigma = log_place(&settings["sigma_limit"], 20.0, 320.0);
        8.0 * ((weight - 0.31).powi(2) + (sigma - 0.67).powi(2))
    };
    let best = |kind: SamplerKind, trials, seed| {
        let mut sampler = kind.sampler(&space, trials, seed).unwrap();
        let mut best = f64::INFINITY;
        let mut start = 0;
        while start < sampler.trials() {
            let numbers = start..sampler.batch_end(start);
            start = numbers.end;
            for number in numbers {
                let point = sampler.ask(number);
                sampler.tell(number, &point, Some(loss(&point)));
                best = best.min(loss(&point));
            }
        }
        best
    };
    let grid = best(SamplerKind::Grid, 401, 0);
    for kind in [SamplerKind::Tpe, SamplerKind::CmaEs] {
        for seed in 0..10 {
            let reached = best(kind, 100, seed);
            assert!(reached <= grid + 0.02, "{kind:?}, seed {seed}: {reached}, grid {grid}");
        }
    }
}
