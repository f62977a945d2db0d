//! Charts as SVG: bars, lines with bands and points between two axes.

mod axis;
mod draw;

pub(crate) use axis::round_step;
pub use draw::key;

/// A chart for a page or a file. It is not drawn if it has no mark or a number that is not finite.
#[derive(Debug)]
pub struct Chart<'c> {
    /// The name of the chart for screen readers, and the heading of a file.
    pub title: &'c str,
    /// Width and height of axes and marks, in pixels or in units of the drawing.
    pub size: [u32; 2],
    /// The horizontal axis.
    pub x: Axis<'c>,
    /// The vertical axis.
    pub y: Axis<'c>,
    /// The marks, the first on top. A line has its colour, dash and form of points by its position.
    pub marks: Vec<Marks<'c>>,
}

/// An axis of a chart.
#[derive(Debug)]
pub struct Axis<'c> {
    /// The quantity of the axis; empty if the page names it elsewhere.
    pub label: &'c str,
    /// The labels along the axis.
    pub ticks: Ticks<'c>,
    /// The lowest and the highest value; by default those of the marks, with space around them.
    pub range: Option<(f64, f64)>,
}

/// The labels along an axis.
#[derive(Debug)]
pub enum Ticks<'c> {
    /// Round numbers.
    Numbers,
    /// Whole numbers, such as counts and years.
    Whole,
    /// Days, months or years; the values are Unix seconds.
    Dates,
    /// Names, of which the first has the values from 0 to 1. On the vertical axis it is at the top.
    Names(Vec<&'c str>),
}

/// Marks of one kind.
#[derive(Debug)]
pub enum Marks<'c> {
    /// Rectangles, each over a range of both axes.
    Bars(Vec<ChartBar>),
    /// A line through points in order.
    Line(Line),
    /// Straight lines between two points: intervals, or the line of equal values.
    Segments(Vec<[(f64, f64); 2]>),
    /// Points without a line or a text.
    Points(&'c [(f64, f64)]),
}

/// A bar of a chart.
#[derive(Debug)]
pub struct ChartBar {
    /// Start and end on the horizontal axis; a start below all values is that of the axis.
    pub x: (f64, f64),
    /// Start and end on the vertical axis.
    pub y: (f64, f64),
    /// The tooltip; empty for none.
    pub text: String,
}

/// A line with its name in the legend.
#[derive(Debug)]
pub struct Line {
    /// The name in the legend of a file, and for screen readers.
    pub name: String,
    /// The points in order.
    pub points: Vec<LinePoint>,
}

/// A point of a line.
#[derive(Debug, Default)]
pub struct LinePoint {
    /// The value on the horizontal axis.
    pub x: f64,
    /// The value on the vertical axis.
    pub y: f64,
    /// The height of the band above and below the point; a line with 0 everywhere has no band.
    pub spread: f64,
    /// The tooltip; empty for none.
    pub text: String,
}

impl<'c> Axis<'c> {
    /// Creates an axis that fits the marks.
    #[must_use]
    pub fn new(label: &'c str, ticks: Ticks<'c>) -> Self {
        Self {
            label,
            ticks,
            range: None,
        }
    }
}

impl Marks<'_> {
    /// Returns the points that axes have to fit.
    fn corners(&self) -> Vec<(f64, f64)> {
        match self {
            Self::Bars(bars) => bars.iter().map(|bar| (bar.x.1, bar.y.1)).collect(),
            Self::Line(line) => {
                let points = line.points.iter();
                points.flat_map(|p| [(p.x, p.y - p.spread), (p.x, p.y + p.spread)]).collect()
            }
            Self::Segments(segments) => segments.concat(),
            Self::Points(points) => points.to_vec(),
        }
    }
}

impl Line {
    fn has_band(&self) -> bool {
        self.points.iter().any(|point| point.spread != 0.0)
    }
}
