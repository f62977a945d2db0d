//! The drawing of a chart. Pages have its colours in their style sheet, files in themselves.

use maud::{Markup, PreEscaped, html};

use super::axis::{MAX_NAME, Scale, shorten};
use super::{Chart, ChartBar, Line, Marks};

/// The space beside the plot at the top and at the right, and that of a label or a row of the legend.
const MARGIN: f64 = 12.0;
const RIGHT: f64 = 26.0;
const ROW: f64 = 20.0;

/// The space on the left has room for a rating also on a phone, whose letters are larger.
const MIN_LEFT: f64 = 60.0;

/// The height of the heading of a file, the width of its letters, and that of a name in its legend.
const HEADING: f64 = 40.0;
const LETTER: f64 = 11.0;
const LEGEND_COLUMN: f64 = 290.0;

/// The marks reach over the borders of the plot by this.
const OVERLAP: f64 = 5.0;

/// Forms of points around their middle, which readers tell apart without colours.
const FORMS: [&str; 4] = [
    "M-3.5,0a3.5,3.5 0 1,0 7,0a3.5,3.5 0 1,0 -7,0z",
    "M-3.2,-3.2H3.2V3.2H-3.2z",
    "M0,-4L4,3.5H-4z",
    "M0,-4.5L4.5,0L0,4.5L-4.5,0z",
];

/// The colours of a file, which has no page around it.
const FILE_STYLE: &str = include_str!("file.css");

impl Chart<'_> {
    /// Draws the chart for a page: its heading and its legend are those of the page.
    #[must_use]
    pub fn draw(&self) -> Markup {
        let Some(plot) = Plot::new(self) else {
            return html! {};
        };
        let [width, height] = self.size;
        html! {
            svg.chart viewBox=(format!("0 0 {width} {height}")) role="img" aria-label=(clean(self.title)) {
                desc { (clean(&plot.describe(self))) }
                (plot.draw(self))
            }
        }
    }

    /// Draws the chart as an SVG file with heading and legend.
    #[must_use]
    pub fn to_file(&self) -> String {
        let [width, height] = self.size.map(f64::from);
        let plot = Plot::new(self);
        let legend = self.legend(width, HEADING + height);
        let full_height = HEADING + height + legend.as_ref().map_or(0.0, |(_, height)| *height);
        let drawing = html! {
            svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(full_height) viewBox=(format!("0 0 {width} {full_height}")) role="img" aria-labelledby="title description" {
                title id="title" { (clean(self.title)) }
                desc id="description" { (plot.as_ref().map_or_else(|| "No data.".to_owned(), |plot| clean(&plot.describe(self)))) }
                style { (PreEscaped(FILE_STYLE)) }
                rect.paper width="100%" height="100%" {}
                text.heading x=(width / 2.0) y="27" text-anchor="middle" { (clean(&shorten(self.title, (width / LETTER) as usize))) }
                @if let Some(plot) = &plot {
                    svg y=(HEADING) width=(width) height=(height) { (plot.draw(self)) }
                }
                @if let Some((names, _)) = legend { (names) }
            }
        };
        drawing.into_string() + "\n"
    }

    fn lines(&self) -> impl Iterator<Item = (usize, &Line)> {
        self.marks.iter().enumerate().filter_map(|(index, marks)| match marks {
            Marks::Line(line) => Some((index, line)),
            _ => None,
        })
    }

    /// Returns the names of the lines in columns below `top`, and the height of that; `None` without
    /// lines.
    fn legend(&self, width: f64, top: f64) -> Option<(Markup, f64)> {
        let columns = ((width / LEGEND_COLUMN) as usize).max(1);
        let rows = self.lines().count().div_ceil(columns);
        let names = html! {
            @for (place, (index, line)) in self.lines().enumerate() {
                @let x = MARGIN + LEGEND_COLUMN * (place % columns) as f64;
                @let y = top + ROW * (place / columns) as f64 + MARGIN;
                (symbol(index, x, y))
                text.axis x=(number(x + 46.0)) y=(number(y + 4.0)) { (clean(&shorten(&line.name, MAX_NAME))) }
            }
        };
        (rows > 0).then_some((names, ROW * rows as f64 + MARGIN))
    }
}

/// Draws the line and the point of the marks at a position, for the legend of a page.
#[must_use]
pub fn key(position: usize) -> Markup {
    html! {
        svg.key viewBox="0 0 40 14" aria-hidden="true" { (symbol(position, 0.0, 7.0)) }
    }
}

fn symbol(index: usize, x: f64, y: f64) -> Markup {
    html! {
        polyline class=(format!("line curve{index}")) points=(format!("{},{y} {},{y}", x + 2.0, x + 38.0)) {}
        (point(index, &format!("{},{y}", x + 20.0), ""))
    }
}

/// Draws a point, whose tooltip may be empty.
fn point(index: usize, position: &str, text: &str) -> Markup {
    html! {
        path class=(format!("point curve{index}")) transform=(format!("translate({position})")) d=(FORMS[index % FORMS.len()]) {
            @if !text.is_empty() { title { (clean(text)) } }
        }
    }
}

/// The place of the marks in a drawing, and the scales of the axes.
struct Plot {
    left: f64,
    top: f64,
    width: f64,
    height: f64,
    x: Scale,
    y: Scale,
}

impl Plot {
    /// Returns the plot of a chart; `None` if it cannot be drawn.
    fn new(chart: &Chart<'_>) -> Option<Self> {
        let corners: Vec<(f64, f64)> = chart.marks.iter().flat_map(Marks::corners).collect();
        let x = Scale::new(&chart.x, corners.iter().map(|corner| corner.0))?;
        let y = Scale::new(&chart.y, corners.iter().map(|corner| corner.1))?.upright();
        let row = |label: &str| if label.is_empty() { 0.0 } else { ROW };
        let [width, height] = chart.size.map(f64::from);
        let left = (20.0 + 7.5 * y.label_chars() as f64).max(MIN_LEFT);
        let top = MARGIN + row(chart.y.label);
        Some(Self {
            left,
            top,
            width: width - left - RIGHT,
            height: height - top - ROW - 8.0 - row(chart.x.label),
            x,
            y,
        })
    }

    fn x(&self, value: f64) -> f64 {
        self.left + self.x.share(value) * self.width
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - self.y.share(value)) * self.height
    }

    /// Returns the coordinates of two values.
    fn position(&self, x: f64, y: f64) -> String {
        format!("{},{}", number(self.x(x)), number(self.y(y)))
    }

    fn describe(&self, chart: &Chart<'_>) -> String {
        let names: Vec<&str> = chart.lines().map(|(_, line)| &*line.name).collect();
        let lines = match &names[..] {
            [] => String::new(),
            names => format!("Lines: {}. ", names.join(", ")),
        };
        format!("{lines}{} {}", self.y.describe(chart.y.label), self.x.describe(chart.x.label))
    }

    fn draw(&self, chart: &Chart<'_>) -> Markup {
        let [x, y] = [self.left - OVERLAP, self.top - OVERLAP];
        let [width, height] = [self.width, self.height].map(|side| side + 2.0 * OVERLAP);
        html! {
            (self.draw_axes(chart))
            // Marks beyond the axes are cut off.
            svg.marks x=(number(x)) y=(number(y)) width=(number(width)) height=(number(height)) viewBox=(format!("{x:.2} {y:.2} {width:.2} {height:.2}")) {
                // The script of pages reads the ranges.
                rect.area x=(number(self.left)) y=(number(self.top)) width=(number(self.width)) height=(number(self.height)) data-x=(format!("{:.3} {:.3}", self.x.from, self.x.to)) data-y=(format!("{:.6} {:.6}", self.y.from, self.y.to)) {}
                @for (index, marks) in chart.marks.iter().enumerate().rev() {
                    (self.draw_marks(marks, index))
                }
            }
        }
    }

    fn draw_axes(&self, chart: &Chart<'_>) -> Markup {
        let right = self.left + self.width;
        let bottom = self.top + self.height;
        html! {
            g.axes {
                @for (value, text) in &self.y.ticks {
                    @let y = self.y(*value);
                    @if !self.y.has_names {
                        line.grid x1=(number(self.left)) x2=(number(right)) y1=(number(y)) y2=(number(y)) {}
                    }
                    text.axis x=(number(self.left - 8.0)) y=(number(y + 4.0)) text-anchor="end" { (clean(text)) }
                }
                @for (value, text) in &self.x.ticks {
                    @let x = number(self.x(*value));
                    line.grid x1=(x) x2=(x) y1=(number(self.top)) y2=(number(bottom)) {}
                    text.axis x=(x) y=(number(bottom + ROW)) text-anchor="middle" { (text) }
                }
            }
            @if !chart.x.label.is_empty() {
                text.axis x=(number(right)) y=(number(bottom + 2.0 * ROW)) text-anchor="end" { (clean(chart.x.label)) }
            }
            @if !chart.y.label.is_empty() {
                text.axis x=(number(self.left)) y=(number(self.top - MARGIN)) { (clean(chart.y.label)) }
            }
        }
    }

    fn draw_marks(&self, marks: &Marks<'_>, index: usize) -> Markup {
        html! {
            @match marks {
                Marks::Bars(bars) => { @for bar in bars { (self.draw_bar(bar)) } },
                Marks::Line(line) => (self.draw_line(line, index)),
                Marks::Segments(segments) => {
                    @for [from, to] in segments {
                        polyline.segment points=(format!("{} {}", self.position(from.0, from.1), self.position(to.0, to.1))) {}
                    }
                },
                Marks::Points(points) => {
                    // Lines of no length with round ends: a tenth of the bytes of circles.
                    @let positions: Vec<String> = points.iter().map(|point| self.position(point.0, point.1)).collect();
                    path.points d=(format!("M{}h0", positions.join("h0M"))) {}
                },
            }
        }
    }

    fn draw_bar(&self, bar: &ChartBar) -> Markup {
        let [x1, x2] = [bar.x.0, bar.x.1].map(|value| self.x(value).max(self.left));
        let [y1, y2] = [bar.y.0, bar.y.1].map(|value| self.y(value));
        let width = ((x2 - x1).abs() - 1.0).max(0.5);
        html! {
            rect.bar x=(number(x1.min(x2) + 0.5)) y=(number(y1.min(y2))) width=(number(width)) height=(number((y2 - y1).abs())) {
                @if !bar.text.is_empty() { title { (clean(&bar.text)) } }
            }
        }
    }

    fn draw_line(&self, line: &Line, index: usize) -> Markup {
        let points = || line.points.iter();
        let join =
            |positions: &mut dyn Iterator<Item = String>| positions.collect::<Vec<_>>().join(" ");
        html! {
            @if line.has_band() {
                // Along the upper side, and back along the lower one.
                polygon class=(format!("uncertainty curve{index}")) points=(join(&mut points().map(|p| self.position(p.x, p.y + p.spread)).chain(points().rev().map(|p| self.position(p.x, p.y - p.spread))))) {}
            }
            polyline class=(format!("line curve{index}")) points=(join(&mut points().map(|p| self.position(p.x, p.y)))) {}
            @for p in points() { (point(index, &self.position(p.x, p.y), &p.text)) }
        }
    }
}

/// Formats a coordinate.
fn number(coordinate: f64) -> String {
    format!("{coordinate:.2}")
}

/// Replaces the characters that XML forbids.
fn clean(text: &str) -> String {
    let is_forbidden =
        |c: char| c.is_control() && c != '\n' || matches!(c, '\u{fffe}' | '\u{ffff}');
    text.replace(is_forbidden, "\u{fffd}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::charts::{Axis, LinePoint, Ticks};

    fn chart<'c>(x: Ticks<'c>, marks: Vec<Marks<'c>>) -> Chart<'c> {
        Chart {
            title: "<both> & \u{1b}",
            size: [640, 440],
            x: Axis::new("day", x),
            y: Axis::new("rating <b>", Ticks::Numbers),
            marks,
        }
    }

    fn line<'c>(points: &[(f64, f64)]) -> Marks<'c> {
        let points = points.iter().map(|&(day, y)| LinePoint {
            x: 1_700_000_000.0 + day * 86_400.0,
            y,
            spread: 50.0,
            text: format!("day {day}\n<b>"),
        });
        Marks::Line(Line {
            name: "\"ann\" <i>".to_owned(),
            points: points.collect(),
        })
    }

    #[test]
    fn lines_of_any_length_are_drawn() {
        let long: Vec<(f64, f64)> = (0..10_000).map(|day| (f64::from(day), 1_500.0)).collect();
        for points in [
            &[(0.0, 1_500.0)][..],
            &[(0.0, 1_500.0), (0.0, 1_600.0)],
            &[(0.0, 1_500.0), (3.0, 1_600.0), (9.0, 1_450.0)],
            &[(0.0, 1_500.0), (100.0, 1_500.0)],
            &[(0.0, 1_500.0), (9_000.0, 25.0)],
            &long,
        ] {
            let chart = chart(Ticks::Dates, vec![line(points), line(&[(5.0, 1.0)])]);
            for svg in [chart.draw().into_string(), chart.to_file()] {
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
                assert!(svg.contains("<title>day 0\n&lt;b&gt;</title>"), "{svg}");
                assert!(svg.matches("class=\"point curve0").count() >= points.len());
                assert!(svg.contains("&lt;both&gt; &amp; \u{fffd}"), "{svg}");
                assert!(!svg.contains("<b>") && !svg.contains("<i>"), "{svg}");
            }
            assert_eq!(chart.to_file(), chart.to_file());
        }
    }

    #[test]
    fn single_points_are_in_the_middle() {
        let svg = chart(Ticks::Numbers, vec![Marks::Points(&[(7.0, 7.0)])]).draw().into_string();
        // The plot is 554 wide from 60, and 360 high from 32.
        assert!(svg.contains(" d=\"M337.00,212.00h0\""), "{svg}");
    }

    #[test]
    fn charts_without_finite_numbers_are_not_drawn() {
        for points in [
            &[][..],
            &[(f64::NAN, f64::INFINITY)],
            &[(1.0, f64::INFINITY)],
        ] {
            let chart = chart(Ticks::Numbers, vec![Marks::Points(points)]);
            assert_eq!(chart.draw().into_string(), "");
            let file = chart.to_file();
            assert!(file.contains("No data.") && file.ends_with("</svg>\n"), "{file}");
        }
    }

    #[test]
    fn bars_have_names_and_intervals() {
        let bar = ChartBar {
            x: (f64::NEG_INFINITY, 60.5),
            y: (0.2, 0.8),
            text: String::new(),
        };
        let mut chart = chart(
            Ticks::Numbers,
            vec![
                Marks::Segments(vec![[(58.0, 0.5), (62.0, 0.5)]]),
                Marks::Bars(vec![bar]),
            ],
        );
        chart.y.ticks = Ticks::Names(vec!["elo <mmr>"]);
        let svg = chart.to_file();
        assert!(svg.contains(">elo &lt;mmr&gt;</text>"), "{svg}");
        assert!(!svg.contains("inf") && !svg.contains("NaN"), "{svg}");
        assert!(svg.find("class=\"bar\"") < svg.find("class=\"segment\""), "{svg}");
    }
}
