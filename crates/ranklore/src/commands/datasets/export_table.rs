//! `ranklore export --table`: one table as one file.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use ranklore_contest::{SourceName, quote_for_shell};
use ranklore_publish::{DatasetFormat, ExportRequest, TableId, export_table};
use ranklore_replay::{
    ContestListRequest, LeaderboardRequest, MoversRequest, NamesPolicy, PlayerListRequest,
    RunChoice, load_contest_list, load_leaderboard, load_movers, load_player_list,
};
use ranklore_store::Store;
use serde::Serialize;
use tempfile::TempPath;

use crate::GlobalArgs;
use crate::commands::datasets::export::{ExportArgs, NameStyle};
use crate::commands::file::runs;
use crate::commands::lists::{contests, movers, players};
use crate::commands::ratings::leaderboard;
use crate::exit::{Exit, WrongUsage};
use crate::output::{
    CellEscape, OutputFormat, escape_line, format_plural, format_size, join_words, print_line,
    print_note, write_rows,
};
use crate::progress::TerminalProgress;

/// A table that can be a file of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExportTable {
    /// A table of datasets.
    Dataset(TableId),
    /// The rows of a command that shows ratings or lists.
    View(View),
}

/// A command whose rows can be exported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// `ranklore leaderboard`
    Leaderboard,
    /// `ranklore contests`
    Contests,
    /// `ranklore players`
    Players,
    /// `ranklore movers`
    Movers,
    /// `ranklore runs`
    Runs,
}

impl View {
    const ALL: [Self; 5] = [
        Self::Leaderboard,
        Self::Contests,
        Self::Players,
        Self::Movers,
        Self::Runs,
    ];

    const fn as_str(self) -> &'static str {
        match self {
            Self::Leaderboard => "leaderboard",
            Self::Contests => "contests",
            Self::Players => "players",
            Self::Movers => "movers",
            Self::Runs => "runs",
        }
    }

    /// Returns the help of `--table`.
    const fn about(self) -> &'static str {
        match self {
            Self::Leaderboard => "The competitors of ranklore leaderboard, the inactive left out",
            Self::Contests => "The contests of ranklore contests, also those that are not rated",
            Self::Players => "The competitors of ranklore players, also those without a rating",
            Self::Movers => "The rows of ranklore movers; --since is required",
            Self::Runs => "The runs of ranklore runs",
        }
    }
}

impl ExportTable {
    /// Returns all tables: those of datasets, then the views.
    fn all() -> impl Iterator<Item = Self> {
        let tables = TableId::ALL.into_iter().map(Self::Dataset);
        tables.chain(View::ALL.into_iter().map(Self::View))
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::Dataset(table) => table.name(),
            Self::View(view) => view.as_str(),
        }
    }

    /// Returns the help of `--table`.
    fn about(self) -> &'static str {
        match self {
            Self::Dataset(table) => table.spec().meaning.trim_end_matches('.'),
            Self::View(view) => view.about(),
        }
    }
}

/// Returns the parser of `--table`.
pub(super) fn table_parser() -> impl TypedValueParser<Value = ExportTable> {
    let names = ExportTable::all().map(|of| PossibleValue::new(of.as_str()).help(of.about()));
    PossibleValuesParser::new(names).try_map(|name| {
        let mut all = ExportTable::all();
        all.find(|table| table.as_str() == name)
            .ok_or("no such table")
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
    let sources = sources.iter().map(|name| format!("{name} "));
    let sources: String = sources.collect();
    let quoted = |path: &Path| quote_for_shell(&path.to_string_lossy());
    let (file, folder) = (quoted(to), quoted(&to.with_extension("")));
    let tables = join_words(ExportTable::all().map(ExportTable::as_str));
    let one_table = |table, file: &str| {
        format!(
            "`ranklore export {sources}--table {table} --to {file}` writes one table ({tables})"
        )
    };
    let with_ending = |ending| quoted(&to.with_extension(ending));
    let advice = match &*ending {
        "csv" | "jsonl" => one_table("leaderboard", &file),
        // Views are never Parquet.
        "parquet" => one_table("standing", &file),
        "sqlite" | "db" => format!(
            "`ranklore export {sources}--format sqlite --to {folder}` writes one with dataset.sqlite"
        ),
        "json" | "ndjson" => one_table("leaderboard", &with_ending("jsonl")),
        _ => format!(
            "{}, `ranklore export {sources}--to {folder}` a dataset",
            one_table("leaderboard", &with_ending("csv"))
        ),
    };
    Err(WrongUsage(format!(
        "--to {file} is the name of a file, and a dataset is a folder; {advice}"
    )))
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
        let rated = matches!(table, TableId::Rating | TableId::RatingRun);
        let name = self.to.file_name().context("--to is not a file")?;
        // Always the same name: the next export replaces what a killed one left.
        let folder = format!(".{}.ranklore-table", name.to_string_lossy());
        let folder = self.to.with_file_name(folder);
        let write = |request: &ExportRequest<'_>, progress: &TerminalProgress| {
            export_table(store, request, table, progress)
        };
        let formats = vec![format];
        let exported = self.export_with(store, &folder, formats, rated, global, write)?;
        self.move_into_place(TempPath::try_from_path(exported.path())?)?;
        Ok(exported.rows())
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
        let run = self.view_run(name)?;
        let (rows, stale, pseudonymised) = match view {
            View::Leaderboard => {
                let request = LeaderboardRequest {
                    since: self.since,
                    names,
                    ..LeaderboardRequest::new(self.sources.clone(), run)
                };
                let board = load_leaderboard(store, &request)?;
                let columns = leaderboard::columns(self.since.is_some());
                self.write_view_rows(&board.rows, &columns, format)?;
                let stale = board.stale.then_some(board.run);
                (board.rows.len(), stale, board.pseudonymised)
            }
            View::Contests => {
                let request = ContestListRequest {
                    since: self.since,
                    ..ContestListRequest::new(self.only_source(name)?, run)
                };
                let list = load_contest_list(store, &request)?;
                self.write_view_rows(&list.rows, &contests::COLUMNS, format)?;
                (list.rows.len(), list.run.filter(|_| list.stale), false)
            }
            View::Players => {
                let request = PlayerListRequest {
                    names,
                    ..PlayerListRequest::new(self.only_source(name)?, run)
                };
                let list = load_player_list(store, &request)?;
                self.write_view_rows(&list.rows, &players::COLUMNS, format)?;
                let stale = list.run.filter(|_| list.stale);
                (list.rows.len(), stale, list.pseudonymised)
            }
            View::Movers => {
                let Some(since) = self.since else {
                    bail!(WrongUsage(format!(
                        "--table {name} compares with the ratings before a date; add --since DATE"
                    )));
                };
                let request = MoversRequest {
                    names,
                    ..MoversRequest::new(self.only_source(name)?, run, since)
                };
                let list = load_movers(store, &request)?;
                let rows = movers::rows_of(&list);
                self.write_view_rows(&rows, &movers::COLUMNS, format)?;
                let number = rows.len();
                let stale = list.stale.then_some(list.run);
                (number, stale, list.pseudonymised)
            }
            View::Runs => {
                if run.run.is_some() || run.system.is_some() {
                    bail!(WrongUsage(format!(
                        "--table {name} has all runs; leave out --run and --system"
                    )));
                }
                let rows = runs::list_runs(store, &self.sources)?;
                self.write_view_rows(&rows, &runs::COLUMNS, format)?;
                (rows.len(), None, false)
            }
        };
        drop(snapshot);
        if pseudonymised {
            print_note("names are pseudonyms, as the terms of the site require");
        }
        if let Some(run) = stale {
            global.warn_stale(store, &run)?;
        }
        Ok(rows as u64)
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
            system: self.systems.first().cloned(),
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

    fn write_view_rows(
        &self,
        rows: &impl Serialize,
        columns: &[&str],
        format: DatasetFormat,
    ) -> anyhow::Result<()> {
        let cannot = || format!("cannot write {}", self.to.display());
        let folder = self.to.parent().filter(|of| !of.as_os_str().is_empty());
        let folder = folder.map_or_else(|| PathBuf::from("."), Path::to_owned);
        fs::create_dir_all(&folder).with_context(cannot)?;
        let mut builder = tempfile::Builder::new();
        builder.prefix(".ranklore-table-");
        #[cfg(unix)]
        {
            // As any new file: the umask decides.
            use std::os::unix::fs::PermissionsExt;
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let mut file = builder.tempfile_in(folder).with_context(cannot)?;
        let format = match format {
            DatasetFormat::JsonLines => OutputFormat::Jsonl,
            _ => OutputFormat::Csv,
        };
        let escape = if self.escape_formulas {
            CellEscape::Formulas
        } else {
            CellEscape::None
        };
        let out = std::io::BufWriter::new(&mut file);
        write_rows(rows, columns, format, out, escape)
            .and_then(|()| file.flush())
            .and_then(|()| file.as_file().sync_all())
            .with_context(cannot)?;
        self.move_into_place(file.into_temp_path())
    }

    /// Moves a finished file to its name, in one step.
    fn move_into_place(&self, file: TempPath) -> anyhow::Result<()> {
        let moved = if self.force {
            file.persist(&self.to)
        } else {
            file.persist_noclobber(&self.to)
        };
        match moved {
            Ok(()) => Ok(()),
            Err(failed) if failed.error.kind() == std::io::ErrorKind::AlreadyExists => {
                bail!(self.refuse_existing())
            }
            Err(failed) => {
                Err(failed.error).with_context(|| format!("cannot write {}", self.to.display()))
            }
        }
    }
}
