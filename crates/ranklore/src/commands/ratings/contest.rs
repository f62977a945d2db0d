//! `ranklore contest`

use std::collections::HashMap;

use clap::Args;
use ranklore_contest::{EntrantKind, Place, SourceName, UnixSeconds};
use ranklore_replay::{
    ContestEntry, ContestMember, ContestRequest, ContestView, Unrated, Upset, contest,
};
use ranklore_store::{CompetitorId, CompetitorRow, ContestState, RunId, Store};
use serde_json::{Value, json};

use crate::commands::ratings::leaderboard::narrowed;
use crate::completeness::{arrived, completeness_json};
use crate::exit::Exit;
use crate::naming::Naming;
use crate::next_command::rate_contest;
use crate::output::{
    Align, Column, complain, count, in_quotes, name, number, say, say_facts, say_json, say_line,
    say_table, signed,
};
use crate::paging::Paging;
use crate::{Global, words};

/// Show one contest: who stood where, who was to, and the upsets.
///
/// Predicted is the place by the rating before the contest, among those who had been rated
/// before. Case, accents and small typos in the name of the contest are forgiven.
#[derive(Debug, Args)]
pub(crate) struct Contest {
    /// Of this source
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// Its id, or what it is called, more or less
    #[arg(value_name = "CONTEST")]
    wanted: String,
    /// By this run [default: the newest over the source]
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
    /// Refuse a contest that ended after this day, or this moment
    #[arg(long, value_name = "DATE", value_parser = words::end_of_day_or_moment)]
    as_of: Option<UnixSeconds>,
    #[command(flatten)]
    naming: Naming,
    #[command(flatten)]
    paging: Paging,
}

impl Contest {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<Exit> {
        let store = Store::open_reader(global.db())?;
        // Everything of one moment, whatever is committed meanwhile.
        let snapshot = store.snapshot()?;
        let request = ContestRequest {
            source: self.source,
            contest: self.wanted,
            run: self.run.map(RunId::new),
            as_of: self.as_of,
        };
        let report = contest(&store, &request)?;
        let page: Vec<&ContestEntry> = self.paging.of(&report.entries);
        let upsets = report.upsets.above.iter().chain(&report.upsets.below);
        let named = page
            .iter()
            .copied()
            .chain(upsets.map(|upset| &report.entries[upset.entry]))
            .flat_map(|entry| {
                let members = entry.members.iter();
                let members = members.flat_map(|of| [of.competitor_id, of.counts_as, of.counts_in]);
                members.chain([entry.competitor_id, entry.counts_as, entry.counts_in])
            });
        let mut names = store.competitors_by_id(named)?;
        self.naming.apply(&store, &mut names)?;
        drop(snapshot);
        let view = View {
            report: &report,
            page,
            names: (names.into_iter())
                .map(|competitor| (competitor.competitor_id, competitor))
                .collect(),
            paging: self.paging,
            command: report.unrated.and_then(|why| {
                rate_contest(&report.contest, report.run.as_ref(), why, |command| {
                    global.hint(command)
                })
            }),
        };
        let found = &report.contest;
        if found.external_id != request.contest && found.name != request.contest {
            complain(&format!(
                "no {}; this is {}",
                in_quotes(&request.contest),
                in_quotes(&found.name)
            ));
        }
        if global.json {
            say_json(&view.json())?;
        } else {
            view.say()?;
        }
        if let Some(run) = report.run.as_ref().filter(|_| report.stale) {
            global.warn_stale(run);
        }
        Ok(Exit::Done)
    }
}

struct View<'a> {
    report: &'a ContestView,
    /// The rows shown.
    page: Vec<&'a ContestEntry>,
    names: HashMap<CompetitorId, CompetitorRow>,
    paging: Paging,
    /// The command that makes it rated.
    command: Option<String>,
}

impl View<'_> {
    fn say(&self) -> std::io::Result<()> {
        let report = self.report;
        let title = format!("{}: {}", report.contest.source, name(&report.contest.name));
        say_line(&title)?;
        say_facts(&self.facts())?;
        say("")?;
        if report.entries.is_empty() {
            say("nobody stands in it yet")?;
        } else if !self.page.is_empty() {
            self.say_standings()?;
        }
        self.paging
            .say_rest(report.entries.len(), self.page.len())?;
        let upsets = &report.upsets;
        self.say_upsets("better than predicted", &upsets.above, "ahead of", "higher")?;
        self.say_upsets("worse than predicted", &upsets.below, "behind", "lower")
    }

    fn facts(&self) -> Vec<(&'static str, String)> {
        let report = self.report;
        let contest = &report.contest;
        let mut facts = vec![("id", name(&contest.external_id))];
        facts.extend(contest.ends_at.map(|at| ("date", words::day(at))));
        facts.extend(contest.division.as_deref().map(|of| ("division", name(of))));
        let state = contest.state.as_str();
        facts.push((
            "state",
            match contest.withdrawn_at {
                Some(at) => format!("{state}, withdrawn by hand on {}", words::day(at)),
                None => state.to_owned(),
            },
        ));
        if contest.is_incomplete() {
            let completeness = contest.completeness.as_ref();
            facts.extend(completeness.map(|of| ("incomplete", arrived(of))));
        }
        let entrants = count(u64::from(contest.entrants));
        facts.push(("weight", contest.weight.to_string()));
        let by_site = contest
            .site_weight
            .map(|of| ("site weight", of.to_string()));
        facts.extend(by_site);
        facts.push((
            "entrants",
            match report.known {
                _ if report.run.is_none() || report.entries.is_empty() => entrants,
                0 => format!("{entrants}, none of them rated before"),
                known => format!("{entrants}, {} of them rated before", count(known as u64)),
            },
        ));
        facts.push(("revision", contest.revision.to_string()));
        facts.extend(contest.url.as_deref().map(|url| ("url", name(url))));
        facts.push(("run", self.run_and_why_unrated()));
        if let (Some(pairs), Some(deviation)) = (report.pair_inversion, report.rank_deviation) {
            facts.push((
                "prediction",
                format!("pair inversion {pairs:.1} %, rank deviation {deviation:.1} %"),
            ));
        }
        facts
    }

    /// True if the run has ratings of the contest.
    fn is_rated(&self) -> bool {
        let entries = &self.report.entries;
        entries.iter().any(|entry| entry.mu().is_some())
    }

    fn run_and_why_unrated(&self) -> String {
        let report = self.report;
        let run = report.run.as_ref().map_or("none".to_owned(), |run| {
            format!("{} by {}{}", run.run_id, run.system, narrowed(run))
        });
        let why = report.unrated.map(|why| match why {
            // A run from before it was so has ratings of it.
            _ if self.is_rated() => format!("; now {}", why.as_str()),
            Unrated::NotYet => format!("; {}", why.as_str()),
            Unrated::NotCounted | Unrated::State(ContestState::Unrated) => {
                "; unrated by its source".to_owned()
            }
            _ => format!("; not rated: {}", why.as_str()),
        });
        let command = self.command.as_ref().map(|of| format!("; {of}"));
        run + &why.unwrap_or_default() + &command.unwrap_or_default()
    }

    fn say_standings(&self) -> std::io::Result<()> {
        let mut columns = vec![
            Column("place", Align::Right),
            Column("name", Align::Left),
            Column("predicted", Align::Right),
            Column("mu before", Align::Right),
            Column("mu", Align::Right),
            Column("change", Align::Right),
            Column("performance", Align::Right),
            Column("", Align::Left),
        ];
        // Without ratings the columns that would hold them are left out.
        let absent = match (&self.report.run, self.is_rated()) {
            (None, _) => 2..7,
            (Some(_), false) => 4..7,
            (Some(_), true) => 0..0,
        };
        columns.drain(absent.clone());
        let rows = self.page.iter().flat_map(|entry| {
            let members = entry.members.iter();
            let members = members.map(|member| self.member_cells(entry, member));
            std::iter::once(self.cells(entry)).chain(members)
        });
        let rows = rows.map(|mut cells| {
            cells.drain(absent.clone());
            cells
        });
        say_table(&columns, rows.collect())
    }

    fn cells(&self, entry: &ContestEntry) -> Vec<String> {
        vec![
            words::outcome(entry.outcome),
            self.name(entry).to_owned(),
            match entry.predicted {
                Some(place) => place.to_string(),
                // Of a team it is told of each of its people.
                None if entry.counted && entry.members.is_empty() => "new".to_owned(),
                None => String::new(),
            },
            points(entry.mu_before),
            points(entry.mu()),
            moved(
                entry.change(),
                entry.mu().filter(|_| entry.members.is_empty()),
            ),
            points(entry.after.and_then(|after| after.performance)),
            self.remark(entry),
        ]
    }

    fn member_cells(&self, entry: &ContestEntry, member: &ContestMember) -> Vec<String> {
        vec![
            String::new(),
            format!("  {}", self.called(member.competitor_id)),
            if member.counted && !member.known {
                "new".to_owned()
            } else {
                String::new()
            },
            points(member.mu_before),
            points(member.after.map(|after| after.mu)),
            moved(member.change(), member.after.map(|after| after.mu)),
            points(member.after.and_then(|after| after.performance)),
            if !member.counted {
                self.counts_elsewhere(entry, member.counts_in)
            } else if member.counts_as != member.competitor_id {
                format!("counts as {}", self.called(member.counts_as))
            } else {
                String::new()
            },
        ]
    }

    /// In which row of the standings somebody counts, who does not where they are listed.
    fn counts_elsewhere(&self, listed: &ContestEntry, counts_in: CompetitorId) -> String {
        let rows = &self.report.entries;
        let row = rows.iter().find(|row| row.competitor_id == counts_in);
        if listed.competitor_id == counts_in {
            "listed twice".to_owned()
        } else if row.is_some_and(|row| row.members.is_empty()) {
            "counts alone".to_owned()
        } else {
            format!("counts in {}", self.called(counts_in))
        }
    }

    fn say_upsets(
        &self,
        title: &str,
        upsets: &[Upset],
        stood: &str,
        rated: &str,
    ) -> std::io::Result<()> {
        if upsets.is_empty() {
            return Ok(());
        }
        let known = count(self.report.known as u64);
        say(&format!("\n{title}, among the {known} rated before:"))?;
        for upset in upsets {
            let entry = &self.report.entries[upset.entry];
            let came = match entry.outcome.place() {
                Some(_) => format!("came {}", words::ordinal(upset.place)),
                None => match entry.outcome.status() {
                    Some("dq") => "was disqualified".to_owned(),
                    _ => "did not finish".to_owned(),
                },
            };
            let rivals = count(u64::from(upset.rivals));
            let against = if upset.reversed == upset.rivals {
                format!("all {rivals}")
            } else {
                format!("{} of the {rivals}", count(u64::from(upset.reversed)))
            };
            say_line(&format!(
                "  {} {came}, predicted {}: {stood} {against} rated {rated}",
                name(self.name(entry)),
                words::ordinal(upset.predicted),
            ))?;
        }
        Ok(())
    }

    fn competitor(&self, id: CompetitorId) -> Option<&CompetitorRow> {
        self.names.get(&id)
    }

    fn external_id(&self, id: CompetitorId) -> Option<&str> {
        Some(self.competitor(id)?.external_id.as_str())
    }

    fn called(&self, id: CompetitorId) -> &str {
        self.competitor(id)
            .map_or("?", |competitor| &competitor.name)
    }

    fn name(&self, entry: &ContestEntry) -> &str {
        self.called(entry.competitor_id)
    }

    /// As whom a merged account counts, and whether it does.
    fn remark(&self, entry: &ContestEntry) -> String {
        if !entry.members.is_empty() {
            let elsewhere = if entry.counted {
                ""
            } else {
                "all of it count elsewhere"
            };
            return elsewhere.to_owned();
        }
        let rows = &self.report.entries;
        let row = rows.iter().find(|row| row.competitor_id == entry.counts_in);
        let in_team = row.is_some_and(|row| !row.members.is_empty());
        let counts_as = self.called(entry.counts_as);
        match (entry.counted, entry.counts_as == entry.competitor_id) {
            (true, true) => String::new(),
            (true, false) => format!("counts as {counts_as}"),
            (false, _) if in_team => self.counts_elsewhere(entry, entry.counts_in),
            (false, true) => "another account did better, which counts".to_owned(),
            (false, false) => format!("{counts_as} did better, which counts"),
        }
    }

    fn json(&self) -> Value {
        let report = self.report;
        let (contest, run) = (&report.contest, report.run.as_ref());
        let words = |of: &str| serde_json::from_str::<Value>(of).unwrap_or(Value::Null);
        let upsets = |upsets: &[Upset]| -> Vec<Value> {
            upsets.iter().map(|upset| self.upset_json(upset)).collect()
        };
        json!({
            "run_id": run.map(|run| run.run_id.get()),
            "system": run.map(|run| &run.system),
            "selection": run.map(|run| words(&run.selection)),
            "parameters": run.map(|run| words(&run.parameters)),
            "stale": report.stale,
            "source": contest.source,
            "contest": contest.external_id,
            "name": contest.name,
            "event": contest.event,
            "division": contest.division,
            "url": contest.url,
            "starts_at": contest.starts_at,
            "ends_at": contest.ends_at,
            "state": contest.state.as_str(),
            "withdrawn_at": contest.withdrawn_at,
            "completeness": completeness_json(contest.completeness.as_ref()),
            "weight": number(Some(contest.weight)),
            "site_weight": number(contest.site_weight),
            "entrants": contest.entrants,
            "revision": contest.revision,
            "unrated": report.unrated.map(ranklore_replay::Unrated::as_str),
            "rated_before": report.known,
            "pair_inversion": number(report.pair_inversion),
            "rank_deviation": number(report.rank_deviation),
            "better_than_predicted": upsets(&report.upsets.above),
            "worse_than_predicted": upsets(&report.upsets.below),
            "total": report.entries.len(),
            "offset": self.paging.offset,
            "rows": self.page.iter().map(|entry| self.entry_json(entry)).collect::<Vec<_>>(),
        })
    }

    fn entry_json(&self, entry: &ContestEntry) -> Value {
        let competitor = self.competitor(entry.competitor_id);
        let counts_as = self.competitor(entry.counts_as);
        json!({
            "place": entry.outcome.place().map(Place::get),
            "status": entry.outcome.status(),
            "name": competitor.map(|c| c.name.as_str()),
            "external_id": competitor.map(|c| c.external_id.as_str()),
            "kind": competitor.map(|c| EntrantKind::as_str(c.kind)),
            "counts_as": counts_as.map(|c| c.external_id.as_str()),
            "counted": entry.counted,
            "counts_in": self.external_id(entry.counts_in),
            "predicted": entry.predicted,
            "mu_before": number(entry.mu_before),
            "mu": number(entry.mu()),
            "sigma": number(entry.after.map(|after| after.sigma)),
            "change": number(entry.change()),
            "performance": number(entry.after.and_then(|after| after.performance)),
            "members": entry.members.iter().map(|of| self.member_json(of)).collect::<Vec<_>>(),
        })
    }

    fn member_json(&self, member: &ContestMember) -> Value {
        let person = self.competitor(member.competitor_id);
        let counts_as = self.competitor(member.counts_as);
        json!({
            "name": person.map(|c| c.name.as_str()),
            "external_id": person.map(|c| c.external_id.as_str()),
            "counts_as": counts_as.map(|c| c.external_id.as_str()),
            "counted": member.counted,
            "counts_in": self.external_id(member.counts_in),
            "mu_before": number(member.mu_before),
            "mu": number(member.after.map(|after| after.mu)),
            "sigma": number(member.after.map(|after| after.sigma)),
            "change": number(member.change()),
            "performance": number(member.after.and_then(|after| after.performance)),
        })
    }

    fn upset_json(&self, upset: &Upset) -> Value {
        let entry = &self.report.entries[upset.entry];
        let competitor = self.competitor(entry.competitor_id);
        json!({
            "name": competitor.map(|c| c.name.as_str()),
            "external_id": competitor.map(|c| c.external_id.as_str()),
            "place": upset.place,
            "predicted": upset.predicted,
            "reversed": upset.reversed,
            "rivals": upset.rivals,
        })
    }
}

fn points(of: Option<f64>) -> String {
    of.map_or_else(String::new, |of| format!("{of:.0}"))
}

/// By how much, or that there was nothing before `mu`.
fn moved(change: Option<f64>, mu: Option<f64>) -> String {
    match (change, mu) {
        (Some(change), _) => signed(change),
        (None, Some(_)) => "new".to_owned(),
        (None, None) => String::new(),
    }
}
