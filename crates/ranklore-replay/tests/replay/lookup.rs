//! The choice of a run.

use ranklore_replay::{
    ChosenSystem, Error, NoProgress, RunChoice, RunKey, RunSelection, Setting, SystemSpec,
    describe_run, find_damaged_parameters, find_run,
};
use ranklore_store::{NewRun, Problem, RunId, RunRow, SourceSettings};
use ranklore_test_support::{
    DAY, RunSpec, World, at, contest, contest_time, select_sources, source,
};
use ranklore_views::{EvaluationSettings, evaluate};
use serde_json::json;

/// Returns a world of a club with two contests and a league with one.
fn club_and_league() -> World {
    let mut world = World::new();
    for (source, id) in [("club", 1), ("club", 2), ("league", 3)] {
        world.upsert_contest(source, contest(&id.to_string(), id * DAY, &["a", "b"]));
    }
    world
}

fn rate_selection(world: &mut World, system: &str, selection: RunSelection) -> RunId {
    let spec = SystemSpec::parse(system).unwrap();
    let run = RunSpec {
        selection,
        system: spec.system,
        parameters: spec.settings,
    };
    run.rate(&mut world.store, &NoProgress).unwrap().run_id
}

/// Rates all contests of the club.
fn rate(world: &mut World, system: &str) -> RunId {
    rate_selection(world, system, select_sources(&["club"]))
}

/// Rates the second contest of the club.
fn rate_part(world: &mut World, system: &str) -> RunId {
    let since = Some(contest_time(2 * DAY));
    let selection = select_sources(&["club"]);
    rate_selection(world, system, RunSelection { since, ..selection })
}

fn find(world: &World, choice: &RunChoice) -> Result<RunId, Error> {
    find_run(&world.store, &[source("club")], choice).map(|run| run.run_id)
}

fn find_default(world: &World) -> RunId {
    find(world, &RunChoice::default()).unwrap()
}

fn find_by_system(world: &World, system: &str) -> Result<RunId, Error> {
    let system = Some(ChosenSystem::parse(system).unwrap());
    let choice = RunChoice {
        system,
        ..RunChoice::default()
    };
    find(world, &choice)
}

fn set_default_system(world: &mut World, system: Option<&str>) {
    let club = world.store.source_id(&source("club")).unwrap().unwrap();
    let settings = SourceSettings {
        default_system: system.map(str::to_owned),
        ..SourceSettings::default()
    };
    let mut batch = world.store.batch().unwrap();
    batch.set_source_settings(club, &settings).unwrap();
    batch.commit().unwrap();
}

#[test]
fn run_of_the_default_system_with_defaults_comes_first() {
    let mut world = club_and_league();
    let elo_mmr = rate(&mut world, "elo-mmr");
    rate(&mut world, "elo-mmr:rho=2");
    let glicko = rate(&mut world, "glicko");
    rate_part(&mut world, "elo-mmr");
    assert_eq!(find_default(&world), elo_mmr);
    set_default_system(&mut world, Some("glicko"));
    assert_eq!(find_default(&world), glicko);
    // A later version may know more systems.
    set_default_system(&mut world, Some("a later one"));
    assert_eq!(find_default(&world), elo_mmr);
    set_default_system(&mut world, Some("trueskill"));
    assert_eq!(find_default(&world), glicko, "the newest with defaults");
    set_default_system(&mut world, None);
    assert_eq!(find_default(&world), elo_mmr);
    set_default_system(&mut world, Some("glicko"));
    let twice = [source("club"), source("club")];
    let run = find_run(&world.store, &twice, &RunChoice::default()).unwrap();
    assert_eq!(run.run_id, glicko, "one source, named twice");
}

#[test]
fn other_settings_are_shown_only_without_default_ones() {
    let mut world = club_and_league();
    rate(&mut world, "elo-mmr:rho=2");
    let newest = rate(&mut world, "glicko:dnf=drop");
    assert_eq!(find_default(&world), newest);
    let bar = rate(&mut world, "bar");
    rate(&mut world, "elo-mmx:split_ties=true");
    assert_eq!(find_default(&world), bar);
}

#[test]
fn partial_and_official_runs_are_shown_only_by_key() {
    let mut world = club_and_league();
    let not_rated = |world: &World| find(world, &RunChoice::default()).unwrap_err();
    assert_eq!(not_rated(&world).to_string(), "there is no run of club yet");
    let error = find_by_system(&world, "glicko").unwrap_err();
    assert_eq!(error.to_string(), "there is no run of club by glicko yet");
    let error = find_by_system(&world, "official").unwrap_err();
    assert_eq!(error.to_string(), "there is no run of club by official yet");
    let mut batch = world.store.batch().unwrap();
    let selection = select_sources(&["club"]).canonical_json();
    let run = NewRun {
        system: "official",
        parameters: "{}",
        selection: &selection,
        engine: "1",
    };
    let official = batch.begin_run(&run, at(5)).unwrap();
    batch.commit().unwrap();
    assert_eq!(not_rated(&world).to_string(), "there is no run of club yet");
    assert_eq!(find(&world, &official.into()).unwrap(), official);
    assert_eq!(find_by_system(&world, "official").unwrap(), official);
    let with_setting = RunChoice {
        system: Some(ChosenSystem::Official),
        settings: vec![Setting::parse_option("rho=1").unwrap()],
        ..RunChoice::default()
    };
    let error = find(&world, &with_setting).unwrap_err();
    assert!(error.to_string().starts_with("official: the ratings of a site"), "{error}");

    let part = rate_part(&mut world, "elo-mmr");
    let error = not_rated(&world);
    assert_eq!(error.to_string(), "no run covers all contests of club");
    assert_eq!(error.candidates(), [format!("{part} by elo-mmr (since 1970-01-03)")]);
    assert_eq!(find(&world, &part.into()).unwrap(), part);
    let error = find_by_system(&world, "elo-mmr").unwrap_err();
    assert!(matches!(error, Error::NotRatedBySystem { .. }), "{error}");
}

#[test]
fn system_with_settings_chooses_exactly_its_run() {
    let mut world = club_and_league();
    let slow = rate(&mut world, "elo-mmr:rho=0.5");
    let fast = rate(&mut world, "elo-mmr:rho=2");
    let glicko = rate(&mut world, "glicko");
    assert_eq!(find_by_system(&world, "elo-mmr:rho=0.50").unwrap(), slow);
    assert_eq!(find_by_system(&world, "glicko").unwrap(), glicko);
    assert_eq!(find_by_system(&world, "elo-mmr").unwrap(), fast, "the newest of the system");
    let defaults = rate(&mut world, "elo-mmr");
    rate(&mut world, "elo-mmr:rho=3");
    assert_eq!(find_by_system(&world, "elo-mmr").unwrap(), defaults);
    assert_eq!(find_by_system(&world, "elo-mmr:rho=1").unwrap(), defaults);
    let error = find_by_system(&world, "elo-mmr:rho=7").unwrap_err();
    assert_eq!(error.to_string(), "there is no run of club by elo-mmr:rho=7 yet");
    assert_eq!(error.candidates()[0], "5 by elo-mmr:rho=3");
}

#[test]
fn run_is_chosen_by_id_or_name() {
    let mut world = club_and_league();
    let run_id = rate_part(&mut world, "elo-mmr:rho=2");
    rate(&mut world, "elo-mmr");
    let mut batch = world.store.batch().unwrap();
    batch.set_run_name(run_id, Some("spring")).unwrap();
    batch.commit().unwrap();
    let key = |word| RunChoice {
        run: Some(RunKey::parse(word)),
        ..RunChoice::default()
    };
    assert_eq!(find(&world, &key("spring")).unwrap(), run_id);
    assert_eq!(find(&world, &key("1")).unwrap(), run_id);
    let run = world.store.run(run_id).unwrap().unwrap();
    assert_eq!(describe_run(&run), "1 \"spring\" by elo-mmr:rho=2 (since 1970-01-03)");
    for (word, message) in [
        ("9", "there is no run 9;"),
        ("autumn", "there is no run \"autumn\";"),
        ("99999999999999999999", "there is no run \"99999999999999999999\";"),
    ] {
        let error = find(&world, &key(word)).unwrap_err();
        assert!(error.to_string().starts_with(message), "{error}");
        assert_eq!(
            error.candidates(),
            [
                "2 by elo-mmr",
                "1 \"spring\" by elo-mmr:rho=2 (since 1970-01-03)"
            ]
        );
    }
    let league = [source("league")];
    let error = find_run(&world.store, &league, &key("spring")).unwrap_err();
    assert!(matches!(error, Error::SourceMismatch { .. }), "{error}");
}

#[test]
fn default_run_covers_exactly_the_sources() {
    let mut world = club_and_league();
    let both = select_sources(&["league", "club"]);
    let together = rate_selection(&mut world, "glicko", both.clone());
    let run = find_run(&world.store, &both.sources, &RunChoice::default());
    assert_eq!(run.unwrap().run_id, together);
    let error = find(&world, &RunChoice::default()).unwrap_err();
    assert!(matches!(error, Error::NotRated { .. }), "{error}");
    // The default system of one source is not that of several.
    let mmr = rate_selection(&mut world, "elo-mmr", both.clone());
    set_default_system(&mut world, Some("glicko"));
    let run = find_run(&world.store, &both.sources, &RunChoice::default());
    assert_eq!(run.unwrap().run_id, mmr);
}

#[test]
fn run_of_a_version_without_advantage_is_continued() {
    let mut world = club_and_league();
    let systems = ["elo", "glicko", "glicko2", "trueskill"];
    let old = systems.map(|system| rate(&mut world, system));
    let raw = world.open_raw();
    let sql = "UPDATE rating_run SET parameters = json_remove(parameters, '$.advantage')
               WHERE json_extract(parameters, '$.advantage') = 0";
    assert_eq!(raw.execute(sql, []).unwrap(), 4);
    world.upsert_contest("club", contest("4", 4 * DAY, &["b", "a"]));
    for (system, old) in systems.into_iter().zip(old) {
        let spec = RunSpec {
            system: SystemSpec::parse(system).unwrap().system,
            ..RunSpec::elo_mmr(&json!({}))
        };
        let report = spec.rate(&mut world.store, &NoProgress).unwrap();
        assert_eq!((report.run_id, report.replayed), (old, 1), "{system}");
        let other = rate(&mut world, &format!("{system}:advantage=60"));
        assert_ne!(other, old, "{system}");
    }
}

#[test]
fn run_of_an_earlier_version_has_default_parameters() {
    let mut world = club_and_league();
    let old = rate(&mut world, "elo-mmr");
    world
        .open_raw()
        .execute_batch("UPDATE rating_run SET parameters = '{\"rho\":1.0}'")
        .unwrap();
    rate(&mut world, "glicko");
    assert_eq!(find_default(&world), old);
    assert_eq!(find_by_system(&world, "elo-mmr").unwrap(), old);
    assert_eq!(find_by_system(&world, "elo-mmr:rho=1").unwrap(), old);
}

#[test]
fn damaged_parameters_are_an_error_of_their_run() {
    let mut world = club_and_league();
    let damaged = rate(&mut world, "elo-mmr");
    let run = world.store.runs().unwrap().remove(0);
    assert_eq!(find_damaged_parameters(&world.store).unwrap(), []);
    world
        .open_raw()
        .execute_batch(
            "PRAGMA ignore_check_constraints = ON;
             UPDATE rating_run SET parameters = '{\"rho\":'",
        )
        .unwrap();
    let spec = RunSpec::elo_mmr(&json!({}));
    let row = RunRow {
        parameters: "{\"rho\":".to_owned(),
        ..run
    };
    let settings = EvaluationSettings::default();
    for error in [
        find(&world, &RunChoice::default()).unwrap_err(),
        find(&world, &damaged.into()).unwrap_err(),
        spec.rate(&mut world.store, &NoProgress).unwrap_err(),
        evaluate(&mut world.store, row, &settings, false, at(5)).unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "cannot read run 1: its parameters {\"rho\": are no JSON object: EOF while parsing a \
             value at line 1 column 7; restore a backup, or remove the run and rate again"
        );
    }
    let problems = find_damaged_parameters(&world.store).unwrap();
    assert!(
        matches!(&problems[..], [Problem::RunParameters { run_id, .. }] if *run_id == damaged),
        "{problems:?}"
    );
    // Other runs can be rated and shown, also by default.
    let glicko = rate(&mut world, "glicko");
    assert_eq!(find(&world, &RunChoice::default()).unwrap(), glicko);
    assert_eq!(find(&world, &glicko.into()).unwrap(), glicko);
    assert_eq!(find_by_system(&world, "glicko").unwrap(), glicko);
}
