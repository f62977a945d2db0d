//! Samplers: where to look next in a search space.

use crate::search::space::SearchPoint;

/// A source of points, one per trial. Trials have numbers from 0; trial 0 is the default point.
pub trait Sampler: Send {
    /// Returns the number of trials; a grid may have fewer than were asked for.
    fn trials(&self) -> u64;

    /// Returns the end, exclusive, of the batch of a trial: a point depends on the losses of earlier
    /// batches alone. All trials are one batch if points do not depend on losses.
    fn batch_end(&self, number: u64) -> u64;

    /// Returns the point of a trial. If points depend on losses, the numbers must increase, and the
    /// losses of all earlier batches must be told before.
    fn ask(&mut self, number: u64) -> SearchPoint;

    /// Tells the loss of a trial, of which lower is better; none for a trial that did not end. The
    /// numbers must increase.
    fn tell(&mut self, number: u64, point: &SearchPoint, loss: Option<f64>);
}
