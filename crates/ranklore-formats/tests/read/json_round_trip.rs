//! Contests survive a round trip through JSON exactly.

use proptest::prelude::*;
use ranklore_contest::{
    Annotations, CompetitorFacts, Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome,
    Place, ResultState, StartingRating,
};
use ranklore_formats::{FileFormat, ReadOptions, contest_json, contest_json_with, read};
use serde_json::Value;

fn round_trip(contest: &Contest) -> Contest {
    let json = contest_json(contest);
    let reading =
        read(FileFormat::Json, json.as_bytes(), "a.json", &ReadOptions::default()).unwrap();
    assert!(reading.refused.is_empty(), "{:?} {json}", reading.refused);
    reading.contests.get(0).unwrap()
}

/// Writes a contest with annotations, and returns the annotations that are read back.
fn round_trip_annotations(contest: &Contest, annotations: &Annotations) -> Annotations {
    let json = contest_json_with(contest, annotations);
    let options = ReadOptions::default();
    let reading = read(FileFormat::Json, json.as_bytes(), "a.json", &options).unwrap();
    assert!(reading.refused.is_empty(), "{:?} {json}", reading.refused);
    assert_eq!(reading.contests.to_vec(), std::slice::from_ref(contest));
    let (state, rated) = reading.state_of(&contest.external_id);
    let facts = annotations.competitors.iter().map(|competitor| {
        let is_competitor = |(kind, id, _): &&(EntrantKind, String, String)| {
            *kind == competitor.kind && *id == competitor.competitor
        };
        let start = reading.starting_ratings.iter();
        let mut start =
            start.filter(|(kind, id, _)| *kind == competitor.kind && *id == competitor.competitor);
        CompetitorFacts {
            name: reading.names.iter().find(is_competitor).map(|name| name.2.clone()),
            start: start.next().map(|name| name.2),
            merged_into: reading.merges.iter().find(is_competitor).map(|merge| merge.2.clone()),
            ..competitor.clone()
        }
    });
    let lists = [
        reading.names.len(),
        reading.starting_ratings.len(),
        reading.merges.len(),
    ];
    let count = |is_counted: fn(&CompetitorFacts) -> bool| {
        annotations.competitors.iter().filter(|facts| is_counted(facts)).count()
    };
    let expected = [
        count(|facts| facts.name.is_some()),
        count(|facts| facts.start.is_some()),
        count(|facts| facts.merged_into.is_some()),
    ];
    assert_eq!(lists, expected);
    Annotations {
        state,
        rated,
        competitors: facts.collect(),
    }
}

fn kind() -> impl Strategy<Value = EntrantKind> {
    prop::sample::select(vec![EntrantKind::Person, EntrantKind::Team, EntrantKind::Couple])
}

fn annotations() -> impl Strategy<Value = Annotations> {
    let start = (-1e4_f64..1e4, prop::option::of(1_f64..1e4));
    let start = start.prop_map(|(mu, sigma)| StartingRating { mu, sigma });
    let known = (
        kind(),
        text(),
        prop::option::of(text()),
        prop::option::of(start),
        prop::option::of(text()),
    );
    let competitors = prop::collection::vec(known, 0..6).prop_map(|list| {
        let known = |(index, (kind, id, name, start, into)): (usize, _)| CompetitorFacts {
            kind,
            competitor: format!("{id}{index}"),
            name,
            start,
            merged_into: Option::map(into, |into: String| format!("{into}-{index}")),
        };
        list.into_iter().enumerate().map(known).collect()
    });
    let state = prop::sample::select(vec![
        ResultState::Provisional,
        ResultState::Final,
        ResultState::Unrated,
    ]);
    (state, any::<bool>(), competitors).prop_map(|(state, rated, competitors)| Annotations {
        state,
        rated,
        competitors,
    })
}

fn number() -> impl Strategy<Value = Option<f64>> {
    prop::option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO | prop::num::f64::SUBNORMAL)
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{1,12}",
        prop::sample::select(vec!["kind", "team", "dnf", "null", "1", "[\"a\"]", "-"])
            .prop_map(str::to_owned),
    ]
}

fn entrants() -> impl Strategy<Value = Vec<Entrant>> {
    let entrant = (
        kind(),
        number(),
        number(),
        prop::collection::vec(text(), 0..3),
        // 0 ties with the previous entrant, 4 did not finish, 5 is disqualified, others follow.
        0..6_u32,
    );
    prop::collection::vec((text(), entrant), 1..9).prop_map(|rows| {
        let (mut finished, mut unfinished) = (Vec::new(), Vec::new());
        let mut place = Place::from_entrants_above(0);
        for (index, (name, (kind, score, penalty, members, how))) in rows.into_iter().enumerate() {
            let row = |outcome| Entrant {
                competitor: format!("{name}{index}"),
                kind,
                outcome,
                score,
                penalty,
                side: None,
                members: match kind {
                    EntrantKind::Person => Vec::new(),
                    EntrantKind::Team | EntrantKind::Couple => members.clone(),
                },
            };
            match how {
                4 => unfinished.push(row(EntrantOutcome::DidNotFinish)),
                5 => unfinished.push(row(EntrantOutcome::Disqualified)),
                _ => {
                    if how > 0 {
                        place = Place::from_entrants_above(finished.len() as u32);
                    }
                    finished.push(row(EntrantOutcome::Finished(place)));
                }
            }
        }
        finished.extend(unfinished);
        finished
    })
}

pub(super) fn contest() -> impl Strategy<Value = Contest> {
    let seconds = || -12_212_553_600_i64..7_258_118_399;
    let of_contest = (
        (text(), text()),
        prop::option::of(text()),
        prop::option::of(text()),
        prop::option::of(any::<i64>()),
        prop::option::of(text()),
        prop::option::of(seconds()),
        seconds(),
        0.001_f64..1000.0,
        number(),
        prop::option::of(-1e6_f64..1e6),
    );
    (of_contest, entrants()).prop_map(|(fields, entrants)| Contest {
        external_id: fields.0.0,
        name: fields.0.1,
        event: fields.1,
        division: fields.2,
        ordinal: fields.3,
        url: fields.4,
        starts_at: fields.5.and_then(ContestTime::new),
        ends_at: ContestTime::new(fields.6).unwrap(),
        weight: fields.7,
        site_weight: fields.8,
        performance_ceiling: fields.9,
        entrants,
    })
}

proptest! {
    #[test]
    fn contest_round_trips(contest in contest()) {
        prop_assert!(contest.validate().is_ok());
        let reread = round_trip(&contest);
        prop_assert_eq!(reread.content_hash(), contest.content_hash());
        prop_assert_eq!(reread, contest);
    }

    #[test]
    fn annotations_round_trip(contest in contest(), written in annotations()) {
        prop_assert_eq!(round_trip_annotations(&contest, &written), written);
    }

    #[test]
    fn default_annotations_write_nothing(contest in contest()) {
        prop_assert_eq!(contest_json_with(&contest, &Annotations::default()), contest_json(&contest));
    }

    /// Elo-MMR needs ranges that cover all rows.
    #[test]
    fn ranges_cover_all_rows(contest in contest()) {
        let json: Value = serde_json::from_str(&contest_json(&contest)).unwrap();
        let rows = json["standings"].as_array().unwrap();
        for (index, row) in rows.iter().enumerate() {
            let [lo, hi] = [1, 2].map(|column| row[column].as_u64().unwrap() as usize);
            prop_assert!((lo..=hi).contains(&index));
            for other in &rows[lo..=hi] {
                prop_assert_eq!((&other[1], &other[2]), (&row[1], &row[2]));
            }
        }
    }
}

fn finished(name: &str, place: u32) -> Entrant {
    Entrant::person(name, EntrantOutcome::Finished(Place::new(place).unwrap()))
}

#[test]
fn contest_of_persons_writes_plain_elo_mmr_json() {
    let contest = Contest {
        external_id: "7".into(),
        name: "Ties".into(),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: ContestTime::new(1_709_251_200).unwrap(),
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants: vec![finished("zoe", 1), finished("bram", 2), finished("ida", 2)],
    };
    assert_eq!(
        contest_json(&contest),
        r#"{"name":"Ties","id":"7","time_seconds":1709251200,"standings":[["zoe",0,0],["bram",1,2],["ida",1,2]]}"#
    );
}

#[test]
fn mismatched_entrant_details_are_refused() {
    let with = |entrants: &str| {
        let text = format!(
            r#"{{"name":"x","id":1,"time_seconds":1,"standings":[["a",0,0],["b",1,2],["c",1,2]],"entrants":{entrants}}}"#
        );
        let reading = read(FileFormat::Json, text.as_bytes(), "a.json", &ReadOptions::default());
        let refused = reading.unwrap().refused;
        refused.first().map(ToString::to_string)
    };
    for fine in [
        "null",
        "[]",
        "[null,null,null]",
        r#"[{},{"status":"dnf"},{"status":"dq"}]"#,
    ] {
        assert_eq!(with(fine), None, "{fine}");
    }
    for (wrong, message) in [
        ("[null]", "1 entries for 3 rows"),
        (r#"[{"status":"dnf"},null,null]"#, "\"a\" did not finish, but its lo 0"),
        (r#"[null,{"status":"dnf"},null]"#, "\"b\" did not finish, but its lo 1"),
        (r#"[{"status":"late"},null,null]"#, "late"),
        (r#"[{"kind":"club"},null,null]"#, "club"),
        (r#"[{"score":"7"},null,null]"#, "score"),
    ] {
        let refused = with(wrong).unwrap_or_default();
        assert!(refused.contains(message), "{wrong}: {refused}");
    }
}

/// A contest of `a` and `b` with these additional members.
fn contest_with_members(members: &str) -> String {
    format!(r#"{{"name":"x","id":1,"time_seconds":1,"standings":[["a",0,0],["b",1,1]]{members}}}"#)
}

fn read_json(text: &str) -> ranklore_formats::FileReading {
    let options = ReadOptions::default();
    read(FileFormat::Json, text.as_bytes(), "a.json", &options).unwrap()
}

#[test]
fn annotations_are_written_after_standings() {
    let contest = read_json(&contest_with_members("")).contests.get(0).unwrap();
    let annotations = Annotations {
        state: ResultState::Provisional,
        rated: false,
        competitors: vec![CompetitorFacts {
            kind: EntrantKind::Team,
            competitor: "crew".into(),
            name: Some("The Crew".into()),
            start: Some(StartingRating {
                mu: 1600.0,
                sigma: Some(90.0),
            }),
            merged_into: Some("club".into()),
        }],
    };
    assert_eq!(
        contest_json_with(&contest, &annotations),
        r#"{"name":"x","id":"1","time_seconds":1,"standings":[["a",0,0],["b",1,1]],"state":"provisional","rated":false,"competitors":[{"competitor":"crew","kind":"team","name":"The Crew","start_mu":1600.0,"start_sigma":90.0,"merged_into":"club"}]}"#
    );
}

#[test]
fn null_and_unknown_annotations_are_ignored() {
    for nothing in [
        r#","state":null,"rated":null,"competitors":null"#,
        r#","state":"final","rated":true,"competitors":[]"#,
        r#","competitors":[{"competitor":"a","kind":null,"name":null,"start_mu":null,"start_sigma":null,"merged_into":null,"born":1990}]"#,
        r#","competitors":[{"competitor":"a","name":"","merged_into":""}]"#,
    ] {
        assert_eq!(
            read_json(&contest_with_members(nothing)),
            read_json(&contest_with_members("")),
            "{nothing}"
        );
    }
}

/// Asserts that this annotation refuses the contest, alone and in an array, at this path and for
/// this reason.
fn assert_refused(wrong: &str, at: &str, reason: &str) {
    for (text, at) in [
        (contest_with_members(wrong), at.to_owned()),
        (format!("[{}]", contest_with_members(wrong)), format!("[0].{at}")),
    ] {
        let reading = read_json(&text);
        let refused = reading.refused.first().map(ToString::to_string);
        let refused = refused.unwrap_or_default();
        assert!(refused.starts_with(&at) && refused.contains(reason), "{text}: {refused}");
        assert_eq!(reading.contests.to_vec(), [], "{text}");
        assert!(reading.names.is_empty() && reading.starting_ratings.is_empty());
    }
}

#[test]
fn invalid_annotation_refuses_contest() {
    let list = |list: &str| format!(r#","competitors":{list}"#);
    assert_refused(r#","state":"running""#, "state", r#""running" is unknown"#);
    assert_refused(r#","rated":1"#, "rated", "expected true or false");
    assert_refused(&list("{}"), "competitors", "expected an array");
    for (wrong, at, reason) in [
        (r#"["a"]"#, "", "expected an object"),
        (r#"[["a","person"]]"#, "", "expected an object"),
        (r#"[{"name":"A"}]"#, "", r#"the field "competitor" is missing"#),
        (r#"[{"competitor":""}]"#, ".competitor", "is empty"),
    ] {
        assert_refused(&list(wrong), &format!("competitors[0]{at}"), reason);
    }
    let twice = list(r#"[{"competitor":"c"},{"competitor":"a"},{"competitor":"c"}]"#);
    let reason = "the person \"c\" is already listed in competitors[0]";
    assert_refused(&twice, "competitors[2].competitor", reason);
    let two_kinds = list(r#"[{"competitor":"c"},{"competitor":"c","kind":"team"}]"#);
    assert_eq!(read_json(&contest_with_members(&two_kinds)).refused, []);
}

#[test]
fn invalid_competitor_facts_refuse_contest() {
    let long = format!("\"{}\"", "ä".repeat(1001));
    assert_refused(
        &format!(r#","competitors":[{{"competitor":{long}}}]"#),
        "competitors[0].competitor",
        "1001 characters",
    );
    let start = r#"1500,"start_sigma":"#;
    for (member, wrong, at, reason) in [
        ("kind", "\"club\"", "kind", r#""club" is unknown"#),
        ("name", &*long, "name", "1001 characters"),
        ("name", "7", "name", "expected a string"),
        ("start_mu", "10001", "start_mu", "outside -10000 to 10000"),
        ("start_mu", "-1e300", "start_mu", "outside -10000 to 10000"),
        ("start_mu", "\"1500\"", "start_mu", "expected a number"),
        ("start_mu", &format!("{start}0"), "start_sigma", "outside 1 to 10000"),
        ("start_mu", &format!("{start}-90"), "start_sigma", "outside 1 to 10000"),
        ("start_sigma", "90", "start_sigma", "needs a start_mu"),
        ("merged_into", "\"a\"", "merged_into", "into itself"),
        ("merged_into", &*long, "merged_into", "1001 characters"),
    ] {
        let wrong = format!(r#","competitors":[{{"competitor":"a","{member}":{wrong}}}]"#);
        assert_refused(&wrong, &format!("competitors[0].{at}"), reason);
    }
}

#[test]
fn last_annotation_of_competitor_wins() {
    let first = r#","state":"unrated","competitors":[{"competitor":"a","name":"Ada","start_mu":1400,"merged_into":"x"},{"competitor":"b","name":"Bea"}]"#;
    let last = r#","competitors":[{"competitor":"a","name":"Ada Lark","start_mu":1600,"merged_into":"y"}]"#;
    let last = contest_with_members(last).replace(r#""id":1"#, r#""id":2"#);
    // The same id as the first contest, so that it is refused with its annotations.
    let refused =
        contest_with_members(r#","rated":false,"competitors":[{"competitor":"b","name":"Bert"}]"#);
    let reading = read_json(&format!("[{},{last},{refused}]", contest_with_members(first)));
    let person = EntrantKind::Person;
    let fact = |competitor: &str, value: &str| (person, competitor.to_owned(), value.to_owned());
    assert_eq!(reading.names, [fact("a", "Ada Lark"), fact("b", "Bea")]);
    assert_eq!(reading.merges, [fact("a", "y")]);
    let start = StartingRating {
        mu: 1600.0,
        sigma: None,
    };
    assert_eq!(reading.starting_ratings, [(person, "a".to_owned(), start)]);
    let ids = reading.contests.external_ids();
    let states: Vec<_> = ids.map(|id| reading.state_of(id)).collect();
    assert_eq!(states, [(ResultState::Unrated, true), (ResultState::Final, true)]);
    assert_eq!(reading.refused.len(), 1);
}
