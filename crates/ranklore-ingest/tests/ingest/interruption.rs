//! An import that is told to end, and one that tells of its progress.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use ranklore_replay::Error;
use ranklore_replay::{Silent, Watch, rate};

use super::{DAY, Scratch, random_contest, request};

/// Says "end" from the n-th time it is asked, and writes down what it is told.
#[derive(Default)]
pub(super) struct Impatient {
    patience: u32,
    asked: AtomicU32,
    told: Mutex<Vec<String>>,
    advanced: Mutex<Vec<(u64, u64, u64)>>,
}

impl Impatient {
    pub(super) fn after(patience: u32) -> Self {
        Self {
            patience,
            ..Self::default()
        }
    }

    pub(super) fn told(&self) -> Vec<String> {
        self.told.lock().unwrap().clone()
    }

    pub(super) fn advanced(&self) -> Vec<(u64, u64, u64)> {
        self.advanced.lock().unwrap().clone()
    }
}

impl Watch for Impatient {
    fn begin(&self, task: &str, total: u64) {
        self.told.lock().unwrap().push(format!("{task} {total}"));
    }
    fn advanced(&self, done: u64, contests: u64, results: u64) {
        self.advanced
            .lock()
            .unwrap()
            .push((done, contests, results));
    }
    fn note(&self, line: &str) {
        self.told.lock().unwrap().push(line.to_owned());
    }
    fn interrupted(&self) -> bool {
        self.asked.fetch_add(1, Ordering::Relaxed) >= self.patience
    }
}

/// Ten documents of three contests each.
fn thirty() -> Scratch {
    let scratch = Scratch::new();
    for document in 0..10 {
        let contests: Vec<_> = (0..3)
            .map(|part| document * 3 + part)
            .map(|id| random_contest(id, i64::from(id) * DAY, 5))
            .collect();
        let text = serde_json::Value::Array(contests).to_string();
        scratch.write(&format!("{document}.json"), text);
    }
    scratch
}

#[test]
fn an_interrupted_import_keeps_whole_contests_and_is_carried_on() {
    let undisturbed = thirty();
    undisturbed.import(&Silent);
    let expected = undisturbed.content_hash();
    for patience in [0, 1, 2, 5, 17, 38, 39] {
        let scratch = thirty();
        let watch = Impatient::after(patience);
        let report = scratch.import(&watch);
        assert!(report.interrupted, "{patience}");
        // It is asked once for every document and once for every contest.
        let contests = u64::from(patience - patience.div_ceil(4));
        assert_eq!(
            (report.added, report.results),
            (contests, contests * 5),
            "{patience}"
        );
        if contests > 0 {
            let hash = scratch.content_hash();
            let writer = scratch.writer();
            assert_eq!(writer.all_contests().unwrap().len() as u64, contests);
            assert_ne!(hash, expected);
        }
        let rest = scratch.import(&Silent);
        assert!(!rest.interrupted);
        assert_eq!((rest.added, rest.unchanged), (30 - contests, contests));
        assert_eq!(scratch.content_hash(), expected, "{patience}");
    }
    let scratch = thirty();
    let watch = Impatient::after(40);
    assert!(!scratch.import(&watch).interrupted, "it was done before");
}

#[test]
fn progress_counts_bytes_up_to_all_and_notes_what_is_refused() {
    let scratch = thirty();
    scratch.write("3b.json", "{");
    let watch = Impatient::after(u32::MAX);
    scratch.import(&watch);
    let sizes = std::fs::read_dir(scratch.path("in")).unwrap();
    let total: u64 = sizes
        .map(|file| file.unwrap().metadata().unwrap().len())
        .sum();
    let told = watch.told.into_inner().unwrap();
    assert_eq!(told[0], format!("importing {total}"));
    assert!(
        told[1].starts_with("3b.json: line 1: this is not JSON"),
        "{told:?}"
    );
    let advanced = watch.advanced.into_inner().unwrap();
    assert_eq!(advanced.len(), 11);
    assert!(advanced.is_sorted());
    assert_eq!(advanced.last(), Some(&(total, 30, 150)));
}

#[test]
fn an_interrupted_run_writes_nothing() {
    let scratch = thirty();
    scratch.import(&Silent);
    let before = scratch.content_hash();
    for patience in [0, 1, 15, 29] {
        let watch = Impatient::after(patience);
        let error = rate(&mut scratch.writer(), request(&().into()), &watch).unwrap_err();
        assert!(matches!(error, Error::Interrupted), "{error:?}");
        assert_eq!(scratch.content_hash(), before);
    }
    let watch = Impatient::after(30);
    let report = rate(&mut scratch.writer(), request(&().into()), &watch).unwrap();
    assert_eq!((report.contests, report.results), (30, 150));
    assert_eq!(watch.told.into_inner().unwrap(), ["rating 150"]);
    assert_eq!(
        watch.advanced.into_inner().unwrap().last(),
        Some(&(150, 30, 150))
    );
}
