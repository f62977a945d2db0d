//! `ranklore player`

use clap::Args;
use ranklore_contest::{EntrantKind, SourceName, UnixSeconds};
use ranklore_replay::{
    PlayerContest, PlayerRequest, PlayerView as Report, RatingStep, RunStanding, load_player_view,
};
use ranklore_store::{RunId, Store};

use crate::commands::ratings::leaderboard::run_words;
use crate::completeness::arrived;
use crate::exit::Exit;
use crate::naming::{Naming, note_pseudonyms};
use crate::output::{
    Table, change, complain, complain_of_another, count, counted, in_quotes, list, name, points,
    say, say_facts, say_line, signed,
};
use crate::paging::Paging;
use crate::spark::spark_line;
use crate::{Global, words};

/// The largest width of the rating history, in columns.
const SPARK_WIDTH: usize = 60;

/// Show a competitor: rating, records, history
///
/// Lists the newest contest first. The name may differ in case, accents or a small typo. A merged
/// account leads to the account that it was merged into.
#[derive(Debug, Args)]
pub(crate) struct Player {
    /// Source of the competitor
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Handle or name
    #[arg(value_name = "NAME")]
    name: String,
    /// Run to show, by the id that rate and status print [default: the newest]
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
    /// Only competitors of this kind: person, team or couple
    #[arg(long, value_name = "KIND", value_parser = words::kind)]
    kind: Option<EntrantKind>,
    /// Show the state at the end of this day, or at this time
    #[arg(long, value_name = "DATE", value_parser = words::end_of_day_or_moment)]
    as_of: Option<UnixSeconds>,
    #[command(flatten)]
    naming: Naming,
    #[command(flatten)]
    paging: Paging,
}

impl Player {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let request = PlayerRequest {
            source: self.source,
            name: self.name,
            kind: self.kind,
            run: self.run.map(RunId::new),
            as_of: self.as_of,
            page: self.paging.page(),
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
            complain_of_another(&request.name, &found.name);
        }
        if found.competitor_id != competitor.competitor_id {
            let (account, name) = (in_quotes(&found.external_id), in_quotes(&competitor.name));
            complain(&format!("{account} counts as {name}"));
        }
        global.show(&report, || view.say())?;
        if report.stale {
            global.warn_stale(&report.run);
        }
        Ok(Exit::Done)
    }
}

struct View<'a> {
    report: &'a Report,
    paging: Paging,
}

impl View<'_> {
    fn say(&self) -> std::io::Result<()> {
        let report = self.report;
        let kind = match report.kind {
            EntrantKind::Person => String::new(),
            kind => format!(", a {}", kind.as_str()),
        };
        let title = format!(
            "{}{kind} of {}",
            name(&report.competitor.name),
            report.source
        );
        say_line(&title)?;
        say_facts(&self.facts())?;
        say("")?;
        if report.history.is_empty() && report.team_contests > 0 {
            let contests = counted(report.team_contests as u64, "contest");
            say(&format!(
                "{contests} in teams; this run rates teams, not their members"
            ))?;
        } else if report.history.is_empty() {
            say("no contests by then")?;
        } else if !report.rows.is_empty() {
            self.say_history()?;
        }
        self.paging.say_rest(report.total, report.rows.len())?;
        let elsewhere = report.standing.is_none() && !report.runs.is_empty();
        if report.runs.len() > 1 || elsewhere {
            say("\nall runs:")?;
            say_runs(&report.runs)?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let report = self.report;
        let competitor = &report.competitor;
        let mut facts = Vec::new();
        if competitor.external_id != competitor.name {
            facts.push(("id", name(&competitor.external_id)));
        }
        if !report.accounts.is_empty() {
            let ids = report.accounts.iter().map(|of| name(&of.external_id));
            facts.push(("merged", list(ids)));
        }
        if !report.names.is_empty() {
            let names = report.names.iter().map(|of| {
                let called = name(&of.name);
                match (words::day(of.first_seen_at), words::day(of.last_seen_at)) {
                    (from, to) if from == to => format!("{called} ({from})"),
                    (from, to) => format!("{called} ({from} to {to})"),
                }
            });
            facts.push(("names", list(names)));
        }
        facts.push(("run", run_words(&report.run)));
        let Some(standing) = &report.standing else {
            facts.push(("rating", "none in this run".to_owned()));
            return facts;
        };
        let row = &standing.row;
        let place = if standing.active {
            format!("{} of {} active", row.place, count(standing.among as u64))
        } else {
            format!("inactive since {}", words::day(row.last_contest_at))
        };
        let (rating, mu, sigma) = (row.conservative, row.mu, row.sigma);
        let rating = if report.k > 0.0 {
            format!("{rating:.0} = mu {mu:.0} − {}·sigma {sigma:.0}", report.k)
        } else {
            format!("{rating:.0} = mu")
        };
        facts.extend([("place", place), ("rating", rating)]);
        facts.extend(self.highlights());
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
            let (from, to) = (day(first), day(last));
            let contests = count(contests);
            facts.push(("contests", format!("{contests}, from {from} to {to}")));
        } else {
            facts.push(("contests", count(contests)));
        }
        let mut fact = |label, of: Option<&PlayerContest>, what: fn(&PlayerContest) -> String| {
            facts.extend(of.map(|of| {
                let (what, contest) = (what(of), name(&of.contest.name));
                (label, format!("{what} in \"{contest}\" on {}", day(of)))
            }));
        };
        let mu = |of: &PlayerContest| of.rating.map(|step| points(step.mu)).unwrap_or_default();
        let change = |of: &PlayerContest| {
            let change = of.rating.and_then(|step| step.change);
            change.map(signed).unwrap_or_default()
        };
        fact("highest mu", Some(&highlights.highest), mu);
        fact("lowest mu", Some(&highlights.lowest), mu);
        fact("best place", highlights.best_place.as_ref(), place);
        fact("worst place", highlights.worst_place.as_ref(), place);
        fact("largest gain", highlights.gain.as_ref(), change);
        fact("largest loss", highlights.loss.as_ref(), change);
        if rated.len() > 1 {
            let mus: Vec<f64> = rated.iter().map(|(_, step)| step.mu).collect();
            facts.push(("mu over time", spark_line(&mus, SPARK_WIDTH)));
        }
        facts
    }

    fn say_history(&self) -> std::io::Result<()> {
        let step = |of: &PlayerContest, cell: fn(&RatingStep) -> String| {
            of.rating.as_ref().map(cell).unwrap_or_default()
        };
        let performance = |of: &RatingStep| of.performance.map(points).unwrap_or_default();
        Table::new(&self.report.rows)
            .left("date", |of| day(of))
            .left("contest", |of| of.contest.name.clone())
            .right("place", |of| place(of))
            .right("performance", |of| step(of, performance))
            .right("mu", |of| step(of, |of| points(of.mu)))
            .right("change", |of| step(of, |of| change(of.change)))
            .right("sigma", |of| step(of, |of| points(of.sigma)))
            .left("", |of| self.remark(of))
            .say()
    }

    /// Returns the reason that a contest is not rated, the share that arrived if it is incomplete,
    /// the account if it is a merged one, and the team.
    fn remark(&self, of: &PlayerContest) -> String {
        let now = if of.rating.is_some() { "now " } else { "" };
        let why = of.unrated.map(|why| now.to_owned() + why.as_str());
        let completeness = of.contest.completeness.as_ref();
        let arrived = completeness
            .filter(|_| of.contest.is_incomplete())
            .map(arrived);
        let other = of.account.competitor_id != self.report.competitor.competitor_id;
        let account = other.then(|| format!("as {}", of.account.external_id));
        let team = of.team.as_ref().map(|team| format!("in {}", team.name));
        list([why, arrived, account, team].into_iter().flatten())
    }
}

fn day(of: &PlayerContest) -> String {
    of.contest.ends_at.map_or_else(String::new, words::day)
}

/// Returns `3 / 120`, or `dnf`.
fn place(of: &PlayerContest) -> String {
    let outcome = words::outcome(of.outcome);
    match of.outcome.place() {
        Some(_) => format!("{outcome} / {}", of.contest.entrants),
        None => outcome,
    }
}

fn say_runs(runs: &[RunStanding]) -> std::io::Result<()> {
    let settings = |of: &RunStanding| match list(&of.settings) {
        none if none.is_empty() => "defaults".to_owned(),
        settings => settings,
    };
    Table::new(runs)
        .right("run", |of| of.run.run_id.to_string())
        .left("system", |of| of.run.system.clone())
        .left("settings", settings)
        .right("rating", |of| points(of.conservative))
        .right("mu", |of| points(of.mu))
        .right("sigma", |of| points(of.sigma))
        .right("contests", |of| of.contests.to_string())
        .right("last change", |of| change(of.last_change))
        .say()
}
