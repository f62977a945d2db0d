//! Every column of the database is explicitly published or private.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_publish::TableId;
use ranklore_test_support::World;
use rusqlite::Connection;

/// Published columns, each with its place in a dataset: `table.column`, or several.
const PUBLISHED: &[(&str, &str)] = &[
    (
        "source.name",
        "contest.source standing.source member.source competitor.source rating.source",
    ),
    (
        "contest.external_id",
        "contest.contest standing.contest member.contest rating.contest",
    ),
    ("contest.name", "contest.name"),
    ("contest.event", "contest.event"),
    ("contest.division", "contest.division"),
    ("contest.ordinal", "contest.ordinal"),
    ("contest.url", "contest.url"),
    ("contest.starts_at", "contest.starts_at"),
    ("contest.ends_at", "contest.ends_at"),
    ("contest.state", "contest.state"),
    ("contest.rated", "contest.rated"),
    ("contest.withdrawn_at", "contest.rated"),
    ("contest.weight", "contest.weight"),
    ("contest.site_weight", "contest.site_weight"),
    ("contest.performance_ceiling", "contest.performance_ceiling"),
    ("contest.entrants", "contest.entrants"),
    (
        "competitor.external_id",
        "competitor.competitor standing.competitor member.competitor member.person rating.competitor",
    ),
    (
        "competitor.kind",
        "competitor.kind standing.kind member.kind rating.kind",
    ),
    ("competitor.name", "competitor.name"),
    ("competitor.start_mu", "competitor.start_mu"),
    ("competitor.start_sigma", "competitor.start_sigma"),
    ("competitor.merged_into", "competitor.merged_into"),
    ("standing.place", "standing.place"),
    ("standing.score", "standing.score"),
    ("standing.penalty", "standing.penalty"),
    ("standing.status", "standing.status"),
    ("member.ordinal", "member.ordinal"),
    ("rating_run.system", "rating_run.system"),
    ("rating_run.parameters", "rating_run.parameters"),
    ("rating_run.selection", "rating_run.selection"),
    ("rating_run.engine", "rating_run.engine"),
    ("rating.mu", "rating.mu"),
    ("rating.sigma", "rating.sigma"),
    ("rating.performance", "rating.performance"),
    ("rating.volatility", "rating.volatility"),
    ("rating.mu_before", "rating.mu_before"),
];

/// Dataset columns without a database column.
const MADE: &[&str] = &["rating_run.run", "rating.run"];

const IDS: &str = "numbers of rows, which are others in every file";
const ARCHIVE: &str = "documents as they came: they may hold anything";
const WORK: &str = "how the results were collected, and when";
const TOLD: &str = "of what results were made, which they say themselves";
const STUDY: &str = "how well systems predict, which follows from the results";
const KEY: &str = "tells who is behind a pseudonym";
const PEOPLE: &str = "who decided what and why; what came of it is published";
const EARLIER: &str = "names that somebody has no more";
const FORGOTTEN: &str = "people who asked to be forgotten";

/// Columns that are never published, with the reason. A bare table name covers all its columns.
const PRIVATE: &[(&str, &str)] = &[
    ("source.source_id", IDS),
    ("source.created_at", WORK),
    ("source.name_key", KEY),
    ("source.names_asked_at", WORK),
    ("source.named_through", WORK),
    ("source.pseudonyms", WORK),
    ("document", ARCHIVE),
    ("disbelieved", ARCHIVE),
    ("contest.contest_id", IDS),
    ("contest.source_id", IDS),
    ("contest.revision", WORK),
    ("contest.content_hash", TOLD),
    ("contest.document_id", IDS),
    ("competitor.competitor_id", IDS),
    ("competitor.source_id", IDS),
    ("competitor.start_document_id", IDS),
    ("competitor_name", EARLIER),
    ("standing.contest_id", IDS),
    ("standing.competitor_id", IDS),
    ("member.contest_id", IDS),
    ("member.competitor_id", IDS),
    ("member.person_id", IDS),
    ("rating_run.run_id", IDS),
    ("rating_run.created_at", WORK),
    ("rating_run.rated_at", WORK),
    ("rating_run.contests", STUDY),
    ("rating_run.results", STUDY),
    ("rating_run.fingerprint", TOLD),
    ("rating.run_id", IDS),
    ("rating.contest_id", IDS),
    ("rating.competitor_id", IDS),
    ("run_contest", TOLD),
    ("evaluation", STUDY),
    ("trial", STUDY),
    ("sync_run", WORK),
    ("contest_sync", WORK),
    ("host", WORK),
    ("decision", PEOPLE),
    ("tombstone", FORGOTTEN),
    ("tombstone_spelling", FORGOTTEN),
];

/// Returns the columns of a new database by table.
fn columns() -> BTreeMap<String, BTreeSet<String>> {
    let world = World::new();
    let connection = Connection::open(world.store.path()).unwrap();
    let names = |sql: &str, column: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(column)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let tables = names("PRAGMA table_list", "name");
    let tables = tables
        .into_iter()
        .filter(|name| !name.starts_with("sqlite_"));
    tables
        .map(|table| {
            let columns = names(&format!("PRAGMA table_xinfo({table})"), "name");
            (table, columns.into_iter().collect())
        })
        .collect()
}

#[test]
fn every_column_of_a_file_is_published_or_private() {
    for (table, columns) in columns() {
        for column in columns {
            let name = format!("{table}.{column}");
            let published = PUBLISHED.iter().filter(|(of, _)| *of == name).count();
            let private = (PRIVATE.iter())
                .filter(|(of, _)| *of == name || *of == table)
                .count();
            assert_eq!(published + private, 1, "{name}: publish it, or say why not");
        }
    }
}

#[test]
fn what_is_said_to_be_published_or_private_is_there() {
    let columns = columns();
    let names = PUBLISHED.iter().map(|(name, _)| *name);
    for name in names.chain(PRIVATE.iter().map(|(name, _)| *name)) {
        let there = match name.split_once('.') {
            Some((table, column)) => columns.get(table).is_some_and(|of| of.contains(column)),
            None => columns.contains_key(name),
        };
        assert!(there, "{name}");
    }
}

#[test]
fn every_column_of_a_dataset_has_an_origin() {
    let mut origins: BTreeSet<&str> = MADE.iter().copied().collect();
    origins.extend(PUBLISHED.iter().flat_map(|(_, to)| to.split(' ')));
    let mut there = BTreeSet::new();
    for id in TableId::ALL {
        for column in id.table().columns {
            there.insert(format!("{}.{}", id.name(), column.name));
        }
    }
    let there: BTreeSet<&str> = there.iter().map(String::as_str).collect();
    assert_eq!(there, origins);
}
