//! JSON documents whose members keep their order.

use serde::{Serialize, Serializer};
use serde_json::Value;

/// A JSON value.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Json {
    Value(Value),
    Array(Vec<Self>),
    /// An object without its members that are null.
    #[serde(serialize_with = "serialize_members")]
    Object(Vec<(&'static str, Self)>),
}

fn serialize_members<S: Serializer>(
    members: &[(&'static str, Json)],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let present = members.iter().filter(|(_, value)| !matches!(value, Json::Value(Value::Null)));
    serializer.collect_map(present.map(|(name, value)| (name, value)))
}

/// Creates an object with these members, except those that are `None`.
macro_rules! object {
    ($($name:literal: $value:expr),* $(,)?) => {
        $crate::describe::json::Json::Object(vec![$(($name, $value.into())),*])
    };
}
pub(super) use object;

macro_rules! from_value {
    ($($type:ty),*) => {
        $(impl From<$type> for Json {
            fn from(value: $type) -> Self {
                Self::Value(value.into())
            }
        })*
    };
}
from_value!(Value, &str, String, u64, bool);

impl<T: Into<Self>> From<Option<T>> for Json {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Value(Value::Null), T::into)
    }
}

impl<T: Into<Self>> From<Vec<T>> for Json {
    fn from(values: Vec<T>) -> Self {
        Self::Array(values.into_iter().map(T::into).collect())
    }
}
