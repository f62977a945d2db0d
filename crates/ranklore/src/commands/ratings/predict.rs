//! `ranklore predict`

use std::collections::HashMap;

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    MAX_LISTED_FIELD, PredictedCompetitor, PredictedField, PredictedPair, PredictionRequest,
    PredictionView, load_prediction,
};
use ranklore_store::Store;

use crate::commands::ratings::leaderboard::describe_growth;
use crate::commands::source_argument::resolve_source;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, escape_name, format_points, note_inexact_match, print_line, print_line_with_names,
    print_note,
};
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// The largest field whose pairs follow the table.
const MAX_PRINTED_FIELD: usize = 10;

/// Predict a field: expected order, win probability of each pair
///
/// The probabilities follow from the model of the rating system and its uncertainty. The expected
/// place is 1 plus the probability of each other entrant to place above; a tie counts one half.
/// Competitors without a rating have that of newcomers.
///
/// With --contest, the entrants of a contest that was held are predicted from the ratings before its
/// start, and their places are shown.
#[derive(Debug, Args)]
pub(crate) struct PredictArgs {
    /// Source [default: the only one of the database], and the handles or names of two or more
    /// competitors
    #[arg(value_name = "SOURCE NAME", required_unless_present = "contest")]
    words: Vec<String>,
    /// Predict the entrants of this contest, by its id or name
    #[arg(long, value_name = "CONTEST")]
    contest: Option<String>,
    #[command(flatten)]
    run: RunArgs,
    /// Predict from the ratings at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    /// Write a row for each pair, instead of for each entrant
    #[arg(long)]
    pairs: bool,
    #[command(flatten)]
    naming: NamingArgs,
}

impl PredictArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let run = self.run.run.as_ref();
        let (source, names) = split_source(&store, self.words)?;
        let field = match self.contest {
            Some(_) if !names.is_empty() => anyhow::bail!(WrongUsage(format!(
                "\"{}\" is no source: name competitors or --contest, not both",
                names[0]
            ))),
            Some(contest) => PredictedField::Contest(contest),
            None => PredictedField::Names(names),
        };
        let request = PredictionRequest {
            source: resolve_source(&store, source, run)?,
            field,
            run: self.run.choice(),
            as_of: self.as_of,
            as_stored: false,
            names: self.naming.policy(),
        };
        let report = load_prediction(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        for (request_name, match_name) in &report.inexact {
            note_inexact_match(request_name, match_name);
        }
        if self.pairs && report.pairs.is_empty() {
            let entrants = report.rows.len();
            anyhow::bail!(WrongUsage(format!(
                "{entrants} entrants have too many pairs: name at most {MAX_LISTED_FIELD}"
            )));
        }
        if self.pairs {
            global.print_rows(&report, &report.pairs, &PAIR_COLUMNS, || print_pairs(&report))?;
        } else {
            global.print_rows(&report, &report.rows, &COLUMNS, || print_prediction(&report))?;
        }
        global.note_run(&store, &request.run, &report.run, report.stale)?;
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 8] = [
    "name",
    "external_id",
    "mu",
    "sigma",
    "rated_before",
    "expected_place",
    "place",
    "status",
];

/// The columns of CSV with --pairs.
const PAIR_COLUMNS: [&str; 5] = ["first", "second", "above", "tied", "below"];

/// Splits off the source, if the first word names one of the database.
fn split_source(
    store: &Store,
    mut words: Vec<String>,
) -> anyhow::Result<(Option<SourceName>, Vec<String>)> {
    let names = store.source_names_in_use()?;
    let Some(first) = words.first() else {
        return Ok((None, words));
    };
    // Of several sources one must be named, so the first word is meant as its name.
    if names.contains(first) || (names.len() > 1 && words.len() > 1) {
        let source = SourceName::new(first.as_str());
        let source = source.map_err(|error| WrongUsage(error.to_string()))?;
        words.remove(0);
        return Ok((Some(source), words));
    }
    Ok((None, words))
}

fn print_prediction(report: &PredictionView) -> std::io::Result<()> {
    print_title(report)?;
    let decimals = report.decimals;
    let is_held = report.contest.is_some();
    TextTable::new(&report.rows)
        .right("expected place", |row| format!("{:.2}", row.expected_place))
        .important()
        .left("name", |row| row.competitor.name.clone())
        .right("mu", |row| format_points(row.mu, decimals))
        .right("sigma", |row| format_points(row.sigma, decimals))
        .right("place", |row| row.outcome.map_or_else(String::new, values::format_outcome))
        .only_if(is_held)
        .left("", |row| remark(row).to_owned())
        .print()?;
    if report.rows.len() <= MAX_PRINTED_FIELD {
        print_line("")?;
        print_pair_table(report)
    } else {
        print_note(&format!(
            "pairs are shown for at most {MAX_PRINTED_FIELD} entrants; --pairs lists those of up to \
             {MAX_LISTED_FIELD}"
        ));
        Ok(())
    }
}

fn print_pairs(report: &PredictionView) -> std::io::Result<()> {
    print_title(report)?;
    print_pair_table(report)
}

fn print_title(report: &PredictionView) -> std::io::Result<()> {
    let title = match &report.contest {
        Some(contest) => format!("{}, predicted", escape_name(&contest.name)),
        None => "prediction".to_owned(),
    };
    let before = report.before.map_or_else(String::new, |at| {
        let day = values::format_day(at);
        format!(", from contests that ended before {day}")
    });
    let run = describe_run(&report.run);
    let growth = describe_growth(report.sigma_as_of);
    print_line_with_names(&format!("{title} by run {run}{before}{growth}"))
}

/// Prints the pairs, the more likely winner first.
fn print_pair_table(report: &PredictionView) -> std::io::Result<()> {
    let competitors = report.rows.iter().map(|row| &row.competitor);
    let names_by_id: HashMap<&str, &str> = competitors
        .map(|label| (label.external_id.as_str(), label.name.as_str()))
        .collect();
    let name = |id: &str| (*names_by_id.get(id).unwrap_or(&"?")).to_owned();
    let percent = |probability: f64| format!("{:.1} %", 100.0 * probability);
    let can_tie = report.pairs.iter().any(|pair| pair.tied > 0.0);
    TextTable::new(&report.pairs)
        .left("first", |pair: &PredictedPair| name(&pair.first))
        .left("second", |pair| name(&pair.second))
        .right("first ahead", |pair| percent(pair.above))
        .important()
        .right("tie", |pair| percent(pair.tied))
        .only_if(can_tie)
        .right("second ahead", |pair| percent(pair.below))
        .print()
}

const fn remark(competitor: &PredictedCompetitor) -> &'static str {
    if competitor.rated_before {
        ""
    } else {
        "not rated before"
    }
}
