//! Tables of one row per result.

use ranklore_contest::{ContestTime, Quoted, Side, format_plural};
use ranklore_replay::Weights;
use ranklore_store::TeamMember;

use super::contests::{ContestFacts, ContestRows};
use super::options::{ColumnChoice, ResultColumns, UNREAD_TIMES};
use super::{Results, SEPARATOR, local_name, to_id};
use crate::error::Failure;
use crate::table::names::{NO_NAME, Names};
use crate::table::values::{
    ABSENT, has_times, read_flags, read_integers, read_numbers, read_optional_numbers, read_ranks,
    read_sides, read_times,
};
use crate::table::{Column, Table};

const SECONDS_PER_DAY: i64 = 86_400;

/// Reads a table of one row per result.
pub(crate) fn read(table: &Table, columns: &ResultColumns) -> Result<Results, Failure> {
    // A column that only datasets have beside these tells that the names are those of datasets.
    let is_dataset = table.find("source")?.is_some()
        && table.find("ends_at")?.is_some()
        && table.find("state")?.is_some();
    let mut results = Results {
        is_dataset,
        ..Results::default()
    };
    let reader = LongReader { table, columns };
    if !is_dataset && table.find("division")?.is_some() {
        let message = "the table has a column \"division\", which is not read: join it to the name \
                       of the contest, as each division is a contest of its own, or drop it";
        return Err(Failure::new(message));
    }
    // These change which contests there are and count.
    for name in ["source", "state", "rated"] {
        if !is_dataset && table.find(name)?.is_some() {
            return Err(Failure::new(format!(
                "the table has a column \"{name}\", which is read only beside the others of a dataset \
                 (source, ends_at and state): select the rows that count, and drop it"
            )));
        }
    }
    let contest_rows = reader.read_contests(&mut results)?;
    let facts = reader.read_facts(&contest_rows, &mut results)?;
    facts.check(|index| results.contests.get(index as u32))?;
    let order = facts.replay_order(&results.contests, &results.events.0);
    results.rows = facts.to_rows(&order, &results.contests, &results.events.0);
    let event_of = |&contest: &u32| facts.events.as_ref().map_or(NO_NAME, |e| e[contest as usize]);
    results.events.1 = order.iter().map(event_of).collect();
    let left_out = contest_rows.first.len() - order.len();
    if left_out > 0 {
        results.notes.push(format!(
            "{} not rated by their source left out",
            format_plural(left_out as u64, "contest")
        ));
    }
    reader.read_standings(&contest_rows, &order, &mut results)?;
    Ok(results)
}

struct LongReader<'t> {
    table: &'t Table,
    columns: &'t ResultColumns,
}

impl<'t> LongReader<'t> {
    fn named(
        &self,
        name: &str,
        meaning: &'static str,
        results: &mut Results,
    ) -> Result<&'t Column, Failure> {
        let column = self.table.column(name)?;
        results.columns.push((meaning, name.to_owned()));
        Ok(column)
    }

    /// Returns a column that only datasets have.
    fn of_dataset(&self, name: &str, results: &Results) -> Result<Option<&'t Column>, Failure> {
        if results.is_dataset {
            self.table.find(name)
        } else {
            Ok(None)
        }
    }

    /// Reads the contest of each row.
    fn read_contests(&self, results: &mut Results) -> Result<ContestRows, Failure> {
        let column = self.named(&self.columns.contest, "contest", results)?;
        let mut names = Names::default();
        let of_row = if has_times(column) {
            let times = read_times(column)?;
            let name = |time| ContestTime::new(time).map(|time| time.to_string());
            times
                .into_iter()
                .map(|time| names.add(&name(time).unwrap_or_default()).0)
                .collect()
        } else {
            names.read(column)?
        };
        let of_row = if let Some(source) = self.of_dataset("source", results)? {
            qualify(&[source], &names, &of_row, &mut results.contests)?
        } else {
            results.contests = names;
            of_row
        };
        ContestRows::new(of_row, results.contests.len(), column)
    }

    fn read_facts(
        &self,
        rows: &ContestRows,
        results: &mut Results,
    ) -> Result<ContestFacts, Failure> {
        let table = self.table;
        let mut read = std::mem::take(&mut results.columns);
        let time = self.columns.time.find(table, "ends_at", &mut read)?;
        self.columns.time.check_unread(table, "ends_at", UNREAD_TIMES)?;
        self.check_weight()?;
        let weight = self.columns.weight.find(table, "weight", &mut read)?;
        let site_weight = ColumnChoice::Default.find(table, "site_weight", &mut read)?;
        let event = self.columns.event.find(table, "event", &mut read)?;
        let ordinal = self.columns.ordinal.find(table, "ordinal", &mut read)?;
        results.columns = read;
        let names = &results.contests;
        let of_dataset = |name| self.of_dataset(name, results);
        let mut events = Names::default();
        let mut are_rated = vec![true; rows.first.len()];
        if let Some(column) = of_dataset("rated")? {
            are_rated = rows.agreed(column, &read_flags(column)?, names)?;
        }
        if let Some(column) = of_dataset("state")? {
            let mut states = Names::default();
            let states_of_rows = rows.agreed(column, &states.read(column)?, names)?;
            for (is_rated, state) in are_rated.iter_mut().zip(states_of_rows) {
                *is_rated &=
                    state != NO_NAME && ["provisional", "final"].contains(&states.get(state));
            }
        }
        let optional = |column: Option<&Column>, meaning| {
            let values = column
                .map(|column| rows.agreed(column, &read_optional_numbers(column, meaning)?, names));
            values.transpose()
        };
        let facts = ContestFacts {
            ends_at: match time {
                Some(column) => rows.agreed(column, &read_times(column)?, names)?,
                None => self.number_contests(rows, names, ordinal)?,
            },
            weights: weight
                .map(|column| rows.agreed(column, &read_numbers(column, "weight")?, names))
                .transpose()?,
            site_weights: optional(site_weight, "weight")?,
            ceilings: optional(of_dataset("performance_ceiling")?, "ceiling")?,
            events: event
                .map(|column| rows.agreed(column, &events.read(column)?, names))
                .transpose()?,
            ordinals: ordinal
                .map(|column| rows.agreed(column, &read_integers(column, "ordinal")?, names))
                .transpose()?,
            are_rated,
            is_dataset: results.is_dataset,
        };
        results.is_numbered = time.is_none() && !self.are_contests_times()?;
        results.events.0 = events;
        Ok(facts)
    }

    /// Errors if the name of the column of weights is a value of the parameter of this name.
    fn check_weight(&self) -> Result<(), Failure> {
        let ColumnChoice::Named(name) = &self.columns.weight else {
            return Ok(());
        };
        if Weights::from_word(name).is_none() || self.table.find(name)?.is_some() {
            return Ok(());
        }
        Err(Failure::new(format!(
            "there is no column \"{name}\": weight= names the column of weights; set the parameter in \
             the name of the system, as in \"elo-mmr:weight={name}\""
        )))
    }

    fn are_contests_times(&self) -> Result<bool, Failure> {
        Ok(has_times(self.table.column(&self.columns.contest)?))
    }

    /// Returns the times of contests that are times or numbers themselves: a day apart from 1970, as
    /// `import --start` dates a table without dates.
    fn number_contests(
        &self,
        rows: &ContestRows,
        names: &Names,
        ordinal: Option<&Column>,
    ) -> Result<Vec<i64>, Failure> {
        let contest = self.table.column(&self.columns.contest)?;
        if rows.first.is_empty() {
            return Ok(Vec::new());
        }
        let numbers = if has_times(contest) {
            return rows.agreed(contest, &read_times(contest)?, names);
        } else if let (Some(ordinal), ColumnChoice::Named(_)) = (ordinal, &self.columns.ordinal) {
            rows.agreed(ordinal, &read_integers(ordinal, "ordinal")?, names)?
        } else if contest.data_type.is_integer() {
            rows.agreed(contest, &read_integers(contest, "contest")?, names)?
        } else {
            let message = format!(
                "the contests in column \"{}\" have no order: pass time=COLUMN with their days or \
                 times, ordinal=COLUMN with whole numbers, or name them by whole numbers",
                contest.name
            );
            return Err(Failure::new(message));
        };
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let day = |number| sorted.binary_search(number).unwrap_or_default() as i64;
        Ok(numbers.iter().map(|number| day(number) * SECONDS_PER_DAY).collect())
    }

    /// Reads the competitor of each row, and the team if there is a column of teams.
    fn read_entrants(
        &self,
        results: &mut Results,
    ) -> Result<(Vec<u32>, Option<Vec<u32>>), Failure> {
        let team = self.columns.team.find(self.table, "team", &mut results.columns)?;
        let column = self.named(&self.columns.competitor, "competitor", results)?;
        let mut names = Names::default();
        let mut people = names.read(column)?;
        let qualifiers = [
            self.of_dataset("source", results)?,
            self.of_dataset("kind", results)?,
        ];
        let qualifiers: Vec<&Column> = qualifiers.into_iter().flatten().collect();
        if qualifiers.is_empty() {
            results.competitors = names;
        } else {
            people = qualify(&qualifiers, &names, &people, &mut results.competitors)?;
        }
        let Some(team) = team else {
            if let Some(row) = people.iter().position(|&person| person == NO_NAME) {
                let reason = "the row names no competitor; name one, or remove the row";
                return Err(column.refuse(row, reason));
            }
            return Ok((people, None));
        };
        let mut teams = Names::default();
        let teams_of_rows = teams.read(team)?;
        let entrants =
            teams_of_rows.iter().zip(&people).enumerate().map(|(row, (&team, &person))| {
                if team == NO_NAME && person == NO_NAME {
                    let reason =
                        "the row names no competitor and no team; name one, or remove the row";
                    return Err(column.refuse(row, reason));
                }
                Ok(if team == NO_NAME {
                    person
                } else {
                    // A person and a team can share a name.
                    let name = format!("team{SEPARATOR}{}", teams.get(team));
                    results.competitors.add(&name).0
                })
            });
        Ok((entrants.collect::<Result<_, _>>()?, Some(people)))
    }

    /// Reads the standings of the contests in the order of replay.
    fn read_standings(
        &self,
        rows: &ContestRows,
        order: &[u32],
        results: &mut Results,
    ) -> Result<(), Failure> {
        let status = self.columns.status.find(self.table, "status", &mut results.columns)?;
        let place = self.named(&self.columns.place, "place", results)?;
        let ranks = read_ranks(place, status)?;
        let side = self.columns.side.find(self.table, "side", &mut results.columns)?;
        let sides = side.map(read_sides).transpose()?;
        let (entrants, people) = self.read_entrants(results)?;
        let absent = ranks.iter().filter(|&&rank| rank == ABSENT).count();
        if absent > 0 {
            let rows = format_plural(absent as u64, "row");
            results.notes.push(format!("{rows} of absent competitors left out"));
        }
        let rows_by_contest = RowsByContest::new(rows, &ranks);
        let mut seen = vec![(u32::MAX, 0); results.competitors.len()];
        for (position, &contest) in order.iter().enumerate() {
            let mut standings = ContestStandings {
                contest,
                ranks: &ranks,
                entrants: &entrants,
                people: people.as_deref(),
                sides: sides.as_deref(),
                seen: &mut seen,
            };
            standings.push(rows_by_contest.get(contest), results)?;
            let start = position.checked_sub(1).map_or(0, |before| results.ends[before]);
            results.rows[position].entrants = (results.standings.len() - start) as u32;
            results.ends.push(results.standings.len());
            if people.is_some() {
                results.member_ends.push(results.members.len());
            }
        }
        Ok(())
    }
}

/// The rows of each contest in their order, without those of absent competitors.
struct RowsByContest {
    rows: Vec<u32>,
    starts: Vec<usize>,
}

impl RowsByContest {
    fn new(contests: &ContestRows, ranks: &[u32]) -> Self {
        let counted = || contests.of_row.iter().zip(ranks).filter(|&(_, &rank)| rank != ABSENT);
        let mut starts = vec![0; contests.first.len() + 1];
        for (&contest, _) in counted() {
            starts[contest as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; starts[starts.len() - 1]];
        for (row, (&contest, &rank)) in contests.of_row.iter().zip(ranks).enumerate() {
            if rank != ABSENT {
                rows[next[contest as usize]] = row as u32;
                next[contest as usize] += 1;
            }
        }
        Self { rows, starts }
    }

    fn get(&self, contest: u32) -> &[u32] {
        let contest = contest as usize;
        &self.rows[self.starts[contest]..self.starts[contest + 1]]
    }
}

/// The standings of one contest while they are read.
struct ContestStandings<'s> {
    contest: u32,
    ranks: &'s [u32],
    entrants: &'s [u32],
    people: Option<&'s [u32]>,
    sides: Option<&'s [Option<Side>]>,
    /// The last contest of each competitor, and the row there.
    seen: &'s mut [(u32, u32)],
}

impl ContestStandings<'_> {
    fn push(&mut self, rows: &[u32], results: &mut Results) -> Result<(), Failure> {
        for &row in rows {
            let index = row as usize;
            let entrant = self.entrants[index];
            let person = self.people.map_or(NO_NAME, |people| people[index]);
            let is_member = person != NO_NAME && person != entrant;
            let last = self.last_row(entrant);
            match last {
                None => results.push_standing(entrant, self.ranks[index], self.side(row)),
                Some(first)
                    if is_member
                        && self.ranks[first as usize] == self.ranks[index]
                        && self.side(first) == self.side(row) => {}
                Some(first) if is_member => {
                    let team = Quoted(local_name(results.competitors.get(entrant)));
                    let reason =
                        format!("the team {team} has another place or side than in row {first}");
                    return Err(self.refuse(row, &reason, "give its members the same", results));
                }
                Some(first) => return Err(self.refuse_twice(entrant, first, row, results)),
            }
            self.seen[entrant as usize] = (self.contest, last.unwrap_or(row));
            if is_member {
                if let Some(first) = self.last_row(person) {
                    return Err(self.refuse_twice(person, first, row, results));
                }
                self.seen[person as usize] = (self.contest, row);
                results.members.push(TeamMember {
                    competitor_id: to_id(entrant),
                    person_id: to_id(person),
                });
            }
        }
        if let [first, second] = rows
            && let [Some(side), Some(other)] = [first, second].map(|&row| self.side(row))
            && side.has_advantage() == other.has_advantage()
        {
            let reason = format!(
                "both entrants have the advantage of a side, or neither: {}",
                side.as_str()
            );
            return Err(self.refuse(*second, &reason, "correct one", results));
        }
        if self.people.is_some() {
            let before = results.member_ends.last().copied().unwrap_or(0);
            results.members[before..].sort_by_key(|member| member.competitor_id);
        }
        Ok(())
    }

    fn side(&self, row: u32) -> Option<Side> {
        self.sides.and_then(|sides| sides[row as usize])
    }

    /// Returns the row of a competitor in this contest, if there was one.
    fn last_row(&self, competitor: u32) -> Option<u32> {
        let (contest, row) = self.seen[competitor as usize];
        (contest == self.contest).then_some(row)
    }

    fn refuse_twice(&self, competitor: u32, first: u32, row: u32, results: &Results) -> Failure {
        let name = Quoted(local_name(results.competitors.get(competitor)));
        let reason = format!("{name} stands twice, in rows {first} and {row}");
        let remedy = "remove one, or tell two competitors of one name apart";
        self.refuse(row, &reason, remedy, results)
    }

    fn refuse(&self, row: u32, reason: &str, remedy: &str, results: &Results) -> Failure {
        let contest = local_name(results.contests.get(self.contest));
        let message = format!("contest {}, row {row}: {reason}; {remedy}", Quoted(contest));
        Failure::new(message).at(row as usize, "competitor").in_contest(contest)
    }
}

/// Puts the values of other columns before names, which identify nothing without them. Returns the
/// numbers in `qualified` of the names of rows.
fn qualify(
    qualifiers: &[&Column],
    names: &Names,
    of_rows: &[u32],
    qualified: &mut Names,
) -> Result<Vec<u32>, Failure> {
    let mut read = Vec::new();
    for column in qualifiers {
        let mut values = Names::default();
        let of_rows = values.read(column)?;
        if let Some(row) = of_rows.iter().position(|&value| value == NO_NAME) {
            return Err(column.refuse(row, "the value is missing; give one"));
        }
        read.push((values, of_rows));
    }
    let mut text = String::new();
    let mut last: Option<(Vec<u32>, u32)> = None;
    let numbers = of_rows.iter().enumerate().map(|(row, &name)| {
        if name == NO_NAME {
            return NO_NAME;
        }
        let key: Vec<u32> = read.iter().map(|(_, of_rows)| of_rows[row]).chain([name]).collect();
        if let Some((known, number)) = &last
            && *known == key
        {
            return *number;
        }
        text.clear();
        for (values, of_rows) in &read {
            text.push_str(values.get(of_rows[row]));
            text.push(SEPARATOR);
        }
        text.push_str(names.get(name));
        let number = qualified.add(&text).0;
        last = Some((key, number));
        number
    });
    Ok(numbers.collect())
}
