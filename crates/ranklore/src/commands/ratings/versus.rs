//! `ranklore versus`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::RunChoice;
use ranklore_store::Store;
use ranklore_views::{List as _, Opponent, Page, VersusRequest, VersusView, load_versus};

use crate::commands::ratings::games::describe_games;
use crate::commands::ratings::leaderboard::describe_growth;
use crate::commands::source_argument::resolve_source_before;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    escape_name, format_plural, format_points, note_inexact_match, print_facts, print_line,
    print_line_with_names, print_table,
};
use crate::paging::{print_rest, shown_page};
use crate::run_choice::describe_run;
use crate::{GlobalArgs, values};

/// Compare two competitors: their games, and the chances of the next one
///
/// Shows the record of A against B in contests of two entrants, the score that the ratings expected,
/// and the chances of the next game as ranklore predict. Lists the newest game first. In a run of
/// team members, games between the teams of A and B count.
#[derive(Debug, Args)]
#[command(override_usage = "ranklore versus [OPTIONS] [SOURCE] A B")]
pub(crate) struct VersusArgs {
    /// Source [default: the only one of the database], and the handles or names of two competitors
    #[arg(value_name = "SOURCE A B", required = true)]
    words: Vec<String>,
    #[command(flatten)]
    run: RunChoice,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    /// Use sigma as stored after the last contest, without its growth since
    #[arg(long)]
    as_stored: bool,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: Page,
}

impl VersusArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let (source, names) = split_source(self.words)?;
        let request = VersusRequest {
            source: resolve_source_before(&store, source, &names[0], self.run.run.as_ref())?,
            names,
            run: self.run,
            as_of: self.as_of,
            as_stored: self.as_stored,
            page: shown_page(self.paging),
            policy: self.naming.policy(),
        };
        let report = load_versus(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        for (request_name, match_name) in &report.inexact {
            note_inexact_match(request_name, match_name);
        }
        global.print_view(&report, || print_versus(&report))?;
        if let Some(run) = &report.run {
            global.note_run(&store, &request.run, run, report.stale)?;
        }
        Ok(Exit::Done)
    }
}

/// Splits `[SOURCE] A B`.
fn split_source(words: Vec<String>) -> Result<(Option<SourceName>, [String; 2]), WrongUsage> {
    let words = match <[String; 2]>::try_from(words) {
        Ok(names) => return Ok((None, names)),
        Err(words) => words,
    };
    let [source, first, second] = <[String; 3]>::try_from(words).map_err(|words| {
        let number = format_plural(words.len() as u64, "word");
        let usage = "name two competitors, after the source if the database has several";
        WrongUsage(format!("{usage}, not {number}"))
    })?;
    let source = SourceName::new(&source).map_err(|error| WrongUsage(error.to_string()))?;
    Ok((Some(source), [first, second]))
}

fn print_versus(report: &VersusView) -> std::io::Result<()> {
    let [first, second] =
        [&report.first, &report.second].map(|opponent| escape_name(&opponent.competitor.name));
    let title = format!("{first} against {second} of {}", report.source);
    print_line_with_names(&title)?;
    let mut facts = Vec::new();
    facts.extend(report.run.as_ref().map(|run| ("run", describe_run(run))));
    facts.extend(report.next.map(|next| {
        let [win, draw, loss] =
            [next.win, next.draw, next.loss].map(|share| format!("{:.1} %", 100.0 * share));
        let draw = if next.draw > 0.0 {
            format!("draw {draw}, ")
        } else {
            String::new()
        };
        let growth = describe_growth(report.sigma_as_of);
        let score = next.expected;
        let chances = format!("{first} {win}, {draw}{second} {loss}");
        ("next game", format!("{chances}; expected score {score:.2}{growth}"))
    }));
    let [first_rating, second_rating] =
        [&report.first, &report.second].map(|opponent| describe_rating(opponent, report.decimals));
    let ratings = first_rating.zip(second_rating);
    facts.extend(ratings.map(|(first, second)| ("ratings", format!("{first}; {second}"))));
    if report.total > 0 {
        facts.extend(describe_games(&report.record, &report.sides));
    }
    print_facts(&facts)?;
    print_line("")?;
    if report.total == 0 {
        return print_line("no games between them");
    }
    if !report.rows.is_empty() {
        print_table(report.columns(), &report.rows)?;
    }
    print_rest(report.extent())
}

/// Returns `Ada mu 1590, sigma 133`, without sigma in systems that have none; `None` without a rating.
fn describe_rating(opponent: &Opponent, decimals: u8) -> Option<String> {
    let name = escape_name(&opponent.competitor.name);
    let mu = format_points(opponent.mu?, decimals);
    let sigma = match opponent.sigma {
        Some(sigma) if sigma > 0.0 => format!(", sigma {}", format_points(sigma, decimals)),
        _ => String::new(),
    };
    let newcomer = if opponent.rated {
        ""
    } else {
        " (not rated before)"
    };
    Some(format!("{name} mu {mu}{sigma}{newcomer}"))
}
