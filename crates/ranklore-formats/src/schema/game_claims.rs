//! The meanings that the headings of a table of games propose.

use std::collections::BTreeMap;

use crate::schema::joint_names::{Versus, find_joint_names};
use crate::vocabulary::extra_time::{ExtraTimeHeading, ScoresOf};
use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::{
    Field, Pairing, Seat, SeatHeading, heading_word, is_draw_word, kind_of, names_competitor,
    parse_opponent_of_winner, parse_seat_heading,
};
use crate::vocabulary::words::normalise_word;
use ranklore_contest::EntrantKind;
use ranklore_grid::CellGrid;

/// Two columns: that of the competitor named first, and that of the other.
pub(crate) type Pair = [usize; 2];

/// The meaning that a column may have.
pub(crate) enum Claim {
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

/// Returns the number of known headings of a row, if they name both competitors and the result.
pub(crate) fn count_known_headings(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Option<usize> {
    let claims = claims(grid, row, stated_meanings);
    let pairing = match find_names(&claims).next() {
        Some((pairing, _)) => pairing,
        None => find_joint(grid, row, &claims).map(|_| Pairing::Numbered)?,
    };
    let has_outcome = claims
        .iter()
        .any(|claim| matches!(claim, Claim::Game(ColumnMeaning::Outcome, _)));
    let is_decided = pairing == Pairing::WinnerLoser
        || claims.iter().any(|claim| winner_strength(claim).is_some())
        || has_outcome
        || [Field::Score(0), Field::Won]
            .into_iter()
            .any(|field| !find_pairs(&claims, pairing, field).is_empty());
    let known = claims.iter().filter(|claim| !matches!(claim, Claim::Unknown));
    is_decided.then(|| known.count())
}

/// True if a column names the winner of a game, or two have the scores of numbered competitors.
pub(crate) fn name_winner(claims: &[Claim]) -> bool {
    claims.iter().any(|claim| winner_strength(claim).is_some())
        || !find_pairs(claims, Pairing::Numbered, Field::Score(0)).is_empty()
}

/// Returns the column that names both competitors in each cell, if its heading means nothing else.
pub(crate) fn find_joint(grid: &CellGrid, row: usize, claims: &[Claim]) -> Option<(usize, Versus)> {
    find_joint_names(grid, row, |column| matches!(claims.get(column), Some(Claim::Unknown)))
}

pub(crate) fn claims(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
) -> Vec<Claim> {
    let claims = grid.cells(row).map(|heading| {
        if let Some(&meaning) = stated_meanings.get(heading) {
            return stated_claim(meaning, heading);
        }
        let word = heading_word(heading);
        if word.is_empty() || grid.has_letters {
            return Claim::Unknown;
        }
        match parse_seat_heading(&word) {
            Some(seat) => Claim::Seat(seat),
            None => find_game_heading(&word)
                .map_or(Claim::Unknown, |(meaning, strength)| Claim::Game(meaning, strength + 1)),
        }
    });
    let mut claims: Vec<Claim> = claims.collect();
    claim_opponents_of_winners(grid, row, stated_meanings, &mut claims);
    claims
}

/// Reads headings such as `Opponent Score` as those of losers, beside winners. If the winner can be either
/// of two competitors, the opponent is no loser.
fn claim_opponents_of_winners(
    grid: &CellGrid,
    row: usize,
    stated_meanings: &BTreeMap<String, ColumnMeaning>,
    claims: &mut [Claim],
) {
    let is_name = |heading: &SeatHeading| matches!(heading.field, Field::Name(..));
    let names = |claim: &Claim| match claim {
        Claim::Seat(heading) if is_name(heading) => Some((heading.pairing?, heading.seat)),
        _ => None,
    };
    let mut sides = claims.iter().enumerate().filter_map(|(c, claim)| Some((c, names(claim)?)));
    let (Some((winner, (Pairing::WinnerLoser, Seat::One))), None) = (sides.next(), sides.next())
    else {
        return;
    };
    let words: Vec<String> = grid.cells(row).map(heading_word).collect();
    let opponents: Vec<Option<SeatHeading>> =
        words.iter().map(|word| parse_opponent_of_winner(word)).collect();
    let opponent = opponents.iter().position(|heading| heading.as_ref().is_some_and(is_name));
    let mut others = words.iter().zip(&opponents).filter(|(_, opponent)| opponent.is_none());
    let has_player = others.any(|(word, _)| names_competitor(word));
    let is_loser = |opponent: usize| {
        (row + 1..grid.row_count()).all(|row| {
            let name = grid.cell(row, winner);
            name != grid.cell(row, opponent) && !is_draw_word(&normalise_word(name))
        })
    };
    if has_player || !opponent.is_some_and(is_loser) || !grid.limits().reader.refuses_doubts() {
        return;
    }
    for ((heading, claim), opponent) in grid.cells(row).zip(claims).zip(opponents) {
        if let Some(seat) = opponent.filter(|_| !stated_meanings.contains_key(heading)) {
            *claim = Claim::Seat(seat);
        }
    }
}

/// The word of stated columns, which no heading has.
pub(crate) const STATED: &str = "=";

pub(crate) fn stated_claim(meaning: ColumnMeaning, heading: &str) -> Claim {
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
pub(crate) fn find_names(claims: &[Claim]) -> impl Iterator<Item = (Pairing, Pair)> + use<> {
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
        if has_third_side(claims, heading) {
            continue;
        }
        // The second of two pairs with the same headings has the second column of the other seat.
        let earlier = claims[..column].iter().filter(|claim| is_same_seat(claim, heading));
        if let Some(other) =
            find_seats(claims, heading, Seat::Two, heading.member).nth(earlier.count())
        {
            // Stated columns come first.
            names.push((heading.word != STATED, pairing, strength, [column, other]));
        }
    }
    names.sort_unstable();
    names.into_iter().map(|(_, pairing, _, pair)| (pairing, pair))
}

/// True if more than two colours have the same field, so that a row is no game of two.
fn has_third_side(claims: &[Claim], heading: &SeatHeading) -> bool {
    let sides = claims.iter().filter(|claim| {
        matches!(claim, Claim::Seat(other) if other.pairing == heading.pairing
            && (&other.word, other.member) == (&heading.word, heading.member))
    });
    heading.pairing == Some(Pairing::RedBlue) && sides.count() > 2
}

/// Returns the first column of the same field for another seat or member.
pub(crate) fn find_seat(
    claims: &[Claim],
    heading: &SeatHeading,
    seat: Seat,
    member: Option<u8>,
) -> Option<usize> {
    find_seats(claims, heading, seat, member).next()
}

fn find_seats(
    claims: &[Claim],
    heading: &SeatHeading,
    seat: Seat,
    member: Option<u8>,
) -> impl Iterator<Item = usize> {
    let other_seat = SeatHeading {
        seat,
        member,
        ..heading.clone()
    };
    (0..claims.len()).filter(move |&column| is_same_seat(&claims[column], &other_seat))
}

/// True if a column holds the same field of the same seat and member.
fn is_same_seat(claim: &Claim, heading: &SeatHeading) -> bool {
    matches!(claim, Claim::Seat(other) if (other.seat, other.member) == (heading.seat, heading.member)
        && (other.pairing, &other.word) == (heading.pairing, &heading.word)
        && other.field.is_same(heading.field))
}

/// Returns the pairs of columns of a field, of any strength, for this pairing or for any: the best
/// first.
pub(crate) fn find_pairs(claims: &[Claim], pairing: Pairing, field: Field) -> Vec<Pair> {
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
    pairs.sort_unstable();
    pairs.into_iter().map(|(_, _, pair)| pair).collect()
}

/// Returns the strength of a field that names a competitor. A name is better than an id.
pub(crate) const fn name_strength(field: Field) -> Option<u8> {
    match field {
        Field::Name(_, strength) => Some(strength),
        Field::Id(strength) => Some(strength + 10),
        _ => None,
    }
}

/// Returns the strength of a column that names the winner.
pub(crate) const fn winner_strength(claim: &Claim) -> Option<u8> {
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

/// Returns the columns with statuses. A result beside winner and loser is one, such as a comment.
pub(crate) fn find_statuses(claims: &[Claim], is_winner_loser: bool) -> Vec<usize> {
    let claims = claims.iter().enumerate();
    let statuses = claims.filter(|(_, claim)| match claim {
        Claim::Game(ColumnMeaning::Status, _) => true,
        Claim::Game(ColumnMeaning::Outcome, _) => is_winner_loser,
        _ => false,
    });
    statuses.map(|(column, _)| column).collect()
}

/// Returns the column that names the winner best, by a heading such as `winner id`.
pub(crate) fn find_winner(claims: &[Claim]) -> Option<usize> {
    let claims = claims.iter().enumerate();
    let winners = claims.filter_map(|(column, claim)| Some((winner_strength(claim)?, column)));
    winners.min().map(|(_, column)| column)
}

/// Returns the columns of the second members of both teams of two.
pub(crate) fn find_partners(claims: &[Claim], names: Pair) -> Option<Pair> {
    let Claim::Seat(heading) = &claims[names[0]] else {
        return None;
    };
    let seats = Seat::BOTH.map(|seat| find_seat(claims, heading, seat, Some(1)));
    let [one, two] = if heading.member.is_some() {
        seats
    } else {
        let find = |partner: ColumnMeaning| {
            claims
                .iter()
                .position(|claim| matches!(claim, Claim::Game(meaning, _) if *meaning == partner))
        };
        let [one, two] = seats;
        [
            find(ColumnMeaning::Partner1).or(one),
            find(ColumnMeaning::Partner2).or(two),
        ]
    };
    Some([one?, two?])
}

/// Returns the columns of the further members of both teams, from the second. An error is the column of
/// a member without an opponent.
pub(crate) fn find_further_members(claims: &[Claim], names: Pair) -> Result<Vec<Pair>, usize> {
    let heading = match &claims[names[0]] {
        Claim::Seat(heading) if heading.member.is_some() => heading,
        _ => return Ok(Vec::new()),
    };
    let mut members = Vec::new();
    for member in 1..=u8::MAX {
        match Seat::BOTH.map(|seat| find_seat(claims, heading, seat, Some(member))) {
            [Some(one), Some(two)] => members.push([one, two]),
            [None, None] => break,
            _ if members.is_empty() => break,
            [one, two] => return one.or(two).map_or(Ok(members), Err),
        }
    }
    Ok(members)
}

/// Columns with what happened after the regular time of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ExtraTime {
    /// The column of each competitor; twice the same if its cells have both: `3-2`.
    pub(crate) pair: Pair,
    /// True for a shootout, whose numbers are no scores of the game.
    pub(crate) is_shootout: bool,
}

impl ExtraTime {
    /// Returns the columns, each once.
    pub(crate) fn columns(self) -> impl Iterator<Item = usize> {
        let [one, two] = self.pair;
        std::iter::once(one).chain((one != two).then_some(two))
    }

    /// Finds the columns after the regular time among these, by their headings.
    pub(crate) fn find(grid: &CellGrid, row: usize, columns: &[usize]) -> Vec<Self> {
        let headings: Vec<(usize, ExtraTimeHeading)> = columns
            .iter()
            .filter_map(|&c| Some((c, ExtraTimeHeading::parse(grid.cell(row, c))?)))
            .collect();
        let mut taken: Vec<usize> = Vec::new();
        let mut extra_times = Vec::new();
        for &(column, heading) in &headings {
            let other = match heading.scores_of {
                ScoresOf::Both => Some(column),
                ScoresOf::Seat(Seat::Two) => continue,
                ScoresOf::Seat(Seat::One) => {
                    headings.iter().map(|&(other, _)| other).find(|&other| {
                        let is_other = |known: &&(usize, ExtraTimeHeading)| known.0 == other;
                        !taken.contains(&other)
                            && headings.iter().find(is_other).is_some_and(|(_, known)| {
                                (known.scores_of, known.word)
                                    == (ScoresOf::Seat(Seat::Two), heading.word)
                            })
                    })
                }
            };
            if let Some(other) = other {
                taken.push(other);
                extra_times.push(Self {
                    pair: [column, other],
                    is_shootout: heading.is_shootout,
                });
            }
        }
        // A shootout follows extra time.
        extra_times.sort_by_key(|extra| extra.is_shootout);
        extra_times
    }
}

/// Takes the stated scores and outcomes that are headed like extra time from the claims, if others
/// have the regular time.
pub(crate) fn take_extra_times(
    grid: &CellGrid,
    row: usize,
    claims: &mut [Claim],
) -> Vec<ExtraTime> {
    let is_stated_result = |claim: &Claim| match claim {
        Claim::Seat(heading) => heading.word == STATED && matches!(heading.field, Field::Score(_)),
        Claim::Game(meaning, strength) => (*meaning, *strength) == (ColumnMeaning::Outcome, 0),
        Claim::Unknown => false,
    };
    let result_columns: Vec<usize> =
        (0..claims.len()).filter(|&column| is_stated_result(&claims[column])).collect();
    let extra_times = ExtraTime::find(grid, row, &result_columns);
    let is_extra = |column: usize| extra_times.iter().any(|e| e.pair.contains(&column));
    let has_regular = claims.iter().enumerate().any(|(column, claim)| {
        !is_extra(column)
            && match claim {
                Claim::Seat(heading) => matches!(heading.field, Field::Score(_)),
                Claim::Game(meaning, _) => *meaning == ColumnMeaning::Outcome,
                Claim::Unknown => false,
            }
    });
    if !has_regular {
        return Vec::new();
    }
    for column in extra_times.iter().flat_map(|extra| extra.columns()) {
        claims[column] = Claim::Unknown;
    }
    extra_times
}
