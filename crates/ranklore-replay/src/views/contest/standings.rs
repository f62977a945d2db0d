//! The standings of a contest with predictions, in 64 bytes per entrant: a contest can have a
//! million.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ranklore_contest::{EntrantOutcome, Side};
use ranklore_rating::Belief;
use ranklore_rating::metrics::{self, Accuracy, Prediction, Slice};
use ranklore_store::{CompetitorId, ContestId, ContestRow, RatingRow, RunId, Store, TeamMember};

use crate::error::Error;
use crate::runs::identities::Identities;
use crate::runs::systems::System;
use crate::runs::teams::{RatedTeam, TeamMode, load_rated_teams, rank, sum_ratings};
use crate::views::contest::ContestEntry;
use crate::views::contest::ratings_before::{CHUNK_ENTRANTS, RatingsBefore};
use crate::views::contest::upsets::PredictedEntrant;

/// A row of the standings, or a member of its team; the fields are those of [`ContestEntry`].
#[derive(Clone, Copy)]
pub(crate) struct StandingsRow {
    pub(crate) competitor_id: CompetitorId,
    pub(crate) outcome: EntrantOutcome,
    pub(crate) counted: bool,
    counts_as: CompetitorId,
    counts_in: CompetitorId,
    rated_before: bool,
    predicted: Option<u32>,
    mu_before: Option<f64>,
    /// True if it has the first move or plays at home.
    has_advantage: bool,
    /// Rating points that predictions add for that.
    advantage: f64,
}

impl StandingsRow {
    const fn new(
        competitor_id: CompetitorId,
        counts_as: CompetitorId,
        outcome: EntrantOutcome,
    ) -> Self {
        Self {
            competitor_id,
            outcome,
            counted: true,
            counts_as,
            counts_in: competitor_id,
            rated_before: false,
            predicted: None,
            mu_before: None,
            has_advantage: false,
            advantage: 0.0,
        }
    }
}

/// All rows of a contest, by place; then entrants that did not finish, then disqualified ones.
pub(crate) struct Standings {
    pub(crate) entrants: Vec<StandingsRow>,
    /// The members of each team, if the run rates members.
    members: HashMap<CompetitorId, Vec<StandingsRow>>,
}

impl Standings {
    /// Loads the standings of a contest; `after` are the competitors that the run rates in it.
    pub(crate) fn load(
        store: &Store,
        contest: &ContestRow,
        identities: &Identities,
        after: &HashSet<CompetitorId>,
    ) -> Result<Self, Error> {
        // An account that was merged after the run counted for itself in it.
        let counts_as = |account| {
            if after.contains(&account) {
                account
            } else {
                identities.resolve(account)
            }
        };
        let mut entrants = Vec::with_capacity(contest.entrants as usize);
        store.for_each_result(contest.contest_id, |of| {
            let counts_as = counts_as(of.competitor_id);
            entrants.push(StandingsRow {
                has_advantage: of.side.is_some_and(Side::has_advantage),
                ..StandingsRow::new(of.competitor_id, counts_as, of.outcome)
            });
        })?;
        entrants
            .sort_unstable_by_key(|of| (rank(of.outcome), of.outcome.status(), of.competitor_id));
        let mut standings = Self {
            entrants,
            members: HashMap::new(),
        };
        if identities.has_merges() {
            standings.mark_accounts();
        }
        if identities.teams == TeamMode::Members {
            let ranks = (standings.entrants.iter()).map(|of| (of.competitor_id, rank(of.outcome)));
            let crews = load_rated_teams(store, contest.contest_id, ranks, counts_as)?;
            let members = store.members_of_contest(contest.contest_id)?;
            standings.assign_teams(&members, &crews, counts_as);
        }
        Ok(standings)
    }

    /// Marks the rows that count. Of several accounts of one competitor the best counts, as in a
    /// replay.
    fn mark_accounts(&mut self) {
        let mut counted = HashMap::new();
        // Unfinished entrants have no order: of their accounts the one with the lower id counts.
        let mut by_rank: Vec<usize> = (0..self.entrants.len()).collect();
        by_rank.sort_unstable_by_key(|&index| {
            let of = &self.entrants[index];
            (rank(of.outcome), of.competitor_id)
        });
        for index in by_rank {
            let of = &mut self.entrants[index];
            of.counts_in = *counted.entry(of.counts_as).or_insert(of.competitor_id);
            of.counted = of.counts_in == of.competitor_id;
        }
    }

    /// Puts members into their teams, and marks the rows that count, as in a replay.
    fn assign_teams(
        &mut self,
        members: &[TeamMember],
        crews: &[RatedTeam],
        counts_as: impl Fn(CompetitorId) -> CompetitorId,
    ) {
        let counts_in: HashMap<CompetitorId, CompetitorId> = (crews.iter())
            .flat_map(|crew| crew.people.iter().map(|&person| (person, crew.account)))
            .collect();
        let mut seats: HashMap<CompetitorId, Vec<CompetitorId>> = HashMap::new();
        for member in members {
            (seats.entry(member.competitor_id).or_default()).push(member.person_id);
        }
        for row in &mut self.entrants {
            let team = row.competitor_id;
            let Some(people) = seats.remove(&team) else {
                row.counts_in = counts_in.get(&row.counts_as).copied().unwrap_or(team);
                row.counted = row.counts_in == team;
                continue;
            };
            // Only the members of a team count, also if the team was merged into another.
            (row.counts_as, row.counts_in) = (team, team);
            let mut seated = HashSet::new();
            let member = |person| {
                let mut member = StandingsRow::new(person, counts_as(person), row.outcome);
                member.counts_in = counts_in.get(&member.counts_as).copied().unwrap_or(team);
                // A member that is listed twice counts once.
                member.counted = member.counts_in == team && seated.insert(member.counts_as);
                member
            };
            let members: Vec<StandingsRow> = people.into_iter().map(member).collect();
            row.counted = members.iter().any(|member| member.counted);
            self.members.insert(team, members);
        }
    }

    /// Returns the competitors whose ratings before the contest count.
    pub(crate) fn counted_competitors(&self) -> Vec<CompetitorId> {
        let rows = self.entrants.iter();
        let rows = rows.chain(self.members.values().flatten());
        rows.filter(|of| of.counted)
            .map(|of| of.counts_as)
            .collect()
    }

    /// Sets the ratings before the contest; `newcomer` is that of competitors without one.
    pub(crate) fn set_ratings_before(
        &mut self,
        before: &RatingsBefore<'_>,
        newcomer: Option<f64>,
    ) -> Result<(), Error> {
        for rows in self.entrants.chunks_mut(CHUNK_ENTRANTS) {
            let rated: Vec<CompetitorId> = (rows.iter().filter(|row| row.counted))
                .flat_map(|row| {
                    let members = self.members.get(&row.competitor_id);
                    let alone = members.is_none().then_some(row.counts_as);
                    let members = members.into_iter().flatten().filter(|of| of.counted);
                    alone.into_iter().chain(members.map(|of| of.counts_as))
                })
                .collect();
            let known = before.ratings_of(&rated)?;
            let starts = before.identities;
            let mu = |of: CompetitorId| {
                let start = || starts.starting_rating(of).map(|start| start.mu);
                (known.get(&of).map(|of| of.mu)).or_else(start).or(newcomer)
            };
            for row in rows.iter_mut().filter(|row| row.counted) {
                let Some(members) = self.members.get_mut(&row.competitor_id) else {
                    row.rated_before = known.contains_key(&row.counts_as);
                    row.mu_before = mu(row.counts_as);
                    continue;
                };
                for of in members.iter_mut().filter(|of| of.counted) {
                    of.rated_before = known.contains_key(&of.counts_as);
                    of.mu_before = mu(of.counts_as);
                }
                let counted = || members.iter().filter(|of| of.counted);
                row.rated_before = counted().all(|of| of.rated_before);
                let all: Option<Vec<f64>> = counted().map(|of| of.mu_before).collect();
                row.mu_before = all.map(|all| sum_ratings(all.into_iter()));
            }
        }
        Ok(())
    }

    /// Sets the advantage of a side in a game of two, as in a replay.
    pub(crate) fn set_advantage(&mut self, points: f64) {
        if let [first, second] = &mut *self.entrants
            && first.has_advantage != second.has_advantage
        {
            let advantaged = if first.has_advantage { first } else { second };
            advantaged.advantage = points;
        }
    }

    /// True if an entrant has a rating after the contest: if `after` contains it, or all members of
    /// a team that count.
    pub(crate) fn is_rated(&self, after: &HashSet<CompetitorId>) -> bool {
        self.entrants
            .iter()
            .any(|row| match self.members.get(&row.competitor_id) {
                None => row.counted && after.contains(&row.counts_as),
                Some(members) => {
                    let mut counted = members.iter().filter(|of| of.counted);
                    row.counted && counted.all(|of| after.contains(&of.counts_as))
                }
            })
    }

    /// Returns the probability that the system gave to the result of two entrants; `None` if more
    /// or fewer count, if their order is unknown, and for a tie in a system without ties.
    pub(crate) fn result_probability(
        &self,
        before: &RatingsBefore<'_>,
        system: &System,
        newcomer_mu: Option<f64>,
    ) -> Result<Option<f64>, Error> {
        let counted: Vec<&StandingsRow> = self.entrants.iter().filter(|of| of.counted).collect();
        let [first, second] = counted[..] else {
            return Ok(None);
        };
        let mut beliefs = Vec::with_capacity(2);
        for row in [first, second] {
            let members = self.members.get(&row.competitor_id);
            let people = members.map_or_else(
                || vec![row.counts_as],
                |members| {
                    let counted = members.iter().filter(|of| of.counted);
                    counted.map(|of| of.counts_as).collect()
                },
            );
            let known = before.ratings_of(&people)?;
            let starts = before.identities;
            let newcomer = system.rating.belief(u32::MAX);
            let newcomer = Belief {
                mu: newcomer_mu.unwrap_or(newcomer.mu),
                ..newcomer
            };
            let belief = |person: &CompetitorId| match known.get(person) {
                Some(belief) => *belief,
                None => starts.starting_rating(*person).map_or(newcomer, |start| {
                    let sigma = start.sigma.unwrap_or(newcomer.variance.sqrt());
                    Belief::new(start.mu, sigma)
                }),
            };
            let mut entrant = Belief::from_members(people.iter().map(belief));
            entrant.mu += row.advantage;
            beliefs.push(entrant);
        }
        let chances = (system.rating.win_model()).win_probability(beliefs[0], beliefs[1]);
        Ok(match rank(first.outcome).cmp(&rank(second.outcome)) {
            Ordering::Less => Some(chances.above),
            // Rows are ordered by place.
            Ordering::Greater => None,
            Ordering::Equal if first.outcome.place().is_none() => None,
            Ordering::Equal => Some(chances.tied).filter(|tied| *tied > 0.0),
        })
    }

    /// Sets the predicted place of entrants rated before, and returns their number.
    pub(crate) fn predict_places(&mut self) -> usize {
        let rating = |of: &StandingsRow| {
            let mu = of.mu_before.filter(|_| of.rated_before)?;
            Some(mu + of.advantage)
        };
        let mut ratings: Vec<f64> = self.entrants.iter().filter_map(rating).collect();
        ratings.sort_unstable_by(|a, b| b.total_cmp(a));
        for of in &mut self.entrants {
            of.predicted =
                rating(of).map(|mu| ratings.partition_point(|&rating| rating > mu) as u32 + 1);
        }
        ratings.len()
    }

    /// Returns the accuracy of the predictions of this contest alone, by the rules of evaluations.
    pub(crate) fn accuracy(&self) -> Accuracy {
        let mut prediction = Prediction::default();
        let mut last = None;
        for of in self.entrants.iter().filter(|of| of.counted) {
            let rank = rank(of.outcome);
            if last.replace(rank).is_some_and(|last| last != rank) {
                prediction.groups.push(prediction.beliefs.len() as u32);
            }
            let mu = of.mu_before.unwrap_or(0.0) + of.advantage;
            prediction.beliefs.push(Belief::new(mu, 0.0));
            prediction.earlier.push(u32::from(of.predicted.is_some()));
        }
        prediction.groups.push(prediction.beliefs.len() as u32);
        prediction.finishers = prediction.beliefs.len() as u32;
        metrics::evaluate_contest(&prediction, &Slice::everybody(), None, 0)
    }

    /// Returns the entrants with a predicted place.
    pub(crate) fn predicted_entrants(&self) -> Vec<PredictedEntrant> {
        (self.entrants.iter().zip(0..))
            .filter_map(|(of, entry)| {
                Some(PredictedEntrant {
                    entry,
                    rank: rank(of.outcome),
                    predicted: of.predicted?,
                })
            })
            .collect()
    }

    /// Returns rows with their members, and their ratings after the contest in `run`.
    pub(crate) fn entries(
        &self,
        store: &Store,
        run: Option<(RunId, ContestId)>,
        rows: &[&StandingsRow],
    ) -> Result<Vec<ContestEntry>, Error> {
        let after = match run {
            Some((run, contest)) => self.load_ratings_after(store, run, contest, rows)?,
            None => HashMap::new(),
        };
        let entry = |of: &StandingsRow| ContestEntry {
            competitor_id: of.competitor_id,
            outcome: of.outcome,
            counts_as: of.counts_as,
            counted: of.counted,
            counts_in: of.counts_in,
            counts_in_team: self.members.contains_key(&of.counts_in),
            rated_before: of.rated_before,
            predicted: of.predicted,
            mu_before: of.mu_before,
            after: after.get(&of.counts_as).copied().filter(|_| of.counted),
            members: Vec::new(),
        };
        let entries = rows
            .iter()
            .map(|row| match self.members.get(&row.competitor_id) {
                None => entry(row),
                Some(members) => ContestEntry {
                    members: members.iter().map(entry).collect(),
                    after: None,
                    ..entry(row)
                },
            });
        Ok(entries.collect())
    }

    /// Loads the ratings after the contest of those who count in these rows.
    fn load_ratings_after(
        &self,
        store: &Store,
        run: RunId,
        contest: ContestId,
        rows: &[&StandingsRow],
    ) -> Result<HashMap<CompetitorId, RatingRow>, Error> {
        // Reading all rows of a contest is faster than looking up many of them.
        if rows.len() * 4 > self.entrants.len() {
            let mut after = HashMap::with_capacity(rows.len());
            store.for_each_rating_row(run, contest, |row| {
                after.insert(row.competitor_id, row);
            })?;
            return Ok(after);
        }
        let members = rows
            .iter()
            .filter_map(|row| self.members.get(&row.competitor_id));
        let counted = rows
            .iter()
            .copied()
            .chain(members.flatten())
            .filter(|of| of.counted);
        let keys = counted.map(|of| (contest, of.counts_as));
        let after = store.ratings_at(run, keys)?.into_iter().flatten();
        Ok(after.map(|row| (row.competitor_id, row)).collect())
    }
}
