//! Refused imports, contests removed from their file, undone imports, removed sources.

use ranklore_contest::ForgottenNames as _;
use ranklore_ingest::{Error, ImportReport, PruneRequest, decide, forget, prune};
use ranklore_replay::NoProgress;
use ranklore_store::{Decision, DecisionAction, SyncKind};
use ranklore_test_support::{at, merge, rename, restore, source, split, withdraw};
use serde_json::{Value, json};

use super::rebuilding::{TestArchive, TestImport, round_json, round_table, rounds_json};

fn import(archive: &mut TestArchive, documents: &[(&'static str, String)]) -> ImportReport {
    archive.import(&TestImport::for_club(documents))
}

fn replace(archive: &mut TestArchive, documents: &[(&'static str, String)]) -> ImportReport {
    archive.import(&TestImport {
        replace: true,
        ..TestImport::for_club(documents)
    })
}

/// Returns a document with a contest for each id.
fn rounds(ids: &[u32]) -> String {
    let rounds: Vec<Value> = ids.iter().map(|&id| round_json(id, "abc")).collect();
    rounds_json(&rounds)
}

fn hash(archive: &TestArchive) -> [u8; 32] {
    assert_eq!(archive.store.check().unwrap(), []);
    archive.store.content_hash().unwrap()
}

/// Returns the external ids of the contests that are not withdrawn.
fn rated_contests(archive: &TestArchive) -> Vec<String> {
    let Some(club) = archive.store.source_id(&source("club")).unwrap() else {
        return Vec::new();
    };
    let mut contests = archive.store.contests_of_source(club).unwrap();
    contests.retain(|row| row.withdrawn_at.is_none());
    let mut ids: Vec<_> = contests.into_iter().map(|row| row.external_id).collect();
    ids.sort();
    ids
}

fn ids(contests: &[ranklore_ingest::DocumentContest]) -> Vec<&str> {
    contests.iter().map(|contest| &*contest.contest).collect()
}

#[test]
fn refused_import_writes_nothing() {
    let mut archive = TestArchive::new();
    let rows = archive.rows();
    for (name, text) in [
        ("a.json", ""),
        ("a.csv", ""),
        ("a.csv", "\u{1}\u{2}\u{3}\0\0"),
        ("a.xlsx", "no workbook"),
        ("a.json", r#"[{"name": "no standings"}]"#),
    ] {
        let report = import(&mut archive, &[(name, text.to_owned())]);
        assert!(!report.refused.is_empty(), "{name} {text:?}");
        assert_eq!(archive.rows(), rows, "{name} {text:?}");
    }
    let report = import(&mut archive, &[("bad.json", "{".to_owned()), ("good.json", rounds(&[1]))]);
    assert_eq!((report.refused.len(), report.contests.added), (1, 1));
    let keys = archive.documents().into_iter().map(|(_, key)| key);
    assert_eq!(keys.collect::<Vec<_>>(), ["good.json"]);
    // An unreadable correction leaves the version before.
    let rows = archive.rows();
    import(&mut archive, &[("good.json", "{".to_owned())]);
    assert_eq!(archive.rows(), rows);
}

#[test]
fn partly_refused_document_is_archived() {
    let mut archive = TestArchive::new();
    let text = rounds_json(&[round_json(1, "abc"), json!({"name": "no standings"})]);
    let report = import(&mut archive, &[("a.json", text)]);
    assert_eq!((report.refused.len(), report.contests.added), (1, 1));
    assert_eq!(archive.documents().len(), 1);
}

#[test]
fn removed_contest_is_reported_then_withdrawn_then_restored() {
    let mut archive = TestArchive::new();
    let both = [("a.json", rounds(&[1, 2]))];
    let one = [("a.json", rounds(&[1])), ("b.json", rounds(&[3]))];
    import(&mut archive, &both);
    let report = import(&mut archive, &one);
    assert_eq!(ids(&report.removed), ["2"]);
    assert_eq!(report.removed[0].document, "a.json");
    assert_eq!(rated_contests(&archive), ["1", "2", "3"]);
    // Unchanged, it is said again, and can be withdrawn.
    assert_eq!(ids(&import(&mut archive, &one).removed), ["2"]);
    let report = replace(&mut archive, &one);
    assert_eq!(ids(&report.withdrawn), ["2"]);
    assert!(report.removed.is_empty());
    assert_eq!(rated_contests(&archive), ["1", "3"]);
    let rows = archive.rows();
    let report = replace(&mut archive, &one);
    assert!(report.withdrawn.is_empty() && report.removed.is_empty());
    assert_eq!(archive.rows(), rows);
    archive.assert_rebuild_is_stable(None);

    let report = import(&mut archive, &both);
    assert_eq!(ids(&report.returned), ["2"]);
    assert_eq!(rated_contests(&archive), ["1", "3"]);
    let report = replace(&mut archive, &both);
    assert_eq!(ids(&report.restored), ["2"]);
    assert_eq!(rated_contests(&archive), ["1", "2", "3"]);
    archive.assert_rebuild_is_stable(None);
    archive.undo("club", Some("b.json")).unwrap();
    assert_eq!(rated_contests(&archive), ["1", "2"]);
}

#[test]
fn withdrawn_contest_is_known_after_prune() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    replace(&mut archive, &[("a.json", rounds(&[1]))]);
    import(&mut archive, &[("a.json", rounds(&[1, 3]))]);
    let request = PruneRequest {
        source: None,
        until: at(1_900_000_000),
    };
    assert_eq!(prune(&mut archive.store, &request).unwrap().documents, 1);
    let report = import(&mut archive, &[("a.json", rounds(&[1, 2, 3]))]);
    assert_eq!(ids(&report.returned), ["2"]);
    assert_eq!(rated_contests(&archive), ["1", "3"]);
    archive.assert_rebuild_is_stable(None);
}

#[test]
fn contest_moved_to_another_file_is_not_removed() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    let moved = [("a.json", rounds(&[1])), ("b.json", rounds(&[2]))];
    let report = replace(&mut archive, &moved);
    assert!(report.withdrawn.is_empty());
    assert_eq!(rated_contests(&archive), ["1", "2"]);
}

#[test]
fn refusal_in_new_version_withdraws_nothing() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    let broken = rounds_json(&[round_json(1, "abc"), json!({"name": "Round 2"})]);
    let report = replace(&mut archive, &[("a.json", broken)]);
    assert!(report.withdrawn.is_empty() && report.removed.is_empty());
    assert_eq!(report.warnings.len(), 1);
    assert!(
        report.warnings[0].what.contains("something in it was refused"),
        "{:?}",
        report.warnings
    );
    assert_eq!(rated_contests(&archive), ["1", "2"]);
}

#[test]
fn contest_restored_by_user_is_not_withdrawn_again() {
    let mut archive = TestArchive::new();
    let one = [("a.json", rounds(&[1]))];
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    replace(&mut archive, &one);
    archive.decide("club", &restore("2"));
    let report = replace(&mut archive, &one);
    assert!(report.withdrawn.is_empty() && report.removed.is_empty());
    assert_eq!(rated_contests(&archive), ["1", "2"]);
    // Restored before it was removed, it is reported.
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    archive.decide("club", &withdraw("2"));
    archive.decide("club", &restore("2"));
    assert_eq!(ids(&import(&mut archive, &one).removed), ["2"]);
    // Restored by an import, it is withdrawn again.
    let mut archive = TestArchive::new();
    for ids in [&[1, 2][..], &[1], &[1, 2], &[1]] {
        replace(&mut archive, &[("a.json", rounds(ids))]);
    }
    assert_eq!(rated_contests(&archive), ["1"]);
}

#[test]
fn withdrawal_by_user_is_not_restored() {
    let mut archive = TestArchive::new();
    let both = [("a.json", rounds(&[1, 2]))];
    import(&mut archive, &both);
    archive.decide("club", &withdraw("2"));
    let report = replace(&mut archive, &[("a.json", rounds(&[1]))]);
    assert!(report.withdrawn.is_empty());
    let report = replace(&mut archive, &both);
    assert!(report.restored.is_empty() && report.returned.is_empty());
    assert_eq!(rated_contests(&archive), ["1"]);
}

#[test]
fn contest_in_another_file_is_not_withdrawn() {
    let mut archive = TestArchive::new();
    let f = ("f.json", rounds(&[1, 2]));
    let g = ("g.json", rounds(&[3]));
    import(&mut archive, std::slice::from_ref(&f));
    import(&mut archive, &[("g.json", rounds(&[2, 3]))]);
    // f.json has contest 2, whether it is part of this import or only archived.
    for documents in [&[g.clone()][..], &[f.clone(), g.clone()]] {
        let report = replace(&mut archive, documents);
        assert!(report.withdrawn.is_empty() && report.removed.is_empty());
        assert_eq!(rated_contests(&archive), ["1", "2", "3"]);
    }
    // Once no newest version has it, it is withdrawn; any file brings it back.
    let one = [("f.json", rounds(&[1])), g.clone()];
    assert_eq!(ids(&replace(&mut archive, &one).withdrawn), ["2"]);
    let h = [("h.json", rounds(&[2]))];
    assert_eq!(ids(&import(&mut archive, &h).returned), ["2"]);
    let report = replace(&mut archive, &h);
    assert_eq!(ids(&report.restored), ["2"]);
    assert_eq!(report.restored[0].document, "h.json");
    assert_eq!(rated_contests(&archive), ["1", "2", "3"]);
    archive.assert_rebuild_is_stable(None);
}

#[test]
fn decisions_of_user_outlast_undo() {
    let one = [("a.json", rounds(&[1]))];
    // Restored after an import withdrew it, it stays rated.
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    replace(&mut archive, &one);
    archive.decide("club", &restore("2"));
    archive.undo("club", None).unwrap();
    assert!(replace(&mut archive, &one).withdrawn.is_empty());
    assert_eq!(rated_contests(&archive), ["1", "2"]);
    // A withdrawal and a merge that repeat those of an import are the user's.
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    let mut merging = round_json(1, "abc");
    merging["competitors"] = json!([{"competitor": "b", "merged_into": "c"}]);
    replace(&mut archive, &[("a.json", merging.to_string())]);
    archive.decide("club", &withdraw("2"));
    archive.decide("club", &merge("b", "c"));
    let club = archive.store.source_id(&source("club")).unwrap().unwrap();
    assert_eq!(archive.store.decisions(club).unwrap().len(), 4);
    // Repeated once more, they are not stored again.
    archive.decide("club", &withdraw("2"));
    archive.decide("club", &merge("b", "c"));
    assert_eq!(archive.store.decisions(club).unwrap().len(), 4);
    archive.undo("club", None).unwrap();
    assert_eq!(rated_contests(&archive), ["1"]);
    assert_eq!(archive.store.merges(club).unwrap().len(), 1);
}

#[test]
fn note_of_user_is_no_decision_of_import() {
    let mut archive = TestArchive::new();
    let both = [("a.json", rounds(&[1, 2]))];
    import(&mut archive, &both);
    let wish = withdraw("2");
    let note = Some("no longer in a.json");
    decide(&mut archive.store, &source("club"), wish, note, at(6)).unwrap();
    let report = replace(&mut archive, &both);
    assert!(report.restored.is_empty());
    assert_eq!(rated_contests(&archive), ["1"]);
}

#[test]
fn undo_of_import_that_only_withdrew_keeps_documents() {
    let mut archive = TestArchive::new();
    let one = [("a.json", rounds(&[1]))];
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    import(&mut archive, &one);
    let before = hash(&archive);
    replace(&mut archive, &one);
    assert_eq!(rated_contests(&archive), ["1"]);
    let report = archive.undo("club", None).unwrap();
    assert_eq!((report.documents.len(), report.decisions), (0, 1));
    assert_eq!(hash(&archive), before);
    assert_eq!(archive.undo("club", None).unwrap().documents, ["a.json"]);
    assert_eq!(archive.documents().len(), 1);
}

#[test]
fn merge_is_gone_after_source_is_undone() {
    let mut archive = TestArchive::new();
    let mut merging = round_json(1, "abc");
    merging["competitors"] = json!([{"competitor": "b", "merged_into": "c"}]);
    import(&mut archive, &[("a.json", merging.to_string())]);
    assert!(archive.undo("club", None).unwrap().source_removed);
    import(&mut archive, &[("b.json", rounds(&[1]))]);
    let club = archive.store.source_id(&source("club")).unwrap().unwrap();
    assert!(archive.store.merges(club).unwrap().is_empty());
}

#[test]
fn name_in_undone_source_can_be_forgotten() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("Ann Lark.csv", round_table(1, "ab", None))]);
    archive.decide("club", &rename("a", "Ann Lark"));
    assert!(archive.undo("club", None).unwrap().source_removed);
    let club = source("club");
    forget(&mut archive.store, &club, "Ann Lark", at(5), &NoProgress).unwrap();
    let path = archive.store.path().to_owned();
    drop(archive.store);
    let bytes = std::fs::read(path).unwrap();
    assert!(!bytes.windows(8).any(|part| part == b"Ann Lark"));
}

#[test]
fn similar_source_is_found_behind_shorter_name() {
    let mut archive = TestArchive::new();
    let mut similar = None;
    for source in ["c", "cdefg", "cde"] {
        let documents = [("a.json", rounds(&[1]))];
        let import = TestImport {
            source,
            ..TestImport::for_club(&documents)
        };
        similar = archive.import(&import).similar_source;
    }
    // "c" is as near, but two letters of three are not a slip.
    assert_eq!(similar.as_deref(), Some("cdefg"));
}

#[test]
fn undo_of_correction_restores_former_result() {
    let mut archive = TestArchive::new();
    let old = [("a.json", rounds(&[1, 2]))];
    let new = [("a.json", rounds_json(&[round_json(1, "cba"), round_json(4, "ab")]))];
    import(&mut archive, &old);
    let before = hash(&archive);
    replace(&mut archive, &new);
    let after = hash(&archive);
    let report = archive.undo("club", None).unwrap();
    assert_eq!(report.documents, ["a.json"]);
    assert_eq!((report.removed, report.revised), (1, 1));
    assert_eq!(hash(&archive), before, "the withdrawal is undone, too");
    let club = archive.store.source_id(&source("club")).unwrap().unwrap();
    let decisions = archive.store.decisions(club).unwrap();
    let undo = Decision::new(DecisionAction::Undo, "a.json");
    assert_eq!(decisions.len(), 1);
    assert_eq!(decisions[0].decision, undo);
    let last = archive.store.last_sync(club).unwrap().unwrap();
    assert_eq!((last.kind, last.added), (SyncKind::Import, 2));
    replace(&mut archive, &new);
    assert_eq!(hash(&archive), after);
    archive.assert_rebuild_is_stable(None);
}

#[test]
fn undo_of_first_import_removes_source() {
    let mut archive = TestArchive::new();
    let empty = hash(&archive);
    let first = [
        ("a.json", rounds(&[1, 2])),
        ("b.csv", round_table(3, "bac", Some(1620.5))),
    ];
    import(&mut archive, &first);
    let before = hash(&archive);
    archive.rate_all();
    let report = archive.undo("club", None).unwrap();
    assert_eq!(report.documents, ["a.json", "b.csv"]);
    assert!(report.source_removed);
    assert_eq!((report.removed, report.deleted_runs.len()), (3, 2));
    assert_eq!(hash(&archive), empty);
    assert_eq!(archive.undo("club", None).map(|_| ()), None);
    import(&mut archive, &first);
    assert_eq!(hash(&archive), before);
}

#[test]
fn undo_takes_names_starting_ratings_and_merges_back() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1, 2]))]);
    let before = hash(&archive);
    let mut annotated = round_json(3, "abc");
    annotated["competitors"] = json!([
        {"competitor": "a", "name": "Ada Lark", "start_mu": 1620.5},
        {"competitor": "b", "merged_into": "c"},
    ]);
    let documents = [("b.json", annotated.to_string())];
    import(&mut archive, &documents);
    let after = hash(&archive);
    archive.undo("club", Some("b.json")).unwrap();
    assert_eq!(hash(&archive), before);
    import(&mut archive, &documents);
    assert_eq!(hash(&archive), after);
    // A split by the user holds, whether the file says so again or not.
    archive.decide("club", &split("b"));
    let after = hash(&archive);
    archive.undo("club", Some("b.json")).unwrap();
    assert_eq!(hash(&archive), before);
    import(&mut archive, &documents);
    assert_eq!(hash(&archive), after);
    archive.assert_rebuild_is_stable(None);
}

#[test]
fn decisions_wait_for_undone_contests() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1]))]);
    let second = [("b.json", rounds(&[2]))];
    import(&mut archive, &second);
    archive.decide("club", &withdraw("2"));
    archive.decide("club", &merge("a", "b"));
    let after = hash(&archive);
    let report = archive.undo("club", None).unwrap();
    assert!(report.misfits.is_empty());
    archive.assert_rebuild_is_stable(None);
    let report = archive.undo("club", None).unwrap();
    assert!(report.source_removed);
    import(&mut archive, &[("a.json", rounds(&[1]))]);
    import(&mut archive, &second);
    assert_eq!(hash(&archive), after);
}

#[test]
fn undo_rates_runs_again() {
    let mut archive = TestArchive::with_two_sources();
    let before = hash(&archive);
    import(&mut archive, &[("a.json", rounds(&[1, 2, 5]))]);
    archive.rate_all();
    let report = archive.undo("club", None).unwrap();
    assert_eq!(report.runs.len(), 3);
    assert_eq!(hash(&archive), before);
    let rows = archive.rows();
    archive.rate_all();
    assert_eq!(archive.rows(), rows, "every run is up to date");
}

#[test]
fn undo_refuses_unknown_superseded_and_mined_documents() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1]))]);
    import(&mut archive, &[("a.json", rounds(&[2]))]);
    let undo = |archive: &mut TestArchive, document: &str| {
        let request = ranklore_ingest::UndoRequest {
            source: source("club"),
            document: Some(document.to_owned()),
        };
        ranklore_ingest::undo_import(&mut archive.store, &request, || at(9), &NoProgress)
    };
    let rows = archive.rows();
    for (document, expected) in [
        ("b.json", "has no document \"b.json\""),
        ("1", "superseded by document 2"),
    ] {
        let error = undo(&mut archive, document).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
        assert_eq!(archive.rows(), rows);
    }
    assert_eq!(undo(&mut archive, "2").unwrap().revised, 0);
    assert_eq!(rated_contests(&archive), ["1"]);
    let raw = rusqlite::Connection::open(archive.store.path()).unwrap();
    raw.execute(r#"UPDATE document SET reading = '{"site":"codeforces"}'"#, [])
        .unwrap();
    drop(raw);
    let error = undo(&mut archive, "a.json").unwrap_err();
    assert!(error.to_string().contains("answer of a site"), "{error}");
}

#[test]
fn undo_that_would_change_other_contests_is_refused() {
    let mut archive = TestArchive::new();
    import(&mut archive, &[("a.json", rounds(&[1]))]);
    import(&mut archive, &[("b.json", rounds(&[2]))]);
    // Simulates a document that this version refuses to read.
    let raw = rusqlite::Connection::open(archive.store.path()).unwrap();
    let note = r#"UPDATE document SET reading = '{"format":"stone"}' WHERE document_id = 1"#;
    raw.execute(note, []).unwrap();
    drop(raw);
    let rows = archive.rows();
    let request = ranklore_ingest::UndoRequest {
        source: source("club"),
        document: None,
    };
    let undone = ranklore_ingest::undo_import(&mut archive.store, &request, || at(9), &NoProgress);
    let Err(Error::InvalidRequest { reason }) = undone else {
        panic!("{undone:?}");
    };
    assert!(reason.contains("1 other contest would change, such as \"1\""), "{reason}");
    assert_eq!(archive.rows(), rows);
}

#[test]
fn removed_source_leaves_the_others() {
    let mut archive = TestArchive::with_two_sources();
    archive.decide("club", &withdraw("1"));
    archive.rate_all();
    let report = archive.remove("club").unwrap();
    assert_eq!((report.documents, report.contests), (2, 3));
    assert_eq!((report.decisions, report.deleted_runs.len()), (1, 2));
    // The run over both is over the other one.
    let [run] = &report.runs[..] else {
        panic!("{report:?}");
    };
    assert_eq!(run.sources, [source("away")]);
    assert_eq!(archive.store.sources().unwrap().len(), 1);
    let removed = hash(&archive);
    archive.assert_rebuild_is_stable(None);
    assert_eq!(archive.remove("club").map(|_| ()), None);
    // The name can be used again, without the old decisions.
    archive.runs.clear();
    import(&mut archive, &[("a.json", rounds(&[1]))]);
    assert_eq!(rated_contests(&archive), ["1"]);
    archive.undo("club", None).unwrap();
    assert_eq!(hash(&archive), removed);
}

#[test]
fn forgotten_person_stays_forgotten_after_removal() {
    let mut archive = TestArchive::new();
    let named = round_table(1, "ab", None).replace(",b,", ",Berta Blum,");
    import(&mut archive, &[("a.csv", named.clone())]);
    let club = source("club");
    forget(&mut archive.store, &club, "Berta Blum", at(5), &NoProgress).unwrap();
    let before = hash(&archive);
    archive.remove("club").unwrap();
    import(&mut archive, &[("a.csv", named)]);
    assert_eq!(hash(&archive), before);
    let club = archive.store.source_id(&club).unwrap().unwrap();
    let forgotten = archive.store.tombstones(club).unwrap();
    assert!(forgotten.placeholder("Berta Blum").is_some());
    for person in archive.store.competitors_of_source(club).unwrap() {
        assert!(!person.name.contains("Berta"), "{person:?}");
    }
    let wish = withdraw("1");
    decide(&mut archive.store, &source("club"), wish, None, at(6)).unwrap();
    archive.assert_rebuild_is_stable(None);
}
