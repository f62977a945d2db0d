//! Contests in one buffer of bytes.

use std::fmt;

use postcard::ser_flavors::{ExtendFlavor, Flavor as _};
use ranklore_contest::{Contest, ContestTime, Entrant, EntrantKind, EntrantOutcome, Side};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Contests, packed into one buffer. A document can have a million games: each takes about 600 bytes
/// in a dozen allocations as a [`Contest`], and about 130 here.
///
/// Serde reads and writes an array of contests.
#[derive(Clone, Default, PartialEq)]
pub struct PackedContests {
    bytes: Vec<u8>,
    /// The end of each contest in the bytes.
    ends: Vec<usize>,
}

impl PackedContests {
    /// Appends a contest.
    pub fn push(&mut self, contest: &Contest) {
        self.bytes = pack(contest, std::mem::take(&mut self.bytes));
        self.ends.push(self.bytes.len());
    }

    /// Appends contests that are packed already.
    pub(crate) fn append(&mut self, later: &Self) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&later.bytes);
        self.ends.extend(later.ends.iter().map(|end| start + end));
    }

    /// Returns the number of contests.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// True if there are no contests.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns a contest by its index; `None` if there are fewer.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Contest> {
        (index < self.len()).then(|| unpack(self.bytes_of(index)))
    }

    /// Returns the contests; each is unpacked when its turn comes.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Contest> + ExactSizeIterator {
        (0..self.len()).map(|index| unpack(self.bytes_of(index)))
    }

    /// Unpacks all contests.
    #[must_use]
    pub fn to_vec(&self) -> Vec<Contest> {
        self.iter().collect()
    }

    /// Returns the external ids of the contests.
    #[must_use]
    pub fn external_ids(&self) -> impl ExactSizeIterator<Item = &str> {
        (0..self.len()).map(|index| self.external_id(index))
    }

    pub(crate) fn external_id(&self, index: usize) -> &str {
        unpack_external_id(self.bytes_of(index))
    }

    /// Keeps the contests for which `keep` returns true, given their index and external id.
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &str) -> bool) {
        let mut start = 0;
        let mut length = 0;
        let mut count = 0;
        for index in 0..self.ends.len() {
            let end = self.ends[index];
            if keep(index, unpack_external_id(&self.bytes[start..end])) {
                self.bytes.copy_within(start..end, length);
                length += end - start;
                self.ends[count] = length;
                count += 1;
            }
            start = end;
        }
        self.bytes.truncate(length);
        self.ends.truncate(count);
    }

    fn bytes_of(&self, index: usize) -> &[u8] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[index]]
    }
}

impl FromIterator<Contest> for PackedContests {
    fn from_iter<I: IntoIterator<Item = Contest>>(contests: I) -> Self {
        let mut packed = Self::default();
        for contest in contests {
            packed.push(&contest);
        }
        packed
    }
}

impl fmt::Debug for PackedContests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for PackedContests {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for PackedContests {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let contests = Vec::<Contest>::deserialize(deserializer)?;
        Ok(contests.into_iter().collect())
    }
}

/// Appends the packed contest to the bytes.
#[expect(
    clippy::expect_used,
    reason = "a vector takes as many bytes as there are"
)]
fn pack(contest: &Contest, bytes: Vec<u8>) -> Vec<u8> {
    let output = ExtendFlavor::new(bytes);
    let mut serializer = postcard::Serializer { output };
    ContestFields::serialize(contest, &mut serializer).expect("all fields can be packed");
    serializer.output.finalize().expect("nothing is left to do")
}

#[expect(clippy::expect_used, reason = "the bytes were packed in this process")]
fn unpack(bytes: &[u8]) -> Contest {
    let mut deserializer = postcard::Deserializer::from_bytes(bytes);
    ContestFields::deserialize(&mut deserializer).expect("a packed contest")
}

#[expect(clippy::expect_used, reason = "the bytes were packed in this process")]
fn unpack_external_id(bytes: &[u8]) -> &str {
    let mut deserializer = postcard::Deserializer::from_bytes(bytes);
    // It is the first field.
    <&str>::deserialize(&mut deserializer).expect("a packed contest")
}

/// The fields of a [`Contest`]. Its own form leaves out what is unknown, which needs the names of the
/// fields.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Contest")]
struct ContestFields {
    external_id: String,
    name: String,
    event: Option<String>,
    division: Option<String>,
    ordinal: Option<i64>,
    url: Option<String>,
    starts_at: Option<ContestTime>,
    ends_at: ContestTime,
    weight: f64,
    site_weight: Option<f64>,
    performance_ceiling: Option<f64>,
    #[serde(with = "entrants")]
    entrants: Vec<Entrant>,
}

/// The fields of an [`Entrant`], as in [`ContestFields`].
#[derive(Serialize, Deserialize)]
#[serde(remote = "Entrant")]
struct EntrantFields {
    competitor: String,
    kind: EntrantKind,
    outcome: EntrantOutcome,
    score: Option<f64>,
    penalty: Option<f64>,
    side: Option<Side>,
    members: Vec<String>,
}

mod entrants {
    use super::{Deserialize, Deserializer, Entrant, EntrantFields, Serialize, Serializer};

    #[derive(Serialize)]
    struct Packed<'e>(#[serde(serialize_with = "EntrantFields::serialize")] &'e Entrant);

    #[derive(Deserialize)]
    struct Unpacked(#[serde(with = "EntrantFields")] Entrant);

    pub(super) fn serialize<S: Serializer>(
        entrants: &[Entrant],
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(entrants.iter().map(Packed))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Vec<Entrant>, D::Error> {
        let entrants = Vec::<Unpacked>::deserialize(deserializer)?;
        Ok(entrants.into_iter().map(|Unpacked(entrant)| entrant).collect())
    }
}
