//! What is published of a file, as rows in the order of a dataset. Memory holds one contest and
//! the rows that go together, however many results there are; and, of a source, its contests and a bit
//! for each competitor, under pseudonyms and numbers what each is called.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::Arc;

use ranklore_contest::{
    Beside, Contest, Entrant, Known, Outcome, ResultState, SourceName, UnixSeconds,
};
use ranklore_store::{
    CompetitorId, ContestRow, ContestState, Member, PublishedStanding, RunRow, SourceId, Store,
};

use crate::Error;
use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::naming::{Names, Naming, Published};

/// What to publish.
#[derive(Clone, Debug)]
pub struct Selection {
    /// These sources, each with what its competitors are called.
    pub sources: Vec<(SourceName, Naming)>,
    /// Contests whose result stood at this time or later.
    pub since: Option<UnixSeconds>,
    /// The ratings of these runs.
    pub runs: Vec<RunRow>,
    /// A part for every year, and not only for every source.
    pub by_year: bool,
}

/// Which part of a table rows are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// Of which source; of all that is no source's, none.
    pub(crate) source: Option<Arc<str>>,
    /// In which year, in UTC, the results stood, where that matters.
    pub(crate) year: Option<i16>,
}

impl Part {
    pub(crate) const WHOLE: Self = Self {
        source: None,
        year: None,
    };
}

/// Something on its way into a dataset.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    /// Rows of one part of a table, which follow on those of it that came before.
    Rows(Part, Batch),
    /// A contest as a file in the form of Elo-MMR, of this source.
    File(Arc<str>, String),
}

/// What takes the pieces.
pub(crate) type Emit<'e> = &'e mut dyn FnMut(Piece) -> Result<(), Error>;

/// Hands over everything that is published: the rows of each table in their order, those of
/// different tables in turns, and, if they are wanted, contests as files.
pub(crate) fn gather(
    store: &Store,
    selection: &Selection,
    files: bool,
    emit: Emit<'_>,
) -> Result<(), Error> {
    let mut out = Out {
        part: Part::WHOLE,
        batches: TableId::ALL.map(Batch::new),
        emit,
    };
    for (index, run) in selection.runs.iter().enumerate() {
        out.push(
            TableId::RatingRun,
            &[
                Value::Integer(index as i64 + 1),
                Value::Text(&run.system),
                Value::Text(&run.parameters),
                Value::Text(&run.selection),
                Value::Text(&run.engine),
            ],
        )?;
    }
    out.flush()?;
    let mut sources = selection.sources.clone();
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    for (name, naming) in sources {
        let Some(source_id) = store.source_id(&name)? else {
            continue;
        };
        let mut contests = store.contests_of(source_id)?;
        contests.retain(|contest| is_published(contest, selection.since));
        if contests.is_empty() {
            continue;
        }
        let mut source = Source {
            name: name.as_str().into(),
            names: Names::new(store, naming),
            naming,
            store,
            runs: &selection.runs,
            met: files.then(HashSet::new),
        };
        for contest in &contests {
            out.at(Part {
                source: Some(Arc::clone(&source.name)),
                year: (selection.by_year).then(|| year_of(contest.ends_at.unwrap_or_default())),
            })?;
            source.contest(contest, &mut out)?;
        }
        out.at(Part {
            source: Some(Arc::clone(&source.name)),
            year: None,
        })?;
        source.competitors(source_id, &mut out)?;
        out.flush()?;
    }
    Ok(())
}

/// Whether a contest has a result that is published. One that its source has no more, or does not
/// let be read, is not.
fn is_published(contest: &ContestRow, since: Option<UnixSeconds>) -> bool {
    use ContestState::{Final, Provisional, Unrated};
    matches!(contest.state, Provisional | Final | Unrated)
        && contest.entrants > 0
        && (contest.ends_at).is_some_and(|at| since.is_none_or(|since| at >= since.get()))
}

/// Whether it counts, as far as source and people say.
const fn is_rated(contest: &ContestRow) -> bool {
    contest.rated && contest.withdrawn_at.is_none()
}

fn year_of(seconds: i64) -> i16 {
    jiff::Timestamp::from_second(seconds)
        .map_or(1970, |at| at.to_zoned(jiff::tz::TimeZone::UTC).year())
}

/// Rows on their way out.
struct Out<'e> {
    part: Part,
    batches: [Batch; TableId::ALL.len()],
    emit: Emit<'e>,
}

impl Out<'_> {
    fn push(&mut self, table: TableId, row: &[Value<'_>]) -> Result<(), Error> {
        let batch = &mut self.batches[table.index()];
        batch.push(row);
        if batch.is_full() {
            let full = std::mem::replace(batch, Batch::new(table));
            (self.emit)(Piece::Rows(self.part.clone(), full))?;
        }
        Ok(())
    }

    /// What follows is in this part.
    fn at(&mut self, part: Part) -> Result<(), Error> {
        if part != self.part {
            self.flush()?;
            self.part = part;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<(), Error> {
        for table in TableId::ALL {
            let batch = &mut self.batches[table.index()];
            if batch.rows > 0 {
                let rest = std::mem::replace(batch, Batch::new(table));
                (self.emit)(Piece::Rows(self.part.clone(), rest))?;
            }
        }
        Ok(())
    }
}

/// Rows in the order of a number, then of whose they are. Most are told apart by numbers alone, so
/// these lie side by side.
fn in_order<T>(
    rows: impl Iterator<Item = Result<(u32, Rc<Published>, T), Error>>,
) -> Result<Vec<(Rc<Published>, T)>, Error> {
    let keyed = rows.map(|row| row.map(|(first, of, row)| ((first, of.prefix), of, row)));
    let mut rows = keyed.collect::<Result<Vec<_>, Error>>()?;
    rows.sort_unstable_by(|(a, of_a, _), (b, of_b, _)| a.cmp(b).then_with(|| of_a.order(of_b)));
    Ok(rows.into_iter().map(|(_, of, row)| (of, row)).collect())
}

/// One source on its way out.
struct Source<'s> {
    name: Arc<str>,
    naming: Naming,
    names: Names<'s>,
    store: &'s Store,
    runs: &'s [RunRow],
    /// Who was in a contest file already, if these are wanted.
    met: Option<HashSet<CompetitorId>>,
}

/// Finishers by place, before all others.
const fn order(outcome: Outcome) -> u32 {
    match outcome.place() {
        Some(place) => place.get(),
        None => u32::MAX,
    }
}

impl Source<'_> {
    fn contest(&mut self, contest: &ContestRow, out: &mut Out<'_>) -> Result<(), Error> {
        let id = contest.contest_id;
        let standings = self.store.published_standings(id)?;
        let together = standings.iter();
        self.names
            .meet(together.map(|of| (order(of.outcome), of.competitor_id)))?;
        let standings = in_order(
            (standings.into_iter())
                .map(|of| Ok((order(of.outcome), self.names.of(of.competitor_id)?, of))),
        )?;
        self.put_contest(contest, standings.len(), out)?;
        self.put_standings(contest, &standings, out)?;
        let members = self.store.members_in(id)?;
        let teams = self.teams(&standings, &members)?;
        self.put_members(contest, &standings, &teams, out)?;
        self.put_file(contest, &standings, &teams, out)?;
        self.put_ratings(contest, out)
    }

    fn put_contest(
        &self,
        contest: &ContestRow,
        entrants: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        let integer = |value: usize| Value::Integer(value as i64);
        // Where nobody is to be named, the page that names them all is left out, too.
        let url = contest.url.as_deref();
        let url = url.filter(|_| self.naming != Naming::Numbers);
        out.push(
            TableId::Contest,
            &[
                Value::Text(&self.name),
                Value::Text(&contest.external_id),
                Value::Text(&contest.name),
                Value::text(contest.event.as_deref()),
                Value::text(contest.division.as_deref()),
                Value::integer(contest.ordinal),
                Value::text(url),
                Value::time(contest.starts_at),
                Value::time(contest.ends_at),
                Value::Text(contest.state.as_str()),
                Value::Boolean(is_rated(contest)),
                Value::Number(contest.weight),
                Value::number(contest.site_weight),
                Value::number(contest.performance_ceiling),
                integer(entrants),
            ],
        )
    }

    fn put_standings(
        &self,
        contest: &ContestRow,
        standings: &[(Rc<Published>, PublishedStanding)],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        for (of, standing) in standings {
            let place = standing.outcome.place();
            out.push(
                TableId::Standing,
                &[
                    Value::Text(&self.name),
                    Value::Text(&contest.external_id),
                    Value::Text(of.kind.as_str()),
                    Value::Text(&of.key),
                    Value::integer(place.map(|place| place.get().into())),
                    Value::number(standing.score),
                    Value::number(standing.penalty),
                    Value::text(standing.outcome.status()),
                ],
            )?;
        }
        Ok(())
    }

    /// Who stands in each of the standings, as published; nobody in those of persons.
    fn teams(
        &mut self,
        standings: &[(Rc<Published>, PublishedStanding)],
        members: &[Member],
    ) -> Result<Vec<Vec<Rc<Published>>>, Error> {
        let team = |standing: &PublishedStanding| {
            // Members come by team, in the order that was published.
            let id = standing.competitor_id;
            let first = members.partition_point(|member| member.competitor_id < id);
            let of_team = members[first..].iter();
            of_team.take_while(move |member| member.competitor_id == id)
        };
        (standings.iter())
            .map(|(_, standing)| {
                team(standing)
                    .map(|member| self.names.of(member.person_id))
                    .collect()
            })
            .collect()
    }

    fn put_members(
        &self,
        contest: &ContestRow,
        standings: &[(Rc<Published>, PublishedStanding)],
        teams: &[Vec<Rc<Published>>],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        for ((team, _), members) in standings.iter().zip(teams) {
            for (index, person) in members.iter().enumerate() {
                out.push(
                    TableId::Member,
                    &[
                        Value::Text(&self.name),
                        Value::Text(&contest.external_id),
                        Value::Text(team.kind.as_str()),
                        Value::Text(&team.key),
                        Value::Integer(index as i64 + 1),
                        Value::Text(&person.key),
                    ],
                )?;
            }
        }
        Ok(())
    }

    /// The contest as a file, with what is known of whoever is in none before.
    fn put_file(
        &mut self,
        row: &ContestRow,
        standings: &[(Rc<Published>, PublishedStanding)],
        teams: &[Vec<Rc<Published>>],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        let Some(mut met) = self.met.take() else {
            return Ok(());
        };
        let mut competitors = Vec::new();
        let everybody = standings.iter().map(|(of, _)| of);
        for of in everybody.chain(teams.iter().flatten()) {
            self.meet(of, &mut met, &mut competitors)?;
        }
        self.met = Some(met);
        let seconds = |at: Option<i64>| at.and_then(UnixSeconds::new);
        let entrants = standings.iter().zip(teams);
        let entrants = entrants.map(|((of, standing), members)| Entrant {
            competitor: of.key.clone(),
            kind: of.kind,
            outcome: standing.outcome,
            score: standing.score,
            penalty: standing.penalty,
            members: members.iter().map(|person| person.key.clone()).collect(),
        });
        let contest = Contest {
            external_id: row.external_id.clone(),
            name: row.name.clone(),
            event: row.event.clone(),
            division: row.division.clone(),
            ordinal: row.ordinal,
            url: row.url.clone().filter(|_| self.naming != Naming::Numbers),
            starts_at: seconds(row.starts_at),
            ends_at: seconds(row.ends_at).unwrap_or(UnixSeconds::MIN),
            weight: row.weight,
            site_weight: row.site_weight,
            performance_ceiling: row.performance_ceiling,
            entrants: entrants.collect(),
        };
        let beside = Beside {
            state: match row.state {
                ContestState::Provisional => ResultState::Provisional,
                ContestState::Unrated => ResultState::Unrated,
                _ => ResultState::Final,
            },
            rated: is_rated(row),
            competitors,
        };
        let json = contest.to_json_with(&beside);
        (out.emit)(Piece::File(Arc::clone(&self.name), json))
    }

    /// Notes what is known of somebody who comes up for the first time, and of whom they count as.
    fn meet(
        &mut self,
        of: &Published,
        met: &mut HashSet<CompetitorId>,
        into: &mut Vec<Known>,
    ) -> Result<(), Error> {
        if !met.insert(of.row.competitor.competitor_id) {
            return Ok(());
        }
        let root = match of.row.counts_as {
            Some(root) => {
                let root = self.names.of(root)?;
                self.meet(&root, met, into)?;
                Some(root.key.clone())
            }
            None => None,
        };
        let known = Known {
            kind: of.kind,
            competitor: of.key.clone(),
            name: of.name.clone().filter(|name| *name != of.key),
            start: of.row.competitor.start,
            merged_into: root,
        };
        if known.name.is_some() || known.start.is_some() || known.merged_into.is_some() {
            into.push(known);
        }
        Ok(())
    }

    fn put_ratings(&mut self, contest: &ContestRow, out: &mut Out<'_>) -> Result<(), Error> {
        for (index, run) in self.runs.iter().enumerate() {
            let mut ratings = self
                .store
                .published_ratings(run.run_id, contest.contest_id)?;
            // Of those who stand nowhere, by now, not even an older run tells.
            ratings.retain(|of| self.names.is_seen(of.rating.competitor_id));
            let ratings = in_order(
                (ratings.into_iter())
                    .map(|of| Ok((0, self.names.of(of.rating.competitor_id)?, of))),
            )?;
            for (of, row) in &ratings {
                out.push(
                    TableId::Rating,
                    &[
                        Value::Text(&self.name),
                        Value::Text(&contest.external_id),
                        Value::Integer(index as i64 + 1),
                        Value::Text(of.kind.as_str()),
                        Value::Text(&of.key),
                        Value::Number(row.rating.mu),
                        Value::Number(row.rating.sigma),
                        Value::number(row.rating.performance),
                        Value::number(row.rating.volatility),
                        Value::number(row.mu_before),
                    ],
                )?;
            }
        }
        Ok(())
    }

    fn competitors(&mut self, source_id: SourceId, out: &mut Out<'_>) -> Result<(), Error> {
        let name = Arc::clone(&self.name);
        self.names.for_each_seen(source_id, |of, merged_into| {
            let start = of.row.competitor.start;
            out.push(
                TableId::Competitor,
                &[
                    Value::Text(&name),
                    Value::Text(of.kind.as_str()),
                    Value::Text(&of.key),
                    Value::text(of.name.as_deref()),
                    Value::number(start.map(|start| start.mu)),
                    Value::number(start.and_then(|start| start.sigma)),
                    Value::text(merged_into),
                ],
            )
        })
    }
}
