//! Both forms of one contest.

use ranklore_conformance::MemoryArchive;
use ranklore_contest::{Contest, EntrantKind};
use ranklore_source::assemble::Assembly;
use ranklore_source::{OfficialRating, Source};
use serde_json::{Value, json};

use crate::fixtures::{bytes, listing_of, results_of, source, standings_of};

/// Assembles contest abc901 from answers in this order: results or standings, with these bodies.
fn assemble(answers: &[(&str, &[u8])]) -> Assembly {
    let source = source();
    let mut archive = MemoryArchive::new(&source);
    for (form, body) in answers {
        let request = match *form {
            "results" => results_of("abc901"),
            _ => standings_of("abc901"),
        };
        archive.add(&request, 200, body);
    }
    source.assemble(&listing_of("abc901"), &archive)
}

fn single_contest(assembly: &Assembly) -> (&Contest, &[OfficialRating]) {
    let [assembled] = assembly.contests.as_slice() else {
        panic!("{assembly:?}");
    };
    (&assembled.contest, &assembled.official)
}

fn results() -> Vec<u8> {
    bytes("results-abc901.json")
}

fn standings() -> Vec<u8> {
    bytes("standings-abc901.json")
}

/// Returns the answer of a form in which `old_pike` and `brass_lamp` have changed places.
fn swapped(form: &str) -> Vec<u8> {
    let mut answer: Value = serde_json::from_slice(&bytes(&format!("{form}-abc901.json"))).unwrap();
    let rows = match form {
        "results" => &mut answer,
        _ => &mut answer["StandingsData"],
    };
    for (row, name) in [(0, "brass_lamp"), (1, "old_pike")] {
        rows[row]["UserScreenName"] = json!(name);
    }
    answer.to_string().into_bytes()
}

#[test]
fn forms_agree_in_either_order() {
    let one = assemble(&[("results", &results()), ("standings", &standings())]);
    let other = assemble(&[("standings", &standings()), ("results", &results())]);
    for (assembly, read_from) in [(&one, 0), (&other, 1)] {
        assert!(assembly.warnings.is_empty(), "{:?}", assembly.warnings);
        let (contest, official) = single_contest(assembly);
        assert_eq!(official.len(), 5);
        assert_eq!(contest.entrants[0].score, Some(650.0));
        // Ratings are read again from the document that has them.
        assert_eq!(assembly.contests[0].read_from.0, read_from);
    }
    assert_eq!(single_contest(&one), single_contest(&other));
}

#[test]
fn one_form_is_enough() {
    let (form, body) = ("results", results());
    let assembly = assemble(&[(form, &body)]);
    let (contest, official) = single_contest(&assembly);
    assert_eq!((contest.entrants.len(), official.len()), (6, 5));
    assert_eq!(contest.entrants[0].score, None);
    let assembly = assemble(&[("standings", &standings())]);
    let (contest, official) = single_contest(&assembly);
    assert_eq!((contest.entrants.len(), official.len()), (6, 0));
}

#[test]
fn newer_form_decides_places() {
    for (first, second) in [("results", "standings"), ("standings", "results")] {
        let older = bytes(&format!("{first}-abc901.json"));
        let assembly = assemble(&[(first, &older), (second, &swapped(second))]);
        let (contest, official) = single_contest(&assembly);
        assert_eq!(contest.entrants[0].competitor, "brass_lamp", "{second} is newer");
        assert!(!official.is_empty());
        assert_eq!(assembly.warnings.len(), 1, "{:?}", assembly.warnings);
        let warning = &assembly.warnings[0];
        assert!(warning.contains("differ, first at \"brass_lamp\""), "{warning}");
    }
}

#[test]
fn missing_entrant_is_a_difference() {
    let mut rows: Value = serde_json::from_slice(&results()).unwrap();
    rows.as_array_mut().unwrap().pop();
    let fewer = rows.to_string().into_bytes();
    let assembly = assemble(&[("standings", &standings()), ("results", &fewer)]);
    assert_eq!(single_contest(&assembly).0.entrants.len(), 5);
    assert!(assembly.warnings[0].contains("(5 and 6 entrants)"), "{:?}", assembly.warnings);
    let assembly = assemble(&[("results", &fewer), ("standings", &standings())]);
    assert_eq!(single_contest(&assembly).0.entrants.len(), 6);
    assert!(assembly.warnings[0].contains("\"gone_gull\""), "{:?}", assembly.warnings);
}

#[test]
fn results_stay_if_the_newest_form_has_none() {
    let empty = br#"{"Fixed":true,"StandingsData":[]}"#;
    let assembly = assemble(&[("results", &results()), ("standings", empty)]);
    assert_eq!(single_contest(&assembly).0.entrants.len(), 6);
    let assembly = assemble(&[("standings", &standings()), ("results", b"[]")]);
    assert_eq!(single_contest(&assembly).0.entrants.len(), 6);
}

#[test]
fn team_of_standings_is_a_team() {
    let mut answer: Value = serde_json::from_slice(&standings()).unwrap();
    answer["StandingsData"][0]["IsTeam"] = json!(true);
    let teams = answer.to_string().into_bytes();
    let assembly = assemble(&[("standings", &teams), ("results", &results())]);
    let kinds: Vec<EntrantKind> = single_contest(&assembly)
        .0
        .entrants
        .iter()
        .map(|entrant| entrant.kind)
        .collect();
    assert_eq!(kinds[..2], [EntrantKind::Team, EntrantKind::Person]);
}
