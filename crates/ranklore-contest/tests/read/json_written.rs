//! Contests written as JSON files: reading gives them back to the last bit.

use proptest::prelude::*;
use ranklore_contest::{
    Contest, Entrant, EntrantKind, Format, Outcome, Place, ReadOptions, UnixSeconds, read, redact,
};
use serde_json::Value;

fn again(contest: &Contest) -> Contest {
    let json = contest.to_json();
    let reading = read(
        Format::Json,
        json.as_bytes(),
        "a.json",
        &ReadOptions::default(),
    )
    .unwrap();
    assert!(reading.refused.is_empty(), "{:?} {json}", reading.refused);
    reading.contests.into_iter().next().unwrap()
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
        prop::sample::select(vec![
            EntrantKind::Person,
            EntrantKind::Team,
            EntrantKind::Couple,
        ]),
        number(),
        number(),
        prop::collection::vec(text(), 0..3),
        // Behind the one before, tied with it, not finished, disqualified.
        0..6_u32,
    );
    prop::collection::vec((text(), entrant), 1..9).prop_map(|rows| {
        let (mut finished, mut unfinished) = (Vec::new(), Vec::new());
        let mut place = Place::below(0);
        for (index, (name, (kind, score, penalty, members, how))) in rows.into_iter().enumerate() {
            let row = |outcome| Entrant {
                competitor: format!("{name}{index}"),
                kind,
                outcome,
                score,
                penalty,
                members: members.clone(),
            };
            match how {
                4 => unfinished.push(row(Outcome::DidNotFinish)),
                5 => unfinished.push(row(Outcome::Disqualified)),
                _ => {
                    if how > 0 {
                        place = Place::below(finished.len() as u32);
                    }
                    finished.push(row(Outcome::Finished(place)));
                }
            }
        }
        finished.extend(unfinished);
        finished
    })
}

fn contest() -> impl Strategy<Value = Contest> {
    let seconds = || 0_i64..7_258_118_399;
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
    (of_contest, entrants()).prop_map(|(of, entrants)| Contest {
        external_id: of.0.0,
        name: of.0.1,
        event: of.1,
        division: of.2,
        ordinal: of.3,
        url: of.4,
        starts_at: of.5.and_then(UnixSeconds::new),
        ends_at: UnixSeconds::new(of.6).unwrap(),
        weight: of.7,
        site_weight: of.8,
        performance_ceiling: of.9,
        entrants,
    })
}

proptest! {
    #[test]
    fn whatever_a_contest_is_it_is_read_back(contest in contest()) {
        prop_assert!(contest.validate().is_ok());
        let found = again(&contest);
        prop_assert_eq!(found.content_hash(), contest.content_hash());
        prop_assert_eq!(found, contest);
    }

    /// What Elo-MMR reads of it: ranges that cover all rows.
    #[test]
    fn the_ranges_cover_all_rows(contest in contest()) {
        let json: Value = serde_json::from_str(&contest.to_json()).unwrap();
        let rows = json["standings"].as_array().unwrap();
        for (index, row) in rows.iter().enumerate() {
            let [lo, hi] = [1, 2].map(|of| row[of].as_u64().unwrap() as usize);
            prop_assert!((lo..=hi).contains(&index));
            for other in &rows[lo..=hi] {
                prop_assert_eq!((&other[1], &other[2]), (&row[1], &row[2]));
            }
        }
    }
}

fn finished(name: &str, place: u32) -> Entrant {
    Entrant::person(name, Outcome::Finished(Place::new(place).unwrap()))
}

#[test]
fn a_contest_of_persons_is_a_file_like_any_other() {
    let contest = Contest {
        external_id: "7".into(),
        name: "Ties".into(),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: UnixSeconds::new(1_709_251_200).unwrap(),
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants: vec![finished("zoe", 1), finished("bram", 2), finished("ida", 2)],
    };
    assert_eq!(
        contest.to_json(),
        r#"{"name":"Ties","id":"7","time_seconds":1709251200,"standings":[["zoe",0,0],["bram",1,2],["ida",1,2]]}"#
    );
}

#[test]
fn details_that_do_not_fit_the_rows_are_refused() {
    let with = |entrants: &str| {
        let text = format!(
            r#"{{"name":"x","id":1,"time_seconds":1,"standings":[["a",0,0],["b",1,2],["c",1,2]],"entrants":{entrants}}}"#
        );
        let reading = read(
            Format::Json,
            text.as_bytes(),
            "a.json",
            &ReadOptions::default(),
        );
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
    for (wrong, said) in [
        ("[null]", "1 of them, and 3 rows"),
        (r#"[{"status":"dnf"},null,null]"#, "\"a\" has lo 0"),
        (r#"[null,{"status":"dnf"},null]"#, "\"b\" has lo 1"),
        (r#"[{"status":"late"},null,null]"#, "late"),
        (r#"[{"kind":"club"},null,null]"#, "club"),
        (r#"[{"score":"7"},null,null]"#, "score"),
    ] {
        let refused = with(wrong).unwrap_or_default();
        assert!(refused.contains(said), "{wrong}: {refused}");
    }
}

#[test]
fn a_member_is_forgotten_and_words_of_the_form_are_not() {
    let text = r#"{"name":"Ada","id":"team","time_seconds":1,"event":"kind","division":"Ada",
        "standings":[["Ada",0,0],["crew",1,1]],
        "entrants":[null,{"kind":"team","members":["Ada","kind","team"]}]}"#;
    let redacted = |name: &str| {
        let blank = |of: &str| (of == name).then(|| "forgotten-1".to_owned());
        let options = ReadOptions::default();
        let redacted = redact(Format::Json, text.as_bytes(), "a.json", &options, &blank);
        let bytes = redacted.unwrap().unwrap().bytes;
        let json: Value = serde_json::from_slice(&bytes).unwrap();
        json
    };
    let ada = redacted("Ada");
    assert_eq!(
        (&ada["name"], &ada["division"]),
        (&"Ada".into(), &"Ada".into())
    );
    assert_eq!(ada["standings"][0][0], "forgotten-1");
    assert_eq!(ada["entrants"][1]["members"][0], "forgotten-1");
    for word in ["kind", "team"] {
        let json = redacted(word);
        let members = json["entrants"][1]["members"].to_string();
        assert!(members.contains("forgotten-1"), "{json}");
        assert_eq!(
            (&json["entrants"][1]["kind"], &json["event"], &json["id"]),
            (&"team".into(), &"kind".into(), &"team".into())
        );
    }
}

#[test]
fn words_of_the_form_elsewhere_are_names_like_any_other() {
    // "Ada" is what the contest is called, so that not everything can be blanked.
    let text = r#"{"name":"Ada","time_seconds":1,"standings":[["Ada",0,0],["bea",1,1]],
        "notes":{"x":{"kind":"Ada"}}}"#;
    let blank = |of: &str| (of == "Ada").then(|| "forgotten-1".to_owned());
    let options = ReadOptions::default();
    let redacted = redact(Format::Json, text.as_bytes(), "a.json", &options, &blank);
    let bytes = redacted.unwrap().unwrap().bytes;
    let json: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(json["name"], "Ada");
    assert_eq!(json["standings"][0][0], "forgotten-1");
    assert_eq!(json["notes"]["x"]["kind"], "forgotten-1");
}
