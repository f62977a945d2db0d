//! `ranklore versus`

use clap::Args;
use ranklore_contest::{ContestTime, Side, SourceName};
use ranklore_replay::{Meeting, Opponent, VersusRequest, VersusView, load_versus};
use ranklore_store::Store;

use crate::commands::ratings::games::describe_games;
use crate::commands::ratings::leaderboard::describe_growth;
use crate::commands::source_argument::resolve_source_before;
use crate::exit::{Exit, WrongUsage};
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, escape_name, format_plural, format_points, note_inexact_match, print_facts,
    print_line, print_line_with_names,
};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
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
    run: RunArgs,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    /// Use sigma as stored after the last contest, without its growth since
    #[arg(long)]
    as_stored: bool,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
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
            run: self.run.choice(),
            as_of: self.as_of,
            as_stored: self.as_stored,
            page: self.paging.page(),
            policy: self.naming.policy(),
        };
        let report = load_versus(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        for (wanted, found) in &report.inexact {
            note_inexact_match(wanted, found);
        }
        global.print_list(&report, &COLUMNS, || print_versus(&report, self.paging))?;
        if let Some(run) = &report.run {
            global.note_run(&store, &request.run, run, report.stale)?;
        }
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
const COLUMNS: [&str; 13] = [
    "contest",
    "name",
    "ends_at",
    "result",
    "expected",
    "first.side",
    "first.team",
    "first.mu",
    "first.rated_before",
    "second.side",
    "second.team",
    "second.mu",
    "second.rated_before",
];

/// Splits `[SOURCE] A B`.
fn split_source(words: Vec<String>) -> Result<(Option<SourceName>, [String; 2]), WrongUsage> {
    let words = match <[String; 2]>::try_from(words) {
        Ok(names) => return Ok((None, names)),
        Err(words) => words,
    };
    let [source, first, second] = <[String; 3]>::try_from(words).map_err(|words| {
        let given = words.len();
        let usage = "name two competitors, after the source if the database has several";
        WrongUsage(format!(
            "{usage}, not {}",
            format_plural(given as u64, "word")
        ))
    })?;
    let source = SourceName::new(&source).map_err(|error| WrongUsage(error.to_string()))?;
    Ok((Some(source), [first, second]))
}

fn print_versus(report: &VersusView, paging: PagingArgs) -> std::io::Result<()> {
    let [first, second] =
        [&report.first, &report.second].map(|of| escape_name(&of.competitor.name));
    let title = format!("{first} against {second} of {}", report.source);
    print_line_with_names(&title)?;
    let mut facts = Vec::new();
    facts.extend((report.run.as_ref()).map(|run| ("run", describe_run(run))));
    facts.extend(report.next.map(|next| {
        let percent = |of: f64| format!("{:.1} %", 100.0 * of);
        let draw = if next.draw > 0.0 {
            format!("draw {}, ", percent(next.draw))
        } else {
            String::new()
        };
        let (win, loss) = (percent(next.win), percent(next.loss));
        let growth = describe_growth(report.sigma_as_of);
        (
            "next game",
            format!(
                "{first} {win}, {draw}{second} {loss}; expected score {:.2}{growth}",
                next.expected
            ),
        )
    }));
    let [of_first, of_second] =
        [&report.first, &report.second].map(|of| describe_rating(of, report.decimals));
    let ratings = of_first.zip(of_second);
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
        print_meetings(report)?;
    }
    paging.print_rest(report.total, report.rows.len())
}

/// Returns `Ada mu 1590, sigma 133`, without sigma in systems that have none; `None` without a rating.
fn describe_rating(of: &Opponent, decimals: u8) -> Option<String> {
    let (name, mu) = (
        escape_name(&of.competitor.name),
        format_points(of.mu?, decimals),
    );
    let sigma = of.sigma.filter(|&sigma| sigma > 0.0);
    let sigma = sigma.map(|sigma| format!(", sigma {}", format_points(sigma, decimals)));
    let newcomer = if of.rated { "" } else { " (not rated before)" };
    Some(format!(
        "{name} mu {mu}{}{newcomer}",
        sigma.unwrap_or_default()
    ))
}

fn print_meetings(report: &VersusView) -> std::io::Result<()> {
    let rows = &report.rows;
    let points =
        |mu: Option<f64>| mu.map_or_else(String::new, |mu| format_points(mu, report.decimals));
    let any = |is_shown: fn(&Meeting) -> bool| rows.iter().any(is_shown);
    TextTable::new(rows)
        .left("date", |of| {
            of.ends_at.map_or_else(String::new, values::format_day)
        })
        .left("contest", |of: &Meeting| of.name.clone())
        .left("result", |of| of.result.as_str().to_owned())
        .important()
        .left("side", |of| {
            of.first.side.map_or("", Side::as_str).to_owned()
        })
        .only_if(any(|of| of.first.side.is_some()))
        .right("expected", |of| {
            of.expected
                .map_or_else(String::new, |of| format!("{of:.2}"))
        })
        .only_if(any(|of| of.expected.is_some()))
        .right("mu", |of| points(of.first.mu))
        .only_if(any(|of| of.first.mu.is_some()))
        .right("opponent mu", |of| points(of.second.mu))
        .only_if(any(|of| of.second.mu.is_some()))
        .left("", describe_teams)
        .only_if(any(|of| {
            of.first.team.is_some() || of.second.team.is_some()
        }))
        .print()
}

/// Returns the teams in which both were.
fn describe_teams(of: &Meeting) -> String {
    let [first, second] = [&of.first, &of.second].map(|of| of.team.as_ref().map(|of| &*of.name));
    match (first, second) {
        (None, None) => String::new(),
        (Some(team), None) => format!("in {team}"),
        (None, Some(team)) => format!("against {team}"),
        (Some(team), Some(other)) => format!("in {team} against {other}"),
    }
}
