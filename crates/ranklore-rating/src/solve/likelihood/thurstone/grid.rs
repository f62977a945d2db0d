//! Where performances may be, and the pieces that is cut into.

use super::Place;
use super::centres::Centres;
use super::unfinished::Unfinished;

/// Width of a piece, in deviations of the performances about there: over so much of a normal
/// density polynomials of degree 15 are right to 1e-12.
const WIDTH: f64 = 2.4;
/// The largest window, in deviations of a place's own density: beyond, whatever the outcome,
/// there is less than 1e-16 (a performance given the outcome is spread no wider).
const FARTHEST: f64 = 8.5;
/// How far windows reach to either side, in deviations; and how much farther at the ends.
const REACH: f64 = 7.5;
const TAIL: f64 = 10.0;
/// Pieces in all beyond which it would take too long: so many for each place, and at least.
const PIECES_A_PLACE: usize = 100;
const PIECES: usize = 300_000;

/// How far a window reaches around the centre of its place: down and up.
pub(super) struct Windows {
    down: Vec<f64>,
    up: Vec<f64>,
    farthest: Vec<f64>,
}

impl Windows {
    /// In the middle performances are nearly normal; the first and the last have long tails
    /// where nobody is beyond them.
    pub(super) fn new(places: &[Place], unfinished: &Unfinished, centres: &Centres) -> Self {
        let farthest: Vec<f64> = (places.iter().zip(&centres.deviation))
            .map(|(place, deviation)| FARTHEST / place.count.sqrt() + deviation)
            .collect();
        let reach = |place: usize, beyond: usize| {
            let deviations = REACH + TAIL / (1.0 + beyond as f64).sqrt();
            (deviations * centres.deviation[place]).min(farthest[place])
        };
        let below = |place: usize| place + unfinished.count;
        Self {
            down: (0..places.len()).map(|at| reach(at, below(at))).collect(),
            up: (0..places.len())
                .map(|at| reach(at, places.len() - 1 - at))
                .collect(),
            farthest,
        }
    }

    /// Widens those of the places `which`.
    pub(super) fn widen(&mut self, which: impl Iterator<Item = bool>) {
        for (place, _) in which.enumerate().filter(|(_, which)| *which) {
            for reach in [&mut self.down[place], &mut self.up[place]] {
                *reach = (1.7 * *reach).min(self.farthest[place]);
            }
        }
    }
}

/// Pieces, from left to right, and which of them make the window of each place.
pub(super) struct Grid {
    /// Ends of the pieces; between two windows that do not meet there is a piece in no window.
    pub(super) ends: Vec<f64>,
    /// Neither beginnings nor ends fall from place to place.
    pub(super) windows: Vec<std::ops::Range<usize>>,
}

impl Grid {
    /// None where there would be too many pieces.
    pub(super) fn new(
        places: &[Place],
        centres: &Centres,
        windows: &Windows,
        fineness: f64,
    ) -> Option<Self> {
        let count = places.len();
        // Nobody is below who is above one that is not below.
        let mut low: Vec<f64> = Vec::with_capacity(count);
        let mut high: Vec<f64> = Vec::with_capacity(count);
        for (place, x) in centres.at.iter().enumerate() {
            let beyond = low.last().copied().unwrap_or(f64::NEG_INFINITY);
            low.push((x - windows.down[place]).max(beyond));
            high.push(x + windows.up[place]);
        }
        for place in (1..count).rev() {
            high[place - 1] = high[place - 1].min(high[place]);
        }
        // The widest pieces for each place.
        let width = |place: usize| WIDTH / fineness * centres.deviation[place];
        let widths: Vec<f64> = (0..count).map(width).collect();
        let most = PIECES.max(PIECES_A_PLACE * count);
        let mut ends = vec![low[0]];
        // The places whose windows hold the point, those of the least width to come first.
        let mut narrowest: std::collections::VecDeque<usize> = std::collections::VecDeque::new();
        let mut next = 0;
        let mut x = low[0];
        loop {
            while next < count && low[next] <= x {
                while narrowest
                    .back()
                    .is_some_and(|&last| widths[last] >= widths[next])
                {
                    narrowest.pop_back();
                }
                narrowest.push_back(next);
                next += 1;
            }
            while narrowest.front().is_some_and(|&first| high[first] <= x) {
                narrowest.pop_front();
            }
            let Some(&first) = narrowest.front() else {
                if next == count {
                    break;
                }
                x = low[next];
                ends.push(x);
                continue;
            };
            let mut to = x + widths[first];
            // Nor wider than where a window has begun, of a place whose pieces are narrow.
            for place in next..count {
                if low[place] >= to {
                    break;
                }
                to = to.min(low[place].max(x + widths[place]));
            }
            // A step that no longer counts against x would never end.
            if to <= x || ends.len() > most {
                return None;
            }
            x = to;
            ends.push(x);
        }
        // A window is all pieces that meet it.
        let windows: Vec<std::ops::Range<usize>> = (low.iter().zip(&high))
            .map(|(&low, &high)| {
                let start = ends.partition_point(|&end| end <= low).max(1) - 1;
                let end = ends.partition_point(|&end| end < high).min(ends.len() - 1);
                start..end.max(start + 1)
            })
            .collect();
        let pieces: usize = windows.iter().map(ExactSizeIterator::len).sum();
        (pieces <= most).then_some(Self { ends, windows })
    }
}
