//! Windows of performances, and the pieces into which they are cut.

use super::Place;
use super::centres::Centres;
use super::unfinished::UnfinishedRatings;

/// Width of a piece, in deviations of the local performances: on such a width polynomials of degree
/// 15 represent a normal density to 1e-12.
const PIECE_WIDTH: f64 = 2.4;
/// Half-width of the largest window, in deviations of a place's own density: beyond it, whatever
/// the outcome, there is less than 1e-16 (conditioning on the outcome never widens a performance).
const MAX_WINDOW: f64 = 8.5;
/// Reach of windows to either side, in deviations, and additional reach at the ends.
const WINDOW_REACH: f64 = 7.5;
const TAIL_REACH: f64 = 10.0;
/// Limits of the number of pieces, for time: per place, and the minimum of the limit.
const MAX_PIECES_PER_PLACE: usize = 100;
const MIN_PIECE_LIMIT: usize = 300_000;

/// Reach of a window around the centre of its place: down and up.
pub(super) struct Windows {
    down: Vec<f64>,
    up: Vec<f64>,
    farthest: Vec<f64>,
}

impl Windows {
    /// Creates the windows. In the middle performances are nearly normal; the first and the last
    /// have long tails on the open side.
    pub(super) fn new(places: &[Place], unfinished: &UnfinishedRatings, centres: &Centres) -> Self {
        let farthest: Vec<f64> = (places.iter().zip(&centres.deviation))
            .map(|(place, deviation)| MAX_WINDOW / place.count.sqrt() + deviation)
            .collect();
        let reach = |place: usize, beyond: usize| {
            let deviations = WINDOW_REACH + TAIL_REACH / (1.0 + beyond as f64).sqrt();
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

    /// Widens the windows of the flagged places.
    pub(super) fn widen(&mut self, which: impl Iterator<Item = bool>) {
        for (place, _) in which.enumerate().filter(|(_, which)| *which) {
            for reach in [&mut self.down[place], &mut self.up[place]] {
                *reach = (1.7 * *reach).min(self.farthest[place]);
            }
        }
    }
}

/// Pieces, from left to right, and the pieces in the window of each place.
pub(super) struct PieceGrid {
    /// Ends of the pieces; a gap between two windows is a piece in no window.
    pub(super) ends: Vec<f64>,
    /// Starts and ends both do not decrease from place to place.
    pub(super) windows: Vec<std::ops::Range<usize>>,
}

impl PieceGrid {
    /// Creates the grid; none if it would have too many pieces.
    pub(super) fn new(
        places: &[Place],
        centres: &Centres,
        windows: &Windows,
        fineness: f64,
    ) -> Option<Self> {
        let count = places.len();
        // Bounds are made monotone: no place starts below the one beneath it.
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
        // The widest allowed pieces of each place.
        let width = |place: usize| PIECE_WIDTH / fineness * centres.deviation[place];
        let widths: Vec<f64> = (0..count).map(width).collect();
        let most = MIN_PIECE_LIMIT.max(MAX_PIECES_PER_PLACE * count);
        let mut ends = vec![low[0]];
        // The places whose windows contain the point, candidates for the least width first.
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
            // Nor wider than the pieces of a window that has begun.
            for place in next..count {
                if low[place] >= to {
                    break;
                }
                to = to.min(low[place].max(x + widths[place]));
            }
            // A step that vanishes against x would loop forever.
            if to <= x || ends.len() > most {
                return None;
            }
            x = to;
            ends.push(x);
        }
        // A window consists of all pieces that intersect it.
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
