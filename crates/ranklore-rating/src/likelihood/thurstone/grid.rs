//! Where performances may be, and the pieces that is cut into.

use super::Place;
use super::centres::Centres;
use super::unfinished::Unfinished;

/// Over one piece f·L may grow, and f·U fall, by about e to the power of half of this:
/// errors of about 1e-12 in the gradient.
const GROWTH: f64 = 16.0;
/// The largest window, in deviations of a place's own density: beyond, whatever the outcome,
/// there is less than 1e-16 (a performance given the outcome is spread no wider).
const FARTHEST: f64 = 8.5;
/// Pieces in all beyond which it would take too long: so many for each place, and at least.
const PIECES_A_PLACE: usize = 1_000;
const PIECES: usize = 300_000;

/// How far a window reaches around the centre of its place.
pub(super) struct Windows {
    reach: Vec<f64>,
    farthest: Vec<f64>,
}

impl Windows {
    /// In the middle performances are nearly normal; the first and the last have longer tails.
    pub(super) fn new(places: &[Place], centres: &Centres) -> Self {
        let last = places.len() - 1;
        let farthest: Vec<f64> = (places.iter().zip(&centres.deviation))
            .map(|(place, deviation)| FARTHEST / place.count.sqrt() + deviation)
            .collect();
        let reach = (0..places.len())
            .map(|place| {
                let from_end = place.min(last - place) as f64;
                let deviations = 9.0 + 10.0 / (1.0 + from_end).sqrt();
                (deviations * centres.deviation[place]).min(farthest[place])
            })
            .collect();
        Self { reach, farthest }
    }

    /// Widens all of them.
    pub(super) fn widen(&mut self) {
        for (reach, farthest) in self.reach.iter_mut().zip(&self.farthest) {
            *reach = (1.6 * *reach).min(*farthest);
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
        unfinished: &Unfinished,
        centres: &Centres,
        windows: &Windows,
        fineness: f64,
    ) -> Option<Self> {
        let count = places.len();
        // Nobody is below who is above one that is not below.
        let mut low: Vec<f64> = Vec::with_capacity(count);
        let mut high: Vec<f64> = Vec::with_capacity(count);
        for (x, reach) in centres.at.iter().zip(&windows.reach) {
            low.push((x - reach).max(low.last().copied().unwrap_or(f64::NEG_INFINITY)));
            high.push(x + reach);
        }
        for place in (1..count).rev() {
            high[place - 1] = high[place - 1].min(high[place]);
        }
        // The widest pieces for each place, by how steep things are about its centre.
        let width = |place: usize| {
            let below = match place {
                0 => {
                    (places[0].mean - low[0]).max(0.0) * places[0].count
                        + unfinished.slope(low[0]).0
                }
                _ => 1.0 / centres.gap(place - 1),
            };
            let above = if place + 1 == count {
                (high[place] - places[place].mean).max(0.0) * places[place].count
            } else {
                1.0 / centres.gap(place)
            };
            let own = 4.0 * places[place].count.sqrt();
            GROWTH / (fineness * (below + above + own))
        };
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
            let to = x + widths[first];
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
