//! `ranklore reproduce`

mod catalogue;
mod commands;
mod figures;

use std::io;
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use ranklore_views::{CellValue, Columns};
use serde::Serialize;

use self::catalogue::{Reproduction, reproductions};
use self::commands::{find_data_files, print_commands, run_commands};
use self::figures::{Figure, FigureVerdict, compare};
use crate::GlobalArgs;
use crate::exit::{Exit, WrongUsage};
use crate::output::{format_count, format_plural, output_format, print_line, print_table};

/// Compute published figures again, and compare
///
/// Without a name, lists what can be reproduced. Runs commands of ranklore on a database of its own,
/// which is deleted afterwards. Fails if a figure differs by more than its tolerance. Figures without
/// a tolerance are for information.
#[derive(Debug, Args)]
pub(crate) struct ReproduceArgs {
    /// Publication to reproduce
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// File or folder of the data that it needs
    #[arg(long, value_name = "PATH", requires = "name")]
    data: Option<PathBuf>,
    /// Print the commands, and run none
    #[arg(long, requires = "name")]
    commands: bool,
}

impl ReproduceArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let reproductions = reproductions()?;
        let Some(name) = &self.name else {
            return list(global, &reproductions);
        };
        let Some(reproduction) = reproductions.iter().find(|entry| entry.name == name) else {
            let names: Vec<_> = reproductions.iter().map(|entry| entry.name).collect();
            bail!(WrongUsage(format!(
                "there is no reproduction \"{name}\": choose one of {}",
                names.join(", ")
            )));
        };
        if self.commands {
            if output_format().is_data() {
                bail!(WrongUsage("--commands prints text only; leave out --json".to_owned()));
            }
            print_commands(reproduction, self.data.as_deref())?;
            return Ok(Exit::Done);
        }
        let data = self.find_data(reproduction)?;
        let outputs: Vec<_> = find_data_files(reproduction, &data)?
            .iter()
            .map(|file| run_commands(global, reproduction, file))
            .collect::<anyhow::Result<_>>()?;
        let figures = compare(reproduction, &outputs)?;
        global.print_rows(&figures, &figures, &columns().keys(), || {
            print_figures(reproduction, &figures)
        })?;
        let differs = figures.iter().any(|figure| figure.verdict == FigureVerdict::Differs);
        Ok(Exit::Failed.unless(!differs))
    }

    /// Returns the absolute path of the data, which must exist; an empty one if none is needed.
    fn find_data(&self, reproduction: &Reproduction) -> anyhow::Result<PathBuf> {
        let name = reproduction.name;
        match (&reproduction.data, &self.data) {
            (None, None) => Ok(PathBuf::new()),
            (None, Some(_)) => bail!(WrongUsage(format!("{name} needs no --data"))),
            (Some(data), Some(path)) => path
                .canonicalize()
                .with_context(|| format!("cannot read {}: {name} needs {data}", path.display())),
            (Some(data), None) => bail!(WrongUsage(format!(
                "{name} needs {data}: pass it with `ranklore reproduce {name} --data PATH`"
            ))),
        }
    }
}

/// A reproduction in the list.
#[derive(Serialize)]
struct ListedReproduction<'a> {
    name: &'a str,
    title: &'a str,
    source: &'a str,
    data: Option<&'a str>,
    figures: usize,
}

fn list(global: &GlobalArgs, reproductions: &[Reproduction]) -> anyhow::Result<Exit> {
    let rows = reproductions.iter().map(|entry| ListedReproduction {
        name: entry.name,
        title: &entry.title,
        source: &entry.source,
        data: entry.data.as_deref(),
        figures: entry.tables.iter().map(|table| table.columns.len() * table.rows.len()).sum(),
    });
    let rows: Vec<_> = rows.collect();
    let columns = || {
        Columns::new()
            .left("name", |row: &ListedReproduction<'_>| CellValue::text(row.name))
            .important()
            .left("title", |row| CellValue::text(row.title))
            .right("figures", |row| format_count(row.figures as u64))
            .data(&["source", "data"])
    };
    global.print_rows(&rows, &rows, &columns().keys(), || print_table(columns(), &rows))?;
    Ok(Exit::Done)
}

fn columns<'a>() -> Columns<'a, Figure> {
    Columns::new()
        .left("row", |figure: &Figure| CellValue::text(&figure.row))
        .important()
        .left("column", |figure| CellValue::text(&figure.column))
        .important()
        .left("measure", |figure| CellValue::text(&figure.measure))
        .left("section", |figure| CellValue::text(&figure.section))
        .right("published", |figure| format_figure(figure.published))
        .important()
        .right("ours", |figure| format_figure(figure.ours))
        .important()
        .right("difference", |figure| format!("{:+.4}", figure.difference))
        .right("tolerance", |figure| figure.tolerance.map(format_figure))
        .left("verdict", |figure| figure.verdict.as_str())
        .important()
}

/// Formats a figure with at most four decimals.
fn format_figure(figure: f64) -> String {
    let text = format!("{figure:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn print_figures(reproduction: &Reproduction, figures: &[Figure]) -> io::Result<()> {
    print_line(&format!("{}: {}", reproduction.name, reproduction.title))?;
    print_line(&format!("published: {}", reproduction.source))?;
    print_table(columns(), figures)?;
    let count = |verdict| figures.iter().filter(|figure| figure.verdict == verdict).count();
    print_line(&format!(
        "{} agree, {} differ, {} for information",
        format_plural(count(FigureVerdict::Agrees), "figure"),
        count(FigureVerdict::Differs),
        count(FigureVerdict::Information)
    ))
}
