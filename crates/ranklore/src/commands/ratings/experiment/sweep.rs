//! `--sweep`: values of parameters of a system, and its error with each.

use std::io;
use std::str::FromStr;

use anyhow::bail;
use ranklore_replay::{Setting, SystemSpec};
use ranklore_views::charts::{Axis, Ticks};
use ranklore_views::{CellValue, Columns, PerformanceReport};
use serde::Serialize;

use super::draw_lines;
use crate::exit::WrongUsage;
use crate::output::print_table;

/// Values of a parameter, in the order of the command line.
#[derive(Clone, Debug)]
pub(super) struct Sweep {
    parameter: String,
    values: Vec<f64>,
}

impl FromStr for Sweep {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let expected = "expected a parameter and two or more numbers, such as k=40,60,80";
        let (parameter, list) = text.split_once('=').ok_or(expected)?;
        let mut values: Vec<f64> = Vec::new();
        for word in list.split(',') {
            let value =
                word.parse().ok().filter(|value: &f64| value.is_finite()).ok_or(expected)?;
            if values.contains(&value) {
                return Err(format!("{value} is listed twice"));
            }
            values.push(value);
        }
        if values.len() < 2 {
            return Err(expected.to_owned());
        }
        Ok(Self {
            parameter: parameter.to_owned(),
            values,
        })
    }
}

/// A system with a value of the first swept parameter, and one of each other.
struct SweptSystem {
    value: f64,
    spec: SystemSpec,
}

/// A system with all combinations of values of some of its parameters.
pub(super) struct SweptSystems {
    parameter: String,
    systems: Vec<SweptSystem>,
}

impl SweptSystems {
    /// # Errors
    /// Errors if the systems are not one, or a parameter is unknown, out of range or set already.
    pub(super) fn new(systems: &[SystemSpec], sweeps: &[Sweep]) -> anyhow::Result<Option<Self>> {
        let Some(first) = sweeps.first() else {
            return Ok(None);
        };
        let [system] = systems else {
            bail!(WrongUsage("--sweep is for one system: --systems elo-srm".to_owned()));
        };
        let mut swept = vec![SweptSystem {
            value: f64::NAN,
            spec: system.clone(),
        }];
        for (index, sweep) in sweeps.iter().enumerate() {
            let mut further = Vec::new();
            for base in &swept {
                for &value in &sweep.values {
                    let setting = Setting::parse(&format!("{}={value}", sweep.parameter))?;
                    further.push(SweptSystem {
                        value: if index == 0 { value } else { base.value },
                        spec: base.spec.clone().with_settings(&[setting])?,
                    });
                }
            }
            swept = further;
        }
        Ok(Some(Self {
            parameter: first.parameter.clone(),
            systems: swept,
        }))
    }

    pub(super) fn specs(&self) -> Vec<SystemSpec> {
        self.systems.iter().map(|system| system.spec.clone()).collect()
    }

    /// Returns the curve of the errors: the lowest for each value of the first parameter.
    pub(super) fn curve(&self, report: &PerformanceReport) -> ErrorCurve {
        let mut points: Vec<ErrorPoint> = Vec::new();
        for swept in &self.systems {
            let system = swept.spec.to_string();
            // Those that diverge are left out.
            let Some(row) = report.systems.iter().find(|row| row.system == system) else {
                continue;
            };
            let point = ErrorPoint {
                value: swept.value,
                error: row.error,
                system,
            };
            match points.iter_mut().find(|point| point.value.total_cmp(&swept.value).is_eq()) {
                Some(best) if point.error < best.error => *best = point,
                Some(_) => {}
                None => points.push(point),
            }
        }
        let best = points.iter().min_by(|a, b| a.error.total_cmp(&b.error));
        ErrorCurve {
            parameter: self.parameter.clone(),
            best: best.map(|point| point.value),
            points,
        }
    }
}

/// The error of a system over the values of a parameter.
#[derive(Serialize)]
pub(super) struct ErrorCurve {
    /// The parameter.
    parameter: String,
    /// The value with the lowest error.
    best: Option<f64>,
    /// The values, in the order of the command line.
    points: Vec<ErrorPoint>,
}

/// The lowest error with a value of a parameter.
#[derive(Serialize)]
pub(super) struct ErrorPoint {
    /// The value.
    value: f64,
    /// The lowest error over the values of the other parameters.
    error: f64,
    /// The system with that error.
    system: String,
}

impl ErrorCurve {
    pub(super) fn points(&self) -> &[ErrorPoint] {
        &self.points
    }

    pub(super) fn columns(&self) -> Columns<'_, ErrorPoint> {
        Columns::new()
            .right(("value", &*self.parameter), |point: &ErrorPoint| point.value.to_string())
            .important()
            .right("error", |point| format!("{:.4}", point.error))
            .important()
            .left("system", |point| CellValue::text(&point.system))
    }

    pub(super) fn print(&self) -> io::Result<()> {
        print_table(self.columns(), &self.points)
    }

    /// Draws the error over the values.
    pub(super) fn draw(&self, title: &str) -> String {
        let mut points: Vec<(f64, f64)> =
            self.points.iter().map(|point| (point.value, point.error)).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        draw_lines(
            title,
            Axis::new(&self.parameter, Ticks::Numbers),
            Axis::new("error in powers of two", Ticks::Numbers),
            vec![("lowest error", points)],
        )
    }
}
