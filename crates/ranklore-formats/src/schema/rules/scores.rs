//! Rules that ask whether scores can decide the order alone.

use super::plausibility::divide_contests;
use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::league_table::{LeagueTable, find_statistics};
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank, parse_place, strip_marks};
use crate::values::doubtful_scores::{find_gap, find_missing_score};
use crate::values::numbers::is_time;
use crate::values::statuses::StatusWords;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::{SeasonStatistic, has_time_word, is_time_heading};
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::rounds::is_round_heading;
use crate::vocabulary::words::{has_word, normalise_word, split_words};
use ranklore_grid::{CommandOptions, FileReadError, Reason, column_letters};

/// Headings of what decides before the time, the most first.
const MOST_FIRST: &str = "laps lapscompleted completedlaps lapsdone solved problemssolved \
     solvedproblems tasksolved taskssolved runden tours vueltas checkpoints controls";

/// Headings of what decides before the time, the least first.
const LEAST_FIRST: &str = "faults fault jumpfaults jumpingfaults fehler fautes";

/// Returns the column of scores if no places decide, and true if the user states it.
pub(super) fn deciding_score(table: &HeaderTable) -> Option<(bool, usize)> {
    let column = table.find_column(ColumnMeaning::Score).ok().flatten()?;
    let strength = table.claims(ColumnMeaning::Score).first()?.0;
    let decides = !table.has_column(ColumnMeaning::Place);
    decides.then_some((strength == MatchStrength::Stated, column))
}

/// Returns the places of a contest in their order, with the scores beside them.
pub(super) fn scores_by_place(
    table: &HeaderTable,
    rows: &[usize],
    [place, score]: [usize; 2],
) -> Vec<(u32, f64)> {
    let style = table.number_style(Some(score));
    let placed = rows.iter().filter_map(|&row| {
        let place = parse_place(table.grid.cell(row, place))?;
        Some((place, style.parse(table.grid.cell(row, score)).ok()?))
    });
    let mut placed: Vec<(u32, f64)> = placed.collect();
    placed.sort_by_key(|&(place, _)| place);
    placed
}

/// True if half of the results in a column or more are times.
pub(super) fn holds_times(table: &HeaderTable, column: usize) -> bool {
    let results = || {
        let cells = table.values(column);
        cells.filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none())
    };
    let times = results().filter(|cell| is_time(cell)).count();
    times > 0 && 2 * times >= results().count()
}

/// Headings of times with a handicap, which rank where they stand beside elapsed ones.
const CORRECTED: &str = "corrected correctedtime";

/// Chooses one of several columns of times: the only one that the order of the places agrees with, else the
/// corrected time.
pub(super) fn rival_times(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let Some(&(strength, _)) = table.claims(Score).first() else {
        return Ok(None);
    };
    if strength == MatchStrength::Stated || !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let is_headed = |column: usize, words| has_word(words, &normalise_word(table.heading(column)));
    let corrected = table.unknown_columns.iter().copied().filter(|&c| is_headed(c, CORRECTED));
    let claims = table.claims(Score).iter().filter(|claim| claim.0 == strength);
    let times: Vec<usize> = corrected.chain(claims.map(|claim| claim.1)).collect();
    let place = table.first_column(Place);
    let is_decided = place.is_some() || is_headed(times[0], CORRECTED);
    if times.len() < 2 || !is_decided || !times.iter().all(|&column| holds_times(table, column)) {
        return Ok(None);
    }
    let contests = divide_contests(table, table.contest_rows());
    let agrees = |place: usize, time: usize| {
        contests.iter().all(|rows| {
            let placed = scores_by_place(table, rows, [place, time]);
            placed.is_sorted_by(|a, b| a.0 == b.0 || a.1 <= b.1)
        })
    };
    let agreeing: Vec<usize> = place.map_or_else(Vec::new, |place| {
        times.iter().copied().filter(|&time| agrees(place, time)).collect()
    });
    let corrected = times.iter().copied().find(|&time| is_headed(time, CORRECTED));
    let (time, why) = match (&agreeing[..], corrected) {
        (&[time], _) => (time, "the order of the places agrees with it alone"),
        (_, Some(time)) => (time, "it usually ranks"),
        (_, None) => return Ok(None),
    };
    let others: Vec<usize> = times.into_iter().filter(|&other| other != time).collect();
    let has_status = |row: usize, column: usize| {
        CellStatus::parse(table.grid.cell(row, column)).is_some_and(|s| s != CellStatus::Finished)
    };
    // A status that stands in another column only would be lost.
    let mut rows = table.data_rows();
    if rows.any(|row| others.iter().any(|&c| has_status(row, c)) && !has_status(row, time)) {
        return Ok(None);
    }
    let observation = format!(
        "{} is the time that is read, and not {}: {why}",
        table.describe_column(time),
        table.describe_columns(&others)
    );
    let mut changes = vec![
        Change::Means(Score, time),
        Change::Note(observation.clone()),
    ];
    changes.extend(others.into_iter().map(Change::IsNoContest));
    Ok(Some(Evidence::new(observation, changes)))
}

/// Finds that times beside places are the gaps to the first, who has a whole time.
pub(super) fn gaps_beside_places(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let [place, score] = [Place, Score].map(|meaning| table.find_column(meaning).ok().flatten());
    let (Some(place), Some(score)) = (place, score) else {
        return Ok(None);
    };
    let is_stated = table.claims(Score).iter().any(|claim| claim.0 == MatchStrength::Stated);
    if is_stated || !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    // The column may be all that says who did not finish.
    if !table.values(score).any(is_time)
        || !table.values(score).all(|cell| is_blank(cell) || is_time(cell))
    {
        return Ok(None);
    }
    let contests = divide_contests(table, table.contest_rows());
    let scores = contests.iter().map(|rows| scores_by_place(table, rows, [place, score]));
    let scores: Vec<Vec<(u32, f64)>> = scores.filter(|placed| placed.len() > 1).collect();
    if !are_gaps(&scores) {
        return Ok(None);
    }
    let name = table.describe_column(score);
    let observation = format!("{name} has the gaps to the first instead of times");
    let note = format!(
        "{observation}: it is not read; pass {} if it is the result",
        table.column_option(score, Score)
    );
    let changes = vec![
        Change::MeansNothing(score),
        Change::IsNoContest(score),
        Change::Note(note),
    ];
    Ok(Some(Evidence::new(observation, changes)))
}

/// True if the second of each contest has at most a fifth of the time of the first, and from there on the
/// times rise with the places, in some contest at least once.
fn are_gaps(contests: &[Vec<(u32, f64)>]) -> bool {
    let fall = |placed: &Vec<(u32, f64)>| {
        let (first, others) = (placed[0], &placed[1..]);
        first.0 == 1
            && others[0].0 > 1
            && 5.0 * others[0].1 <= first.1
            && others.is_sorted_by(|a, b| a.0 == b.0 || a.1 <= b.1)
    };
    let rise = |placed: &Vec<(u32, f64)>| placed[1].1 < placed[placed.len() - 1].1;
    contests.iter().all(fall) && contests.iter().any(rise)
}

/// Returns the numbers in these columns, of the rows that have both.
fn number_pairs(table: &HeaderTable, rows: &[usize], columns: [usize; 2]) -> Vec<(f64, f64)> {
    let [first, second] = columns.map(|column| table.number_style(Some(column)));
    let pairs = rows.iter().filter_map(|&row| {
        let [one, other] = columns.map(|column| table.grid.cell(row, column));
        Some((first.parse(one).ok()?, second.parse(other).ok()?))
    });
    pairs.collect()
}

/// Returns the meaning of the last word of a heading, if it is the place or the score of something:
/// `CTF position`, `IKEqC Score`.
fn result_behind_word(heading: &str) -> Option<ColumnMeaning> {
    const OTHER_WORDS: &str = "bonus penalty start starting previous last prior former season tie \
         tiebreak tiebreaker grid qualifying qualification seed class category age gender sex \
         overall team club";
    let words = split_words(heading);
    let (last, prefix) = words.split_last()?;
    let is_other = prefix.is_empty() || prefix.iter().any(|word| has_word(OTHER_WORDS, word));
    let (meaning, strength) = ColumnMeaning::from_heading(last).filter(|_| !is_other)?;
    let is_result = matches!(meaning, ColumnMeaning::Place | ColumnMeaning::Score)
        && strength < MatchStrength::Vague
        && !is_time_heading(last);
    is_result.then_some(meaning)
}

/// Errors if a column that is not read usually decides before the time, and contradicts it: the
/// shortest time may be that of a competitor who retired.
pub(super) fn columns_before_times(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some((false, score)) = deciding_score(table) else {
        return Ok(None);
    };
    if !is_time_heading(table.heading(score)) && !table.values(score).any(is_time) {
        return Ok(None);
    }
    let contests = table.contest_rows();
    let contradicts = |&(column, most_first): &(usize, bool)| {
        contests.iter().any(|rows| {
            let mut pairs = number_pairs(table, rows, [score, column]);
            pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
            !pairs.is_sorted_by(|a, b| {
                let order = a.1.total_cmp(&b.1);
                let order = if most_first { order.reverse() } else { order };
                // Of equal times the order of rows says nothing.
                order.is_eq() || a.0 < b.0 && order.is_lt()
            })
        })
    };
    let columns = table.unknown_columns.iter().filter_map(|&column| {
        let word = normalise_word(table.heading(column));
        let is_score = table.grid.limits().reader.refuses_doubts()
            && result_behind_word(table.heading(column)) == Some(ColumnMeaning::Score);
        let most_first = has_word(MOST_FIRST, &word) || is_score;
        (most_first || has_word(LEAST_FIRST, &word)).then_some((column, most_first))
    });
    let Some((column, most_first)) = columns.into_iter().find(contradicts) else {
        return Ok(None);
    };
    if let Some(place) = find_headless_place(table, [column, score], most_first) {
        let [count, time] = [column, score].map(|column| table.describe_column(column));
        let note = format!(
            "the column without a heading ({}) has the places by {count}, then {time}",
            column_letters(place)
        );
        let changes = vec![
            Change::Means(ColumnMeaning::Place, place),
            Change::Note(note.clone()),
        ];
        return Ok(Some(Evidence::new(note, changes)));
    }
    Err(refuse_time(table, options, [column, score], most_first))
}

/// Returns the error for a time that a count contradicts.
fn refuse_time(
    table: &HeaderTable,
    options: &ReadOptions,
    [column, score]: [usize; 2],
    most_first: bool,
) -> FileReadError {
    let lowest = || CommandOptions::lower_is_better();
    let mut alone = table.ignore_option(column);
    if !options.lower_is_better {
        alone = alone.and(lowest());
    }
    let mut by_count = table.column_option(column, ColumnMeaning::Score);
    if !most_first {
        by_count = by_count.and(lowest());
    }
    let [count, time] = [column, score].map(|column| table.describe_column(column));
    let cases = [
        (alone, format!("if {time} alone decides")),
        (by_count, format!("if {count} alone does")),
    ];
    let problem = format!("{count} may decide before {time}, which contradicts it");
    let reason = Reason::with_options(problem, cases)
        .map_text(|text| format!("{text}; if both do, add a column headed \"place\""));
    table.refuse_column(column, reason)
}

/// Returns the column without a heading left of the names that ranks the rows of each contest by a count,
/// then by time.
fn find_headless_place(
    table: &HeaderTable,
    [count, time]: [usize; 2],
    most_first: bool,
) -> Option<usize> {
    let styles = [count, time].map(|column| table.number_style(Some(column)));
    let key = |row: usize| {
        let [count, time] =
            [(styles[0], count), (styles[1], time)].map(|(s, c)| s.parse(table.grid.cell(row, c)));
        let count = count.ok()?;
        Some((if most_first { -count } else { count }, time.ok()?))
    };
    let ranks = |rows: &Vec<usize>, column: usize| {
        let placed = rows.iter().map(|&row| (parse_place(table.grid.cell(row, column)), key(row)));
        let mut placed: Vec<_> = placed.collect();
        placed.sort_by_key(|&(place, _)| place);
        placed[0].0 == Some(1)
            && placed.iter().all(|(_, key)| key.is_some())
            && placed.is_sorted_by(|a, b| a.1 <= b.1 && (a.0 == b.0) == (a.1 == b.1))
    };
    // Without equal counts, nothing says that the time decides between them.
    let has_equal_counts = |rows: &Vec<usize>| {
        let mut counts: Vec<f64> = rows.iter().filter_map(|&row| Some(key(row)?.0)).collect();
        counts.sort_by(f64::total_cmp);
        counts.windows(2).any(|pair| pair[0].total_cmp(&pair[1]).is_eq())
    };
    let left = table.unknown_columns.iter().copied().filter(|&c| c < table.name_column());
    let mut blank = left.filter(|&column| table.heading(column).is_empty());
    let contests = table.contest_rows();
    if !table.grid.limits().reader.refuses_doubts() || !contests.iter().any(has_equal_counts) {
        return None;
    }
    blank.find(|&column| contests.iter().all(|rows| ranks(rows, column)))
}

/// Errors if times, or places and scores of something, that are not read order the competitors as the
/// scores do, and tell those with equal scores apart: points for the first places only are the poorer
/// evidence.
pub(super) fn results_that_break_ties(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let Some((false, score)) = deciding_score(table) else {
        return Ok(None);
    };
    if !table.grid.limits().reader.refuses_doubts() || table.values(score).any(is_time) {
        return Ok(None);
    }
    let rivals = table.claims(Score).iter().map(|claim| claim.1);
    let unread = table.unknown_columns.iter().copied().chain(rivals.filter(|&c| c != score));
    // Numbered rounds are parts of the total, with their places and points.
    let mut results = unread
        .filter(|&column| !is_round_heading(table.heading(column)))
        .filter_map(|column| match table.heading(column) {
            heading if has_time_word(heading) => Some((column, None)),
            heading => result_behind_word(heading).map(|meaning| (column, Some(meaning))),
        })
        .peekable();
    if results.peek().is_none() {
        return Ok(None);
    }
    let contests = table.contest_rows();
    let Some((column, meaning)) = results.find(|&(column, meaning)| {
        let min_steps = if meaning.is_none() { 2 } else { 1 };
        breaks_ties(table, contests, [column, score], meaning != Some(Score), min_steps)
    }) else {
        return Ok(None);
    };
    let [better, points] = [column, score].map(|column| table.describe_column(column));
    let option = table.column_option(column, meaning.unwrap_or(Score));
    let (option, case) = match meaning {
        None => (option.and(CommandOptions::lower_is_better()), "if the shortest time wins"),
        Some(Place) => (option, "if it is the place"),
        Some(_) => (option, "if it decides"),
    };
    let cases = [
        (option, case),
        (table.ignore_option(column), "if such competitors are tied"),
    ];
    let problem = format!("{better} has the order of {points} and tells equal scores apart");
    Err(table.refuse_column(column, Reason::with_options(problem, cases)))
}

/// True if the results in a column have the order of the scores in each contest, and differ where
/// scores are equal. At least `min_steps` of them differ where scores do.
fn breaks_ties(
    table: &HeaderTable,
    contests: &[Vec<usize>],
    columns: [usize; 2],
    lowest_first: bool,
    min_steps: usize,
) -> bool {
    let mut ties = 0;
    let mut steps = 0;
    let agree = contests.iter().all(|rows| {
        let mut pairs = number_pairs(table, rows, columns);
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        if !lowest_first {
            pairs.reverse();
        }
        let differing = || pairs.windows(2).filter(|pair| pair[0].0.total_cmp(&pair[1].0).is_ne());
        let is_tied = |pair: &&[(f64, f64)]| pair[0].1.total_cmp(&pair[1].1).is_eq();
        let tied_count = differing().filter(is_tied).count();
        ties += tied_count;
        steps += differing().count() - tied_count;
        pairs.is_sorted_by(|a, b| a.1 >= b.1)
    });
    agree && ties > 0 && steps >= min_steps
}

/// Errors if scores that decide are gaps beside times, or if a number that stands for no result
/// would win.
pub(super) fn doubtful_scores(
    table: &HeaderTable,
    options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let Some((_, score)) = deciding_score(table) else {
        return Ok(None);
    };
    let words = StatusWords::new(&options.statuses)?;
    let style = table.number_style(Some(score));
    let are_times = is_time_heading(table.heading(score)) || table.values(score).any(is_time);
    let cells: Vec<(usize, &str)> = table.data_rows().zip(table.values(score)).collect();
    let missing = || {
        let lowest_wins = options.lower_is_better;
        lowest_wins
            .then(|| find_missing_score(&cells, style, &words, are_times))
            .flatten()
    };
    find_gap(&cells, &words).or_else(missing).map_or(Ok(None), |(row, reason)| {
        Err(FileReadError::new(table.grid.location(row, score), reason))
    })
}

/// Reads the points of a season as the scores, if their heading alone does not say so: `PTS Points`.
pub(super) fn points_of_seasons(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    if table.has_column(Place) || table.has_column(Score) || LeagueTable::find(table).is_none() {
        return Ok(None);
    }
    let mut points = find_statistics(table, SeasonStatistic::Points);
    let (Some(column), None) = (points.next(), points.next()) else {
        return Ok(None);
    };
    let observation = format!("{} has the points of a season", table.describe_column(column));
    Ok(Some(Evidence::new(observation, vec![Change::Means(Score, column)])))
}

/// Finds that a column headed as a score holds words alone: "Stroke" of swimmers.
pub(super) fn scores_in_words(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let claims = table.claims(ColumnMeaning::Score).iter();
    let synonyms = claims.filter(|claim| claim.0 == MatchStrength::Synonym).map(|c| c.1);
    // Words that stood beside times are statuses.
    let mut synonyms = synonyms.filter(|&column| !table.is_joined(column));
    let is_word = |cell: &str| {
        !cell.contains(|c: char| c.is_numeric())
            && cell.contains(char::is_alphabetic)
            && CellStatus::parse(cell).is_none()
    };
    Ok(synonyms.find(|&column| table.holds_only(column, is_word)).map(|column| {
        let observation = format!("{} holds words", table.describe_column(column));
        Evidence::new(observation, vec![Change::MeansNothing(column)])
    }))
}

/// Removes the marks of footnotes behind scores: `16*`.
pub(super) fn footnotes_of_scores(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    let is_marked = |cell: &str| strip_marks(cell).len() < cell.len();
    let claims = table.claims(ColumnMeaning::Score).iter();
    let mut marked = claims.map(|claim| claim.1).filter(|&c| table.values(c).any(is_marked));
    Ok(marked.next().map(|column| {
        let note = format!(
            "a star or dagger behind a number in {} is a footnote: the number counts",
            table.describe_column(column)
        );
        let strip = |cells: &[&str]| cells.iter().copied().map(strip_marks).collect();
        Evidence::join(&[column], ColumnMeaning::Score, strip, note)
    }))
}
