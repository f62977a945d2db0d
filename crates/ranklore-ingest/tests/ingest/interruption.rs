//! Interruption and progress of an import.

use ranklore_ingest::rebuild;
use ranklore_replay::NoProgress;
use ranklore_test_support::{DAY, InterruptingProgress, TempDatabase, at, random_contest_file};

use super::import_folder;

/// Writes ten documents of three contests each.
fn thirty_contests() -> TempDatabase {
    let scratch = TempDatabase::new();
    for document in 0..10 {
        let contests: Vec<_> = (0..3)
            .map(|part| document * 3 + part)
            .map(|id| random_contest_file(id, i64::from(id) * DAY, 5))
            .collect();
        let text = serde_json::Value::Array(contests).to_string();
        scratch.write(&format!("in/{document}.json"), text);
    }
    scratch
}

#[test]
fn interrupted_import_keeps_whole_documents_and_resumes() {
    let undisturbed = thirty_contests();
    import_folder(&undisturbed, &NoProgress);
    let expected = undisturbed.content_hash();
    for patience in [0, 1, 2, 5, 9] {
        let scratch = thirty_contests();
        let watch = InterruptingProgress::after(patience);
        let report = import_folder(&scratch, &watch);
        assert!(report.interrupted, "{patience}");
        // Checked once per document.
        let contests = u64::from(patience) * 3;
        assert_eq!((report.contests.added, report.results), (contests, contests * 5), "{patience}");
        if contests > 0 {
            let hash = scratch.content_hash();
            let writer = scratch.open_writer();
            assert_eq!(writer.all_contests().unwrap().len() as u64, contests);
            assert_ne!(hash, expected);
            drop(writer);
            rebuild(&mut scratch.open_writer(), &[], || at(9), &NoProgress).unwrap();
            assert_eq!(scratch.content_hash(), hash, "{patience}");
        }
        let rest = import_folder(&scratch, &NoProgress);
        assert!(!rest.interrupted);
        assert_eq!((rest.contests.added, rest.contests.unchanged), (30 - contests, contests));
        assert_eq!(scratch.content_hash(), expected, "{patience}");
    }
    let scratch = thirty_contests();
    let watch = InterruptingProgress::after(10);
    assert!(!import_folder(&scratch, &watch).interrupted, "it was done before");
}

#[test]
fn progress_counts_all_bytes_and_notes_refusals() {
    let scratch = thirty_contests();
    scratch.write("in/3b.json", "{");
    let watch = InterruptingProgress::after(u32::MAX);
    import_folder(&scratch, &watch);
    let sizes = std::fs::read_dir(scratch.path("in")).unwrap();
    let total: u64 = sizes.map(|file| file.unwrap().metadata().unwrap().len()).sum();
    let messages = watch.messages();
    assert_eq!(messages[0], format!("importing {total}"));
    assert!(messages[1].starts_with("3b.json: line 1: this is not JSON"), "{messages:?}");
    let advanced = watch.advances();
    assert_eq!(advanced.len(), 11);
    assert!(advanced.is_sorted());
    assert_eq!(advanced.last(), Some(&(total, 30, 150)));
}
