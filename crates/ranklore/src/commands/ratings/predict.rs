//! `ranklore predict`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::RunChoice;
use ranklore_store::Store;
use ranklore_views::{
    List as _, MAX_LISTED_FIELD, PredictedField, PredictionRequest, PredictionView, load_prediction,
};

use crate::commands::ratings::leaderboard::describe_growth;
use crate::commands::source_argument::resolve_source;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    escape_name, note_inexact_match, print_line, print_line_with_names, print_note, print_table,
};
use crate::run_choice::describe_run;
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
    run: RunChoice,
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
            run: self.run,
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
            let pairs = &report.pairs;
            global.print_rows(&report, pairs, &pairs.columns().keys(), || print_pairs(&report))?;
        } else {
            global.print_view(&report, || print_prediction(&report))?;
        }
        global.note_run(&store, &request.run, &report.run, report.stale)?;
        Ok(Exit::Done)
    }
}

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
    print_table(report.columns(), &report.rows)?;
    if report.rows.len() <= MAX_PRINTED_FIELD {
        print_line("")?;
        print_table(report.pairs.columns(), &report.pairs)
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
    print_table(report.pairs.columns(), &report.pairs)
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
