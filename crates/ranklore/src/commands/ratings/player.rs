//! `ranklore player`

use clap::Args;
use ranklore_contest::{ContestTime, EntrantKind, SourceName};
use ranklore_replay::{
    OpponentRecord, PlayerContest, PlayerGames, PlayerRequest, PlayerStanding,
    PlayerView as Report, RatingStep, RunStanding, load_player_view,
};
use ranklore_store::Store;

use crate::commands::ratings::games::{describe_games, format_expected, format_score};
use crate::commands::ratings::leaderboard::{
    describe_display, describe_provisional, format_rating,
};
use crate::commands::source_argument::resolve_source_before;
use crate::completeness::describe_completeness;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    TextTable, escape_name, format_change, format_count, format_plural, format_points,
    format_signed, join_words, join_words_or, line_width, note_inexact_match, output_format,
    print_facts, print_line, print_line_with_names, print_note, quote, sparkline,
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
    line_width().map_or(SPARK_WIDTH, |width| SPARK_WIDTH.min(width.saturating_sub(SPARK_LABEL)))
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
        number => number.parse().map_err(|_| "expected a number or all".to_owned()),
    }
}

impl PlayerArgs {
    /// Returns the number of opponents in games to return.
    fn opponents(&self) -> usize {
        let format = output_format();
        let default_number = if format.is_data() {
            usize::MAX
        } else {
            OPPONENTS
        };
        // Rows of CSV have no place for opponents.
        if format.has_rows_only() {
            0
        } else {
            self.opponents.unwrap_or(default_number)
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
        let account = &report.found_account;
        let competitor = &report.competitor;
        if !report.exact {
            note_inexact_match(&request.name, &account.name);
        }
        // The name may be that of a merged account.
        if account.competitor_id != competitor.competitor_id {
            let name = quote(&competitor.name);
            print_note(&format!("{} counts as {name}", quote(&account.external_id)));
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

/// A label and its text.
type Fact = (&'static str, String);

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
        let name = escape_name(&report.competitor.name);
        print_line_with_names(&format!("{name}{kind} of {}", report.source))?;
        print_facts(&self.facts())?;
        print_line("")?;
        if report.history.is_empty() && report.team_contests > 0 {
            let contests = format_plural(report.team_contests as u64, "contest");
            print_line(&format!("{contests} in teams; this run rates teams, not their members"))?;
        } else if report.history.is_empty() {
            print_line("no contests by then")?;
        } else if !report.rows.is_empty() {
            self.print_history()?;
        }
        self.paging.print_rest(report.total, report.rows.len())?;
        if let Some(games) = &report.games {
            print_opponents(games)?;
        }
        // A single run is the one described above, unless that has no rating of the competitor.
        let is_only_elsewhere = report.standing.is_none() && !report.runs.is_empty();
        if report.runs.len() > 1 || is_only_elsewhere {
            print_line("\nall runs:")?;
            print_runs(&report.runs)?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<Fact> {
        let mut facts = self.describe_identity();
        facts.push(("run", describe_run(&self.report.run)));
        match &self.report.standing {
            None => facts.push(("rating", "none in this run".to_owned())),
            Some(standing) => {
                facts.extend(self.describe_standing(standing));
                facts.extend(self.describe_highlights());
            }
        }
        facts.extend(self.describe_games());
        facts
    }

    /// Describes the id, the merged accounts and the names.
    fn describe_identity(&self) -> Vec<Fact> {
        let report = self.report;
        let competitor = &report.competitor;
        let mut facts = Vec::new();
        if competitor.external_id != competitor.name {
            facts.push(("id", escape_name(&competitor.external_id)));
        }
        if !report.accounts.is_empty() {
            let accounts = report.accounts.iter();
            let ids = accounts.map(|account| escape_name(&account.external_id));
            facts.push(("merged", join_words(ids)));
        }
        if !report.names.is_empty() {
            let names = report.names.iter().map(|entry| {
                let name = escape_name(&entry.name);
                let first_day = values::format_day(entry.first_seen_at);
                let last_day = values::format_day(entry.last_seen_at);
                if first_day == last_day {
                    format!("{name} ({first_day})")
                } else {
                    format!("{name} ({first_day} to {last_day})")
                }
            });
            facts.push(("names", join_words(names)));
        }
        facts
    }

    /// Describes the place and the rating, and how the conservative rating follows from mu and sigma.
    fn describe_standing(&self, standing: &PlayerStanding) -> Vec<Fact> {
        let report = self.report;
        let row = &standing.row;
        let place = if standing.active {
            let number = format_count(standing.among as u64);
            format!("{} of {number} active", row.place)
        } else {
            format!("inactive since {}", values::format_day(row.last_contest_at))
        };
        let decimals = report.display.decimals;
        let provisional = if row.provisional {
            let rule = describe_provisional(&report.rule, decimals);
            format!("; provisional: {rule}")
        } else {
            String::new()
        };
        let rating = format_rating(&report.display, row.rating, row.provisional);
        let formula = describe_display(&report.display);
        let rating = format!("{rating} = {formula}{provisional}");
        let mut facts = vec![("place", place), ("rating", rating)];
        facts.extend(row.title.map(|title| ("title", title.to_owned())));
        if report.k > 0.0 {
            let numbers = [row.conservative, row.mu, row.sigma];
            let [conservative, mu, sigma] = numbers.map(|number| format_points(number, decimals));
            let k = report.k;
            let growth = report.sigma_as_of.map_or_else(String::new, |at| {
                let day = values::format_day(at);
                let stored = format_points(row.stored_sigma, decimals);
                format!(" as of {day}; {stored} after the last contest")
            });
            let text = format!("{conservative} = mu {mu} − {k}·sigma {sigma}{growth}");
            facts.push(("conservative", text));
        }
        facts
    }

    fn describe_games(&self) -> Vec<Fact> {
        let Some(games) = &self.report.games else {
            return Vec::new();
        };
        let mut facts = describe_games(&games.record, &games.sides);
        facts.extend(games.best_win.as_ref().map(|win| {
            let opponent = escape_name(&win.opponent.name);
            let mu = format_points(win.opponent_mu, self.report.display.decimals);
            let contest = escape_name(&win.name);
            let day = win.ends_at.map_or_else(String::new, values::format_day);
            let text = format!("{opponent} with mu {mu} in \"{contest}\" on {day}");
            ("best win", text)
        }));
        facts
    }

    fn describe_highlights(&self) -> Vec<Fact> {
        let Some(highlights) = &self.report.highlights else {
            return Vec::new();
        };
        let history = self.report.history.iter();
        let rated: Vec<(&PlayerContest, &RatingStep)> = history
            .filter_map(|contest| Some((contest, contest.rating.as_ref()?)))
            .collect();
        let mut facts = Vec::new();
        // More than are listed if an account was split off since the run.
        let standing = self.report.standing.as_ref();
        let count =
            standing.map_or(rated.len() as u64, |standing| u64::from(standing.row.contests));
        let period = match rated[..] {
            [(first, _), .., (last, _)] => {
                format!(", from {} to {}", contest_day(first), contest_day(last))
            }
            _ => String::new(),
        };
        facts.push(("contests", format_count(count) + &period));
        let decimals = self.report.display.decimals;
        let format_mu = |row: &PlayerContest| {
            let mu = row.rating.map(|step| format_points(step.mu, decimals));
            mu.unwrap_or_default()
        };
        let format_gain = |row: &PlayerContest| {
            let change = row.rating.and_then(|step| step.change);
            change.map_or_else(String::new, |change| format_signed(change, decimals))
        };
        let best_place = highlights.best_place.as_ref();
        let worst_place = highlights.worst_place.as_ref();
        let highlights = [
            describe_highlight("highest mu", Some(&highlights.highest), format_mu),
            describe_highlight("lowest mu", Some(&highlights.lowest), format_mu),
            describe_highlight("best place", best_place, format_place),
            describe_highlight("worst place", worst_place, format_place),
            describe_highlight("largest gain", highlights.gain.as_ref(), format_gain),
            describe_highlight("largest loss", highlights.loss.as_ref(), format_gain),
        ];
        facts.extend(highlights.into_iter().flatten());
        if rated.len() > 1 {
            let mus: Vec<f64> = rated.iter().map(|(_, step)| step.mu).collect();
            facts.push(("mu over time", sparkline(&mus, spark_width())));
        }
        facts
    }

    fn print_history(&self) -> std::io::Result<()> {
        let decimals = self.report.display.decimals;
        let points = |row: &PlayerContest, select: fn(&RatingStep) -> Option<f64>| {
            let number = row.rating.as_ref().and_then(select);
            number.map_or_else(String::new, |number| format_points(number, decimals))
        };
        TextTable::new(&self.report.rows)
            .left("date", contest_day)
            .left("contest", |row| row.contest.name.clone())
            .right("place", format_place)
            .right("performance", |row| points(row, |row| row.performance))
            .only_if(self.report.has_performances())
            .right("mu", |row| points(row, |row| Some(row.mu)))
            .important()
            .right("change", |row| {
                let step = row.rating.as_ref();
                step.map_or_else(String::new, |step| format_change(step.change, decimals))
            })
            .important()
            .right("sigma", |row| points(row, |row| Some(row.sigma)))
            .left("", |row| self.remark(row))
            .print()
    }

    /// Returns the reason that a contest is not rated, the share that arrived if it is incomplete,
    /// the account if it is a merged one, and the team.
    fn remark(&self, row: &PlayerContest) -> String {
        let prefix = if row.rating.is_some() { "now " } else { "" };
        let reason = row.unrated.map(|reason| prefix.to_owned() + reason.as_str());
        let completeness = row.contest.completeness.as_ref();
        let arrived = completeness.filter(|_| row.contest.is_incomplete).map(describe_completeness);
        let is_merged = row.account.competitor_id != self.report.competitor.competitor_id;
        let account = is_merged.then(|| format!("as {}", row.account.external_id));
        let team = row.team.as_ref().map(|team| format!("in {}", team.name));
        join_words([reason, arrived, account, team].into_iter().flatten())
    }
}

/// Describes a value in a contest of the history, and the contest.
fn describe_highlight(
    label: &'static str,
    row: Option<&PlayerContest>,
    format: impl Fn(&PlayerContest) -> String,
) -> Option<Fact> {
    let row = row?;
    let contest = escape_name(&row.contest.name);
    let text = format!("{} in \"{contest}\" on {}", format(row), contest_day(row));
    Some((label, text))
}

fn contest_day(row: &PlayerContest) -> String {
    let day = row.contest.ends_at.map(values::format_day);
    day.unwrap_or_default()
}

/// Returns `3 / 120`, or `dnf`.
fn format_place(row: &PlayerContest) -> String {
    let outcome = values::format_outcome(row.outcome);
    match row.outcome.place() {
        Some(_) => format!("{outcome} / {}", row.contest.entrants),
        None => outcome,
    }
}

fn print_opponents(games: &PlayerGames) -> std::io::Result<()> {
    if !games.opponents.is_empty() {
        print_line("\nopponents:")?;
        TextTable::new(&games.opponents)
            .left("name", |opponent: &OpponentRecord| opponent.opponent.name.clone())
            .right("games", |row| format_count(u64::from(row.record.games)))
            .important()
            .right("won", |row| format_count(u64::from(row.record.won)))
            .right("drawn", |row| format_count(u64::from(row.record.drawn)))
            .right("lost", |row| format_count(u64::from(row.record.lost)))
            .right("score", |opponent| format_score(opponent.record.score))
            .important()
            .right("expected", |opponent| format_expected(&opponent.record))
            .only_if(games.record.expected.is_some())
            .left("last game", |row| row.last_game_at.map(values::format_day).unwrap_or_default())
            .print()?;
    }
    let rest = games.opponents_total - games.opponents.len();
    if rest > 0 {
        let plural = if rest == 1 { "" } else { "s" };
        let rest = format_count(rest as u64);
        print_line(&format!("{rest} more opponent{plural}: --opponents all"))?;
    }
    Ok(())
}

fn print_runs(runs: &[RunStanding]) -> std::io::Result<()> {
    let points = |row: &RunStanding, number| format_points(number, row.display.decimals);
    TextTable::new(runs)
        .right("run", |row| row.run.run_id.to_string())
        .left("system", |row| row.run.system.clone())
        .left("settings", |row| join_words_or(&row.settings, "defaults"))
        .important()
        .right("rating", |row| format_rating(&row.display, row.rating, row.provisional))
        .important()
        .right("conservative", |row| points(row, row.conservative))
        .right("mu", |row| points(row, row.mu))
        .right("sigma", |row| points(row, row.sigma))
        .right("contests", |row| row.contests.to_string())
        .right("last change", |row| format_change(row.last_change, row.display.decimals))
        .print()
}
