//! `ranklore contest`

use clap::Args;
use ranklore_contest::SourceName;
use ranklore_store::{ContestState, Store};
use ranklore_views::{
    ContestRequest, ContestView, List as _, StandingsLine, UnratedReason, Upset, load_contest_view,
};

use crate::commands::source_argument::resolve_source_before;
use crate::exit::Exit;
use crate::naming::{NamingArgs, note_pseudonyms};
use crate::next_command::contest_advice;
use crate::output::{
    escape_name, format_count, join_words, note_inexact_match, print_facts, print_line,
    print_line_with_names, print_table,
};
use crate::paging::{print_rest, shown_page};
use crate::run_choice::describe_run;
use crate::values::describe_completeness;
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
    request: ContestRequest,
    #[command(flatten)]
    naming: NamingArgs,
}

impl ContestArgs {
    pub(crate) fn run(self, global: &GlobalArgs) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // All reads are of one state.
        let snapshot = store.snapshot()?;
        let name = self.contest;
        let mut request = self.request;
        let run = request.run.run.as_ref();
        let source = resolve_source_before(&store, self.source, &name, run)?;
        request.page = shown_page(request.page);
        request.names = self.naming.policy();
        let report = load_contest_view(&store, &source, &name, &request)?;
        drop(snapshot);
        note_pseudonyms(report.pseudonymised);
        let view = View {
            report: &report,
            command: report.unrated.and_then(|reason| {
                contest_advice(&report.contest, report.run.as_ref(), reason, |command| {
                    global.with_db(command)
                })
            }),
        };
        // A contest is found by its id or its name.
        let contest = &report.contest;
        if contest.external_id != name && contest.name != name {
            note_inexact_match(&name, &contest.name);
        }
        global.print_view(&&report, || view.print())?;
        if let Some(run) = &report.run {
            global.note_run(&store, &request.run, run, report.stale)?;
        }
        Ok(Exit::Done)
    }
}

struct View<'a> {
    report: &'a ContestView,
    /// The command that rates the contest.
    command: Option<String>,
}

impl View<'_> {
    fn print(&self) -> std::io::Result<()> {
        let report = self.report;
        let name = escape_name(&report.contest.name);
        print_line_with_names(&format!("{}: {name}", report.contest.source))?;
        print_facts(&self.facts())?;
        print_line("")?;
        if report.total == 0 {
            print_line("no standings yet")?;
        } else if !report.rows.entries.is_empty() {
            let lines = StandingsLine::from_entries(&report.rows.entries);
            print_table(self.report.columns(), &lines)?;
        }
        print_rest(self.report.extent())?;
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
