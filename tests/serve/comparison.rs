//! The pages and the API of comparisons and predictions.

use serde_json::{Value, json};

use super::client::Served;
use crate::support::Scratch;

#[test]
fn form_keeps_names_and_shows_the_prediction() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let empty = served.page("/predict/club");
    assert_eq!(empty.matches("name=\"name\"").count(), 4, "{empty}");
    assert!(!empty.contains("<table"), "{empty}");
    let one = served.page("/predict/club?name=ann&name=");
    assert!(one.contains("value=\"ann\"") && one.contains("one more competitor"), "{one}");
    let page = served.page("/predict/club?name=fay&name=ann&name=dov&name=");
    for part in [
        "value=\"fay\"",
        "value=\"ann\"",
        "value=\"dov\"",
        "3 competitors",
        "3 pairs",
        "href=\"/player/club/ann\"",
        "/api/v1/predict/club?name=fay&amp;name=ann&amp;name=dov",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(page.matches("name=\"name\"").count(), 5);
    let view = scratch.json(&["predict", "club", "fay", "ann", "dov"]);
    for pair in view["pairs"].as_array().unwrap() {
        let above = 100.0 * pair["above"].as_f64().unwrap();
        assert!(page.contains(&format!("{above:.1} %")), "{pair}");
    }
    let twice = served.page("/predict/club?name=ann&name=ann");
    assert!(twice.contains("two different ones"), "{twice}");
    let many = "name=ann&".repeat(33);
    assert_eq!(served.get(&format!("/predict/club?{many}")).status, 400);
    let most = format!("/predict/club?{}name=bea&run=1", "name=ann&".repeat(31));
    assert!(served.page(&most).contains("1 pair"));
    assert_eq!(served.get("/predict/nobody").status, 404);
}

#[test]
fn unknown_and_ambiguous_names_have_links() {
    let scratch = Scratch::new();
    let table = "contest,date,player,competitor id,place\n\
                 1,2024-02-01,Sam,s1,1\n1,2024-02-01,Sam,s2,2\n1,2024-02-01,Kim,k,3\n";
    scratch.write("games.csv", table);
    scratch.ok(&["import", "games.csv", "--source", "club"]);
    scratch.ok(&["rate", "club"]);
    let served = Served::start(&scratch);
    let page = served.page("/predict/club?name=Sam&name=Kim&name=Zoe");
    assert!(page.contains("several competitors"), "{page}");
    assert!(
        page.contains("href=\"/predict/club?name=s2&amp;name=Kim&amp;name=Zoe\""),
        "{page}"
    );
    assert!(page.contains("href=\"/players/club?text=Zoe\""), "{page}");
    assert!(!page.contains("<table"), "{page}");
    let answer = served.get("/api/v1/predict/club?name=Sam&name=Kim");
    assert_eq!(answer.status, 300, "{}", answer.body);
    let view = served.json("/predict/club?name=s2&name=Kim");
    assert_eq!(view["rows"].as_array().unwrap().len(), 2);
}

#[test]
fn unevaluated_source_names_the_command() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let page = served.page("/compare/club");
    assert!(page.contains("ranklore evaluate club --systems all"), "{page}");
    let view = served.json("/compare/club");
    assert_eq!(view["evaluations"]["rows"], json!([]));
    assert_eq!(view["scatter"], Value::Null);
}

/// Returns the row of a system in a list.
fn find<'v>(rows: &'v Value, system: &str) -> &'v Value {
    let rows = rows.as_array().unwrap();
    let row = rows.iter().find(|row| row["system"] == system);
    row.unwrap_or_else(|| panic!("no {system} in {rows:?}"))
}

#[test]
fn stored_values_are_those_that_evaluate_printed() {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    let systems = "elo-mmr,glicko2";
    let printed = scratch.json(&["evaluate", "club", "--systems", systems]);
    let served = Served::start(&scratch);
    for slice in ["everybody", "top100"] {
        let view = served.json(&format!("/compare/club?slice={slice}"));
        assert_eq!(view["evaluations"]["slice"], slice);
        for system in printed["systems"].as_array().unwrap() {
            let row = find(&view["evaluations"]["rows"], system["system"].as_str().unwrap());
            let slices = system["slices"].as_array().unwrap();
            let accuracy = slices.iter().find(|entry| entry["slice"] == slice).unwrap();
            for key in ["contests", "results", "calibration"] {
                assert_eq!(row[key], accuracy[key], "{key} of {system}");
            }
            let metrics = row["metrics"].as_array().unwrap();
            assert!(!metrics.is_empty());
            for metric in metrics {
                let key = metric["metric"].as_str().unwrap();
                assert_eq!(metric["value"], accuracy[key], "{key} of {system}");
            }
        }
    }
    let csv = served.page("/api/v1/compare/club?format=csv");
    assert!(
        csv.starts_with("run_id,system,slice,metric,value,low,high,is_best\r\n"),
        "{csv}"
    );
    let page = served.page("/compare/club?slice=everybody");
    for part in [
        "coin toss",
        "(best)",
        "concordance",
        "log_loss",
        "<svg",
        "Calibration",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    // The evaluation of a run is beside the comparison.
    scratch.ok(&["evaluate", "club", "--run", "2"]);
    let view = served.json("/compare/club");
    let rows = view["evaluations"]["rows"].as_array().unwrap();
    assert!(rows.iter().any(|row| row["run_id"] == 2), "{rows:?}");
    assert!(served.page("/compare/club").contains("Evaluated runs"));
}

#[test]
fn scatter_has_the_displayed_ratings_of_both_runs() {
    let scratch = Scratch::season();
    scratch.ok(&["rate", "club", "--system", "glicko2"]);
    let served = Served::start(&scratch);
    let view = served.json("/compare/club");
    let scatter = &view["scatter"];
    assert_eq!((&run_id(scatter, "x"), &run_id(scatter, "y")), (&1, &2));
    let ratings = |run: &str| {
        let board = scratch.json(&["leaderboard", "--run", run, "--inactive-after", "9999"]);
        let rows = board["rows"].as_array().unwrap().clone();
        let mut ratings: Vec<(String, f64)> = rows
            .iter()
            .map(|row| (row["name"].as_str().unwrap().to_owned(), row["rating"].as_f64().unwrap()))
            .collect();
        ratings.sort_by(|a, b| a.0.cmp(&b.0));
        ratings
    };
    let mut expected: Vec<(f64, f64)> =
        ratings("1").iter().zip(&ratings("2")).map(|(x, y)| (x.1, y.1)).collect();
    expected.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert_eq!(scatter["points"], json!(expected));
    assert_eq!(scatter["competitors"], 6);
    let swapped = served.json("/compare/club?x=2");
    assert_eq!(run_id(&swapped["scatter"], "y"), 1);
    assert_eq!(
        swapped["scatter"]["spearman_rho"], scatter["spearman_rho"],
        "the correlation has no direction"
    );
    let page = served.page("/compare/club?x=2&y=1");
    for part in ["<svg", "Spearman", "<select id=\"x\"", "6 competitors"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    assert_eq!(served.get("/compare/club?x=99").status, 404);
    assert_eq!(served.get("/compare/club?slice=no-such").status, 404);
}

fn run_id(scatter: &Value, side: &str) -> i64 {
    scatter[side]["run_id"].as_i64().unwrap()
}
