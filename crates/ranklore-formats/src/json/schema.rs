//! The JSON schema of contest files, for reading and writing.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use serde::{Deserialize, Deserializer, Serialize, de};

use ranklore_contest::{EntrantKind, ResultState, Side};
use ranklore_grid::MAX_RESULTS;

/// Returns a text that is not empty: in files, an empty one means the same as none.
pub(super) fn non_empty(text: Option<Cow<'_, str>>) -> Option<String> {
    text.filter(|text| !text.is_empty()).map(Cow::into_owned)
}

/// A contest in a file. Unknown fields are ignored, null counts as absent, and absent fields are
/// not written.
#[derive(Deserialize, Serialize)]
#[serde(expecting = "an object with name, time_seconds and standings")]
pub(super) struct ContestJson<'a> {
    pub(super) name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) id: Option<JsonContestId<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) url: Option<Cow<'a, str>>,
    pub(super) time_seconds: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) weight: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) perf_ceiling: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) event: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) division: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) ordinal: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) starts_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) site_weight: Option<f64>,
    #[serde(deserialize_with = "bounded_array", borrow)]
    pub(super) standings: Vec<Row<'a>>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "bounded_optional_array",
        default,
        borrow
    )]
    pub(super) entrants: Option<Vec<Option<EntrantDetails<'a>>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) state: Option<ResultState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rated: Option<bool>,
    #[serde(
        skip_serializing_if = "Option::is_none",
        deserialize_with = "bounded_optional_array",
        default,
        borrow
    )]
    pub(super) competitors: Option<Vec<JsonObject<CompetitorEntry<'a>>>>,
}

/// Reads an array of at most [`MAX_RESULTS`] elements.
fn bounded_array<'de, T, D>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    struct Visitor<T>(PhantomData<T>);
    impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
        type Value = Vec<T>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a sequence")
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
            let mut elements = Vec::new();
            while let Some(element) = seq.next_element()? {
                if elements.len() >= MAX_RESULTS {
                    return Err(de::Error::custom(format!(
                        "the array has more than {MAX_RESULTS} elements"
                    )));
                }
                elements.push(element);
            }
            Ok(elements)
        }
    }
    deserializer.deserialize_seq(Visitor(PhantomData))
}

/// Reads null, or an array of at most [`MAX_RESULTS`] elements.
fn bounded_optional_array<'de, T, D>(deserializer: D) -> Result<Option<Vec<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    #[derive(Deserialize)]
    #[serde(bound = "T: Deserialize<'de>")]
    struct Bounded<T>(#[serde(deserialize_with = "bounded_array")] Vec<T>);
    let array = Option::<Bounded<T>>::deserialize(deserializer)?;
    Ok(array.map(|Bounded(elements)| elements))
}

/// A handle, with the first and last index of the entrants that share its place.
#[derive(Deserialize, Serialize)]
#[serde(expecting = "[handle, lo, hi]")]
pub(super) struct Row<'a>(pub(super) Cow<'a, str>, pub(super) u32, pub(super) u32);

/// Details of an entrant besides handle and place.
#[derive(Default, PartialEq, Deserialize, Serialize)]
pub(super) struct EntrantDetails<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<EntrantKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<UnplacedStatus>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) score: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) penalty: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) side: Option<Side>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) members: Option<Cow<'a, [String]>>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum UnplacedStatus {
    Dnf,
    Dq,
}

/// A competitor in a file.
#[derive(Deserialize, Serialize)]
pub(super) struct CompetitorEntry<'a> {
    pub(super) competitor: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kind: Option<EntrantKind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_mu: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) start_sigma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) merged_into: Option<Cow<'a, str>>,
}

/// The id of a contest, a number or a string, as text.
#[derive(Serialize)]
pub(super) struct JsonContestId<'a>(pub(super) Cow<'a, str>);

impl<'de> Deserialize<'de> for JsonContestId<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl de::Visitor<'_> for Visitor {
            type Value = JsonContestId<'static>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number or a string")
            }

            fn visit_u64<E>(self, id: u64) -> Result<JsonContestId<'static>, E> {
                Ok(JsonContestId(id.to_string().into()))
            }

            fn visit_i64<E>(self, id: i64) -> Result<JsonContestId<'static>, E> {
                Ok(JsonContestId(id.to_string().into()))
            }

            fn visit_str<E>(self, id: &str) -> Result<JsonContestId<'static>, E> {
                Ok(JsonContestId(id.to_owned().into()))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// A value that must be a JSON object. Serde would also read an array as the fields in their order;
/// names in such an array would be missed when a person is forgotten.
#[derive(Serialize)]
pub(super) struct JsonObject<T>(pub(super) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for JsonObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> de::Visitor<'de> for Visitor<T> {
            type Value = JsonObject<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<JsonObject<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(JsonObject)
            }
        }
        deserializer.deserialize_map(Visitor(PhantomData))
    }
}
