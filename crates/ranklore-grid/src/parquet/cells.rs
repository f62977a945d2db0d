//! Writes the values of a column as texts that the readers of cells parse exactly.

use std::borrow::Cow;
use std::fmt::{Display, Write as _};

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type, DecimalType,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type,
};
use arrow_array::{Array, ArrayRef, downcast_integer, downcast_temporal};
use arrow_schema::{DataType, TimeUnit};
use jiff::Timestamp;

use crate::lists::{end_decimal, push_element};

/// Writes the value of a row; errors with the reason.
pub(super) type WriteCell<'a> = Box<dyn Fn(usize, &mut String) -> Result<(), String> + 'a>;

/// Writes a number of nanoseconds.
type WriteTime = fn(i128, &mut String) -> Result<(), String>;

const NANOSECONDS: i128 = 1_000_000_000;

// Arrow's macros call a macro with each of their types.
macro_rules! numbers_of {
    ($kind:ty, $values:ident) => {
        numbers::<$kind>($values)
    };
}

macro_rules! times_of {
    ($kind:ty, $values:ident) => {
        times::<$kind>($values)
    };
}

/// Returns the writer of a column. `are_names` is true if it names competitors. Objects and maps are
/// no cells; they are written to be searched.
pub(super) fn cell_writer(values: &ArrayRef, are_names: bool) -> WriteCell<'_> {
    downcast_integer! {
        values.data_type() => (numbers_of, values),
        DataType::Utf8View => {
            let texts = values.as_string_view();
            Box::new(|row, cell| {
                cell.push_str(texts.value(row));
                Ok(())
            })
        }
        DataType::BinaryView => {
            let bytes = values.as_binary_view();
            Box::new(|row, cell| write_bytes(bytes.value(row), cell))
        }
        DataType::FixedSizeBinary(_) => {
            let bytes = values.as_fixed_size_binary();
            Box::new(|row, cell| write_bytes(bytes.value(row), cell))
        }
        DataType::Boolean => {
            let flags = values.as_boolean();
            Box::new(|row, cell| write_display(flags.value(row), cell))
        }
        DataType::Float16 => floats::<Float16Type>(values),
        DataType::Float32 => floats::<Float32Type>(values),
        DataType::Float64 => floats::<Float64Type>(values),
        DataType::Decimal32(..) => decimals::<Decimal32Type>(values),
        DataType::Decimal64(..) => decimals::<Decimal64Type>(values),
        DataType::Decimal128(..) => decimals::<Decimal128Type>(values),
        DataType::Decimal256(..) => decimals::<Decimal256Type>(values),
        kind => downcast_temporal! {
            kind => (times_of, values),
            DataType::Duration(TimeUnit::Second) => times::<DurationSecondType>(values),
            DataType::Duration(TimeUnit::Millisecond) => times::<DurationMillisecondType>(values),
            DataType::Duration(TimeUnit::Microsecond) => times::<DurationMicrosecondType>(values),
            DataType::Duration(TimeUnit::Nanosecond) => times::<DurationNanosecondType>(values),
            _ => nested_writer(values, are_names),
        },
    }
}

/// Returns the writer of a column of lists, objects or maps.
fn nested_writer(values: &ArrayRef, are_names: bool) -> WriteCell<'_> {
    match values.data_type() {
        DataType::Struct(_) => fields_writer(values.as_struct().columns().iter()),
        DataType::Map(..) => {
            let maps = values.as_map();
            let write_entry = fields_writer([maps.keys(), maps.values()].into_iter());
            Box::new(move |row, cell| {
                let offsets = maps.value_offsets();
                let mut entries = offsets[row] as usize..offsets[row + 1] as usize;
                entries.try_for_each(|entry| write_entry(entry, cell))
            })
        }
        DataType::List(_) => {
            let lists = values.as_list::<i32>();
            let element = cell_writer(lists.values(), false);
            Box::new(move |row, cell| {
                let offsets = lists.value_offsets();
                let mut text = String::new();
                for index in offsets[row] as usize..offsets[row + 1] as usize {
                    if !lists.values().is_null(index) {
                        text.clear();
                        element(index, &mut text)?;
                        push_element(cell, &text, are_names)?;
                    }
                }
                Ok(())
            })
        }
        // A column of nulls.
        _ => Box::new(|_, _| Ok(())),
    }
}

/// Returns the writer of columns side by side, a line for each.
fn fields_writer<'a>(columns: impl Iterator<Item = &'a ArrayRef>) -> WriteCell<'a> {
    let fields: Vec<_> = columns.map(|column| (column, cell_writer(column, false))).collect();
    Box::new(move |row, cell| {
        for (column, write) in &fields {
            if !column.is_null(row) {
                write(row, cell)?;
                cell.push('\n');
            }
        }
        Ok(())
    })
}

fn write_display(value: impl Display, cell: &mut String) -> Result<(), String> {
    // Writing to a string cannot fail.
    write!(cell, "{value}").map_err(|error| error.to_string())
}

/// Returns the writer of a column of UUIDs.
pub(super) fn uuid_writer(values: &ArrayRef) -> WriteCell<'_> {
    let bytes = values.as_fixed_size_binary();
    Box::new(|row, cell| {
        for (index, byte) in bytes.value(row).iter().enumerate() {
            if matches!(index, 4 | 6 | 8 | 10) {
                cell.push('-');
            }
            write_display(format_args!("{byte:02x}"), cell)?;
        }
        Ok(())
    })
}

/// True if values of a column can be neither text nor number.
pub(super) fn may_be_bytes(values: &ArrayRef) -> bool {
    let mut kind = values.data_type();
    while let DataType::List(element) = kind {
        kind = element.data_type();
    }
    matches!(kind, DataType::BinaryView | DataType::FixedSizeBinary(_))
}

/// Old writers store texts as bytes.
fn write_bytes(bytes: &[u8], cell: &mut String) -> Result<(), String> {
    let text = String::from_utf8_lossy(bytes);
    cell.push_str(&text);
    match text {
        Cow::Borrowed(_) => Ok(()),
        Cow::Owned(_) => Err("the value is neither text nor number".to_owned()),
    }
}

fn numbers<T: ArrowPrimitiveType<Native: Display>>(values: &ArrayRef) -> WriteCell<'_> {
    let values = values.as_primitive::<T>();
    Box::new(|row, cell| write_display(values.value(row), cell))
}

fn floats<T: ArrowPrimitiveType<Native: Display + Into<f64> + Copy>>(
    values: &ArrayRef,
) -> WriteCell<'_> {
    let values = values.as_primitive::<T>();
    Box::new(|row, cell| {
        let value = values.value(row);
        // pandas writes a missing number as NaN.
        if !value.into().is_nan() {
            write_display(value, cell)?;
            end_decimal(cell);
        }
        Ok(())
    })
}

fn decimals<T: DecimalType>(values: &ArrayRef) -> WriteCell<'_> {
    let values = values.as_primitive::<T>();
    Box::new(|row, cell| {
        cell.push_str(&values.value_as_string(row));
        end_decimal(cell);
        Ok(())
    })
}

/// Returns the writer of a column of times.
fn times<T: ArrowPrimitiveType<Native: Into<i64> + Copy>>(values: &ArrayRef) -> WriteCell<'_> {
    let times = values.as_primitive::<T>();
    let (unit, write): (_, WriteTime) = match values.data_type() {
        DataType::Date32 => (86_400 * NANOSECONDS, write_moment),
        DataType::Timestamp(unit, _) => (nanoseconds(*unit), write_moment),
        DataType::Time32(unit) | DataType::Time64(unit) | DataType::Duration(unit) => {
            (nanoseconds(*unit), write_clock)
        }
        // Dates in milliseconds.
        _ => (1_000_000, write_moment),
    };
    Box::new(move |row, cell| {
        let count: i64 = times.value(row).into();
        write(i128::from(count) * unit, cell)
    })
}

fn nanoseconds(unit: TimeUnit) -> i128 {
    match unit {
        TimeUnit::Second => NANOSECONDS,
        TimeUnit::Millisecond => 1_000_000,
        TimeUnit::Microsecond => 1_000,
        TimeUnit::Nanosecond => 1,
    }
}

/// Writes a point in time: the date alone at midnight.
fn write_moment(nanoseconds: i128, cell: &mut String) -> Result<(), String> {
    let timestamp = Timestamp::from_nanosecond(nanoseconds)
        .map_err(|_| "the date lies outside of the years that are supported".to_owned())?;
    let time = timestamp.to_zoned(jiff::tz::TimeZone::UTC).datetime();
    if nanoseconds.rem_euclid(86_400 * NANOSECONDS) == 0 {
        write_display(time.date(), cell)
    } else {
        write_display(time, cell)
    }
}

/// Writes a duration, or a time of day, which is in effect one.
fn write_clock(nanoseconds: i128, cell: &mut String) -> Result<(), String> {
    if nanoseconds < 0 {
        cell.push('-');
    }
    let nanoseconds = nanoseconds.abs();
    let seconds = nanoseconds.div_euclid(NANOSECONDS);
    let hours = seconds / 3600;
    let minutes = seconds / 60 % 60;
    write_display(format_args!("{hours}:{minutes:02}:{:02}", seconds % 60), cell)?;
    let fraction = nanoseconds.rem_euclid(NANOSECONDS);
    if fraction > 0 {
        let decimals = format!("{fraction:09}");
        cell.push('.');
        cell.push_str(decimals.trim_end_matches('0'));
    }
    Ok(())
}
