//! `ranklore experiment`

mod curves;
mod farm;
mod group_size;
mod inflation;
mod performance;
mod sweep;

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Context;
use clap::{Args, Subcommand};
use ranklore_views::LeftOut;
use ranklore_views::charts::{Axis, Chart, Line, LinePoint, Marks};

use crate::GlobalArgs;
use crate::exit::Exit;
use crate::output::{escape_line, print_line};

/// Replay rating systems over altered contests, or measure them otherwise
#[derive(Debug, Args)]
pub(crate) struct ExperimentArgs {
    #[command(subcommand)]
    experiment: Experiment,
}

#[derive(Debug, Subcommand)]
enum Experiment {
    Curves(curves::CurvesArgs),
    Farm(farm::FarmArgs),
    GroupSize(group_size::GroupSizeArgs),
    Inflation(inflation::InflationArgs),
    Performance(performance::PerformanceArgs),
}

impl ExperimentArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        match self.experiment {
            Experiment::Curves(args) => args.run(global),
            Experiment::Farm(args) => args.run(global),
            Experiment::GroupSize(args) => args.run(global),
            Experiment::Inflation(args) => args.run(global),
            Experiment::Performance(args) => args.run(global),
        }
    }
}

fn print_left_out(systems: &[LeftOut]) -> io::Result<()> {
    for left_out in systems {
        print_line(&escape_line(&format!("left out: {}: {}", left_out.system, left_out.reason)))?;
    }
    Ok(())
}

/// Returns a system with its settings as a file name: `elo-mmr-rho-1`.
fn file_stem(system: &str) -> String {
    system.replace(|char: char| !char.is_ascii_alphanumeric() && char != '.', "-")
}

/// Writes a chart into a folder, which is created.
fn write_chart(folder: &Path, name: &str, svg: &str) -> anyhow::Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let path = folder.join(name);
    fs::write(&path, svg).with_context(|| format!("cannot write {}", path.display()))
}

/// The name and the points of a line.
type ChartLine<'l> = (&'l str, Vec<(f64, f64)>);

/// Draws a chart of lines.
fn draw_lines(title: &str, x: Axis<'_>, y: Axis<'_>, lines: Vec<ChartLine<'_>>) -> String {
    let marks = lines.into_iter().map(|(name, points)| {
        let points = points.into_iter().map(|(x, y)| LinePoint {
            x,
            y,
            ..LinePoint::default()
        });
        Marks::Line(Line {
            name: name.to_owned(),
            points: points.collect(),
        })
    });
    let chart = Chart {
        title,
        size: [900, 520],
        x,
        y,
        marks: marks.collect(),
    };
    chart.to_file()
}
