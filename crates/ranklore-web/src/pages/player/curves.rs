//! The rating curves of the page of a competitor.

use maud::{Markup, html};
use ranklore_views::PlayerView;
use ranklore_views::charts::{Axis, Chart, Line, LinePoint, Marks, Ticks, key};

use crate::pages::format::{day, name, points, short, signed};

/// The most points of a curve.
const MAX_POINTS: usize = 600;

/// The number of sigmas of the band on each side.
const BAND_SIGMAS: f64 = 2.0;

/// Draws the curves of the views, the first one with its band of uncertainty; `None` if the first has
/// no rating.
pub(super) fn figure(views: &[&PlayerView]) -> Option<Markup> {
    let curves: Vec<Vec<LinePoint>> = views.iter().map(|view| curve_points(view)).collect();
    curves.first().filter(|points| !points.is_empty())?;
    let first = views.first()?;
    let is_thinned = curves.iter().any(|points| points.len() > MAX_POINTS);
    let label = format!("Rating of {} over time", short(&first.competitor.name));
    let lines = views.iter().zip(curves).enumerate().map(|(index, (view, mut points))| {
        if index > 0 {
            for point in &mut points {
                point.spread = 0.0;
            }
        }
        Marks::Line(Line {
            name: short(&view.competitor.name),
            points: thin_out(points),
        })
    });
    let chart = Chart {
        title: &label,
        size: [800, 340],
        x: Axis::new("", Ticks::Dates),
        y: Axis::new("", Ticks::Numbers),
        marks: lines.collect(),
    };
    Some(html! {
        figure {
            (chart.draw())
            figcaption {
                "Rating mu after each contest; the band is mu ± " (BAND_SIGMAS) "·sigma"
                @if views.len() > 1 { " of " (name(&first.competitor.name)) }
                ". The table of contests has the numbers."
                @if is_thinned { " Long curves show " (MAX_POINTS) " of their contests." }
            }
            @if views.len() > 1 {
                ul.legend {
                    @for (index, view) in views.iter().enumerate() {
                        li { (key(index)) " " (name(&view.competitor.name)) }
                    }
                }
            }
        }
    })
}

/// Returns the points of a curve, oldest first.
fn curve_points(view: &PlayerView) -> Vec<LinePoint> {
    let decimals = view.display.decimals;
    let curve_points = view.history.iter().filter_map(|appearance| {
        let step = appearance.rating?;
        let at = appearance.contest.ends_at?;
        let mut lines = vec![
            format!("{}, {}", short(&appearance.contest.name), day(at)),
            appearance.place(),
        ];
        let performance = step.performance;
        lines.extend(performance.map(|p| format!("performance {}", points(p, decimals))));
        let after = points(step.mu, decimals);
        lines.push(match step.change {
            Some(change) => {
                let before = points(step.mu - change, decimals);
                format!("{before} → {after} ({})", signed(change, decimals))
            }
            None => format!("new → {after}"),
        });
        Some(LinePoint {
            x: at as f64,
            y: step.mu,
            spread: BAND_SIGMAS * step.sigma,
            text: lines.join("\n"),
        })
    });
    curve_points.collect()
}

/// Thins out points: keeps the last of each of [`MAX_POINTS`] equal shares, and the first.
fn thin_out(points: Vec<LinePoint>) -> Vec<LinePoint> {
    let count = points.len();
    if count <= MAX_POINTS {
        return points;
    }
    let is_kept =
        |index: usize| index == 0 || (index + 1) * MAX_POINTS / count > index * MAX_POINTS / count;
    let points = points.into_iter().enumerate().filter(|&(index, _)| is_kept(index));
    points.map(|(_, point)| point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_careers_keep_their_ends() {
        let points = (0..10_000).map(|day| LinePoint {
            x: f64::from(day),
            ..LinePoint::default()
        });
        let thinned = thin_out(points.collect());
        assert!((MAX_POINTS..=MAX_POINTS + 1).contains(&thinned.len()), "{}", thinned.len());
        let ends = [thinned.first(), thinned.last()].map(|point| point.unwrap().x);
        assert_eq!(format!("{ends:?}"), "[0.0, 9999.0]");
    }
}
