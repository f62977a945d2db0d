//! The columns of a table of games.

mod bouts;
mod game_dates;
mod logs;
mod match_ids;
mod namesakes;
pub(crate) mod score_order;
mod unread_results;

use std::collections::{BTreeMap, HashMap};

use self::game_dates::{counts_days, find_dated_rounds, holds_dates, holds_times};
use self::match_ids::find_id;
use crate::options::ReadOptions;
use crate::schema::game_claims::{
    Claim, ExtraTime, Pair, claims, find_further_members, find_joint, find_names, find_pairs,
    find_partners, find_statuses, find_winner, take_extra_times,
};
use crate::schema::joint_names::Versus;
use crate::schema::people::member_columns::{check_opponents, join_members};
use crate::schema::people::paired_names::{find_pairing, find_side_numbers};
use crate::schema::people::side_results::{find_side_results, join_side_results};
use crate::schema::rules::plausibility::are_contest_weights;
use crate::schema::table::{HeaderTable, list_headings};
use crate::values::cells::is_blank;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{Field, Pairing, Seat, heading_word, kind_of};
use crate::vocabulary::weekdays::is_weekday;
use ranklore_contest::EntrantKind;
use ranklore_grid::{CellGrid, FileReadError, Reason};

/// The indices of the columns.
pub(crate) struct GameColumns {
    pub(crate) pairing: Pairing,
    pub(crate) kind: EntrantKind,
    /// The columns of names, or of ids if there are no names.
    pub(crate) names: Pair,
    /// The text between both names, if one column has both.
    pub(crate) versus: Option<Versus>,
    /// The columns of the second members of teams of two.
    pub(crate) partners: Option<Pair>,
    /// The columns of the members of teams of three or more, which are joined into those of names.
    members: Vec<Pair>,
    /// The columns of ids beside names.
    pub(crate) ids: Option<Pair>,
    /// The column that tells competitors of one name apart.
    pub(crate) same_name_by: Option<usize>,
    /// The columns of numbers of both sides, of which the winner has one.
    pub(crate) side_numbers: Option<Pair>,
    pub(crate) scores: Option<Pair>,
    /// Other pairs of numbers that say who won, such as sets beside points.
    pub(crate) rival_scores: Vec<Pair>,
    pub(crate) shootouts: Option<Pair>,
    /// The columns after the regular time that the user reads, in the order of play.
    pub(crate) extra_times: Vec<ExtraTime>,
    pub(crate) outcome: Option<usize>,
    /// The columns that say of each side if it won; read as one, they are the outcome.
    side_results: Option<Pair>,
    /// The column that names the winner, beside those of both competitors.
    pub(crate) winner: Option<usize>,
    pub(crate) draw: Option<usize>,
    pub(crate) neutral: Option<usize>,
    pub(crate) date: Option<usize>,
    pub(crate) time_of_day: Option<usize>,
    pub(crate) round: Option<usize>,
    pub(crate) event: Option<usize>,
    pub(crate) event_id: Option<usize>,
    pub(crate) division: Option<usize>,
    pub(crate) id: Option<usize>,
    pub(crate) number: Option<usize>,
    pub(crate) url: Option<usize>,
    pub(crate) weight: Option<usize>,
    /// Columns with statuses: a status, a comment, or the scores of a game with a winner.
    pub(crate) statuses: Vec<usize>,
    /// The column that says from whose list a row is, if games stand in that of each team.
    pub(crate) log: Option<usize>,
    pub(crate) used: HashMap<usize, &'static str>,
}

/// Finds the columns of a table of games. Errors if no headings name two competitors and the result,
/// or if the columns have several readings.
pub(crate) fn find_game_columns(
    grid: CellGrid,
    header_row: Option<usize>,
    options: &ReadOptions,
) -> Result<(HeaderTable, GameColumns), FileReadError> {
    let Some(header) = header_row else {
        let first = (grid.row_count() > 0).then(|| list_headings(&grid, 0));
        return Err(FileReadError::whole_document(format!(
            "no two columns name the competitors of a game beside a result: name them with --column, such as --column 'HEADING=player 1' --column 'HEADING=player 2' --column HEADING=outcome; the first row reads {}",
            first.unwrap_or_default()
        )));
    };
    let mut table = HeaderTable::without_meanings(grid, header, &options.columns)?;
    for (column, claim) in claims(&table.grid, header, &options.columns).iter().enumerate() {
        if let Claim::Game(meaning, _) = claim {
            table.proposals.insert(column, meaning.as_str().to_owned());
        }
    }
    let mut columns = GameColumns::from_table(&table, &options.columns)?;
    let decides_alone =
        columns.scores.is_none() && columns.winner.is_none() && columns.side_results.is_none();
    let outcome = columns.outcome.filter(|_| decides_alone);
    check_opponents(&table, columns.names, outcome, options)?;
    columns.drop_implausible(&mut table, options)?;
    columns.find_unread_scores(&mut table);
    columns.check_unread_winner(&table)?;
    columns.check_totals(&table)?;
    columns.check_score_texts(&table)?;
    columns.check_finished(&table)?;
    columns.read_same_name_by(&table, options)?;
    columns.check_namesakes(&table, options)?;
    columns.read_logs(&mut table)?;
    if let Some(pair) = columns.side_results {
        let evidence = join_side_results(&table, pair);
        table.apply(evidence)?;
        columns.outcome = pair.into_iter().min();
        columns
            .used
            .extend(pair.map(|column| (column, ColumnMeaning::Outcome.as_str())));
    }
    columns.join_members(&mut table)?;
    columns.check_results(&table)?;
    columns.join_date(&mut table, options)?;
    let date = columns.date.filter(|&c| !options.columns.contains_key(table.heading(c)));
    if let Some(column) = date.filter(|&c| counts_days(&table, c)) {
        columns.number_days(column);
    }
    columns.find_date(&mut table, options)?;
    Ok((table, columns))
}

/// The columns that say who won, beside those of both competitors.
struct Deciders {
    /// The pairs of scores, the best first.
    scores: Vec<Pair>,
    side_results: Option<Pair>,
    winner: Option<usize>,
    outcome: Option<usize>,
}

impl Deciders {
    fn find(
        table: &HeaderTable,
        claims: &[Claim],
        pairing: Pairing,
    ) -> Result<Self, FileReadError> {
        let stated_outcome = find_column(table, claims, ColumnMeaning::Outcome, 0)?;
        let side_results =
            find_side_results(table, claims, pairing).filter(|_| stated_outcome.is_none());
        let mut scores = find_scores(table, claims, pairing);
        // Beside winners, equal numbers count what both played.
        scores.retain(|pair| {
            side_results.is_none_or(|results| results != *pair && !are_equal(table, *pair))
        });
        let mut deciders = Self {
            scores,
            side_results,
            winner: None,
            outcome: None,
        };
        if pairing != Pairing::WinnerLoser {
            let winner = find_column(table, claims, ColumnMeaning::Winner, u8::MAX)?;
            deciders.winner = winner.or_else(|| find_winner(claims));
        }
        if pairing != Pairing::WinnerLoser && side_results.is_none() {
            let scores = deciders.scores.first().copied();
            deciders.outcome = find_outcome(table, claims, scores, deciders.winner)?;
        }
        Ok(deciders)
    }
}

impl GameColumns {
    /// Removes columns whose cells contradict their headings: weights, times of the day, rounds.
    fn drop_implausible(
        &mut self,
        table: &mut HeaderTable,
        options: &ReadOptions,
    ) -> Result<(), FileReadError> {
        let is_stated =
            |table: &HeaderTable, column| options.columns.contains_key(table.heading(column));
        let is_no_weight =
            |column: &mut usize| !is_stated(table, *column) && !are_contest_weights(table, *column);
        let weight = self.weight.take_if(is_no_weight);
        // A column headed "time" may hold something else, such as durations.
        let time = self.time_of_day.take_if(|column| !holds_times(table, *column));
        // Days of the week recur, and have no order among games.
        let refuses_doubts = table.grid.limits().reader.refuses_doubts();
        let round = self.round.take_if(|column| {
            refuses_doubts && !is_stated(table, *column) && table.holds_only(*column, is_weekday)
        });
        for column in [weight, time, round].into_iter().flatten() {
            self.used.remove(&column);
        }
        let ends = [self.time_of_day, self.round].into_iter().flatten();
        let free_columns: Vec<usize> = ends.filter(|&column| !is_stated(table, column)).collect();
        self.leave_out_ends_of_bouts(table, &free_columns)
    }

    /// True if the cells of names list the members of teams.
    pub(crate) const fn list_members(&self) -> bool {
        !self.members.is_empty()
    }

    /// Joins the names of the members of each team.
    fn join_members(&mut self, table: &mut HeaderTable) -> Result<(), FileReadError> {
        if !self.list_members() {
            return Ok(());
        }
        for seat in Seat::BOTH {
            let columns: Vec<usize> = self.members.iter().map(|pair| pair[seat.index()]).collect();
            let meaning = self.pairing.meanings(self.kind)[seat.index()];
            self.names[seat.index()] = columns.iter().copied().min().unwrap_or_default();
            self.used.extend(columns.iter().map(|&column| (column, meaning.as_str())));
            table.apply(join_members(table, &columns, meaning))?;
        }
        Ok(())
    }

    /// True if a column says who won, or that a game was drawn.
    pub(crate) const fn say_who_won(&self) -> bool {
        self.outcome.is_some() || self.winner.is_some() || self.draw.is_some()
    }

    /// Errors if no game has a result beside blank winners: the table is a schedule.
    fn check_results(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let refuses_doubts = table.grid.limits().reader.refuses_doubts();
        if self.winner.is_some() && refuses_doubts && !self.have_results(table) {
            let reason = "no game has a result: all winners and scores are blank or 0";
            return Err(table.refuse_headings(reason));
        }
        Ok(())
    }

    /// True if some game has a result.
    pub(crate) fn have_results(&self, table: &HeaderTable) -> bool {
        table.data_rows().any(|row| self.has_result(table, row))
    }

    /// True if a game has a winner, or scores that are not 0 beside a blank winner.
    fn has_result(&self, table: &HeaderTable, row: usize) -> bool {
        let outcomes = [self.winner, self.outcome, self.draw];
        let is_filled = |column| !is_blank(table.grid.cell(row, column));
        let is_scored = |column| {
            is_filled(column) && !(self.winner.is_some() && table.grid.cell(row, column) == "0")
        };
        self.pairing == Pairing::WinnerLoser
            || outcomes.into_iter().flatten().any(is_filled)
            || self.scores.into_iter().flatten().any(is_scored)
    }

    fn from_table(
        table: &HeaderTable,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        let mut claims = claims(&table.grid, table.header_row, stated_meanings);
        let extra_times = take_extra_times(&table.grid, table.header_row, &mut claims);
        let (pairing, names, versus) = find_competitors(table, &claims)?;
        let members = find_members(table, &claims, names)?;
        let partners = find_partners(&claims, names).filter(|_| members.is_empty());
        let is_single = partners.is_none() && members.is_empty();
        let pair = |field| find_pairs(&claims, pairing, field).first().copied();
        let find = |meaning| find_column(table, &claims, meaning, u8::MAX);
        let deciders = Deciders::find(table, &claims, pairing)?;
        let event = find(ColumnMeaning::Event)?;
        let mut columns = Self {
            pairing,
            kind: find_kind(table, &claims, pairing, names, is_single),
            names,
            versus,
            partners,
            members,
            // Ids in place of names are no second identity.
            ids: pair(Field::Id(0)).filter(|&ids| ids != names && is_single),
            same_name_by: None,
            side_numbers: None,
            scores: deciders.scores.first().copied(),
            rival_scores: deciders.scores.into_iter().skip(1).collect(),
            side_results: deciders.side_results,
            shootouts: pair(Field::Shootout).filter(|pair| are_shootouts(table, *pair)),
            extra_times,
            outcome: deciders.outcome,
            winner: deciders.winner,
            draw: find(ColumnMeaning::Draw)?,
            neutral: find(ColumnMeaning::Neutral)?,
            date: find(ColumnMeaning::Date)?,
            time_of_day: find(ColumnMeaning::TimeOfDay)?,
            round: find(ColumnMeaning::Ordinal)?,
            event,
            event_id: find(ColumnMeaning::EventId)?,
            division: find_division(table, &claims, event)?,
            id: find_id(table, &claims)?,
            number: find(ColumnMeaning::GameNumber)?,
            url: find(ColumnMeaning::Url)?,
            weight: find(ColumnMeaning::Weight)?,
            statuses: find_statuses(&claims, pairing == Pairing::WinnerLoser),
            log: None,
            used: HashMap::new(),
        };
        columns.check_deciders(table)?;
        columns.pair_scores(table, &claims)?;
        // A kick-off has a time of the day, or a date too.
        if columns.date.is_none() {
            let kickoff = columns.time_of_day.take_if(|column| holds_dates(table, *column));
            columns.date = kickoff.or_else(|| find_dated_rounds(table, &claims));
        }
        columns.read_match_ids(table, stated_meanings);
        columns.drop_unusable();
        columns.with_side_numbers(table)
    }

    /// Lists the meanings of the columns, and adds those of numbers of which the winner has one.
    fn with_side_numbers(mut self, table: &HeaderTable) -> Result<Self, FileReadError> {
        self.used = self.meanings();
        if let Some(winner) = self.winner {
            let unread = table.unread_columns(&self.used);
            self.side_numbers = find_side_numbers(table, winner, &unread)?;
            let numbers = self.side_numbers.into_iter().flatten();
            self.used.extend(numbers.map(|column| (column, "number of a side")));
        }
        Ok(self)
    }

    /// Errors if no column says who won.
    fn check_deciders(&self, table: &HeaderTable) -> Result<(), FileReadError> {
        let deciders = [self.winner, self.outcome, self.draw].into_iter().flatten();
        let pairs = [self.scores, self.side_results].into_iter();
        let scores = pairs.flatten().flatten();
        if self.pairing == Pairing::WinnerLoser || deciders.chain(scores).next().is_some() {
            return Ok(());
        }
        Err(table.refuse_headings(
            "no column says who won: name it with --column HEADING=winner or --column HEADING=outcome",
        ))
    }

    /// Removes columns that mean nothing without another one.
    fn drop_unusable(&mut self) {
        if self.id.is_some() {
            self.number = None;
            self.event_id = None;
        } else if self.number.is_none() || self.event_id.is_none() {
            // The number alone recurs in the next tournament.
            self.number = None;
            // Beside its name, the id of an event is not needed.
            self.event_id = self.event_id.filter(|_| self.event.is_none());
        }
        if self.date.is_none() {
            self.time_of_day = None;
        }
    }

    fn meanings(&self) -> HashMap<usize, &'static str> {
        use ColumnMeaning as Meaning;
        let pairs = [
            (self.ids, [Meaning::Id1, Meaning::Id2]),
            (self.scores, [Meaning::Score1, Meaning::Score2]),
            (self.shootouts, [Meaning::Shootout1, Meaning::Shootout2]),
            (self.partners, [Meaning::Partner1, Meaning::Partner2]),
            (Some(self.names), self.pairing.meanings(self.kind)),
        ];
        let rivals = self.rival_scores.iter().flatten();
        let mut used: HashMap<_, _> = rivals.map(|&column| (column, "compared score")).collect();
        for (pair, meanings) in pairs {
            let columns = pair.into_iter().flatten();
            used.extend(columns.zip(meanings.map(Meaning::as_str)));
        }
        if self.versus.is_some() {
            used.insert(self.names[0], "both competitors");
        }
        for (column, meaning) in [
            (self.outcome, Meaning::Outcome),
            (self.winner, Meaning::Winner),
            (self.draw, Meaning::Draw),
            (self.neutral, Meaning::Neutral),
            (self.date, Meaning::Date),
            (self.time_of_day, Meaning::TimeOfDay),
            (self.round, Meaning::Ordinal),
            (self.event, Meaning::Event),
            (self.event_id, Meaning::EventId),
            (self.division, Meaning::Division),
            (self.id, Meaning::ContestId),
            (self.number, Meaning::GameNumber),
            (self.url, Meaning::Url),
            (self.weight, Meaning::Weight),
        ] {
            used.extend(column.map(|column| (column, meaning.as_str())));
        }
        used.extend(self.statuses.iter().map(|&c| (c, Meaning::Status.as_str())));
        let extra_columns = self.extra_times.iter().flat_map(|extra| extra.columns());
        used.extend(extra_columns.map(|column| (column, "extra time")));
        used
    }
}

/// Returns the pairs of columns of scores, the best first. Those beside it, and results, which can be
/// words too, must be numbers.
fn find_scores(table: &HeaderTable, claims: &[Claim], pairing: Pairing) -> Vec<Pair> {
    let mut pairs = find_pairs(claims, pairing, Field::Score(0));
    let first = pairs.first().copied();
    pairs.retain(|pair| {
        let is_result = || heading_word(table.heading(pair[0])).contains("result");
        (Some(*pair) == first && !is_result()) || hold_numbers(table, *pair)
    });
    pairs
}

/// True if all cells of both columns that are not blank are numbers.
fn hold_numbers(table: &HeaderTable, pair: Pair) -> bool {
    let is_number = |cell: &str| is_blank(cell) || cell.replace(',', ".").parse::<f64>().is_ok();
    pair.into_iter().all(|column| table.values(column).all(is_number))
}

/// True if both columns have the same numbers in all rows.
fn are_equal(table: &HeaderTable, pair: Pair) -> bool {
    table.data_rows().all(|row| {
        let [one, two] = pair.map(|column| table.grid.cell(row, column));
        one == two
    })
}

/// True if the numbers of two columns are those of shootouts, which have a winner. Other penalties
/// can be equal in number.
fn are_shootouts(table: &HeaderTable, pair: Pair) -> bool {
    !table.data_rows().any(|row| {
        let [one, two] = pair.map(|column| table.grid.cell(row, column));
        one == two && !is_blank(one) && one != "0"
    })
}

/// Returns a column of texts such as `3-2` beside columns of scores, with which it must agree.
fn find_score_text(table: &HeaderTable, claims: &[Claim]) -> Option<usize> {
    let is_score = |cell: &str| {
        let are_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let scores = cell.split_once(['-', '–', ':']);
        scores.is_some_and(|(one, two)| are_digits(one.trim()) && are_digits(two.trim()))
    };
    (0..claims.len()).find(|&column| {
        matches!(claims[column], Claim::Game(ColumnMeaning::Outcome, _))
            && table.values(column).all(|cell| is_blank(cell) || is_score(cell))
    })
}

/// Returns the columns of the names of both competitors, or the one that has both, with the text
/// between them.
fn find_competitors(
    table: &HeaderTable,
    claims: &[Claim],
) -> Result<(Pairing, Pair, Option<Versus>), FileReadError> {
    if find_names(claims).next().is_none()
        && let Some((column, versus)) = find_joint(&table.grid, table.header_row, claims)
    {
        return Ok((Pairing::Numbered, [column, column], Some(versus)));
    }
    let (pairing, names) = find_pairing(table, claims)?;
    Ok((pairing, names, None))
}

/// Returns the column of outcomes. Beside scores or a winner, a text such as `6-4 3-6` is none; a
/// text of the scores must agree with them.
fn find_outcome(
    table: &HeaderTable,
    claims: &[Claim],
    scores: Option<Pair>,
    winner: Option<usize>,
) -> Result<Option<usize>, FileReadError> {
    let is_decided = scores.is_some() || winner.is_some();
    let weakest = if is_decided { 1 } else { u8::MAX };
    let outcome = find_column(table, claims, ColumnMeaning::Outcome, weakest)?;
    Ok(match winner {
        None => outcome.or_else(|| find_score_text(table, claims)),
        Some(_) => outcome,
    })
}

/// Returns the kind of competitors, by the headings of their names.
fn find_kind(
    table: &HeaderTable,
    claims: &[Claim],
    pairing: Pairing,
    names: Pair,
    is_single: bool,
) -> EntrantKind {
    match &claims[names[0]] {
        // Two names are a team, whatever their headings say.
        _ if !is_single => EntrantKind::Team,
        Claim::Seat(heading) => match heading.field {
            Field::Name(kind, _) => kind,
            _ => kind_of(pairing, &heading.word),
        },
        _ => kind_of(pairing, &heading_word(table.heading(names[0]))),
    }
}

/// Returns the column with this meaning that matches best, if its strength is at most this one.
/// Errors if two match equally well.
fn find_column(
    table: &HeaderTable,
    claims: &[Claim],
    meaning: ColumnMeaning,
    weakest: u8,
) -> Result<Option<usize>, FileReadError> {
    let mut columns: Vec<(u8, usize)> = Vec::new();
    for (column, claim) in claims.iter().enumerate() {
        if let Claim::Game(known, strength) = claim
            && *known == meaning
            && *strength <= weakest
        {
            columns.push((*strength, column));
        }
    }
    // A game day can be the number of a round, or a date.
    if meaning == ColumnMeaning::Ordinal {
        columns.retain(|&(_, column)| !holds_dates(table, column));
    }
    if meaning == ColumnMeaning::Date {
        columns.retain(|&(strength, column)| strength == 0 || !table.holds_weekdays(column));
    }
    columns.sort_unstable();
    match columns[..] {
        [first, rival, ..] if first.0 == rival.0 => {
            Err(table.refuse_rivals(meaning.as_str(), [first.1, rival.1]))
        }
        _ => Ok(columns.first().map(|&(_, column)| column)),
    }
}

/// Returns the column of divisions: one that would be the event if no other were.
fn find_division(
    table: &HeaderTable,
    claims: &[Claim],
    event: Option<usize>,
) -> Result<Option<usize>, FileReadError> {
    if let Some(column) = find_column(table, claims, ColumnMeaning::Division, u8::MAX)? {
        return Ok(Some(column));
    }
    Ok((0..claims.len()).find(|&column| {
        matches!(claims[column], Claim::Game(ColumnMeaning::Event, _))
            && Some(column) != event
            && matches!(&*heading_word(table.heading(column)), "division" | "div")
    }))
}

/// Returns the columns of the members of both teams; none if a team has fewer than three.
fn find_members(
    table: &HeaderTable,
    claims: &[Claim],
    names: Pair,
) -> Result<Vec<Pair>, FileReadError> {
    let further = find_further_members(claims, names);
    let further = further.map_err(|column| refuse_member(table, column))?;
    let members: Vec<Pair> = std::iter::once(names).chain(further).collect();
    Ok(if members.len() < 3 {
        Vec::new()
    } else {
        members
    })
}

/// Returns the error for a member of a team who has no column of an opponent.
fn refuse_member(table: &HeaderTable, column: usize) -> FileReadError {
    let cases = [(table.ignore_option(column), "if this member does not count")];
    let problem = format!(
        "{} has no column of the other team beside it; teams have equally many members",
        table.describe_column(column)
    );
    table.refuse_column(column, Reason::with_options(problem, cases))
}
