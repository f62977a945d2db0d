//! The deployed Codeforces system: published changes, a direct implementation of the definition,
//! and, if `RANKLORE_REAL_DATA` names a folder with them, whole rounds as rated by the site.

use crate::random::Random;
use ranklore_rating::{
    CodeforcesOfficial, CodeforcesOfficialParameters, InitialRating, RatingRound, RatingSystem,
};

/// The rating changes of entrants with these ratings, best place first.
fn rating_changes(ratings: &[i64], groups: &[u32]) -> Vec<i64> {
    let mut system = CodeforcesOfficial::new(CodeforcesOfficialParameters::default()).unwrap();
    for (competitor, &rating) in (0..).zip(ratings) {
        let mu = rating as f64;
        system.set_initial_rating(competitor, InitialRating { mu, sigma: None });
    }
    let entrants: Vec<u32> = (0..ratings.len() as u32).collect();
    let mut rated = Vec::new();
    system.rate(&RatingRound::new(&entrants, groups), &mut rated);
    let changes = rated.iter().zip(ratings);
    changes.map(|(row, rating)| row.mu as i64 - rating).collect()
}

#[test]
fn matches_published_changes() {
    for (ratings, groups, expected) in [
        (&[1500, 1500][..], &[1, 2][..], &[96, -98][..]),
        (&[1200, 1600, 1900, 2100], &[1, 3, 4], &[403, -35, -136, -236]),
        (&[2400, 2200, 1900, 1700, 1400], &[1, 2, 4, 5], &[95, 15, -69, -1, -47]),
        (&[1400, 1400, 1400], &[1, 2, 3], &[105, -11, -95]),
    ] {
        assert_eq!(rating_changes(ratings, groups), expected, "{ratings:?}");
    }
}

/// The system as its author describes it: sums over all others, a bisection for each entrant.
fn reference_changes(ratings: &[i64], groups: &[u32]) -> Vec<i64> {
    let beats = |one: i64, other: i64| 1.0 / (1.0 + libm::pow(10.0, (other - one) as f64 / 400.0));
    let count = ratings.len();
    let mut changes: Vec<i64> = (0..count)
        .map(|entrant| {
            let seed = |rating: i64| {
                let opponents = (0..count).filter(|&other| other != entrant);
                1.0 + opponents.map(|other| beats(ratings[other], rating)).sum::<f64>()
            };
            let group = groups.partition_point(|&end| end as usize <= entrant);
            let mean = (f64::from(groups[group]) * seed(ratings[entrant])).sqrt();
            let mut left = 1;
            let mut right = 6000;
            while right - left > 1 {
                let middle = i64::midpoint(left, right);
                if seed(middle) < mean {
                    right = middle;
                } else {
                    left = middle;
                }
            }
            (left - ratings[entrant]) / 2
        })
        .collect();
    let sum: i64 = changes.iter().sum();
    for change in &mut changes {
        *change += -sum / count as i64 - 1;
    }
    let mut highest: Vec<usize> = (0..count).collect();
    highest.sort_by(|&a, &b| ratings[b].cmp(&ratings[a]));
    highest.truncate(4 * (count as f64).sqrt().round() as usize);
    let sum: i64 = highest.iter().map(|&entrant| changes[entrant]).sum();
    for change in &mut changes {
        *change += (-sum / highest.len() as i64).clamp(-10, 0);
    }
    changes
}

#[test]
fn changes_match_reference() {
    let mut random = Random::new(12);
    for (count, spread, times) in [
        (2, 1000.0, 60),
        (3, 6000.0, 40),
        (9, 500.0, 30),
        (50, 700.0, 6),
        (400, 900.0, 1),
    ] {
        for _ in 0..times {
            let ratings: Vec<i64> = (0..count)
                .map(|_| match random.below(5) {
                    0 => 1400,
                    _ => random.between(1500.0 - spread, 1500.0 + spread) as i64,
                })
                .collect();
            let mut groups: Vec<u32> =
                (1..count as u32).filter(|&end| end == 1 || random.below(4) != 0).collect();
            groups.push(count as u32);
            assert_eq!(rating_changes(&ratings, &groups), reference_changes(&ratings, &groups));
        }
    }
}

#[test]
fn changes_never_inflate() {
    let mut random = Random::new(13);
    for count in [2_usize, 5, 30, 200] {
        let ratings: Vec<i64> = (0..count).map(|_| 1000 + random.below(1500) as i64).collect();
        let groups: Vec<u32> = (1..=count as u32).collect();
        let changes = rating_changes(&ratings, &groups);
        assert!(changes.iter().sum::<i64>() <= 0, "{changes:?}");
    }
}

/// Compares with rounds as rated by Codeforces: rows of handle, points, penalty, rating before
/// (null for a newcomer) and change. Skipped if `RANKLORE_REAL_DATA` is not set.
#[test]
fn matches_real_rounds() {
    let Some(folder) = std::env::var_os("RANKLORE_REAL_DATA") else {
        return;
    };
    let folder = std::path::Path::new(&folder).join("codeforces");
    let mut rounds = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.starts_with("official-deltas-") {
            continue;
        }
        let mut rows: Vec<(String, f64, f64, Option<i64>, i64)> =
            serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        rows.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.2.total_cmp(&b.2)));
        let mut end = 0;
        let groups: Vec<u32> = rows
            .chunk_by(|a, b| (a.1, a.2) == (b.1, b.2))
            .map(|group| {
                end += group.len() as u32;
                end
            })
            .collect();
        let ratings: Vec<i64> = rows.iter().map(|row| row.3.unwrap_or(1400)).collect();
        let expected: Vec<i64> = rows.iter().map(|row| row.4).collect();
        let actual = rating_changes(&ratings, &groups);
        let missed = actual.iter().zip(&expected).filter(|(a, b)| a != b).count();
        println!("{name}: {} changes, {missed} missed", rows.len());
        assert_eq!(missed, 0, "{name}");
        rounds += 1;
    }
    assert!(rounds >= 3, "{rounds} rounds");
}
