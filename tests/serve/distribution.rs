//! The page and the API of the distribution of ratings.

use serde_json::Value;

use crate::client::Served;
use crate::support::Scratch;

/// Returns a number of a JSON object.
#[track_caller]
fn number(of: &Value, key: &str) -> f64 {
    of[key].as_f64().unwrap_or_else(|| panic!("{key} in {of}"))
}

#[test]
fn distribution_counts_the_established_of_the_leaderboard() {
    let scratch = Scratch::season();
    // All but the competitor of a single contest are established.
    scratch.ok(&["source", "set", "club", "provisional=2"]);
    let served = Served::start(&scratch);
    let board = served.json("/leaderboard?source=club");
    let rows = board["rows"].as_array().unwrap();
    let established = rows.iter().filter(|row| row["provisional"] == false);
    let ratings: Vec<f64> = established.map(|row| number(row, "rating")).collect();
    assert!(ratings.len() > 3);
    let view = served.json("/distribution/club?rating=1500.5");
    assert_eq!(view["competitors"], ratings.len());
    let below = ratings.iter().filter(|rating| **rating < 1500.5).count();
    let share = 100.0 * below as f64 / ratings.len() as f64;
    assert_eq!(view["better_than"], share);
    for bin in view["rows"].as_array().unwrap() {
        let range = number(bin, "from")..number(bin, "to");
        let inside = ratings
            .iter()
            .filter(|rating| range.contains(rating))
            .count();
        assert_eq!(bin["competitors"], inside, "{bin}");
    }
    let csv = served.page("/api/v1/distribution/club?format=csv");
    assert!(
        csv.starts_with("from,to,competitors,share,better_than\r\n")
            || csv.starts_with("from,to,competitors,share,better_than\n"),
        "{csv}"
    );
    assert_eq!(
        csv.lines().count(),
        1 + view["rows"].as_array().unwrap().len()
    );
    let page = served.page("/distribution/club?rating=1500.5");
    for part in [
        &format!("{share:.1}\u{a0}%"),
        "<svg",
        "class=\"bar\"",
        "Highest mu ever",
        "href=\"/player/club/ann\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let peaks = scratch.json(&["leaderboard", "--sort", "peak", "--limit", "1"]);
    let first = peaks["rows"][0]["name"].as_str().unwrap();
    let record = page.rsplit("Highest mu ever").next().unwrap();
    assert!(
        record.find(&format!("<bdi>{first}</bdi>"))
            < record.find("</tr><tr><td class=\"number\">2"),
        "{record}"
    );
}

#[test]
fn invalid_ratings_and_unrated_sources_are_explained() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    for word in ["x", "1e9", "nan", "inf"] {
        let answer = served.get(&format!("/distribution/club?rating={word}"));
        assert_eq!(answer.status, 400, "{word}");
        assert!(answer.body.contains("a number from"), "{}", answer.body);
    }
    assert_eq!(served.get("/distribution/nothing").status, 404);
    let unrated = Scratch::club();
    let served = Served::start(&unrated);
    assert_eq!(served.get("/distribution/club").status, 404);
}
