//! Mapping files: how a table is read, as TOML, for `import --mapping` and `--save-mapping`.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{Context, bail};
use ranklore_contest::{ContestTime, WordEnum};
use ranklore_formats::{
    CellStatus, ColumnMeaning, DateOrder, DecimalMark, MemberSeparator, OutcomeNumbers,
    ReadOptions, RowCondition, StatedCells, StatedLayout, TableShape,
};
use ranklore_ingest::DocumentLayout;
use ranklore_store::open_regular_file;
use toml::{Table, Value};

use crate::exit::WrongUsage;
use crate::values;

/// Reads a mapping file.
pub(super) fn read(path: &Path) -> anyhow::Result<ReadOptions> {
    let text = open_regular_file(path)
        .and_then(std::io::read_to_string)
        .with_context(|| format!("the mapping {} cannot be read", path.display()))?;
    let options = parse(&text);
    Ok(
        options
            .map_err(|reason| WrongUsage(format!("the mapping {}: {reason}", path.display())))?,
    )
}

/// Returns the options of a mapping; an option that the command line states takes precedence.
pub(super) fn merge(mapping: ReadOptions, options: ReadOptions) -> ReadOptions {
    let mut columns = mapping.columns;
    columns.extend(options.columns);
    let mut statuses = mapping.statuses;
    statuses.extend(options.statuses);
    let mut conditions = mapping.conditions;
    conditions.extend(options.conditions);
    let states_sheet = options.all_sheets || options.sheet.is_some();
    let (sheet, all_sheets) = if states_sheet {
        (options.sheet, options.all_sheets)
    } else {
        (mapping.sheet, mapping.all_sheets)
    };
    ReadOptions {
        dates: options.dates.or(mapping.dates),
        decimal_mark: options.decimal_mark.or(mapping.decimal_mark),
        lower_is_better: options.lower_is_better || mapping.lower_is_better,
        start: options.start.or(mapping.start),
        every_days: options.every_days.or(mapping.every_days),
        sheet,
        all_sheets,
        rows: options.rows.or(mapping.rows),
        conditions,
        anonymous: options.anonymous || mapping.anonymous,
        columns,
        layout: options.layout.or(mapping.layout),
        cells: options.cells.or(mapping.cells),
        no_headings: options.no_headings || mapping.no_headings,
        members: options.members.or(mapping.members),
        same_name_by: options.same_name_by.or(mapping.same_name_by),
        statuses,
        outcome: options.outcome.or(mapping.outcome),
    }
}

/// Writes how tables were read with these options. Tables that were read in several ways have no
/// common mapping: an error names two.
pub(super) fn save(
    path: &Path,
    options: &ReadOptions,
    layouts: &[DocumentLayout],
) -> anyhow::Result<()> {
    let Some((first, rest)) = layouts.split_first() else {
        bail!("no table was read, so there is no mapping to save");
    };
    let mapping = understood_options(options, first);
    let mut others = rest.iter();
    if let Some(other) = others.find(|other| understood_options(options, other) != mapping) {
        bail!(
            "{} and {} are read in different ways; save a mapping for each, in commands of their own",
            first.document,
            other.document
        );
    }
    let text = format_mapping(&mapping).context("the mapping cannot be written")?;
    std::fs::write(path, text).with_context(|| format!("{} cannot be written", path.display()))
}

/// Returns the options that state everything that was recognised in a table.
fn understood_options(options: &ReadOptions, table: &DocumentLayout) -> ReadOptions {
    let layout = &table.layout;
    // The columns of the layout are the rows of a table that is read sideways.
    if options.layout == Some(StatedLayout::Contests) {
        return options.clone();
    }
    let mut columns: BTreeMap<String, ColumnMeaning> = BTreeMap::new();
    let mut rounds = Vec::new();
    for column in &layout.columns {
        let meaning = match column.meaning.map(ColumnMeaning::from_word) {
            None => ColumnMeaning::Ignore,
            Some(Some(meaning)) => meaning,
            // A round is recognised by its place, not by a meaning.
            Some(None) => {
                rounds.push(&column.heading);
                continue;
            }
        };
        // If two columns have one heading, the one that is read counts.
        let entry = columns.entry(column.heading.clone()).or_insert(meaning);
        if *entry == ColumnMeaning::Ignore {
            *entry = meaning;
        }
    }
    for round in rounds {
        columns.remove(round);
    }
    let separate_contests = [
        ColumnMeaning::Contest,
        ColumnMeaning::ContestId,
        ColumnMeaning::Event,
        ColumnMeaning::Date,
        ColumnMeaning::Division,
    ];
    let stated_layout = match layout.shape {
        TableShape::Wide => StatedLayout::Players,
        TableShape::Games => StatedLayout::Games,
        TableShape::Long if columns.values().any(|m| separate_contests.contains(m)) => {
            StatedLayout::Rows
        }
        TableShape::Long => StatedLayout::Single,
    };
    ReadOptions {
        columns,
        layout: Some(stated_layout),
        cells: layout.cells.or(options.cells),
        lower_is_better: options.lower_is_better || layout.lower_is_better,
        ..options.clone()
    }
}

/// The word for all sheets of a workbook, and a sheet of this name, in quotes as in spreadsheets.
const ALL_SHEETS: &str = "all";
const SHEET_CALLED_ALL: &str = "'all'";

/// Parses the choice of a sheet: its name, or true if it is all of them.
pub(super) fn parse_sheet(word: &str) -> (Option<String>, bool) {
    match word {
        ALL_SHEETS => (None, true),
        SHEET_CALLED_ALL => (Some(ALL_SHEETS.to_owned()), false),
        name => (Some(name.to_owned()), false),
    }
}

fn format_sheet(options: &ReadOptions) -> Option<String> {
    if options.all_sheets {
        return Some(ALL_SHEETS.to_owned());
    }
    let name = options.sheet.as_deref()?;
    let word = if name == ALL_SHEETS {
        SHEET_CALLED_ALL
    } else {
        name
    };
    Some(word.to_owned())
}

fn format_mapping(options: &ReadOptions) -> Result<String, toml::ser::Error> {
    let columns = format_words(&options.columns, ColumnMeaning::as_str);
    let statuses = format_words(&options.statuses, CellStatus::as_str);
    let conditions = options.conditions.iter().map(ToString::to_string);
    let conditions: Vec<String> = conditions.collect();
    let entries = [
        entry("layout", options.layout.map(StatedLayout::as_str)),
        entry("cells", options.cells.map(StatedCells::as_str)),
        entry("no-headings", options.no_headings.then_some(true)),
        entry("dates", options.dates.map(DateOrder::as_str)),
        entry("decimal-mark", options.decimal_mark.map(DecimalMark::as_str)),
        entry("lower-is-better", options.lower_is_better.then_some(true)),
        entry("start", options.start.map(|time| time.to_string())),
        entry("every", options.every_days),
        entry("sheet", format_sheet(options)),
        entry("rows", options.rows.clone()),
        entry("where", Some(conditions).filter(|conditions| !conditions.is_empty())),
        entry("anonymous", options.anonymous.then_some(true)),
        entry("members", options.members.clone().map(String::from)),
        entry("same-name-by", options.same_name_by.clone()),
        entry("outcome", options.outcome.map(OutcomeNumbers::as_str)),
        entry("columns", Some(columns)),
        entry("statuses", Some(statuses).filter(|words| !words.is_empty())),
    ];
    let table: Table = entries.into_iter().flatten().collect();
    let head = "# How ranklore import reads a table: --mapping FILE. Options on the command line \
                take\n# precedence. Columns: the heading and its meaning, or ignore.\n\n";
    Ok(format!("{head}{}", toml::to_string(&table)?))
}

fn entry(key: &str, value: Option<impl Into<Value>>) -> Option<(String, Value)> {
    Some((key.to_owned(), value?.into()))
}

fn format_words<T: Copy>(words: &BTreeMap<String, T>, format: fn(T) -> &'static str) -> Table {
    let entries = words.iter();
    let entries = entries.map(|(key, value)| (key.clone(), format(*value).into()));
    entries.collect()
}

fn parse(text: &str) -> Result<ReadOptions, String> {
    let table: Table = text.parse().map_err(|error: toml::de::Error| {
        let start = error.span().map_or(0, |span| span.start);
        let line = text[..start].matches('\n').count() + 1;
        format!("line {line} is not TOML: {}", error.message())
    })?;
    let mut options = ReadOptions::default();
    for (key, value) in table {
        set_option(&mut options, &key, &value).map_err(|reason| format!("{key}: {reason}"))?;
    }
    Ok(options)
}

fn set_option(options: &mut ReadOptions, key: &str, value: &Value) -> Result<(), String> {
    match key {
        "layout" => options.layout = Some(parse_word(value)?),
        "cells" => options.cells = Some(parse_word(value)?),
        "no-headings" => options.no_headings = parse_flag(value)?,
        "dates" => options.dates = Some(parse_word(value)?),
        "decimal-mark" => options.decimal_mark = Some(parse_word(value)?),
        "lower-is-better" => options.lower_is_better = parse_flag(value)?,
        "start" => options.start = Some(parse_start(value)?),
        "every" => {
            let days = value.as_integer().and_then(|days| u32::try_from(days).ok());
            let days = days.filter(|days| (1..=36_500).contains(days));
            options.every_days = Some(days.ok_or("use a number of days from 1 to 36500")?);
        }
        "sheet" => (options.sheet, options.all_sheets) = parse_sheet(parse_text(value)?),
        "rows" => options.rows = Some(parse_text(value)?.to_owned()),
        "where" => options.conditions = parse_conditions(value)?,
        "anonymous" => options.anonymous = parse_flag(value)?,
        "members" => options.members = Some(parse_separator(parse_text(value)?)?),
        "same-name-by" => options.same_name_by = Some(parse_text(value)?.to_owned()),
        "outcome" => options.outcome = Some(parse_word(value)?),
        "columns" => options.columns = parse_table(value, parse_meaning)?,
        "statuses" => options.statuses = parse_table(value, parse_status_word)?,
        _ => {
            return Err(
                "this is not a setting; use layout, cells, no-headings, dates, decimal-mark, lower-is-better, start, every, sheet, \
                 rows, where, anonymous, members, same-name-by, outcome, columns or statuses"
                    .to_owned(),
            );
        }
    }
    Ok(())
}

fn parse_flag(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "use true or false".to_owned())
}

fn parse_conditions(value: &Value) -> Result<Vec<RowCondition>, String> {
    let texts = value.as_array().ok_or("use a list of texts, such as [\"recorded=true\"]")?;
    let conditions = texts.iter().map(|text| parse_condition(parse_text(text)?));
    conditions.collect()
}

/// Parses a condition for rows.
pub(super) fn parse_condition(word: &str) -> Result<RowCondition, String> {
    word.to_owned().try_into().map_err(str::to_owned)
}

fn parse_text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "use a text in quotes".to_owned())
}

/// Parses a word of an enum.
fn parse_word<E: WordEnum>(value: &Value) -> Result<E, String> {
    E::find(parse_text(value)?).ok_or_else(|| {
        let (last, first) = E::WORDS.split_last().unwrap_or((&"", &[]));
        format!("use {} or {last}", first.join(", "))
    })
}

/// Parses a time, as a text or as a date of TOML.
fn parse_start(value: &Value) -> Result<ContestTime, String> {
    match value {
        Value::Datetime(moment) => values::parse_time(&moment.to_string()),
        value => values::parse_time(parse_text(value)?),
    }
}

/// Parses a table of words.
fn parse_table<T>(
    value: &Value,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<BTreeMap<String, T>, String> {
    let table = value.as_table().ok_or("use a table, such as [columns]")?;
    let entries = table.iter().map(|(key, value)| {
        let meaning = parse_text(value).and_then(&parse);
        let meaning = meaning.map_err(|reason| format!("{key:?}: {reason}"))?;
        Ok((key.clone(), meaning))
    });
    entries.collect()
}

/// Parses the meaning of a column.
pub(super) fn parse_meaning(word: &str) -> Result<ColumnMeaning, String> {
    let words = "contest, contest id, event, date, division, ordinal, url, weight, place, score, \
                 penalty, competitor, competitor id, given name, surname, team, team id, members, status, \
                 starting rating, starting sigma, rating before, rating change, rating after, ignore; \
                 or, for games, white, black, home, away, first, second, player 1, player 2, team 1, team 2, winner, loser, partner 1, partner 2, \
                 id 1, id 2, score 1, score 2, shootout 1, shootout 2, outcome, draw, neutral, \
                 time of day, event id, game number";
    ColumnMeaning::from_word(word.trim())
        .ok_or_else(|| format!("{word:?} is not a meaning; use one of {words}"))
}

/// Parses a status.
pub(super) fn parse_status_word(word: &str) -> Result<CellStatus, String> {
    CellStatus::from_word(word.trim())
        .ok_or_else(|| format!("{word:?} is not a status; use finished, dnf, dq or dns"))
}

/// Parses the separator of members, or `none`. `\n` is a line break, which is hard to type.
pub(super) fn parse_separator(word: &str) -> Result<MemberSeparator, String> {
    if matches!(word, r"\n" | "\n") {
        return Ok(MemberSeparator::Text("\n".to_owned()));
    }
    if word.trim().is_empty() {
        return Err("expected the text between names, such as /, or none".to_owned());
    }
    Ok(MemberSeparator::from(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_are_read_and_written() {
        let text = "layout = 'rows'\ncells = 'scores'\nno-headings = true\ndates = 'dmy'\nlower-is-better = true\nstart = 2024-01-06\n\
                    every = 7\nsheet = 'Results'\nrows = 'data.results'\nwhere = ['recorded=true', 'user!=']\nanonymous = true\nmembers = ' / '\nsame-name-by = 'Born'\noutcome = 'winner'\n[columns]\nBoard = 'division'\n\
                    \"Race No.\" = 'contest id'\n[statuses]\nmp = 'dq'\n";
        let options = parse(text).unwrap();
        assert_eq!(options.start, ContestTime::new(1_704_499_200));
        assert_eq!(options.columns["Race No."], ColumnMeaning::ContestId);
        assert_eq!(options.statuses["mp"], CellStatus::Disqualified);
        let written = format_mapping(&options).unwrap();
        assert_eq!(parse(&written).unwrap(), options, "{written}");
        assert_eq!(parse("").unwrap(), ReadOptions::default());
        let break_of_lines = parse(r"members = '\n'").unwrap();
        let separator = MemberSeparator::Text("\n".to_owned());
        assert_eq!(break_of_lines.members, Some(separator));
        let written = format_mapping(&break_of_lines).unwrap();
        assert_eq!(parse(&written).unwrap(), break_of_lines, "{written}");
    }

    #[test]
    fn sheet_called_all_differs_from_all_sheets() {
        let all = parse("sheet = 'all'").unwrap();
        assert_eq!((all.all_sheets, &all.sheet), (true, &None));
        let one = parse("sheet = \"'all'\"").unwrap();
        assert_eq!((one.all_sheets, one.sheet.as_deref()), (false, Some("all")));
        for options in [&all, &one] {
            assert_eq!(parse(&format_mapping(options).unwrap()).unwrap(), *options);
        }
        assert_eq!(merge(all.clone(), one.clone()), one);
        assert_eq!(merge(one.clone(), all.clone()), all);
        assert_eq!(merge(one.clone(), ReadOptions::default()), one);
    }

    #[test]
    fn unclear_mappings_are_refused() {
        for (text, why) in [
            ("layout = ", "line 1 is not TOML"),
            ("layout = 'rows'\nlayout = 'rows'", "line 2 is not TOML"),
            ("layout = 'long'", "layout: use rows, players, single, games or contests"),
            ("layout = 1", "layout: use a text in quotes"),
            ("dates = 'ymd'", "dates: use dmy, mdy, ym or season"),
            ("outcome = 'wins'", "outcome: use points, points-of-2 or winner"),
            ("start = 'soon'", "start: expected a day"),
            ("every = 0", "every: use a number of days"),
            ("lower_is_better = true", "lower_is_better: this is not a setting"),
            ("columns = 'A'", "columns: use a table"),
            ("[columns]\nA = 'places'", "columns: \"A\": \"places\" is not a meaning"),
            ("[statuses]\nmp = 'out'", "statuses: \"mp\": \"out\" is not a status"),
            ("members = ' '", "members: expected the text between names"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(why), "{error}");
        }
    }

    #[test]
    fn command_line_takes_precedence() {
        let mapping = parse("every = 7\n[columns]\nA = 'place'\nB = 'score'\n").unwrap();
        let options = ReadOptions {
            columns: [("A".to_owned(), ColumnMeaning::Ignore)].into(),
            every_days: Some(3),
            ..ReadOptions::default()
        };
        let merged = merge(mapping, options);
        let meanings: Vec<&str> = merged.columns.values().map(|meaning| meaning.as_str()).collect();
        assert_eq!((merged.every_days, meanings), (Some(3), vec!["ignore", "score"]));
    }
}
