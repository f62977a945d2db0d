//! `ranklore contest`

use clap::Args;
use ranklore_contest::{ContestTime, SourceName};
use ranklore_replay::{
    ContestEntry, ContestRequest, ContestView, UnratedReason, Upset, find_display,
    load_contest_view,
};
use ranklore_store::{CompetitorId, ContestState, Store};

use crate::commands::source_argument::resolve_source_before;
use crate::completeness::arrived;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::next_command::contest_advice;
use crate::output::{
    TextTable, escape_name, format_change, format_count, format_points, note_inexact_match,
    print_facts, print_line, print_line_with_names,
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
    wanted: String,
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
                &self.wanted,
                self.run.run.as_ref(),
            )?,
            contest: self.wanted,
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
            command: report.unrated.and_then(|why| {
                let complete = |command: &str| global.with_db(command);
                contest_advice(&report.contest, report.run.as_ref(), why, complete)
            }),
        };
        let found = &report.contest;
        if found.external_id != request.contest && found.name != request.contest {
            note_inexact_match(&request.contest, &found.name);
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
        self.report.rows.labels.get(&id).map_or("?", |of| &of.name)
    }

    fn print(&self) -> std::io::Result<()> {
        let report = self.report;
        let title = format!(
            "{}: {}",
            report.contest.source,
            escape_name(&report.contest.name)
        );
        print_line_with_names(&title)?;
        print_facts(&self.facts())?;
        print_line("")?;
        if report.total == 0 {
            print_line("no standings yet")?;
        } else if !report.rows.entries.is_empty() {
            self.print_standings()?;
        }
        self.paging
            .print_rest(report.total, report.rows.entries.len())?;
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
        facts.extend(
            contest
                .division
                .as_deref()
                .map(|of| ("division", escape_name(of))),
        );
        let withdrawn =
            (contest.withdrawn_at).map(|at| format!(", withdrawn on {}", values::format_day(at)));
        let state = contest.state.as_str().to_owned();
        facts.push(("state", state + &withdrawn.unwrap_or_default()));
        let completeness = contest.completeness.as_ref();
        let incomplete = completeness.filter(|_| contest.is_incomplete());
        facts.extend(incomplete.map(|of| ("incomplete", arrived(of))));
        facts.push(("weight", contest.weight.to_string()));
        let site_weight = contest.site_weight;
        facts.extend(site_weight.map(|of| ("site weight", of.to_string())));
        let entrants = format_count(u64::from(contest.entrants));
        let entrants = match report.rated_before {
            _ if report.run.is_none() || report.total == 0 => entrants,
            0 => format!("{entrants}, none of them rated before"),
            known => format!(
                "{entrants}, {} of them rated before",
                format_count(known as u64)
            ),
        };
        facts.push(("entrants", entrants));
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
        let run = (report.run.as_ref()).map_or_else(|| "none".to_owned(), describe_run);
        let why = report.unrated.map(|why| match why {
            // The run is older than the exclusion.
            _ if self.report.is_rated => format!("; now {}", why.as_str()),
            UnratedReason::NotYet => format!("; {}", why.as_str()),
            UnratedReason::UnratedBySource | UnratedReason::State(ContestState::Unrated) => {
                "; unrated by its source".to_owned()
            }
            _ => format!("; not rated: {}", why.as_str()),
        });
        let command = self.command.as_ref().map(|of| format!("; {of}"));
        run + &why.unwrap_or_default() + &command.unwrap_or_default()
    }

    fn print_standings(&self) -> std::io::Result<()> {
        let lines = self.report.rows.entries.iter().flat_map(|entry| {
            let members = entry.members.iter().map(move |of| (of, Some(entry)));
            std::iter::once((entry, None)).chain(members)
        });
        let place = |of: &ContestEntry| values::format_outcome(of.outcome);
        let called = |of: &ContestEntry| self.name(of.competitor_id);
        let run = self.report.run.as_ref();
        let decimals = run.map_or(0, |run| find_display(run).decimals);
        let some = |of: Option<f64>| {
            let points = of.map(|of| format_points(of, decimals));
            points.unwrap_or_default()
        };
        let lines: Vec<StandingsLine<'_>> = lines.collect();
        // Columns without values are left out.
        let has_run = self.report.run.is_some();
        let is_rated = has_run && self.report.is_rated;
        TextTable::new(&lines)
            .right("place", |(of, team)| {
                team.map_or_else(|| place(of), |_| String::new())
            })
            .left("name", |(of, team)| {
                team.map_or("", |_| "  ").to_owned() + called(of)
            })
            .right("predicted", |(of, _)| format_predicted(of))
            .only_if(has_run)
            .right("mu before", |(of, _)| some(of.mu_before))
            .only_if(has_run)
            .right("mu", |(of, _)| some(of.mu()))
            .important()
            .only_if(is_rated)
            .right("change", |(of, _)| format_rating_change(of, decimals))
            .important()
            .only_if(is_rated)
            .right("performance", |(of, _)| {
                some(of.after.and_then(|after| after.performance))
            })
            .only_if(is_rated && self.report.rows.has_performances())
            .left("", |(of, team)| self.remark(of, *team))
            .print()
    }

    /// Returns the row and the name under which a competitor counts, if not those of this row.
    fn remark(&self, of: &ContestEntry, team: Option<&ContestEntry>) -> String {
        let counts_as = self.name(of.counts_as);
        let as_another = of.counts_as != of.competitor_id;
        if of.counted && of.members.is_empty() && as_another {
            return format!("counts as {counts_as}");
        } else if of.counted {
            return String::new();
        } else if !of.members.is_empty() {
            return "all members count elsewhere".to_owned();
        }
        match team {
            Some(team) if team.competitor_id == of.counts_in => "listed twice".to_owned(),
            _ if of.counts_in_team => format!("counts in {}", self.name(of.counts_in)),
            Some(_) => "counts alone".to_owned(),
            None if as_another => format!("{counts_as} did better, which counts"),
            None => "another account did better, which counts".to_owned(),
        }
    }

    fn print_upsets(
        &self,
        title: &str,
        upsets: &[Upset],
        stood: &str,
        rated: &str,
    ) -> std::io::Result<()> {
        if upsets.is_empty() {
            return Ok(());
        }
        let known = format_count(self.report.rated_before as u64);
        print_line(&format!("\n{title}, among the {known} rated before:"))?;
        for upset in upsets {
            let came = match upset.status {
                None => format!("came {}", values::format_ordinal(upset.place)),
                Some("dq") => "was disqualified".to_owned(),
                Some(_) => "did not finish".to_owned(),
            };
            let rivals = format_count(u64::from(upset.rivals));
            let against = if upset.reversed == upset.rivals {
                format!("all {rivals}")
            } else {
                format!(
                    "{} of the {rivals}",
                    format_count(u64::from(upset.reversed))
                )
            };
            let who = escape_name(upset.competitor.as_ref().map_or("?", |of| &of.name));
            let predicted = values::format_ordinal(upset.predicted);
            print_line_with_names(&format!(
                "  {who} {came}, predicted {predicted}: {stood} {against} rated {rated}"
            ))?;
        }
        Ok(())
    }

    fn print_past_winners(&self) -> std::io::Result<()> {
        let past = &self.report.past_winners;
        if past.is_empty() {
            return Ok(());
        }
        print_line("\npast winners:")?;
        for of in past {
            let day = of.ends_at.map_or_else(String::new, values::format_day);
            let winners: Vec<String> = of.winners.iter().map(|of| escape_name(&of.name)).collect();
            let (contest, winners) = (escape_name(&of.name), winners.join(", "));
            print_line_with_names(&format!("  {day}  {contest}: {winners}"))?;
        }
        Ok(())
    }
}

fn format_predicted(of: &ContestEntry) -> String {
    match of.predicted {
        Some(place) => place.to_string(),
        // A team rated by its members has a prediction per member.
        None if of.counted && !of.rated_before && of.members.is_empty() => "new".to_owned(),
        None => String::new(),
    }
}

/// Returns the rating change; empty for a team rated by its members.
fn format_rating_change(of: &ContestEntry, decimals: u8) -> String {
    match of.change() {
        None if of.mu().is_none() || !of.members.is_empty() => String::new(),
        moved => format_change(moved, decimals),
    }
}
