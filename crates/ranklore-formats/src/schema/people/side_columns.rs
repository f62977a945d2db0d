//! Columns of the two sides of a game under headings that are not known, such as `id1`, `id2`, `k1`,
//! `k2`: headings differ in one word, the cells of both hold the same names, and other columns with the
//! same two words hold numbers.

mod cells;

use std::collections::{BTreeMap, HashMap, HashSet};

use self::cells::{MAX_ROWS, are_opposite, hold_numbers, list_names};
use crate::options::{ReadOptions, StatedLayout};
use crate::schema::game_claims::{Claim, Pair, claims, find_names, states_games};
use crate::schema::people::side_results::are_opposite as are_opposite_words;
use crate::schema::table::HeaderTable;
use crate::schema::unnamed_games::{find_missing_sides, find_result_of_first, name_results};
use crate::values::cells::is_blank;
use crate::vocabulary::extra_time::ExtraTimeHeading;
use crate::vocabulary::headings::find_game_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::seats::scores::rank_score;
use crate::vocabulary::seats::{
    Pairing, Seat, heading_word, kind_of, names_competitor, split_side,
};
use crate::vocabulary::words::{has_word, split_words};
use ranklore_contest::EntrantKind;
use ranklore_grid::{CellGrid, CommandOptions, FileReadError, Reason};

/// The most columns of a table whose headings are compared with each other.
const MAX_COLUMNS: usize = 200;

/// Words that differ in the headings of two columns that are no sides.
const NO_SIDES: &str = "first last given family start end from to old new before after min max current previous \
     begin finish city country state venue id name date time day month year avg mean total";

/// Words in place of a side for what both have together, or for one of them.
const RESULT_SIDES: &str = "winner loser winning losing total sum max min best toss";

/// Words for the sides of which the first won.
const WON_AND_LOST: [[&str; 2]; 5] = [
    ["w", "l"],
    ["win", "loss"],
    ["win", "lose"],
    ["won", "lost"],
    ["winning", "losing"],
];

/// Words of headings whose texts say something about a competitor, and do not name one.
const ATTRIBUTES: &str = "rank ranking rating elo country nation nationality noc city state flag gender sex hand \
     coach manager captain color colour url link logo image title seed entry form class grade kit stance \
     formation lineup map hero character deck record result results status note notes type method comment";

/// Words of headings whose numbers decide no game.
const NO_SCORES: &str = "rank ranking rating elo seed id no nr number age year odd odds height weight reach ht \
     minute minutes time date day attendance salary diff difference change delta probability prob order draw \
     half halftime";

/// The columns of both sides.
struct Sides {
    names: Pair,
    /// The columns of the second members of both sides.
    partners: Option<Pair>,
    /// True if the headings say that the first side won.
    is_winner_loser: bool,
    /// The columns of numbers that say who won.
    scores: Option<Pair>,
    /// True if the headings of the scores say so, and names stand on both sides.
    is_evident: bool,
    /// The column that says who won, and its meaning.
    result: Option<(usize, ColumnMeaning)>,
}

/// The order of columns that may name the sides: names before ids, words for competitors before
/// others, sets of cards and those that meet themselves last, then the most names.
type Rank = (bool, bool, bool, std::cmp::Reverse<usize>);

/// Two columns whose headings differ in one word.
struct SidePair {
    columns: Pair,
    /// The words that differ.
    sides: [String; 2],
    /// The words that both headings have.
    common: Vec<String>,
}

/// Returns the options that read a table as games, if no heading names competitors, and the columns have
/// the names and scores of two sides in one way only.
pub(crate) fn find_evident_sides(grid: &CellGrid, options: &ReadOptions) -> Option<ReadOptions> {
    if !may_have_sides(grid, options) || !grid.limits().reader.refuses_doubts() {
        return None;
    }
    let candidates = Sides::find(grid, &options.columns);
    let [sides] = &candidates[..] else {
        return None;
    };
    if !sides.is_evident || sides.scores.is_none() {
        return None;
    }
    let meanings = sides.meanings(grid).into_iter();
    let mut columns = options.columns.clone();
    columns.extend(meanings.map(|(column, meaning)| (grid.cell(0, column).to_owned(), meaning)));
    Some(ReadOptions {
        layout: Some(StatedLayout::Games),
        columns,
        ..options.clone()
    })
}

fn may_have_sides(grid: &CellGrid, options: &ReadOptions) -> bool {
    let may_be_games = matches!(options.layout, None | Some(StatedLayout::Games));
    grid.row_count() > 0 && !grid.has_letters && may_be_games && !states_games(&options.columns)
}

/// Errors if no heading of a table names competitors, and the cells show that each row is a game.
pub(crate) fn check_unknown_sides(
    grid: CellGrid,
    options: &ReadOptions,
) -> Result<CellGrid, FileReadError> {
    if !may_have_sides(&grid, options) {
        return Ok(grid);
    }
    let candidates = Sides::find(&grid, &options.columns);
    let claims = claims(&grid, 0, &options.columns);
    let names = find_names(&claims).next();
    let sides = find_missing_sides(&grid, &claims);
    if candidates.is_empty() && names.is_none() && !matches!(sides.len(), 1 | 2) {
        return Ok(grid);
    }
    let table = HeaderTable::without_meanings(grid, 0, &options.columns)?;
    Err(match names {
        None if candidates.is_empty() => refuse_missing_side(&table, &sides),
        Some((_, names)) if candidates.is_empty() => refuse_undecided(&table, names),
        _ => refuse(&table, &candidates),
    })
}

/// Returns the error for a table whose headings name both competitors, and not who won.
fn refuse_undecided(table: &HeaderTable, names: Pair) -> FileReadError {
    let competitors = table.describe_columns(&names);
    let all: Vec<usize> = (0..table.grid.width(0)).collect();
    let mut reason = Reason::from(format!(
        "{competitors} name the competitors of games, and no game has a result: no heading says who won"
    ));
    let winner = find_winner(&table.grid, &all, names);
    if let Some((winner, meaning)) = winner.or_else(|| find_result_of_first(table)) {
        let option = table.column_option(winner, meaning);
        let advice = format!("pass {option} if {} does", table.describe_column(winner));
        reason.append(Reason::from(advice).naming([option]));
    } else if let Some(advice) = name_results(table, names, &deciding_columns(table, names)) {
        reason.append(advice);
    } else {
        let advice = "name it with --column HEADING=winner or --column HEADING=outcome";
        reason.append(Reason::from(advice));
    }
    table.refuse_headings(reason)
}

/// Returns the error for a table whose headings name one side of games and the scores of both.
fn refuse_missing_side(
    table: &HeaderTable,
    sides: &[[(usize, ColumnMeaning); 2]],
) -> FileReadError {
    let cases = sides.iter().map(|[known, missing]| {
        let option = table.column_option(known.0, known.1);
        let case = format!("if {} names the other side", table.describe_column(missing.0));
        (option.and(table.column_option(missing.0, missing.1)), case)
    });
    let problem = "the headings name one side of games and the scores of both";
    table.refuse_headings(Reason::with_options(problem, cases.collect::<Vec<_>>()))
}

impl Sides {
    /// Finds the sides below the first row: those that fit best, and teams beside players.
    fn find(grid: &CellGrid, stated_meanings: &BTreeMap<String, ColumnMeaning>) -> Vec<Self> {
        let pairs = PairedColumns::new(grid, stated_meanings);
        let mut candidates: Vec<(Rank, Self)> = pairs.candidates();
        candidates.sort_by_key(|candidate| candidate.0);
        let mut candidates = candidates.into_iter();
        let Some(best) = candidates.next() else {
            return Vec::new();
        };
        let other = candidates.find(|(rank, sides)| {
            (rank.0, rank.1) == (best.0.0, best.0.1)
                && sides.are_teams(grid) != best.1.are_teams(grid)
        });
        std::iter::once(best).chain(other).map(|(_, sides)| sides).collect()
    }

    fn are_teams(&self, grid: &CellGrid) -> bool {
        let heading = grid.cell(0, self.names[0]);
        kind_of(Pairing::Numbered, &heading_word(heading)) == EntrantKind::Team
            || split_words(heading).first().is_some_and(|word| word == "t")
    }

    /// True if the headings of the names begin with words for the home side and the other.
    fn are_home_and_away(&self, grid: &CellGrid) -> bool {
        let sides = self.names.map(|name| {
            let word = heading_word(grid.cell(0, name));
            split_side(&word).map(|(pairing, seat, rest)| (pairing, seat, rest.to_owned()))
        });
        grid.limits().reader.refuses_doubts()
            && matches!(&sides, [
                Some((Pairing::HomeAway, Seat::One, one)),
                Some((Pairing::HomeAway, Seat::Two, two)),
            ] if one == two)
    }

    /// Returns the columns of these sides with their meanings.
    fn meanings(&self, grid: &CellGrid) -> Vec<(usize, ColumnMeaning)> {
        use ColumnMeaning::{
            Away, Home, Loser, Partner1, Partner2, Player1, Player2, Score1, Score2, Team1, Team2,
            Winner,
        };
        let names = match (self.is_winner_loser, self.are_teams(grid)) {
            (true, _) => [Winner, Loser],
            // The outcome can name these sides.
            _ if self.scores.is_none() && self.result.is_none() && self.are_home_and_away(grid) => {
                [Home, Away]
            }
            (false, true) => [Team1, Team2],
            (false, false) => [Player1, Player2],
        };
        let pairs = [
            (Some(self.names), names),
            (self.partners, [Partner1, Partner2]),
            (self.scores, [Score1, Score2]),
        ];
        let columns = pairs
            .into_iter()
            .filter_map(|(pair, meanings)| Some(pair?.into_iter().zip(meanings)));
        columns.flatten().chain(self.result).collect()
    }

    /// Returns the options that read the table as games of these sides, and the case for them.
    fn to_options(&self, table: &HeaderTable) -> (CommandOptions, String) {
        let layout = CommandOptions::new("--layout", "games");
        let options = self
            .meanings(&table.grid)
            .into_iter()
            .fold(layout, |options, column| options.and(table.column_option(column.0, column.1)));
        let [one, two] = self.names.map(|column| table.describe_column(column));
        let mut case = format!("if each row is a game between {one} and {two}");
        if let Some(scores) = self.scores {
            let [one, two] = scores.map(|column| table.describe_column(column));
            case = format!("{case}, and {one} and {two} say who won");
        }
        if let Some((column, _)) = self.result {
            case = format!("{case}, and {} says who won", table.describe_column(column));
        }
        (options, case)
    }
}

/// The columns of a table, and the pairs of them whose headings differ in one word.
struct PairedColumns<'g> {
    grid: &'g CellGrid,
    columns: Vec<usize>,
    pairs: Vec<SidePair>,
    /// The different names of the columns that hold names.
    names: HashMap<usize, HashSet<&'g str>>,
    has_outcome: bool,
}

impl<'g> PairedColumns<'g> {
    fn new(grid: &'g CellGrid, stated_meanings: &BTreeMap<String, ColumnMeaning>) -> Self {
        let is_free = |column: &usize| !stated_meanings.contains_key(grid.cell(0, *column));
        let columns: Vec<usize> = (0..grid.width(0).min(MAX_COLUMNS)).filter(is_free).collect();
        let names = columns.iter().filter_map(|&c| Some((c, list_names(grid, c)?)));
        Self {
            grid,
            pairs: find_pairs(grid, &columns),
            names: names.collect(),
            has_outcome: columns.iter().any(|&column| says_who_won(grid, column)),
            columns,
        }
    }

    /// Returns the sides of all pairs that may name competitors, but not of their partners alone.
    fn candidates(&self) -> Vec<(Rank, Sides)> {
        let partners = self.pairs.iter().filter_map(|pair| find_partners(&self.pairs, pair));
        let partners: Vec<Pair> = partners.collect();
        let is_first = |pair: &&SidePair| !partners.contains(&pair.columns);
        self.pairs
            .iter()
            .filter(is_first)
            .filter_map(|pair| self.find_sides(pair))
            .collect()
    }

    /// Returns the sides that a pair of columns names, if others say who won.
    fn find_sides(&self, pair: &SidePair) -> Option<(Rank, Sides)> {
        if !self.is_named(pair) {
            return None;
        }
        let grid = self.grid;
        let [one, two] = pair.columns.map(|column| &self.names[&column]);
        let partners = find_partners(&self.pairs, pair);
        let recur = self.share_names(pair.columns, partners);
        let result = find_side_result(grid, &self.pairs, pair)
            .or_else(|| find_winner(grid, &self.columns, pair.columns));
        let scores = find_scores(grid, &self.pairs, pair).filter(|_| result.is_none());
        let is_winner_loser = WON_AND_LOST.iter().any(|sides| pair.sides == *sides);
        let has_outcome = self.has_outcome;
        let is_decided = is_winner_loser || has_outcome || scores.is_some() || result.is_some();
        // In a first round, all names differ.
        let is_certain = recur
            || result.is_some()
            || (!pair.common.is_empty() && scores.is_some_and(|s| are_opposite(grid, s.1)))
            || (pair.names_competitors() && scores.is_some_and(|s| s.0 < MAX_COLUMNS));
        let is_one_of_many = scores.is_some_and(|scores| self.have_third_side(pair, scores.1));
        if !is_certain || !is_decided || is_one_of_many || one == two && one.len() == 1 {
            return None;
        }
        let name_count = std::cmp::Reverse(one.union(two).count());
        let mut rows = 1..grid.row_count().min(MAX_ROWS);
        let [one, two] = pair.columns;
        let meets_itself = rows.any(|row| {
            let cell = grid.cell(row, one);
            !is_blank(cell) && cell == grid.cell(row, two)
        });
        let is_id = pair.has_any("id");
        let is_last = meets_itself || pair.has_any("set");
        let rank = (is_id, !pair.names_competitors(), is_last, name_count);
        // Further names can be those of the members of a team.
        let named = self
            .pairs
            .iter()
            .filter(|other| other.in_order_of(pair).is_some() && self.is_named(other));
        let is_only = named.count() == 1 + usize::from(partners.is_some());
        let sides = Sides {
            names: pair.columns,
            partners,
            is_winner_loser,
            is_evident: recur && is_only && scores.is_some_and(|s| s.0 < MAX_COLUMNS),
            scores: scores.map(|s| s.1).filter(|_| !is_winner_loser && !has_outcome),
            result: result.filter(|_| !is_winner_loser && !has_outcome),
        };
        Some((rank, sides))
    }

    /// True if a third side has a column of the same names and one of scores, so that rows are no games of two.
    fn have_third_side(&self, names: &SidePair, scores: Pair) -> bool {
        let others = |pair: &SidePair| -> HashMap<&str, usize> {
            let similar_pairs = self.pairs.iter().filter(|other| other.common == pair.common);
            let [one, two] = pair.columns;
            let of_others = similar_pairs.filter_map(|other| match other.columns {
                [first, last] if first == one && last != two => Some((&*other.sides[1], last)),
                [first, last] if last == one && first != two => Some((&*other.sides[0], first)),
                _ => None,
            });
            of_others.filter(|(side, _)| !has_word(RESULT_SIDES, side)).collect()
        };
        let recurs = |column: usize| {
            let third = self.names.get(&column);
            let sides = names.columns.iter().map(|side| &self.names[side]);
            third.is_some_and(|third| sides.into_iter().any(|side| !side.is_disjoint(third)))
        };
        let mut columns = scores;
        columns.sort_unstable();
        let scores = self.pairs.iter().find(|pair| pair.columns == columns);
        let scores = scores.map(others).unwrap_or_default();
        let has_scores = |side: &str| {
            scores
                .get(side)
                .is_some_and(|&column| hold_numbers(self.grid, [column, column]))
        };
        self.grid.limits().reader.refuses_doubts()
            && others(names)
                .into_iter()
                .any(|(side, column)| recurs(column) && has_scores(side))
    }

    /// True if both columns of a pair hold names of competitors.
    fn is_named(&self, pair: &SidePair) -> bool {
        !pair.has_any(ATTRIBUTES)
            && pair.columns.iter().all(|column| self.names.contains_key(column))
    }

    /// True if a name stands on both sides, alone or as that of a partner.
    fn share_names(&self, names: Pair, partners: Option<Pair>) -> bool {
        let side_names = |side: usize| -> HashSet<&str> {
            let columns = std::iter::once(names).chain(partners).map(|pair| pair[side]);
            columns
                .filter_map(|column| self.names.get(&column))
                .flatten()
                .copied()
                .collect()
        };
        !side_names(0).is_disjoint(&side_names(1))
    }
}

/// Returns the error with the options that read the table as games.
fn refuse(table: &HeaderTable, candidates: &[Sides]) -> FileReadError {
    let cases: Vec<_> = candidates.iter().map(|sides| sides.to_options(table)).collect();
    let listed = cases.iter().map(|(options, case)| format!("{options} {case}"));
    let reason = format!(
        "no heading names the competitors, and the columns seem to be two sides of a game: pass {}; if rows are no games, name the competitor with --column HEADING=competitor; the headings are {}",
        listed.collect::<Vec<_>>().join(", or "),
        table.list_headings()
    );
    let options = cases.into_iter().map(|(options, _)| options);
    table.refuse_headings(Reason::from(reason).naming(options))
}

/// Returns the columns without a known meaning whose headings allow that they say who won.
fn deciding_columns(table: &HeaderTable, names: Pair) -> Vec<usize> {
    let claims = claims(&table.grid, table.header_row, &BTreeMap::new());
    let may_decide = |&column: &usize| {
        let words = split_words(table.heading(column));
        !names.contains(&column)
            && matches!(claims[column], Claim::Unknown)
            && !words.iter().any(|word| has_word(NO_SCORES, word) || has_word(ATTRIBUTES, word))
    };
    (0..claims.len().min(MAX_COLUMNS)).filter(may_decide).collect()
}

impl SidePair {
    /// Returns the pair of two columns if their headings differ in one word.
    fn new(columns: Pair, [one, two]: [&[String]; 2]) -> Option<Self> {
        if one.len() != two.len() {
            return None;
        }
        let mut different = (0..one.len()).filter(|&at| one[at] != two[at]);
        let at = different.next().filter(|_| different.next().is_none())?;
        let sides = [one[at].clone(), two[at].clone()];
        if sides.iter().any(|side| has_word(NO_SIDES, side)) {
            return None;
        }
        let mut common = one.to_vec();
        common.remove(at);
        Some(Self {
            columns,
            sides,
            common,
        })
    }

    /// Returns the columns in the order of other sides, which can stand the other way round; `None` if
    /// the sides are others.
    fn in_order_of(&self, other: &Self) -> Option<Pair> {
        let [one, two] = self.columns;
        let is_reversed = self.sides[0] == other.sides[1] && self.sides[1] == other.sides[0];
        if is_reversed {
            Some([two, one])
        } else {
            (self.sides == other.sides).then_some([one, two])
        }
    }

    fn names_competitors(&self) -> bool {
        self.common.iter().any(|word| names_competitor(word))
    }

    fn has_any(&self, words: &str) -> bool {
        self.common.iter().any(|word| has_word(words, word))
    }
}

/// Returns the pairs of columns whose headings differ in one word.
fn find_pairs(grid: &CellGrid, columns: &[usize]) -> Vec<SidePair> {
    let headings: Vec<(usize, Vec<String>)> = columns
        .iter()
        .map(|&column| (column, split_words(grid.cell(0, column))))
        .collect();
    let mut pairs = Vec::new();
    for (index, (one, words)) in headings.iter().enumerate() {
        for (two, others) in &headings[index + 1..] {
            pairs.extend(SidePair::new([*one, *two], [words, others]));
        }
    }
    pairs
}

/// Returns the columns of the second members of both sides, if those of the first have a number.
fn find_partners(pairs: &[SidePair], first: &SidePair) -> Option<Pair> {
    let is_first = |word: &String| has_word("1 a", word);
    let at = first.common.iter().position(is_first)?;
    let second = if first.common[at] == "1" { "2" } else { "b" };
    let mut words = first.common.clone();
    second.clone_into(&mut words[at]);
    let mut partners = pairs.iter().filter(|pair| pair.sides == first.sides);
    partners.find(|pair| pair.common == words).map(|pair| pair.columns)
}

/// Returns the columns of numbers for these sides that say who won, headed like scores, or else the
/// only ones; with their rank, which is below [`MAX_COLUMNS`] for a heading of scores.
fn find_scores(grid: &CellGrid, pairs: &[SidePair], names: &SidePair) -> Option<(usize, Pair)> {
    let mut candidates: Vec<(usize, Pair)> = Vec::new();
    // What follows the regular time decides only if that is a draw.
    let is_later = |pair: &SidePair| {
        pair.columns
            .iter()
            .any(|&column| ExtraTimeHeading::parse(grid.cell(0, column)).is_some())
    };
    for pair in pairs.iter().filter(|pair| !pair.has_any(NO_SCORES) && !is_later(pair)) {
        let Some(columns) = pair.in_order_of(names).filter(|pair| hold_numbers(grid, *pair)) else {
            continue;
        };
        let rank = pair.common.iter().filter_map(|word| rank_score(word)).min();
        if rank.is_none() && identify(grid, names.columns, columns) {
            continue;
        }
        let rank = rank.or_else(|| are_opposite(grid, columns).then_some(MAX_COLUMNS));
        candidates.push((rank.unwrap_or(usize::MAX), columns));
    }
    candidates.sort_unstable();
    match candidates[..] {
        [(rank, _), (rival, _), ..] if rank == rival => None,
        _ => candidates.first().copied(),
    }
}

/// True if each name has one number in all rows, and each number one name, of which several recur.
fn identify(grid: &CellGrid, names: Pair, numbers: Pair) -> bool {
    let mut number_by_name: HashMap<&str, &str> = HashMap::new();
    let mut name_by_number: HashMap<&str, &str> = HashMap::new();
    let mut recurring = 0;
    for row in 1..grid.row_count().min(MAX_ROWS) {
        for (name, number) in names.into_iter().zip(numbers) {
            let [name, number] = [name, number].map(|column| grid.cell(row, column));
            recurring += usize::from(number_by_name.contains_key(name));
            if *number_by_name.entry(name).or_insert(number) != number
                || *name_by_number.entry(number).or_insert(name) != name
            {
                return false;
            }
        }
    }
    recurring > 2
}

/// Returns the column of the first side that says if it won: `win` beside `loss`.
fn find_side_result(
    grid: &CellGrid,
    pairs: &[SidePair],
    names: &SidePair,
) -> Option<(usize, ColumnMeaning)> {
    let mut ordered = pairs.iter().filter_map(|pair| pair.in_order_of(names));
    // The meaning of the column cannot be stated if it only says true or false.
    let are_words = |pair: Pair| {
        let rows = 1..grid.row_count();
        let is_flag = |cell: &str| has_word("true false yes no", &cell.to_ascii_lowercase());
        are_opposite_words(rows.clone().map(|row| pair.map(|column| grid.cell(row, column))))
            && !rows.into_iter().any(|row| is_flag(grid.cell(row, pair[0])))
    };
    let results = ordered.find(|pair| are_words(*pair))?;
    Some((results[0], ColumnMeaning::Outcome))
}

/// Words of headings of columns that name one of both sides, but not the winner.
const NO_WINNERS: &str = "toss serve server serving first starter bat batting host home venue favorite \
     favourite predicted prediction expected pick";

/// Returns the only column whose cells name one of both sides in nearly all rows: the winner.
fn find_winner(grid: &CellGrid, columns: &[usize], names: Pair) -> Option<(usize, ColumnMeaning)> {
    let names_side = |column: usize| {
        let rows = 1..grid.row_count().min(MAX_ROWS);
        let filled = rows.filter(|&row| !is_blank(grid.cell(row, column)));
        let filled: Vec<usize> = filled.collect();
        let sides = [0, 1].map(|side| {
            let is_side = |row: &&usize| grid.cell(**row, column) == grid.cell(**row, names[side]);
            filled.iter().filter(is_side).count()
        });
        let matches = filled.iter().filter(|&&row| {
            names.iter().any(|&name| grid.cell(row, name) == grid.cell(row, column))
        });
        // A copy of one side names it in all rows.
        filled.len() > 2
            && sides.iter().all(|&count| count > 0)
            && matches.count() * 4 >= filled.len() * 3
    };
    let words = |column: usize| split_words(grid.cell(0, column));
    let mut winners = columns.iter().copied().filter(|&column| {
        !names.contains(&column)
            && !words(column).iter().any(|word| has_word(NO_WINNERS, word))
            && names_side(column)
    });
    let winner = winners.next().filter(|_| winners.next().is_none())?;
    Some((winner, ColumnMeaning::Winner))
}

/// True if a heading is that of results or winners of games.
fn says_who_won(grid: &CellGrid, column: usize) -> bool {
    use ColumnMeaning::{Outcome, Winner};
    let word = heading_word(grid.cell(0, column));
    matches!(find_game_heading(&word), Some((Outcome | Winner, 0)))
        || has_word("winner winnername winnerid", &word)
}
