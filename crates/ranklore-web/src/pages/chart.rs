//! The rating curve: SVG without scripts. Colours and sizes are in the style sheet.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use maud::{Markup, html};

use crate::pages::format::{coordinate, name, short};

/// The size of the drawing, in its own units.
const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 340.0;
/// The space for labels: left, top, right and bottom.
const MARGINS: [f64; 4] = [56.0, 12.0, 14.0, 28.0];

/// The most points of a curve.
pub(crate) const MAX_POINTS: usize = 600;

/// The number of sigmas of the band on each side.
pub(crate) const BAND_SIGMAS: f64 = 2.0;

/// The rating of one competitor over time.
#[derive(Clone, Debug)]
pub(crate) struct Curve {
    pub(crate) name: String,
    pub(crate) points: Vec<CurvePoint>,
}

/// The rating after a contest.
#[derive(Clone, Debug)]
pub(crate) struct CurvePoint {
    /// Unix seconds.
    pub(crate) at: i64,
    pub(crate) mu: f64,
    pub(crate) sigma: f64,
    /// The text of the tooltip.
    pub(crate) text: String,
}

/// The ranges of the axes.
struct Axes {
    from: f64,
    to: f64,
    low: f64,
    high: f64,
}

impl Axes {
    /// Returns axes that fit all curves; none without a point.
    fn new(curves: &[Curve]) -> Option<Self> {
        let points: Vec<&CurvePoint> = curves.iter().flat_map(|curve| &curve.points).collect();
        let from = points.iter().map(|p| p.at).min()? as f64;
        let to = points.iter().map(|p| p.at).max()? as f64;
        let lower = points.iter().map(|p| p.mu - BAND_SIGMAS * p.sigma);
        let low = lower.fold(f64::INFINITY, f64::min);
        let upper = points.iter().map(|p| p.mu + BAND_SIGMAS * p.sigma);
        let high = upper.fold(f64::NEG_INFINITY, f64::max);
        if !(low.is_finite() && high.is_finite()) {
            return None;
        }
        // A single point, or a single time, is in the middle.
        let (from, to) = if from < to {
            (from, to)
        } else {
            (from - 43_200.0, to + 43_200.0)
        };
        let space = if low < high { 0.04 * (high - low) } else { 0.5 };
        Some(Self {
            from,
            to,
            low: low - space,
            high: high + space,
        })
    }

    fn x(&self, at: f64) -> f64 {
        let [left, _, right, _] = MARGINS;
        left + (at - self.from) / (self.to - self.from) * (WIDTH - left - right)
    }

    fn y(&self, rating: f64) -> f64 {
        let [_, top, _, bottom] = MARGINS;
        HEIGHT - bottom - (rating - self.low) / (self.high - self.low) * (HEIGHT - top - bottom)
    }

    /// Returns the coordinates of a rating at a time.
    fn position(&self, at: i64, rating: f64) -> String {
        format!("{},{}", coordinate(self.x(at as f64)), coordinate(self.y(rating)))
    }

    /// Returns round ratings, about five.
    fn rating_ticks(&self) -> Vec<f64> {
        let rough = (self.high - self.low) / 5.0;
        let power = 10_f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0]
            .map(|factor| factor * power)
            .into_iter()
            .find(|step| *step >= rough)
            .unwrap_or(10.0 * power);
        let first = (self.low / step).ceil();
        let last = (self.high / step).floor();
        let count = (last - first).clamp(0.0, 20.0) as u32;
        (0..=count).map(|index| (first + f64::from(index)) * step).collect()
    }

    /// Returns the first days of years, else of months, else all days: about six, with labels.
    fn time_ticks(&self) -> Vec<(f64, String)> {
        let days = (self.to - self.from) / 86_400.0;
        let months = days / 30.0;
        let (step_months, step_days) = match months {
            _ if days < 50.0 => (0, (days / 6.0).ceil().max(1.0) as i64),
            _ if months < 7.0 => (1, 0),
            _ if months < 20.0 => (3, 0),
            _ => (12 * (months / 72.0).ceil() as i64, 0),
        };
        let Ok(start) = Timestamp::from_second(self.from as i64) else {
            return Vec::new();
        };
        let first_day = start.to_zoned(TimeZone::UTC).date();
        let mut tick = match step_months {
            0 => first_day,
            1 | 3 => first_day.first_of_month(),
            _ => first_day.first_of_year(),
        };
        let mut ticks = Vec::new();
        while ticks.len() < 20 {
            let Ok(midnight) = tick.to_zoned(TimeZone::UTC) else {
                break;
            };
            let at = midnight.timestamp().as_second() as f64;
            if at > self.to {
                break;
            }
            if at >= self.from {
                let format = match step_months {
                    0 => "%b %-d",
                    1 | 3 => "%b %Y",
                    _ => "%Y",
                };
                ticks.push((at, tick.strftime(format).to_string()));
            }
            match tick.checked_add(step_months.months().days(step_days)) {
                Ok(next_tick) => tick = next_tick,
                Err(_) => break,
            }
        }
        ticks
    }
}

/// Draws the curves, the first one with its band of uncertainty; nothing without a point.
pub(crate) fn draw(curves: &[Curve], decimals: u8, label: &str) -> Markup {
    let Some(axes) = Axes::new(curves) else {
        return html! {};
    };
    let decimals = usize::from(decimals);
    let [left, top, right, bottom] = MARGINS;
    html! {
        svg.curve viewBox=(format!("0 0 {WIDTH} {HEIGHT}")) role="img" aria-label=(short(label)) {
            @for rating in axes.rating_ticks() {
                line.grid x1=(left) x2=(WIDTH - right) y1=(coordinate(axes.y(rating))) y2=(coordinate(axes.y(rating))) {}
                text.axis x=(left - 6.0) y=(coordinate(axes.y(rating) + 4.0)) text-anchor="end" { (format!("{rating:.decimals$}")) }
            }
            @for (at, text) in axes.time_ticks() {
                line.grid x1=(coordinate(axes.x(at))) x2=(coordinate(axes.x(at))) y1=(top) y2=(HEIGHT - bottom) {}
                text.axis x=(coordinate(axes.x(at))) y=(HEIGHT - 8.0) text-anchor="middle" { (text) }
            }
            @for (index, curve) in curves.iter().enumerate().take(1) {
                path class=(format!("uncertainty curve{index}")) d=(band_path(&axes, curve)) {}
            }
            @for (index, curve) in curves.iter().enumerate() {
                polyline class=(format!("line curve{index}")) points=(line_points(&axes, curve)) {}
            }
            @for (index, curve) in curves.iter().enumerate() {
                @for point in &curve.points {
                    (marker(index, axes.x(point.at as f64), axes.y(point.mu), Some(point)))
                }
            }
        }
    }
}

/// Returns a legend with the mark of each curve.
pub(crate) fn legend(curves: &[Curve]) -> Markup {
    html! {
        ul.legend {
            @for (index, curve) in curves.iter().enumerate() {
                li {
                    svg.key viewBox="0 0 40 14" aria-hidden="true" {
                        polyline class=(format!("line curve{index}")) points="2,7 38,7" {}
                        (marker(index, 20.0, 7.0, None))
                    }
                    " " (name(&curve.name))
                }
            }
        }
    }
}

/// Returns the mark of a point: each curve has a form of its own. The script reads the numbers.
fn marker(curve: usize, x: f64, y: f64, point: Option<&CurvePoint>) -> Markup {
    let [left, right] = [x - 3.5, x + 3.5].map(coordinate);
    let [top, bottom] = [y - 3.5, y + 3.5].map(coordinate);
    let [middle, centre] = [x, y].map(coordinate);
    let d = match curve % 4 {
        0 => format!("M{left},{centre}a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z"),
        1 => format!("M{left},{top}H{right}V{bottom}H{left}z"),
        2 => format!("M{middle},{top}L{right},{bottom}H{left}z"),
        _ => format!("M{middle},{top}L{right},{centre}L{middle},{bottom}L{left},{centre}z"),
    };
    let class = format!("point curve{curve}");
    html! {
        @match point {
            None => path class=(class) d=(d) {},
            Some(point) => path class=(class) d=(d) data-at=(point.at) data-mu=(precise(point.mu)) data-sigma=(precise(point.sigma)) {
                title { (point.text) }
            },
        }
    }
}

fn line_points(axes: &Axes, curve: &Curve) -> String {
    let points = curve.points.iter().map(|p| axes.position(p.at, p.mu));
    points.collect::<Vec<_>>().join(" ")
}

fn band_path(axes: &Axes, curve: &Curve) -> String {
    let points = curve.points.iter();
    // The path goes along the upper side, and back along the lower one.
    let upper = points.clone().map(|p| axes.position(p.at, p.mu + BAND_SIGMAS * p.sigma));
    let lower = points.rev().map(|p| axes.position(p.at, p.mu - BAND_SIGMAS * p.sigma));
    format!("M{}z", upper.chain(lower).collect::<Vec<_>>().join("L"))
}

/// Formats a rating for the script, more precisely than a screen can show it.
fn precise(rating: f64) -> String {
    format!("{rating:.3}")
}

/// Thins out points: keeps the last of each of [`MAX_POINTS`] equal shares, and the first.
pub(crate) fn thin_out(points: Vec<CurvePoint>) -> Vec<CurvePoint> {
    let count = points.len();
    if count <= MAX_POINTS {
        return points;
    }
    points
        .into_iter()
        .enumerate()
        .filter(|&(index, _)| {
            index == 0 || (index + 1) * MAX_POINTS / count > index * MAX_POINTS / count
        })
        .map(|(_, point)| point)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(points: &[(i64, f64)]) -> Curve {
        let point = |&(day, mu): &(i64, f64)| CurvePoint {
            at: 1_700_000_000 + day * 86_400,
            mu,
            sigma: 50.0,
            text: format!("day {day} <b>"),
        };
        Curve {
            name: "ann".to_owned(),
            points: points.iter().map(point).collect(),
        }
    }

    #[test]
    fn curves_of_any_length_are_drawn() {
        assert_eq!(draw(&[], 0, "").into_string(), "");
        assert_eq!(draw(&[curve(&[])], 0, "").into_string(), "");
        for points in [
            &[(0, 1500.0)][..],
            &[(0, 1500.0), (0, 1600.0)],
            &[(0, 1500.0), (3, 1600.0), (9, 1450.0)],
            &[(0, 1500.0), (100, 1500.0)],
            &[(0, 1500.0), (9_000, 25.0)],
        ] {
            let svg = draw(&[curve(points), curve(&[(5, 1.0)])], 0, "a").into_string();
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(svg.contains("<title>day 0 &lt;b&gt;</title>"), "{svg}");
            assert_eq!(svg.matches("class=\"point").count(), points.len() + 1);
        }
        let infinite = draw(&[curve(&[(0, f64::INFINITY)])], 0, "").into_string();
        assert_eq!(infinite, "");
    }

    #[test]
    fn ticks_are_round_and_few() {
        for days in [1, 10, 49, 60, 300, 500, 3_000, 20_000] {
            let axes = Axes::new(&[curve(&[(0, 1_234.0), (days, 1_801.0)])]).unwrap();
            let ticks = axes.time_ticks();
            assert!((1..=9).contains(&ticks.len()), "{days} days: {ticks:?}");
            let ratings = axes.rating_ticks();
            assert!((3..=8).contains(&ratings.len()), "{ratings:?}");
            assert!(ratings.iter().all(|rating| rating % 100.0 == 0.0), "{ratings:?}");
        }
    }

    #[test]
    fn long_careers_keep_their_ends() {
        let points: Vec<(i64, f64)> = (0..10_000).map(|day| (day, 1500.0)).collect();
        let thinned = thin_out(curve(&points).points);
        assert!((MAX_POINTS..=MAX_POINTS + 1).contains(&thinned.len()), "{}", thinned.len());
        assert_eq!(thinned.first().unwrap().text, "day 0 <b>");
        assert_eq!(thinned.last().unwrap().text, "day 9999 <b>");
    }
}
