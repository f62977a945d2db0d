//! `ranklore import`

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use ranklore_contest::{DateOrder, Format, Layout, ReadOptions, SourceName, UnixSeconds};
use ranklore_pipeline::{
    ImportReport, ImportRequest, Preview, RefusedDocument, Watch, check_paths, import, preview,
};
use ranklore_publish::Dataset;
use ranklore_store::Store;
use serde_json::{Value, json};

use super::import_dataset;
use crate::exit::{Exit, WrongUsage};
use crate::output::{
    Align, Column, complain, counted, in_quotes, say, say_json, say_table, visible_line,
};
use crate::progress::Progress;
use crate::{Global, words};

/// Read contest files into the file: JSON (the form of Elo-MMR), CSV, spreadsheets, folders
/// and .tar.zst archives of them; or a dataset, as ranklore export writes it.
///
/// A table has one row a result (contest, date, place or score, competitor, status, division,
/// team) or one row a player and one column a round. Column names are matched generously;
/// --dry-run shows how they were understood. The same again changes nothing, a corrected file
/// is a new revision. What is invalid is named and left out, the rest goes in (exit code 3).
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// Files, folders, .tar.zst archives
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// What the contests become part of: the name for rate and leaderboard
    /// (of a dataset its sources keep their names)
    #[arg(long, value_name = "NAME", value_parser = words::source)]
    source: Option<SourceName>,
    /// Show what would be imported and write nothing
    #[arg(long)]
    dry_run: bool,
    /// What .json files hold: contests in the form of Elo-MMR, or each the scoreboard feed of a
    /// capture-the-flag event, named and dated by its file or --start
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "json")]
    format: JsonForm,
    /// How dates such as 03/04/2024 are meant
    #[arg(long, value_enum, value_name = "ORDER")]
    dates: Option<Dates>,
    /// Scores are times, strokes or penalties: the lowest wins
    #[arg(long)]
    lower_is_better: bool,
    /// When the first contest of a table without dates was held, or that of a feed
    #[arg(long, value_name = "DATE", value_parser = words::moment)]
    start: Option<UnixSeconds>,
    /// Days from one contest of a table without dates to the next
    #[arg(long, value_name = "DAYS", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=36_500))]
    every: u32,
    /// The sheet of a workbook [default: the first]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
}

/// Which of two small numbers is the day.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Dates {
    /// Day, month, year
    Dmy,
    /// Month, day, year
    Mdy,
}

/// What a .json file holds.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum JsonForm {
    /// Contest files in the form of Elo-MMR
    Json,
    /// {"standings":[{"pos","team","score"}]}
    CtftimeFeed,
}

impl Import {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        if let Some(folder) = self.paths.iter().find(|path| Dataset::is_there(path)) {
            if self.paths.len() > 1 {
                bail!(WrongUsage(format!(
                    "{} is a dataset: import it by itself",
                    folder.display()
                )));
            }
            let source = self.source.as_ref();
            return if self.dry_run {
                import_dataset::dry_run(folder, source, global)
            } else {
                import_dataset::run(folder, source, global)
            };
        }
        let Some(source) = self.source else {
            bail!(WrongUsage(
                "say with --source NAME what the contests become part of; only a dataset, the \
                 folder of which has a datapackage.json of Ranklore, says so itself"
                    .to_owned()
            ));
        };
        let json = match self.format {
            JsonForm::Json => Format::Json,
            JsonForm::CtftimeFeed => Format::CtftimeFeed,
        };
        let options = ReadOptions {
            dates: self.dates.map(|dates| match dates {
                Dates::Dmy => DateOrder::Dmy,
                Dates::Mdy => DateOrder::Mdy,
            }),
            lower_is_better: self.lower_is_better,
            start: self.start,
            every_days: self.every,
            sheet: self.sheet,
        };
        let progress = Progress::new();
        if self.dry_run {
            return dry_run(&self.paths, json, &options, &progress, global.json);
        }
        check_paths(&self.paths).context(NOTHING)?;
        let mut store = Store::open_writer(global.db(), "ranklore import")?;
        let request = ImportRequest {
            paths: self.paths,
            source,
            json,
            options,
            clock: words::now,
        };
        let report = import(&mut store, &request, &progress).context(NOTHING)?;
        drop(store);
        progress.end();
        if global.json {
            say_json(&report_json(&report, &request.source))?;
        } else {
            say_report(&report, &request.source)?;
            if exit_of(&report) == Exit::Done {
                let next = global.hint(&format!("ranklore rate {}", request.source));
                complain(&format!("next: {next}"));
            }
        }
        Ok(exit_of(&report))
    }
}

pub(super) fn exit_of(report: &ImportReport) -> Exit {
    if report.interrupted {
        Exit::Interrupted
    } else if report.refused.is_empty() {
        Exit::Done
    } else {
        Exit::InPart
    }
}

pub(super) fn say_report(report: &ImportReport, source: &SourceName) -> std::io::Result<()> {
    for (document, layout) in report.layouts.iter().take(5) {
        for line in layout_lines(document, layout) {
            complain(&visible_line(&line));
        }
    }
    if report.passed_over > 0 {
        complain(&format!(
            "passed over {} of no kind known here",
            counted(report.passed_over, "file")
        ));
    }
    let contests = report.added + report.revised + report.unchanged;
    let starts = match report.starting_ratings {
        0 => String::new(),
        news => format!(", {}", counted(news, "starting rating")),
    };
    say(&format!(
        "{source}: {} with {} from {}: {} new, {} revised, {} unchanged{starts}",
        counted(contests, "contest"),
        counted(report.results, "result"),
        counted(report.documents, "document"),
        report.added,
        report.revised,
        report.unchanged,
    ))?;
    if report.interrupted {
        complain("interrupted: what came before is in; run the same command again for the rest");
    }
    if !report.refused.is_empty() {
        complain(&format!(
            "refused {}, named above; correct and import again",
            counted(report.refused.len() as u64, "item")
        ));
    }
    Ok(())
}

fn dry_run(
    paths: &[PathBuf],
    form: Format,
    options: &ReadOptions,
    progress: &Progress,
    json: bool,
) -> anyhow::Result<Exit> {
    let preview = preview(paths, form, options, progress)?;
    progress.end();
    if json {
        say_json(&preview_json(&preview))?;
    } else {
        say_preview(&preview)?;
    }
    Ok(exit_of_preview(&preview, progress))
}

pub(super) fn exit_of_preview(preview: &Preview, progress: &Progress) -> Exit {
    if progress.interrupted() {
        Exit::Interrupted
    } else if preview.refused.is_empty() {
        Exit::Done
    } else {
        Exit::InPart
    }
}

fn results_of(preview: &Preview) -> usize {
    let contests = preview.contests.iter();
    contests.map(|contest| contest.entrants).sum()
}

pub(super) fn preview_json(preview: &Preview) -> Value {
    let contests: Vec<Value> = preview
        .contests
        .iter()
        .map(|contest| {
            json!({
                "document": contest.document,
                "external_id": contest.external_id,
                "name": contest.name,
                "ends_at": contest.ends_at.get(),
                "entrants": contest.entrants,
            })
        })
        .collect();
    json!({
        "dry_run": true,
        "contests": contests,
        "results": results_of(preview),
        "starting_ratings": preview.starting_ratings,
        "refused": refused_json(&preview.refused),
        "layouts": layouts_json(&preview.layouts),
        "passed_over": preview.passed_over,
    })
}

pub(super) fn say_preview(preview: &Preview) -> std::io::Result<()> {
    for (document, layout) in &preview.layouts {
        for line in layout_lines(document, layout) {
            say(&visible_line(&line))?;
        }
    }
    let columns = [
        Column("date", Align::Left),
        Column("contest", Align::Left),
        Column("entrants", Align::Right),
        Column("document", Align::Left),
    ];
    let rows = preview.contests.iter().take(SHOWN).map(|contest| {
        vec![
            contest.ends_at.to_string(),
            contest.name.clone(),
            contest.entrants.to_string(),
            contest.document.clone(),
        ]
    });
    say_table(&columns, rows.collect())?;
    if preview.contests.len() > SHOWN {
        say(&format!("… and {} more", preview.contests.len() - SHOWN))?;
    }
    for refused in preview.refused.iter().take(SHOWN) {
        let line = format!("{}: {}", refused.document, refused.what);
        complain(&visible_line(&line));
    }
    if preview.refused.len() > SHOWN {
        complain(&format!(
            "… and {} more refused",
            preview.refused.len() - SHOWN
        ));
    }
    say(&format!(
        "dry run, nothing written: {} with {}, {} refused",
        counted(preview.contests.len() as u64, "contest"),
        counted(results_of(preview) as u64, "result"),
        preview.refused.len(),
    ))
}

/// What an import that fails as a whole leaves behind.
pub(super) const NOTHING: &str = "nothing was imported";

/// Contests and refusals listed by a dry run; the others are counted.
const SHOWN: usize = 40;

fn layout_lines(document: &str, layout: &Layout) -> Vec<String> {
    let columns: Vec<String> = layout
        .columns
        .iter()
        .map(|column| {
            format!(
                "{} {} is {}",
                column.letters,
                in_quotes(&column.heading),
                column.meaning.unwrap_or("not read")
            )
        })
        .collect();
    let mut lines = vec![format!(
        "{document}: {} table, headings in line {}: {}",
        layout.shape.as_str(),
        layout.header_line,
        columns.join(", ")
    )];
    lines.extend(layout.notes.iter().map(|note| format!("  {note}")));
    lines
}

pub(crate) fn report_json(report: &ImportReport, source: &SourceName) -> Value {
    json!({
        "source": source.as_str(),
        "documents": report.documents,
        "contests": {
            "added": report.added,
            "revised": report.revised,
            "unchanged": report.unchanged,
        },
        "results": report.results,
        "starting_ratings": report.starting_ratings,
        "refused": refused_json(&report.refused),
        "layouts": layouts_json(&report.layouts),
        "passed_over": report.passed_over,
        "interrupted": report.interrupted,
    })
}

pub(crate) fn refused_json(refused: &[RefusedDocument]) -> Vec<Value> {
    refused
        .iter()
        .map(|refused| json!({"document": refused.document, "what": refused.what}))
        .collect()
}

fn layouts_json(layouts: &[(String, Layout)]) -> Vec<Value> {
    layouts
        .iter()
        .map(|(document, layout)| {
            let columns: Vec<Value> = layout
                .columns
                .iter()
                .map(|column| {
                    json!({
                        "letters": column.letters,
                        "heading": column.heading,
                        "meaning": column.meaning,
                    })
                })
                .collect();
            json!({
                "document": document,
                "shape": layout.shape.as_str(),
                "header_line": layout.header_line,
                "columns": columns,
                "notes": layout.notes,
            })
        })
        .collect()
}
