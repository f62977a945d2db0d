//! Puts what was found in a file into the order of a dataset: rows of its tables, in batches, and
//! contests as files.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::mpsc::Receiver;

use ranklore_contest::{Beside, Contest, Entrant, Known, Outcome, ResultState, UnixSeconds};
use ranklore_store::{
    CompetitorId, ContestRow, ContestState, PublishedRating, PublishedStanding, RunRow,
};

use crate::Error;
use crate::batch::{Batch, Value};
use crate::dictionary::TableId;
use crate::naming::Published;
use crate::piece::{Emit, Part, Piece};
use crate::selection::Selection;

/// What was found in a file, in the order of a dataset as far as sources and contests go.
pub(crate) enum Found {
    /// What follows is of this source.
    Source(Arc<str>),
    /// Contests of the source.
    Contests(Vec<FoundContest>),
    /// Everybody who came up in them, as rows.
    Competitors(Batch),
}

/// A row, and whose it is.
pub(crate) type Of<T> = (Arc<Published>, T);

/// A contest and all that goes with it.
pub(crate) struct FoundContest {
    pub(crate) row: ContestRow,
    /// By competitor id.
    pub(crate) standings: Vec<Of<PublishedStanding>>,
    /// By id of the team, in the order that was published.
    pub(crate) members: Vec<(CompetitorId, Arc<Published>)>,
    /// Of each of the runs, by competitor id.
    pub(crate) ratings: Vec<Vec<Of<PublishedRating>>>,
}

/// Arranges all that is found, with contests as `files` if these are wanted.
pub(crate) fn arrange(
    selection: &Selection,
    files: bool,
    found: &Receiver<Found>,
    emit: Emit<'_>,
) -> Result<(), Error> {
    let mut out = Out {
        part: Part::WHOLE,
        batches: TableId::ALL.map(Batch::new),
        emit,
    };
    put_runs(&selection.runs, &mut out)?;
    let mut source = Source {
        name: "".into(),
        met: None,
    };
    for found in found {
        match found {
            Found::Source(name) => {
                source = Source {
                    name,
                    met: files.then(HashSet::new),
                };
            }
            Found::Contests(contests) => {
                for contest in contests {
                    let ends_at = contest.row.ends_at.unwrap_or_default();
                    out.at(source.part(selection.by_year.then(|| year_of(ends_at))))?;
                    source.put(contest, &mut out)?;
                }
            }
            Found::Competitors(rows) => {
                out.at(source.part(None))?;
                out.rows(rows)?;
            }
        }
    }
    out.flush()
}

/// Finishers by place, before all others.
pub(crate) const fn order(outcome: Outcome) -> u32 {
    match outcome.place() {
        Some(place) => place.get(),
        None => u32::MAX,
    }
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
            self.rows(full)?;
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
            let rest = std::mem::replace(batch, Batch::new(table));
            self.rows(rest)?;
        }
        Ok(())
    }

    /// Rows that follow on those that went before.
    fn rows(&mut self, rows: Batch) -> Result<(), Error> {
        if rows.rows == 0 {
            return Ok(());
        }
        (self.emit)(Piece::Rows(self.part.clone(), rows))
    }
}

fn put_runs(runs: &[RunRow], out: &mut Out<'_>) -> Result<(), Error> {
    for (index, run) in runs.iter().enumerate() {
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
    out.flush()
}

/// Rows in the order of a number, then of whose they are. Most are told apart by numbers alone, so
/// these lie side by side.
fn in_order<T>(rows: &[Of<T>], number: impl Fn(&T) -> u32) -> Vec<&Of<T>> {
    let keyed = rows.iter().map(|row| (number(&row.1), row.0.prefix, row));
    let mut keyed: Vec<_> = keyed.collect();
    keyed.sort_unstable_by(|a, b| ((a.0, a.1).cmp(&(b.0, b.1))).then_with(|| a.2.0.order(&b.2.0)));
    keyed.into_iter().map(|(_, _, row)| row).collect()
}

/// The source whose contests come.
struct Source {
    name: Arc<str>,
    /// Who was in a contest file already, if these are wanted.
    met: Option<HashSet<CompetitorId>>,
}

impl Source {
    fn part(&self, year: Option<i16>) -> Part {
        Part {
            source: Some(Arc::clone(&self.name)),
            year,
        }
    }

    fn put(&mut self, found: FoundContest, out: &mut Out<'_>) -> Result<(), Error> {
        let FoundContest {
            row,
            standings,
            members,
            ratings,
        } = found;
        let standings = in_order(&standings, |of| order(of.outcome));
        let teams = teams(&standings, &members);
        self.put_contest(&row, standings.len(), out)?;
        self.put_standings(&row, &standings, out)?;
        self.put_members(&row, &standings, &teams, out)?;
        self.put_file(&row, &standings, &teams, out)?;
        self.put_ratings(&row, &ratings, out)
    }

    fn put_contest(
        &self,
        contest: &ContestRow,
        entrants: usize,
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        let integer = |value: usize| Value::Integer(value as i64);
        out.push(
            TableId::Contest,
            &[
                Value::Text(&self.name),
                Value::Text(&contest.external_id),
                Value::Text(&contest.name),
                Value::text(contest.event.as_deref()),
                Value::text(contest.division.as_deref()),
                Value::integer(contest.ordinal),
                Value::text(contest.url.as_deref()),
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
        standings: &[&Of<PublishedStanding>],
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

    fn put_members(
        &self,
        contest: &ContestRow,
        standings: &[&Of<PublishedStanding>],
        teams: &[Team<'_>],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        for ((team, _), members) in standings.iter().zip(teams) {
            for (index, (_, person)) in members.iter().enumerate() {
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
        standings: &[&Of<PublishedStanding>],
        teams: &[Team<'_>],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        let Some(met) = &mut self.met else {
            return Ok(());
        };
        let mut competitors = Vec::new();
        let standing = standings.iter().map(|(of, _)| of);
        let in_teams = teams.iter().copied().flatten().map(|(_, of)| of);
        for of in standing.chain(in_teams) {
            meet(of, met, &mut competitors);
        }
        let seconds = |at: Option<i64>| at.and_then(UnixSeconds::new);
        let entrants = standings.iter().zip(teams);
        let entrants = entrants.map(|((of, standing), members)| Entrant {
            competitor: of.key.clone(),
            kind: of.kind,
            outcome: standing.outcome,
            score: standing.score,
            penalty: standing.penalty,
            members: members.iter().map(|(_, of)| of.key.clone()).collect(),
        });
        let contest = Contest {
            external_id: row.external_id.clone(),
            name: row.name.clone(),
            event: row.event.clone(),
            division: row.division.clone(),
            ordinal: row.ordinal,
            url: row.url.clone(),
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

    fn put_ratings(
        &self,
        contest: &ContestRow,
        ratings: &[Vec<Of<PublishedRating>>],
        out: &mut Out<'_>,
    ) -> Result<(), Error> {
        for (index, ratings) in ratings.iter().enumerate() {
            for (of, row) in in_order(ratings, |_| 0) {
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
}

type Team<'m> = &'m [(CompetitorId, Arc<Published>)];

/// Who stands in each of the standings, as published; nobody in those of persons.
fn teams<'m>(standings: &[&Of<PublishedStanding>], members: Team<'m>) -> Vec<Team<'m>> {
    let team = |(_, standing): &&Of<PublishedStanding>| {
        let id = standing.competitor_id;
        let first = members.partition_point(|(team, _)| *team < id);
        let of_team = members[first..].partition_point(|(team, _)| *team == id);
        &members[first..first + of_team]
    };
    standings.iter().map(team).collect()
}

/// Notes what is known of somebody who comes up for the first time, and of whom they count as.
fn meet(of: &Published, met: &mut HashSet<CompetitorId>, into: &mut Vec<Known>) {
    if !met.insert(of.id) {
        return;
    }
    if let Some(root) = &of.counts_as {
        meet(root, met, into);
    }
    let known = Known {
        kind: of.kind,
        competitor: of.key.clone(),
        name: of.name.clone().filter(|name| *name != of.key),
        start: of.start,
        merged_into: of.counts_as.as_ref().map(|root| root.key.clone()),
    };
    if known.name.is_some() || known.start.is_some() || known.merged_into.is_some() {
        into.push(known);
    }
}
