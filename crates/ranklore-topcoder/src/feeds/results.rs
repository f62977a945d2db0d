//! The results of a round: both divisions, one row per coder, in any order.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use ranklore_source::{ContestOutcome, Results, SiteReadError, SiteReading};

use crate::contests;
use crate::feeds::reader::{FeedReader, FieldText};
use crate::feeds::row::FeedRow;
use crate::requests::Division;
use crate::standings::{self, CoderRating, RatedCoder};
use crate::values::numbers::{
    MAX_PLACE, MAX_RATING, MAX_RATING_CHANGE, parse_points, parse_whole, to_hundredths,
};
use crate::values::text::is_coder_id;

pub(crate) const ROOT_ELEMENT: &str = "dd_round_results";

const FIELDS: [&str; 10] = [
    "coder_id",
    "handle",
    "old_rating",
    "new_rating",
    "new_vol",
    "num_ratings",
    "division_placed",
    "final_points",
    "division",
    "rated_flag",
];
const CODER_ID: usize = 0;
const HANDLE: usize = 1;
const OLD_RATING: usize = 2;
const NEW_RATING: usize = 3;
const NEW_VOL: usize = 4;
const NUM_RATINGS: usize = 5;
const DIVISION_PLACED: usize = 6;
const FINAL_POINTS: usize = 7;
const DIVISION: usize = 8;
const RATED_FLAG: usize = 9;

/// A row with a place.
struct PlacedRow {
    /// Index of the row, from 0.
    row: usize,
    place: u32,
    id: String,
    handle: String,
    points: f64,
    /// `None` if the site did not rate the coder.
    rating: Option<CoderRating>,
}

/// The rows of a feed by division.
#[derive(Default)]
struct DivisionRows {
    divisions: [Vec<PlacedRow>; 2],
    /// Number of rows without a place.
    unplaced: usize,
}

pub(crate) fn read(key: &str, body: &[u8], number: u32) -> Result<SiteReading, SiteReadError> {
    let rows = read_rows(key, body)?;
    let mut reading = SiteReading::default();
    if rows.unplaced > 0 {
        let surplus = rows.unplaced;
        let rows = if surplus == 1 { "row" } else { "rows" };
        let warning = format!("round {number}: {surplus} {rows} without a place left out");
        reading.warnings.push(warning);
    }
    for (division, placed) in Division::ALL.into_iter().zip(rows.divisions) {
        let outcome = if placed.is_empty() {
            ContestOutcome::NothingYet
        } else if placed.iter().all(|row| row.rating.is_none()) {
            ContestOutcome::NotRated
        } else {
            check_places(key, &placed, rows.unplaced == 0)?;
            let count = placed.len();
            let coders: Vec<RatedCoder> = placed.into_iter().filter_map(rated_coder).collect();
            let left_out = count - coders.len();
            if left_out > 0 {
                let warning = contests::unrated_warning(number, division, left_out);
                reading.warnings.push(warning);
            }
            standings::rank_coders(coders, &mut reading.named)
        };
        let id = contests::contest_id(number, division);
        reading.results.push(Results::new(id, outcome));
    }
    Ok(reading)
}

fn rated_coder(row: PlacedRow) -> Option<RatedCoder> {
    Some(RatedCoder {
        rating: row.rating?,
        id: row.id,
        handle: row.handle,
        points: row.points,
    })
}

/// Reads every coder once. Rounds with four problems have two rows per coder, which differ only in
/// the third problem.
fn read_rows(key: &str, body: &[u8]) -> Result<DivisionRows, SiteReadError> {
    let mut feed = FeedReader::open(key, body, ROOT_ELEMENT)?;
    let mut row = FeedRow::new(key, &FIELDS);
    let mut rows = DivisionRows::default();
    let mut values_by_id: HashMap<String, (usize, [Option<FieldText<'_>>; FIELDS.len()])> =
        HashMap::new();
    let mut has_rated_row = false;
    while row.next(&mut feed)? {
        row.check_complete()?;
        has_rated_row |= row.bytes(RATED_FLAG) == Some(b"1");
        if row.bytes(DIVISION_PLACED).is_none() {
            rows.unplaced += 1;
            continue;
        }
        let division = row.parse_field(DIVISION, "1 or 2", Division::parse)?;
        let placed = parse_placed_row(&row)?;
        match values_by_id.entry(placed.id.clone()) {
            Entry::Vacant(entry) => {
                entry.insert((row.index(), row.values().clone()));
                rows.divisions[usize::from(division.number() - 1)].push(placed);
            }
            Entry::Occupied(entry) => {
                let (before, values) = entry.get();
                let mut pairs = values.iter().zip(row.values());
                if let Some(slot) = pairs.position(|(one, other)| one != other) {
                    let expected = format!("the same value as in row[{before}] of this coder");
                    return Err(row.field_error(slot, expected));
                }
            }
        }
    }
    let nobody = rows.divisions.iter().all(Vec::is_empty);
    if nobody && has_rated_row {
        let expected = "a coder with a place, as the round was rated";
        return Err(SiteReadError::new(key, ROOT_ELEMENT, expected));
    }
    Ok(rows)
}

fn parse_placed_row(row: &FeedRow<'_, { FIELDS.len() }>) -> Result<PlacedRow, SiteReadError> {
    let id = row.parse_field(CODER_ID, "the number of a coder", |bytes| {
        let id = std::str::from_utf8(bytes).ok()?;
        is_coder_id(id).then(|| id.to_owned())
    })?;
    let expected = format!("a place from 1 to {MAX_PLACE}");
    let place = row.parse_field(DIVISION_PLACED, &expected, |bytes| {
        parse_whole(bytes, MAX_PLACE).filter(|place| *place > 0)
    })?;
    Ok(PlacedRow {
        row: row.index(),
        place,
        id,
        handle: row.parse_name(HANDLE)?,
        points: row.parse_field(FINAL_POINTS, "points such as 160.98", parse_points)?,
        rating: parse_rating(row)?,
    })
}

/// Parses the rating; `None` if the coder was not rated. Any ratings given are then those before
/// the round.
fn parse_rating(row: &FeedRow<'_, { FIELDS.len() }>) -> Result<Option<CoderRating>, SiteReadError> {
    let rated = match row.bytes(RATED_FLAG) {
        Some(b"1") => true,
        Some(b"0") => false,
        // The row has no rating at all.
        None if [NEW_RATING, NEW_VOL].iter().all(|field| row.bytes(*field).is_none()) => false,
        _ => return Err(row.value_error(RATED_FLAG, "0 or 1")),
    };
    if rated {
        let before = row.parse_whole(OLD_RATING, MAX_RATING)?;
        let after = row.parse_whole(NEW_RATING, MAX_RATING)?;
        row.parse_whole(NUM_RATINGS, MAX_PLACE)?;
        let before = Some(before).filter(|before| *before > 0);
        if before.is_some_and(|before| before.abs_diff(after) > MAX_RATING_CHANGE) {
            return Err(row.value_error(NEW_RATING, "a rating near the old one"));
        }
        return Ok(Some(CoderRating {
            before,
            after,
            volatility: Some(row.parse_whole(NEW_VOL, MAX_RATING)?),
        }));
    }
    for (slot, max) in [
        (OLD_RATING, MAX_RATING),
        (NEW_RATING, MAX_RATING),
        (NEW_VOL, MAX_RATING),
        (NUM_RATINGS, MAX_PLACE),
    ] {
        if row.bytes(slot).is_some() {
            row.parse_whole(slot, max)?;
        }
    }
    Ok(None)
}

/// Checks the site's places against points: equal points share the lowest place of the tie. `all`
/// is true if every row has a place; otherwise there may be gaps.
fn check_places(key: &str, rows: &[PlacedRow], has_all: bool) -> Result<(), SiteReadError> {
    let mut order: Vec<&PlacedRow> = rows.iter().collect();
    order.sort_by_key(|row| (row.place, -to_hundredths(row.points)));
    let mut above: Option<&PlacedRow> = None;
    for (row, number) in order.into_iter().zip(1_u32..) {
        let points = to_hundredths(row.points);
        let fits = match above {
            Some(above) if above.place == row.place => to_hundredths(above.points) == points,
            Some(above) if to_hundredths(above.points) <= points => false,
            _ if has_all => row.place == number,
            _ => row.place >= number,
        };
        if !fits {
            let expected = format!(
                "the place that follows from the points {:?}, not {}",
                row.points, row.place
            );
            let at = format!("row[{}].{}", row.row, FIELDS[DIVISION_PLACED]);
            return Err(SiteReadError::new(key, at, expected));
        }
        above = Some(row);
    }
    Ok(())
}
