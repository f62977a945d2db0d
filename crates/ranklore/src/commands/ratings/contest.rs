//! `ranklore contest`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    ContestEntry, ContestRequest, ContestView, UnratedReason, Upset, find_display,
    load_contest_view,
};
use ranklore_store::{CompetitorId, ContestState, Store};

use crate::commands::source_argument::resolve_source_before;
use crate::completeness::describe_completeness;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::next_command::contest_advice;
use crate::output::{
    TextTable, escape_name, format_change, format_count, format_points, join_words,
    note_inexact_match, print_facts, print_line, print_line_with_names,
};
use crate::paging::PagingArgs;
use crate::run_choice::{RunArgs, describe_run};
use crate::{GlobalArgs, values};

/// Show a contest: standings, predictions, rating changes
///
/// The predicted place follows from the ratings before the contest, among the entrants who were
/// rated before. The largest upsets are listed below the standings. The name may differ in case,
/// accents or a small typo.
#[derive(Debug, Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct ContestArgs {
    /// Source of the contest [default: the only one of the database]
    #[arg(value_name = "SOURCE", value_parser = values::parse_source)]
    source: Option<SourceName>,
    /// Contest id or name
    #[arg(value_name = "CONTEST")]
    contest: String,
    #[command(flatten)]
    run: RunArgs,
    /// Fail if the contest ended after this day or time
    #[arg(long, value_name = "DATE", value_parser = values::parse_end_time)]
    as_of: Option<ContestTime>,
    #[command(flatten)]
    naming: NamingArgs,
    #[command(flatten)]
    paging: PagingArgs,
}

impl ContestArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let request = ContestRequest {
            source: resolve_source_before(
                &store,
                self.source,
                &self.contest,
                self.run.run.as_ref(),
            )?,
            contest: self.contest,
            run: self.run.choice(),
            as_of: self.as_of,
            page: self.paging.page(),
            names: self.naming.policy(),
        };
        let report = load_contest_view(&store, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        let view = View {
            report: &report,
            paging: self.paging,
            command: report.unrated.and_then(|reason| {
                contest_advice(&report.contest, report.run.as_ref(), reason, |command| {
                    global.with_db(command)
                })
            }),
        };
        // A contest is found by its id or its name.
        let contest = &report.contest;
        if contest.external_id != request.contest && contest.name != request.contest {
            note_inexact_match(&request.contest, &contest.name);
        }
        global.print_list(&report, &COLUMNS, || view.print())?;
        if let Some(run) = &report.run {
            global.note_run(&store, &request.run, run, report.stale)?;
        }
        Ok(Exit::Done)
    }
}

/// The columns of CSV.
pub(crate) const COLUMNS: [&str; 15] = [
    "place",
    "status",
    "name",
    "external_id",
    "kind",
    "counts_as",
    "counted",
    "counts_in",
    "predicted",
    "mu_before",
    "mu",
    "sigma",
    "change",
    "performance",
    "members",
];

struct View<'a> {
    report: &'a ContestView,
    paging: PagingArgs,
    /// The command that rates the contest.
    command: Option<String>,
}

/// A line of the standings: a row, or a member of the team in a row.
type StandingsLine<'a> = (&'a ContestEntry, Option<&'a ContestEntry>);

impl View<'_> {
    /// Returns the name of a competitor in the rows or upsets.
    fn name(&self, id: CompetitorId) -> &str {
        let label = self.report.rows.labels.get(&id);
        label.map_or("?", |label| &label.name)
    }

    fn print(&self) -> std::io::Result<()> {
        let report = self.report;
        let name = escape_name(&report.contest.name);
        print_line_with_names(&format!("{}: {name}", report.contest.source))?;
        print_facts(&self.facts())?;
        print_line("")?;
        if report.total == 0 {
            print_line("no standings yet")?;
        } else if !report.rows.entries.is_empty() {
            self.print_standings()?;
        }
        self.paging.print_rest(report.total, report.rows.entries.len())?;
        let upsets = &report.upsets;
        self.print_upsets("better than predicted", &upsets.above, "ahead of", "higher")?;
        self.print_upsets("worse than predicted", &upsets.below, "behind", "lower")?;
        self.print_past_winners()
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let report = self.report;
        let contest = &report.contest;
        let mut facts = vec![("id", escape_name(&contest.external_id))];
        facts.extend(contest.ends_at.map(|at| ("date", values::format_day(at))));
        let division = contest.division.as_deref();
        facts.extend(division.map(|name| ("division", escape_name(name))));
        let withdrawal = contest
            .withdrawn_at
            .map_or_else(String::new, |at| format!(", withdrawn on {}", values::format_day(at)));
        let state = contest.state.as_str().to_owned();
        facts.push(("state", state + &withdrawal));
        let completeness = contest.completeness.as_ref();
        let incomplete = completeness.filter(|_| contest.is_incomplete());
        facts.extend(incomplete.map(|c| ("incomplete", describe_completeness(c))));
        facts.push(("weight", contest.weight.to_string()));
        let site_weight = contest.site_weight;
        facts.extend(site_weight.map(|weight| ("site weight", weight.to_string())));
        let entrants = format_count(u64::from(contest.entrants));
        let rated_before = match report.rated_before {
            _ if report.run.is_none() || report.total == 0 => String::new(),
            0 => ", none of them rated before".to_owned(),
            count => format!(", {} of them rated before", format_count(count as u64)),
        };
        facts.push(("entrants", entrants + &rated_before));
        facts.push(("revision", contest.revision.to_string()));
        facts.extend(contest.url.as_deref().map(|url| ("url", escape_name(url))));
        facts.push(("run", self.describe_run_state()));
        if let Some(probability) = report.result_probability {
            let percent = 100.0 * probability;
            facts.push(("result", format!("expected with {percent:.1} %")));
        }
        if let (Some(pairs), Some(deviation)) = (report.concordance, report.rank_deviation) {
            facts.push((
                "prediction",
                format!("concordance {pairs:.1} %, rank deviation {deviation:.1} %"),
            ));
        }
        facts
    }

    fn describe_run_state(&self) -> String {
        let report = self.report;
        let run = report.run.as_ref();
        let run = run.map_or_else(|| "none".to_owned(), describe_run);
        let reason = report.unrated.map(|reason| match reason {
            // The run is older than the exclusion.
            _ if report.is_rated => format!("; now {}", reason.as_str()),
            UnratedReason::NotYet => format!("; {}", reason.as_str()),
            UnratedReason::UnratedBySource | UnratedReason::State(ContestState::Unrated) => {
                "; unrated by its source".to_owned()
            }
            _ => format!("; not rated: {}", reason.as_str()),
        });
        let advice = self.command.as_ref().map(|command| format!("; {command}"));
        run + &reason.unwrap_or_default() + &advice.unwrap_or_default()
    }

    fn print_standings(&self) -> std::io::Result<()> {
        let entries = self.report.rows.entries.iter();
        let lines = entries.flat_map(|entry| {
            let members = entry.members.iter().map(move |m| (m, Some(entry)));
            std::iter::once((entry, None)).chain(members)
        });
        let lines: Vec<StandingsLine<'_>> = lines.collect();
        let run = self.report.run.as_ref();
        let decimals = run.map_or(0, |run| find_display(run).decimals);
        let points = |number: Option<f64>| {
            number.map_or_else(String::new, |number| format_points(number, decimals))
        };
        // Columns without values are left out.
        let has_run = self.report.run.is_some();
        let is_rated = has_run && self.report.is_rated;
        TextTable::new(&lines)
            .right("place", |(entry, team)| match team {
                None => values::format_outcome(entry.outcome),
                Some(_) => String::new(),
            })
            .left("name", |(entry, team)| {
                team.map_or("", |_| "  ").to_owned() + self.name(entry.competitor_id)
            })
            .right("predicted", |(entry, _)| format_predicted(entry))
            .only_if(has_run)
            .right("mu before", |(entry, _)| points(entry.mu_before))
            .only_if(has_run)
            .right("mu", |(entry, _)| points(entry.mu()))
            .important()
            .only_if(is_rated)
            .right("change", |(entry, _)| format_rating_change(entry, decimals))
            .important()
            .only_if(is_rated)
            .right("performance", |(entry, _)| {
                points(entry.after.and_then(|after| after.performance))
            })
            .only_if(is_rated && self.report.rows.has_performances())
            .left("", |(entry, team)| self.remark(entry, *team))
            .print()
    }

    /// Returns the row and the name under which a competitor counts, if not those of this row.
    fn remark(&self, entry: &ContestEntry, team: Option<&ContestEntry>) -> String {
        let counts_as = self.name(entry.counts_as);
        let is_merged = entry.counts_as != entry.competitor_id;
        if entry.counted && entry.members.is_empty() && is_merged {
            return format!("counts as {counts_as}");
        } else if entry.counted {
            return String::new();
        } else if !entry.members.is_empty() {
            return "all members count elsewhere".to_owned();
        }
        match team {
            Some(team) if team.competitor_id == entry.counts_in => "listed twice".to_owned(),
            _ if entry.counts_in_team => format!("counts in {}", self.name(entry.counts_in)),
            Some(_) => "counts alone".to_owned(),
            None if is_merged => format!("{counts_as} did better, which counts"),
            None => "another account did better, which counts".to_owned(),
        }
    }

    fn print_upsets(
        &self,
        title: &str,
        upsets: &[Upset],
        relation: &str,
        strength: &str,
    ) -> std::io::Result<()> {
        if upsets.is_empty() {
            return Ok(());
        }
        let count = format_count(self.report.rated_before as u64);
        print_line(&format!("\n{title}, among the {count} rated before:"))?;
        for upset in upsets {
            let outcome = match upset.status {
                None => format!("came {}", values::format_ordinal(upset.place)),
                Some("dq") => "was disqualified".to_owned(),
                Some(_) => "did not finish".to_owned(),
            };
            let rivals = format_count(u64::from(upset.rivals));
            let reversed = format_count(u64::from(upset.reversed));
            let opponents = if upset.reversed == upset.rivals {
                format!("all {rivals}")
            } else {
                format!("{reversed} of the {rivals}")
            };
            let name = escape_name(upset.competitor.as_ref().map_or("?", |label| &label.name));
            let predicted = values::format_ordinal(upset.predicted);
            print_line_with_names(&format!(
                "  {name} {outcome}, predicted {predicted}: {relation} {opponents} rated {strength}"
            ))?;
        }
        Ok(())
    }

    fn print_past_winners(&self) -> std::io::Result<()> {
        let past_contests = &self.report.past_winners;
        if past_contests.is_empty() {
            return Ok(());
        }
        print_line("\npast winners:")?;
        for contest in past_contests {
            let day = contest.ends_at.map_or_else(String::new, values::format_day);
            let name = escape_name(&contest.name);
            let winners = join_words(contest.winners.iter().map(|label| escape_name(&label.name)));
            print_line_with_names(&format!("  {day}  {name}: {winners}"))?;
        }
        Ok(())
    }
}

fn format_predicted(entry: &ContestEntry) -> String {
    match entry.predicted {
        Some(place) => place.to_string(),
        // A team rated by its members has a prediction per member.
        None if entry.counted && !entry.rated_before && entry.members.is_empty() => {
            "new".to_owned()
        }
        None => String::new(),
    }
}

/// Returns the rating change; empty for a team rated by its members.
fn format_rating_change(entry: &ContestEntry, decimals: u8) -> String {
    match entry.change() {
        None if entry.mu().is_none() || !entry.members.is_empty() => String::new(),
        change => format_change(change, decimals),
    }
}
