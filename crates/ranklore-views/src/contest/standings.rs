//! The standings of a contest with predictions, in 64 bytes per entrant: a contest can have a
//! million.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use ranklore_contest::{EntrantOutcome, Side};
use ranklore_rating::Belief;
use ranklore_rating::metrics::{self, Accuracy, Prediction, Slice};
use ranklore_store::{CompetitorId, ContestId, ContestRow, RatingRow, RunId, Store, TeamMember};

use crate::contest::ContestEntry;
use crate::contest::ratings_before::{CHUNK_ENTRANTS, RatingsBefore};
use crate::contest::upsets::PredictedEntrant;
use ranklore_replay::{
    Error, Identities, RatedTeam, System, TeamMode, load_rated_teams, rank, sum_ratings,
};

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
    /// True if the entrant has the first move or plays at home.
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

    /// Returns the rating, with the advantage of a side, that predicts the place; `None` for
    /// newcomers.
    fn rating_before(&self) -> Option<f64> {
        let mu = self.mu_before.filter(|_| self.rated_before)?;
        Some(mu + self.advantage)
    }
}

/// Returns the rows that count.
fn counted<'r>(
    rows: impl IntoIterator<Item = &'r StandingsRow>,
) -> impl Iterator<Item = &'r StandingsRow> {
    rows.into_iter().filter(|row| row.counted)
}

/// Returns the competitors whose ratings are those of an entrant: the members of its team that count,
/// if the run rates members, else the entrant.
fn people_of(
    members: &HashMap<CompetitorId, Vec<StandingsRow>>,
    row: &StandingsRow,
) -> impl Iterator<Item = CompetitorId> {
    let members = members.get(&row.competitor_id);
    let individual = members.is_none().then_some(row.counts_as);
    let members = counted(members.into_iter().flatten()).map(|member| member.counts_as);
    individual.into_iter().chain(members)
}

/// All rows of a contest, by place; then entrants that did not finish, then disqualified ones.
pub(crate) struct Standings {
    pub(crate) entrants: Vec<StandingsRow>,
    /// The members of each team, if the run rates members.
    members: HashMap<CompetitorId, Vec<StandingsRow>>,
}

impl Standings {
    /// Loads the standings of a contest; `rated` are the competitors that the run rates in it.
    pub(crate) fn load(
        store: &Store,
        contest: &ContestRow,
        identities: &Identities,
        rated: &HashSet<CompetitorId>,
    ) -> Result<Self, Error> {
        // An account that was merged after the run counted for itself in it.
        let counts_as = |account| {
            if rated.contains(&account) {
                account
            } else {
                identities.resolve(account)
            }
        };
        let mut entrants = Vec::with_capacity(contest.entrants as usize);
        store.for_each_result(contest.contest_id, |result| {
            let counts_as = counts_as(result.competitor_id);
            entrants.push(StandingsRow {
                has_advantage: result.side.is_some_and(Side::has_advantage),
                ..StandingsRow::new(result.competitor_id, counts_as, result.outcome)
            });
        })?;
        entrants.sort_unstable_by_key(|row| {
            (rank(row.outcome), row.outcome.status(), row.competitor_id)
        });
        let mut standings = Self {
            entrants,
            members: HashMap::new(),
        };
        if identities.has_merges() {
            standings.mark_accounts();
        }
        if identities.teams == TeamMode::Members {
            let entrants = standings.entrants.iter();
            let ranks = entrants.map(|row| (row.competitor_id, rank(row.outcome)));
            let teams = load_rated_teams(store, contest.contest_id, ranks, counts_as)?;
            let members = store.members_of_contest(contest.contest_id)?;
            standings.assign_teams(&members, &teams, counts_as);
        }
        Ok(standings)
    }

    /// Marks the rows that count. Of several accounts of one competitor the best counts, as in a
    /// replay.
    fn mark_accounts(&mut self) {
        let mut best_accounts = HashMap::new();
        // Unfinished entrants have no order: of their accounts the one with the lower id counts.
        let mut by_rank: Vec<&mut StandingsRow> = self.entrants.iter_mut().collect();
        by_rank.sort_unstable_by_key(|row| (rank(row.outcome), row.competitor_id));
        for row in by_rank {
            let best = best_accounts.entry(row.counts_as);
            row.counts_in = *best.or_insert(row.competitor_id);
            row.counted = row.counts_in == row.competitor_id;
        }
    }

    /// Puts members into their teams, and marks the rows that count, as in a replay.
    fn assign_teams(
        &mut self,
        members: &[TeamMember],
        teams: &[RatedTeam],
        counts_as: impl Fn(CompetitorId) -> CompetitorId,
    ) {
        let counts_in: HashMap<CompetitorId, CompetitorId> = teams
            .iter()
            .flat_map(|team| team.people.iter().map(|&person| (person, team.account)))
            .collect();
        let mut people_by_team: HashMap<CompetitorId, Vec<CompetitorId>> = HashMap::new();
        for member in members {
            let people = people_by_team.entry(member.competitor_id).or_default();
            people.push(member.person_id);
        }
        for row in &mut self.entrants {
            let team = row.competitor_id;
            let Some(people) = people_by_team.remove(&team) else {
                row.counts_in = counts_in.get(&row.counts_as).copied().unwrap_or(team);
                row.counted = row.counts_in == team;
                continue;
            };
            // Only the members of a team count, also if the team was merged into another.
            row.counts_as = team;
            row.counts_in = team;
            let mut counted_people = HashSet::new();
            let members = people.into_iter().map(|person| {
                let mut member = StandingsRow::new(person, counts_as(person), row.outcome);
                member.counts_in = counts_in.get(&member.counts_as).copied().unwrap_or(team);
                // A member that is listed twice counts once.
                member.counted =
                    member.counts_in == team && counted_people.insert(member.counts_as);
                member
            });
            let members: Vec<StandingsRow> = members.collect();
            row.counted = counted(&members).next().is_some();
            self.members.insert(team, members);
        }
    }

    /// Returns the competitors whose ratings before the contest count.
    pub(crate) fn counted_competitors(&self) -> Vec<CompetitorId> {
        let members = self.members.values().flatten();
        counted(self.entrants.iter().chain(members)).map(|row| row.counts_as).collect()
    }

    /// Sets the ratings before the contest; `newcomer` is that of competitors without one.
    pub(crate) fn set_ratings_before(
        &mut self,
        before: &RatingsBefore<'_>,
        newcomer: Option<f64>,
    ) -> Result<(), Error> {
        for rows in self.entrants.chunks_mut(CHUNK_ENTRANTS) {
            let people: Vec<CompetitorId> =
                counted(&*rows).flat_map(|row| people_of(&self.members, row)).collect();
            let ratings_before = before.ratings_of(&people)?;
            let mu_before = |person: CompetitorId| match ratings_before.get(&person) {
                Some(rating) => Some(rating.mu),
                None => before.starting_rating(person).map_or(newcomer, |start| Some(start.mu)),
            };
            for row in rows.iter_mut().filter(|row| row.counted) {
                let Some(members) = self.members.get_mut(&row.competitor_id) else {
                    row.rated_before = ratings_before.contains_key(&row.counts_as);
                    row.mu_before = mu_before(row.counts_as);
                    continue;
                };
                for member in members.iter_mut().filter(|member| member.counted) {
                    member.rated_before = ratings_before.contains_key(&member.counts_as);
                    member.mu_before = mu_before(member.counts_as);
                }
                row.rated_before = counted(&*members).all(|member| member.rated_before);
                let member_ratings: Option<Vec<f64>> =
                    counted(&*members).map(|member| member.mu_before).collect();
                row.mu_before = member_ratings.map(|ratings| sum_ratings(ratings.into_iter()));
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

    /// True if an entrant has a rating after the contest: if `rated` contains it, or all members of
    /// a team that count.
    pub(crate) fn is_rated(&self, rated: &HashSet<CompetitorId>) -> bool {
        counted(&self.entrants)
            .any(|row| people_of(&self.members, row).all(|person| rated.contains(&person)))
    }

    /// Returns the probability that the system gave to the result of two entrants; `None` if more
    /// or fewer count, if their order is unknown, and for a tie in a system without ties.
    pub(crate) fn result_probability(
        &self,
        before: &RatingsBefore<'_>,
        system: &System,
        newcomer_mu: Option<f64>,
    ) -> Result<Option<f64>, Error> {
        let rows: Vec<&StandingsRow> = counted(&self.entrants).collect();
        let [first, second] = rows[..] else {
            return Ok(None);
        };
        let mut newcomer = system.rating.belief(u32::MAX);
        newcomer.mu = newcomer_mu.unwrap_or(newcomer.mu);
        let mut beliefs = Vec::with_capacity(2);
        for row in rows {
            let people: Vec<CompetitorId> = people_of(&self.members, row).collect();
            let ratings = before.ratings_of(&people)?;
            let members = people.iter().map(|person| match ratings.get(person) {
                Some(belief) => *belief,
                None => before.starting_rating(*person).map_or(newcomer, |start| {
                    let sigma = start.sigma.unwrap_or(newcomer.variance.sqrt());
                    Belief::new(start.mu, sigma)
                }),
            });
            let mut entrant = Belief::from_members(members);
            entrant.mu += row.advantage;
            beliefs.push(entrant);
        }
        let model = system.rating.win_model();
        let chances = model.win_probability(beliefs[0], beliefs[1]);
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
        let entrants = self.entrants.iter();
        let mut ratings: Vec<f64> = entrants.filter_map(StandingsRow::rating_before).collect();
        ratings.sort_unstable_by(|a, b| b.total_cmp(a));
        for row in &mut self.entrants {
            let rating = row.rating_before();
            row.predicted =
                rating.map(|mu| ratings.partition_point(|&rating| rating > mu) as u32 + 1);
        }
        ratings.len()
    }

    /// Returns the accuracy of the predictions of this contest alone, by the rules of evaluations.
    pub(crate) fn accuracy(&self) -> Accuracy {
        let mut prediction = Prediction::default();
        let mut last = None;
        for row in counted(&self.entrants) {
            let rank = rank(row.outcome);
            if last.replace(rank).is_some_and(|last| last != rank) {
                prediction.groups.push(prediction.beliefs.len() as u32);
            }
            let mu = row.mu_before.unwrap_or(0.0) + row.advantage;
            prediction.beliefs.push(Belief::new(mu, 0.0));
            prediction.earlier.push(u32::from(row.predicted.is_some()));
        }
        prediction.groups.push(prediction.beliefs.len() as u32);
        prediction.finishers = prediction.beliefs.len() as u32;
        metrics::evaluate_contest(&prediction, &Slice::everybody(), None, 0)
    }

    /// Returns the entrants with a predicted place.
    pub(crate) fn predicted_entrants(&self) -> Vec<PredictedEntrant> {
        self.entrants
            .iter()
            .zip(0..)
            .filter_map(|(row, entry)| {
                Some(PredictedEntrant {
                    entry,
                    rank: rank(row.outcome),
                    predicted: row.predicted?,
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
        let entry = |row: &StandingsRow| ContestEntry {
            competitor_id: row.competitor_id,
            outcome: row.outcome,
            counts_as: row.counts_as,
            counted: row.counted,
            counts_in: row.counts_in,
            counts_in_team: self.members.contains_key(&row.counts_in),
            rated_before: row.rated_before,
            predicted: row.predicted,
            mu_before: row.mu_before,
            after: after.get(&row.counts_as).copied().filter(|_| row.counted),
            members: Vec::new(),
        };
        let entries = rows.iter().map(|row| match self.members.get(&row.competitor_id) {
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
        let members = rows.iter().filter_map(|row| self.members.get(&row.competitor_id));
        let rows = rows.iter().copied().chain(members.flatten());
        let keys = counted(rows).map(|row| (contest, row.counts_as));
        let after = store.ratings_at(run, keys)?.into_iter().flatten();
        Ok(after.map(|row| (row.competitor_id, row)).collect())
    }
}
