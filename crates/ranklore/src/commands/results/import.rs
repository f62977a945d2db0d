//! `ranklore import`

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use ranklore_contest::{DateOrder, Format, ReadOptions, SourceName, UnixSeconds};
use ranklore_ingest::{ImportRequest, check_paths, import, preview};
use ranklore_publish::Dataset;
use ranklore_store::Store;

use crate::commands::datasets::import_dataset;
use crate::commands::imported::{NOTHING, exit_of, exit_of_preview, say_preview, say_report};
use crate::exit::{Exit, WrongUsage};
use crate::json::{DryRun, OfSource};
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
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "elo-mmr")]
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
    #[value(alias = "json")]
    EloMmr,
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
            JsonForm::EloMmr => Format::Json,
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
            let preview = preview(&self.paths, json, &options, &progress)?;
            progress.end();
            let result = DryRun {
                dry_run: true,
                report: &preview,
            };
            global.show(&result, || say_preview(&preview))?;
            return Ok(exit_of_preview(&preview, &progress));
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
        let source = &request.source;
        let result = OfSource {
            source,
            report: &report,
        };
        global.show(&result, || say_report(&report, source))?;
        if !global.json && exit_of(&report) == Exit::Done {
            global.suggest(&format!("ranklore rate {source}"));
        }
        Ok(exit_of(&report))
    }
}
