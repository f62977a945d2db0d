//! The columns whose changes make runs stale: `COUNTED` in `file/table_hash.rs`.

use std::collections::BTreeSet;

use ranklore_store::COUNTED_COLUMNS;
use ranklore_test_support::TempDatabase;

/// Columns, and whole tables, whose changes leave runs current, each with the reason. Move a column
/// to `COUNTED` in `file/table_hash.rs` if a rating can depend on it.
const NOT_COUNTED: [(&str, &str); 31] = [
    ("competitor.competitor_id", "never changes"),
    ("competitor.source_id", "never changes"),
    ("competitor.name", "only shown"),
    (
        "competitor.start_document_id",
        "the origin of the starting rating, which is counted",
    ),
    ("competitor_name", "only shown"),
    ("contest.contest_id", "never changes"),
    ("contest.source_id", "never changes"),
    ("contest.name", "only shown; part of the content hash"),
    ("contest.url", "only shown"),
    ("contest.starts_at", "only shown; part of the content hash"),
    ("contest.revision", "grows only with the content hash"),
    ("contest.document_id", "the origin of the contest, whose content is counted"),
    ("contest_sync", "takes effect in contest.state"),
    ("current_rating", "follows from the ratings"),
    ("decision", "takes effect in competitor.merged_into and contest.withdrawn_at"),
    ("disbelieved", "takes effect when a document is read again"),
    ("document", "takes effect in contests and competitors"),
    ("evaluation", "follows from the ratings"),
    ("evaluation_metric", "follows from the ratings"),
    ("host", "about requests"),
    ("member", "part of contest.content_hash"),
    ("rating", "the ratings themselves"),
    ("rating_run", "compared when a run is looked up"),
    ("run_contest", "the contests that a run rated"),
    ("source", "a run refers to its name, which never changes; the rest is settings"),
    ("standing", "part of contest.content_hash"),
    ("sync_run", "a history"),
    ("table_hash", "follows from the other tables"),
    ("tombstone", "takes effect in competitor.external_id"),
    ("tombstone_spelling", "takes effect when texts are redacted"),
    ("trial", "a history"),
];

/// Returns all columns of all tables, as `table.column`.
fn schema_columns() -> BTreeSet<String> {
    let scratch = TempDatabase::new();
    drop(scratch.open_writer());
    let raw = scratch.open_raw();
    let mut query = raw
        .prepare(
            "SELECT tables.name || '.' || columns.name FROM pragma_table_list AS tables
             JOIN pragma_table_xinfo(tables.name) AS columns
             WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite_%'",
        )
        .unwrap();
    let rows = query.query_map([], |row| row.get(0)).unwrap();
    rows.map(Result::unwrap).collect()
}

fn counted_columns() -> Vec<String> {
    let tables = COUNTED_COLUMNS.iter();
    tables
        .flat_map(|(table, columns)| {
            columns.split(' ').map(move |column| format!("{table}.{column}"))
        })
        .collect()
}

#[test]
fn every_column_is_counted_or_has_a_reason() {
    let counted = counted_columns();
    for column in schema_columns() {
        let table = column.split('.').next();
        let entries = counted.iter().filter(|counted| **counted == column).count()
            + NOT_COUNTED
                .iter()
                .filter(|(name, _)| *name == column || Some(*name) == table)
                .count();
        assert_eq!(
            entries, 1,
            "{column}: add it to COUNTED in table_hash.rs if ratings can depend on it, otherwise \
             to NOT_COUNTED with the reason"
        );
    }
}

#[test]
fn listed_columns_exist() {
    let columns = schema_columns();
    for column in counted_columns() {
        assert!(columns.contains(&column), "{column}");
    }
    for (name, _) in NOT_COUNTED {
        let exists = if name.contains('.') {
            columns.contains(name)
        } else {
            let prefix = format!("{name}.");
            columns.iter().any(|column| column.starts_with(&prefix))
        };
        assert!(exists, "{name}");
    }
}
