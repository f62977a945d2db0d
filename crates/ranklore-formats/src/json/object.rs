//! Reads a document that is one JSON object.

use ranklore_contest::describe_json_error;
use ranklore_grid::{FileReadError, Location};
use serde::Deserialize;

use crate::reading::LocatedResult;

/// Reads an object that holds `fields`. What is JSON of another structure is refused, what is no
/// JSON is an error.
pub(crate) fn read_object<'de, T: Deserialize<'de>>(
    bytes: &'de [u8],
    fields: &str,
) -> Result<LocatedResult<T>, FileReadError> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    // Serde would read the elements of an array as the fields in their order.
    if bytes.trim_ascii_start().first() == Some(&b'[') {
        let reason = format!("expected an object with {fields}, not an array");
        return Ok(Err((Location::Whole, reason)));
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let error = match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(object) => {
            return match deserializer.end() {
                Ok(()) => Ok(Ok(object)),
                Err(error) => Err(FileReadError::json_syntax(&error)),
            };
        }
        Err(error) if error.inner().is_data() => error,
        Err(error) => return Err(FileReadError::json_syntax(error.inner())),
    };
    let at = match error.path().to_string().as_str() {
        "." => Location::Whole,
        path => Location::JsonPath(path.to_owned()),
    };
    Ok(Err((at, describe_json_error(error.inner()))))
}
