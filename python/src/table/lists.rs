//! Columns from lists of Python values and `NumPy` arrays.

use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, Float64Array, Int64Array, NullArray, TimestampSecondArray,
};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::error::Failure;

/// The values of a column by type; the first value decides, and a whole number becomes a float
/// beside floats.
enum Values {
    Unknown,
    Booleans(Vec<Option<bool>>),
    Integers(Vec<Option<i64>>),
    Floats(Vec<Option<f64>>),
    Texts(Vec<Option<String>>),
    /// Days since 1970.
    Days(Vec<Option<i32>>),
    /// Seconds since 1970.
    Times(Vec<Option<i64>>),
}

/// The rows after which signals such as Ctrl-C are looked at.
const ROWS_PER_CHECK: usize = 1 << 14;

/// Converts a list or an array of `NumPy`. Times without a zone are in UTC.
pub(super) fn to_array(column: &str, values: &Bound<'_, PyAny>) -> PyResult<ArrayRef> {
    let mut converted = Values::Unknown;
    let values = to_list(values)?;
    let mut nulls = 0;
    let iterator = values.try_iter().map_err(|_| {
        let value_type = values.get_type();
        Failure::new(format!("column \"{column}\" is {value_type}; give a list of values"))
    })?;
    for (row, value) in iterator.enumerate() {
        let value = value?;
        if row % ROWS_PER_CHECK == 0 {
            values.py().check_signals()?;
        }
        if value.is_none() {
            match &mut converted {
                Values::Unknown => nulls += 1,
                Values::Booleans(values) => values.push(None),
                Values::Integers(values) | Values::Times(values) => values.push(None),
                Values::Floats(values) => values.push(None),
                Values::Texts(values) => values.push(None),
                Values::Days(values) => values.push(None),
            }
            continue;
        }
        if matches!(converted, Values::Unknown) {
            converted = Values::for_value(&value, nulls)?;
        }
        converted = converted.push(&value)?.map_err(|kind| {
            let value_type = value.get_type().to_string();
            let reason = format!(
                "column \"{column}\", row {row}: {value_type} in a column of {kind}; give values of one type"
            );
            PyErr::from(Failure::new(reason).at(row, column))
        })?;
    }
    Ok(match converted {
        Values::Unknown => Arc::new(NullArray::new(nulls)),
        Values::Booleans(values) => Arc::new(BooleanArray::from(values)),
        Values::Integers(values) => Arc::new(Int64Array::from(values)),
        Values::Floats(values) => Arc::new(Float64Array::from(values)),
        Values::Texts(values) => {
            let mut builder = StringBuilder::new();
            builder.extend(values);
            Arc::new(builder.finish())
        }
        Values::Days(values) => Arc::new(Date32Array::from(values)),
        Values::Times(values) => Arc::new(TimestampSecondArray::from(values)),
    })
}

/// Converts an array of `NumPy` to a list, its times to microseconds, which Python has.
fn to_list<'py>(values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    if !values.hasattr("tolist")? {
        return Ok(values.clone());
    }
    let is_time = values.hasattr("dtype")?
        && values.getattr("dtype")?.hasattr("kind")?
        && values.getattr("dtype")?.getattr("kind")?.eq("M")?;
    let values = if is_time {
        values.call_method1("astype", ("datetime64[us]",))?
    } else {
        values.clone()
    };
    values.call_method0("tolist")
}

impl Values {
    /// Creates a column for the type of a value, with this number of nulls.
    fn for_value(value: &Bound<'_, PyAny>, nulls: usize) -> PyResult<Self> {
        Ok(if value.is_instance_of::<PyBool>() {
            Self::Booleans(vec![None; nulls])
        } else if value.is_instance_of::<PyInt>() || value.hasattr("__index__")? {
            Self::Integers(vec![None; nulls])
        } else if value.is_instance_of::<PyFloat>() || is_decimal(value)? {
            Self::Floats(vec![None; nulls])
        } else if value.hasattr("isoformat")? && value.hasattr("toordinal")? {
            if value.hasattr("hour")? {
                Self::Times(vec![None; nulls])
            } else {
                Self::Days(vec![None; nulls])
            }
        } else {
            Self::Texts(vec![None; nulls])
        })
    }

    /// Appends a value; the inner error is the name of the column's type.
    fn push(self, value: &Bound<'_, PyAny>) -> PyResult<Result<Self, &'static str>> {
        let is_bool = value.is_instance_of::<PyBool>();
        Ok(Ok(match self {
            Self::Unknown => Self::Unknown,
            Self::Booleans(mut values) => match value.extract() {
                Ok(flag) => {
                    values.push(Some(flag));
                    Self::Booleans(values)
                }
                Err(_) => return Ok(Err("booleans")),
            },
            Self::Integers(mut values) if !is_bool => {
                if let Ok(number) = value.extract() {
                    values.push(Some(number));
                    Self::Integers(values)
                } else if value.is_instance_of::<PyFloat>() || is_decimal(value)? {
                    let floats = values.into_iter().map(|value| value.map(|value| value as f64));
                    return Self::Floats(floats.collect()).push(value);
                } else {
                    return Ok(Err("whole numbers"));
                }
            }
            Self::Floats(mut values) if !is_bool && !value.is_instance_of::<PyString>() => {
                let Ok(number) = value.call_method0("__float__").and_then(|value| value.extract())
                else {
                    return Ok(Err("numbers"));
                };
                values.push(Some(number));
                Self::Floats(values)
            }
            Self::Texts(mut values) => match value.extract() {
                Ok(text) => {
                    values.push(Some(text));
                    Self::Texts(values)
                }
                Err(_) => return Ok(Err("texts")),
            },
            Self::Days(mut values) if !value.hasattr("hour")? => {
                let Ok(days) = value.call_method0("toordinal") else {
                    return Ok(Err("days"));
                };
                values.push(Some(days.extract::<i32>()? - ORDINAL_OF_1970));
                Self::Days(values)
            }
            Self::Times(mut values) if value.hasattr("hour")? => {
                values.push(Some(to_seconds(value)?));
                Self::Times(values)
            }
            Self::Days(_) => return Ok(Err("days")),
            Self::Times(_) => return Ok(Err("times")),
            Self::Integers(_) => return Ok(Err("whole numbers")),
            Self::Floats(_) => return Ok(Err("numbers")),
        }))
    }
}

fn is_decimal(value: &Bound<'_, PyAny>) -> PyResult<bool> {
    value.hasattr("as_integer_ratio")
}

/// The number of 1 January 1970 in Python's calendar.
const ORDINAL_OF_1970: i32 = 719_163;

/// Returns the seconds since 1970 of a `datetime`, without a zone in UTC.
fn to_seconds(time: &Bound<'_, PyAny>) -> PyResult<i64> {
    let utc = time.py().import("datetime")?.getattr("timezone")?.getattr("utc")?;
    let time = if time.getattr("tzinfo")?.is_none() {
        let zone = PyDict::new(time.py());
        zone.set_item("tzinfo", utc)?;
        time.call_method("replace", (), Some(&zone))?
    } else {
        time.clone()
    };
    let seconds: f64 = time.call_method0("timestamp")?.extract()?;
    Ok(seconds.floor() as i64)
}
