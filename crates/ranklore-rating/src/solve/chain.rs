//! Gaussian belief propagation along a chain of places, best to worst, with the order of
//! neighbouring places as links.
//!
//! Every place has a level with a message from outside the chain, and every link a truncated
//! difference: the level above minus the level below exceeds a margin or, for a draw, lies within
//! it. A sweep down and up is exact for the current factors of the links; then all links are
//! refined at once, each from the messages of all others. This is expectation propagation with
//! parallel updates; a sweep is linear in the number of places.

use pulp::Arch;

use crate::numerics::dispatch::dispatch;
use crate::numerics::lanes::{LANES, Lanes};
use crate::solve::truncated::{factor_above, factor_within};

/// Upper bound of sweeps; inference then stops with the current state. Real contests need about 20,
/// the most extreme ones in tests a few hundred.
pub(crate) const MAX_SWEEPS: usize = 2_000;

/// Lower bound of the variance of a link's factor. That of a draw within a distance of 0 is 0; a
/// variance below the last bit of any level's gives the same messages, and its inverse is finite.
const LEAST_VARIANCE: f64 = 1e-200;

/// A Gaussian factor; without information if the precision is 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Message {
    pub(crate) mean: f64,
    pub(crate) precision: f64,
}

impl Message {
    /// Returns the product of both; at least one must have a positive precision.
    #[inline(always)]
    pub(crate) fn combined_with(self, other: Self) -> Self {
        let precision = self.precision + other.precision;
        Self {
            mean: self.mean + (other.mean - self.mean) * (other.precision / precision),
            precision,
        }
    }

    /// Returns the message about a variable that differs from this one by another, whose factor is
    /// given.
    #[inline(always)]
    fn through_difference(self, factor_mean: f64, factor_precision: f64) -> Self {
        Self {
            mean: self.mean + factor_mean,
            precision: factor_precision / (1.0 + factor_precision / self.precision),
        }
    }
}

/// Constraint on the difference of two neighbours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PlaceLink {
    /// The place above is better by more than this.
    MoreThan(f64),
    /// The two are within this distance of each other; equal if it is 0.
    Within(f64),
}

/// The places of a contest and the links between them.
#[derive(Debug)]
pub(crate) struct PlaceChain {
    /// Message about each place from outside the chain; of precision above 0.
    pub(crate) prior: Vec<Message>,
    /// Message about each place from those above.
    from_above: Vec<Message>,
    /// Message about each place from those below.
    from_below: Vec<Message>,
    /// The level of each place from all messages, mean and deviation.
    level: Vec<(f64, f64)>,
    links: Vec<LinkLanes>,
}

/// Eight links, one per lane.
#[derive(Clone, Copy, Debug)]
struct LinkLanes {
    margin: Lanes,
    is_draw: [bool; LANES],
    /// The message of all other factors about the difference.
    mean: Lanes,
    variance: Lanes,
    /// The link's own factor.
    factor_mean: Lanes,
    factor_precision: Lanes,
}

impl LinkLanes {
    /// Links without information, also the padding of the last chunk.
    const NONE: Self = Self {
        margin: Lanes::ZERO,
        is_draw: [false; LANES],
        mean: Lanes::ZERO,
        variance: Lanes::ONE,
        factor_mean: Lanes::ZERO,
        factor_precision: Lanes::ZERO,
    };

    #[inline(always)]
    fn refine(&mut self) {
        let beyond = || factor_above(self.mean, self.variance, self.margin);
        let within = || factor_within(self.mean, self.variance, self.margin);
        let factor = match self.is_draw.iter().filter(|&&draw| draw).count() {
            0 => beyond(),
            LANES => within(),
            _ => {
                let mut factor = beyond();
                let within = within();
                for lane in 0..LANES {
                    if self.is_draw[lane] {
                        factor.mean.0[lane] = within.mean.0[lane];
                        factor.variance.0[lane] = within.variance.0[lane];
                    }
                }
                factor
            }
        };
        self.factor_mean = factor.mean;
        self.factor_precision = Lanes::ONE / factor.variance.at_least(LEAST_VARIANCE);
    }
}

impl PlaceChain {
    /// Creates a chain of places with the messages `priors`, and one link fewer, still without
    /// information.
    pub(crate) fn new(priors: Vec<Message>, links: impl Iterator<Item = PlaceLink>) -> Self {
        let mut lane_links = vec![LinkLanes::NONE; priors.len().div_ceil(LANES)];
        for (index, link) in links.enumerate() {
            let lane_link = &mut lane_links[index / LANES];
            let lane = index % LANES;
            (lane_link.is_draw[lane], lane_link.margin.0[lane]) = match link {
                PlaceLink::MoreThan(margin) => (false, margin),
                PlaceLink::Within(margin) => (true, margin),
            };
        }
        Self {
            from_above: vec![Message::default(); priors.len()],
            from_below: vec![Message::default(); priors.len()],
            level: vec![(0.0, 0.0); priors.len()],
            prior: priors,
            links: lane_links,
        }
    }

    /// Returns the message of the chain about a place.
    #[inline(always)]
    pub(crate) fn message_to(&self, place: usize) -> Message {
        let above = self.from_above[place];
        let below = self.from_below[place];
        // Without information in any link, the chain has none.
        if above.precision + below.precision > 0.0 {
            above.combined_with(below)
        } else {
            Message::default()
        }
    }

    /// Passes messages down and up. Returns the largest change of a level since the last sweep, in
    /// its mean or its deviation.
    pub(crate) fn sweep(&mut self) -> f64 {
        let last = self.prior.len() - 1;
        // Down and up are independent; interleaved, neither waits for the other.
        let mut above = Message::default();
        let mut below = Message::default();
        for down in 0..last {
            self.from_above[down] = above;
            let all = above.combined_with(self.prior[down]);
            let lane_link = &mut self.links[down / LANES];
            let lane = down % LANES;
            lane_link.mean.0[lane] = all.mean;
            lane_link.variance.0[lane] = 1.0 / all.precision;
            // The difference is the level above minus the level below.
            above = all.through_difference(
                -lane_link.factor_mean.0[lane],
                lane_link.factor_precision.0[lane],
            );

            let up = last - down;
            self.from_below[up] = below;
            let all = below.combined_with(self.prior[up]);
            let lane_link = &self.links[(up - 1) / LANES];
            let lane = (up - 1) % LANES;
            below = all.through_difference(
                lane_link.factor_mean.0[lane],
                lane_link.factor_precision.0[lane],
            );
        }
        self.from_above[last] = above;
        self.from_below[0] = below;
        let mut change: f64 = 0.0;
        for place in 0..=last {
            let from_below = self.from_below[place].combined_with(self.prior[place]);
            if place > 0 {
                let lane_link = &mut self.links[(place - 1) / LANES];
                let lane = (place - 1) % LANES;
                lane_link.mean.0[lane] -= from_below.mean;
                lane_link.variance.0[lane] += 1.0 / from_below.precision;
            }
            let all = from_below.combined_with(self.from_above[place]);
            let level = (all.mean, (1.0 / all.precision).sqrt());
            let before = std::mem::replace(&mut self.level[place], level);
            change = change.max((level.0 - before.0).abs());
            change = change.max((level.1 - before.1).abs());
        }
        change
    }

    /// Updates all links' factors from the messages of the last sweep.
    pub(crate) fn refine(&mut self, arch: Arch) {
        dispatch!(arch, {
            for lane_link in &mut self.links {
                lane_link.refine();
            }
        });
    }
}
