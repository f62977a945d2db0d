//! Places with the size of the field, `27 / 13408`, and places under compound headings, `SF_Place`.

use std::collections::BTreeMap;

use crate::options::ReadOptions;
use crate::schema::evidence::{Change, Evidence};
use crate::schema::people::identities::strip_zero_fraction;
use crate::schema::table::HeaderTable;
use crate::values::cells::{CellStatus, is_blank};
use crate::values::numbers::NumberStyle;
use crate::values::rankings::are_gapless_places;
use crate::vocabulary::headings::MatchStrength;
use crate::vocabulary::kinds::is_overall_heading;
use crate::vocabulary::meanings::ColumnMeaning;
use crate::vocabulary::places::is_compound_place;
use ranklore_grid::{CommandOptions, FileReadError, Reason};

/// Reads places with the size of the field under a heading of places, or "overall". Errors if these are the
/// places of several fields. Under a heading of divisions they name none.
pub(super) fn places_of_fields(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Division, Place, Summary};
    if !table.grid.limits().reader.refuses_doubts() {
        return Ok(None);
    }
    let claims = |meaning| table.claims(meaning).iter();
    let sums = claims(Summary).filter(|claim| is_overall_heading(table.heading(claim.1)));
    let is_place = |cell: &str| parse_field_place(cell).is_some();
    let holds_places = |column: &usize| table.holds_only(*column, is_place);
    let place = claims(Place).chain(sums).map(|claim| claim.1).find(holds_places);
    let divisions = claims(Division).filter(|claim| claim.0 != MatchStrength::Stated);
    let divisions: Vec<usize> = divisions.map(|claim| claim.1).filter(holds_places).collect();
    if let Some(place) = place.filter(|&place| has_several_fields(table, place)) {
        return Err(refuse_fields(table, place));
    }
    let mut changes: Vec<Change> = divisions.iter().copied().map(Change::MeansNothing).collect();
    changes.extend(divisions.iter().map(|&column| {
        let column = table.describe_column(column);
        Change::Note(format!("{column} holds places within divisions, which it does not name"))
    }));
    if let Some(place) = place {
        let note =
            format!("{} holds places with the size of the field", table.describe_column(place));
        let join = |cells: &[&str]| {
            let cell = cells.first().copied().unwrap_or_default();
            parse_field_place(cell).map_or(cell, |(place, _)| place).to_owned()
        };
        changes.extend(Evidence::join(&[place], Place, join, note).changes);
    }
    let observation = "a column holds places with the size of the field";
    Ok((!changes.is_empty()).then(|| Evidence::new(observation, changes)))
}

/// Reads the only column whose heading ends in a word for places, such as `SF_Place`, as the places if its
/// cells are places from 1 without gaps in each contest, and no numbers are scores.
pub(super) fn places_under_compounds(
    table: &HeaderTable,
    _options: &ReadOptions,
) -> Result<Option<Evidence>, FileReadError> {
    use ColumnMeaning::{Place, Score};
    let style = NumberStyle::default();
    let scores = table.claims(Score);
    let is_word = |&(strength, column): &(MatchStrength, usize)| {
        strength != MatchStrength::Stated && !table.values(column).any(|c| style.parse(c).is_ok())
    };
    if table.has_column(Place)
        || !scores.iter().all(is_word)
        || !table.grid.limits().reader.refuses_doubts()
    {
        return Ok(None);
    }
    let contests = table.contest_rows();
    let is_headed = |&column: &usize| is_compound_place(table.heading(column));
    let mut places = table.unknown_columns.iter().copied().filter(is_headed);
    let (Some(column), None) = (places.next(), places.next()) else {
        return Ok(None);
    };
    if !are_places_of_all(table, contests, column) {
        return Ok(None);
    }
    let observation = format!("{} holds places in each contest", table.describe_column(column));
    let words = scores.iter().map(|&(_, column)| Change::MeansNothing(column));
    let changes = words.chain([Change::Means(Place, column)]).collect();
    Ok(Some(Evidence::new(observation, changes)))
}

/// True if the filled cells of each contest are places from 1 without gaps, perhaps of several rankings, and
/// there are three in one of them.
fn are_places_of_all(table: &HeaderTable, contests: &[Vec<usize>], column: usize) -> bool {
    let mut longest = 0;
    let are_places = contests.iter().all(|rows| {
        let cells = rows.iter().map(|&row| strip_zero_fraction(table.grid.cell(row, column)));
        let filled: Vec<&str> = cells
            .filter(|cell| !is_blank(cell) && CellStatus::parse(cell).is_none())
            .collect();
        longest = longest.max(filled.len());
        are_gapless_places(filled.into_iter())
    });
    are_places && longest > 2
}

/// Returns the digits of a place and of the size of the field: `2  / 35`.
fn parse_field_place(cell: &str) -> Option<(&str, &str)> {
    let (place, size) = cell.split_once('/')?;
    let texts = (place.trim_end(), size.trim_start());
    let number = |text: &str| text.parse::<u32>().ok().filter(|_| !text.starts_with('+'));
    let place = number(texts.0)?;
    number(texts.1).filter(|&size| (1..=size).contains(&place)).map(|_| texts)
}

/// True if a contest has places of fields of several sizes.
fn has_several_fields(table: &HeaderTable, column: usize) -> bool {
    table.contest_rows().iter().any(|rows| {
        let cells = rows.iter().map(|&row| table.grid.cell(row, column));
        let mut sizes = cells.filter_map(parse_field_place).map(|(_, size)| size);
        let first = sizes.next();
        sizes.any(|size| Some(size) != first)
    })
}

/// Returns the error for places of several fields in one contest, with the column that ranks all in the
/// order of these places.
fn refuse_fields(table: &HeaderTable, place: usize) -> FileReadError {
    let sample = |(place, size): (&str, &str)| format!("{place} / {size}");
    let mut cells: BTreeMap<&str, String> = BTreeMap::new();
    for pair in table.values(place).filter_map(parse_field_place) {
        cells.entry(pair.1).or_insert_with(|| sample(pair));
    }
    let samples: Vec<String> = cells.into_values().take(2).collect();
    let problem = format!(
        "{} holds places of fields of several sizes, such as {}",
        table.describe_column(place),
        samples.join(" and ")
    );
    let columns = table.unknown_columns.iter().copied();
    let mut ranks =
        columns.filter_map(|column| Some((column, rises_with_places(table, column, place)?)));
    let divide = "tell the fields apart in a column headed \"division\"";
    let Some((column, rises)) = ranks.next() else {
        return table.refuse_column(place, format!("{problem}: {divide}"));
    };
    let score = table
        .ignore_option(place)
        .and(table.column_option(column, ColumnMeaning::Score));
    let score = if rises {
        score.and(CommandOptions::lower_is_better())
    } else {
        score
    };
    let case = format!("if {} ranks all in one contest", table.describe_column(column));
    let reason = Reason::with_options(problem, [(score, case)]);
    table.refuse_column(place, reason.map_text(|text| format!("{text}; if not, {divide}")))
}

/// Returns true if the numbers of a column rise with the places of each field, and false if they fall.
fn rises_with_places(table: &HeaderTable, column: usize, place: usize) -> Option<bool> {
    let style = table.number_style(Some(column));
    let mut fields: BTreeMap<&str, Vec<(u32, f64)>> = BTreeMap::new();
    for row in table.data_rows().filter(|&row| !is_blank(table.grid.cell(row, place))) {
        let (place, size) = parse_field_place(table.grid.cell(row, place))?;
        let number = style.parse(table.grid.cell(row, column)).ok()?;
        fields.entry(size).or_default().push((place.parse().ok()?, number));
    }
    for placed in fields.values_mut() {
        placed.sort_by_key(|pair| pair.0);
    }
    if fields.values().all(|placed| placed.len() < 2) {
        None
    } else if fields.values().all(|placed| placed.is_sorted_by(|a, b| a.1 <= b.1)) {
        Some(true)
    } else {
        fields
            .values()
            .all(|placed| placed.is_sorted_by(|a, b| a.1 >= b.1))
            .then_some(false)
    }
}
