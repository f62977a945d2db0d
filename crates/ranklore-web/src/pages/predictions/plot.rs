//! A plot of points: SVG without scripts. Colours and sizes are in the style sheet.

use maud::{Markup, html};

use crate::pages::format::coordinate;

/// The size of the drawing, in its own units.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 440.0;
/// The space for labels: left, top, right and bottom.
const MARGINS: [f64; 4] = [64.0, 12.0, 16.0, 48.0];
/// The lines of the grid in each direction.
const STEPS: u8 = 5;

/// Points with two coordinates, and the texts of the axes.
pub(super) struct Plot<'p> {
    pub(super) label: &'p str,
    pub(super) x_label: &'p str,
    pub(super) y_label: &'p str,
    pub(super) points: &'p [(f64, f64)],
    /// The ranges of both axes; by default those of the points.
    pub(super) range: Option<(f64, f64)>,
    /// True for a line from corner to corner, on which both coordinates are equal.
    pub(super) has_diagonal: bool,
    /// Formats a number at the grid, by axis.
    pub(super) tick: &'p dyn Fn(f64, Axis) -> String,
}

/// An axis of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
}

/// The range of an axis.
#[derive(Clone, Copy)]
struct Range {
    low: f64,
    high: f64,
}

impl Range {
    /// Returns the range of numbers with space around it; none if there is none, or it is infinite.
    fn from_numbers(numbers: impl Iterator<Item = f64> + Clone) -> Option<Self> {
        let low = numbers.clone().fold(f64::INFINITY, f64::min);
        let high = numbers.fold(f64::NEG_INFINITY, f64::max);
        let space = if low < high { 0.04 * (high - low) } else { 0.5 };
        (low.is_finite() && high.is_finite()).then_some(Self {
            low: low - space,
            high: high + space,
        })
    }

    fn share(self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }

    fn ticks(self) -> impl Iterator<Item = f64> {
        let step = (self.high - self.low) / f64::from(STEPS);
        (0..=STEPS).map(move |index| self.low + step * f64::from(index))
    }
}

impl Plot<'_> {
    /// Returns the drawing; empty without points.
    pub(super) fn draw(&self) -> Markup {
        let fixed = self.range.map(|(low, high)| Range { low, high });
        let x_range =
            fixed.or_else(|| Range::from_numbers(self.points.iter().map(|point| point.0)));
        let y_range =
            fixed.or_else(|| Range::from_numbers(self.points.iter().map(|point| point.1)));
        let (Some(x_range), Some(y_range)) = (x_range, y_range) else {
            return html! {};
        };
        let [left, top, right, bottom] = MARGINS;
        let x = |number: f64| left + x_range.share(number) * (WIDTH - left - right);
        let y = |number: f64| HEIGHT - bottom - y_range.share(number) * (HEIGHT - top - bottom);
        html! {
            svg.curve viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(self.label) {
                @for tick in x_range.ticks() {
                    line.grid x1=(coordinate(x(tick))) y1=(coordinate(top)) x2=(coordinate(x(tick))) y2=(coordinate(HEIGHT - bottom)) {}
                    text.axis x=(coordinate(x(tick))) y=(coordinate(HEIGHT - bottom + 18.0)) text-anchor="middle" { ((self.tick)(tick, Axis::X)) }
                }
                @for tick in y_range.ticks() {
                    line.grid x1=(coordinate(left)) y1=(coordinate(y(tick))) x2=(coordinate(WIDTH - right)) y2=(coordinate(y(tick))) {}
                    text.axis x=(coordinate(left - 6.0)) y=(coordinate(y(tick) + 4.0)) text-anchor="end" { ((self.tick)(tick, Axis::Y)) }
                }
                text.axis x=(coordinate(WIDTH - right)) y=(coordinate(HEIGHT - 8.0)) text-anchor="end" { (self.x_label) }
                text.axis x=(coordinate(left + 6.0)) y=(coordinate(top + 14.0)) { (self.y_label) }
                @if self.has_diagonal {
                    line.line.curve1 x1=(coordinate(left)) y1=(coordinate(HEIGHT - bottom)) x2=(coordinate(WIDTH - right)) y2=(coordinate(top)) {}
                }
                @for point in self.points {
                    circle.point.curve0 cx=(coordinate(x(point.0))) cy=(coordinate(y(point.1))) r="4" {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(points: &[(f64, f64)]) -> String {
        let plot = Plot {
            label: "<both>",
            x_label: "x",
            y_label: "y",
            points,
            range: None,
            has_diagonal: false,
            tick: &|number, _| format!("{number:.0}"),
        };
        plot.draw().into_string()
    }

    #[test]
    fn every_point_is_inside_the_drawing() {
        let svg = draw(&[(1_000.0, 3.0), (2_000.0, 1.0), (1_500.0, 2.0)]);
        assert_eq!(svg.matches("<circle").count(), 3, "{svg}");
        assert!(svg.contains("&lt;both&gt;"), "{svg}");
        assert!(svg.contains("cx=\"344.0\""), "the middle: {svg}");
    }

    #[test]
    fn single_points_are_in_the_middle_and_none_are_not_drawn() {
        let svg = draw(&[(7.0, 7.0)]);
        assert!(svg.contains("cx=\"344.0\" cy=\"202.0\""), "{svg}");
        assert_eq!(draw(&[]), "");
        assert_eq!(draw(&[(f64::NAN, f64::INFINITY)]), "");
    }
}
