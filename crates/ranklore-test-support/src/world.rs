//! A file that changes step by step, and beside it what it is to say by now, so that another
//! file can be made that got all of it at once.

use std::collections::BTreeMap;

use ranklore_contest::{Contest, Entrant, EntrantKind, Outcome, Place, SourceName, StartingRating};
use ranklore_replay::{
    Error, RateReport, RateRequest, RunSelection, SYSTEMS, Silent, SystemName, Watch, evaluate,
    rate,
};
use ranklore_store::{
    Batch, Body, ContestState, Decision, DocumentId, NewDocument, RunRow, SourceId, Store, Writer,
};
use serde_json::{Map, Value, json};

use super::{DAY, Scratch, at, club};

/// What a file says.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    contests: BTreeMap<(&'static str, String), Contest>,
    starts: BTreeMap<(&'static str, String), f64>,
    decisions: Vec<(&'static str, Decision)>,
}

impl Facts {
    pub(super) fn contest(&self, source: &'static str, id: &str) -> Contest {
        self.contests[&(source, id.to_owned())].clone()
    }

    /// A file that got all of it at once, in an order that is not that of replay.
    fn all_at_once(&self) -> World {
        let mut world = World::new();
        for ((source, _), contest) in &self.contests {
            world.put(source, contest.clone());
        }
        for ((source, name), &mu) in &self.starts {
            world.start(source, name, mu);
        }
        for (source, decision) in &self.decisions {
            assert!(world.decide(source, decision).unwrap());
        }
        world
    }

    /// Whether the chain of a run hashes nothing that means something in one file only.
    fn without_ids(&self) -> bool {
        self.starts.is_empty() && self.decisions.is_empty()
    }
}

pub(super) struct World {
    /// Kept, since the file goes away with it.
    _scratch: Scratch,
    pub(super) store: Writer,
    pub(super) facts: Facts,
    /// What is rated at each step.
    pub(super) runs: Vec<Run>,
    now: i64,
}

/// A run there is to be.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) selection: RunSelection,
    pub(super) system: SystemName,
    pub(super) parameters: Map<String, Value>,
}

impl Run {
    pub(super) fn rate(&self, store: &mut Writer, watch: &dyn Watch) -> Result<RateReport, Error> {
        let request = RateRequest {
            selection: self.selection.clone(),
            system: self.system.with(&self.parameters).unwrap(),
            now: at(1_800_000_000),
        };
        rate(store, request, watch)
    }
}

/// Every system, and the parameters that its state depends on.
pub(super) fn every_system() -> Vec<Run> {
    let mut of: Vec<(SystemName, Value)> = SYSTEMS.map(|system| (system, json!({}))).into();
    let elo_mmr = SystemName::find("elo-mmr").unwrap();
    let elo_mmx = SystemName::find("elo-mmx").unwrap();
    for rho in [json!(0), json!(0.04), json!(3), json!("inf")] {
        of.push((elo_mmr, json!({"rho": rho})));
    }
    of.push((elo_mmr, json!({"history_limit": 2, "rho": 0.5})));
    for system in [elo_mmr, elo_mmx] {
        of.push((system, json!({"drift_per_day": 30, "split_ties": true})));
        of.push((system, json!({"newcomer_weights": [0.5, 0.7, 0.9]})));
    }
    for system in ["elo-mmr", "elo-mmx", "trueskill"] {
        let system = SystemName::find(system).unwrap();
        of.push((system, json!({"teams": "members"})));
    }
    let run = |(system, parameters): (SystemName, Value)| Run {
        selection: select(&["club"]),
        system,
        parameters: parameters.as_object().unwrap().clone(),
    };
    of.into_iter().map(run).collect()
}

pub(super) fn select(sources: &[&str]) -> RunSelection {
    RunSelection {
        sources: sources.iter().map(|name| source(name)).collect(),
        ..RunSelection::default()
    }
}

pub(super) fn source(name: &str) -> SourceName {
    SourceName::new(name).unwrap()
}

/// A contest on a day; entrants by place, `=` between those tied, `!` before those who did not
/// finish, `+` between the people of a team.
pub(super) fn round(id: &str, day: i64, order: &str) -> Contest {
    let mut entrants = Vec::new();
    for group in order.split(' ') {
        let above = entrants.len() as u32;
        for name in group.split('=') {
            let mut entrant = match name.strip_prefix('!') {
                Some(name) => Entrant::person(name, Outcome::DidNotFinish),
                None => Entrant::person(name, Outcome::Finished(Place::below(above))),
            };
            if entrant.competitor.contains('+') {
                entrant.kind = EntrantKind::Team;
                entrant.members = entrant.competitor.split('+').map(str::to_owned).collect();
            }
            entrants.push(entrant);
        }
    }
    let contest = Contest {
        external_id: id.into(),
        name: format!("Round {id}"),
        event: None,
        division: None,
        ordinal: None,
        url: None,
        starts_at: None,
        ends_at: at(day * DAY),
        weight: 1.0,
        site_weight: None,
        performance_ceiling: None,
        entrants,
    };
    contest.validate().unwrap();
    contest
}

pub(super) fn merge(subject: &str, into: &str) -> Decision {
    Decision::Merge {
        kind: EntrantKind::Person,
        subject: subject.into(),
        into: into.into(),
    }
}

pub(super) fn split(subject: &str) -> Decision {
    Decision::Split {
        kind: EntrantKind::Person,
        subject: subject.into(),
    }
}

pub(super) fn rename(subject: &str, name: &str) -> Decision {
    Decision::Rename {
        kind: EntrantKind::Person,
        subject: subject.into(),
        name: name.into(),
    }
}

pub(super) fn withdraw(contest: &str) -> Decision {
    Decision::Withdraw {
        contest: contest.into(),
    }
}

pub(super) fn restore(contest: &str) -> Decision {
    Decision::Restore {
        contest: contest.into(),
    }
}

/// What a rating is to replay.
#[derive(Clone, Copy, Debug)]
pub(super) enum Expect<'a> {
    /// Nothing, and to say so.
    Unchanged,
    /// This contest and all after it.
    From(&'a str),
    /// Nothing, for contests are gone from the end alone.
    Cut,
}

impl World {
    pub(super) fn new() -> Self {
        let scratch = Scratch::new();
        Self {
            store: scratch.writer(),
            _scratch: scratch,
            facts: Facts::default(),
            runs: every_system(),
            now: 1_700_000_000,
        }
    }

    /// Twelve contests, rated.
    pub(super) fn of_twelve() -> Self {
        let mut world = Self::unrated();
        world.rate_all();
        world
    }

    /// Twelve contests; the third is one without an order, the sixth and the seventh are of one
    /// time.
    pub(super) fn unrated() -> Self {
        let mut world = Self::new();
        let orders = [
            "a b c d",
            "b a e=f !g",
            "c",
            "d c b a h",
            "g a=b e",
            "e f g h",
            "a c e g",
            "b d f h",
            "x y z",
            "h g f e d c b a",
            "a d !b !c",
            "c a b",
        ];
        for (id, order) in (1..).zip(orders) {
            let day = 10 * (id - i64::from(id >= 7));
            let mut contest = round(&id.to_string(), day, order);
            if id == 7 {
                (contest.event, contest.ordinal) = (Some("cup".into()), Some(2));
            }
            world.put("club", contest);
        }
        world
    }

    pub(super) fn put(&mut self, of: &'static str, contest: Contest) {
        let (key, body) = (contest.external_id.clone(), format!("{contest:?}"));
        self.documented(of, &key, &body, |batch, source_id, document_id| {
            batch
                .put_contest(source_id, document_id, &contest, ContestState::Final, true)
                .unwrap();
        });
        self.facts.contests.insert((of, key), contest);
    }

    pub(super) fn change(&mut self, id: &str, change: impl FnOnce(&mut Contest)) {
        let mut contest = self.facts.contest("club", id);
        change(&mut contest);
        self.put("club", contest);
    }

    pub(super) fn start(&mut self, of: &'static str, name: &str, mu: f64) {
        let (key, body) = (format!("start of {name}"), mu.to_string());
        let rating = StartingRating {
            mu,
            sigma: (mu > 1600.0).then_some(99.5),
        };
        self.documented(of, &key, &body, |batch, source_id, document_id| {
            let kind = EntrantKind::Person;
            batch
                .set_starting_rating(source_id, document_id, kind, name, rating)
                .unwrap();
        });
        self.facts.starts.insert((of, name.to_owned()), mu);
    }

    fn documented(
        &mut self,
        of: &str,
        key: &str,
        body: &str,
        put: impl FnOnce(&mut Batch<'_>, SourceId, DocumentId),
    ) {
        self.now += 1;
        let now = at(self.now);
        let mut batch = self.store.batch().unwrap();
        let source_id = batch.source(&source(of), now).unwrap();
        let document = NewDocument {
            request_key: key,
            url: None,
            fetched_at: now,
            status: None,
            etag: None,
            last_modified: None,
            media_type: None,
            reading: Some("{}"),
            body: Body::Plain(body.as_bytes()),
            kept: None,
        };
        let archived = batch.archive(source_id, &document).unwrap();
        put(&mut batch, source_id, archived.document_id);
        batch.commit().unwrap();
    }

    /// Decides, where that is possible.
    pub(super) fn decide(
        &mut self,
        of: &'static str,
        decision: &Decision,
    ) -> ranklore_store::Result<bool> {
        let source_id = self.store.source_id(&source(of))?.unwrap();
        let mut batch = self.store.batch()?;
        let news = batch.decide(source_id, decision, None, at(self.now))?;
        batch.commit()?;
        if news {
            self.facts.decisions.push((of, decision.clone()));
        }
        Ok(news)
    }

    pub(super) fn decided(&mut self, decision: &Decision) {
        assert!(self.decide("club", decision).unwrap(), "{decision:?}");
    }

    /// A connection that knows nothing of Ranklore.
    pub(super) fn raw(&self) -> rusqlite::Connection {
        let raw = rusqlite::Connection::open(self.store.path()).unwrap();
        raw.pragma_update(None, "foreign_keys", false).unwrap();
        raw
    }

    pub(super) fn rate_all(&mut self) -> Vec<RateReport> {
        let rate = |run: &Run| run.rate(&mut self.store, &Silent).unwrap();
        self.runs.iter().map(rate).collect()
    }

    /// Rates, and holds it against what is expected to be replayed and against a replay from
    /// scratch.
    pub(super) fn rates(&mut self, expect: Expect<'_>) {
        // Only sites say what a rating was before, so that rows that stay can be marked.
        let raw = self.raw();
        raw.execute("UPDATE rating SET mu_before = 1", []).unwrap();
        let reports = self.rate_all();
        for report in &reports {
            self.replayed(report, expect, &raw);
        }
        raw.execute("UPDATE rating SET mu_before = NULL", [])
            .unwrap();
        self.is_as_from_scratch();
        for again in self.rate_all() {
            assert!(again.unchanged, "{again:?}");
        }
    }

    fn replayed(&self, report: &RateReport, expect: Expect<'_>, raw: &rusqlite::Connection) {
        let contests = self.store.run_contests(report.run_id).unwrap();
        let of = |id: &str| self.store.contest(&club(), id).unwrap().unwrap();
        let kept = match expect {
            Expect::Unchanged | Expect::Cut => contests.len(),
            Expect::From(id) => {
                let first = of(id).contest_id;
                let is_first = |row: &_| -> bool {
                    let row: &ranklore_store::RunContest = row;
                    row.contest_id == first
                };
                contests.iter().position(is_first).unwrap()
            }
        };
        let mut marked = raw
            .prepare(
                "SELECT count(*) FILTER (WHERE mu_before = 1), count(*) FROM rating
                 WHERE run_id = ?1 AND contest_id = ?2",
            )
            .unwrap();
        for (position, row) in contests.iter().enumerate() {
            let (stayed, all): (u32, u32) = marked
                .query_row([report.run_id.get(), row.contest_id.get()], |row| {
                    Ok((row.get(0)?, row.get(1)?))
                })
                .unwrap();
            let due = if position < kept { row.results } else { 0 };
            assert_eq!((stayed, all), (due, row.results), "{expect:?} {position}");
        }
        let replayed = contests[kept..].iter().filter(|row| row.results > 0);
        assert_eq!(report.replayed, replayed.count() as u64, "{expect:?}");
        let unchanged = matches!(expect, Expect::Unchanged);
        assert_eq!(report.unchanged, unchanged, "{expect:?}");
        let continued_at = match expect {
            Expect::From(id) if kept > 0 => of(id).ends_at,
            _ => None,
        };
        assert_eq!(report.continued_at, continued_at, "{expect:?}");
        let without = contests.iter().filter(|row| row.results == 0).count();
        assert_eq!(report.without_order, without as u64);
        assert_eq!(report.contests, (contests.len() - without) as u64);
        let results: u64 = contests.iter().map(|row| u64::from(row.results)).sum();
        assert_eq!(report.results, results);
    }

    /// Holds the file against one that got everything at once and was rated once.
    pub(super) fn is_as_from_scratch(&mut self) {
        let mut fresh = self.facts.all_at_once();
        fresh.runs.clone_from(&self.runs);
        fresh.rate_all();
        assert_eq!(self.store.check().unwrap(), []);
        assert_eq!(
            self.store.content_hash().unwrap(),
            fresh.store.content_hash().unwrap()
        );
        let evaluated =
            |store: &mut Writer, run: &RunRow| evaluate(store, run.clone(), at(0)).unwrap().slices;
        for run in fresh.store.runs().unwrap() {
            let of = |store: &Store| {
                store
                    .run_of(&run.system, &run.parameters, &run.selection)
                    .unwrap()
                    .unwrap()
            };
            let mine = of(&self.store);
            assert_eq!((mine.contests, mine.results), (run.contests, run.results));
            if self.facts.without_ids() {
                assert_eq!(mine.fingerprint, run.fingerprint);
            }
            assert_eq!(
                evaluated(&mut self.store, &mine),
                evaluated(&mut fresh.store, &run)
            );
        }
    }
}
