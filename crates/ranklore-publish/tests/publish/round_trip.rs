//! Exported data is read back unchanged in every format.

use std::path::Path;

use proptest::prelude::*;
use proptest::sample::{select as one_of, subsequence};
use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome,
    Place, ResultState, Side, StartingRating,
};
use ranklore_publish::{DatasetFormat, ExportNaming, ExportSelection, Manifest};
use ranklore_test_support::{World, contest_time, rename, source, withdraw};

use super::exports::{
    ExportSpec, Exports as _, SOURCES, exported_sample, problems, sample_world, select,
};

use super::reseal::{edit_file, edit_manifest, table_file, update_manifest_and_checksums};

const PREFIXES: [&str; 4] = ["a", "a-b", "a.b", "ab"];

/// Verifies a dataset, imports it into a new database and compares the digests.
fn assert_imports_equal(folder: &Path, selection: &ExportSelection) {
    assert_eq!(problems(folder), Vec::<String>::new(), "{}", folder.display());
    let manifest = Manifest::read(folder).unwrap();
    let mut fresh = World::new();
    fresh.import_dataset(folder);
    let mut selection = selection.clone();
    selection.runs.clear();
    for (name, naming) in &mut selection.sources {
        let source = manifest.sources.iter().find(|source| source.name == *name);
        *naming = match source.map_or("none", |source| &source.name_policy) {
            "none" => ExportNaming::Keys,
            _ => ExportNaming::Real,
        };
    }
    selection.sources.sort_by(|a, b| b.0.cmp(&a.0));
    assert_eq!(fresh.identify(&selection), manifest.snapshot);
}

fn assert_each_format_round_trips(world: &World, export: &ExportSpec) {
    assert_formats_round_trip(world, export, &DatasetFormat::ALL);
}

/// Exports in all formats together and in each alone, and expects equal imports.
fn assert_formats_round_trip(world: &World, export: &ExportSpec, forms: &[DatasetFormat]) {
    let all = world.export(export).unwrap();
    let folder = world.path(export.to);
    assert_imports_equal(&folder, &export.selection);
    assert_eq!(all.snapshot, world.identify(&export.selection));
    for &form in forms {
        let to = world.path(form.as_str());
        let alone = ExportSpec {
            formats: vec![form],
            ..export.clone()
        };
        let exported = world.export_to(&to, &alone).unwrap();
        assert_eq!(exported.snapshot, all.snapshot, "{form:?}");
        assert_imports_equal(&to, &export.selection);
    }
}

#[test]
fn every_format_round_trips() {
    let mut world = sample_world();
    assert!(world.record_decision("lantern", &withdraw("10")).unwrap());
    assert!(
        world
            .record_decision("lantern", &rename("mossfinch", "Moss, \"the\" Gull"))
            .unwrap()
    );
    let run = world.write_run("lantern", "elo", 1500.0);
    assert_each_format_round_trips(&world, &ExportSpec::new("out", &SOURCES).with_runs(&[run]));
}

#[test]
fn every_format_round_trips_without_names() {
    let world = sample_world();
    for naming in [ExportNaming::Numbers, ExportNaming::Pseudonyms([7; 32])] {
        assert_each_format_round_trips(
            &world,
            &ExportSpec::new("out", &SOURCES).with_names(naming),
        );
    }
}

#[test]
fn dataset_partitioned_by_year_round_trips() {
    let mut world = sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    let mut export = ExportSpec::new("out", &SOURCES).with_runs(&[run]);
    export.selection.by_year = true;
    assert_each_format_round_trips(&world, &export);
    let parts = world.path("out/parquet/standing/source=lantern");
    let parts = super::exports::files(&parts);
    let parts: Vec<&str> = parts.keys().map(String::as_str).collect();
    assert_eq!(parts, ["year=2020/0.parquet", "year=2021/0.parquet"]);
    let competitors = "out/parquet/competitor/source=lantern/0.parquet";
    assert!(world.path(competitors).exists());
}

#[test]
fn escaped_formulas_round_trip() {
    let world = sample_world();
    let export = ExportSpec {
        defuse: true,
        ..ExportSpec::new("out", &SOURCES)
    };
    assert_each_format_round_trips(&world, &export);
    let csv = std::fs::read_to_string(world.path("out/csv/competitor.csv")).unwrap();
    assert!(csv.contains("\"'=Terry; \"\"Tern\"\"\""), "{csv}");
}

#[test]
fn nameless_import_is_exported_by_keys() {
    let world = sample_world();
    let without = ExportSpec::new("out", &SOURCES).with_names(ExportNaming::Numbers);
    let first = world.export(&without).unwrap();
    let mut fresh = World::new();
    fresh.import_dataset(&world.path("out"));
    let keys = ExportSpec::new("keys", &SOURCES).with_names(ExportNaming::Keys);
    let again = fresh.export(&keys).unwrap();
    assert_eq!(first.snapshot, again.snapshot);
    assert_imports_equal(&fresh.path("keys"), &keys.selection);
}

#[test]
fn since_omits_older_contests_and_their_people() {
    let world = sample_world();
    let mut export = ExportSpec::new("out", &["lantern"]);
    export.selection.since = Some(contest_time(1_630_000_000));
    assert_each_format_round_trips(&world, &export);
    let csv = std::fs::read_to_string(world.path("out/csv/contest.csv")).unwrap();
    assert!(!csv.contains("lantern,9,") && csv.contains("lantern,10,"), "{csv}");
    assert_ne!(
        world.identify(&export.selection),
        world.identify(&select(&["lantern"], ExportNaming::Real))
    );
}

#[test]
fn negative_zero_is_zero_in_every_format() {
    let mut world = sample_world();
    let run = world.write_run("gulls", "elo", -0.0);
    let export = ExportSpec::new("out", &["gulls"]).with_runs(&[run]);
    assert_each_format_round_trips(&world, &export);
}

/// Turns a dataset into one of format version 1, whose standings have no side.
fn downgrade(folder: &Path, format: DatasetFormat) {
    edit_manifest(folder, |package| {
        package["ranklore"]["format_version"] = 1.into();
    });
    match format {
        DatasetFormat::Csv => edit_file(&table_file(folder, "standing"), |text| {
            text.replace(",side\r\n", "\r\n").replace(",\r\n", "\r\n")
        }),
        DatasetFormat::JsonLines => {
            edit_file(&table_file(folder, "standing"), |text| text.replace(",\"side\":null", ""));
        }
        _ => rusqlite::Connection::open(folder.join("dataset.sqlite"))
            .and_then(|file| file.execute_batch("ALTER TABLE standing DROP COLUMN side"))
            .unwrap(),
    }
    update_manifest_and_checksums(folder);
}

#[test]
fn datasets_of_version_1_are_read() {
    let mut world = sample_world();
    let run = world.write_run("lantern", "elo", 1500.0);
    for format in [
        DatasetFormat::Csv,
        DatasetFormat::JsonLines,
        DatasetFormat::Sqlite,
    ] {
        let export = ExportSpec {
            formats: vec![format],
            ..ExportSpec::new(format.as_str(), &SOURCES).with_runs(std::slice::from_ref(&run))
        };
        world.export(&export).unwrap();
        let folder = world.path(export.to);
        downgrade(&folder, format);
        assert_imports_equal(&folder, &export.selection);
        // The version says which columns there are.
        edit_manifest(&folder, |package| {
            package["ranklore"]["format_version"] = 2.into();
        });
        update_manifest_and_checksums(&folder);
        assert!(!problems(&folder).is_empty(), "{format:?}");
    }
}

#[test]
fn unselected_source_is_not_exported() {
    let (world, _) = exported_sample(&[DatasetFormat::Csv]);
    let export = ExportSpec::new("one", &["gulls"])
        .with_formats(&[DatasetFormat::Csv, DatasetFormat::EloMmr]);
    world.export(&export).unwrap();
    for (path, bytes) in super::exports::files(&world.path("one")) {
        let text = String::from_utf8(bytes).unwrap();
        assert!(!text.contains("larkspur7"), "{path}");
    }
}

fn arbitrary_text() -> impl Strategy<Value = String> {
    let odd = [
        "a",
        "b",
        "Z",
        "é",
        "日",
        "\"",
        ",",
        "\n",
        "\r",
        "\r\n",
        "\0",
        "\t",
        "=",
        "+",
        "-",
        "@",
        "'",
        "\\",
        " ",
        "\u{1f600}",
        "\u{202e}",
        "\u{feff}",
        "<",
        "|",
        "/",
        "..",
        "\u{7f}",
        "\u{85}",
        "#",
        "1",
        "e\u{301}",
        "null",
        "\u{2028}",
    ];
    prop::collection::vec(one_of(odd.to_vec()), 1..5).prop_map(|parts| parts.concat())
}

fn arbitrary_number() -> impl Strategy<Value = f64> {
    prop_oneof![
        one_of(vec![
            0.0,
            -0.0,
            5e-324,
            -2.5e-310,
            1e300,
            -1e300,
            f64::MAX,
            0.1 + 0.2,
            1e21,
            -17.0,
            9_007_199_254_740_993.0,
            1e-7,
            123_456_789.123_456_79,
        ]),
        any::<f64>().prop_filter("finite", |value| value.is_finite()),
    ]
}

/// Competitors whose keys name their kind.
fn arbitrary_competitors() -> impl Strategy<Value = Vec<(EntrantKind, String)>> {
    let kind = one_of(vec![
        EntrantKind::Person,
        EntrantKind::Person,
        EntrantKind::Team,
        EntrantKind::Couple,
    ]);
    prop::collection::vec((kind, arbitrary_text()), 2..9).prop_map(|mut all| {
        all.sort_by(|a, b| a.1.cmp(&b.1));
        all.dedup_by(|a, b| a.1 == b.1);
        all
    })
}

type DrawnContest =
    (prop::sample::Index, bool, Option<f64>, Option<f64>, Option<Side>, Vec<String>);

fn arbitrary_entrants(
    competitors: Vec<(EntrantKind, String)>,
) -> impl Strategy<Value = Vec<Entrant>> {
    let many = competitors.len();
    let details: (_, _, _, _, _, _) = (
        any::<prop::sample::Index>(),
        any::<bool>(),
        prop::option::of(arbitrary_number()),
        prop::option::of(arbitrary_number()),
        prop::option::of(one_of(Side::VARIANTS.to_vec())),
        prop::collection::vec(arbitrary_text(), 0..4),
    );
    (
        subsequence(competitors, 1..=many).prop_shuffle(),
        prop::collection::vec(details, many),
        0..many + 1,
    )
        .prop_map(|(drawn, details, finishers)| {
            let mut shared = 1;
            let entrants = drawn.into_iter().zip(details).enumerate();
            entrants
                .map(|(index, ((kind, competitor), details))| {
                    let (_, tied, score, penalty, side, mut members): DrawnContest = details;
                    if index == 0 || !tied {
                        shared = index as u32 + 1;
                    }
                    let outcome = match index < finishers {
                        true => EntrantOutcome::Finished(Place::new(shared).unwrap()),
                        false if tied => EntrantOutcome::Disqualified,
                        false => EntrantOutcome::DidNotFinish,
                    };
                    members.sort();
                    members.dedup();
                    if kind == EntrantKind::Person {
                        members.clear();
                    }
                    Entrant {
                        competitor,
                        kind,
                        outcome,
                        score,
                        penalty,
                        side,
                        members,
                    }
                })
                .collect()
        })
}

fn arbitrary_annotations(
    accounts: Vec<(EntrantKind, String)>,
) -> impl Strategy<Value = Annotations> {
    let state = one_of(vec![
        ResultState::Final,
        ResultState::Provisional,
        ResultState::Unrated,
    ]);
    let start = (-10_000.0..10_000.0, prop::option::of(1.0..10_000.0))
        .prop_map(|(mu, sigma)| StartingRating { mu, sigma });
    let details = (
        prop::option::of(arbitrary_text()),
        prop::option::of(start),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    let many = accounts.len();
    (
        state,
        any::<bool>(),
        subsequence(accounts.clone(), 0..=many),
        prop::collection::vec(details, many),
    )
        .prop_map(move |(state, rated, known, details)| {
            let competitors = known.into_iter().zip(details);
            let competitors = competitors.map(|((kind, competitor), (name, start, into))| {
                let same_kind: Vec<&String> = accounts
                    .iter()
                    .filter(|(other, name)| *other == kind && *name != competitor)
                    .map(|(_, name)| name)
                    .collect();
                CompetitorFacts {
                    kind,
                    name,
                    start,
                    merged_into: into
                        .filter(|_| !same_kind.is_empty())
                        .map(|index| (*index.get(&same_kind)).clone()),
                    competitor,
                }
            });
            Annotations {
                state,
                rated,
                competitors: competitors.collect(),
            }
        })
}

fn arbitrary_contest(
    index: usize,
    competitors: Vec<(EntrantKind, String)>,
) -> impl Strategy<Value = (Contest, Annotations)> {
    let first = (
        prop_oneof![Just(String::new()), arbitrary_text()],
        prop::option::of(arbitrary_text()),
        prop::option::of(arbitrary_text()),
        prop::option::of(one_of(vec![i64::MIN, -1, 0, 1, 2, i64::MAX])),
        prop::option::of(arbitrary_text()),
    );
    let ends_at = one_of(vec![
        -12_212_553_600,
        -1,
        0,
        1,
        946_684_799,
        946_684_800,
        1_600_000_000,
        7_258_118_399,
    ]);
    let second = (
        ends_at,
        prop::option::of(0..100_000_i64),
        one_of(vec![1.0, 1e-6, 0.25, 1e6]),
        prop::option::of(arbitrary_number()),
        prop::option::of(-1e6..1e6),
    );
    let id = prop_oneof![
        Just(index.to_string()),
        arbitrary_text().prop_map(move |text| format!("{index}{text}")),
        arbitrary_text().prop_map(move |text| format!("{text}{index}")),
    ];
    (
        id,
        first,
        second,
        arbitrary_entrants(competitors.clone()),
        arbitrary_annotations(competitors),
    )
        .prop_map(|(external_id, first, second, entrants, annotations)| {
            let (name, event, division, ordinal, url) = first;
            let (ends_at, lasts, weight, site_weight, performance_ceiling) = second;
            let contest = Contest {
                external_id,
                name,
                event,
                division,
                ordinal,
                url,
                starts_at: lasts.and_then(|lasts| ContestTime::new(ends_at - lasts)),
                ends_at: contest_time(ends_at),
                weight,
                site_weight,
                performance_ceiling,
                entrants,
            };
            (contest, annotations)
        })
}

type Sources = Vec<(&'static str, Vec<(Contest, Annotations)>)>;

fn arbitrary_sources() -> impl Strategy<Value = Sources> {
    let of_one = arbitrary_competitors().prop_flat_map(|competitors| {
        (1..5_usize).prop_flat_map(move |many| {
            (0..many)
                .map(|index| arbitrary_contest(index, competitors.clone()))
                .collect::<Vec<_>>()
        })
    });
    (subsequence(PREFIXES.to_vec(), 1..=3), prop::collection::vec(of_one, 3))
        .prop_map(|(names, contests)| names.into_iter().zip(contests).collect())
}

fn arbitrary_name_policy() -> impl Strategy<Value = ExportNaming> {
    prop_oneof![
        3 => Just(ExportNaming::Real),
        1 => Just(ExportNaming::Numbers),
        1 => any::<[u8; 32]>().prop_map(ExportNaming::Pseudonyms),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, max_shrink_iters: 300, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_results_round_trip_in_every_format(
        sources in arbitrary_sources(),
        naming in arbitrary_name_policy(),
        withdrawn in any::<prop::sample::Index>(),
        rating in arbitrary_number(),
        (by_year, defuse) in any::<(bool, bool)>(),
        alone in one_of(DatasetFormat::ALL.to_vec()),
    ) {
        let mut world = World::new();
        let mut imported = Vec::new();
        for (name, contests) in &sources {
            let report = world.import(name, contests);
            if report.contests.added > 0 {
                imported.push(*name);
            }
        }
        prop_assume!(!imported.is_empty());
        let name = withdrawn.get(&imported);
        let source_id = world.store.source_id(&source(name)).unwrap().unwrap();
        let contests = world.store.contests_of_source(source_id).unwrap();
        let contest = withdrawn.get(&contests).external_id.clone();
        assert!(world.record_decision(name, &withdraw(&contest)).unwrap());
        let run = world.write_run(name, "elo", rating);
        let mut export = ExportSpec::new("out", &imported).with_names(naming).with_runs(&[run]);
        export.selection.by_year = by_year;
        export.defuse = defuse;
        assert_formats_round_trip(&world, &export, &[alone]);
    }
}
