//! Scoreboards of the ICPC contest API.

use ranklore_contest::ResultState;
use ranklore_formats::{FileFormat, FileReading, ReadOptions, read};
use serde_json::{Value, json};

fn document() -> Value {
    json!({
        "contest": {
            "id": "harbour24", "name": "Harbour 2024", "formal_name": "Harbour Open 2024",
            "start_time": "2024-05-04T10:00:00+02:00", "duration": "5:00:00.000",
            "penalty_time": 20
        },
        "teams": [
            {"id": "1", "name": "gulls", "display_name": "Segfault Gulls", "hidden": false},
            {"id": "2", "name": "Off By None", "organization_id": "7"},
            {"id": "3", "name": "Jury", "hidden": true},
            {"id": "4", "name": "Brass Lamp", "display_name": ""}
        ],
        "scoreboard": {
            "event_id": "e9", "time": "2024-05-04T16:00:00+02:00",
            "state": {
                "started": "2024-05-04T10:00:00+02:00", "ended": "2024-05-04T15:00:00+02:00",
                "frozen": "2024-05-04T14:00:00+02:00", "thawed": "2024-05-04T16:00:00+02:00",
                "finalized": "2024-05-04T16:00:00+02:00"
            },
            "rows": [
                {"rank": 1, "team_id": "3", "score": {"num_solved": 9, "total_time": 100}},
                {"rank": 2, "team_id": "1", "score": {"num_solved": 7, "total_time": 800},
                 "problems": [{"label": "A", "num_judged": 1, "solved": true, "time": 12}]},
                {"rank": 3, "team_id": "4", "score": {"num_solved": 5, "total_time": "9:30:30"}},
                {"rank": 3, "team_id": "2", "score": {"num_solved": 5, "total_time": 570.5}}
            ]
        }
    })
}

fn reading(document: &Value) -> FileReading {
    let bytes = document.to_string().into_bytes();
    read(FileFormat::Icpc, bytes, "scoreboard.json", &ReadOptions::default()).unwrap()
}

fn refusal(edit: impl FnOnce(&mut Value)) -> String {
    let mut document = document();
    edit(&mut document);
    let reading = reading(&document);
    assert!(reading.contests.is_empty(), "{document}");
    reading.refused[0].to_string()
}

#[test]
fn scoreboard_is_one_team_contest() {
    let reading = reading(&document());
    let contest = &reading.contests.get(0).unwrap();
    assert_eq!(contest.name, "Harbour Open 2024");
    assert_eq!(contest.external_id, "Harbour Open 2024@1714827600");
    assert_eq!(contest.starts_at.unwrap().to_string(), "2024-05-04T08:00:00Z");
    assert_eq!(contest.ends_at.to_string(), "2024-05-04T13:00:00Z");
    let entrants = contest.entrants.iter();
    let rows: Vec<_> = entrants
        .map(|entrant| {
            (
                &*entrant.competitor,
                entrant.outcome.place().unwrap().get(),
                entrant.score,
                entrant.penalty,
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("Segfault Gulls", 1, Some(7.0), Some(800.0)),
            ("Brass Lamp", 2, Some(5.0), Some(570.5)),
            ("Off By None", 2, Some(5.0), Some(570.5)),
        ]
    );
    assert_eq!(reading.state_of(&contest.external_id), (ResultState::Final, true));
    assert_eq!(reading.warnings, ["rows of hidden teams are left out: 1"]);
}

#[test]
fn scoreboard_before_its_final_state_is_provisional() {
    let mut document = document();
    let state = &mut document["scoreboard"]["state"];
    state["finalized"] = Value::Null;
    state["thawed"] = Value::Null;
    let reading = reading(&document);
    let state = reading.state_of(&reading.contests.get(0).unwrap().external_id);
    assert_eq!(state, (ResultState::Provisional, true));
    assert!(reading.warnings[0].contains("frozen"), "{:?}", reading.warnings);
    let state = &mut document["scoreboard"]["state"];
    state["finalized"] = state["ended"].clone();
    let reading = self::reading(&document);
    let state = reading.state_of(&reading.contests.get(0).unwrap().external_id);
    assert_eq!(state, (ResultState::Provisional, true));
}

#[test]
fn teams_of_one_name_get_their_id() {
    let mut document = document();
    document["teams"][3]["name"] = json!("Off By None");
    let reading = reading(&document);
    let entrants = reading.contests.get(0).unwrap().entrants;
    let names: Vec<&str> = entrants.iter().map(|entrant| &*entrant.competitor).collect();
    assert_eq!(names, ["Segfault Gulls", "Off By None (id 4)", "Off By None (id 2)"]);
}

#[test]
fn incomplete_scoreboards_are_refused() {
    let at = "scoreboard.rows[1].";
    for (message, refused) in [
        (
            "scoreboard.state.ended: contest \"Harbour Open 2024\": the contest has not ended",
            refusal(|answers| answers["scoreboard"]["state"]["ended"] = Value::Null),
        ),
        (
            &*format!("{at}team_id: contest \"Harbour Open 2024\": team \"8\" is not among"),
            refusal(|answers| answers["scoreboard"]["rows"][1]["team_id"] = json!("8")),
        ),
        (
            &*format!("{at}rank: contest \"Harbour Open 2024\": rank must be at least 1"),
            refusal(|answers| answers["scoreboard"]["rows"][1]["rank"] = json!(0)),
        ),
        (
            "contest.duration: contest \"Harbour Open 2024\": \"5h\" is not a duration",
            refusal(|answers| answers["contest"]["duration"] = json!("5h")),
        ),
        (
            "contest.start_time: contest \"Harbour Open 2024\": the contest has no start_time",
            refusal(|answers| answers["contest"]["start_time"] = Value::Null),
        ),
        (
            "contest.start_time: contest \"Harbour Open 2024\": \"noon\" is not a time",
            refusal(|answers| answers["contest"]["start_time"] = json!("noon")),
        ),
        (
            "the field \"teams\" is missing",
            refusal(|answers| {
                answers.as_object_mut().unwrap().remove("teams");
            }),
        ),
        (
            "contest.name: expected a string, found 7",
            refusal(|answers| answers["contest"]["name"] = json!(7)),
        ),
    ] {
        assert!(refused.starts_with(message), "{message}: {refused}");
    }
}
