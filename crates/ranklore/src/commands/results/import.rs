//! `ranklore import`

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser as _};
use ranklore_contest::{ContestTime, SourceName};
use ranklore_formats::{
    CellStatus, ColumnMeaning, DateOrder, DecimalMark, MemberSeparator, OutcomeNumbers,
    ReadOptions, RowCondition, StatedCells, StatedLayout,
};
use ranklore_ingest::{
    AssumedStart, ImportInputs, ImportRequest, StatedFormat, TimeBound, assume_start, check_paths,
    import, preview,
};
use ranklore_publish::Dataset;
use ranklore_replay::NoProgress;
use ranklore_store::Store;

use super::{settlements, undo};
use crate::arguments::{Arguments, Command};
use crate::commands::datasets::import_dataset;
use crate::commands::import_report::{
    NOTHING_IMPORTED, preview_exit, print_preview, print_report, report_exit,
};
use crate::commands::results::mapping;
use crate::exit::{Exit, WrongUsage};
use crate::json::{DryRun, OfSource};
use crate::output::output_format;
use crate::progress::TerminalProgress;
use crate::words::{parse_format, possible_values, words};
use crate::{GlobalArgs, values};

/// Import contest files: JSON, CSV, spreadsheets, PGN, folders, archives, datasets
///
/// A table has one row per result (contest, date, place or score, competitor, status, division,
/// team), or one row per player and one column per round. Common column names are recognised;
/// --dry-run prints the meaning of each column. JSON files have the format of Elo-MMR. A folder
/// that ranklore export wrote is imported as a dataset.
///
/// Importing the same file again changes nothing; a corrected file becomes a new revision. Invalid
/// contests are named and skipped, the others are imported (exit code 3). --undo takes an import
/// back.
#[derive(Debug, Args)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a flag of the command line"
)]
pub(crate) struct ImportArgs {
    /// Files, folders or archives, - for standard input; or the folder of one dataset
    #[arg(required_unless_present = "undo", value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Name for these contests, to pass to rate and leaderboard; required unless PATH is a dataset,
    /// or the only source is meant by --undo
    #[arg(long, value_name = "NAME", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Print what would be imported; write nothing
    #[arg(long)]
    dry_run: bool,
    /// Withdraw contests that an earlier version of a file has and this one has not
    #[arg(long, conflicts_with = "dry_run")]
    replace: bool,
    /// Accept contests that end more than a year from now [default: refused]
    #[arg(long)]
    future: bool,
    /// Undo the last import, or that of a document: its contests return to earlier documents
    #[arg(
        long,
        value_name = "DOCUMENT",
        num_args = 0..=1,
        conflicts_with_all = [
            "paths", "dry_run", "replace", "future", "format", "stdin_name", "dates", "decimal_mark", "lower_is_better",
            "start", "every", "sheet", "rows", "conditions", "anonymous", "columns", "layout", "cells", "no_headings", "members", "same_name_by", "statuses",
            "outcome", "mapping", "save_mapping",
        ]
    )]
    #[expect(
        clippy::option_option,
        reason = "an option whose value may be left out"
    )]
    undo: Option<Option<String>>,
    /// Format of the files [default: as their names end]
    // A word, as the global option of the same name.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser())]
    format: Option<String>,
    /// File name of standard input, the path -
    #[arg(long = "as", value_name = "NAME")]
    stdin_name: Option<String>,
    /// Reading of dates such as 03/04/2024 or 2011-12 [default: such dates are errors]
    #[arg(long, value_name = "ORDER", value_parser = words::<DateOrder>())]
    dates: Option<DateOrder>,
    /// Mark before decimals, where 1,234 has two readings [default: as other numbers of a column say]
    #[arg(long, value_name = "MARK", value_parser = words::<DecimalMark>())]
    decimal_mark: Option<DecimalMark>,
    /// The lowest score wins, for times, strokes or penalties
    #[arg(long)]
    lower_is_better: bool,
    /// Date of the first contest in a table without dates, or of a scoreboard feed
    #[arg(long, value_name = "DATE", value_parser = values::parse_time)]
    start: Option<ContestTime>,
    /// Days between contests in a table without dates [default: 1]; if given, columns headed like
    /// rounds are contests
    #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
    every: Option<u32>,
    /// Sheet of a workbook, or all: each is a contest or a table [default: the first]
    #[arg(long, value_name = "NAME")]
    sheet: Option<String>,
    /// Array of a JSON document whose elements are the rows, such as data.results [default: the one
    /// with names and results]
    #[arg(long, value_name = "PATH")]
    rows: Option<String>,
    /// Read only rows with this cell below a heading, or HEADING!=VALUE without it; repeatable, all
    /// must hold: recorded=true
    #[arg(long = "where", value_name = "HEADING=VALUE", allow_hyphen_values = true, value_parser = mapping::parse_condition)]
    conditions: Vec<RowCondition>,
    /// A row without a competitor is an entrant of its contest alone, such as a deleted account
    /// [default: refused]
    #[arg(long)]
    anonymous: bool,
    /// Meaning of a column of a table, or ignore, such as 'Race No.=contest id'; repeatable
    #[arg(long = "column", value_name = "HEADING=MEANING", allow_hyphen_values = true, value_parser = parse_column)]
    columns: Vec<(String, ColumnMeaning)>,
    /// Arrangement of results in a table [default: as the headings say; refused if they leave it
    /// open]
    #[arg(long, value_name = "LAYOUT", value_parser = words::<StatedLayout>())]
    layout: Option<StatedLayout>,
    /// Numbers of a table with one row per player [default: as the order of the players says]
    #[arg(long, value_name = "KIND", value_parser = words::<StatedCells>())]
    cells: Option<StatedCells>,
    /// The table has no headings: columns have their letters, as in --column C=place
    #[arg(long)]
    no_headings: bool,
    /// Text between several names in one cell, such as " / "; none if each cell is one name
    #[arg(long, value_name = "SEPARATOR", allow_hyphen_values = true, value_parser = mapping::parse_separator)]
    members: Option<MemberSeparator>,
    /// Heading of the column that tells competitors of one name apart, such as Born; each is
    /// identified by name and value
    #[arg(long, value_name = "HEADING", allow_hyphen_values = true)]
    same_name_by: Option<String>,
    /// Meaning of a word for a status: finished, dnf, dq or dns; repeatable
    #[arg(long = "status", value_name = "WORD=STATUS", allow_hyphen_values = true, value_parser = parse_status)]
    statuses: Vec<(String, CellStatus)>,
    /// Meaning of 0, 1 and 2 as outcomes of games [default: refused if they have several]
    #[arg(long, value_name = "NUMBERS", value_parser = words::<OutcomeNumbers>())]
    outcome: Option<OutcomeNumbers>,
    /// Take these options from a TOML file, as --save-mapping writes it
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Write how the table is read, for --mapping
    #[arg(long, value_name = "FILE", requires = "dry_run")]
    save_mapping: Option<PathBuf>,
}

/// The former word for JSON.
const FORMER_JSON: &str = "elo-mmr";

/// Returns the parser of `--format`.
fn format_parser() -> PossibleValuesParser {
    let former = PossibleValue::new(FORMER_JSON).hide(true);
    PossibleValuesParser::new(possible_values::<StatedFormat>().chain([former]))
}

/// Parses a word and its status.
fn parse_status(word: &str) -> Result<(String, CellStatus), String> {
    let (word, status) = word.rsplit_once('=').ok_or("expected WORD=STATUS, such as mp=dq")?;
    Ok((word.trim().to_owned(), mapping::parse_status_word(status)?))
}

/// Parses a heading and its meaning.
fn parse_column(word: &str) -> Result<(String, ColumnMeaning), String> {
    let (heading, meaning) = word
        .rsplit_once('=')
        .ok_or("expected HEADING=MEANING, such as Board=division")?;
    Ok((heading.to_owned(), mapping::parse_meaning(meaning)?))
}

/// Errors if standard input has no name: all tables would be the same document.
fn check_stdin_name(inputs: &ImportInputs) -> Result<(), WrongUsage> {
    let has_stdin = inputs.paths.iter().any(|path| path.as_os_str() == "-");
    if has_stdin && inputs.stdin_name.is_none() {
        return Err(WrongUsage(
            "--replace needs the file name of standard input: pass --as NAME, such as --as \
             results.csv; without one, all tables are the same document"
                .to_owned(),
        ));
    }
    Ok(())
}

/// Returns a name for the source of a file: its own, without what a source's name cannot have.
fn propose_source(path: Option<&PathBuf>) -> String {
    let stem = path.and_then(|path| path.file_stem()?.to_str()).unwrap_or_default();
    let words = stem.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let name = words.collect::<Vec<_>>().join("-").to_ascii_lowercase();
    SourceName::new(&name).map_or_else(|_| "club".to_owned(), |_| name)
}

impl ImportArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        if let Some(document) = self.undo {
            return undo::run(self.source, document, global);
        }
        if let Some(folder) = self.paths.iter().find(|path| Dataset::is_dataset(path)) {
            return self.import_dataset(folder, global);
        }
        let Some(source) = self.source.clone() else {
            bail!(WrongUsage(format!(
                "--source NAME is missing, a name of yours for where these contests are from, such \
                 as --source {}; only a dataset, a folder with a datapackage.json of Ranklore, names \
                 its sources",
                propose_source(self.paths.first())
            )));
        };
        let inputs = self.inputs()?;
        if self.replace {
            check_stdin_name(&inputs)?;
        }
        let options = self.mapped_options()?;
        if self.dry_run {
            return self.print_dry_run(&source, &inputs, &options, global);
        }
        let progress = TerminalProgress::new();
        check_paths(&inputs).context(NOTHING_IMPORTED)?;
        let mut store = Store::open_writer(global.db(), "ranklore import")?;
        let mut request = ImportRequest {
            inputs,
            source,
            options,
            replace: self.replace,
            allows_future: self.future,
            clock: values::now,
        };
        let ImportRequest {
            inputs, options, ..
        } = &request;
        let assumed = assume_start(Some(&store), &request.source, inputs, options, values::now());
        let result = assumed.and_then(|assumed| {
            request.options = with_assumed_start(request.options.clone(), assumed.as_ref());
            Ok((import(&mut store, &request, &progress)?, assumed))
        });
        let result = result.context(NOTHING_IMPORTED);
        // A first import that failed leaves no empty database.
        store.discard_if_unused();
        let (report, assumed) = result?;
        progress.finish();
        let source = &request.source;
        global.print_result(&OfSource::new(source, &report), || print_report(&report, source))?;
        settlements::print_assumed_start(assumed.as_ref());
        let exit = report_exit(&report);
        if exit == Exit::Partial {
            print_settlements(&request.inputs);
        } else if !output_format().is_data() && exit == Exit::Done {
            global.suggest(&format!("ranklore rate {source}"));
        }
        Ok(exit)
    }

    fn inputs(&self) -> anyhow::Result<ImportInputs> {
        let format = match self.format.as_deref() {
            Some(FORMER_JSON) => Some(StatedFormat::Json),
            word => word.map(|word| parse_format(word, "import")).transpose()?,
        };
        Ok(ImportInputs {
            paths: self.paths.clone(),
            format,
            stdin_name: self.stdin_name.clone(),
        })
    }

    /// Returns the options of the command line and of the mapping.
    fn mapped_options(&self) -> anyhow::Result<ReadOptions> {
        Ok(match &self.mapping {
            Some(path) => mapping::merge(mapping::read(path)?, self.read_options()),
            None => self.read_options(),
        })
    }

    /// Returns the bound of the times of contests.
    fn time_bound(&self) -> TimeBound {
        TimeBound {
            now: values::now(),
            allows_future: self.future,
        }
    }

    fn import_dataset(&self, folder: &Path, global: &GlobalArgs) -> anyhow::Result<Exit> {
        if self.paths.len() > 1 {
            bail!(WrongUsage(format!(
                "{} is a dataset; import it in a command without other paths",
                folder.display()
            )));
        }
        if self.replace {
            bail!(WrongUsage(
                "--replace is for files: a dataset has one document for each contest".to_owned()
            ));
        }
        let source = self.source.as_ref();
        if self.dry_run {
            import_dataset::dry_run(folder, source, global)
        } else {
            import_dataset::run(folder, source, global)
        }
    }

    /// Returns the options of the command line.
    fn read_options(&self) -> ReadOptions {
        let sheet = self.sheet.as_deref();
        let (sheet, all_sheets) = sheet.map_or((None, false), mapping::parse_sheet);
        ReadOptions {
            dates: self.dates,
            decimal_mark: self.decimal_mark,
            lower_is_better: self.lower_is_better,
            start: self.start,
            every_days: self.every,
            sheet,
            all_sheets,
            rows: self.rows.clone(),
            conditions: self.conditions.clone(),
            anonymous: self.anonymous,
            columns: self.columns.iter().cloned().collect(),
            layout: self.layout,
            cells: self.cells,
            no_headings: self.no_headings,
            members: self.members.clone(),
            same_name_by: self.same_name_by.clone(),
            statuses: self.statuses.iter().cloned().collect(),
            outcome: self.outcome,
        }
    }

    fn print_dry_run(
        &self,
        source: &SourceName,
        inputs: &ImportInputs,
        options: &ReadOptions,
        global: &GlobalArgs,
    ) -> anyhow::Result<Exit> {
        let progress = TerminalProgress::new();
        let store = global.open_reader_if_any()?;
        let assumed = assume_start(store.as_ref(), source, inputs, options, values::now())?;
        let dated_options = with_assumed_start(options.clone(), assumed.as_ref());
        let preview = preview(inputs, &dated_options, self.time_bound(), &progress)?;
        progress.finish();
        global.print_result(&DryRun::new(true, &preview), || print_preview(&preview))?;
        settlements::print_assumed_start(assumed.as_ref());
        if let Some(path) = &self.save_mapping {
            mapping::save(path, options, &preview.layouts)?;
        }
        let exit = preview_exit(&preview, &progress);
        if exit == Exit::Partial {
            print_settlements(inputs);
        }
        Ok(exit)
    }
}

/// Returns the options with the start that is assumed, if one is.
fn with_assumed_start(options: ReadOptions, assumed: Option<&AssumedStart>) -> ReadOptions {
    ReadOptions {
        start: assumed.map(|assumed| assumed.start).or(options.start),
        ..options
    }
}

/// Tries the options that the refusals of this command name, and prints the commands that read the
/// files. Folders, archives and standard input are not read again.
fn print_settlements(inputs: &ImportInputs) {
    let sizes = inputs.paths.iter().map(|path| {
        let metadata = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
        metadata.map(|metadata| metadata.len())
    });
    let Some(bytes) = sizes.sum::<Option<u64>>() else {
        return;
    };
    settlements::print_commands(bytes, |options| {
        let words = options.iter().flat_map(|options| options.words().iter().map(OsString::from));
        let arguments = Arguments::try_parse_from(std::env::args_os().chain(words)).ok()?;
        let Command::Import(import) = arguments.command else {
            return None;
        };
        let (inputs, options) = (import.inputs().ok()?, import.mapped_options().ok()?);
        let preview = preview(&inputs, &options, import.time_bound(), &NoProgress).ok()?;
        Some(preview.into())
    });
}
