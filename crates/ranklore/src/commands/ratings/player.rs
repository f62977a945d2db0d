//! `ranklore player`

use clap::Args;
use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_replay::{
    OpponentRecord, PlayerContest, PlayerGames, PlayerRequest, PlayerView as Report, RatingStep,
    RunStanding, load_player_view,
};
use ranklore_store::Store;

use crate::commands::ratings::games::{describe_games, format_expected, format_score};
use crate::commands::ratings::leaderboard::{
    describe_display, describe_provisional, format_rating,
};
use crate::commands::source_argument::resolve_source_before;
use crate::completeness::arrived;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, escape_name, format_change, format_count, format_plural, format_points,
    format_signed, join_words, line_width, note_inexact_match, output_format, print_facts,
    print_line, print_line_with_names, print_note, quote, sparkline,
};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// The largest width of the rating history, in columns.
const SPARK_WIDTH: usize = 60;

/// The columns before the rating history: its label and spaces.
const SPARK_LABEL: usize = 15;

/// Returns the width of the rating history that fits the terminal.
fn spark_width() -> usize {
    line_width().map_or(SPARK_WIDTH, |width| {
        SPARK_WIDTH.min(width.saturating_sub(SPARK_LABEL))
    })
}

/// Show a competitor: rating, records, history
///
/// Lists the newest contest first. The name may differ in case, accents or a small typo. A merged
/// account leads to the account that it was merged into.
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct PlayerArgs {
    /// Source of the competitor [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Handle or name
    #[arg(value_name = "NAME")]
    name: String,
    #[command(flatten)]
    run: RunArgs,
    /// Only competitors of this kind: person, team or couple
    #[arg(long, value_name = "KIND", value_parser = values::parse_kind)]
    kind: Option<EntrantKind>,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    /// Show sigma as stored after the last contest, without its growth since
    #[arg(long)]
    as_stored: bool,
    /// Opponents in games of two to list, or all [default: 10 in tables and Markdown, all in JSON]
    #[arg(long, value_name = "N", value_parser = parse_opponents)]
    opponents: Option<usize>,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

/// The default number of opponents in games.
const OPPONENTS: usize = 10;

/// Parses a number of opponents or `all`, for clap.
fn parse_opponents(word: &str) -> Result<usize, String> {
    match word {
        "all" => Ok(usize::MAX),
        number => number
            .parse()
            .map_err(|_| "expected a number or all".to_owned()),
    }
}

impl PlayerArgs {
    /// Returns the number of opponents in games to return.
    fn opponents(&self) -> usize {
        let format = output_format();
        let usual = if format.is_data() {
            usize::MAX
        } else {
            OPPONENTS
        };
        // Rows have no place for them.
        if format.has_rows_only() {
            0
        } else {
            self.opponents.unwrap_or(usual)
        }
    }

    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let opponents = self.opponents();
        let request = PlayerRequest {
            source: resolve_source_before(&store, self.source, &self.name, self.run.run.as_ref())?,
            name: self.name,
            kind: self.kind,
            run: self.run.choice(),
            as_of: self.as_of,
            as_stored: self.as_stored,
            page: self.paging.page(),
            opponents,
            names: self.naming.policy(),
        };
        let report = load_player_view(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        let view = View {
            report: &report,
            paging: self.paging,
        };
        let (found, competitor) = (&report.found, &report.competitor);
        if !report.exact {
            note_inexact_match(&request.name, &found.name);
        }
        if found.competitor_id != competitor.competitor_id {
            let (account, name) = (quote(&found.external_id), quote(&competitor.name));
            print_note(&format!("{account} counts as {name}"));
        }
        global.print_list(&report, &COLUMNS, || view.print())?;
        global.note_run(&store, &request.run, &report.run, report.stale)?;
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 18] = [
    "contest",
    "name",
    "ends_at",
    "entrants",
    "account",
    "team",
    "place",
    "status",
    "mu",
    "sigma",
    "performance",
    "change",
    "unrated",
    "completeness.items",
    "completeness.announced",
    "completeness.arrived",
    "completeness.fruitless_syncs",
    "completeness.incomplete",
];

struct View<'a> {
    report: &'a Report,
    paging: PagingArgs,
}

impl View<'_> {
    fn print(&self) -> std::io::Result<()> {
        let report = self.report;
        let kind = match report.kind {
            EntrantKind::Person => String::new(),
            kind => format!(", a {}", kind.as_str()),
        };
        let title = format!(
            "{}{kind} of {}",
            escape_name(&report.competitor.name),
            report.source
        );
        print_line_with_names(&title)?;
        print_facts(&self.facts())?;
        print_line("")?;
        if report.history.is_empty() && report.team_contests > 0 {
            let contests = format_plural(report.team_contests as u64, "contest");
            print_line(&format!(
                "{contests} in teams; this run rates teams, not their members"
            ))?;
        } else if report.history.is_empty() {
            print_line("no contests by then")?;
        } else if !report.rows.is_empty() {
            self.print_history()?;
        }
        self.paging.print_rest(report.total, report.rows.len())?;
        if let Some(games) = &report.games {
            print_opponents(games)?;
        }
        let elsewhere = report.standing.is_none() && !report.runs.is_empty();
        if report.runs.len() > 1 || elsewhere {
            print_line("\nall runs:")?;
            print_runs(&report.runs)?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let report = self.report;
        let competitor = &report.competitor;
        let mut facts = Vec::new();
        if competitor.external_id != competitor.name {
            facts.push(("id", escape_name(&competitor.external_id)));
        }
        if !report.accounts.is_empty() {
            let ids = report
                .accounts
                .iter()
                .map(|of| escape_name(&of.external_id));
            facts.push(("merged", join_words(ids)));
        }
        if !report.names.is_empty() {
            let names = report.names.iter().map(|of| {
                let called = escape_name(&of.name);
                match (
                    values::format_day(of.first_seen_at),
                    values::format_day(of.last_seen_at),
                ) {
                    (from, to) if from == to => format!("{called} ({from})"),
                    (from, to) => format!("{called} ({from} to {to})"),
                }
            });
            facts.push(("names", join_words(names)));
        }
        facts.push(("run", describe_run(&report.run)));
        let Some(standing) = &report.standing else {
            facts.push(("rating", "none in this run".to_owned()));
            facts.extend(self.games());
            return facts;
        };
        let row = &standing.row;
        let place = if standing.active {
            format!(
                "{} of {} active",
                row.place,
                format_count(standing.among as u64)
            )
        } else {
            format!("inactive since {}", values::format_day(row.last_contest_at))
        };
        let decimals = report.display.decimals;
        let provisional = if row.provisional {
            format!(
                "; provisional: {}",
                describe_provisional(&report.rule, decimals)
            )
        } else {
            String::new()
        };
        let rating = format!(
            "{} = {}{provisional}",
            format_rating(&report.display, row.rating, row.provisional),
            describe_display(&report.display)
        );
        facts.extend([("place", place), ("rating", rating)]);
        facts.extend(row.title.map(|title| ("title", title.to_owned())));
        if report.k > 0.0 {
            let numbers = [row.conservative, row.mu, row.sigma];
            let [conservative, mu, sigma] = numbers.map(|of| format_points(of, decimals));
            let k = report.k;
            let growth = report.sigma_as_of.map_or_else(String::new, |at| {
                let (day, stored) = (values::format_day(at), row.stored_sigma);
                let stored = format_points(stored, decimals);
                format!(" as of {day}; {stored} after the last contest")
            });
            let formula = format!("{conservative} = mu {mu} − {k}·sigma {sigma}{growth}");
            facts.push(("conservative", formula));
        }
        facts.extend(self.highlights());
        facts.extend(self.games());
        facts
    }

    fn games(&self) -> Vec<(&'static str, String)> {
        let Some(games) = &self.report.games else {
            return Vec::new();
        };
        let mut facts = describe_games(&games.record, &games.sides);
        facts.extend(games.best_win.as_ref().map(|win| {
            let opponent = escape_name(&win.opponent.name);
            let mu = format_points(win.opponent_mu, self.report.display.decimals);
            let contest = escape_name(&win.name);
            let day = win.ends_at.map_or_else(String::new, values::format_day);
            let win = format!("{opponent} with mu {mu} in \"{contest}\" on {day}");
            ("best win", win)
        }));
        facts
    }

    fn highlights(&self) -> Vec<(&'static str, String)> {
        let history = &self.report.history;
        let Some(highlights) = &self.report.highlights else {
            return Vec::new();
        };
        let rated: Vec<(&PlayerContest, &RatingStep)> = (history.iter())
            .filter_map(|of| Some((of, of.rating.as_ref()?)))
            .collect();
        let mut facts = Vec::new();
        // More than are listed if an account was split off since the run.
        let contests = (self.report.standing.as_ref())
            .map_or(rated.len() as u64, |of| u64::from(of.row.contests));
        if let [(first, _), .., (last, _)] = rated[..] {
            let (from, to) = (contest_day(first), contest_day(last));
            let contests = format_count(contests);
            facts.push(("contests", format!("{contests}, from {from} to {to}")));
        } else {
            facts.push(("contests", format_count(contests)));
        }
        let mut fact =
            |label, of: Option<&PlayerContest>, what: &dyn Fn(&PlayerContest) -> String| {
                facts.extend(of.map(|of| {
                    let (what, contest) = (what(of), escape_name(&of.contest.name));
                    (
                        label,
                        format!("{what} in \"{contest}\" on {}", contest_day(of)),
                    )
                }));
            };
        let decimals = self.report.display.decimals;
        let mu = |of: &PlayerContest| {
            of.rating
                .map(|step| format_points(step.mu, decimals))
                .unwrap_or_default()
        };
        let change = |of: &PlayerContest| {
            let change = of.rating.and_then(|step| step.change);
            change
                .map(|change| format_signed(change, decimals))
                .unwrap_or_default()
        };
        fact("highest mu", Some(&highlights.highest), &mu);
        fact("lowest mu", Some(&highlights.lowest), &mu);
        fact("best place", highlights.best_place.as_ref(), &format_place);
        fact(
            "worst place",
            highlights.worst_place.as_ref(),
            &format_place,
        );
        fact("largest gain", highlights.gain.as_ref(), &change);
        fact("largest loss", highlights.loss.as_ref(), &change);
        if rated.len() > 1 {
            let mus: Vec<f64> = rated.iter().map(|(_, step)| step.mu).collect();
            facts.push(("mu over time", sparkline(&mus, spark_width())));
        }
        facts
    }

    fn print_history(&self) -> std::io::Result<()> {
        let decimals = self.report.display.decimals;
        let points = move |of: &PlayerContest, number: fn(&RatingStep) -> Option<f64>| {
            let number = of.rating.as_ref().and_then(number);
            number.map_or_else(String::new, |of| format_points(of, decimals))
        };
        let change = |of: &PlayerContest| {
            let step = of.rating.as_ref();
            step.map_or_else(String::new, |of| format_change(of.change, decimals))
        };
        TextTable::new(&self.report.rows)
            .left("date", contest_day)
            .left("contest", |of| of.contest.name.clone())
            .right("place", format_place)
            .right("performance", |of| points(of, |of| of.performance))
            .only_if(self.report.has_performances())
            .right("mu", |of| points(of, |of| Some(of.mu)))
            .important()
            .right("change", change)
            .important()
            .right("sigma", |of| points(of, |of| Some(of.sigma)))
            .left("", |of| self.remark(of))
            .print()
    }

    /// Returns the reason that a contest is not rated, the share that arrived if it is incomplete,
    /// the account if it is a merged one, and the team.
    fn remark(&self, of: &PlayerContest) -> String {
        let now = if of.rating.is_some() { "now " } else { "" };
        let why = of.unrated.map(|why| now.to_owned() + why.as_str());
        let completeness = of.contest.completeness.as_ref();
        let arrived = completeness
            .filter(|_| of.contest.is_incomplete)
            .map(arrived);
        let other = of.account.competitor_id != self.report.competitor.competitor_id;
        let account = other.then(|| format!("as {}", of.account.external_id));
        let team = of.team.as_ref().map(|team| format!("in {}", team.name));
        join_words([why, arrived, account, team].into_iter().flatten())
    }
}

fn contest_day(of: &PlayerContest) -> String {
    of.contest
        .ends_at
        .map_or_else(String::new, values::format_day)
}

/// Returns `3 / 120`, or `dnf`.
fn format_place(of: &PlayerContest) -> String {
    let outcome = values::format_outcome(of.outcome);
    match of.outcome.place() {
        Some(_) => format!("{outcome} / {}", of.contest.entrants),
        None => outcome,
    }
}

fn print_opponents(games: &PlayerGames) -> std::io::Result<()> {
    if !games.opponents.is_empty() {
        print_line("\nopponents:")?;
        TextTable::new(&games.opponents)
            .left("name", |of: &OpponentRecord| of.opponent.name.clone())
            .right("games", |of| format_count(u64::from(of.record.games)))
            .important()
            .right("won", |of| format_count(u64::from(of.record.won)))
            .right("drawn", |of| format_count(u64::from(of.record.drawn)))
            .right("lost", |of| format_count(u64::from(of.record.lost)))
            .right("score", |of| format_score(of.record.score))
            .important()
            .right("expected", |of| format_expected(&of.record))
            .only_if(games.record.expected.is_some())
            .left("last game", |of| {
                of.last_game_at.map_or_else(String::new, values::format_day)
            })
            .print()?;
    }
    let more = games.opponents_total - games.opponents.len();
    if more > 0 {
        let plural = if more == 1 { "" } else { "s" };
        let more = format_count(more as u64);
        print_line(&format!("{more} more opponent{plural}: --opponents all"))?;
    }
    Ok(())
}

fn print_runs(runs: &[RunStanding]) -> std::io::Result<()> {
    let settings = |of: &RunStanding| match join_words(&of.settings) {
        none if none.is_empty() => "defaults".to_owned(),
        settings => settings,
    };
    let points = |of: &RunStanding, number| format_points(number, of.display.decimals);
    TextTable::new(runs)
        .right("run", |of| of.run.run_id.to_string())
        .left("system", |of| of.run.system.clone())
        .left("settings", settings)
        .important()
        .right("rating", |of| {
            format_rating(&of.display, of.rating, of.provisional)
        })
        .important()
        .right("conservative", |of| points(of, of.conservative))
        .right("mu", |of| points(of, of.mu))
        .right("sigma", |of| points(of, of.sigma))
        .right("contests", |of| of.contests.to_string())
        .right("last change", |of| {
            format_change(of.last_change, of.display.decimals)
        })
        .print()
}
