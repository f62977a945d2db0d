//! The columns of a table of games.

use std::collections::{BTreeMap, HashMap};

use super::Seat;
use super::headings::{
    Field, Pairing, SeatHeading, heading_word, kind_of, parse_game_heading, parse_seat_heading,
};
use crate::reading::FileReadError;
use crate::table::columns::ColumnMeaning;
use crate::table::grid::CellGrid;
use crate::table::header::{HeaderTable, SEARCHED_ROWS, list_headings};
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
pub(crate) fn states_games(stated: &BTreeMap<String, ColumnMeaning>) -> bool {
    use ColumnMeaning as Of;
    stated.values().any(|&of| {
        Pairing::from_meaning(of).is_some()
            || matches!(
                of,
                Of::Score1 | Of::Score2 | Of::Id1 | Of::Id2 | Of::Outcome
            )
    })
}

/// Returns the row of headings of a table of games, if one names both competitors and the result.
pub(crate) fn find_game_header(
    grid: &CellGrid,
    stated: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let searched = if grid.records.is_some() {
        1
    } else {
        grid.row_count().min(SEARCHED_ROWS)
    };
    let known = |row: usize| {
        let claims = claims(grid, row, stated);
        let has = |wanted: ColumnMeaning| {
            let mut found = claims.iter();
            found.any(|of| matches!(of, Claim::Game(meaning, _) if *meaning == wanted))
        };
        let (pairing, _) = find_names(&claims).next()?;
        let names_winner = claims.iter().any(|of| is_winner(of).is_some());
        let decided = pairing == Pairing::WinnerLoser
            || names_winner
            || has(ColumnMeaning::Outcome)
            || find_pair(&claims, Some(pairing), score_strength).is_some();
        let known = claims.iter().filter(|of| !matches!(of, Claim::Unknown));
        decided.then(|| known.count())
    };
    (0..searched)
        .filter_map(|row| Some((known(row)?, row)))
        .max_by_key(|&(known, row)| (known, std::cmp::Reverse(row)))
        .map(|(_, row)| row)
}

/// Finds the headings of a table of games. Errors if none name two competitors and the result.
pub(super) fn find_table(
    grid: CellGrid,
    stated: &BTreeMap<String, ColumnMeaning>,
) -> Result<HeaderTable, FileReadError> {
    let Some(header) = find_game_header(&grid, stated) else {
        let first = (grid.row_count() > 0).then(|| list_headings(&grid, 0));
        return Err(FileReadError::whole_document(format!(
            "no two columns name the competitors of a game beside a result: name them with --column, such as --column 'HEADING=player 1' --column 'HEADING=player 2' --column HEADING=outcome; the first row reads {}",
            first.unwrap_or_default()
        )));
    };
    let claims = claims(&grid, header, stated).into_iter().enumerate();
    let unknown = claims.filter(|(_, of)| matches!(of, Claim::Unknown));
    let unknown = unknown.map(|(column, _)| column).collect();
    HeaderTable::without_meanings(grid, header, stated, unknown)
}

impl GameColumns {
    pub(super) fn from_table(
        table: &HeaderTable,
        stated: &BTreeMap<String, ColumnMeaning>,
    ) -> Result<Self, FileReadError> {
        let claims = claims(&table.grid, table.header_row, stated);
        let mut found = find_names(&claims);
        let (pairing, names) = found.next().unwrap_or((Pairing::Numbered, [0, 0]));
        if let Some((_, other)) = found.find(|of| {
            of.0 != pairing && of.0 != Pairing::WinnerLoser && !stated_pair(&claims, names)
        }) {
            return Err(both_name_competitors(table, names, other));
        }
        let word = |column: usize| match &claims[column] {
            Claim::Seat(of) => of.word.clone(),
            _ => String::new(),
        };
        let partners = find_partners(&claims, names);
        let kind = match (partners, &claims[names[0]]) {
            (Some(_), _) => EntrantKind::Team,
            (
                None,
                Claim::Seat(SeatHeading {
                    field: Field::Name(kind, _),
                    ..
                }),
            ) => *kind,
            _ => kind_of(pairing, &word(names[0])),
        };
        let of_pair = |strength| find_pair(&claims, Some(pairing), strength);
        let scores = of_pair(score_strength);
        let find = |meaning| find_column(table, &claims, meaning, u8::MAX);
        let mut winner = None;
        if pairing != Pairing::WinnerLoser {
            winner = find(ColumnMeaning::Winner)?;
            if winner.is_none() {
                let known = claims.iter().enumerate();
                let known = known.filter_map(|(column, of)| Some((is_winner(of)?, column)));
                winner = known.min().map(|(_, column)| column);
            }
        }
        let decided = scores.is_some() || winner.is_some();
        // A text of sets stands beside the winner.
        let is_of_winner = pairing == Pairing::WinnerLoser;
        let strength = if decided { 1 } else { u8::MAX };
        let outcome = if is_of_winner {
            None
        } else {
            find_column(table, &claims, ColumnMeaning::Outcome, strength)?
        };
        let is_status = |of: &Claim| match of {
            Claim::Game(ColumnMeaning::Status, _) => true,
            Claim::Game(ColumnMeaning::Outcome, _) => is_of_winner,
            _ => false,
        };
        let statuses = claims.iter().enumerate().filter(|(_, of)| is_status(of));
        let statuses = statuses.map(|(column, _)| column).collect();
        let event = find(ColumnMeaning::Event)?;
        let mut columns = Self {
            pairing,
            kind,
            names,
            partners,
            ids: of_pair(id_strength).filter(|&ids| ids != names && partners.is_none()),
            scores,
            shootouts: of_pair(shootout_strength),
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
            statuses,
            used: HashMap::new(),
        };
        if columns.id.is_some() {
            (columns.number, columns.event_id) = (None, None);
        } else if columns.number.is_none() || columns.event_id.is_none() {
            // The number alone recurs in the next tournament.
            columns.number = None;
            columns.event_id = columns.event_id.filter(|_| columns.event.is_none());
        }
        if columns.date.is_none() {
            columns.time_of_day = None;
        }
        columns.used = columns.meanings();
        Ok(columns)
    }

    fn meanings(&self) -> HashMap<usize, &'static str> {
        use ColumnMeaning as Of;
        let pairs = [
            (self.ids, [Of::Id1, Of::Id2]),
            (self.scores, [Of::Score1, Of::Score2]),
            (self.shootouts, [Of::Shootout1, Of::Shootout2]),
            (self.partners, [Of::Partner1, Of::Partner2]),
            (Some(self.names), self.pairing.meanings(self.kind)),
        ];
        let mut used = HashMap::new();
        for (pair, meanings) in pairs {
            let columns = pair.into_iter().flatten();
            used.extend(columns.zip(meanings.map(Of::as_str)));
        }
        for (column, meaning) in [
            (self.outcome, Of::Outcome),
            (self.winner, Of::Winner),
            (self.draw, Of::Draw),
            (self.neutral, Of::Neutral),
            (self.date, Of::Date),
            (self.time_of_day, Of::TimeOfDay),
            (self.round, Of::Ordinal),
            (self.event, Of::Event),
            (self.event_id, Of::EventId),
            (self.division, Of::Division),
            (self.id, Of::ContestId),
            (self.number, Of::GameNumber),
            (self.url, Of::Url),
            (self.weight, Of::Weight),
        ] {
            used.extend(column.map(|column| (column, meaning.as_str())));
        }
        used.extend(self.statuses.iter().map(|&of| (of, Of::Status.as_str())));
        used
    }
}

fn claims(grid: &CellGrid, row: usize, stated: &BTreeMap<String, ColumnMeaning>) -> Vec<Claim> {
    let claim = |heading: &str| match stated.get(heading) {
        Some(ColumnMeaning::Ignore) => Claim::Unknown,
        Some(&meaning) => stated_claim(meaning, heading),
        None => {
            let word = heading_word(heading);
            if word.is_empty() {
                return Claim::Unknown;
            }
            match parse_seat_heading(&word) {
                Some(seat) => Claim::Seat(seat),
                None => parse_game_heading(&word).map_or(Claim::Unknown, |(meaning, strength)| {
                    Claim::Game(meaning, strength + 1)
                }),
            }
        }
    };
    grid.cells(row).map(claim).collect()
}

/// The word of stated columns, which no heading has.
const STATED: &str = "=";

fn stated_claim(meaning: ColumnMeaning, heading: &str) -> Claim {
    use ColumnMeaning as Of;
    let seat = |pairing, seat, field| {
        Claim::Seat(SeatHeading {
            pairing,
            seat,
            member: None,
            field,
            word: STATED.to_owned(),
        })
    };
    if let Some((pairing, of)) = Pairing::from_meaning(meaning) {
        let is_team = matches!(meaning, Of::Team1 | Of::Team2);
        let kind = if is_team {
            EntrantKind::Team
        } else {
            kind_of(pairing, &heading_word(heading))
        };
        return seat(Some(pairing), of, Field::Name(kind, 0));
    }
    match meaning {
        Of::Id1 => seat(None, Seat::One, Field::Id(0)),
        Of::Id2 => seat(None, Seat::Two, Field::Id(0)),
        Of::Score1 => seat(None, Seat::One, Field::Score(0)),
        Of::Score2 => seat(None, Seat::Two, Field::Score(0)),
        Of::Shootout1 => seat(None, Seat::One, Field::Shootout),
        Of::Shootout2 => seat(None, Seat::Two, Field::Shootout),
        Of::Contest => Claim::Game(Of::Event, 0),
        other => Claim::Game(other, 0),
    }
}

/// Returns the pairs of columns that name competitors, the best first.
fn find_names(claims: &[Claim]) -> impl Iterator<Item = (Pairing, Pair)> + use<> {
    let name = |field: Field| match field {
        Field::Name(_, strength) => Some(strength),
        Field::Id(strength) => Some(strength + 10),
        _ => None,
    };
    let mut found: Vec<(bool, Pairing, u8, Pair)> = Vec::new();
    for (column, claim) in claims.iter().enumerate() {
        let Claim::Seat(of) = claim else { continue };
        let (Some(pairing), Some(strength), None | Some(0), Seat::One) =
            (of.pairing, name(of.field), of.member, of.seat)
        else {
            continue;
        };
        // Names of two members are complete with the second ones.
        let partner = |seat| find_seat(claims, of, seat, Some(1));
        if of.member.is_some() && (partner(Seat::One).is_none() || partner(Seat::Two).is_none()) {
            continue;
        }
        if let Some(other) = find_seat(claims, of, Seat::Two, of.member) {
            found.push((of.word != STATED, pairing, strength, [column, other]));
        }
    }
    found.sort_unstable();
    found
        .into_iter()
        .map(|(_, pairing, _, pair)| (pairing, pair))
}

/// Returns the column of the same field for another seat or member.
fn find_seat(claims: &[Claim], of: &SeatHeading, seat: Seat, member: Option<u8>) -> Option<usize> {
    claims.iter().position(|claim| {
        matches!(claim, Claim::Seat(other) if other.seat == seat
            && other.member == member
            && (other.pairing, &other.word) == (of.pairing, &of.word)
            && std::mem::discriminant(&other.field) == std::mem::discriminant(&of.field))
    })
}

fn find_partners(claims: &[Claim], names: Pair) -> Option<Pair> {
    let Claim::Seat(of) = &claims[names[0]] else {
        return None;
    };
    let stated = |wanted| {
        let mut found = claims.iter();
        found.position(|of| matches!(of, Claim::Game(meaning, 0) if *meaning == wanted))
    };
    let [one, two] = match of.member {
        Some(_) => Seat::BOTH.map(|seat| find_seat(claims, of, seat, Some(1))),
        None => [ColumnMeaning::Partner1, ColumnMeaning::Partner2].map(stated),
    };
    Some([one?, two?])
}

fn stated_pair(claims: &[Claim], names: Pair) -> bool {
    matches!(&claims[names[0]], Claim::Seat(of) if of.word == STATED)
}

/// Returns the best pair of columns of a field, of this pairing or of none.
fn find_pair(
    claims: &[Claim],
    pairing: Option<Pairing>,
    strength: fn(Field) -> Option<u8>,
) -> Option<Pair> {
    let mut found = Vec::new();
    for (column, claim) in claims.iter().enumerate() {
        let Claim::Seat(of) = claim else { continue };
        let fits = of.pairing.is_none() || of.pairing == pairing;
        if let (true, Seat::One, None, Some(strength)) =
            (fits, of.seat, of.member, strength(of.field))
            && let Some(other) = find_seat(claims, of, Seat::Two, None)
        {
            found.push((of.word != STATED, strength, [column, other]));
        }
    }
    found.into_iter().min().map(|(_, _, pair)| pair)
}

const fn score_strength(field: Field) -> Option<u8> {
    match field {
        Field::Score(strength) => Some(strength),
        _ => None,
    }
}

const fn id_strength(field: Field) -> Option<u8> {
    match field {
        Field::Id(strength) => Some(strength),
        _ => None,
    }
}

const fn shootout_strength(field: Field) -> Option<u8> {
    match field {
        Field::Shootout => Some(0),
        _ => None,
    }
}

/// Returns the strength of a column that names the winner.
fn is_winner(claim: &Claim) -> Option<u8> {
    match claim {
        Claim::Seat(SeatHeading {
            pairing: Some(Pairing::WinnerLoser),
            seat: Seat::One,
            member: None,
            field,
            ..
        }) => match field {
            Field::Name(_, strength) => Some(*strength),
            Field::Id(strength) => Some(strength + 10),
            _ => None,
        },
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
    let mut found: Vec<(u8, usize)> = (claims.iter().enumerate())
        .filter_map(|(column, of)| match of {
            Claim::Game(known, strength) if *known == meaning && *strength <= weakest => {
                Some((*strength, column))
            }
            _ => None,
        })
        .collect();
    found.sort_unstable();
    match found[..] {
        [first, rival, ..] if first.0 == rival.0 => Err(FileReadError::new(
            table.grid.row_location(table.header_row),
            format!(
                "the columns {} and {} both mean the {}; exclude one: --column {}",
                table.describe_column(first.1),
                table.describe_column(rival.1),
                meaning.as_str(),
                table.column_option(rival.1, ColumnMeaning::Ignore)
            ),
        )),
        _ => Ok(found.first().map(|of| of.1)),
    }
}

/// Returns the column of divisions: one that would be the event if no other were.
fn find_division(
    table: &HeaderTable,
    claims: &[Claim],
    event: Option<usize>,
) -> Result<Option<usize>, FileReadError> {
    let headed = || {
        let mut columns = claims.iter().enumerate().filter(|(column, of)| {
            matches!(of, Claim::Game(ColumnMeaning::Event, _)) && Some(*column) != event
        });
        let is_division = |&(column, _): &(usize, &Claim)| {
            matches!(&*heading_word(table.heading(column)), "division" | "div")
        };
        columns.find(is_division).map(|(column, _)| column)
    };
    Ok(find_column(table, claims, ColumnMeaning::Division, u8::MAX)?.or_else(headed))
}

fn both_name_competitors(table: &HeaderTable, names: Pair, others: Pair) -> FileReadError {
    FileReadError::new(
        table.grid.row_location(table.header_row),
        format!(
            "{} and {} both name the competitors of a game: exclude those that do not, with --column {} --column {} or --column {} --column {}",
            table.describe_columns(&names),
            table.describe_columns(&others),
            table.column_option(names[0], ColumnMeaning::Ignore),
            table.column_option(names[1], ColumnMeaning::Ignore),
            table.column_option(others[0], ColumnMeaning::Ignore),
            table.column_option(others[1], ColumnMeaning::Ignore),
        ),
    )
}
