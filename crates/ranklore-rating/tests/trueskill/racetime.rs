//! Ratings of racetime.gg, which rates races with the defaults of the package `trueskill`: entrants
//! that did not finish draw, and 100·(mu − 2·sigma), rounded and at least 0, is shown.

use std::collections::HashMap;
use std::path::PathBuf;

use serde_json::Value;

use super::{NEWCOMER, Rating, individual_ratings_after, published_parameters, system};

/// The seasons after the first: each is a goal of its own, in which all start as newcomers.
const SEASONS: [&str; 2] = ["2024-10-17", "2025-02-09"];

fn shown((mu, sigma): Rating) -> i64 {
    (100.0 * (mu - 2.0 * sigma)).round().max(0.0) as i64
}

/// Returns the ends of the groups: every finisher, then all who did not finish.
fn groups(finishers: u32, entrants: u32) -> Vec<u32> {
    (1..=finishers).chain((finishers < entrants).then_some(entrants)).collect()
}

#[test]
fn first_recorded_race_is_reproduced() {
    let after =
        individual_ratings_after(&system(published_parameters()), &[NEWCOMER; 4], &groups(1, 4));
    assert_eq!(shown(NEWCOMER), 833);
    let changes: Vec<i64> = after.iter().map(|rating| shown(*rating) - 833).collect();
    assert_eq!(changes, [909, 400, 401, 400]);
}

/// Replays the recorded Map Rando races in the order in which they ended, which is not quite the
/// order in which moderators recorded them. Runs if `RANKLORE_REAL_DATA` names the folder with the
/// data.
#[test]
fn recorded_map_rando_races_are_replayed() {
    let Some(folder) = std::env::var_os("RANKLORE_REAL_DATA").filter(|path| !path.is_empty())
    else {
        println!("left out: RANKLORE_REAL_DATA is not set");
        return;
    };
    let path = PathBuf::from(folder).join("racetime/map-rando-s1-s3.json");
    let mut races: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    races.retain(|race| race["recorded"] == true);
    races.sort_by(|a, b| a["ended_at"].as_str().cmp(&b["ended_at"].as_str()));
    assert_eq!(races.len(), 1_505);
    let system = system(published_parameters());
    let mut seasons = SEASONS.into_iter().peekable();
    let mut ratings: HashMap<String, Rating> = HashMap::new();
    let mut exact = 0;
    let mut within_a_point = 0;
    for race in &races {
        if seasons.next_if(|season| race["ended_at"].as_str() >= Some(*season)).is_some() {
            ratings.clear();
        }
        let entrants = race["entrants"].as_array().unwrap();
        // The site itself rates no race with a deleted account.
        let changes = entrants.iter().map(|entrant| entrant["score_change"].as_i64());
        let Some(changes) = changes.collect::<Option<Vec<i64>>>() else {
            continue;
        };
        let users: Vec<String> = entrants.iter().map(|e| e["user_id"].to_string()).collect();
        let before: Vec<Rating> = users
            .iter()
            .map(|user| ratings.get(user).copied().unwrap_or(NEWCOMER))
            .collect();
        let finishers = entrants.iter().filter(|e| e["place"] != 9999).count() as u32;
        let groups = groups(finishers, users.len() as u32);
        let after = individual_ratings_after(&system, &before, &groups);
        let replayed = before.iter().zip(&after).map(|(old, new)| shown(*new) - shown(*old));
        let farthest = replayed.zip(changes).map(|(a, b)| (a - b).abs()).max().unwrap();
        exact += usize::from(farthest == 0);
        within_a_point += usize::from(farthest <= 1);
        ratings.extend(users.into_iter().zip(after));
    }
    assert_eq!((exact, within_a_point), (299, 1_083));
}
