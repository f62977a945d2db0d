//! A rebuild gives the same database as the imports and syncs before.

use ranklore_contest::UnixSeconds;
use ranklore_formats::ReadOptions;
use ranklore_ingest::{
    Error, ImportReport, ImportRequest, RebuildReport, RemovalReport, UndoReport, UndoRequest,
    import, rebuild, remove_source, undo_import,
};
use ranklore_replay::{
    Error as ReplayError, NoProgress, Progress, RateRequest, RunSelection, System, SystemName, rate,
};
use ranklore_store::{Body, Decision, NewDocument, Problem, RunRow, Writer};
use ranklore_test_support::{
    DAY, InterruptingProgress, RunSpec, TempDatabase, all_system_runs, at, contest_file, merge,
    rename, restore, select_sources, source, split, withdraw,
};
use rusqlite::types::Value as Cell;
use serde_json::{Value, json};

/// A database into which documents are imported.
pub(super) struct TestArchive {
    scratch: TempDatabase,
    pub(super) store: Writer,
    pub(super) runs: Vec<RunSpec>,
}

const SOURCES: [&str; 2] = ["club", "away"];

/// An import of several documents at once.
#[derive(Clone, Debug)]
pub(super) struct TestImport {
    pub(super) source: &'static str,
    /// The documents with their names.
    pub(super) documents: Vec<(&'static str, String)>,
    pub(super) lower_is_better: bool,
    pub(super) replace: bool,
}

impl TestImport {
    pub(super) fn for_club(documents: &[(&'static str, String)]) -> Self {
        Self {
            source: "club",
            documents: documents.to_vec(),
            lower_is_better: false,
            replace: false,
        }
    }
}

impl TestArchive {
    pub(super) fn new() -> Self {
        let scratch = TempDatabase::new();
        let mut runs = all_system_runs();
        runs.truncate(2);
        let mut both = runs[1].clone();
        both.selection = select_sources(&SOURCES);
        runs.push(both);
        Self {
            store: scratch.open_writer(),
            scratch,
            runs,
        }
    }

    /// Creates two contests in each of two sources, and rates all runs.
    pub(super) fn with_two_sources() -> Self {
        let mut archive = Self::new();
        for name in SOURCES {
            archive.import(&TestImport {
                source: name,
                ..TestImport::for_club(&[
                    ("a.json", rounds_json(&[round_json(1, "abc"), round_json(2, "cab")])),
                    ("b.csv", round_table(3, "bac", Some(1620.5))),
                ])
            });
        }
        archive.rate_all();
        archive
    }

    pub(super) fn import(&mut self, test_import: &TestImport) -> ImportReport {
        let paths = test_import.documents.iter().map(|(name, text)| {
            self.scratch.write(&format!("in/{name}"), text);
            self.scratch.path("in").join(name)
        });
        let request = ImportRequest {
            inputs: paths.collect::<Vec<_>>().into(),
            source: source(test_import.source),
            options: ReadOptions {
                lower_is_better: test_import.lower_is_better,
                ..ReadOptions::default()
            },
            replace: test_import.replace,
            allows_future: false,
            clock: || at(1_800_000_000),
        };
        import(&mut self.store, &request, &NoProgress).unwrap()
    }

    pub(super) fn decide(&mut self, name: &str, decision: &Decision) {
        let Some(source_id) = self.store.source_id(&source(name)).unwrap() else {
            return;
        };
        let mut batch = self.store.batch().unwrap();
        // A decision that contradicts earlier ones is refused.
        if batch.record_decision(source_id, decision, None, at(1_800_000_001)).is_ok() {
            batch.commit().unwrap();
        }
    }

    /// Rates every run that has contests, and those of the database.
    pub(super) fn rate_all(&mut self) {
        let mut requests: Vec<RateRequest> = self.runs.iter().map(RunSpec::request).collect();
        let stored = self.store.runs().unwrap();
        requests.extend(stored.iter().map(|run| RateRequest {
            selection: RunSelection::from_canonical_json(&run.selection),
            system: System::from_run(run).unwrap(),
            skip_unsupported: true,
            now: clock(),
        }));
        for request in requests {
            match rate(&mut self.store, request, &NoProgress) {
                Ok(_) | Err(ReplayError::NoSource { .. } | ReplayError::NoContests { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// Returns the ids and keys of all documents.
    pub(super) fn documents(&self) -> Vec<(i64, String)> {
        let sources = self.store.sources().unwrap().into_iter();
        let rows = sources.flat_map(|source| self.store.documents(source.source_id).unwrap());
        rows.map(|row| (row.document_id.get(), row.request_key)).collect()
    }

    /// Undoes an import, if there is one.
    pub(super) fn undo(&mut self, name: &str, document: Option<&str>) -> Option<UndoReport> {
        let request = UndoRequest {
            source: source(name),
            document: document.map(str::to_owned),
        };
        match undo_import(&mut self.store, &request, clock, &NoProgress) {
            Ok(report) => Some(report),
            Err(Error::Replay(ReplayError::NoSource { .. })) => None,
            Err(Error::InvalidRequest { reason }) if reason.contains("has no document") => None,
            Err(error) => panic!("{error}"),
        }
    }

    /// Removes a source, if it exists.
    pub(super) fn remove(&mut self, name: &str) -> Option<RemovalReport> {
        match remove_source(&mut self.store, &source(name), clock, &NoProgress) {
            Ok(report) => Some(report),
            Err(Error::Replay(ReplayError::NoSource { .. })) => None,
            Err(error) => panic!("{error}"),
        }
    }

    pub(super) fn rebuild(&mut self, names: &[&str]) -> RebuildReport {
        self.try_rebuild(names, &NoProgress).unwrap()
    }

    fn try_rebuild(
        &mut self,
        names: &[&str],
        watch: &dyn Progress,
    ) -> Result<RebuildReport, Error> {
        let sources: Vec<_> = names.iter().map(|name| source(name)).collect();
        rebuild(&mut self.store, &sources, clock, watch)
    }

    fn open_raw(&self) -> rusqlite::Connection {
        let raw = rusqlite::Connection::open(self.store.path()).unwrap();
        raw.pragma_update(None, "foreign_keys", false).unwrap();
        raw
    }

    /// Returns every row of every table, in the order of its key.
    pub(super) fn rows(&self) -> Vec<(String, Vec<Vec<Cell>>)> {
        let raw = self.open_raw();
        let sql = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let mut names = raw.prepare(sql).unwrap();
        let names: Vec<String> =
            names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
        let table_rows = |name: String| {
            let mut all = raw.prepare(&format!("SELECT * FROM {name}")).unwrap();
            let columns = all.column_count();
            let rows = all
                .query_map([], |row| (0..columns).map(|at| row.get(at)).collect())
                .unwrap()
                .map(Result::unwrap)
                .collect();
            (name, rows)
        };
        names.into_iter().map(table_rows).collect()
    }

    /// Returns the ratings of one run.
    fn ratings(&self, run: usize) -> Vec<Vec<Cell>> {
        let run = self.store.runs().unwrap()[run].run_id.get();
        let mut rows = self.rows();
        rows.retain(|(name, _)| name == "rating");
        let mut rows = rows.remove(0).1;
        rows.retain(|row| row[0] == Cell::Integer(run));
        rows
    }

    /// Rebuilds twice and checks that the content hash stays the same.
    pub(super) fn assert_rebuild_is_stable(&mut self, last: Option<&TestImport>) {
        self.rate_all();
        let empty = self.stale_runs();
        let before = self.store.content_hash().unwrap();
        for _ in 0..2 {
            let report = self.rebuild(&[]);
            for run in &report.runs {
                assert!(!run.unchanged, "{run:?}");
            }
            assert_eq!(report.emptied.len(), empty);
            for source_report in report.sources {
                assert_eq!(source_report.derived.added, source_report.contests_before);
                assert!(source_report.misfits.is_empty(), "{:?}", source_report.misfits);
            }
            assert_eq!(self.store.check().unwrap(), []);
            if empty == 0 {
                assert_eq!(self.store.content_hash().unwrap(), before);
            }
            let rows = self.rows();
            self.rate_all();
            if let Some(last) = last {
                self.import(last);
            }
            assert_eq!(self.rows(), rows);
        }
    }

    /// Returns the number of runs without contests, which a rebuild empties.
    fn stale_runs(&self) -> usize {
        let runs = self.store.runs().unwrap().into_iter();
        let is_empty = |run: &RunRow| {
            let selection = RunSelection::from_canonical_json(&run.selection);
            selection.contests(&self.store).is_err()
        };
        runs.filter(is_empty).count()
    }
}

fn clock() -> UnixSeconds {
    at(1_800_000_002)
}

/// Returns a contest with one person per letter, in the order of places.
pub(super) fn round_json(id: u32, order: &str) -> Value {
    let groups: Vec<Vec<String>> = order.chars().map(|name| vec![name.into()]).collect();
    contest_file(id, i64::from(id) * DAY, &groups)
}

pub(super) fn rounds_json(rounds: &[Value]) -> String {
    Value::from(rounds).to_string()
}

/// Returns a contest as a table with scores; the first person may have a starting rating.
pub(super) fn round_table(id: u32, order: &str, start: Option<f64>) -> String {
    let mut text = "contest,contest id,date,player,score,start rating\n".to_owned();
    for (above, name) in order.chars().enumerate() {
        let start = start.filter(|_| above == 0);
        let start = start.map_or_else(String::new, |mu| mu.to_string());
        let score = 10 - above;
        let row = format!("Round {id},{id},1970-02-0{id},{name},{score},{start}\n");
        text.push_str(&row);
    }
    text
}

#[test]
fn rebuild_is_stable() {
    let mut archive = TestArchive::with_two_sources();
    archive.assert_rebuild_is_stable(None);
}

/// The hash chain of such a run has no ids, so it would look unchanged after the rebuild.
#[test]
fn rebuild_rates_run_without_merges_again() {
    let mut archive = TestArchive::new();
    let rounds = TestImport::for_club(&[(
        "a.json",
        rounds_json(&[round_json(1, "abc"), round_json(2, "cab")]),
    )]);
    archive.import(&rounds);
    archive.assert_rebuild_is_stable(Some(&rounds));
    assert_eq!(archive.store.runs().unwrap()[0].results, 6);
}

#[test]
fn rebuild_applies_decisions_again() {
    let mut archive = TestArchive::with_two_sources();
    for decision in [
        merge("a", "b"),
        merge("b", "c"),
        split("b"),
        rename("c", "Carl"),
        withdraw("1"),
        withdraw("2"),
        restore("1"),
    ] {
        archive.decide("club", &decision);
    }
    archive.assert_rebuild_is_stable(None);
    let withdrawn = archive.store.contest(&source("club"), "2").unwrap().unwrap();
    assert_eq!(withdrawn.withdrawn_at, Some(1_800_000_001));
}

#[test]
fn rebuild_updates_stale_run() {
    let mut archive = TestArchive::with_two_sources();
    let changed = TestImport::for_club(&[(
        "a.json",
        rounds_json(&[round_json(1, "cba"), round_json(4, "ab")]),
    )]);
    archive.import(&changed);
    archive.rebuild(&[]);
    let rebuilt = archive.store.content_hash().unwrap();
    archive.rate_all();
    assert_eq!(archive.store.content_hash().unwrap(), rebuilt);
    archive.assert_rebuild_is_stable(Some(&changed));
}

#[test]
fn rebuild_of_one_source_leaves_the_other() {
    let mut archive = TestArchive::with_two_sources();
    let away = RunSpec {
        selection: select_sources(&["away"]),
        ..archive.runs[0].clone()
    };
    archive.runs.push(away);
    archive.rate_all();
    let before = archive.store.content_hash().unwrap();
    let rows = archive.rows();
    let of_club = 0;
    let of_both = 2;
    let of_away = 3;
    let ratings = archive.ratings(of_away);
    let report = archive.rebuild(&["club"]);
    assert_eq!(report.sources.len(), 1);
    let rated: Vec<_> = report.runs.iter().map(|run| run.run_id).collect();
    let runs = archive.store.runs().unwrap();
    let expected = [of_club, 1, of_both].map(|index: usize| runs[index].run_id);
    assert_eq!(rated, expected);
    assert_eq!(archive.store.content_hash().unwrap(), before);
    assert_eq!(archive.ratings(of_away), ratings);
    // No row of the other source changes.
    let of_source = |rows: &[(String, Vec<Vec<Cell>>)]| -> Vec<Vec<Cell>> {
        let away = archive.store.source_id(&source("away")).unwrap().unwrap();
        let tables = rows.iter().filter(|(name, _)| {
            ["contest", "competitor", "document", "sync_run"].contains(&name.as_str())
        });
        let rows = tables.flat_map(|(_, rows)| rows);
        let mine = rows.filter(|row| row[1] == Cell::Integer(away.get()));
        mine.cloned().collect()
    };
    assert_eq!(of_source(&archive.rows()), of_source(&rows));
    let error = archive.try_rebuild(&["nowhere"], &NoProgress).unwrap_err();
    assert!(matches!(error, Error::Replay(ReplayError::NoSource { .. })), "{error:?}");
}

#[test]
fn damaged_document_leaves_database_unchanged() {
    let mut archive = TestArchive::with_two_sources();
    let damage = "UPDATE document SET body = x'00' WHERE document_id = 3";
    archive.open_raw().execute(damage, []).unwrap();
    let hash = archive.store.content_hash().unwrap();
    let rows = archive.rows();
    let error = archive.try_rebuild(&[], &NoProgress).unwrap_err();
    assert!(error.to_string().contains("document 3"), "{error}");
    assert_eq!(archive.store.content_hash().unwrap(), hash);
    assert_eq!(archive.rows(), rows);
}

#[test]
fn interrupted_rebuild_leaves_database_unchanged() {
    let mut archive = TestArchive::with_two_sources();
    let hash = archive.store.content_hash().unwrap();
    let rows = archive.rows();
    // While reading, between sources, and while rating.
    let mut patience = 0;
    loop {
        let watch = InterruptingProgress::after(patience);
        match archive.try_rebuild(&[], &watch) {
            Err(Error::Interrupted) => assert_eq!(archive.rows(), rows),
            Err(error) => panic!("{error}"),
            Ok(_) => break,
        }
        patience += 1;
    }
    // Three runs cut, two sources cleared; four documents, two ends of sources, and three runs
    // over three and six contests, four of which wait for contests with lower ids to be written.
    assert_eq!(patience, 3 + 2 + 4 + 2 + (3 + 3 + 6) + 4);
    assert_eq!(archive.store.content_hash().unwrap(), hash);
}

#[test]
fn failed_site_rebuild_leaves_database_unchanged() {
    let mut archive = TestArchive::new();
    let mut batch = archive.store.batch().unwrap();
    let site = batch.get_or_insert_source(&source("codeforces"), clock()).unwrap();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/codeforces");
    let changes = |id| format!("GET api/contest.ratingChanges?contestId={id}&lang=en");
    for (key, file) in [
        ("GET api/contest.list?gym=false&lang=en".to_owned(), "contest.list"),
        (changes(1001), "contest.ratingChanges-1001"),
        (changes(1002), "contest.ratingChanges-1002"),
    ] {
        let body = std::fs::read(format!("{folder}/{file}.json")).unwrap();
        let document = NewDocument {
            request_key: &key,
            url: None,
            fetched_at: clock(),
            status: Some(200),
            etag: None,
            last_modified: None,
            media_type: None,
            reading: Some(r#"{"site":"codeforces"}"#),
            body: Body::Plain(&body),
            redacted_content: None,
        };
        batch.archive_response(site, &document).unwrap();
    }
    batch.commit().unwrap();
    let added = archive.rebuild(&[]).sources[0].derived.added;
    assert_eq!(added, 2);
    let hash = archive.store.content_hash().unwrap();
    let mut patience = 0;
    while let Err(error) = archive.try_rebuild(&[], &InterruptingProgress::after(patience)) {
        assert!(matches!(error, Error::Interrupted), "{error}");
        assert_eq!(archive.store.content_hash().unwrap(), hash);
        patience += 1;
    }
    assert!(u64::from(patience) > added, "it hears of it at every contest");
    assert_eq!(archive.store.content_hash().unwrap(), hash);
    let damage = "UPDATE document SET body = x'00' WHERE document_id = 3";
    archive.open_raw().execute(damage, []).unwrap();
    let hash = archive.store.content_hash().unwrap();
    let error = archive.try_rebuild(&[], &NoProgress).unwrap_err();
    assert!(error.to_string().contains("document 3"), "{error}");
    assert_eq!(archive.store.content_hash().unwrap(), hash);
}

#[test]
fn decision_about_missing_contest_is_a_misfit() {
    let mut archive = TestArchive::with_two_sources();
    archive.decide("club", &withdraw("3"));
    archive.decide("club", &rename("a", "Ada"));
    // Simulates a contest that this version refuses to read.
    let note = r#"UPDATE document SET reading = '{"format":"stone"}' WHERE document_id = 2"#;
    archive.open_raw().execute(note, []).unwrap();
    archive.store.repair().unwrap();
    let report = archive.rebuild(&[]);
    let [away, club] = &report.sources[..] else {
        panic!("{report:?}")
    };
    assert_eq!((away.derived.added, away.misfits.len()), (3, 0));
    assert_eq!((club.derived.added, club.contests_before), (2, 3));
    let refused = &club.refused[0];
    assert!(refused.what.contains("stone"), "{refused:?}");
    let [
        ranklore_ingest::MisfitDecision {
            decision: misfit,
            why: reason,
        },
    ] = &club.misfits[..]
    else {
        panic!("{:?}", club.misfits)
    };
    assert_eq!(misfit.decision, withdraw("3"));
    assert!(reason.contains("no contest \"3\""), "{reason}");
    assert_eq!(archive.store.check().unwrap(), []);
    let decisions = archive.store.decisions(club_id(&archive)).unwrap();
    assert_eq!(decisions.len(), 2, "it is kept");
}

fn club_id(archive: &TestArchive) -> ranklore_store::SourceId {
    archive.store.source_id(&source("club")).unwrap().unwrap()
}

#[test]
fn run_without_contests_loses_its_ratings() {
    let mut archive = TestArchive::with_two_sources();
    for id in ["1", "2", "3"] {
        archive.decide("club", &withdraw(id));
    }
    archive.assert_rebuild_is_stable(None);
    for run in archive.store.runs().unwrap().iter().take(2) {
        assert_eq!((run.contests, run.results), (0, 0));
    }
    archive.decide("club", &restore("2"));
    archive.assert_rebuild_is_stable(None);
}

#[test]
fn run_that_cannot_be_rated_stops_no_rebuild() {
    let mut archive = TestArchive::new();
    archive.runs.truncate(1);
    archive.import(&TestImport::for_club(&[("a.json", rounds_json(&[round_json(1, "abc")]))]));
    for (system, parameters) in [
        // Diverges in the second contest.
        ("plackett-luce", json!({"learning_rate": 1e6, "step": "plain"})),
        ("elo-pairwise", json!({})),
    ] {
        let run = RunSpec {
            system: SystemName::find(system).unwrap(),
            ..RunSpec::elo_mmr(&parameters)
        };
        run.rate(&mut archive.store, &NoProgress).unwrap();
    }
    archive.rate_all();
    let raw = archive.open_raw();
    let out_of_range = "UPDATE rating_run SET parameters =          json_set(parameters, '$.initial_mu', 500000) WHERE system = 'elo-pairwise'";
    assert_eq!(raw.execute(out_of_range, []).unwrap(), 1);
    let more = [
        round_json(2, "cba"),
        round_json(3, "abc"),
        round_json(4, "cba"),
    ];
    archive.import(&TestImport::for_club(&[("b.json", rounds_json(&more))]));
    let report = archive.rebuild(&[]);
    assert_eq!(report.runs.len(), 1);
    let reasons: Vec<String> = report.emptied.iter().map(|run| run.why.to_string()).collect();
    let [diverging, invalid] = &reasons[..] else {
        panic!("{reasons:?}");
    };
    assert!(diverging.contains("plackett-luce diverge"), "{diverging}");
    assert!(invalid.contains("initial_mu"), "{invalid}");
    // The change of the parameters is the only problem.
    let problems = archive.store.check().unwrap();
    assert!(matches!(problems[..], [Problem::Rows { .. }]), "{problems:?}");
    let runs = archive.store.runs().unwrap();
    let contests: Vec<u64> = runs.iter().map(|run| run.contests).collect();
    assert_eq!(contests, [0, 0, 4]);
    assert!(archive.undo("club", None).is_some(), "nor an undo");
}

#[test]
fn rejected_contest_stays_rejected() {
    let mut archive = TestArchive::new();
    let first = ("a.json", rounds_json(&[round_json(1, "abc")]));
    let second = ("b.json", rounds_json(&[round_json(1, "cba"), round_json(2, "ab")]));
    let both = TestImport::for_club(&[first, second.clone()]);
    assert_eq!(archive.import(&both).refused.len(), 1);
    archive.assert_rebuild_is_stable(Some(&both));
    // Imported alone, the newer one counts.
    let alone = TestImport::for_club(&[second]);
    assert_eq!(archive.import(&alone).contests.revised, 1);
    archive.assert_rebuild_is_stable(Some(&alone));
    // And it stays, whatever document is imported with it.
    archive.import(&both);
    archive.assert_rebuild_is_stable(Some(&both));
}
