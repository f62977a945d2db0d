//! Contest files in the JSON format of Elo-MMR, and random contests.

use serde_json::{Value, json};

/// Creates a contest file. Each group is a tie.
pub fn contest_file<N: AsRef<str>, G: AsRef<[N]>>(id: u32, ends_at: i64, groups: &[G]) -> Value {
    let mut standings = Vec::new();
    for group in groups.iter().map(AsRef::as_ref) {
        let from = standings.len();
        let to = from + group.len() - 1;
        standings.extend(group.iter().map(|name| json!([name.as_ref(), from, to])));
    }
    json!({"id": id, "name": format!("Round {id}"), "time_seconds": ends_at, "standings": standings})
}

/// Creates a contest file of [`random_groups`].
pub fn random_contest_file(id: u32, ends_at: i64, entrants: usize) -> Value {
    contest_file(id, ends_at, &random_groups(id, entrants))
}

/// Returns the order in which `entrants` of 60 players finish, with ties. It is pseudo-random,
/// depends on the id only, and favours strong players.
pub fn random_groups(id: u32, entrants: usize) -> Vec<Vec<String>> {
    let mut seed = u64::from(id) + 1;
    let mut next = || {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        seed >> 40
    };
    let mut order: Vec<(u64, String)> = (0..60)
        .map(|player| (next() % 100 + player, format!("player {player}")))
        .collect();
    order.sort_unstable();
    order.rotate_left(next() as usize % 10);
    order.truncate(entrants);
    let names: Vec<String> = order.into_iter().map(|(_, name)| name).collect();
    names.chunks(1 + id as usize % 3).map(<[String]>::to_vec).collect()
}
