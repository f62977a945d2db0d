//! Exports with pseudonyms or numbers contain no name in any byte.

use std::collections::BTreeMap;
use std::fs::File;

use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use ranklore_contest::Annotations;
use ranklore_publish::{DatasetFormat, ExportNaming};
use ranklore_test_support::{World, rename};

use super::exports::{ExportSpec, Exports as _, SOURCES, contest, files, problems, sample_world};

/// Current names, former names and handles in [`world_with_names`].
const NAMES: &[&str] = &[
    "larkspur",
    "Larkspur",
    "mossfinch",
    "Mossy",
    "tern",
    "Tern",
    "owl",
    "wren",
    "Owlett",
    "Dot",
    "Ida",
    "Eve",
    "Fay",
];

/// Returns a world with former names, merges and ratings.
fn world_with_names() -> World {
    let mut world = sample_world();
    for name in ["Mossy Fincher", "Mossy Sandpiper"] {
        assert!(world.record_decision("lantern", &rename("mossfinch", name)).unwrap());
    }
    world
}

/// Returns all readable content of a dataset; compressed files are decoded.
pub(crate) fn readable_files(folder: &std::path::Path) -> BTreeMap<String, Vec<u8>> {
    let mut all = files(folder);
    for (path, bytes) in &mut all {
        if path.ends_with(".parquet") {
            let file = File::open(folder.join(path.as_str())).unwrap();
            let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            bytes.extend(format!("{:?}", builder.metadata()).into_bytes());
            for rows in builder.build().unwrap() {
                // Longer batches would be abbreviated.
                let rows = rows.unwrap();
                assert!(rows.num_rows() <= 40);
                bytes.extend(format!("{rows:?}").into_bytes());
            }
        }
    }
    all
}

pub(crate) fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

/// Removes our own words that happen to contain a name, such as "in*tern*al".
fn without_own_text(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let ours = [
        "lantern", "Lantern", "internal", "external", "alternat", "pattern", "Pattern",
    ];
    let text = ours.iter().fold(text.into_owned(), |text, word| text.replace(word, ""));
    text.into_bytes()
}

#[test]
fn real_names_are_published_under_real_policy() {
    let mut world = world_with_names();
    let runs = [world.write_run("lantern", "elo", 1500.0)];
    let export = ExportSpec::new("out", &SOURCES).with_runs(&runs);
    world.export(&export).unwrap();
    for (path, bytes) in readable_files(&world.path("out")) {
        let of_people = path.contains("competitor") || path.contains("dataset.sqlite");
        let has_name = contains(&bytes, b"larkspur7");
        assert!(!of_people || has_name, "{path}");
        assert!(!contains(&bytes, b"Mossy Fincher"), "an earlier name is in {path}");
    }
}

#[test]
fn pseudonyms_and_numbers_leave_no_name_in_any_byte() {
    for naming in [ExportNaming::Pseudonyms([9; 32]), ExportNaming::Numbers] {
        let mut world = world_with_names();
        let runs = [world.write_run("lantern", "elo", 1500.0)];
        for by_year in [false, true] {
            let mut export = ExportSpec::new("out", &SOURCES).with_names(naming).with_runs(&runs);
            export.selection.by_year = by_year;
            world.export(&export).unwrap();
            // The second export lists changes.
            world.export(&export).unwrap();
            let all = readable_files(&world.path("out"));
            assert!(all.len() > 20, "{}", all.len());
            for (path, bytes) in all {
                let bytes = without_own_text(&bytes);
                for name in NAMES {
                    // Three letters may occur in compressed bytes by chance.
                    let compressed = path.ends_with(".parquet") && name.len() < 4;
                    let has_name = contains(&bytes, name.as_bytes());
                    assert!(!has_name || compressed, "{name} is in {path} ({naming:?})");
                }
            }
        }
    }
}

/// Ids and names of games are made of the names of both players, or are the address of the game.
#[test]
fn games_are_published_without_names_of_players() {
    for (naming, keeps_links) in [
        (ExportNaming::Pseudonyms([9; 32]), true),
        (ExportNaming::Numbers, false),
    ] {
        let mut world = sample_world();
        let games = (1..=12).map(|day| {
            let pair = ["larkspur", "mossfinch"].map(|name| (name, Some(1)));
            let mut game = contest("", 1_600_000_000 + day * 86_400, &pair);
            game.name = "larkspur – mossfinch".to_owned();
            game.external_id = match day {
                12 => "https://lantern.example/game/12".to_owned(),
                _ => format!("2020-09-{day:02} larkspur – mossfinch"),
            };
            (game, Annotations::default())
        });
        let report = world.import("chess", &games.collect::<Vec<_>>());
        assert_eq!(report.refused.len(), 0, "{:?}", report.refused);
        let runs = [world.write_run("chess", "elo", 1500.0)];
        let export = ExportSpec::new("out", &["chess"]).with_names(naming).with_runs(&runs);
        world.export(&export).unwrap();
        assert_eq!(problems(&world.path("out")), Vec::<String>::new());
        for (path, bytes) in readable_files(&world.path("out")) {
            let bytes = without_own_text(&bytes);
            for name in ["larkspur", "mossfinch"] {
                assert!(!contains(&bytes, name.as_bytes()), "{name} is in {path}");
            }
            let has_link = contains(&bytes, b"lantern.example/game");
            assert!(!has_link || keeps_links, "{path}");
        }
        let ids = read_table(&world, "out", "contest.csv");
        assert_eq!(ids.matches(",contest-").count(), 23 + usize::from(!keeps_links));
    }
}

#[test]
fn refusal_reason_is_published_under_real_names_only() {
    let world = world_with_names();
    let published = |naming| {
        world.export(&ExportSpec::new("out", &SOURCES).with_names(naming)).unwrap();
        std::fs::read_to_string(world.path("out/README.md")).unwrap()
    };
    assert!(published(ExportNaming::Real).contains("Bea Larkspur"));
    for naming in [ExportNaming::Pseudonyms([9; 32]), ExportNaming::Numbers] {
        assert!(!published(naming).contains("Larkspur"));
    }
}

fn read_table(world: &World, to: &str, name: &str) -> String {
    std::fs::read_to_string(world.path(to).join("csv").join(name)).unwrap()
}

#[test]
fn pseudonyms_depend_on_their_key() {
    let mut world = world_with_names();
    let csv = |world: &World, to: &'static str, key: u8| {
        let export = ExportSpec::new(to, &SOURCES)
            .with_formats(&[DatasetFormat::Csv])
            .with_names(ExportNaming::Pseudonyms([key; 32]));
        world.export(&export).unwrap();
        read_table(world, to, "competitor.csv")
    };
    let first = csv(&world, "a", 1);
    assert_eq!(first, csv(&world, "b", 1));
    let pseudonyms = |text: &str| -> Vec<String> {
        let rows = text.lines().skip(1);
        let mut all: Vec<String> =
            rows.map(|row| row.split(',').nth(2).unwrap().to_owned()).collect();
        all.sort();
        all
    };
    let (first_pseudonyms, second_pseudonyms) =
        (pseudonyms(&first), pseudonyms(&csv(&world, "c", 2)));
    assert_eq!(first_pseudonyms.len(), 11);
    assert!(first_pseudonyms.iter().all(|one| !second_pseudonyms.contains(one)));
    // A new person in front does not change them.
    let new = contest("0", 1_000, &[("aaron", Some(1)), ("tern", Some(2))]);
    world.import("lantern", &[(new, Annotations::default())]);
    let more = pseudonyms(&csv(&world, "d", 1));
    assert_eq!(more.len(), first_pseudonyms.len() + 1);
    assert!(first_pseudonyms.iter().all(|one| more.contains(one)));
}

#[test]
fn person_and_team_of_one_name_differ_in_pseudonym() {
    let world = world_with_names();
    let export = ExportSpec::new("out", &SOURCES)
        .with_formats(&[DatasetFormat::Csv])
        .with_names(ExportNaming::Pseudonyms([1; 32]));
    world.export(&export).unwrap();
    let text = read_table(&world, "out", "competitor.csv");
    let mut all: Vec<&str> = text.lines().map(|row| row.split(',').nth(2).unwrap()).collect();
    all.sort_unstable();
    let many = all.len();
    all.dedup();
    assert_eq!(all.len(), many);
}

#[test]
fn numbers_do_not_follow_name_order() {
    let mut world = World::new();
    let names: Vec<String> = (b'a'..=b'z').map(|letter| char::from(letter).to_string()).collect();
    let tied: Vec<_> = names.iter().map(|name| (name.as_str(), Some(1))).collect();
    world.import("gulls", &[(contest("1", 1_000, &tied), Annotations::default())]);
    let score_of = |contest: &mut ranklore_contest::Contest| {
        for (index, entrant) in contest.entrants.iter_mut().enumerate() {
            entrant.score = Some(index as f64);
        }
    };
    // Scores identify the people here.
    let mut second = contest("2", 2_000, &tied);
    score_of(&mut second);
    world.import("gulls", &[(second, Annotations::default())]);
    let export = ExportSpec::new("out", &["gulls"])
        .with_formats(&[DatasetFormat::Csv])
        .with_names(ExportNaming::Numbers);
    world.export(&export).unwrap();
    let text = read_table(&world, "out", "standing.csv");
    let mut by_name = vec![0_usize; 26];
    for row in text.lines().filter(|row| row.starts_with("gulls,2,")) {
        let cells: Vec<&str> = row.split(',').collect();
        by_name[cells[5].parse::<usize>().unwrap()] = cells[3].parse().unwrap();
    }
    let mut sorted = by_name.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (1..=26).collect::<Vec<_>>());
    let rises = by_name.windows(2).filter(|pair| pair[0] < pair[1]).count();
    assert!((6..=19).contains(&rises), "{by_name:?}");
}

#[test]
fn pseudonym_key_is_never_shown() {
    let key: [u8; 32] = std::array::from_fn(|index| (index as u8).wrapping_mul(37) ^ 0xa5);
    let world = world_with_names();
    let export = ExportSpec::new("out", &SOURCES).with_names(ExportNaming::Pseudonyms(key));
    world.export(&export).unwrap();
    let hex: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let listed = format!("{}, {}, {}", key[0], key[1], key[2]);
    for (path, bytes) in readable_files(&world.path("out")) {
        assert!(!contains(&bytes, &key) && !contains(&bytes, &hex.as_bytes()[..12]), "{path}");
    }
    for text in [
        format!("{:?}", ExportNaming::Pseudonyms(key)),
        format!("{:#?}", export.selection),
    ] {
        assert!(!text.contains(&listed) && !text.contains("165"), "{text}");
        assert!(text.contains("pseudonym"), "{text}");
    }
}

#[test]
fn export_without_names_has_no_links() {
    let world = world_with_names();
    let export = ExportSpec::new("out", &SOURCES).with_names(ExportNaming::Numbers);
    world.export(&export).unwrap();
    for (path, bytes) in readable_files(&world.path("out")) {
        assert!(!contains(&bytes, b"lantern.example"), "{path}");
    }
}
