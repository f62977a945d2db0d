//! `ranklore player`

use clap::Args;
use ranklore_contest::{EntrantKind, SourceName};
use ranklore_store::Store;
use ranklore_views::{
    List as _, PlayerContest, PlayerGames, PlayerRequest, PlayerStanding, PlayerView as Report,
    RatingStep, load_player_view,
};

use crate::commands::ratings::games::describe_games;
use crate::commands::ratings::leaderboard::{describe_display, describe_provisional};
use crate::commands::source_argument::resolve_source_before;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::output::{
    escape_name, format_count, format_plural, format_points, format_rating, format_signed,
    join_words, line_width, note_inexact_match, output_format, print_facts, print_line,
    print_line_with_names, print_note, print_table, quote, sparkline,
};
use crate::paging::{print_rest, shown_page};
use crate::run_choice::describe_run;
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
    request: PlayerRequest,
    #[command(flatten)]
    naming: NamingArgs,
}

/// The default number of opponents in games.
const OPPONENTS: usize = 10;

/// Returns the number of opponents in games to return.
fn count_opponents(request: &PlayerRequest) -> Option<usize> {
    let format = output_format();
    // Rows of CSV have no place for opponents.
    if format.has_rows_only() {
        Some(0)
    } else if format.is_data() {
        request.opponents
    } else {
        request.opponents.or(Some(OPPONENTS))
    }
}

impl PlayerArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let name = self.name;
        let mut request = self.request;
        let run = request.run.run.as_ref();
        let source = resolve_source_before(&store, self.source, &name, run)?;
        request.opponents = count_opponents(&request);
        request.page = shown_page(request.page);
        request.names = self.naming.policy();
        let report = load_player_view(&store, &source, &name, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        let account = &report.found_account;
        let competitor = &report.competitor;
        if !report.exact {
            note_inexact_match(&name, &account.name);
        }
        // The name may be that of a merged account.
        if account.competitor_id != competitor.competitor_id {
            let name = quote(&competitor.name);
            print_note(&format!("{} counts as {name}", quote(&account.external_id)));
        }
        global.print_view(&report, || print_player(&report))?;
        global.note_run(&store, &request.run, &report.run, report.stale)?;
        Ok(Exit::Done)
    }
}

/// A label and its text.
type Fact = (&'static str, String);

fn print_player(report: &Report) -> std::io::Result<()> {
    let kind = match report.kind {
        EntrantKind::Person => String::new(),
        kind => format!(", a {}", kind.as_str()),
    };
    let name = escape_name(&report.competitor.name);
    print_line_with_names(&format!("{name}{kind} of {}", report.source))?;
    print_facts(&list_facts(report))?;
    print_line("")?;
    if report.history.is_empty() && report.team_contests > 0 {
        let contests = format_plural(report.team_contests as u64, "contest");
        print_line(&format!("{contests} in teams; this run rates teams, not their members"))?;
    } else if report.history.is_empty() {
        print_line("no contests by then")?;
    } else if !report.rows.is_empty() {
        print_table(report.columns(), &report.rows)?;
    }
    print_rest(report.extent())?;
    if let Some(games) = &report.games {
        print_opponents(games)?;
    }
    // A single run is the one described above, unless that has no rating of the competitor.
    let is_only_elsewhere = report.standing.is_none() && !report.runs.is_empty();
    if report.runs.len() > 1 || is_only_elsewhere {
        print_line("\nall runs:")?;
        print_table(report.runs.columns(), &report.runs)?;
    }
    Ok(())
}

fn list_facts(report: &Report) -> Vec<Fact> {
    let mut facts = describe_identity(report);
    facts.push(("run", describe_run(&report.run)));
    match &report.standing {
        None => facts.push(("rating", "none in this run".to_owned())),
        Some(standing) => {
            facts.extend(describe_standing(report, standing));
            facts.extend(describe_highlights(report));
        }
    }
    facts.extend(describe_record(report));
    facts
}

/// Describes the id, the merged accounts and the names.
fn describe_identity(report: &Report) -> Vec<Fact> {
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
fn describe_standing(report: &Report, standing: &PlayerStanding) -> Vec<Fact> {
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

fn describe_record(report: &Report) -> Vec<Fact> {
    let Some(games) = &report.games else {
        return Vec::new();
    };
    let mut facts = describe_games(&games.record, &games.sides);
    facts.extend(games.best_win.as_ref().map(|win| {
        let opponent = escape_name(&win.opponent.name);
        let mu = format_points(win.opponent_mu, report.display.decimals);
        let contest = escape_name(&win.name);
        let day = win.ends_at.map_or_else(String::new, values::format_day);
        let text = format!("{opponent} with mu {mu} in \"{contest}\" on {day}");
        ("best win", text)
    }));
    facts
}

fn describe_highlights(report: &Report) -> Vec<Fact> {
    let Some(highlights) = &report.highlights else {
        return Vec::new();
    };
    let history = report.history.iter();
    let rated: Vec<(&PlayerContest, &RatingStep)> = history
        .filter_map(|contest| Some((contest, contest.rating.as_ref()?)))
        .collect();
    let mut facts = Vec::new();
    // More than are listed if an account was split off since the run.
    let standing = report.standing.as_ref();
    let count = standing.map_or(rated.len() as u64, |standing| u64::from(standing.row.contests));
    let period = match rated[..] {
        [(first, _), .., (last, _)] => {
            format!(", from {} to {}", contest_day(first), contest_day(last))
        }
        _ => String::new(),
    };
    facts.push(("contests", format_count(count) + &period));
    let decimals = report.display.decimals;
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
        describe_highlight("best place", best_place, PlayerContest::place),
        describe_highlight("worst place", worst_place, PlayerContest::place),
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

fn print_opponents(games: &PlayerGames) -> std::io::Result<()> {
    if !games.opponents.is_empty() {
        print_line("\nopponents:")?;
        print_table(games.columns(), &games.opponents)?;
    }
    let rest = games.opponents_total - games.opponents.len();
    if rest > 0 {
        let plural = if rest == 1 { "" } else { "s" };
        let rest = format_count(rest as u64);
        print_line(&format!("{rest} more opponent{plural}: --opponents all"))?;
    }
    Ok(())
}
