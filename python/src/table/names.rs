//! Names as numbers: of competitors, contests, events.

use std::hash::BuildHasher;

use arrow_array::cast::AsArray;
use arrow_array::types::Int64Type;
use arrow_array::{Array, ArrayRef, StringArray};
use arrow_cast::cast;
use arrow_schema::DataType;
use hashbrown::{DefaultHashBuilder, HashTable};
use ranklore_contest::{Quoted, is_name_too_long, name_too_long_error};

use crate::error::Failure;
use crate::table::Column;

/// The number of a missing name.
pub(crate) const NO_NAME: u32 = u32::MAX;

/// Different names, numbered by their first occurrence; all texts are in one allocation.
#[derive(Default)]
pub(crate) struct Names {
    texts: String,
    ends: Vec<usize>,
    numbers: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// True if the names were whole numbers in the table.
    are_integers: bool,
}

impl Names {
    /// Returns the number of names.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the name with a number.
    pub(crate) fn get(&self, number: u32) -> &str {
        get(&self.texts, &self.ends, number)
    }

    /// Returns the number of a name, if it is known.
    pub(crate) fn find(&self, name: &str) -> Option<u32> {
        let hash = self.hasher.hash_one(name);
        self.numbers.find(hash, |&number| self.get(number) == name).copied()
    }

    /// Returns the number of a name, and true if it is new.
    pub(crate) fn add(&mut self, name: &str) -> (u32, bool) {
        let hash = self.hasher.hash_one(name);
        let (texts, ends) = (&self.texts, &self.ends);
        if let Some(&number) = self.numbers.find(hash, |&n| get(texts, ends, n) == name) {
            return (number, false);
        }
        let number = self.ends.len() as u32;
        self.texts.push_str(name);
        self.ends.push(self.texts.len());
        let (texts, ends, hasher) = (&self.texts, &self.ends, &self.hasher);
        self.numbers
            .insert_unique(hash, number, |&n| hasher.hash_one(get(texts, ends, n)));
        (number, true)
    }

    /// Reads a column of names: the number of each, or [`NO_NAME`].
    pub(crate) fn read(&mut self, column: &Column) -> Result<Vec<u32>, Failure> {
        let mut numbers = Vec::with_capacity(column.len());
        self.are_integers = column.data_type.is_integer() && (self.len() == 0 || self.are_integers);
        for chunk in &column.chunks {
            self.read_chunk(column, chunk, &mut numbers)?;
        }
        Ok(numbers)
    }

    fn read_chunk(
        &mut self,
        column: &Column,
        chunk: &ArrayRef,
        numbers: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        match chunk.data_type() {
            DataType::Utf8 => self.read_texts(column, chunk.as_string::<i32>().iter(), numbers),
            DataType::LargeUtf8 => {
                self.read_texts(column, chunk.as_string::<i64>().iter(), numbers)
            }
            DataType::Utf8View => self.read_texts(column, chunk.as_string_view().iter(), numbers),
            DataType::Null => {
                numbers.resize(numbers.len() + chunk.len(), NO_NAME);
                Ok(())
            }
            DataType::Dictionary(..) => self.read_dictionary(column, chunk, numbers),
            data_type if data_type.is_integer() => self.read_integers(column, chunk, numbers),
            _ => Err(column.refuse_type("names are texts or whole numbers")),
        }
    }

    fn read_texts<'t>(
        &mut self,
        column: &Column,
        texts: impl Iterator<Item = Option<&'t str>>,
        numbers: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        // The rows of a contest are mostly adjacent.
        let mut last: Option<(&str, u32)> = None;
        for text in texts {
            let number = match (text, last) {
                (None, _) => NO_NAME,
                (Some(text), Some((known, number))) if text == known => number,
                (Some(text), _) => {
                    let (number, is_new) = self.add(text);
                    if is_new {
                        check_name(text).map_err(|reason| column.refuse(numbers.len(), reason))?;
                    }
                    last = Some((text, number));
                    number
                }
            };
            numbers.push(number);
        }
        Ok(())
    }

    /// Reads categories, of which each is hashed once.
    fn read_dictionary(
        &mut self,
        column: &Column,
        chunk: &ArrayRef,
        numbers: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        let dictionary = chunk.as_any_dictionary();
        let values = dictionary.values();
        if !matches!(values.data_type(), DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View)
            && !values.data_type().is_integer()
        {
            return Err(column.refuse_type("names are texts or whole numbers"));
        }
        let texts = cast(values, &DataType::Utf8View).map_err(Failure::new)?;
        let texts = texts.as_string_view();
        let keys = cast(dictionary.keys(), &DataType::Int64).map_err(Failure::new)?;
        let mut known = vec![None; texts.len()];
        for key in keys.as_primitive::<Int64Type>() {
            let Some(key) = key.map(|key| key as usize).filter(|&key| texts.is_valid(key)) else {
                numbers.push(NO_NAME);
                continue;
            };
            if known[key].is_none() {
                let text = texts.value(key);
                check_name(text).map_err(|reason| column.refuse(numbers.len(), reason))?;
                known[key] = Some(self.add(text).0);
            }
            numbers.extend(known[key]);
        }
        Ok(())
    }

    fn read_integers(
        &mut self,
        column: &Column,
        chunk: &ArrayRef,
        numbers: &mut Vec<u32>,
    ) -> Result<(), Failure> {
        let texts = cast(chunk, &DataType::Utf8).map_err(Failure::new)?;
        self.read_texts(column, texts.as_string::<i32>().iter(), numbers)
    }

    /// Returns the names with these numbers as a column of the type that was read.
    pub(crate) fn to_array(&self, numbers: impl ExactSizeIterator<Item = u32>) -> ArrayRef {
        let names = numbers.map(|number| (number != NO_NAME).then(|| self.get(number)));
        let texts: StringArray = names.collect();
        if self.are_integers
            && let Ok(integers) = cast(&texts, &DataType::Int64)
            && integers.null_count() == texts.null_count()
        {
            return integers;
        }
        std::sync::Arc::new(texts)
    }
}

fn get<'t>(texts: &'t str, ends: &[usize], number: u32) -> &'t str {
    let number = number as usize;
    let start = number.checked_sub(1).map_or(0, |before| ends[before]);
    &texts[start..ends[number]]
}

/// Errors if a name is blank, too long, or has blanks at its ends, which an import cuts off.
fn check_name(name: &str) -> Result<(), String> {
    if name.trim().is_empty() {
        return Err("the name is blank; remove the row, or give it a name".to_owned());
    }
    if name.trim().len() < name.len() {
        let name = Quoted(name);
        return Err(format!("the name {name} has blanks at its ends; strip them"));
    }
    if is_name_too_long(name) {
        return Err(name_too_long_error("the name", name).to_string());
    }
    Ok(())
}
