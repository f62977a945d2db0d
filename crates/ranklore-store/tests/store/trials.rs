//! Trials of parameter searches.

use ranklore_store::{Study, TrialRow, TrialState};
use ranklore_test_support::TempDatabase;

fn trial(seed: i64, number: u64) -> TrialRow {
    TrialRow {
        study: Study {
            selection: r#"{"sources":["club"]}"#.to_owned(),
            system: "elo-mmr".to_owned(),
            search: r#"{"sampler":"random"}"#.to_owned(),
            split: r#"{"train":10.0}"#.to_owned(),
            standings: [7; 32],
            engine: "8".to_owned(),
            seed,
        },
        number,
        parameters: "{}".to_owned(),
        state: TrialState::Running,
        rungs: "[]".to_owned(),
        metrics: None,
        tried_at: 50,
        seconds: None,
    }
}

#[test]
fn trial_is_replaced_by_search_and_number() {
    let scratch = TempDatabase::new();
    let mut writer = scratch.open_writer();
    let mut batch = writer.batch().unwrap();
    // The last one of another search.
    for trial in [trial(1, 1), trial(1, 0), trial(2, 1)] {
        batch.replace_trial(&trial).unwrap();
    }
    batch.commit().unwrap();
    let completed = TrialRow {
        state: TrialState::Completed,
        rungs: "[0.1,null,0.30000000000000004]".to_owned(),
        metrics: Some(r#"{"concordance":0.30000000000000004}"#.to_owned()),
        seconds: Some(0.25),
        ..trial(1, 1)
    };
    let mut batch = writer.batch().unwrap();
    batch.replace_trial(&completed).unwrap();
    batch.commit().unwrap();
    let study = &completed.study;
    assert_eq!(writer.trials_of_study(study).unwrap(), [trial(1, 0), completed.clone()]);
    assert_eq!(writer.trials().unwrap(), [trial(1, 0), completed.clone(), trial(2, 1)]);
    assert_eq!(writer.check().unwrap(), []);
    let mut batch = writer.batch().unwrap();
    batch.delete_trials("chess").unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.trials().unwrap().len(), 3);
    let mut batch = writer.batch().unwrap();
    batch.delete_trials("club").unwrap();
    batch.commit().unwrap();
    assert_eq!(writer.trials().unwrap(), []);
}
