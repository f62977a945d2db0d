//! The columns of a table of games.

use std::collections::{BTreeMap, HashMap};

use super::Seat;
use super::headings::{
    Field, Pairing, SeatHeading, heading_word, kind_of, parse_game_heading, parse_seat_heading,
};
use crate::reading::FileReadError;
use crate::table::columns::ColumnMeaning;
use crate::table::grid::CellGrid;
use crate::table::header::{HeaderTable, find_best_row, list_headings};
use ranklore_contest::EntrantKind;

/// Two columns: that of the competitor named first, and that of the other.
pub(super) type Pair = [usize; 2];

/// The indices of the columns.
pub(super) struct GameColumns {
    pub(super) pairing: Pairing,
    pub(super) kind: EntrantKind,
    /// The columns of names, or of ids if there are no names.
    pub(super) names: Pair,
    /// The columns of the second members of teams of two.
    pub(super) partners: Option<Pair>,
    /// The columns of ids beside names.
    pub(super) ids: Option<Pair>,
    pub(super) scores: Option<Pair>,
    pub(super) shootouts: Option<Pair>,
    pub(super) outcome: Option<usize>,
    /// The column that names the winner, beside those of both competitors.
    pub(super) winner: Option<usize>,
    pub(super) draw: Option<usize>,
    pub(super) neutral: Option<usize>,
    pub(super) date: Option<usize>,
    pub(super) time_of_day: Option<usize>,
    pub(super) round: Option<usize>,
    pub(super) event: Option<usize>,
    pub(super) event_id: Option<usize>,
    pub(super) division: Option<usize>,
    pub(super) id: Option<usize>,
    pub(super) number: Option<usize>,
    pub(super) url: Option<usize>,
    pub(super) weight: Option<usize>,
    /// Columns with statuses: a status, a comment, or the scores of a game with a winner.
    pub(super) statuses: Vec<usize>,
    pub(super) used: HashMap<usize, &'static str>,
}

/// The meaning that a column may have.
enum Claim {
    Seat(SeatHeading),
    /// The strength of the match; 0 is the best.
    Game(ColumnMeaning, u8),
    Unknown,
}

/// True if the options name columns of games.
pub(crate) fn states_games(meanings: &BTreeMap<String, ColumnMeaning>) -> bool {
    use ColumnMeaning::{Id1, Id2, Outcome, Score1, Score2};
    meanings.values().any(|&meaning| {
        Pairing::from_meaning(meaning).is_some()
            || matches!(meaning, Score1 | Score2 | Id1 | Id2 | Outcome)
    })
}

/// Returns the row of headings of a table of games, if one names both competitors and the result.
pub(crate) fn find_game_header(
    grid: &CellGrid,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    find_best_row(grid, |row| count_known_headings(&claims(grid, row, stated_meanings)))
}

/// Returns the number of known headings, if they name both competitors and the result.
fn count_known_headings(claims: &[Claim]) -> Option<usize> {
    let (pairing, _) = find_names(claims).next()?;
    let has_outcome = claims
        .iter()
        .any(|claim| matches!(claim, Claim::Game(ColumnMeaning::Outcome, _)));
    let is_decided = pairing == Pairing::WinnerLoser
        || claims.iter().any(|claim| winner_strength(claim).is_some())
        || has_outcome
        || find_pair(claims, pairing, Field::Score(0)).is_some();
    let known = claims.iter().filter(|claim| !matches!(claim, Claim::Unknown));
    is_decided.then(|| known.count())
}

/// Finds the headings of a table of games. Errors if none name two competitors and the result.
pub(super) fn find_table(
    grid: CellGrid,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Result<HeaderTable, FileReadError> {
    let Some(header) = find_game_header(&grid, stated_meanings) else {
        let first = (grid.row_count() > 0).then(|| list_headings(&grid, 0));
        return Err(FileReadError::whole_document(format!(
            "no two columns name the competitors of a game beside a result: name them with --column, such as --column 'HEADING=player 1' --column 'HEADING=player 2' --column HEADING=outcome; the first row reads {}",
            first.unwrap_or_default()
        )));
    };
    let claims = claims(&grid, header, stated_meanings).into_iter().enumerate();
    let unknown = claims.filter(|(_, claim)| matches!(claim, Claim::Unknown));
    let unknown_columns = unknown.map(|(column, _)| column).collect();
    HeaderTable::without_meanings(grid, header, stated_meanings, unknown_columns)
}

impl GameColumns {
    pub(super) fn from_table(
        table: &HeaderTable,
        stated_meanings: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        let claims = claims(&table.grid, table.header_row, stated_meanings);
        let (pairing, names) = find_pairing(table, &claims)?;
        let partners = find_partners(&claims, names);
        let pair = |field| find_pair(&claims, pairing, field);
        let find = |meaning| find_column(table, &claims, meaning, u8::MAX);
        let scores = pair(Field::Score(0));
        let is_winner_loser = pairing == Pairing::WinnerLoser;
        let winner = if is_winner_loser {
            None
        } else {
            find(ColumnMeaning::Winner)?.or_else(|| find_winner(&claims))
        };
        // A text of sets stands beside the winner.
        let is_decided = scores.is_some() || winner.is_some();
        let weakest = if is_decided { 1 } else { u8::MAX };
        let outcome = if is_winner_loser {
            None
        } else {
            find_column(table, &claims, ColumnMeaning::Outcome, weakest)?
        };
        let event = find(ColumnMeaning::Event)?;
        let mut columns = Self {
            pairing,
            kind: find_kind(&claims, pairing, names, partners),
            names,
            partners,
            // Ids in place of names are no second identity.
            ids: pair(Field::Id(0)).filter(|&ids| ids != names && partners.is_none()),
            scores,
            shootouts: pair(Field::Shootout),
            outcome,
            winner,
            draw: find(ColumnMeaning::Draw)?,
            neutral: find(ColumnMeaning::Neutral)?,
            date: find(ColumnMeaning::Date)?,
            time_of_day: find(ColumnMeaning::TimeOfDay)?,
            round: find(ColumnMeaning::Ordinal)?,
            event,
            event_id: find(ColumnMeaning::EventId)?,
            division: find_division(table, &claims, event)?,
            id: find(ColumnMeaning::ContestId)?,
            number: find(ColumnMeaning::GameNumber)?,
            url: find(ColumnMeaning::Url)?,
            weight: find(ColumnMeaning::Weight)?,
            statuses: find_statuses(&claims, is_winner_loser),
            used: HashMap::new(),
        };
        columns.drop_unusable();
        columns.used = columns.meanings();
        Ok(columns)
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
        let mut used = HashMap::new();
        for (pair, meanings) in pairs {
            let columns = pair.into_iter().flatten();
            used.extend(columns.zip(meanings.map(Meaning::as_str)));
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
        used
    }
}

fn claims(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Vec<Claim> {
    let claims = grid.cells(row).map(|heading| {
        if let Some(&meaning) = stated_meanings.get(heading) {
            return stated_claim(meaning, heading);
        }
        let word = heading_word(heading);
        if word.is_empty() {
            return Claim::Unknown;
        }
        match parse_seat_heading(&word) {
            Some(seat) => Claim::Seat(seat),
            None => parse_game_heading(&word)
                .map_or(Claim::Unknown, |(meaning, strength)| Claim::Game(meaning, strength + 1)),
        }
    });
    claims.collect()
}

/// The word of stated columns, which no heading has.
const STATED: &str = "=";

fn stated_claim(meaning: ColumnMeaning, heading: &str) -> Claim {
    use ColumnMeaning as Meaning;
    let seat = |pairing, seat, field| {
        Claim::Seat(SeatHeading {
            pairing,
            seat,
            member: None,
            field,
            word: STATED.to_owned(),
        })
    };
    if let Some((pairing, name_seat)) = Pairing::from_meaning(meaning) {
        let is_team = matches!(meaning, Meaning::Team1 | Meaning::Team2);
        let kind = if is_team {
            EntrantKind::Team
        } else {
            kind_of(pairing, &heading_word(heading))
        };
        return seat(Some(pairing), name_seat, Field::Name(kind, 0));
    }
    match meaning {
        Meaning::Id1 => seat(None, Seat::One, Field::Id(0)),
        Meaning::Id2 => seat(None, Seat::Two, Field::Id(0)),
        Meaning::Score1 => seat(None, Seat::One, Field::Score(0)),
        Meaning::Score2 => seat(None, Seat::Two, Field::Score(0)),
        Meaning::Shootout1 => seat(None, Seat::One, Field::Shootout),
        Meaning::Shootout2 => seat(None, Seat::Two, Field::Shootout),
        Meaning::Ignore => Claim::Unknown,
        Meaning::Contest => Claim::Game(Meaning::Event, 0),
        other => Claim::Game(other, 0),
    }
}

/// Returns the pairs of columns that name competitors, the best first.
fn find_names(claims: &[Claim]) -> impl Iterator<Item = (Pairing, Pair)> + use<> {
    let mut names: Vec<(bool, Pairing, u8, Pair)> = Vec::new();
    for (column, claim) in claims.iter().enumerate() {
        let Claim::Seat(heading) = claim else {
            continue;
        };
        let (Some(pairing), Some(strength), None | Some(0), Seat::One) =
            (heading.pairing, name_strength(heading.field), heading.member, heading.seat)
        else {
            continue;
        };
        // Names of two members are complete with the second ones.
        let partners = Seat::BOTH.map(|seat| find_seat(claims, heading, seat, Some(1)));
        if heading.member.is_some() && partners.contains(&None) {
            continue;
        }
        if let Some(other) = find_seat(claims, heading, Seat::Two, heading.member) {
            // Stated columns come first.
            names.push((heading.word != STATED, pairing, strength, [column, other]));
        }
    }
    names.sort_unstable();
    names.into_iter().map(|(_, pairing, _, pair)| (pairing, pair))
}

/// Returns the best pair of columns that name competitors. Errors if a pair with other words does,
/// too, and no option says which.
fn find_pairing(table: &HeaderTable, claims: &[Claim]) -> Result<(Pairing, Pair), FileReadError> {
    let mut pairs = find_names(claims);
    let (pairing, names) = pairs.next().unwrap_or((Pairing::Numbered, [0, 0]));
    let is_stated = matches!(&claims[names[0]], Claim::Seat(heading) if heading.word == STATED);
    // Winner and loser only repeat the names of other columns.
    let mut rivals = pairs.filter(|(rival, _)| *rival != pairing && *rival != Pairing::WinnerLoser);
    match rivals.next().filter(|_| !is_stated) {
        Some((_, rival_names)) => Err(refuse_two_pairs(table, names, rival_names)),
        None => Ok((pairing, names)),
    }
}

/// Returns the kind of competitors, by the headings of their names.
fn find_kind(
    claims: &[Claim],
    pairing: Pairing,
    names: Pair,
    partners: Option<Pair>,
) -> EntrantKind {
    match &claims[names[0]] {
        // Two names are a team, whatever their headings say.
        _ if partners.is_some() => EntrantKind::Team,
        Claim::Seat(heading) => match heading.field {
            Field::Name(kind, _) => kind,
            _ => kind_of(pairing, &heading.word),
        },
        _ => kind_of(pairing, ""),
    }
}

/// Returns the column of the same field for another seat or member.
fn find_seat(
    claims: &[Claim],
    heading: &SeatHeading,
    seat: Seat,
    member: Option<u8>,
) -> Option<usize> {
    claims.iter().position(|claim| {
        matches!(claim, Claim::Seat(other) if other.seat == seat
            && other.member == member
            && (other.pairing, &other.word) == (heading.pairing, &heading.word)
            && other.field.is_same(heading.field))
    })
}

fn find_partners(claims: &[Claim], names: Pair) -> Option<Pair> {
    let Claim::Seat(heading) = &claims[names[0]] else {
        return None;
    };
    let [one, two] = match heading.member {
        Some(_) => Seat::BOTH.map(|seat| find_seat(claims, heading, seat, Some(1))),
        None => [ColumnMeaning::Partner1, ColumnMeaning::Partner2].map(|partner| {
            claims
                .iter()
                .position(|claim| matches!(claim, Claim::Game(meaning, 0) if *meaning == partner))
        }),
    };
    Some([one?, two?])
}

/// Returns the columns with statuses. A result beside winner and loser is one, such as a comment.
fn find_statuses(claims: &[Claim], is_winner_loser: bool) -> Vec<usize> {
    let claims = claims.iter().enumerate();
    let statuses = claims.filter(|(_, claim)| match claim {
        Claim::Game(ColumnMeaning::Status, _) => true,
        Claim::Game(ColumnMeaning::Outcome, _) => is_winner_loser,
        _ => false,
    });
    statuses.map(|(column, _)| column).collect()
}

/// Returns the column that names the winner best, by a heading such as `winner id`.
fn find_winner(claims: &[Claim]) -> Option<usize> {
    let claims = claims.iter().enumerate();
    let winners = claims.filter_map(|(column, claim)| Some((winner_strength(claim)?, column)));
    winners.min().map(|(_, column)| column)
}

/// Returns the best pair of columns of a field, of any strength, for this pairing or for any.
fn find_pair(claims: &[Claim], pairing: Pairing, field: Field) -> Option<Pair> {
    let mut pairs = Vec::new();
    for (column, claim) in claims.iter().enumerate() {
        let Claim::Seat(heading) = claim else {
            continue;
        };
        if heading.field.is_same(field)
            && heading.pairing.is_none_or(|known| known == pairing)
            && (heading.seat, heading.member) == (Seat::One, None)
            && let Some(other) = find_seat(claims, heading, Seat::Two, None)
        {
            // Stated columns come first.
            let is_recognised = heading.word != STATED;
            pairs.push((is_recognised, heading.field.strength(), [column, other]));
        }
    }
    pairs.into_iter().min().map(|(_, _, pair)| pair)
}

/// Returns the strength of a field that names a competitor. A name is better than an id.
const fn name_strength(field: Field) -> Option<u8> {
    match field {
        Field::Name(_, strength) => Some(strength),
        Field::Id(strength) => Some(strength + 10),
        _ => None,
    }
}

/// Returns the strength of a column that names the winner.
const fn winner_strength(claim: &Claim) -> Option<u8> {
    match claim {
        Claim::Seat(SeatHeading {
            pairing: Some(Pairing::WinnerLoser),
            seat: Seat::One,
            member: None,
            field,
            ..
        }) => name_strength(*field),
        Claim::Game(ColumnMeaning::Winner, _) => Some(3),
        _ => None,
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
    columns.sort_unstable();
    match columns[..] {
        [first, rival, ..] if first.0 == rival.0 => Err(table.refuse_headings(format!(
            "the columns {} and {} both mean the {}; exclude one: --column {}",
            table.describe_column(first.1),
            table.describe_column(rival.1),
            meaning.as_str(),
            table.ignore_option(rival.1)
        ))),
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

fn refuse_two_pairs(table: &HeaderTable, names: Pair, rivals: Pair) -> FileReadError {
    let [one, two] = names.map(|column| table.ignore_option(column));
    let [rival_one, rival_two] = rivals.map(|column| table.ignore_option(column));
    let reason = format!(
        "{} and {} both name the competitors of a game: exclude those that do not, with --column {one} --column {two} or --column {rival_one} --column {rival_two}",
        table.describe_columns(&names),
        table.describe_columns(&rivals),
    );
    table.refuse_headings(reason)
}
