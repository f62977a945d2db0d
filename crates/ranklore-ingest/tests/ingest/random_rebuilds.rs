//! Property test: a rebuild gives the same database after random imports and decisions.

use proptest::prelude::*;
use ranklore_replay::NoProgress;
use ranklore_store::Decision;
use ranklore_test_support::{merge, rename, restore, source, split, withdraw};
use serde_json::{Value, json};

use super::rebuilding::{TestArchive, TestImport, round_json, round_table, rounds_json as file};

#[derive(Clone, Debug)]
enum Step {
    Import(TestImport),
    Decide(&'static str, Decision),
    Rate(prop::sample::Index),
    Rebuild(Option<&'static str>),
    Undo(&'static str, Option<&'static str>),
    Remove(&'static str),
}

fn order() -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(vec!['a', 'b', 'c', 'd', 'e'], 1..=4).prop_shuffle();
    names.prop_map(String::from_iter)
}

/// Returns random annotations, often none.
fn annotations() -> impl Strategy<Value = Value> {
    let competitor = || prop::sample::select(vec!["a", "b", "c", "d", "e", "f"]);
    let name = prop::sample::select(vec!["a", "Ada", "somebody"]);
    let facts = (
        prop::option::of(name),
        prop::option::of(competitor()),
        prop::option::of(1400..1403_u32),
    );
    let state = prop::sample::select(vec!["provisional", "final", "unrated"]);
    let competitors = prop::collection::btree_map(competitor(), facts, 0..3);
    let annotated = (state, any::<bool>(), competitors).prop_map(|(state, rated, competitors)| {
        let competitors = competitors.into_iter().map(|(id, (name, into, start))| {
            let into = into.filter(|into| *into != id);
            json!({"competitor": id, "name": name, "merged_into": into, "start_mu": start})
        });
        let known: Vec<Value> = competitors.collect();
        json!({"state": state, "rated": rated, "competitors": known})
    });
    prop_oneof![2 => Just(json!({})), 1 => annotated]
}

/// Returns a document with one of few names: a new or an old version of it.
fn document() -> impl Strategy<Value = (&'static str, String)> {
    let rounds = prop::collection::btree_map(1..6_u32, (order(), annotations()), 1..4);
    let rounds = rounds.prop_map(|rounds| {
        let rounds: Vec<Value> = rounds
            .into_iter()
            .map(|(id, (order, annotations))| {
                let mut round = round_json(id, &order);
                if let (Some(round), Value::Object(annotations)) =
                    (round.as_object_mut(), annotations)
                {
                    round.extend(annotations);
                }
                round
            })
            .collect();
        file(&rounds)
    });
    // The same contest id in another file.
    let start = prop::sample::select(vec![None, Some(1400.0), Some(1650.5)]);
    let table =
        (1..6_u32, order(), start).prop_map(|(id, order, start)| round_table(id, &order, start));
    let json_name = prop::sample::select(vec!["a.json", "c.json", "e.json"]);
    let table_name = prop::sample::select(vec!["b.csv", "d.csv"]);
    let unreadable = prop::sample::select(vec!["{", "[1]", ""]).prop_map(str::to_owned);
    prop_oneof![
        5 => (json_name.clone(), rounds),
        4 => (table_name, table),
        1 => (json_name, unreadable),
    ]
}

fn source_name() -> impl Strategy<Value = &'static str> {
    prop_oneof![3 => Just("club"), 1 => Just("away")]
}

fn document_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["a.json", "b.csv", "c.json", "d.csv", "e.json"])
}

fn import() -> impl Strategy<Value = TestImport> {
    let documents = prop::collection::vec(document(), 1..4).prop_map(|mut documents| {
        documents.sort();
        documents.dedup_by_key(|document| document.0);
        documents
    });
    let flags = (any::<bool>(), any::<bool>());
    (source_name(), documents.prop_shuffle(), flags).prop_map(|(source, documents, flags)| {
        TestImport {
            source,
            documents,
            lower_is_better: flags.0,
            replace: flags.1,
        }
    })
}

fn decision() -> impl Strategy<Value = Decision> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d", "e"]);
    let id = || (1..6_u32).prop_map(|id| id.to_string());
    prop_oneof![
        3 => (name(), name()).prop_map(|(subject, into)| merge(subject, into)),
        2 => name().prop_map(split),
        1 => name().prop_map(|subject| rename(subject, "somebody")),
        2 => id().prop_map(|id| withdraw(&id)),
        1 => id().prop_map(|id| restore(&id)),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        6 => import().prop_map(Step::Import),
        4 => (source_name(), decision()).prop_map(|(source, decision)| Step::Decide(source, decision)),
        2 => any::<prop::sample::Index>().prop_map(Step::Rate),
        1 => prop::option::of(source_name()).prop_map(Step::Rebuild),
        3 => (source_name(), prop::option::of(document_name()))
            .prop_map(|(source, document)| Step::Undo(source, document)),
        1 => source_name().prop_map(Step::Remove),
    ]
}

/// Returns random steps followed by some of them again: reverts and repetitions.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let again = prop::collection::vec(any::<prop::sample::Index>(), 0..6);
    (prop::collection::vec(step(), 1..20), again).prop_map(|(mut steps, again)| {
        for index in again {
            let step = index.get(&steps).clone();
            steps.push(step);
        }
        steps
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn rebuild_is_stable_after_random_steps(steps in steps()) {
        let mut archive = TestArchive::new();
        let mut last = None;
        for step in steps {
            match step {
                Step::Import(import) => {
                    archive.import(&import);
                    last = Some(import);
                }
                Step::Decide(source_name, decision) => archive.decide(source_name, &decision),
                Step::Rate(run) => drop(run.get(&archive.runs).rate(&mut archive.store, &NoProgress)),
                Step::Rebuild(source_name) => {
                    let source_name = source_name.filter(|source_name| archive.store.source_id(&source(source_name)).unwrap().is_some());
                    archive.rebuild(source_name.as_slice());
                }
                Step::Undo(source_name, document) => {
                    archive.undo(source_name, document);
                    last = None;
                }
                Step::Remove(source_name) => {
                    archive.remove(source_name);
                    last = None;
                }
            }
        }
        archive.assert_rebuild_is_stable(last.as_ref());
    }

    #[test]
    fn undone_import_comes_back_whole(steps in steps(), last in import()) {
        let mut archive = TestArchive::new();
        for step in steps {
            match step {
                Step::Import(import) => drop(archive.import(&import)),
                Step::Decide(source_name, decision) => archive.decide(source_name, &decision),
                _ => {}
            }
        }
        archive.rate_all();
        let before = archive.store.content_hash().unwrap();
        let documents = archive.documents();
        let runs = archive.store.runs().unwrap().len();
        archive.import(&last);
        archive.rate_all();
        if archive.documents() == documents {
            return Ok(());
        }
        let after = archive.store.content_hash().unwrap();
        let undone = archive.undo(last.source, None);
        archive.rate_all();
        let undone = undone.unwrap();
        // A run that began with this import stays, without ratings.
        if !undone.source_removed && archive.store.runs().unwrap().len() == runs {
            prop_assert_eq!(archive.store.content_hash().unwrap(), before);
        }
        archive.import(&last);
        archive.rate_all();
        // A run over both sources has become one over the other source.
        if !undone.source_removed || undone.runs.is_empty() && undone.emptied.is_empty() {
            prop_assert_eq!(archive.store.content_hash().unwrap(), after);
        }
        archive.assert_rebuild_is_stable(Some(&last));
    }
}
