//! `ranklore export --table`: one table as one file.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ranklore_contest::{ContestTime, SourceName, quote_for_shell, word_enum};
use ranklore_publish::{DatasetFormat, TableId, export_table};
use ranklore_replay::{ChosenSystem, RunChoice};
use ranklore_store::{RunRow, Store};
use ranklore_views::{
    ContestListRequest, LeaderboardRequest, List as _, MoversRequest, NamesPolicy,
    PlayerListRequest, load_contest_list, load_leaderboard, load_movers, load_player_list,
};
use serde::Serialize;
use tempfile::TempPath;

use crate::GlobalArgs;
use crate::commands::datasets::export::{ExportArgs, ExportTarget, NameStyle};
use crate::commands::file::runs;
use crate::exit::{Exit, WrongUsage};
use crate::output::{
    CellEscape, OutputFormat, escape_line, format_plural, format_size, join_words, print_line,
    print_note, write_rows,
};
use crate::words::possible_values;

/// A table that can be a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportTable {
    /// A table of datasets.
    Dataset(TableId),
    /// The rows of a command that shows ratings or lists.
    View(View),
}

word_enum! {
    /// A command whose rows can be exported, with the help of `--table`.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(super) enum View {
        /// The competitors of ranklore leaderboard, the inactive left out.
        Leaderboard = "leaderboard",
        /// The contests of ranklore contests, also those that are not rated.
        Contests = "contests",
        /// The competitors of ranklore players, also those without a rating.
        Players = "players",
        /// The rows of ranklore movers; --since is required.
        Movers = "movers",
        /// The runs of ranklore runs.
        Runs = "runs",
    }
}

impl ExportTable {
    /// Returns all tables: those of datasets, then the views.
    fn all() -> impl Iterator<Item = Self> {
        let tables = TableId::ALL.into_iter().map(Self::Dataset);
        tables.chain(View::VARIANTS.into_iter().map(Self::View))
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Dataset(table) => table.name(),
            Self::View(view) => view.as_str(),
        }
    }
}

/// Returns the parser of `--table`.
pub(super) fn table_parser() -> impl TypedValueParser<Value = ExportTable> {
    let tables = TableId::ALL.into_iter().map(|table| {
        let help = table.spec().meaning.trim_end_matches('.');
        PossibleValue::new(table.name()).help(help)
    });
    PossibleValuesParser::new(tables.chain(possible_values::<View>())).try_map(|name| {
        let mut tables = ExportTable::all();
        tables.find(|table| table.as_str() == name).ok_or("no such table")
    })
}

/// Endings of files, which no folder of a dataset has by intention.
const FILE_ENDINGS: [&str; 20] = [
    "arrow", "csv", "db", "duckdb", "feather", "gz", "html", "json", "jsonl", "md", "ndjson",
    "ods", "parquet", "sqlite", "tar", "tsv", "txt", "xlsx", "zip", "zst",
];

/// Errors if the folder of a dataset is named like a file, with the command for a file.
pub(super) fn refuse_file_name(to: &Path, sources: &[SourceName]) -> Result<(), WrongUsage> {
    let ending = lowercase_ending(to);
    if !FILE_ENDINGS.contains(&&*ending) || to.is_dir() {
        return Ok(());
    }
    let words = sources.iter().map(|name| format!("{name} "));
    let command = format!("ranklore export {}", words.collect::<String>());
    let tables = join_words(ExportTable::all().map(ExportTable::as_str));
    // Views are never Parquet.
    let (table, table_file) = match &*ending {
        "parquet" => ("standing", to.to_owned()),
        "csv" | "jsonl" => ("leaderboard", to.to_owned()),
        "json" | "ndjson" => ("leaderboard", to.with_extension("jsonl")),
        _ => ("leaderboard", to.with_extension("csv")),
    };
    let table_file = quote_path(&table_file);
    let one_table =
        format!("`{command}--table {table} --to {table_file}` writes one table ({tables})");
    let folder = quote_path(&to.with_extension(""));
    let advice = match &*ending {
        "csv" | "jsonl" | "parquet" | "json" | "ndjson" => one_table,
        "sqlite" | "db" => {
            format!("`{command}--format sqlite --to {folder}` writes one with dataset.sqlite")
        }
        _ => format!("{one_table}, `{command}--to {folder}` a dataset"),
    };
    let file = quote_path(to);
    Err(WrongUsage(format!(
        "--to {file} is the name of a file, and a dataset is a folder; {advice}"
    )))
}

fn quote_path(path: &Path) -> String {
    quote_for_shell(&path.to_string_lossy())
}

fn lowercase_ending(path: &Path) -> String {
    let ending = path.extension().unwrap_or_default();
    ending.to_string_lossy().to_ascii_lowercase()
}

/// The file that was written.
#[derive(Serialize)]
struct TableFile<'a> {
    /// The path, as given.
    file: &'a str,
    /// The table.
    table: &'static str,
    /// The number of rows.
    rows: u64,
    /// The size of the file.
    bytes: u64,
}

impl ExportArgs {
    /// Writes one table to a file, which is replaced or created in one step.
    pub(super) fn write_table(
        mut self,
        table: ExportTable,
        global: &GlobalArgs,
    ) -> anyhow::Result<Exit> {
        let format = self.file_format(table)?;
        if self.to.is_dir() {
            bail!("{} is a folder; name a file", self.to.display());
        }
        if self.to.exists() && !self.force {
            bail!(self.refuse_existing());
        }
        let store = self.open_store(global)?;
        let rows = match table {
            ExportTable::Dataset(id) => self.write_dataset_table(&store, id, format, global)?,
            ExportTable::View(view) => self.write_view(&store, view, format, global)?,
        };
        let bytes = fs::metadata(&self.to)?.len();
        let result = TableFile {
            file: &self.to.to_string_lossy(),
            table: table.as_str(),
            rows,
            bytes,
        };
        global.print_result(&result, || {
            print_line(&escape_line(&format!(
                "{}: {} of {}, {}",
                result.file,
                format_plural(rows, "row"),
                result.table,
                format_size(bytes)
            )))
        })?;
        Ok(Exit::Done)
    }

    fn refuse_existing(&self) -> String {
        format!("{} exists; --force replaces it", self.to.display())
    }

    /// Returns the format that the ending of the file names.
    fn file_format(&self, table: ExportTable) -> Result<DatasetFormat, WrongUsage> {
        let name = table.as_str();
        match (&*lowercase_ending(&self.to), table) {
            ("csv", _) => Ok(DatasetFormat::Csv),
            ("jsonl", _) => Ok(DatasetFormat::JsonLines),
            ("parquet", ExportTable::Dataset(_)) => Ok(DatasetFormat::Parquet),
            (_, ExportTable::Dataset(_)) => Err(WrongUsage(format!(
                "--to {} has to end with .csv, .jsonl or .parquet: the table {name} is written in \
                 the format that the file name says",
                self.to.display()
            ))),
            ("parquet", ExportTable::View(_)) => Err(WrongUsage(format!(
                "{name} is not written as Parquet; use .csv or .jsonl, which Parquet tools read, or \
                 one of the tables {}",
                join_words(TableId::ALL.map(TableId::name))
            ))),
            (_, ExportTable::View(_)) => Err(WrongUsage(format!(
                "--to {} has to end with .csv or .jsonl: the rows of {name} are written in the \
                 format that the file name says",
                self.to.display()
            ))),
        }
    }

    /// Writes a table of a dataset: it is written and verified beside the file, and moved into place.
    /// Returns the number of rows.
    fn write_dataset_table(
        &self,
        store: &Store,
        table: TableId,
        format: DatasetFormat,
        global: &GlobalArgs,
    ) -> anyhow::Result<u64> {
        let name = self.to.file_name().context("--to is not a file")?;
        // Always the same name: the next export replaces what a killed one left.
        let folder_name = format!(".{}.ranklore-table", name.to_string_lossy());
        let target = ExportTarget {
            folder: &self.to.with_file_name(folder_name),
            formats: vec![format],
            has_ratings: matches!(table, TableId::Rating | TableId::RatingRun),
        };
        let table_file = self.export_with(store, target, global, |request, progress| {
            export_table(store, request, table, progress)
        })?;
        self.move_into_place(TempPath::try_from_path(table_file.path())?)?;
        Ok(table_file.rows())
    }

    /// Writes the rows of a view. Returns their number.
    fn write_view(
        &self,
        store: &Store,
        view: View,
        format: DatasetFormat,
        global: &GlobalArgs,
    ) -> anyhow::Result<u64> {
        let name = view.as_str();
        if self.since.is_some() && matches!(view, View::Players | View::Runs) {
            bail!(WrongUsage(format!("--table {name} has no --since")));
        }
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let names = self.view_names(store, name)?;
        let view_file = ViewFile {
            args: self,
            store,
            run: self.view_run(name)?,
            names,
            format,
        };
        let written_rows = match view {
            View::Leaderboard => view_file.write_leaderboard()?,
            View::Contests => view_file.write_contests(&self.only_source(name)?)?,
            View::Players => view_file.write_players(&self.only_source(name)?)?,
            View::Movers => {
                let Some(since) = self.since else {
                    bail!(WrongUsage(format!(
                        "--table {name} compares with the ratings before a date; add --since DATE"
                    )));
                };
                view_file.write_movers(&self.only_source(name)?, since)?
            }
            View::Runs => {
                let run = &view_file.run;
                if !run.is_default() {
                    bail!(WrongUsage(format!(
                        "--table {name} has all runs; leave out --run, --system and --set"
                    )));
                }
                view_file.write_runs()?
            }
        };
        drop(snapshot);
        if written_rows.pseudonymised {
            print_note("names are pseudonyms, as the terms of the site require");
        }
        if let Some(run) = &written_rows.stale_run {
            global.warn_stale(store, run)?;
        }
        Ok(written_rows.rows as u64)
    }

    /// Returns the run that a view shows.
    fn view_run(&self, name: &str) -> Result<RunChoice, WrongUsage> {
        if self.runs.len() + self.systems.len() > 1 {
            return Err(WrongUsage(format!(
                "--table {name} has the ratings of one run; leave out all but one --run or --system"
            )));
        }
        Ok(RunChoice {
            run: self.runs.first().cloned(),
            system: self.systems.first().cloned().map(ChosenSystem::Computed),
            settings: self.set.settings.clone(),
        })
    }

    /// Returns the source of a view of a single one.
    fn only_source(&self, name: &str) -> Result<SourceName, WrongUsage> {
        match &*self.sources {
            [source] => Ok(source.clone()),
            _ => Err(WrongUsage(format!(
                "--table {name} is of one source; export one after the other"
            ))),
        }
    }

    /// Returns the names policy of a view. Errors if the terms forbid to publish this way.
    fn view_names(&self, store: &Store, name: &str) -> anyhow::Result<NamesPolicy> {
        self.load_terms(store)?;
        match self.names {
            None => Ok(NamesPolicy::Publishable),
            Some(NameStyle::Real) => Ok(NamesPolicy::AsStored),
            Some(NameStyle::Pseudonym | NameStyle::None) => bail!(WrongUsage(format!(
                "--table {name} has pseudonyms where the terms of a site require them; for all \
                 other sources use a table of datasets: {}",
                join_words(TableId::ALL.map(TableId::name))
            ))),
        }
    }

    fn describe_write_error(&self) -> String {
        format!("cannot write {}", self.to.display())
    }

    /// Moves a finished file to its name, in one step.
    fn move_into_place(&self, file: TempPath) -> anyhow::Result<()> {
        let result = if self.force {
            file.persist(&self.to)
        } else {
            file.persist_noclobber(&self.to)
        };
        result.map_err(|failure| match failure.error.kind() {
            std::io::ErrorKind::AlreadyExists => anyhow!(self.refuse_existing()),
            _ => anyhow::Error::new(failure.error).context(self.describe_write_error()),
        })
    }
}

/// A file of the rows of a view: its run, names and format.
struct ViewFile<'a> {
    args: &'a ExportArgs,
    store: &'a Store,
    run: RunChoice,
    names: NamesPolicy,
    format: DatasetFormat,
}

/// The rows that were written.
struct WrittenRows {
    rows: usize,
    stale_run: Option<RunRow>,
    pseudonymised: bool,
}

impl ViewFile<'_> {
    fn write_leaderboard(&self) -> anyhow::Result<WrittenRows> {
        let request = LeaderboardRequest {
            since: self.args.since,
            names: self.names,
            ..LeaderboardRequest::new(self.args.sources.clone(), self.run.clone())
        };
        let board = load_leaderboard(self.store, &request)?;
        let stale_run = board.stale.then_some(&board.run);
        self.write_rows(&board.rows, &board.columns().keys(), stale_run, board.pseudonymised)
    }

    fn write_contests(&self, source: &SourceName) -> anyhow::Result<WrittenRows> {
        let request = ContestListRequest {
            since: self.args.since,
            run: self.run.clone(),
            ..ContestListRequest::default()
        };
        let list = load_contest_list(self.store, source, &request)?;
        let stale_run = list.run.as_ref().filter(|_| list.stale);
        self.write_rows(&list.rows, &list.columns().keys(), stale_run, false)
    }

    fn write_players(&self, source: &SourceName) -> anyhow::Result<WrittenRows> {
        let request = PlayerListRequest {
            run: self.run.clone(),
            names: self.names,
            ..PlayerListRequest::default()
        };
        let list = load_player_list(self.store, source, &request)?;
        let stale_run = list.run.as_ref().filter(|_| list.stale);
        self.write_rows(&list.rows, &list.columns().keys(), stale_run, list.pseudonymised)
    }

    fn write_movers(&self, source: &SourceName, since: ContestTime) -> anyhow::Result<WrittenRows> {
        let request = MoversRequest {
            names: self.names,
            ..MoversRequest::new(self.run.clone(), since)
        };
        let list = load_movers(self.store, source, &request)?;
        let rows = list.rows();
        let stale_run = list.stale.then_some(&list.run);
        self.write_rows(&rows, &rows.columns().keys(), stale_run, list.pseudonymised)
    }

    fn write_runs(&self) -> anyhow::Result<WrittenRows> {
        let rows = runs::list_runs(self.store, &self.args.sources)?;
        self.write_rows(&rows, &runs::columns(&rows).keys(), None, false)
    }

    /// Writes the rows of a view of this run, if it is stale.
    fn write_rows<T: Serialize>(
        &self,
        rows: &[T],
        columns: &[&str],
        stale_run: Option<&RunRow>,
        pseudonymised: bool,
    ) -> anyhow::Result<WrittenRows> {
        let folder = match self.args.to.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        fs::create_dir_all(folder).with_context(|| self.args.describe_write_error())?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ranklore-table-");
        #[cfg(unix)]
        {
            // As any new file: the umask decides.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file =
            builder.tempfile_in(folder).with_context(|| self.args.describe_write_error())?;
        let format = match self.format {
            DatasetFormat::JsonLines => OutputFormat::Jsonl,
            _ => OutputFormat::Csv,
        };
        let escape = if self.args.escape_formulas {
            CellEscape::Formulas
        } else {
            CellEscape::None
        };
        let out = std::io::BufWriter::new(&mut file);
        write_rows(&rows, columns, format, out, escape)
            .and_then(|()| file.flush())
            .and_then(|()| file.as_file().sync_all())
            .with_context(|| self.args.describe_write_error())?;
        self.args.move_into_place(file.into_temp_path())?;
        Ok(WrittenRows {
            rows: rows.len(),
            stale_run: stale_run.cloned(),
            pseudonymised,
        })
    }
}
