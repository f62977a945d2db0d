//! Pseudonyms and forgotten people.

use ranklore_contest::SourceName;
use ranklore_store::Store;

use super::client::Served;
use crate::support::{Scratch, contest};

/// Returns a rated league whose people have pseudonyms.
fn pseudonymous() -> Scratch {
    let scratch = Scratch::new();
    let rounds: [&[&[&str]]; 3] = [
        &[&["Wyn Vale"], &["Bea Moor"], &["Cyd Oar"]],
        &[&["Bea Moor"], &["Wyn Vale"], &["Cyd Oar"]],
        &[&["Wyn Vale"], &["Cyd Oar"]],
    ];
    for (id, groups) in (1..).zip(rounds) {
        scratch.write(&format!("{id}.json"), contest(id, id * 10, groups));
    }
    scratch.ok(&["import", ".", "--source", "ball"]);
    let mut writer = Store::open_writer(scratch.db(), "a test").unwrap();
    let source = writer.source_id(&SourceName::new("ball").unwrap()).unwrap();
    let mut batch = writer.batch().unwrap();
    batch.require_pseudonyms(source.unwrap()).unwrap();
    batch.commit().unwrap();
    drop(writer);
    scratch.ok(&["rate", "ball"]);
    scratch
}

const NAMES: [&str; 6] = ["Wyn", "Vale", "Bea", "Moor", "Cyd", "Oar"];

#[track_caller]
fn assert_no_name(target: &str, body: &str) {
    for name in NAMES {
        assert!(!body.contains(name), "{target} has {name}: {body}");
    }
}

#[test]
fn names_that_must_not_be_published_are_in_no_answer() {
    let scratch = pseudonymous();
    let served = Served::start(&scratch);
    let board = served.json("/leaderboard");
    assert_eq!(board, scratch.json(&["leaderboard", "--limit", "100"]));
    let pseudonym = board["rows"][0]["name"].as_str().unwrap();
    assert!(pseudonym.starts_with("person-"), "{pseudonym}");
    let other = board["rows"][1]["name"].as_str().unwrap();
    scratch.ok(&["rate", "ball", "--system", "glicko2"]);
    scratch.ok(&["source", "set", "ball", "provisional=2"]);
    let records = served.json("/records/ball");
    assert!(
        records["first_places"][0]["name"].is_string() && records["wins"][0]["name"].is_string()
    );
    let past = &served.json("/contest/ball/2")["past_winners"][0]["winners"];
    assert!(past[0]["name"].is_string(), "{past}");
    for path in [
        "/".to_owned(),
        "/leaderboard".to_owned(),
        "/players/ball".to_owned(),
        format!("/players/ball?text={pseudonym}"),
        format!("/player/ball/{pseudonym}"),
        format!("/player/ball/{pseudonym}?with={pseudonym}"),
        "/contests/ball".to_owned(),
        "/distribution/ball".to_owned(),
        "/contest/ball/1".to_owned(),
        "/contest/ball/2".to_owned(),
        "/contest/ball/3".to_owned(),
        "/api/v1/contest/ball/2".to_owned(),
        "/records/ball".to_owned(),
        "/api/v1/records/ball".to_owned(),
        "/api/v1/records/ball?format=csv".to_owned(),
        "/movers/ball".to_owned(),
        "/api/v1/leaderboard?format=csv".to_owned(),
        format!("/api/v1/player/ball/{pseudonym}"),
        "/api/v1/players/ball".to_owned(),
        "/api/v1/contest/ball/1".to_owned(),
        "/api/v1/movers/ball?since=2023-11-01".to_owned(),
        format!("/predict/ball?name={pseudonym}&name={other}"),
        format!("/api/v1/predict/ball?name={pseudonym}&name={other}"),
        "/compare/ball".to_owned(),
        "/api/v1/compare/ball".to_owned(),
    ] {
        assert_no_name(&path, &served.page(&path));
    }
    assert!(served.page("/leaderboard").contains("Names are pseudonyms"));
    let player = served.json(&format!("/player/ball/{pseudonym}"));
    assert_eq!(player["names"], serde_json::json!([]));
}

#[test]
fn whoever_knows_a_name_does_not_learn_the_pseudonym() {
    let scratch = pseudonymous();
    let served = Served::start(&scratch);
    // Pseudonyms are hexadecimal: none of these words can be a part of one.
    for name in ["Wyn%20Vale", "wyn%20vale", "Wyn%20Vael", "Wyn", "vale"] {
        for prefix in ["", "/api/v1"] {
            for target in [
                format!("{prefix}/player/ball/{name}"),
                format!("{prefix}/player/ball/{name}?kind=person"),
            ] {
                let answer = served.get(&target);
                assert_eq!(answer.status, 404, "{target}");
                assert!(!answer.body.contains("person-"), "{target}: {}", answer.body);
            }
            let predict = format!("{prefix}/predict/ball?name={name}&name=Cyd%20Oar");
            let answer = served.get(&predict);
            assert!(!answer.body.contains("person-"), "{predict}: {}", answer.body);
            let search = format!("{prefix}/players/ball?text={name}");
            assert!(!served.page(&search).contains("person-"), "{search}");
        }
    }
    let board = served.json("/leaderboard");
    let pseudonym = board["rows"][1]["name"].as_str().unwrap();
    let first = board["rows"][0]["name"].as_str().unwrap();
    let page = served.page(&format!("/player/ball/{first}?with=Bea%20Moor"));
    assert!(
        !page.contains(&format!("<bdi>{pseudonym}</bdi></a></th><td class=\"number\">")),
        "{page}"
    );
    assert!(page.contains("no competitor"), "{page}");
}

#[test]
fn forgotten_person_disappears_at_once() {
    const NAME: &str = "Wilhelmina Ottoline";
    let scratch = Scratch::new();
    for id in 1..=3 {
        scratch.write(&format!("rounds/{id}.json"), contest(id, id, &[&["ada"], &[NAME], &["cy"]]));
    }
    scratch.ok(&["import", "rounds", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let served = Served::start(&scratch);
    let targets = [
        "/",
        "/leaderboard",
        "/players/club",
        "/contest/club/2",
        "/player/club/ada",
        "/api/v1/leaderboard",
        "/api/v1/contest/club/2?format=csv",
    ];
    let answers = targets.map(|target| served.page(target).contains("Wilhelmina"));
    assert!(answers.iter().filter(|answers| **answers).count() >= 5, "{answers:?}");
    let tag = served.get("/leaderboard").header("etag").to_owned();
    // The server keeps its connections open meanwhile.
    scratch.ok(&["forget", "--yes", "club", NAME]);
    for target in targets {
        let page = served.page(target);
        assert!(!page.contains("Wilhelmina"), "{target}: {page}");
    }
    let known = served.get_with("/leaderboard", &[("If-None-Match", &tag)]);
    assert_eq!(known.status, 200);
    assert_eq!(served.get("/player/club/Wilhelmina%20Ottoline").status, 404);
    assert!(served.page("/leaderboard").contains("/player/club/forgotten-1"));
    served.page("/player/club/forgotten-1");
    for file in scratch.list(".") {
        let path = scratch.path(&file);
        if !path.is_file() {
            continue;
        }
        let bytes = std::fs::read(path).unwrap();
        let has_name = bytes.windows(10).any(|window| window == b"Wilhelmina");
        assert!(!has_name, "{file} has the name while the server runs");
    }
}
