//! The pages and the API of the distribution of ratings, of records and of movers.

use serde_json::Value;

use super::client::Served;
use crate::support::Scratch;

/// Returns a number of a JSON object.
#[track_caller]
fn number(record: &Value, key: &str) -> f64 {
    record[key].as_f64().unwrap_or_else(|| panic!("{key} in {record}"))
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
        let inside = ratings.iter().filter(|rating| range.contains(rating)).count();
        assert_eq!(bin["competitors"], inside, "{bin}");
    }
    let csv = served.page("/api/v1/distribution/club?format=csv");
    assert!(
        csv.starts_with("from,to,competitors,share,better_than\r\n")
            || csv.starts_with("from,to,competitors,share,better_than\n"),
        "{csv}"
    );
    assert_eq!(csv.lines().count(), 1 + view["rows"].as_array().unwrap().len());
    let page = served.page("/distribution/club?rating=1500.5");
    for part in [
        &format!("{share:.1}\u{a0}%"),
        "<svg",
        "class=\"bar\"",
        "href=\"/records/club\"",
    ] {
        assert!(page.contains(part), "{part} in {page}");
    }
}

#[test]
fn records_have_the_first_of_each_list() {
    let scratch = Scratch::season();
    scratch.ok(&["source", "set", "club", "provisional=2"]);
    let served = Served::start(&scratch);
    let view = served.json("/records/club?limit=3");
    let (first_places, wins) = (&view["first_places"], &view["wins"]);
    for list in [first_places, wins] {
        let count = list.as_array().unwrap().len();
        assert!((1..=3).contains(&count), "{list}");
    }
    let csv = served.page("/api/v1/records/club?format=csv&limit=3");
    let lists = ["first_places,", "wins,", "years,"];
    for (list, key) in lists.iter().zip(["first_places", "wins", "years"]) {
        let rows = csv.lines().filter(|line| line.starts_with(list)).count();
        assert_eq!(rows, view[key].as_array().unwrap().len(), "{csv}");
    }
    let page = served.page("/records/club");
    let peaks = scratch.json(&["leaderboard", "--sort", "peak", "--provisional", "exclude"]);
    for (caption, rows) in [
        ("Highest mu ever", &peaks["rows"]),
        ("Longest times in first place", first_places),
        ("Most wins", wins),
    ] {
        let caption = format!("<caption class=\"unseen\">{caption}</caption>");
        let table = page.split(&caption).last().unwrap();
        let table = table.split("</table>").next().unwrap();
        let names: Vec<&str> = table.split("<bdi>").skip(1).collect();
        let first = rows[0]["name"].as_str().unwrap();
        assert!(names[0].starts_with(&format!("{first}<")), "{caption}: {table}");
    }
    assert!(page.contains("still first") && page.contains("Ratings by year"));
}

#[test]
fn movers_are_those_of_the_days_before_the_newest_contest() {
    let scratch = Scratch::season();
    let served = Served::start(&scratch);
    let board = served.json("/leaderboard");
    let newest = board["newest_contest_at"].as_i64().unwrap();
    let recent = served.json("/movers/club");
    assert_eq!(recent["since"], newest - 30 * 86_400);
    let page = served.page("/movers/club");
    let gainer = recent["gains"][0]["name"].as_str().unwrap();
    assert!(page.contains(&format!("<bdi>{gainer}</bdi>")), "{page}");
    let nothing = served.page("/movers/club?since=2100-01-01");
    assert!(nothing.contains("No rating changed"), "{nothing}");
    assert_eq!(served.get("/movers/club?since=x").status, 400);
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
    for page in ["distribution", "records", "movers"] {
        assert_eq!(served.get(&format!("/{page}/nothing")).status, 404);
    }
    let unrated = Scratch::club();
    let served = Served::start(&unrated);
    for page in ["distribution", "records", "movers"] {
        assert_eq!(served.get(&format!("/{page}/club")).status, 404);
    }
}
