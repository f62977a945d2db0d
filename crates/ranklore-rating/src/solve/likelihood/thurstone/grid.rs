//! Windows of performances, and the pieces into which they are cut.

use std::collections::VecDeque;

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
        let count = places.len();
        let deviations = places.iter().zip(&centres.deviation);
        let farthest: Vec<f64> = deviations
            .map(|(place, deviation)| MAX_WINDOW / place.count.sqrt() + deviation)
            .collect();
        let reach = |place: usize, beyond: usize| {
            let deviations = WINDOW_REACH + TAIL_REACH / (1.0 + beyond as f64).sqrt();
            (deviations * centres.deviation[place]).min(farthest[place])
        };
        let down = (0..count).map(|place| reach(place, place + unfinished.count));
        let up = (0..count).map(|place| reach(place, count - 1 - place));
        Self {
            down: down.collect(),
            up: up.collect(),
            farthest,
        }
    }

    /// Returns the lower and the upper ends of the windows, made monotone: no place starts or ends
    /// below the one beneath it.
    fn ends(&self, centres: &Centres) -> (Vec<f64>, Vec<f64>) {
        let count = centres.at.len();
        let mut low: Vec<f64> = Vec::with_capacity(count);
        let mut high: Vec<f64> = Vec::with_capacity(count);
        for (place, x) in centres.at.iter().enumerate() {
            let beneath = low.last().copied().unwrap_or(f64::NEG_INFINITY);
            low.push((x - self.down[place]).max(beneath));
            high.push(x + self.up[place]);
        }
        for place in (1..count).rev() {
            high[place - 1] = high[place - 1].min(high[place]);
        }
        (low, high)
    }

    /// Widens the windows of the flagged places.
    pub(super) fn widen(&mut self, flags: impl Iterator<Item = bool>) {
        for (place, _) in flags.enumerate().filter(|(_, is_flagged)| *is_flagged) {
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
        let (low, high) = windows.ends(centres);
        // The widest allowed pieces of each place.
        let deviations = centres.deviation.iter();
        let widths: Vec<f64> =
            deviations.map(|deviation| PIECE_WIDTH / fineness * deviation).collect();
        let max_pieces = MIN_PIECE_LIMIT.max(MAX_PIECES_PER_PLACE * places.len());
        let ends = cut_into_pieces(&low, &high, &widths, max_pieces)?;
        // A window consists of all pieces that intersect it.
        let bounds = low.iter().zip(&high);
        let windows: Vec<std::ops::Range<usize>> = bounds
            .map(|(&low, &high)| {
                let start = ends.partition_point(|&end| end <= low).max(1) - 1;
                let end = ends.partition_point(|&end| end < high).min(ends.len() - 1);
                start..end.max(start + 1)
            })
            .collect();
        let pieces: usize = windows.iter().map(ExactSizeIterator::len).sum();
        (pieces <= max_pieces).then_some(Self { ends, windows })
    }
}

/// Cuts the windows from `low` to `high` into pieces that are in no window wider than its width.
/// Returns the ends of the pieces; none if they would be more than `max_pieces`.
fn cut_into_pieces(
    low: &[f64],
    high: &[f64],
    widths: &[f64],
    max_pieces: usize,
) -> Option<Vec<f64>> {
    let count = low.len();
    let mut ends = vec![low[0]];
    // The places whose windows contain the point, candidates for the least width first.
    let mut narrowest: VecDeque<usize> = VecDeque::new();
    let mut next = 0;
    let mut x = low[0];
    loop {
        while next < count && low[next] <= x {
            while narrowest.back().is_some_and(|&last| widths[last] >= widths[next]) {
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
                return Some(ends);
            }
            x = low[next];
            ends.push(x);
            continue;
        };
        let mut end = x + widths[first];
        // Nor wider than the pieces of a window that has begun.
        for place in next..count {
            if low[place] >= end {
                break;
            }
            end = end.min(low[place].max(x + widths[place]));
        }
        // A step that vanishes against x would loop forever.
        if end <= x || ends.len() > max_pieces {
            return None;
        }
        x = end;
        ends.push(x);
    }
}
