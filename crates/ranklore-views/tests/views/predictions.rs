//! Predictions of a field.

use ranklore_contest::{Contest, Side};
use ranklore_rating::{Belief, PerformanceShape};
use ranklore_replay::{Error, NoProgress, RunChoice, SystemName};
use ranklore_test_support::{RunSpec, World, contest_time, merge, round, source};
use ranklore_views::{
    ContestRequest, ContestView, NamesPolicy, Page, PredictedField, PredictionRequest,
    PredictionView, load_contest_view, load_prediction,
};
use serde_json::{Map, json};

fn request(field: PredictedField) -> PredictionRequest {
    PredictionRequest {
        source: source("club"),
        field,
        run: RunChoice::default(),
        as_of: None,
        as_stored: false,
        names: NamesPolicy::AsStored,
    }
}

fn names(names: &[&str]) -> PredictedField {
    PredictedField::Names(names.iter().map(|&name| name.to_owned()).collect())
}

fn predict(world: &World, field: PredictedField) -> PredictionView {
    load_prediction(&world.store, &request(field)).unwrap()
}

fn view(world: &World, contest: &str) -> ContestView {
    let request = ContestRequest {
        run: RunChoice::default(),
        as_of: None,
        page: Page::ALL,
        names: NamesPolicy::AsStored,
    };
    load_contest_view(&world.store, &source("club"), contest, &request).unwrap()
}

fn order(view: &PredictionView) -> Vec<&str> {
    view.rows.iter().map(|row| &*row.competitor.name).collect()
}

fn rated() -> World {
    let mut world = World::new();
    for day in 1..=6 {
        let order = if day == 3 { "b a c" } else { "a b c" };
        world.upsert_contest("club", round(&day.to_string(), day, order));
    }
    world.rate_elo_mmr(&json!({}));
    world
}

#[test]
fn pairs_have_the_probabilities_of_the_model() {
    let world = rated();
    let view = predict(&world, names(&["c", "a", "b", "a"]));
    assert_eq!(order(&view), ["a", "b", "c"]);
    let system = SystemName::find("elo-mmr").unwrap();
    let model = system.with_parameters(&Map::new()).unwrap().rating.win_model();
    assert_eq!(model.shape, PerformanceShape::LogisticEach);
    let belief = |index: usize| {
        let row = &view.rows[index];
        Belief::new(row.mu, row.sigma)
    };
    let pair = &view.pairs[0];
    assert_eq!((&*pair.first, &*pair.second), ("a", "b"));
    let chances = model.win_probability(belief(0), belief(1));
    assert!((pair.above - chances.above).abs() < 1e-12);
    assert!((pair.above + pair.tied + pair.below - 1.0).abs() < 1e-15);
    assert!(pair.above > 0.5);
    // Expected places add up to 1 + 2 + 3.
    let places: f64 = view.rows.iter().map(|row| row.expected_place).sum();
    assert!((places - 6.0).abs() < 1e-12);
    let expected = 1.0 + view.pairs[0].below + view.pairs[1].below;
    assert!((view.rows[0].expected_place - expected).abs() < 1e-12);
}

#[test]
fn contest_is_predicted_from_earlier_ratings() {
    let mut world = rated();
    let before = predict(&world, names(&["a", "b"])).rows;
    world.upsert_contest("club", round("7", 7, "d b a"));
    world.rate_elo_mmr(&json!({}));
    let view = predict(&world, PredictedField::Contest("7".to_owned()));
    let known: Vec<_> = view.rows.iter().filter(|row| row.rated_before).collect();
    let earlier = |index: usize| (before[index].mu, before[index].sigma);
    assert_eq!((known[0].mu, known[0].sigma), earlier(0));
    assert_eq!((known[1].mu, known[1].sigma), earlier(1));
    let newcomer = view.rows.iter().find(|row| row.competitor.name == "d").unwrap();
    assert!(!newcomer.rated_before);
    assert_eq!((newcomer.mu, newcomer.sigma), (1500.0, 350.0));
    assert_eq!(newcomer.outcome.unwrap().place().unwrap().get(), 1);
    // As of a day that precedes all contests, everybody is new.
    let request = PredictionRequest {
        as_of: Some(contest_time(0)),
        ..request(names(&["a", "b"]))
    };
    let view = load_prediction(&world.store, &request).unwrap();
    assert!(
        view.rows
            .iter()
            .all(|row| !row.rated_before && (row.expected_place - 1.5).abs() < 1e-12)
    );
}

#[test]
fn fields_and_runs_that_cannot_be_predicted_are_errors() {
    let world = rated();
    let error = |field| load_prediction(&world.store, &request(field)).unwrap_err();
    assert!(matches!(error(names(&["a", "a"])), Error::FieldSize { entrants: 1, .. }));
    assert!(matches!(error(names(&["a", "zebra"])), Error::NoCompetitor(_)));
    let missing = PredictedField::Contest("zebra".to_owned());
    assert!(matches!(error(missing), Error::NoContest(_)));
}

#[test]
fn contest_of_two_has_the_probability_of_its_result() {
    let mut world = rated();
    let expected = predict(&world, names(&["a", "b"])).pairs[0].clone();
    world.upsert_contest("club", round("7", 7, "b a"));
    world.upsert_contest("club", round("8", 8, "b=a"));
    world.rate_elo_mmr(&json!({}));
    let view = |id: &str| view(&world, id);
    let probability = view("7").result_probability.unwrap();
    assert!((probability - expected.below).abs() < 1e-12, "{probability}");
    assert!(probability < 0.5);
    // Elo-MMR gives ties no probability; three entrants are no pair.
    assert_eq!(view("8").result_probability, None);
    assert_eq!(view("6").result_probability, None);
}

/// A contest on a day, the first entrants of which have these sides.
fn sided(day: i64, order: &str, sides: [Side; 2]) -> Contest {
    let mut contest = round(&day.to_string(), day, order);
    for (entrant, side) in contest.entrants.iter_mut().zip(sides) {
        entrant.side = Some(side);
    }
    contest
}

fn rate(world: &mut World, system: &str, advantage: i32) {
    let run = RunSpec {
        system: SystemName::find(system).unwrap(),
        ..RunSpec::elo_mmr(&json!({ "advantage": advantage }))
    };
    run.rate(&mut world.store, &NoProgress).unwrap();
}

#[test]
fn views_of_a_game_include_the_advantage() {
    let mut world = World::new();
    world.upsert_contest("club", sided(1, "a b", [Side::Home, Side::Away]));
    // The weaker one is at home, and wins.
    world.upsert_contest("club", sided(2, "b a", [Side::Home, Side::Away]));
    rate(&mut world, "elo", 100);
    // 1500 + 32·(1 − E) and 1500 − 32·(1 − E), E = 1/(1 + 10^(−1/4)).
    let lead = 64.0 * (1.0 - 1.0 / (1.0 + 10_f64.powf(-0.25)));
    let expected = 1.0 / (1.0 + 10_f64.powf((lead - 100.0) / 400.0));
    let contest_view = view(&world, "2");
    let probability = contest_view.result_probability.unwrap();
    assert!((probability - expected).abs() < 1e-9, "{probability}");
    let predicted = [0, 1].map(|index| contest_view.rows.entries[index].predicted);
    assert_eq!(predicted, [Some(1), Some(2)]);
    assert_eq!(contest_view.concordance, Some(100.0));
    // The ratings that are contest_view are those without it.
    let before = contest_view.rows.entries[1].mu_before.unwrap();
    assert!((before - 1500.0 - 0.5 * lead).abs() < 1e-9, "{before}");
    let prediction = predict(&world, PredictedField::Contest("2".to_owned()));
    assert_eq!(order(&prediction), ["b", "a"]);
    assert!((prediction.pairs[0].above - expected).abs() < 1e-9);
}

/// A contest of three has no sides, also if two of its entrants are the same person.
#[test]
fn merged_contest_of_three_has_no_advantage() {
    let shown_rows = |advantage| {
        let mut world = World::new();
        world.upsert_contest("club", round("1", 1, "a b"));
        world.upsert_contest("club", sided(2, "b a c", [Side::Home, Side::Away]));
        world.record_effective_decision(&merge("c", "a"));
        rate(&mut world, "glicko", advantage);
        let prediction = predict(&world, PredictedField::Contest("2".to_owned()));
        let view = view(&world, "2");
        (
            view.result_probability.unwrap().to_bits(),
            view.rows.entries[0].mu().unwrap().to_bits(),
            prediction.pairs[0].above.to_bits(),
        )
    };
    assert_eq!(shown_rows(100), shown_rows(0));
}
