//! Rules that ask whether the cells of a column allow the meaning that its heading proposes.

use std::collections::{BTreeMap, HashSet};

use super::remarks::agrees_with_places;
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place, strip_marks};
use crate::values::numbers::is_time;
use crate::values::rankings::{are_ranking, is_ranking};
use crate::values::statuses::{StatusWords, has_digit, status_option};
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_opponent_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_round_heading;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
use ranklore_grid::{FileReadError, Reason};

/// The largest usual weight of a contest. Body weights and weight classes are larger.
const MAX_CONTEST_WEIGHT: f64 = 20.0;

/// The smallest usual maximum of starting ratings, on any scale of ratings. Positions on a grid,
/// seeds and marks of one to five are smaller.
const MIN_RATING: f64 = 100.0;

/// The number of rows of which ratings are compared with results.
const MAX_COMPARED_RATINGS: usize = 200;

/// Drops a column of weights that are those of competitors, such as 57 kg.
pub(super) fn weights_of_contests(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let &[(strength, column)] = table.claims(ColumnMeaning::Weight) else {
        return Ok(None);
    };
    let is_stated = strength == MatchStrength::Stated;
    let are_weights = is_stated || are_contest_weights(table, column);
    if are_weights
        && !is_stated
        && has_row_per_result(table)
        && differ_within_contests(table, column)
    {
        return drop_results(table, column);
    }
    Ok((!are_weights).then(|| {
        let kind = "holds weights that are hardly those of contests";
        drop_column(table, column, kind, ColumnMeaning::Weight)
    }))
}

/// Drops weights that differ in the rows of a contest, as those of fish do. Errors if nothing else decides.
fn drop_results(table: &HeaderTable, column: usize) -> Result<Option<Evidence>, FileReadError> {
    let observation = format!("{} differs within a contest", table.describe_column(column));
    if [ColumnMeaning::Place, ColumnMeaning::Score]
        .iter()
        .any(|&m| table.has_column(m))
    {
        let note = format!("{observation}, and is not the weight of one: it is not read");
        let changes = vec![
            Change::MeansNothing(column),
            Change::IsNoContest(column),
            Change::Note(note),
        ];
        return Ok(Some(Evidence::new(observation, changes)));
    }
    let cases = [
        (table.column_option(column, ColumnMeaning::Score), "if the highest wins"),
        (table.ignore_option(column), "if it decides nothing"),
    ];
    Err(table.refuse_column(column, Reason::with_options(observation, cases)))
}

/// True if each row names the competitor of a result, and the row or the sheet its contest, and none an
/// opponent: no table of games has such rows, and none with a column per round.
fn has_row_per_result(table: &HeaderTable) -> bool {
    let mut columns = 0..table.grid.width(table.header_row);
    (table.has_column(ColumnMeaning::Date) || table.grid.contest_name.is_some())
        && table.has_column(ColumnMeaning::Competitor)
        && !columns.any(|column| {
            let heading = table.heading(column);
            is_opponent_heading(heading) || is_round_heading(heading)
        })
}

/// True if all rows of each contest have weights of their own, and a contest has three.
fn differ_within_contests(table: &HeaderTable, column: usize) -> bool {
    let heading = normalise_word(table.heading(column));
    let mut longest = 0;
    let differ = |rows: &Vec<usize>| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, column));
        let filled: Vec<&str> = cells.filter(|cell| !is_blank(cell)).collect();
        longest = longest.max(filled.len());
        let distinct: HashSet<&str> = filled.iter().copied().collect();
        distinct.len() == filled.len()
    };
    table.grid.limits().reader.refuses_doubts()
        && has_word("weight gewicht", &heading)
        && divide_contests(table, table.contest_rows()).iter().all(differ)
        && longest > 2
}

/// True if all cells of a column can be weights of contests, or its heading says that they are.
pub(crate) fn are_contest_weights(table: &HeaderTable, column: usize) -> bool {
    if !has_word("weight gewicht", &normalise_word(table.heading(column))) {
        return true;
    }
    let style = table.number_style(Some(column));
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    cells.all(|cell| style.parse(cell).is_ok_and(|weight| weight <= MAX_CONTEST_WEIGHT))
}

/// Words of headings of boats and of their times, beside which a "rating" is a handicap.
const SAILING: &str = "boat boats yacht yachts sail sails corrected phrf tcf irc orc";

/// True if a column headed "Rating" stands beside boats or corrected times.
fn is_handicap(table: &HeaderTable, column: usize) -> bool {
    let is_sailing =
        |heading: &str| split_words(heading).iter().any(|word| has_word(SAILING, word));
    table.grid.limits().reader.refuses_doubts()
        && normalise_word(table.heading(column)) == "rating"
        && table.grid.cells(table.header_row).any(is_sailing)
}

/// Drops a column with a vague heading such as "rating" whose numbers lie on no scale of ratings, or are
/// the handicaps of boats.
pub(super) fn starting_ratings(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(MatchStrength::Vague, column)) = table.claims(ColumnMeaning::StartingRating).first()
    else {
        return Ok(None);
    };
    if is_handicap(table, column) {
        let kind = "holds the handicaps of boats, and no ratings of competitors";
        let mut evidence = drop_column(table, column, kind, ColumnMeaning::StartingRating);
        evidence.changes.push(Change::IsNoContest(column));
        return Ok(Some(evidence));
    }
    let style = table.number_style(Some(column));
    let cells = || table.values(column).filter(|cell| !is_blank(cell));
    let is_low = |cell: &str| style.parse(cell).is_ok_and(|rating| rating.abs() < MIN_RATING);
    let are_no_ratings = cells().next().is_some() && (cells().all(is_low) || are_ranking(cells()));
    if !are_no_ratings && may_be_final_ratings(table, column) {
        let problem = format!(
            "{} orders the competitors as their results do, as ratings after the games would",
            table.describe_column(column)
        );
        let cases = [
            (table.ignore_option(column), "if they are ratings after them"),
            (
                table.column_option(column, ColumnMeaning::StartingRating),
                "if they are from before the first",
            ),
        ];
        return Err(table.refuse_column(column, Reason::with_options(problem, cases)));
    }
    Ok(are_no_ratings.then(|| {
        let kind = "holds numbers that are hardly ratings";
        drop_column(table, column, kind, ColumnMeaning::StartingRating)
    }))
}

/// Words of headings beside which a rating is that of an entry list: start numbers, federations, performances,
/// tie-breaks.
const ENTRY_LIST: &str = "sno snr seed start starting startrang startnr fed fide performance perf rp tpr \
     buchholz bh sb sonneborn berger tb tie tiebreak nwz dwz";

/// The least number of pairs that ratings from before a contest hardly order as its results do: of eight competitors.
const MIN_ORDERED_PAIRS: usize = 28;

/// True if the ratings of a single contest fall with its places, or else with the scores, and nothing says that they
/// are older: in nine tenths of the pairs beside wins and losses, or in all if nothing else ranks the competitors.
fn may_be_final_ratings(table: &HeaderTable, column: usize) -> bool {
    use ColumnMeaning::{Date, Place, RatingAfter, RatingBefore, RatingChange, Score};
    let headings = || table.grid.cells(table.header_row);
    let words: Vec<String> = headings().flat_map(split_words).collect();
    let has_heading = |known: &str| words.iter().any(|word| has_word(known, word));
    let has_ratings = [RatingAfter, RatingBefore, RatingChange].map(|m| table.has_column(m));
    let counts_games = has_heading("w win wins won siege victoires victorias")
        && has_heading("l loss losses lost niederlagen defaites derrotas");
    if !table.grid.limits().reader.refuses_doubts()
        || table.contest_rows().len() != 1
        || has_ratings.contains(&true)
        || has_heading(ENTRY_LIST)
        || headings().any(is_round_heading)
    {
        return false;
    }
    let place = table.first_column(Place);
    let (decider, sign) = match place.or_else(|| table.first_column(Score)) {
        Some(decider) if place.is_some() => (decider, 1.0),
        Some(decider) => (decider, -1.0),
        None => return false,
    };
    let [rank_style, style] = [decider, column].map(|c| table.number_style(Some(c)));
    let results = table.data_rows().filter_map(|row| {
        let rank = rank_style.parse(table.grid.cell(row, decider)).ok()?;
        Some((sign * rank, style.parse(table.grid.cell(row, column)).ok()?))
    });
    let mut results: Vec<(f64, f64)> = results.take(MAX_COMPARED_RATINGS).collect();
    results.sort_by(|one, two| one.0.total_cmp(&two.0));
    let pairs = results
        .iter()
        .enumerate()
        .flat_map(|(index, &one)| results[index + 1..].iter().map(move |&two| (one, two)));
    let [mut count, mut agreeing] = [0_usize; 2];
    for (one, two) in pairs.filter(|(one, two)| one.0 < two.0) {
        count += 1;
        agreeing += usize::from(one.1 > two.1);
    }
    if counts_games {
        count >= 6 && 10 * agreeing >= 9 * count
    } else {
        count >= MIN_ORDERED_PAIRS
            && agreeing == count
            && !(table.has_column(Score) || table.has_column(Date))
    }
}

/// Errors if a column headed as places has numbers that fall from the first row, all of them far above the
/// number of rows: ratings, whose highest is best.
pub(super) fn falling_places(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Place).first() else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated || !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let fall = |rows: &Vec<usize>| {
        // A footnote explains why few games made a rating.
        let places = rows.iter().map(|&row| parse_place(strip_marks(table.grid.cell(row, column))));
        let Some(places) = places.collect::<Option<Vec<u32>>>() else {
            return false;
        };
        let least = places.iter().copied().min().unwrap_or_default() as usize;
        places.len() > 2
            && least > 2 * places.len()
            && places.is_sorted_by(|one, two| one >= two)
            && places.first() > places.last()
    };
    if !table.contest_rows().iter().all(fall) {
        return Ok(None);
    }
    let problem = format!(
        "{} falls from the first row to the last, and has no first places",
        table.describe_column(column)
    );
    let cases = [
        (table.column_option(column, ColumnMeaning::Score), "if the highest is best"),
        (table.column_option(column, ColumnMeaning::Place), "if the lowest is"),
        (table.ignore_option(column), "if it ranks nobody"),
    ];
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// Drops a column with a vague heading such as "state" whose cells are other words, or statuses that
/// contradict the results. Errors if statuses under a definite heading contradict the first place.
pub(super) fn statuses(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(&(strength, column)) = table.claims(ColumnMeaning::Status).first() else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated || !options.statuses.is_empty() {
        return Ok(None);
    }
    let words = StatusWords::new(&options.statuses)?;
    if strength == MatchStrength::Vague {
        let mut cells = table.values(column).filter(|cell| !is_blank(cell));
        let has_other_word = cells.any(|cell| words.parse(cell).is_none());
        let are_none = has_other_word || contradict_results(table, column, &words);
        return Ok(are_none.then(|| {
            let kind = "holds words that are hardly statuses";
            drop_column(table, column, kind, ColumnMeaning::Status)
        }));
    }
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    let first = table.data_rows().find(|&row| {
        parse_place(table.grid.cell(row, place)) == Some(1)
            && words.parse(table.grid.cell(row, column)) == Some(CellStatus::DidNotFinish)
            && are_ranking(table.values(place).filter(|cell| parse_place(cell).is_some()))
    });
    let Some(row) = first else {
        return Ok(words_beside_places_of_all(table, &words, [column, place]));
    };
    let word = table.grid.cell(row, column);
    let cases = [
        (status_option(word, "finished"), "if the word means so"),
        (table.ignore_option(column), "if the column holds no statuses"),
    ];
    let problem = format!("the first place has the status {word:?}");
    let reason = Reason::with_options(problem, cases);
    Err(FileReadError::new(table.grid.location(row, column), reason))
}

/// Drops a column with words such as "crash", or with statuses that stand above finishers, if the places
/// rank each competitor of each contest: these decide.
fn words_beside_places_of_all(
    table: &HeaderTable,
    words: &StatusWords,
    [column, place]: [usize; 2],
) -> Option<Evidence> {
    let is_placed = |cell: &str| parse_place(cell).is_some();
    if !table.grid.limits().reader.refuses_doubts()
        || table.is_meant_by_cells(column)
        || !table.values(place).all(is_placed)
    {
        return None;
    }
    let contests = table.contest_rows();
    if !ranks_rows(table, contests, place)
        && !ranks_rows(table, &divide_contests(table, contests), place)
    {
        return None;
    }
    let cell = |row: usize| table.grid.cell(row, column);
    let is_unknown = |row: usize| !is_blank(cell(row)) && words.parse(cell(row)).is_none();
    let is_unplaced =
        |row: usize| words.parse(cell(row)).is_some_and(|status| status != CellStatus::Finished);
    let is_retired = |row: usize| words.parse(cell(row)) == Some(CellStatus::DidNotFinish);
    // Known statuses below all finishers speak for statuses.
    let mut rows = table.data_rows();
    let has_statuses = rows.any(&is_unplaced);
    let stands_above = |is_low: &dyn Fn(usize) -> bool| !agrees_with_places(table, is_low);
    let row = if stands_above(&is_retired) {
        table.data_rows().find(|&row| is_retired(row))
    } else if !has_statuses || stands_above(&|row| is_unknown(row) || is_unplaced(row)) {
        table.data_rows().find(|&row| is_unknown(row))
    } else {
        None
    };
    let word = row.map(cell)?;
    if table.values(column).any(|cell| has_digit(cell) && words.parse(cell).is_none()) {
        return None;
    }
    let observation = format!(
        "{} has words such as {word:?}, and {} ranks each competitor",
        table.describe_column(column),
        table.describe_column(place)
    );
    let note = format!(
        "{observation}: the places decide; pass {} if such competitors have none",
        table.column_option(column, ColumnMeaning::Status)
    );
    let changes = vec![
        Change::MeansNothing(column),
        Change::IsNoContest(column),
        Change::Note(note),
    ];
    Some(Evidence::new(observation, changes))
}

/// True if a column of places, such as 1 or 1.0, ranks the rows of each contest, and three or more of some.
fn ranks_rows(table: &HeaderTable, contests: &[Vec<usize>], place: usize) -> bool {
    contests.iter().any(|rows| rows.len() > 2)
        && contests.iter().all(|rows| {
            let places = rows.iter().filter_map(|&row| parse_place(table.grid.cell(row, place)));
            let mut places: Vec<u32> = places.collect();
            places.sort_unstable();
            is_ranking(places)
        })
}

/// Returns the rows of each division of each contest.
pub(super) fn divide_contests(table: &HeaderTable, contests: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let division = table.first_column(ColumnMeaning::Division);
    let mut divisions: BTreeMap<(usize, &str), Vec<usize>> = BTreeMap::new();
    for (index, rows) in contests.iter().enumerate() {
        for &row in rows {
            divisions.entry((index, table.cell(row, division))).or_default().push(row);
        }
    }
    divisions.into_values().collect()
}

/// True if a competitor whom the words call unplaced stands above one who finished, or most are
/// unplaced.
fn contradict_results(table: &HeaderTable, column: usize, words: &StatusWords) -> bool {
    let is_unplaced = |row: usize| {
        let status = words.parse(table.grid.cell(row, column));
        status.is_some_and(|status| status != CellStatus::Finished)
    };
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        let unplaced = table.data_rows().filter(|&row| is_unplaced(row)).count();
        return 2 * unplaced > table.data_rows().len();
    };
    let place = |row: usize| parse_place(table.grid.cell(row, place));
    let places = table.data_rows().filter_map(|row| Some((place(row)?, is_unplaced(row))));
    let mut places: Vec<(u32, bool)> = places.collect();
    places.sort_unstable();
    let first_unplaced = places.iter().position(|&(_, is_unplaced)| is_unplaced);
    // NC and AB are states and provinces, too.
    let mut cells = table.values(column).filter(|cell| !is_blank(cell));
    let are_abbreviations =
        cells.all(|cell| cell.len() == 2 && cell.chars().all(|c| c.is_ascii_uppercase()));
    first_unplaced.is_some_and(|first| {
        let has_lower_finisher = places[first..].iter().any(|&(_, is_unplaced)| !is_unplaced);
        first == 0
            || are_abbreviations
            || (has_lower_finisher && is_ranking(places.iter().map(|&(place, _)| place)))
    })
}

/// Reads the words beside times, such as `MP 21:44`, as the statuses of competitors without a place.
pub(super) fn statuses_beside_times(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let columns = table.first_column(Place).zip(table.first_column(Score));
    let Some((place, score)) = columns.filter(|_| table.grid.limits().reader.refuses_doubts())
    else {
        return Ok(None);
    };
    let style = table.number_style(Some(score));
    let fits = |row: usize| {
        let cell = table.grid.cell(row, score);
        match split_status(cell) {
            Some(_) => is_blank(table.grid.cell(row, place)),
            None => {
                is_blank(cell) || style.parse(cell).is_ok() || CellStatus::parse(cell).is_some()
            }
        }
    };
    let has_words = table.values(score).any(|cell| split_status(cell).is_some());
    Ok((has_words && table.data_rows().all(fits)).then(|| {
        let note = format!(
            "a word beside a time in {} is a status, and the time does not count",
            table.describe_column(score)
        );
        let join = |cells: &[&str]| {
            let cell = cells.first().copied().unwrap_or_default();
            split_status(cell).unwrap_or(cell).to_owned()
        };
        Evidence::join(&[score], Score, join, note)
    }))
}

/// Returns the word of a cell that has a time too: `MP 21:44`, `21:44 MP`.
fn split_status(cell: &str) -> Option<&str> {
    // Most cells are numbers, or longer texts.
    let (one, other) = cell.split_once(' ').filter(|_| cell.len() <= 20)?;
    let other = other.trim_start();
    let is_word = |text: &str| text.len() > 1 && text.chars().all(char::is_alphabetic);
    if is_word(one) && is_time(other) {
        Some(one)
    } else {
        (is_word(other) && is_time(one)).then_some(other)
    }
}

/// Finds the column that says why competitors have no place, beside results of the others: a time, a
/// gap or "DNF". It is more exact than "NC" in the column of places.
pub(super) fn statuses_beside_results(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some(place) = table.first_column(ColumnMeaning::Place) else {
        return Ok(None);
    };
    if table.has_column(ColumnMeaning::Status) {
        return Ok(None);
    }
    let is_unplaced = |row: usize| {
        CellStatus::parse(table.grid.cell(row, place)) == Some(CellStatus::DidNotFinish)
    };
    let mut unplaced: Vec<usize> = table.data_rows().filter(|&row| is_unplaced(row)).collect();
    let mut columns = table.unknown_columns.clone();
    let scores = table.claims(ColumnMeaning::Score);
    if unplaced.is_empty() && table.grid.limits().reader.refuses_doubts() {
        // A result that no score needs, beside points.
        let vague = scores.iter().skip(1).filter(|claim| claim.0 == MatchStrength::Vague);
        columns.extend(vague.map(|claim| claim.1));
        unplaced = table.data_rows().collect();
        unplaced.retain(|&row| is_blank(table.grid.cell(row, place)));
        unplaced.retain(|&row| {
            scores.first().is_none_or(|score| is_blank(table.grid.cell(row, score.1)))
        });
    }
    let tells_statuses = |column: usize| {
        let status = |row: usize| CellStatus::parse(table.grid.cell(row, column));
        unplaced
            .iter()
            .all(|&row| status(row).is_some_and(|s| s != CellStatus::Finished))
            && table.data_rows().all(|row| {
                let cell = table.grid.cell(row, column);
                is_blank(cell) || has_digit(cell) || status(row).is_some()
            })
    };
    let column = columns
        .into_iter()
        .find(|&column| !unplaced.is_empty() && tells_statuses(column));
    Ok(column.map(|column| {
        let observation = format!(
            "{} has a status wherever {} has no place",
            table.describe_column(column),
            table.describe_column(place)
        );
        let note = Change::Note(format!("{observation}: it decides who started and finished"));
        Evidence::new(observation, vec![Change::Means(ColumnMeaning::Status, column), note])
    }))
}

/// Returns the evidence that a column is not read, with the option that reads it.
fn drop_column(table: &HeaderTable, column: usize, kind: &str, meaning: ColumnMeaning) -> Evidence {
    let observation = format!("{} {kind}", table.describe_column(column));
    let note = format!("{observation}: pass {} if they are", table.column_option(column, meaning));
    Evidence::new(observation, vec![Change::MeansNothing(column), Change::Note(note)])
}
