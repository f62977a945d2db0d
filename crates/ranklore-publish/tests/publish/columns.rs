//! Every column of the database is explicitly published or private.

use std::collections::{BTreeMap, BTreeSet};

use ranklore_publish::TableId;
use ranklore_test_support::World;
use rusqlite::Connection;

/// Published columns, each with its place in a dataset: `table.column`, or several.
const PUBLISHED_COLUMNS: &[(&str, &str)] = &[
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
    ("competitor.kind", "competitor.kind standing.kind member.kind rating.kind"),
    ("competitor.name", "competitor.name"),
    ("competitor.start_mu", "competitor.start_mu"),
    ("competitor.start_sigma", "competitor.start_sigma"),
    ("competitor.merged_into", "competitor.merged_into"),
    ("standing.place", "standing.place"),
    ("standing.score", "standing.score"),
    ("standing.penalty", "standing.penalty"),
    ("standing.status", "standing.status"),
    ("standing.side", "standing.side"),
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
const GENERATED_COLUMNS: &[&str] = &["rating_run.run", "rating.run"];

const ROW_IDS: &str = "numbers of rows, which are others in every file";
const RAW_DOCUMENTS: &str = "documents as they came: they may hold anything";
const SYNC_STATE: &str = "how the results were collected, and when";
const ORIGINS: &str = "of what results were made, which they say themselves";
const ACCURACY: &str = "how well systems predict, which follows from the results";
const PSEUDONYM_KEY: &str = "tells who is behind a pseudonym";
const DECISIONS: &str = "who decided what and why; what came of it is published";
const FORMER_NAMES: &str = "names that somebody has no more";
const SETTINGS: &str = "how this user views the results";
const TOMBSTONES: &str = "people who asked to be forgotten";

/// Columns that are never published, with the reason. A bare table name covers all its columns.
const PRIVATE_COLUMNS: &[(&str, &str)] = &[
    ("source.source_id", ROW_IDS),
    ("source.created_at", SYNC_STATE),
    ("source.name_key", PSEUDONYM_KEY),
    ("source.names_asked_at", SYNC_STATE),
    ("source.removed_at", SYNC_STATE),
    ("source.named_through", SYNC_STATE),
    ("source.pseudonyms", SYNC_STATE),
    ("source.default_system", SETTINGS),
    ("source.provisional_contests", SETTINGS),
    ("source.provisional_sigma", SETTINGS),
    ("source.changes", SYNC_STATE),
    ("source.corrections", SYNC_STATE),
    ("document", RAW_DOCUMENTS),
    ("disbelieved", RAW_DOCUMENTS),
    ("contest.contest_id", ROW_IDS),
    ("contest.source_id", ROW_IDS),
    ("contest.revision", SYNC_STATE),
    ("contest.content_hash", ORIGINS),
    ("contest.document_id", ROW_IDS),
    ("competitor.competitor_id", ROW_IDS),
    ("competitor.source_id", ROW_IDS),
    ("competitor.start_document_id", ROW_IDS),
    ("competitor_name", FORMER_NAMES),
    ("standing.contest_id", ROW_IDS),
    ("standing.competitor_id", ROW_IDS),
    ("member.contest_id", ROW_IDS),
    ("member.competitor_id", ROW_IDS),
    ("member.person_id", ROW_IDS),
    ("rating_run.run_id", ROW_IDS),
    ("rating_run.created_at", SYNC_STATE),
    ("rating_run.rated_at", SYNC_STATE),
    ("rating_run.contests", ACCURACY),
    ("rating_run.results", ACCURACY),
    ("rating_run.fingerprint", ORIGINS),
    ("rating_run.name", SETTINGS),
    ("rating_run.source_changes", ORIGINS),
    ("rating_run.source_corrections", ORIGINS),
    ("rating_run.newest_contest_id", ROW_IDS),
    ("rating_run.competitors", ACCURACY),
    ("current_rating", ACCURACY),
    ("rating.run_id", ROW_IDS),
    ("rating.contest_id", ROW_IDS),
    ("rating.competitor_id", ROW_IDS),
    ("run_contest", ORIGINS),
    ("table_hash", ORIGINS),
    ("evaluation", ACCURACY),
    ("evaluation_metric", ACCURACY),
    ("trial", ACCURACY),
    ("sync_run", SYNC_STATE),
    ("contest_sync", SYNC_STATE),
    ("host", SYNC_STATE),
    ("decision", DECISIONS),
    ("tombstone", TOMBSTONES),
    ("tombstone_spelling", TOMBSTONES),
];

/// Returns the columns of a new database by table.
fn database_columns() -> BTreeMap<String, BTreeSet<String>> {
    let world = World::new();
    let connection = Connection::open(world.store.path()).unwrap();
    let names = |sql: &str, column: &str| -> Vec<String> {
        let mut statement = connection.prepare(sql).unwrap();
        let rows = statement.query_map([], |row| row.get(column)).unwrap();
        rows.map(Result::unwrap).collect()
    };
    let tables = names("PRAGMA table_list", "name");
    let tables = tables.into_iter().filter(|name| !name.starts_with("sqlite_"));
    tables
        .map(|table| {
            let columns = names(&format!("PRAGMA table_xinfo({table})"), "name");
            (table, columns.into_iter().collect())
        })
        .collect()
}

#[test]
fn every_database_column_is_published_or_private() {
    for (table, columns) in database_columns() {
        for column in columns {
            let name = format!("{table}.{column}");
            let published = PUBLISHED_COLUMNS.iter().filter(|(origin, _)| *origin == name).count();
            let private = PRIVATE_COLUMNS
                .iter()
                .filter(|(origin, _)| *origin == name || *origin == table)
                .count();
            assert_eq!(published + private, 1, "{name}: publish it, or say why not");
        }
    }
}

#[test]
fn listed_columns_exist() {
    let columns = database_columns();
    let names = PUBLISHED_COLUMNS.iter().map(|(name, _)| *name);
    for name in names.chain(PRIVATE_COLUMNS.iter().map(|(name, _)| *name)) {
        let exists = match name.split_once('.') {
            Some((table, column)) => columns.get(table).is_some_and(|table| table.contains(column)),
            None => columns.contains_key(name),
        };
        assert!(exists, "{name}");
    }
}

#[test]
fn every_dataset_column_has_an_origin() {
    let mut origins: BTreeSet<&str> = GENERATED_COLUMNS.iter().copied().collect();
    origins.extend(PUBLISHED_COLUMNS.iter().flat_map(|(_, to)| to.split(' ')));
    let mut columns = BTreeSet::new();
    for id in TableId::ALL {
        for column in id.spec().columns {
            columns.insert(format!("{}.{}", id.name(), column.name));
        }
    }
    let columns: BTreeSet<&str> = columns.iter().map(String::as_str).collect();
    assert_eq!(columns, origins);
}
