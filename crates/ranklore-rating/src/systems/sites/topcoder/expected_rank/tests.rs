use super::*;

/// Numbers between 0 and 1 from Knuth's generator.
fn random(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// Entrants with deviations between two bounds, uniform in the logarithm; a fifth are equal.
fn entrants(count: usize, narrowest: f64, widest: f64, range: f64) -> Vec<(f64, f64)> {
    let mut random = random(count as u64);
    (0..count)
        .map(|_| {
            let mu = 1500.0 + range * (random() + random() + random() - 1.5);
            let v = narrowest * libm::pow(widest / narrowest, random());
            if random() < 0.2 {
                (1500.0, widest)
            } else {
                (mu, v)
            }
        })
        .collect()
}

fn direct_ranks(entrants: &[(f64, f64)], narrowing: f64) -> Vec<f64> {
    let half_of_all = 0.5 * entrants.len() as f64;
    let rank = |&(mu, v): &(f64, f64)| {
        let halves = entrants.iter().map(|&(other, deviation)| {
            let square = v * v + deviation * deviation;
            libm::erf((other - mu) * narrowing / libm::sqrt(2.0 * square))
        });
        // Neumaier's sum: the error of a plain one would exceed the tolerance.
        let mut sum = 0.0_f64;
        let mut lost = 0.0;
        for half in halves {
            let more = sum + half;
            lost += if sum.abs() > f64::abs(half) {
                (sum - more) + half
            } else {
                (half - more) + sum
            };
            sum = more;
        }
        half_of_all + 0.5 * (sum + lost)
    };
    entrants.iter().map(rank).collect()
}

#[test]
fn ranks_match_direct_sum() {
    for (count, narrowest, widest, range, narrowing) in [
        (2, 200.0, 400.0, 600.0, 1.0),
        (9, 1e-3, 1e4, 2e5, 1.0),
        (60, 300.0, 600.0, 800.0, 1.0),
        (700, 100.0, 1000.0, 1200.0, 1.3),
        (3000, 300.0, 300.0, 1500.0, 1.0),
        (3000, 100.0, 1000.0, 1500.0, 0.5),
        (3000, 2.0, 800.0, 1500.0, 1.0),
        (3000, 1e-3, 1e4, 2e5, 1.0),
        (3000, 1e-3, 2e-3, 2e5, 1.0),
    ] {
        let entrants = entrants(count, narrowest, widest, range);
        let ranks = expected_ranks(&entrants, narrowing).ranks;
        let expected = direct_ranks(&entrants, narrowing);
        let worst = ranks.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            worst < 4e-15 * count as f64,
            "{count} entrants of {narrowest} to {widest}: {worst:e}"
        );
    }
}

#[test]
fn most_entrants_skip_pairwise_comparison() {
    // Tests the choice itself, since a wrong one would only be slow.
    let chunks = |narrowest: f64| -> Vec<Chunk> {
        let mut entrants = entrants(4000, narrowest, 1000.0, 1500.0);
        entrants.sort_by(|a, b| a.1.total_cmp(&b.1));
        let weighted: Vec<_> = entrants.into_iter().map(|entrant| (entrant, 1.0)).collect();
        weighted.chunks(LANES).map(|entrant| Chunk::new(entrant, 1.0)).collect()
    };
    let (narrow, waves) = choose_split(&chunks(100.0));
    assert!(narrow < 20 && waves.is_some(), "{narrow}");
    let (narrow, waves) = choose_split(&chunks(0.1));
    assert!((16..400).contains(&narrow) && waves.is_some(), "{narrow}");
    assert!(choose_split(&chunks(100.0)[..1]).1.is_none());
}

#[test]
fn bits_ignore_vector_instructions_and_order() {
    for (count, narrowest) in [(30, 100.0), (900, 100.0), (900, 1.0)] {
        let mut entrants = entrants(count, narrowest, 900.0, 1200.0);
        let bits = |expected: ExpectedRanks| -> Vec<u64> {
            let all = expected.ranks.iter().copied();
            all.chain([expected.spread]).map(f64::to_bits).collect()
        };
        let mut plain = bits(expected_ranks_on(&entrants, 1.0, Arch::Scalar));
        assert_eq!(plain, bits(expected_ranks_on(&entrants, 1.0, Arch::new())));
        entrants.reverse();
        plain[..count].reverse();
        assert_eq!(plain, bits(expected_ranks_on(&entrants, 1.0, Arch::new())));
    }
}

#[test]
fn cos_sin_matches_libm() {
    for step in -4000..4000 {
        let turns = f64::from(step) * 0.001_37;
        let (cos, sin) = cos_sin(Lanes::splat(turns));
        let angle = 2.0 * PI * turns;
        let off = (cos.0[0] - libm::cos(angle)).abs();
        assert!(off.max((sin.0[5] - libm::sin(angle)).abs()) < 6e-15);
    }
}
