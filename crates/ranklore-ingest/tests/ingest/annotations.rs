//! Annotations in contest files: states of results, names, starting ratings and merges of
//! competitors.

use std::sync::Mutex;

use crate::NO_TIME_BOUND;
use ranklore_contest::{EntrantKind, StartingRating, UnixSeconds};
use ranklore_formats::ReadOptions;
use ranklore_ingest::{
    Error, ImportReport, PruneRequest, PublicationInfo, decide, forget, import_documents, preview,
    preview_forget, prune,
};
use ranklore_replay::{NoProgress, Progress};
use ranklore_store::{CompetitorRow, ContestState, Decision, Writer};
use ranklore_test_support::{InterruptingProgress, TempDatabase, at, merge, rename, source, split};
use ranklore_views::find_competitor_exact;
use serde_json::{Value, json};

use super::import_folder;
use super::rebuilding::{TestArchive, TestImport, round_json};

/// Returns a contest of `a`, `b` and `c` with these additional members.
fn annotated_contest(id: u32, members: Value) -> Value {
    let mut file = round_json(id, "abc");
    let Value::Object(members) = members else {
        panic!("{members} is no object");
    };
    file.as_object_mut().unwrap().extend(members);
    file
}

/// Returns a contest with every kind of annotation.
fn all_annotations() -> Value {
    annotated_contest(
        1,
        json!({
            "state": "provisional",
            "rated": false,
            "competitors": [
                {"competitor": "a", "name": "Ada Lark", "start_mu": 1620.5, "start_sigma": 80},
                {"competitor": "b", "name": "Bea", "merged_into": "a2"},
                {"competitor": "a2", "name": "Bea Castle", "start_mu": 1400},
                {"competitor": "a", "kind": "team", "name": "The As"},
            ],
        }),
    )
}

fn import(archive: &mut TestArchive, documents: &[(&'static str, &Value)]) -> ImportReport {
    let documents: Vec<_> =
        documents.iter().map(|(name, file)| (*name, file.to_string())).collect();
    archive.import(&TestImport::for_club(&documents))
}

fn competitor(store: &Writer, kind: EntrantKind, id: &str) -> CompetitorRow {
    let source_id = store.source_id(&source("club")).unwrap().unwrap();
    let mut all = store.competitors_of_source(source_id).unwrap().into_iter();
    all.find(|competitor| competitor.kind == kind && competitor.external_id == id)
        .unwrap()
}

fn person(store: &Writer, id: &str) -> CompetitorRow {
    competitor(store, EntrantKind::Person, id)
}

/// Returns the competitor that a person is merged into.
fn merged_into(store: &Writer, id: &str) -> String {
    let root = store.merge_root(person(store, id).competitor_id).unwrap();
    store.competitors_by_id([root]).unwrap().remove(0).external_id
}

fn state(store: &Writer, id: &str) -> (ContestState, bool) {
    let contest = store.contest(&source("club"), id).unwrap().unwrap();
    (contest.state, contest.rated)
}

/// Rebuilds twice and checks that the content hash stays the same.
fn assert_rebuild_is_stable(archive: &mut TestArchive) {
    let before = archive.store.content_hash().unwrap();
    for _ in 0..2 {
        let report = archive.rebuild(&[]);
        assert!(report.sources.iter().all(|source| source.misfits.is_empty()));
        assert_eq!(archive.store.content_hash().unwrap(), before);
        assert_eq!(archive.store.check().unwrap(), []);
    }
}

fn apply_decision(archive: &mut TestArchive, wish: Decision) {
    let now = at(1_800_000_001);
    let decided = decide(&mut archive.store, &source("club"), wish, None, now).unwrap();
    assert!(decided.changed);
}

#[test]
fn annotations_survive_reimport_and_rebuild() {
    let mut archive = TestArchive::new();
    let plain = annotated_contest(2, json!({"state": "unrated"}));
    let documents = [("1.json", &all_annotations()), ("2.json", &plain)];
    let report = import(&mut archive, &documents);
    assert_eq!(report.refused, []);
    assert_eq!((report.contests.added, report.starting_ratings), (2, 2));
    let store = &archive.store;
    assert_eq!(state(store, "1"), (ContestState::Provisional, false));
    assert_eq!(state(store, "2"), (ContestState::Unrated, true));
    let start = StartingRating {
        mu: 1620.5,
        sigma: Some(80.0),
    };
    assert_eq!(person(store, "a").start, Some(start));
    for (id, name) in [
        ("a", "Ada Lark"),
        ("b", "Bea"),
        ("a2", "Bea Castle"),
        ("c", "c"),
    ] {
        assert_eq!(person(store, id).name, name);
    }
    assert_eq!(competitor(store, EntrantKind::Team, "a").name, "The As");
    assert_eq!(merged_into(store, "b"), "a2");
    let source_id = store.source_id(&source("club")).unwrap().unwrap();
    let decisions = store.decisions(source_id).unwrap();
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0].note.as_deref(), Some("as the imported file says"));

    let rows = archive.rows();
    let report = import(&mut archive, &documents);
    assert_eq!((report.contests.unchanged, report.refused), (2, vec![]));
    assert_eq!(archive.rows(), rows, "the same again writes nothing");
    assert_rebuild_is_stable(&mut archive);
    let rows = archive.rows();
    import(&mut archive, &documents);
    assert_eq!(archive.rows(), rows, "nor does it after a rebuild");
    assert_eq!(archive.store.decisions(source_id).unwrap(), decisions);
}

#[test]
fn changed_result_state_is_updated() {
    let mut archive = TestArchive::new();
    for (annotations, expected) in [
        (json!({"state": "provisional"}), (ContestState::Provisional, true)),
        (json!({}), (ContestState::Final, true)),
        (json!({"rated": false}), (ContestState::Final, false)),
    ] {
        import(&mut archive, &[("1.json", &annotated_contest(1, annotations))]);
        assert_eq!(state(&archive.store, "1"), expected);
    }
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn newest_document_sets_the_name() {
    let mut archive = TestArchive::new();
    let named = |id, name: &str| {
        annotated_contest(id, json!({"competitors": [{"competitor": "a", "name": name}]}))
    };
    import(&mut archive, &[("1.json", &named(1, "Ada"))]);
    import(&mut archive, &[("2.json", &named(2, "Ada Lark"))]);
    // The third document does not name the competitor.
    import(&mut archive, &[("3.json", &annotated_contest(3, json!({})))]);
    let rows = archive.rows();
    import(&mut archive, &[("1.json", &named(1, "Ada"))]);
    assert_eq!(archive.rows(), rows);
    assert_eq!(person(&archive.store, "a").name, "Ada Lark");
    assert_rebuild_is_stable(&mut archive);
    // A newer version of the first document names the competitor again.
    import(&mut archive, &[("1.json", &named(1, "A. Lark"))]);
    assert_eq!(person(&archive.store, "a").name, "A. Lark");
    assert_rebuild_is_stable(&mut archive);
    // The name of a competitor named by its id is removed.
    import(&mut archive, &[("2.json", &named(2, "a"))]);
    assert_eq!(person(&archive.store, "a").name, "a");
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn later_import_wins_despite_wrong_clock() {
    let mut archive = TestArchive::new();
    for (id, clock) in [(1, late_clock as fn() -> UnixSeconds), (2, early_clock)] {
        let name = format!("Name {id}");
        let known = json!({"competitors": [{"competitor": "a", "name": name}]});
        let document = (format!("{id}.json"), annotated_contest(id, known));
        import_generated(&mut archive.store, &[document], clock, &NoProgress).unwrap();
    }
    assert_eq!(person(&archive.store, "a").name, "Name 2");
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn last_document_naming_a_competitor_is_kept() {
    let mut archive = TestArchive::new();
    let named = |names: &[(&str, &str)]| {
        let known = names
            .iter()
            .map(|(competitor, name)| json!({"competitor": competitor, "name": name}));
        annotated_contest(1, json!({"competitors": known.collect::<Vec<_>>()}))
    };
    for names in [
        &[("a", "Ada")][..],
        &[("a", "Ada Lark"), ("b", "Bea")],
        &[("b", "Beate")],
        &[],
        &[("b", "Bea Castle")],
    ] {
        import(&mut archive, &[("1.json", &named(names))]);
    }
    let request = PruneRequest {
        source: None,
        until: at(1_800_000_009),
    };
    assert_eq!(prune(&mut archive.store, &request).unwrap().documents, 3);
    for (id, name) in [("a", "Ada Lark"), ("b", "Bea Castle")] {
        assert_eq!(person(&archive.store, id).name, name);
    }
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn user_given_name_survives_import() {
    let mut archive = TestArchive::new();
    let named = |name: &str| {
        annotated_contest(1, json!({"competitors": [{"competitor": "a", "name": name}]}))
    };
    import(&mut archive, &[("1.json", &named("Ada"))]);
    apply_decision(&mut archive, rename("Ada", "Ada of the Harbour"));
    import(&mut archive, &[("1.json", &named("Ada Lark"))]);
    assert_eq!(person(&archive.store, "a").name, "Ada of the Harbour");
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn conflicting_merges_are_refused_and_rest_imported() {
    let mut archive = TestArchive::new();
    let merged = |from: &str, into: &str| json!({"competitor": from, "merged_into": into});
    let first = annotated_contest(1, json!({"competitors": [merged("a", "b"), merged("b", "c")]}));
    let second = annotated_contest(2, json!({"competitors": [merged("c", "a"), merged("a", "d")]}));
    let documents = [("1.json", &first), ("2.json", &second)];
    let report = import(&mut archive, &documents);
    let refused: Vec<_> = report
        .refused
        .iter()
        .map(|misfit| (misfit.document.as_str(), misfit.what.as_str()))
        .collect();
    let refusals = [
        (
            "2.json",
            "\"c\" cannot be merged into \"a\": \"a\" is already merged into \"c\"; split it first",
        ),
        (
            "2.json",
            "\"a\" cannot be merged into \"d\": \"a\" is already merged into another one; split it \
             first",
        ),
    ];
    assert_eq!(refused, refusals);
    assert_eq!(report.contests.added, 2);
    assert_eq!(merged_into(&archive.store, "a"), "c");
    let rows = archive.rows();
    assert_eq!(import(&mut archive, &documents).refused.len(), 2);
    assert_eq!(archive.rows(), rows);
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn user_split_survives_reimport() {
    let mut archive = TestArchive::new();
    let merged = json!({"competitors": [{"competitor": "a", "merged_into": "b"}]});
    import(&mut archive, &[("1.json", &annotated_contest(1, merged.clone()))]);
    apply_decision(&mut archive, split("a"));
    let rows = archive.rows();
    import(&mut archive, &[("1.json", &annotated_contest(1, merged.clone()))]);
    assert_eq!(archive.rows(), rows);
    import(&mut archive, &[("2.json", &annotated_contest(2, merged))]);
    assert_eq!(merged_into(&archive.store, "a"), "a");
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn existing_user_merge_is_not_repeated() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("1.json", &annotated_contest(1, json!({})))]);
    for (from, into) in [("a", "b"), ("b", "c")] {
        apply_decision(&mut archive, merge(from, into));
    }
    let merged = json!({"competitors": [{"competitor": "a", "merged_into": "c"}]});
    let report = import(&mut archive, &[("2.json", &annotated_contest(2, merged))]);
    assert_eq!(report.refused, []);
    let source_id = archive.store.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(archive.store.decisions(source_id).unwrap().len(), 2);
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn dry_run_counts_starting_ratings() {
    let scratch = TempDatabase::new();
    scratch.write("in/1.json", all_annotations().to_string());
    let previewed = preview(
        &vec![scratch.path("in")].into(),
        &ReadOptions::default(),
        NO_TIME_BOUND,
        &NoProgress,
    )
    .unwrap();
    assert_eq!((previewed.contests.len(), previewed.starting_ratings), (1, 2));
}

/// Returns the bytes of the database file and of every document.
fn archive_bytes(archive: &TestArchive) -> Vec<u8> {
    let mut bytes = std::fs::read(archive.store.path()).unwrap();
    let source_id = archive.store.source_id(&source("club")).unwrap().unwrap();
    for row in archive.store.documents(source_id).unwrap() {
        bytes.extend(archive.store.document(row.document_id).unwrap().body);
    }
    bytes
}

#[test]
fn forgotten_person_is_named_nowhere() {
    let mut archive = TestArchive::new();
    let other = json!({"competitors": [
        {"competitor": "c", "name": "Cleo", "merged_into": "person-a"},
        {"competitor": "b", "name": "person-a"},
    ]});
    let mut everything = all_annotations();
    let text = everything.to_string().replace(r#""a""#, r#""person-a""#);
    everything = serde_json::from_str(&text).unwrap();
    let other = annotated_contest(2, other);
    let documents = [("1.json", &everything), ("2.json", &other)];
    assert_eq!(import(&mut archive, &documents).refused, []);
    let now = at(1_800_000_003);
    let planned = preview_forget(&archive.store, &source("club"), "Ada Lark", &NoProgress).unwrap();
    let report = forget(&mut archive.store, &source("club"), "Ada Lark", now, &NoProgress).unwrap();
    assert_eq!(planned, report);
    assert_eq!((report.documents, report.blank.as_str()), (2, "forgotten-1"));
    let blank = person(&archive.store, "forgotten-1");
    assert_eq!(blank.name, "forgotten-1");
    assert_eq!(blank.start.map(|rating| rating.mu), Some(1620.5));
    assert_eq!(merged_into(&archive.store, "c"), "forgotten-1");
    assert_eq!(person(&archive.store, "b").name, "forgotten-1");
    let bytes = archive_bytes(&archive);
    let has = |name: &str| bytes.windows(name.len()).any(|part| part == name.as_bytes());
    assert!(!has("Ada Lark"));
    assert!(has("Bea Castle"), "others are named as before");
    assert_rebuild_is_stable(&mut archive);
    // The original documents have nothing new, and are redacted too.
    let rows = archive.rows();
    import(&mut archive, &documents);
    assert_eq!(archive.rows(), rows);
    // A new document does not restore the name.
    let newer = everything.to_string().replace("Provisional", "Final");
    let newer: Value = serde_json::from_str(&newer.replace("\"Bea\"", "\"Beate\"")).unwrap();
    assert_eq!(import(&mut archive, &[("1.json", &newer)]).refused, []);
    assert_eq!(person(&archive.store, "forgotten-1").name, "forgotten-1");
    assert_eq!(person(&archive.store, "b").name, "Beate");
    let bytes = archive_bytes(&archive);
    let name = b"Ada Lark";
    assert!(!bytes.windows(name.len()).any(|part| part == name));
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn namesake_of_forgotten_person_keeps_name() {
    let mut archive = TestArchive::new();
    let both = json!({"competitors": [
        {"competitor": "a", "name": "Ada Lark"},
        {"competitor": "b", "name": "Ada Lark"},
    ]});
    import(&mut archive, &[("1.json", &annotated_contest(1, both))]);
    let error =
        find_competitor_exact(&archive.store, &source("club"), "Ada Lark", None).unwrap_err();
    assert!(matches!(error, ranklore_replay::Error::NoCompetitor(_)), "{error}");
    forget(&mut archive.store, &source("club"), "a", at(1_800_000_003), &NoProgress).unwrap();
    assert_eq!(person(&archive.store, "forgotten-1").name, "forgotten-1");
    assert_eq!(person(&archive.store, "b").name, "Ada Lark");
    assert_rebuild_is_stable(&mut archive);
}

fn early_clock() -> UnixSeconds {
    at(1_800_000_000)
}

fn late_clock() -> UnixSeconds {
    at(1_800_000_500)
}

fn import_generated(
    store: &mut Writer,
    documents: &[(String, Value)],
    clock: fn() -> UnixSeconds,
    watch: &dyn Progress,
) -> Result<ImportReport, Error> {
    let made = documents
        .iter()
        .map(|(key, file)| Ok((key.clone(), file.to_string().into_bytes())));
    import_documents(store, &source("club"), &[], made, documents.len() as u64, clock, watch)
}

fn three_documents() -> Vec<(String, Value)> {
    let file = |id| {
        let name = format!("Ada {id}");
        let known = json!({"competitors": [{"competitor": "a", "name": name}]});
        (format!("contest/{id}.json"), annotated_contest(id, known))
    };
    (1..=3).map(file).collect()
}

/// Records the progress in documents.
#[derive(Default)]
struct ProgressLog(Mutex<Vec<(u64, u64)>>);

impl Progress for ProgressLog {
    fn begin_task(&self, _task: &str, total: u64) {
        self.0.lock().unwrap().push((0, total));
    }
    fn advance(&self, done: u64, contests: u64, _results: u64) {
        self.0.lock().unwrap().push((done, contests));
    }
    fn note(&self, line: &str) {
        panic!("{line}");
    }
    fn is_interrupted(&self) -> bool {
        false
    }
}

#[test]
fn generated_files_import_like_files_on_disk() {
    let scratch = TempDatabase::new();
    for (key, file) in three_documents() {
        scratch.write(&format!("in/{key}"), file.to_string());
    }
    let imported = import_folder(&scratch, &NoProgress);
    let mut archive = TestArchive::new();
    let log = ProgressLog::default();
    let report =
        import_generated(&mut archive.store, &three_documents(), early_clock, &log).unwrap();
    assert_eq!((report.documents, report.contests.added), (3, 3));
    assert_eq!((imported.documents, imported.contests.added), (3, 3));
    assert_eq!(log.0.into_inner().unwrap(), [(0, 3), (1, 1), (2, 2), (3, 3)]);
    assert_eq!(archive.store.content_hash().unwrap(), scratch.content_hash());
    let source_id = archive.store.source_id(&source("club")).unwrap().unwrap();
    let rows = archive.store.documents(source_id).unwrap();
    let keys: Vec<_> = rows.into_iter().map(|row| row.request_key).collect();
    assert_eq!(keys, ["contest/1.json", "contest/2.json", "contest/3.json"]);
    assert_rebuild_is_stable(&mut archive);
    let rows = archive.rows();
    let again =
        import_generated(&mut archive.store, &three_documents(), late_clock, &NoProgress).unwrap();
    assert_eq!((again.contests.added, again.contests.unchanged), (0, 3));
    assert_eq!(archive.rows(), rows);
}

#[test]
fn invalid_generated_file_is_refused_and_rest_imported() {
    let mut archive = TestArchive::new();
    let mut documents = three_documents();
    documents[0].1["state"] = "running".into();
    // Two documents have the contest 2 now.
    documents[2].1["id"] = 2.into();
    let report =
        import_generated(&mut archive.store, &documents, early_clock, &NoProgress).unwrap();
    let refused: Vec<_> = report.refused.iter().map(|refusal| &*refusal.document).collect();
    assert_eq!(refused, ["contest/1.json", "contest/3.json"]);
    assert_eq!(report.contests.added, 1);
    assert_rebuild_is_stable(&mut archive);
}

#[test]
fn site_terms_apply_under_any_source_name() {
    let sites = ["o2cm", "nobody's", "ctftime", "o2cm"].map(str::to_owned);
    let mut archive = TestArchive::new();
    let made = three_documents().into_iter();
    let made = made.map(|(key, file)| Ok((key, file.to_string().into_bytes())));
    import_documents(
        &mut archive.store,
        &source("club"),
        &sites,
        made,
        3,
        early_clock,
        &NoProgress,
    )
    .unwrap();
    forget(&mut archive.store, &source("club"), "a", late_clock(), &NoProgress).unwrap();
    // Imported after a person was forgotten.
    let fourth = annotated_contest(4, json!({})).to_string().into_bytes();
    let fourth = [Ok(("contest/4.json".to_owned(), fourth))].into_iter();
    import_documents(
        &mut archive.store,
        &source("club"),
        &sites,
        fourth,
        1,
        late_clock,
        &NoProgress,
    )
    .unwrap();
    let source_id = archive.store.source_id(&source("club")).unwrap().unwrap();
    for document in archive.store.documents(source_id).unwrap() {
        let reading = document.reading.unwrap();
        assert!(reading.contains(r#""sites":["ctftime","o2cm"]"#), "{reading}");
    }
    assert_rebuild_is_stable(&mut archive);
    let publishing = PublicationInfo::load(&archive.store, &source("club")).unwrap();
    let names: Vec<&str> = publishing.sites.iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["ctftime", "o2cm"]);
    assert!(publishing.pseudonyms);
    assert_eq!(publishing.forbidding_sites().collect::<Vec<_>>(), names);
    // Without sites, no terms apply.
    let mut archive = TestArchive::new();
    import_generated(&mut archive.store, &three_documents(), early_clock, &NoProgress).unwrap();
    let publishing = PublicationInfo::load(&archive.store, &source("club")).unwrap();
    assert!(publishing.sites.is_empty() && !publishing.pseudonyms);
}

#[test]
fn failed_generation_imports_nothing() {
    let mut archive = TestArchive::new();
    let rows = archive.rows();
    let made = three_documents().into_iter().map(|(key, file)| {
        if key == "contest/3.json" {
            return Err(Error::Interrupted);
        }
        Ok((key, file.to_string().into_bytes()))
    });
    let error = import_documents(
        &mut archive.store,
        &source("club"),
        &[],
        made,
        3,
        early_clock,
        &NoProgress,
    )
    .unwrap_err();
    assert!(matches!(error, Error::Interrupted), "{error}");
    assert_eq!(archive.rows(), rows);
}

#[test]
fn interrupted_generated_import_can_resume() {
    let mut complete = TestArchive::new();
    import_generated(&mut complete.store, &three_documents(), early_clock, &NoProgress).unwrap();
    let mut patience = 0;
    loop {
        let mut archive = TestArchive::new();
        let watch = InterruptingProgress::after(patience);
        let report =
            import_generated(&mut archive.store, &three_documents(), early_clock, &watch).unwrap();
        assert_eq!(archive.store.check().unwrap(), []);
        // The next import adds the rest.
        import_generated(&mut archive.store, &three_documents(), early_clock, &NoProgress).unwrap();
        let hash = archive.store.content_hash().unwrap();
        assert_eq!(hash, complete.store.content_hash().unwrap());
        if !report.interrupted {
            break;
        }
        patience += 1;
    }
    assert_eq!(patience, 3, "at each document");
}
