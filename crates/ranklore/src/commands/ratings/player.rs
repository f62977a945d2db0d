//! `ranklore player`

use std::collections::HashMap;

use clap::Args;
use ranklore_contest::{EntrantKind, Place, SourceName, UnixSeconds};
use ranklore_replay::{
    Player as Report, PlayerContest, PlayerRequest, Pseudonyms, RunStanding, Step, Unrated, player,
};
use ranklore_store::{CompetitorId, CompetitorRow, RunId, Store};
use serde_json::{Value, json};

use crate::commands::ratings::leaderboard::narrowed;
use crate::completeness::{arrived, completeness_json};
use crate::exit::Exit;
use crate::naming::Naming;
use crate::output::{
    Align, Column, complain, count, counted, in_quotes, name, number, say, say_facts, say_json,
    say_line, say_table, signed,
};
use crate::paging::Paging;
use crate::spark::spark_line;
use crate::{Global, words};

/// As wide as a line of history gets.
const SPARK_WIDTH: usize = 60;

/// Show one competitor: rating, highlights and every contest, the newest first.
///
/// Case, accents and small typos in the name are forgiven. Somebody merged into another
/// competitor leads to that one.
#[derive(Debug, Args)]
pub(crate) struct Player {
    /// Of this source
    #[arg(value_name = "SOURCE", value_parser = words::source)]
    source: SourceName,
    /// What they are called, more or less
    #[arg(value_name = "NAME")]
    name: String,
    /// By this run [default: the newest over the source]
    #[arg(long, value_name = "ID")]
    run: Option<i64>,
    /// Only of this kind: person, team or couple
    #[arg(long, value_name = "KIND", value_parser = words::kind)]
    kind: Option<EntrantKind>,
    /// As it was at the end of this day, or at this moment
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
        // Everything of one moment, whatever is committed meanwhile.
        let snapshot = store.snapshot()?;
        let request = PlayerRequest {
            source: self.source,
            name: self.name,
            kind: self.kind,
            run: self.run.map(RunId::new),
            as_of: self.as_of,
            pseudonyms: if self.naming.names {
                Pseudonyms::default()
            } else {
                Pseudonyms::load(&store)?
            },
        };
        let mut report = player(&store, &request)?;
        let wanted = is_called(&report.found, &request);
        let competitors = [&mut report.found, &mut report.competitor].into_iter();
        let teams = report.history.iter_mut().filter_map(|of| of.team.as_mut());
        let competitors = competitors.chain(&mut report.accounts).chain(teams);
        if self.naming.apply(&store, competitors)? {
            report.names.clear();
        }
        drop(snapshot);
        let view = View {
            report: &report,
            source: &request.source,
            accounts: (report.accounts.iter())
                .map(|account| (account.competitor_id, account))
                .collect(),
            page: self.paging.of(report.history.iter().rev()),
            paging: self.paging,
        };
        complain_of_another(&report, &request.name, wanted);
        if global.json {
            say_json(&view.json())?;
        } else {
            view.say()?;
        }
        if report.stale {
            global.warn_stale(&report.run);
        }
        Ok(Exit::Done)
    }
}

/// Whether somebody is called exactly as they were asked for.
fn is_called(found: &CompetitorRow, request: &PlayerRequest) -> bool {
    let pseudonym = request.pseudonyms.of(found);
    let mut names = [
        Some(&found.name),
        Some(&found.external_id),
        pseudonym.as_ref(),
    ]
    .into_iter();
    names.any(|name| name == Some(&request.name))
}

/// Says so if the name led to somebody who is not called exactly so, or who counts as another.
fn complain_of_another(report: &Report, wanted: &str, is_called: bool) {
    let (found, competitor) = (&report.found, &report.competitor);
    if !is_called {
        complain(&format!(
            "no {}; this is {}",
            in_quotes(wanted),
            in_quotes(&found.name)
        ));
    }
    if found.competitor_id != competitor.competitor_id {
        complain(&format!(
            "{} counts as {}",
            in_quotes(&found.external_id),
            in_quotes(&competitor.name)
        ));
    }
}

struct View<'a> {
    report: &'a Report,
    source: &'a SourceName,
    /// Those merged into the competitor.
    accounts: HashMap<CompetitorId, &'a CompetitorRow>,
    /// The contests shown, newest first.
    page: Vec<&'a PlayerContest>,
    paging: Paging,
}

impl View<'_> {
    fn say(&self) -> std::io::Result<()> {
        let report = self.report;
        let kind = match report.competitor.kind {
            EntrantKind::Person => String::new(),
            kind => format!(", a {}", kind.as_str()),
        };
        let title = format!("{}{kind} of {}", name(&report.competitor.name), self.source);
        say_line(&title)?;
        say_facts(&self.facts())?;
        say("")?;
        if report.history.is_empty() && report.team_contests > 0 {
            let contests = counted(report.team_contests as u64, "contest");
            say(&format!(
                "{contests} in teams, which this run rates as wholes"
            ))?;
        } else if report.history.is_empty() {
            say("no contests up to then")?;
        } else if !self.page.is_empty() {
            self.say_history()?;
        }
        self.paging
            .say_rest(report.history.len(), self.page.len())?;
        let elsewhere = report.standing.is_none() && !report.runs.is_empty();
        if report.runs.len() > 1 || elsewhere {
            say("\nevery run:")?;
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
            let ids: Vec<String> = (report.accounts.iter())
                .map(|account| name(&account.external_id))
                .collect();
            facts.push(("merged", ids.join(", ")));
        }
        if !report.names.is_empty() {
            let names: Vec<String> = (report.names.iter())
                .map(|of| {
                    let called = name(&of.name);
                    let (from, to) = (words::day(of.first_seen_at), words::day(of.last_seen_at));
                    if from == to {
                        format!("{called} ({from})")
                    } else {
                        format!("{called} ({from} to {to})")
                    }
                })
                .collect();
            facts.push(("names", names.join(", ")));
        }
        let run = &report.run;
        facts.push((
            "run",
            format!("{} by {}{}", run.run_id, run.system, narrowed(run)),
        ));
        let Some(standing) = &report.standing else {
            facts.push(("rating", "none in this run".to_owned()));
            return facts;
        };
        let row = &standing.row;
        facts.push((
            "place",
            if standing.active {
                format!("{} of {} active", row.place, count(standing.among as u64))
            } else {
                format!("inactive since {}", words::day(row.last_contest_at))
            },
        ));
        facts.push((
            "rating",
            if report.k > 0.0 {
                format!(
                    "{:.0} = mu {:.0} − {}·sigma {:.0}",
                    row.conservative, row.mu, report.k, row.sigma
                )
            } else {
                format!("{:.0} = mu", row.conservative)
            },
        ));
        facts.extend(self.highlights());
        facts
    }

    fn highlights(&self) -> Vec<(&'static str, String)> {
        let history = &self.report.history;
        let Some(highlights) = self.report.highlights else {
            return Vec::new();
        };
        let rated: Vec<(&PlayerContest, &Step)> = (history.iter())
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
        let mut fact =
            |label, index: Option<usize>, what: &dyn Fn(&PlayerContest, &Step) -> String| {
                let of = index.map(|index| &history[index]);
                if let Some(of) = of
                    && let Some(step) = &of.rating
                {
                    let what = what(of, step);
                    let text = format!("{what} in \"{}\" on {}", name(&of.contest.name), day(of));
                    facts.push((label, text));
                }
            };
        let mu = |_: &PlayerContest, step: &Step| format!("{:.0}", step.mu);
        let change = |_: &PlayerContest, step: &Step| step.change.map_or_else(String::new, signed);
        fact("highest mu", Some(highlights.highest), &mu);
        fact("lowest mu", Some(highlights.lowest), &mu);
        fact("best place", highlights.best_place, &|of, _| place(of));
        fact("worst place", highlights.worst_place, &|of, _| place(of));
        fact("largest gain", highlights.gain, &change);
        fact("largest loss", highlights.loss, &change);
        if rated.len() > 1 {
            let mus: Vec<f64> = rated.iter().map(|(_, step)| step.mu).collect();
            facts.push(("mu over time", spark_line(&mus, SPARK_WIDTH)));
        }
        facts
    }

    fn say_history(&self) -> std::io::Result<()> {
        let columns = [
            Column("date", Align::Left),
            Column("contest", Align::Left),
            Column("place", Align::Right),
            Column("performance", Align::Right),
            Column("mu", Align::Right),
            Column("change", Align::Right),
            Column("sigma", Align::Right),
            Column("", Align::Left),
        ];
        let rows = self.page.iter().map(|of| {
            let mut cells = vec![day(of), of.contest.name.clone(), place(of)];
            cells.extend(match &of.rating {
                Some(step) => [
                    (step.performance).map_or_else(String::new, |of| format!("{of:.0}")),
                    format!("{:.0}", step.mu),
                    step.change.map_or_else(|| "new".to_owned(), signed),
                    format!("{:.0}", step.sigma),
                ],
                None => [const { String::new() }; 4],
            });
            cells.push(self.remark(of));
            cells
        });
        say_table(&columns, rows.collect())
    }

    /// Why a contest is not rated, how much of it arrived if that is little, as whom they stood
    /// there if by another account, and in which team.
    fn remark(&self, of: &PlayerContest) -> String {
        let why = of.unrated.map(|why| match of.rating {
            None => why.as_str().to_owned(),
            Some(_) => format!("now {}", why.as_str()),
        });
        let completeness = of.contest.completeness.as_ref();
        let arrived = completeness
            .filter(|_| of.contest.is_incomplete())
            .map(arrived);
        let account = self.accounts.get(&of.account);
        let account = account.map(|account| format!("as {}", account.external_id));
        let team = of.team.as_ref().map(|team| format!("in {}", team.name));
        let remarks: Vec<String> = (why.into_iter())
            .chain(arrived)
            .chain(account)
            .chain(team)
            .collect();
        remarks.join(", ")
    }

    fn json(&self) -> Value {
        let report = self.report;
        let (competitor, run) = (&report.competitor, &report.run);
        let accounts: Vec<Value> = (report.accounts.iter())
            .map(|account| json!({"external_id": account.external_id, "name": account.name}))
            .collect();
        let names: Vec<Value> = (report.names.iter())
            .map(|name| {
                json!({
                    "name": name.name,
                    "first_seen_at": name.first_seen_at,
                    "last_seen_at": name.last_seen_at,
                })
            })
            .collect();
        let standing = report.standing.as_ref();
        let row = standing.map(|standing| &standing.row);
        let highlight = |index: Option<usize>| {
            index.map_or(Value::Null, |index| {
                self.contest_json(&report.history[index])
            })
        };
        let highlights = report.highlights.map(|of| {
            json!({
                "highest": highlight(Some(of.highest)),
                "lowest": highlight(Some(of.lowest)),
                "best_place": highlight(of.best_place),
                "worst_place": highlight(of.worst_place),
                "gain": highlight(of.gain),
                "loss": highlight(of.loss),
            })
        });
        json!({
            "run_id": run.run_id.get(),
            "system": run.system,
            "selection": serde_json::from_str::<Value>(&run.selection).unwrap_or(Value::Null),
            "parameters": serde_json::from_str::<Value>(&run.parameters).unwrap_or(Value::Null),
            "stale": report.stale,
            "k": number(Some(report.k)),
            "source": self.source.as_str(),
            "name": competitor.name,
            "external_id": competitor.external_id,
            "kind": competitor.kind.as_str(),
            "found": report.found.external_id,
            "accounts": accounts,
            "names": names,
            "active": standing.map(|standing| standing.active),
            "place": row.map(|row| row.place),
            "among": standing.map(|standing| standing.among),
            "conservative": number(row.map(|row| row.conservative)),
            "mu": number(row.map(|row| row.mu)),
            "sigma": number(row.map(|row| row.sigma)),
            "contests": row.map_or(0, |row| row.contests),
            "last_change": number(row.and_then(|row| row.last_change)),
            "last_contest_at": row.map(|row| row.last_contest_at),
            "highlights": highlights,
            "runs": report.runs.iter().map(run_json).collect::<Vec<_>>(),
            "team_contests": report.team_contests,
            "total": report.history.len(),
            "offset": self.paging.offset,
            "rows": self.page.iter().map(|of| self.contest_json(of)).collect::<Vec<_>>(),
        })
    }

    fn contest_json(&self, of: &PlayerContest) -> Value {
        let step = of.rating.as_ref();
        let account = self.accounts.get(&of.account).copied();
        json!({
            "contest": of.contest.external_id,
            "name": of.contest.name,
            "ends_at": of.contest.ends_at,
            "account": account.unwrap_or(&self.report.competitor).external_id,
            "team": of.team.as_ref().map(|team| team.external_id.as_str()),
            "place": of.outcome.place().map(Place::get),
            "status": of.outcome.status(),
            "entrants": of.contest.entrants,
            "performance": number(step.and_then(|step| step.performance)),
            "mu": number(step.map(|step| step.mu)),
            "sigma": number(step.map(|step| step.sigma)),
            "change": number(step.and_then(|step| step.change)),
            "unrated": of.unrated.map(Unrated::as_str),
            "completeness": completeness_json(of.contest.completeness.as_ref()),
        })
    }
}

fn day(of: &PlayerContest) -> String {
    of.contest.ends_at.map_or_else(String::new, words::day)
}

/// `3 / 120`, or `dnf`.
fn place(of: &PlayerContest) -> String {
    let outcome = words::outcome(of.outcome);
    match of.outcome.place() {
        Some(_) => format!("{outcome} / {}", of.contest.entrants),
        None => outcome,
    }
}

fn say_runs(runs: &[RunStanding]) -> std::io::Result<()> {
    let columns = [
        Column("run", Align::Right),
        Column("system", Align::Left),
        Column("settings", Align::Left),
        Column("rating", Align::Right),
        Column("mu", Align::Right),
        Column("sigma", Align::Right),
        Column("contests", Align::Right),
        Column("last change", Align::Right),
    ];
    let rows = runs.iter().map(|of| {
        vec![
            of.run.run_id.to_string(),
            of.run.system.clone(),
            if of.settings.is_empty() {
                "defaults".to_owned()
            } else {
                of.settings.join(", ")
            },
            format!("{:.0}", of.conservative),
            format!("{:.0}", of.mu),
            format!("{:.0}", of.sigma),
            of.contests.to_string(),
            of.last_change.map_or_else(|| "new".to_owned(), signed),
        ]
    });
    say_table(&columns, rows.collect())
}

fn run_json(of: &RunStanding) -> Value {
    json!({
        "run_id": of.run.run_id.get(),
        "system": of.run.system,
        "settings": of.settings,
        "conservative": number(Some(of.conservative)),
        "mu": number(Some(of.mu)),
        "sigma": number(Some(of.sigma)),
        "contests": of.contests,
        "last_change": number(of.last_change),
    })
}
