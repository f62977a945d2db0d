//! The two threads of a scan lose no rows and report errors.

use ranklore_contest::{Annotations, Contest, EntrantKind};
use ranklore_publish::{DatasetFormat, Error, ExportNaming, TableId};
use ranklore_test_support::{World, rewrite_ratings};

use super::exports::{ExportSpec, Exports as _, SOURCES, contest, files, sample_world};

/// Executes SQL that bypasses the checks of the store.
fn execute_sql(world: &World, sql: &str) {
    let path = world.store.path();
    let connection = rusqlite::Connection::open(path).unwrap();
    connection.execute_batch(&format!("PRAGMA foreign_keys = OFF; {sql}")).unwrap();
}

/// States the hashes of rows that a test altered.
fn restate_hashes(world: &mut World) {
    let mut batch = world.store.batch().unwrap();
    batch.restate_derived_tables().unwrap();
    batch.commit().unwrap();
}

fn read_csv(world: &World, to: &str, table: &str) -> String {
    std::fs::read_to_string(world.path(to).join("csv").join(table)).unwrap()
}

#[test]
fn contests_scanned_in_several_batches_are_complete() {
    let mut world = World::new();
    let names: Vec<String> = (0..3_000).map(|index| format!("p{index}")).collect();
    let tied: Vec<_> = names.iter().map(|name| (name.as_str(), Some(1))).collect();
    for id in 1..=5_i64 {
        let one = contest(&id.to_string(), 1_000 * id, &tied);
        world.import("gulls", &[(one, Annotations::default())]);
    }
    let runs = ["elo", "elo-mmr"].map(|system| world.write_run("gulls", system, 1500.0));
    let forms = [DatasetFormat::Csv, DatasetFormat::EloMmr];
    let export = ExportSpec::new("out", &["gulls"]).with_formats(&forms).with_runs(&runs);
    let exported = world.export(&export).unwrap();
    for table in TableId::ALL {
        let due = match table {
            TableId::Contest => 5,
            TableId::Standing => 15_000,
            TableId::Rating => 30_000,
            TableId::Competitor => 3_000,
            TableId::Member => 0,
            TableId::RatingRun => 2,
        };
        assert_eq!(exported.rows[table.name()], due, "{}", table.name());
    }
}

#[test]
fn database_read_error_leaves_no_dataset() {
    let mut world = sample_world();
    // Enough rows that the first source is still being sent when the second is read.
    let names: Vec<String> = (0..9_000).map(|index| format!("p{index}")).collect();
    let tied: Vec<_> = names.iter().map(|name| (name.as_str(), Some(1))).collect();
    let many = contest("99", 1_660_000_000, &tied);
    world.import("gulls", &[(many, Annotations::default())]);
    let export = ExportSpec::new("out", &SOURCES);
    world.export(&export).unwrap();
    let before = files(&world.path("out"));
    // Larkspur belongs to the second source.
    execute_sql(&world, "DELETE FROM competitor WHERE external_id = 'larkspur7'");
    let error = world.export(&export).unwrap_err();
    let altered = matches!(error, Error::Store(ranklore_store::Error::AlteredContest { .. }));
    assert!(altered, "{error}");
    assert!(files(&world.path("out")) == before);
}

#[test]
fn ratings_follow_merges_and_omit_absent_people() {
    let mut world = sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    // `owl` has results and is merged into `wren`, who has none; no account is merged into `heron`.
    execute_sql(
        &world,
        "INSERT INTO competitor (source_id, external_id, kind, name)
             SELECT source_id, 'heron', 'person', 'heron' FROM source WHERE name = 'lantern';
         INSERT INTO rating (run_id, contest_id, competitor_id, mu, sigma)
             SELECT run_id, contest_id, competitor_id, 1, 1 FROM rating_run, contest, competitor
             WHERE contest.external_id = '9' AND competitor.external_id IN ('wren', 'heron');",
    );
    restate_hashes(&mut world);
    rewrite_ratings(&mut world.store, run.run_id, |_| {});
    let export = ExportSpec::new("out", &SOURCES)
        .with_formats(&[DatasetFormat::Csv])
        .with_runs(&[run]);
    world.export(&export).unwrap();
    let ratings = read_csv(&world, "out", "rating.csv");
    assert!(ratings.contains("lantern,9,1,person,wren,1,1,"), "{ratings}");
    for (path, bytes) in files(&world.path("out")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("heron"), "{path}");
    }
}

/// Returns a contest of teams that share the first place.
fn team_contest(id: &str, ends_at: i64, teams: &[(&str, [&str; 2])]) -> (Contest, Annotations) {
    let tied: Vec<_> = teams.iter().map(|(team, _)| (*team, Some(1))).collect();
    let mut contest = contest(id, ends_at, &tied);
    for (entrant, (_, members)) in contest.entrants.iter_mut().zip(teams) {
        entrant.kind = EntrantKind::Team;
        entrant.members = members.map(str::to_owned).to_vec();
    }
    (contest, Annotations::default())
}

#[test]
fn member_numbers_ignore_import_order() {
    let contests = [
        team_contest(
            "1",
            1_000,
            &[
                ("a", ["ida", "dot"]),
                ("b", ["eve", "fay"]),
                ("c", ["gus", "hal"]),
            ],
        ),
        team_contest(
            "2",
            2_000,
            &[
                ("c", ["fay", "ida"]),
                ("b", ["hal", "dot"]),
                ("a", ["gus", "eve"]),
            ],
        ),
    ];
    let export = ExportSpec::new("out", &["gulls"]).with_names(ExportNaming::Numbers);
    let snapshot = |order: [usize; 2]| {
        let mut world = World::new();
        for index in order {
            world.import("gulls", &[contests[index].clone()]);
        }
        world.identify(&export.selection)
    };
    assert_eq!(snapshot([0, 1]), snapshot([1, 0]));
}

#[test]
fn contest_that_lost_a_team_is_refused() {
    let world = sample_world();
    execute_sql(
        &world,
        "DELETE FROM standing WHERE competitor_id =
             (SELECT competitor_id FROM competitor WHERE external_id = 'Eve & Fay')",
    );
    let export = ExportSpec::new("out", &["gulls"]).with_formats(&[DatasetFormat::Csv]);
    let error = world.export(&export).unwrap_err().to_string();
    assert!(error.contains("entrants expected"), "{error}");
    assert!(!world.path("out").exists());
}

#[test]
fn merge_cycle_is_ignored_in_every_format() {
    let mut world = sample_world();
    execute_sql(
        &world,
        "UPDATE competitor SET merged_into =
             (SELECT competitor_id FROM competitor WHERE external_id = 'owl')
             WHERE external_id = 'wren'",
    );
    restate_hashes(&mut world);
    let forms = [DatasetFormat::Csv, DatasetFormat::EloMmr];
    let export = ExportSpec::new("out", &SOURCES).with_formats(&forms);
    world.export(&export).unwrap();
    let competitors = read_csv(&world, "out", "competitor.csv");
    let owl = competitors.lines().find(|row| row.contains(",owl,"));
    assert!(owl.is_some_and(|row| row.ends_with(',')), "{competitors}");
}
